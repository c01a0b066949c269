// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/survey.h"

#include "core/render/pool/cell_source.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>

namespace maskscope::render {
namespace {

// Columns that are folded at once: the lanes and 8 rows of cells stay in the nearest cache.
constexpr std::int64_t kSegment = 1024;
// Where rows have to be gathered, a taller tile uses whole cache lines of the source.
constexpr std::int64_t kGatherRows = kMostRows;
constexpr std::int64_t kGatherCols = 256;
// A chunk of the background lane: about half a millisecond.
constexpr std::int64_t kChunkBytes = std::int64_t{6} << 20;

// Sums over cells, in keys; merging is exact, so its order does not matter.
struct Tally {
    std::int64_t nan = 0;
    std::int64_t posinf = 0;
    std::int64_t neginf = 0;
    std::int64_t masked = 0;
    std::int64_t zero = 0;
    std::int64_t tiny = 0;
    std::int64_t max;
    std::int64_t min;
    std::int64_t positive;

    explicit Tally(const KeyFormat& format) : max(format.lowest), min(format.highest), positive(format.highest) {}
    void merge(const Tally& other) {
        nan += other.nan;
        posinf += other.posinf;
        neginf += other.neginf;
        masked += other.masked;
        zero += other.zero;
        tiny += other.tiny;
        max = std::max(max, other.max);
        min = std::min(min, other.min);
        positive = std::min(positive, other.positive);
    }
};

template <class T>
class LaneArrays {
public:
    LaneArrays() {
        for (auto& array : arrays_) array.resize(static_cast<std::size_t>(kSegment + kLanePad));
    }
    Lanes lanes() {
        return {arrays_[0].data(), arrays_[1].data(), arrays_[2].data(),
                arrays_[3].data(), arrays_[4].data(), arrays_[5].data()};
    }

private:
    std::array<std::vector<T>, 6> arrays_;
};

std::int64_t sum_of(const std::uint8_t* counts, std::int64_t count) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += counts[i];
    return sum;
}

template <class T>
void take_ends(const void* max, const void* min, std::int64_t count, Tally& tally) {
    const T* high = static_cast<const T*>(max);
    const T* low = static_cast<const T*>(min);
    for (std::int64_t i = 0; i < count; ++i) {
        tally.max = std::max<std::int64_t>(tally.max, high[i]);
        tally.min = std::min<std::int64_t>(tally.min, low[i]);
    }
}

struct Job {
    const Plane& plane;
    KeyFormat format;
    CellSource cells;
    std::optional<HiddenSource> hidden;
    const MaskPyramid* coverage;
    Pyramid& pyramid;
    std::uint8_t* row_flags;
};

// Strips of 8 rows of one chunk, for one key type.
template <class T>
class ChunkPass {
public:
    explicit ChunkPass(Job& job)
        : job_(job), tally_(job.format), column_flags_(static_cast<std::size_t>(job.plane.cols())) {
        for (auto* blocks : {&block_max_, &block_min_}) blocks->resize(static_cast<std::size_t>(kSegment / kBlock));
        for (auto* counts : {&block_zero_, &block_masked_}) counts->resize(static_cast<std::size_t>(kSegment / kBlock));
    }

    void run(const Chunk& strips, const JobContext& context) {
        const std::int64_t rows = job_.plane.rows();
        const std::int64_t cols = job_.plane.cols();
        const std::int64_t tile_rows = job_.cells.direct() ? kBlock : kGatherRows;
        const std::int64_t tile_cols = job_.cells.direct() ? kSegment : kGatherCols;
        const std::int64_t end = std::min(rows, strips.end * kBlock);
        for (std::int64_t row = strips.begin * kBlock; row < end; row += tile_rows) {
            if (context.cancelled()) return;
            for (std::int64_t col = 0; col < cols; col += tile_cols) {
                const CellRect tile{row, col, std::min(tile_rows, end - row), std::min(tile_cols, cols - col)};
                const CellRows cells = job_.cells.fetch(tile, gathered_);
                for (std::int64_t r = 0; r < tile.rows; r += kBlock) {
                    CellRows strip = cells;
                    strip.first += r * cells.row_stride;
                    strip.rows = static_cast<int>(std::min(kBlock, tile.rows - r));
                    take({row + r, col, strip.rows, tile.cols}, strip);
                }
            }
        }
    }

