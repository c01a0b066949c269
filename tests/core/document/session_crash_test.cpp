// SPDX-License-Identifier: Apache-2.0
// A program that paints is killed at any moment, fifty times. What it said it had done a quarter of a second before
// must be in its journal, cell for cell, with its history, and the stroke it was in.
#include "tests/core/document/session_crash_plan.h"
#include "tests/core/document/session_desk.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>

using namespace maskscope;
using namespace maskscope::document;

namespace {

using Clock = std::chrono::steady_clock;
using Cells = std::vector<std::byte>;

constexpr int kRounds = 50;
constexpr std::int64_t kMostLost = 250'000;  // microseconds

std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch()).count();
}

// All states of the mask as arrays of bytes.
class Reference {
public:
    Reference() {
        const Tensor start = patterned({kPlanes, kRows, kCols});
        states_.emplace_back(start.data(), start.data() + start.byte_size());
    }
    void carry_out(const Deed& deed, std::uint32_t number) {
        if (deed.kind == Deed::Kind::stroke) stroke(deed, deed.dabs.size(), "deed " + std::to_string(number));
        if (deed.kind == Deed::Kind::undo && position_ > 0) --position_;
        if (deed.kind == Deed::Kind::redo && position_ < names_.size()) ++position_;
        if (deed.kind == Deed::Kind::jump) position_ = std::min(deed.position, names_.size());
    }
    void stroke(const Deed& deed, std::size_t dabs, const std::string& name) {
        Cells cells = states_[position_];
        for (std::size_t i = 0; i < dabs; ++i) {
            for (std::int64_t row = 0; row < kRows; ++row) {
                for (std::int64_t col = 0; col < kCols; ++col) {
                    if (!covers(deed.dabs[i], row, col)) continue;
                    cells[static_cast<std::size_t>((deed.plane * kRows + row) * kCols + col)] = std::byte{deed.label};
                }
            }
        }
        if (cells == states_[position_]) return;  // beyond the border: no step
        states_.resize(position_ + 1);
        names_.resize(position_);
        states_.push_back(std::move(cells));
        names_.push_back(name);
        ++position_;
    }
    const Cells& now() const { return states_[position_]; }
    const Cells& start() const { return states_.front(); }
    std::size_t position() const { return position_; }
    const std::vector<std::string>& names() const { return names_; }

private:
    std::vector<Cells> states_;
    std::vector<std::string> names_;
    std::size_t position_ = 0;
};

Cells all_cells(const std::map<std::int64_t, mask::Plane>& planes, const Cells& start) {
    Cells out = start;
    for (const auto& [number, plane] : planes) {
        const auto cells = cells_of(plane);
        std::copy(cells.begin(), cells.end(), out.begin() + number * kRows * kCols);
    }
    return out;
}

bool equal(const SavedSession& session, const Reference& reference) {
    if (session.position != reference.position() || session.steps.size() != reference.names().size()) return false;
    for (std::size_t i = 0; i < session.steps.size(); ++i) {
        if (session.steps[i].name != reference.names()[i]) return false;
    }
    if (session.masks.empty()) return reference.now() == reference.start();
    return all_cells(session.masks[0].planes, reference.start()) == reference.now();
}

// What the painter said, up to the kill.
struct Said {
    std::uint32_t done = 0;          // deeds
    std::uint32_t done_in_time = 0;  // long enough before the kill
    std::size_t part_in_time = 0;    // dabs of the next deed
};

}  // namespace

