// SPDX-License-Identifier: Apache-2.0
#include "core/mask/region.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace maskscope::mask {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int32_t>::max();

bool before(const Run& a, const Run& b) {
    return std::tie(a.row, a.begin) < std::tie(b.row, b.begin);
}

Run run_of(std::int64_t row, std::int64_t begin, std::int64_t end) {
    return {static_cast<std::int32_t>(row), static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end)};
}

// Adds runs in ascending order and joins those that touch or overlap.
class Joined {
public:
    explicit Joined(std::size_t room) { runs_.reserve(room); }
    void add(const Run& run) {
        if (run.begin >= run.end) return;
        if (!runs_.empty() && runs_.back().row == run.row && run.begin <= runs_.back().end)
            runs_.back().end = std::max(runs_.back().end, run.end);
        else
            runs_.push_back(run);
    }
    Region region() { return Region::of_sorted(std::move(runs_)); }

private:
    std::vector<Run> runs_;
};

}  // namespace

Region Region::of(std::vector<Run> runs) {
    if (!std::is_sorted(runs.begin(), runs.end(), before)) std::sort(runs.begin(), runs.end(), before);
    Joined out(runs.size());
    for (const auto& run : runs) out.add(run);
    return out.region();
}

Region Region::of_sorted(std::vector<Run> runs) {
    Region out;
    out.runs_ = std::move(runs);
    return out;
}

Region Region::of_rect(const Rect& rect) {
    const Rect all{kLowest, kLowest, kHighest - kLowest, kHighest - kLowest};
    const Rect inside = intersection(rect, all);
    std::vector<Run> runs;
    runs.reserve(static_cast<std::size_t>(inside.rows));
    for (auto row = inside.row; row < inside.bottom(); ++row) runs.push_back(run_of(row, inside.col, inside.right()));
    return of_sorted(std::move(runs));
}

std::int64_t Region::count() const {
    std::int64_t cells = 0;
    for (const auto& run : runs_) cells += std::int64_t{run.end} - run.begin;
    return cells;
}

Rect Region::bounds() const {
    if (runs_.empty()) return {};
    std::int64_t left = kHighest;
    std::int64_t right = kLowest;
    for (const auto& run : runs_) {
        left = std::min<std::int64_t>(left, run.begin);
        right = std::max<std::int64_t>(right, run.end);
    }
    const std::int64_t top = runs_.front().row;
    return {top, left, runs_.back().row - top + 1, right - left};
}

bool Region::contains(std::int64_t row, std::int64_t col) const {
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), std::pair{row, col}, [](const auto& at, const Run& run) {
            return at < std::pair<std::int64_t, std::int64_t>{run.row, run.begin};
        });
    if (after == runs_.begin()) return false;
    const Run& run = *(after - 1);
    return run.row == row && col < run.end;
}

Region Region::clipped(const Rect& rect) const {
    std::vector<Run> runs;
    if (rect.empty()) return {};
    const auto first =
        std::partition_point(runs_.begin(), runs_.end(), [&](const Run& run) { return run.row < rect.row; });
    for (auto run = first; run != runs_.end() && run->row < rect.bottom(); ++run) {
        const auto begin = std::max<std::int64_t>(run->begin, rect.col);
        const auto end = std::min<std::int64_t>(run->end, rect.right());
        if (begin < end) runs.push_back(run_of(run->row, begin, end));
    }
    return of_sorted(std::move(runs));
}

Region Region::moved(std::int64_t rows, std::int64_t cols) const {
    std::vector<Run> runs;
    runs.reserve(runs_.size());
    for (const auto& run : runs_) {
        const auto row = run.row + rows;
        const auto begin = std::clamp(run.begin + cols, kLowest, kHighest);
        const auto end = std::clamp(run.end + cols, kLowest, kHighest);
        if (row >= kLowest && row <= kHighest && begin < end) runs.push_back(run_of(row, begin, end));
    }
    return of_sorted(std::move(runs));
}

Region unite(const Region& a, const Region& b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    Joined out(std::max(a.runs().size(), b.runs().size()));
    auto left = a.runs().begin();
    auto right = b.runs().begin();
    while (left != a.runs().end() || right != b.runs().end()) {
        const bool take_left = right == b.runs().end() || (left != a.runs().end() && before(*left, *right));
        out.add(take_left ? *left++ : *right++);
    }
    return out.region();
}

Region intersect(const Region& a, const Region& b) {
    std::vector<Run> runs;
    auto left = a.runs().begin();
    auto right = b.runs().begin();
    while (left != a.runs().end() && right != b.runs().end()) {
        if (left->row == right->row) {
            const auto begin = std::max(left->begin, right->begin);
            const auto end = std::min(left->end, right->end);
            if (begin < end) runs.push_back({left->row, begin, end});
        }
        // The one that ends first has nothing more to give.
        if (std::tie(left->row, left->end) < std::tie(right->row, right->end))
            ++left;
        else
            ++right;
    }
    return Region::of_sorted(std::move(runs));
}

Region subtract(const Region& a, const Region& b) {
    if (a.empty() || b.empty()) return a;
    std::vector<Run> runs;
    runs.reserve(a.runs().size());
    auto hole = b.runs().begin();
    for (Run rest : a.runs()) {
        while (hole != b.runs().end() && std::tie(hole->row, hole->end) <= std::tie(rest.row, rest.begin)) ++hole;
        // A hole may reach into the next run as well: `hole` stays with it.
        for (auto cut = hole; cut != b.runs().end() && cut->row == rest.row && cut->begin < rest.end; ++cut) {
            if (cut->begin > rest.begin) runs.push_back({rest.row, rest.begin, cut->begin});
            rest.begin = cut->end;
            hole = cut;
        }
        if (rest.begin < rest.end) runs.push_back(rest);
    }
    return Region::of_sorted(std::move(runs));
}

}  // namespace maskscope::mask