    const Tally& tally() const { return tally_; }
    const std::vector<std::uint8_t>& column_flags() const { return column_flags_; }

private:
    bool anything_hidden(const CellRect& rect) const {
        if (job_.coverage == nullptr) return false;
        const std::int64_t last = (rect.col + rect.cols - 1) / kBlock;
        for (std::int64_t b = rect.col / kBlock; b <= last; ++b) {
            if (job_.coverage->coverage(0, rect.row / kBlock, b) != Coverage::visible) return true;
        }
        return false;
    }

    void take(const CellRect& rect, CellRows cells) {
        const BlockRow blocks = job_.pyramid.block_row(rect.row / kBlock, rect.col / kBlock);
        if (!anything_hidden(rect)) {
            fold_and_count(rect, cells, blocks);
            return;
        }
        job_.hidden->fetch(rect, hidden_bytes_, cells);
        fold_and_count(rect, cells, {block_max_.data(), block_min_.data(), block_zero_.data(), block_masked_.data()});
        cells.hidden = nullptr;
        fold_columns(job_.format, cells, arrays_.lanes(), false);
        fold_blocks(job_.format, arrays_.lanes(), rect.cols, blocks);
    }

    void fold_and_count(const CellRect& rect, const CellRows& cells, const BlockRow& blocks) {
        const Lanes lanes = arrays_.lanes();
        const Found found = fold_columns(job_.format, cells, lanes, true);
        const LaneTotals totals = total_lanes(job_.format, lanes, rect.cols);
        // Above the zeros; a key that wrapped around was none of a positive number.
        const std::int64_t first = job_.format.zero.lo + static_cast<std::int64_t>(job_.format.zero.span) + 1;
        const std::uint64_t largest =
            static_cast<std::uint64_t>(job_.format.is_float ? job_.format.special_from - 1 : job_.format.highest) -
            static_cast<std::uint64_t>(first);
        if (totals.positive <= largest) {
            // Unsigned, for the lowest key of 64 bits may be the start.
            const std::uint64_t key = static_cast<std::uint64_t>(first) + totals.positive;
            tally_.positive = std::min(tally_.positive, static_cast<std::int64_t>(key));
        }
        tally_.tiny += totals.tiny;

        std::uint8_t* column_flags = column_flags_.data() + rect.col;
        std::uint8_t* row_flags = job_.row_flags + rect.row;
        const bool new_zero_rows = found.zero && !std::all_of(row_flags, row_flags + rect.rows, [](std::uint8_t flags) {
                                       return (flags & kFlagZero) != 0;
                                   });
        if (found.special || new_zero_rows) {
            const Details details = fold_details(job_.format, cells, column_flags);
            for (std::int64_t r = 0; r < rect.rows; ++r) {
                row_flags[r] = static_cast<std::uint8_t>(row_flags[r] | details.row_flags[r]);
            }
            tally_.nan += details.nan;
            tally_.posinf += details.posinf;
            tally_.neginf += details.neginf;
            tally_.max = std::max(tally_.max, details.max);
            tally_.min = std::min(tally_.min, details.min);
        } else if (found.zero) {
            flag_zero_columns(job_.format, lanes, rect.cols, kFlagZero, column_flags);
        }
        const std::int64_t count = (rect.cols + kBlock - 1) / kBlock;
        BlockRow out = blocks;
        const bool any_masked = job_.format.masked || cells.hidden != nullptr;
        if (!any_masked) out.masked = nullptr;
        fold_blocks(job_.format, lanes, rect.cols, out);
        tally_.zero += sum_of(out.zero, count);
        if (any_masked) tally_.masked += sum_of(out.masked, count);
        if (!found.special) take_ends<T>(out.max, out.min, count, tally_);
    }

