// SPDX-License-Identifier: Apache-2.0
// Paints at the pace of a hand until it is killed, and says what it has done as soon as it has: session_crash_test
// reads it.
#include "tests/core/document/session_crash_plan.h"
#include "tests/core/document/session_desk.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace maskscope;
using namespace maskscope::document;

namespace {

using Clock = std::chrono::steady_clock;  // the same for all processes

void say(const char* what, std::uint32_t deed, std::size_t dabs) {
    const auto now = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch()).count();
    dprintf(STDOUT_FILENO, "%s %u %zu %lld\n", what, deed, dabs, static_cast<long long>(now));
}

mask::Region region_of(const Dab& dab) {
    std::vector<mask::Run> runs;
    for (auto row = dab.row - dab.radius; row <= dab.row + dab.radius; ++row) {
        auto half = dab.radius;
        while (!covers(dab, row, dab.col + half)) --half;
        if (row < 0 || row >= kRows) continue;
        runs.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(dab.col - half),
                        static_cast<std::int32_t>(dab.col + half + 1)});
    }
    return mask::Region::of(std::move(runs)).clipped({0, 0, kRows, kCols});
}

void paint(Desk& desk, const Entry& entry, const Deed& deed, std::uint32_t number) {
    constexpr auto kBetweenMoves = std::chrono::milliseconds(8);
    constexpr auto kBetweenReports = std::chrono::milliseconds(50);
    desk.begin(entry, deed.plane, "deed " + std::to_string(number));
    mask::PaintRule rule;
    rule.value.bits = deed.label;
    auto reported = Clock::now();
    for (std::size_t i = 0; i < deed.dabs.size(); ++i) {
        desk.edits.current()->paint(region_of(deed.dabs[i]), rule);
        std::this_thread::sleep_for(kBetweenMoves);
        if (Clock::now() - reported < kBetweenReports) continue;
        reported = Clock::now();
        desk.edits.report();
        say("part", number, i + 1);
    }
    desk.edits.commit();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    const std::string folder = argv[1];
    const std::string msk = argv[2];
    const auto seed = static_cast<std::uint32_t>(std::atoi(argv[3]));
    const bool with_saves = std::atoi(argv[4]) != 0;
    Desk desk;
    const auto& entry = desk.add("painted.npy", "", patterned({kPlanes, kRows, kCols}));
    if (!desk.start(folder)) return 3;
    say("ready", 0, 0);
    for (std::uint32_t number = 0;; ++number) {
        const Deed deed = deed_of(seed, number, with_saves);
        switch (deed.kind) {
            case Deed::Kind::stroke:
                paint(desk, entry, deed, number);
                break;
            case Deed::Kind::undo:
                desk.edits.undo();
                break;
            case Deed::Kind::redo:
                desk.edits.redo();
                break;
            case Deed::Kind::jump:
                desk.edits.jump(deed.position);
                break;
            case Deed::Kind::save:
                if (!desk.store->save(msk)) return 4;
                break;
        }
        say("done", number, deed.dabs.size());
    }
}
