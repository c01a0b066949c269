// SPDX-License-Identifier: Apache-2.0
// A plane made ready to be looked at: its pyramid, its statistics, and pooling for any viewport.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/jobs/parallel.h"
#include "core/render/pool/cell_state.h"
#include "core/render/pool/viewport.h"

#include <memory>
#include <optional>
#include <vector>

namespace maskscope::render {

// One value and one state for each device pixel (or for each visible cell when the pitch is 1 or more).
//
// Below pitch 1 the viewport's origin is first rounded to the device pixel grid that starts at cell (0, 0) (see
// snapped()), so that pans share their pixels. Pixel (i, j) of that grid owns the cells whose index lies in
// [floor(i / pitch), floor((i + 1) / pitch)), a partition of the cells. From 8 cells a side up whole blocks of cells
// are pooled (8 x 8, or larger ones, at most half a pixel wide from 16 cells up): a block belongs to the pixel that its
// first cell falls into.
// State of a pixel: NaN, +inf, -inf (in this order) when one of its cells has it; masked or true zero when more than
// half of its cells are that, or when it has no other cells (the more frequent then, true zero in a tie); otherwise
// value, the largest of the unmasked cells (or the one of largest magnitude). One NaN or infinity is seen as 3 x 3
// pixels below pitch 1, but never takes a pixel of a more severe state or one outside the plane.
struct Pooled {
    int width = 0;
    int height = 0;
    // The grid is the visible cells, clipped to the plane; false: it is the viewport's device pixels.
    bool is_cells = false;
    std::int64_t first_row = 0;  // is_cells: the cell of grid (0, 0)
    std::int64_t first_col = 0;
    std::vector<float> value;      // row-major; 0 unless the state is value. f64 beyond float's range stays finite, and
                                   // what is not zero stays so
    std::vector<CellState> state;  // row-major
    // False while it was sampled or a background pass still owes the exact one.
    bool exact = true;
};

// Which value stands for several cells: the largest, or the one of largest magnitude (diverging maps).
enum class PoolRule : std::uint8_t { largest, magnitude };

// Exact over the cells that are visible under the mask.
struct PlaneStats {
    StateCounts counts{};
    std::int64_t subnormal = 0;  // also counted under `value`
    double min = 0;              // over finite visible cells; 0 when there are none
    double max = 0;
    double smallest_positive = 0;  // for log scales; 0 when there is none
    std::int64_t finite = 0;
};

// The two most severe states (masked excluded) of every row or column, for the gutter.
struct GutterLane {
    CellState first = CellState::value;
    CellState second = CellState::value;
};
struct Gutter {
    std::vector<GutterLane> rows;
    std::vector<GutterLane> cols;
};

// Immutable once prepared; safe to read from any thread.
class HeatmapData {
public:
    HeatmapData(Plane plane, std::optional<MaskPlane> mask);
    ~HeatmapData();

    const Plane& plane() const;
    const MaskPlane* mask() const;

    // Builds the pyramid, the statistics and the gutter in one pass over the cells (two under a mask).
    // Error: cancelled, or "changed on disk, reload".
    Result<void> prepare(const JobContext& context, Lane lane = Lane::background);
    bool prepared() const;
    const PlaneStats& stats() const;  // zeros until prepared
    const Gutter& gutter() const;     // empty until prepared
    // Memory beyond the data: pyramid, mask coverage, gutter. Pooled pixels come on top, at most kPixelCacheBytes.
    std::size_t extra_bytes() const;
    static constexpr std::size_t kPixelCacheBytes = std::size_t{48} << 20;

    // Before prepare() a sampled picture (exact = false) where a pixel has 8 cells a side or more; afterwards exact,
    // but for a mask that splits so many blocks that the frame would be late: then exact = false ("refining") until
    // pool_exact has run for that viewport. Runs on the calling thread and, in the ui lane, the others.
    Pooled pool(const Viewport& viewport, PoolRule rule) const;
    // The same into a Pooled whose memory is used again.
    void pool_into(const Viewport& viewport, PoolRule rule, Pooled& out) const;
    // Always exact, however many cells it takes; for a background job after prepare(). What it pooled is kept, so that
    // pool() answers the same viewport exactly afterwards. Error: cancelled, or "changed on disk, reload".
    Result<Pooled> pool_exact(const Viewport& viewport, PoolRule rule, const JobContext& context) const;

    // Percentiles of the finite visible cells, exact; fractions in [0, 1]. A pass over the data.
    Result<std::vector<double>> percentiles(const std::vector<double>& fractions, const JobContext& context) const;
    // Counts of the finite visible cells in equal steps of the scale axis: bin edges lo..hi, linear or log10.
    Result<std::vector<std::int64_t>> histogram(double lo, double hi, bool log, int bins,
                                                const JobContext& context) const;
    // The next cell of a state after (row, col) in row-major order, wrapping around; nullopt when there is none.
    std::optional<std::pair<std::int64_t, std::int64_t>> next_of(CellState state, std::int64_t row,
                                                                 std::int64_t col) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace maskscope::render