    Job& job_;
    Tally tally_;
    std::vector<std::uint8_t> column_flags_;
    std::vector<std::byte> gathered_;
    std::vector<std::uint8_t> hidden_bytes_;
    LaneArrays<T> arrays_;
    std::vector<T> block_max_;
    std::vector<T> block_min_;
    std::vector<std::uint8_t> block_zero_;
    std::vector<std::uint8_t> block_masked_;
};

PlaneStats stats_from(const Tally& tally, const KeyFormat& format, std::int64_t cells) {
    PlaneStats stats;
    const auto set = [&](CellState state, std::int64_t count) {
        stats.counts[static_cast<std::size_t>(state)] = count;
    };
    stats.finite = cells - tally.nan - tally.posinf - tally.neginf - tally.masked;
    set(CellState::nan, tally.nan);
    set(CellState::posinf, tally.posinf);
    set(CellState::neginf, tally.neginf);
    set(CellState::masked, tally.masked);
    set(CellState::true_zero, tally.zero);
    set(CellState::value, stats.finite - tally.zero);
    if (format.is_float) stats.subnormal = tally.tiny - tally.zero;
    if (stats.finite > 0) {
        stats.min = double_from_key(format, tally.min);
        stats.max = double_from_key(format, tally.max);
        if (stats.max > 0) stats.smallest_positive = double_from_key(format, tally.positive);
    }
    return stats;
}

GutterLane lane_from(std::uint8_t flags) {
    constexpr std::array<std::pair<std::uint8_t, CellState>, 4> kBySeverity = {{{kFlagNan, CellState::nan},
                                                                                {kFlagPosinf, CellState::posinf},
                                                                                {kFlagNeginf, CellState::neginf},
                                                                                {kFlagZero, CellState::true_zero}}};
    GutterLane lane;
    bool first = true;
    for (const auto& [flag, state] : kBySeverity) {
        if ((flags & flag) == 0) continue;
        if (!first) {
            lane.second = state;
            break;
        }
        lane.first = state;
        first = false;
    }
    return lane;
}

std::vector<GutterLane> lanes_from(const std::vector<std::uint8_t>& flags) {
    std::vector<GutterLane> lanes(flags.size());
    std::transform(flags.begin(), flags.end(), lanes.begin(), lane_from);
    return lanes;
}

template <class T>
Result<void> pass(Job& job, const JobContext& context, Lane lane, Tally& tally, std::vector<std::uint8_t>& columns) {
    const std::int64_t rows = job.plane.rows();
    const std::int64_t cols = job.plane.cols();
    const std::int64_t strips = (rows + kBlock - 1) / kBlock;
    const std::int64_t strip_bytes = kBlock * cols * job.format.width;
    std::int64_t grain = std::max<std::int64_t>(1, kChunkBytes / std::max<std::int64_t>(strip_bytes, 1));
    if (!job.cells.direct()) grain = std::max(grain / (kGatherRows / kBlock), std::int64_t{1}) * (kGatherRows / kBlock);
    std::mutex merging;
    parallel_for(lane, strips, grain, [&](const Chunk& chunk) {
        if (context.cancelled()) return;
        ChunkPass<T> chunk_pass(job);
        chunk_pass.run(chunk, context);
        const std::lock_guard lock(merging);
        tally.merge(chunk_pass.tally());
        for (std::size_t c = 0; c < columns.size(); ++c) {
            columns[c] = static_cast<std::uint8_t>(columns[c] | chunk_pass.column_flags()[c]);
        }
        context.advance((std::min(rows, chunk.end * kBlock) - chunk.begin * kBlock) * cols);
    });
    if (context.cancelled()) return cancelled_error();
    return {};
}

}  // namespace

Result<Survey> survey(const Plane& plane, const MaskPlane* mask, const MaskPyramid* coverage, const JobContext& context,
                      Lane lane) {
    const KeyFormat format = key_format(plane.tensor.dtype(), plane.masked_value);
    MS_TRY(pyramid, Pyramid::allocate(format, plane.rows(), plane.cols()));
    Survey out;
    out.pyramid = std::move(pyramid);
    out.row_flags.resize(static_cast<std::size_t>(plane.rows()));
    std::vector<std::uint8_t> column_flags(static_cast<std::size_t>(plane.cols()));
    Tally tally(format);
    const std::int64_t cells = plane.rows() * plane.cols();
    context.expect(cells);
    if (cells > 0) {
        Job job{plane, format, CellSource(plane.tensor), std::nullopt, coverage, out.pyramid, out.row_flags.data()};
        if (mask != nullptr) job.hidden.emplace(*mask);
        const auto run = [&]<class T>(T) { return pass<T>(job, context, lane, tally, column_flags); };
        switch (format.width) {
            case 1:
                MS_CHECK(run(std::int8_t{}));
                break;
            case 2:
                MS_CHECK(run(std::int16_t{}));
                break;
            case 4:
                MS_CHECK(run(std::int32_t{}));
                break;
            default:
                MS_CHECK(run(std::int64_t{}));
                break;
        }
        MS_CHECK(out.pyramid.build_upper(context, lane));
    }
    out.stats = stats_from(tally, format, cells);
    out.gutter = {lanes_from(out.row_flags), lanes_from(column_flags)};
    return out;
}

}  // namespace maskscope::render
