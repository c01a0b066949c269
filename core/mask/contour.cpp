// SPDX-License-Identifier: Apache-2.0
// Each run has two upright sides: the left one is walked up, the right one down, so that the cells lie on the right
// hand. Between two rows, the sides that end there are joined with those that begin there; the joints make the rings.
#include "core/mask/contour.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace maskscope::mask {
namespace {

// Side 2 i is the left one of run i, side 2 i + 1 the right one.
struct Side {
    std::int32_t x = 0;
    std::size_t id = 0;
    bool ends = false;  // where it is met: it is walked towards this place
    bool right = false;
};

class Tracer {
public:
    explicit Tracer(const std::vector<Run>& runs) : runs_(runs), next_(runs.size() * 2) { join_rows(); }

    std::vector<Ring> rings() const {
        std::vector<Ring> out;
        std::vector<bool> seen(next_.size(), false);
        for (std::size_t first = 0; first < next_.size(); ++first) {
            if (seen[first]) continue;
            // The first side of a ring, in the order of rows and columns, has the ring's inside on its right, or is the
            // right side of the run that a hole follows.
            Ring ring;
            ring.hole = first % 2 == 1;
            auto side = first;
            do {
                seen[side] = true;
                add_corners(side, ring);
                side = next_[side];
            } while (side != first);
            out.push_back(std::move(ring));
        }
        return out;
    }

private:
    std::int32_t x_of(std::size_t side) const {
        const Run& run = runs_[side / 2];
        return side % 2 == 1 ? run.end : run.begin;
    }

    // Those between a side and the next; none where it goes straight on.
    void add_corners(std::size_t side, Ring& ring) const {
        const auto from = x_of(side);
        const auto to = x_of(next_[side]);
        if (from == to) return;
        const auto y = runs_[side / 2].row + static_cast<std::int32_t>(side % 2);
        ring.corners.push_back({from, y});
        ring.corners.push_back({to, y});
    }

    void join_rows() {
        std::size_t upper = 0;  // runs [upper, upper_end) lie in the row above
        std::size_t upper_end = 0;
        for (std::size_t lower = 0; lower < runs_.size();) {
            auto lower_end = lower;
            while (lower_end < runs_.size() && runs_[lower_end].row == runs_[lower].row) ++lower_end;
            if (upper_end > upper && runs_[upper].row + 1 != runs_[lower].row) {
                join(upper, upper_end, lower, lower);
                upper = upper_end;
            }
            join(upper, upper_end, lower, lower_end);
            upper = lower;
            upper_end = lower_end;
            lower = lower_end;
        }
        join(upper, upper_end, upper_end, upper_end);
    }

    Side side_of(std::size_t id, bool upper) const {
        const bool right = id % 2 == 1;
        return {x_of(id), id, upper == right, right};
    }

    // The sides that meet on the line between a row and the one below it, from left to right: two neighbours are the
    // ends of a piece of outline, or the same place, where an outline goes straight on.
    void join(std::size_t upper, std::size_t upper_end, std::size_t lower, std::size_t lower_end) {
        auto above = upper * 2;
        auto below = lower * 2;
        bool waits = false;
        Side first;
        while (above < upper_end * 2 || below < lower_end * 2) {
            const Side side = take(above, upper_end * 2, below, lower_end * 2);
            if (waits) link(first, side);
            first = side;
            waits = !waits;
        }
    }

    // Where a run ends and one of the other row begins, they touch at a corner: the end first, so that each stays with
    // its own run's outline.
    Side take(std::size_t& above, std::size_t above_end, std::size_t& below, std::size_t below_end) const {
        if (below == below_end) return side_of(above++, true);
        if (above == above_end) return side_of(below++, false);
        const Side a = side_of(above, true);
        const Side b = side_of(below, false);
        const bool take_above = a.x != b.x ? a.x < b.x : a.right || !b.right;
        ++(take_above ? above : below);
        return take_above ? a : b;
    }

    void link(const Side& a, const Side& b) { next_[a.ends ? a.id : b.id] = a.ends ? b.id : a.id; }

    const std::vector<Run>& runs_;
    std::vector<std::size_t> next_;
};

}  // namespace

std::vector<Ring> contours(const Region& region) {
    return Tracer(region.runs()).rings();
}

Region filled(const std::vector<Ring>& rings) {
    // In each row, the places where an upright piece is crossed, two by two.
    std::vector<std::pair<std::int32_t, std::int32_t>> crossings;
    for (const auto& ring : rings) {
        for (std::size_t i = 0; i < ring.corners.size(); ++i) {
            const Corner& from = ring.corners[i];
            const Corner& to = ring.corners[(i + 1) % ring.corners.size()];
            if (from.x != to.x) continue;
            for (auto y = std::min(from.y, to.y); y < std::max(from.y, to.y); ++y) crossings.emplace_back(y, from.x);
        }
    }
    std::sort(crossings.begin(), crossings.end());
    std::vector<Run> runs;
    runs.reserve(crossings.size() / 2);
    for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
        runs.push_back({crossings[i].first, crossings[i].second, crossings[i + 1].second});
    return Region::of(std::move(runs));
}

}  // namespace maskscope::mask
