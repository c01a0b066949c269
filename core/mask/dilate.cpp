// SPDX-License-Identifier: Apache-2.0
#include "core/mask/dilate.h"

#include "core/jobs/parallel.h"
#include "core/mask/run_rows.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace maskscope::mask {
namespace {

struct Job {
    const RunRows& source;
    Rect bounds;  // of the source
    Rect plane;
    std::span<const int> half_widths;

    std::int64_t radius() const { return static_cast<std::int64_t>(half_widths.size()) - 1; }
    // Rows that can hold something afterwards.
    std::int64_t top() const { return std::max(bounds.row - radius(), plane.row); }
    std::int64_t bottom() const { return std::min(bounds.bottom() + radius(), plane.bottom()); }
};

void push(std::vector<Run>& out, std::int64_t row, std::int64_t begin, std::int64_t end, const Rect& plane) {
    begin = std::max(begin, plane.col);
    end = std::min(end, plane.right());
    if (begin < end)
        out.push_back(
            {static_cast<std::int32_t>(row), static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end)});
}

// From each source row within reach its runs, grown to both sides, united. For outlines and small elements.
void grow_by_runs(const Job& job, std::int64_t first, std::int64_t last, std::vector<Run>& out,
                  const JobContext& context) {
    struct Span {
        std::int64_t begin;
        std::int64_t end;
    };
    std::vector<Span> spans;
    for (auto row = first; row < last && !context.cancelled(); ++row) {
        spans.clear();
        for (auto from = row - job.radius(); from <= row + job.radius(); ++from) {
            const std::int64_t reach = job.half_widths[static_cast<std::size_t>(std::abs(from - row))];
            for (const auto& run : job.source.row(from)) {
                // Runs of one row that now meet are one already: less to sort.
                if (!spans.empty() && spans.back().begin <= run.begin - reach && spans.back().end >= run.begin - reach)
                    spans.back().end = std::max(spans.back().end, run.end + reach);
                else
                    spans.push_back({run.begin - reach, run.end + reach});
            }
        }
        if (spans.empty()) continue;
        std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
        Span open = spans.front();
        for (const auto& span : spans) {
            if (span.begin > open.end) {
                push(out, row, open.begin, open.end, job.plane);
                open = span;
            }
            open.end = std::max(open.end, span.end);
        }
        push(out, row, open.begin, open.end, job.plane);
    }
}

// A band of rows cell by cell, in a time that knows no radius: how far the nearest source cell of a cell's own column
// is, then each such column reaches to both sides as far as the element is wide there.
class CellBand {
public:
    CellBand(const Job& job, std::int64_t first, std::int64_t last)
        : job_(job),
          first_(first),
          last_(last),
          width_(static_cast<std::size_t>(job.bounds.cols)),
          far_(static_cast<std::uint16_t>(job.radius() + 1)),
          distances_(width_ * static_cast<std::size_t>(last - first), far_) {}

    void grow(std::vector<Run>& out, const JobContext& context) {
        std::vector<std::uint16_t> line(width_, far_);
        for (auto row = first_ - job_.radius(); row < last_ && !context.cancelled(); ++row) pass(line, row);
        line.assign(width_, far_);
        for (auto row = last_ - 1 + job_.radius(); row >= first_ && !context.cancelled(); --row) pass(line, row);
        std::vector<std::int32_t> changes(width_ + 2 * static_cast<std::size_t>(job_.radius()) + 1);
        for (auto row = first_; row < last_ && !context.cancelled(); ++row) write_row(row, changes, out);
    }

private:
    std::uint16_t* distances(std::int64_t row) {
        return distances_.data() + width_ * static_cast<std::size_t>(row - first_);
    }

    void pass(std::vector<std::uint16_t>& line, std::int64_t row) {
        for (auto& distance : line) distance = std::min<std::uint16_t>(static_cast<std::uint16_t>(distance + 1), far_);
        for (const auto& run : job_.source.row(row))
            std::fill(line.begin() + (run.begin - job_.bounds.col), line.begin() + (run.end - job_.bounds.col),
                      std::uint16_t{0});
        if (row < first_ || row >= last_) return;
        auto* out = distances(row);
        for (std::size_t col = 0; col < width_; ++col) out[col] = std::min(out[col], line[col]);
    }

    void write_row(std::int64_t row, std::vector<std::int32_t>& changes, std::vector<Run>& out) {
        const auto radius = static_cast<std::size_t>(job_.radius());
        const auto* distance = distances(row);
        std::fill(changes.begin(), changes.end(), 0);
        for (std::size_t col = 0; col < width_; ++col) {
            if (distance[col] == far_) continue;
            const auto reach = static_cast<std::size_t>(job_.half_widths[distance[col]]);
            ++changes[col + radius - reach];
            --changes[col + radius + reach + 1];
        }
        const auto left = job_.bounds.col - job_.radius();
        std::int32_t covering = 0;
        std::int64_t begin = 0;
        for (std::size_t i = 0; i < changes.size(); ++i) {
            if (changes[i] == 0) continue;
            const bool was = covering > 0;
            covering += changes[i];
            const auto col = left + static_cast<std::int64_t>(i);
            if (!was && covering > 0) begin = col;
            if (was && covering == 0) push(out, row, begin, col, job_.plane);
        }
    }

    const Job& job_;
    std::int64_t first_;
    std::int64_t last_;
    std::size_t width_;
    std::uint16_t far_;
    std::vector<std::uint16_t> distances_;
};

}  // namespace

Region dilated(const Region& region, const Rect& plane, std::span<const int> half_widths, const JobContext& context) {
    if (region.empty()) return {};
    const RunRows source(region);
    const Job job{source, region.bounds(), plane, half_widths};
    const auto rows = job.bottom() - job.top();
    // Sorting a run costs about what a few tens of cells cost.
    constexpr std::int64_t kCellsOfARun = 16;
    const auto run_work = static_cast<std::int64_t>(region.runs().size()) * (2 * job.radius() + 1) * kCellsOfARun;
    const bool by_runs = run_work / rows <= job.bounds.cols + 2 * job.radius();
    // A band reads its neighbours' rows too, so it is higher than the element.
    const auto grain = by_runs ? std::int64_t{64} : std::max<std::int64_t>(128, 2 * job.radius());
    std::vector<std::vector<Run>> parts(static_cast<std::size_t>(chunk_count(rows, grain)));
    parallel_for(Lane::ui, rows, grain, [&](const Chunk& chunk) {
        auto& part = parts[static_cast<std::size_t>(chunk.index)];
        if (by_runs)
            grow_by_runs(job, job.top() + chunk.begin, job.top() + chunk.end, part, context);
        else
            CellBand(job, job.top() + chunk.begin, job.top() + chunk.end).grow(part, context);
    });
    std::vector<Run> runs;
    for (auto& part : parts) runs.insert(runs.end(), part.begin(), part.end());
    return Region::of_sorted(std::move(runs));
}

}  // namespace maskscope::mask