class SessionCrashTest : public QObject {
    Q_OBJECT
private slots:
    void nothing_that_was_said_is_lost() {
        int unfinished = 0;
        std::size_t steps = 0;
        for (int round = 0; round < kRounds; ++round) {
            const bool with_saves = round % 3 == 2;
            const QTemporaryDir folder;
            const auto state = folder.path().toStdString() + "/state";
            const auto msk = folder.path().toStdString() + "/painted.msk";
            const auto seed = static_cast<std::uint32_t>(1000 + round);
            const auto said = paint_and_kill(state, msk, seed, with_saves);
            if (QTest::currentTestFailed()) return;

            const auto left = SessionStore::left_behind(state);
            QVERIFY(left.size() <= 1);
            const bool only_saved = left.empty() && std::filesystem::exists(msk);
            Desk desk;
            if (!left.empty() || only_saved) {
                const auto opened = desk.open(only_saved ? msk : left[0].path, state);
                QVERIFY2(opened.ok(), opened ? "" : opened.error().text().c_str());
                check(desk.store->restored(), said, seed, with_saves);
                if (QTest::currentTestFailed()) qWarning("in round %d", round);
                const auto& names = desk.store->restored().steps;
                steps += names.size();
                if (!names.empty() && names.back().name.ends_with("(unfinished)")) ++unfinished;
            } else {
                check({}, said, seed, with_saves);
            }
            // A save that was cut short leaves a whole file too, the new one or the old.
            if (std::filesystem::exists(msk) && !only_saved) {
                desk.close();
                const auto whole = Desk().open(msk, state);
                QVERIFY2(whole.ok(), whole ? "" : whole.error().text().c_str());
            }
            if (QTest::currentTestFailed()) return;
        }
        // The fifty kills met what they were meant to meet.
        qInfo("%zu steps came back, %d strokes were unfinished", steps, unfinished);
        QVERIFY(unfinished >= 5 && steps >= 60);
    }

private:
    Said paint_and_kill(const std::string& state, const std::string& msk, std::uint32_t seed, bool with_saves) {
        int ends[2] = {-1, -1};
        if (::pipe(ends) != 0) return {};
        const auto seed_text = std::to_string(seed);
        const pid_t painter = ::fork();
        if (painter == 0) {
            ::dup2(ends[1], STDOUT_FILENO);
            ::close(ends[0]);
            ::close(ends[1]);
            ::execl(MS_CRASH_PAINTER, MS_CRASH_PAINTER, state.c_str(), msk.c_str(), seed_text.c_str(),
                    with_saves ? "1" : "0", nullptr);
            ::_exit(127);
        }
        ::close(ends[1]);
        std::string words(64, '\0');
        const auto first = ::read(ends[0], words.data(), words.size());  // "ready"
        words.resize(first > 0 ? static_cast<std::size_t>(first) : 0);
        std::mt19937 random(seed);
        const auto stall = sleep(std::chrono::milliseconds(50 + random() % 900));
        const auto killed = now();
        ::kill(painter, SIGKILL);
        int status = 0;
        ::waitpid(painter, &status, 0);
        std::string part(4096, '\0');
        for (ssize_t got = 0; (got = ::read(ends[0], part.data(), part.size())) > 0;) {
            words.append(part, 0, static_cast<std::size_t>(got));
        }
        ::close(ends[0]);
        [&] { QVERIFY2(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "the painter ended by itself"); }();
        return heard(words, killed - kMostLost - stall);
    }
    // How long the machine let this thread wait beyond what it asked for: then the painter's threads waited as well.
    static std::int64_t sleep(std::chrono::microseconds time) {
        constexpr std::int64_t kTick = 5000;
        std::int64_t stall = 0;
        const auto end = now() + time.count();
        while (now() < end) {
            const auto before = now();
            std::this_thread::sleep_for(std::chrono::microseconds(kTick));
            stall += std::max<std::int64_t>(0, now() - before - 2 * kTick);
        }
        return stall;
    }
    static Said heard(const std::string& words, std::int64_t in_time) {
        Said out;
        std::istringstream lines(words);
        std::string what;
        std::uint32_t deed = 0;
        std::size_t dabs = 0;
        std::int64_t when = 0;
        while (lines >> what >> deed >> dabs >> when) {
            if (what == "done") {
                out.done = deed + 1;
                if (when <= in_time) {
                    out.done_in_time = deed + 1;
                    out.part_in_time = 0;
                }
            }
            if (what == "part" && when <= in_time) out.part_in_time = dabs;
        }
        return out;
    }
    // The session is what the reference has after some deed, or in the middle of one, that is not too early.
    static void check(const SavedSession& session, const Said& said, std::uint32_t seed, bool with_saves) {
        Reference reference;
        for (std::uint32_t number = 0; number <= said.done + 1; ++number) {
            const Deed deed = deed_of(seed, number, with_saves);
            const bool now_or_later =
                number > said.done_in_time || (number == said.done_in_time && said.part_in_time == 0);
            if (now_or_later && equal(session, reference)) return leads_back(session, reference);
            if (number >= said.done_in_time && deed.kind == Deed::Kind::stroke) {
                const std::size_t least = number == said.done_in_time ? std::max<std::size_t>(said.part_in_time, 1) : 1;
                for (auto dabs = least; dabs <= deed.dabs.size(); ++dabs) {
                    Reference part = reference;
                    part.stroke(deed, dabs, "deed " + std::to_string(number) + " (unfinished)");
                    if (equal(session, part)) return leads_back(session, reference);
                }
            }
            reference.carry_out(deed, number);
        }
        const auto last = session.steps.empty() ? std::string("none") : session.steps.back().name;
        QFAIL(qPrintable(
            QString("%1 deeds were done, %2 of them in time, %3 dabs of the next; %4 steps are there, at %5, "
                    "the last is: %6")
                .arg(said.done)
                .arg(said.done_in_time)
                .arg(said.part_in_time)
                .arg(session.steps.size())
                .arg(session.position)
                .arg(QString::fromStdString(last))));
    }
    // All steps taken back: the mask as it was opened.
    static void leads_back(const SavedSession& session, const Reference& reference) {
        if (session.masks.empty()) return;
        auto planes = session.masks[0].planes;
        for (auto i = session.position; i > 0; --i) {
            auto& plane = planes.at(session.steps[i - 1].plane);
            auto delta = mask::MaskDelta::parse(session.steps[i - 1].delta, plane);
            QVERIFY(delta.ok());
            delta->undo(plane);
        }
        QVERIFY(all_cells(planes, reference.start()) == reference.start());
    }
};

QTEST_APPLESS_MAIN(SessionCrashTest)
#include "session_crash_test.moc"
