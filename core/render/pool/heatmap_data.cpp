// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/heatmap_data.h"

#include "core/render/pool/cell_passes.h"
#include "core/render/pool/cell_walk.h"
#include "core/render/pool/pixel_pool.h"
#include "core/render/pool/survey.h"
#include "core/render/pool/tile_cache.h"
#include "core/render/pool/widen_specials.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>

namespace maskscope::render {
namespace {

// More split blocks than this (2 M cells) make a frame late.
constexpr std::int64_t kMostSplitBlocks = (std::int64_t{2} << 20) / (kBlock * kBlock);

// The device pixels that a viewport shows, and the tiles that hold them.
struct Frame {
    PixelGrid grid;
    GridRect pixels;
    // Tiles that hold a pixel of the plane.
    std::int64_t tile_x0 = 0;
    std::int64_t tile_x1 = 0;
    std::int64_t tile_y0 = 0;
    std::int64_t tile_y1 = 0;
};

std::int64_t whole(double value) {
    return static_cast<std::int64_t>(std::clamp(value, -9e15, 9e15));
}

Frame frame_of(const Plane& plane, const Viewport& viewport) {
    Frame frame;
    const std::int64_t rows = plane.rows();
    const std::int64_t cols = plane.cols();
    if (viewport.pitch >= 1) {
        const auto clipped = [](double first, double end, std::int64_t cells) {
            const std::int64_t from = std::clamp<std::int64_t>(whole(std::floor(first)), 0, cells);
            return std::pair{from, std::clamp<std::int64_t>(whole(std::ceil(end)), from, cells)};
        };
        const auto [x0, x1] = clipped(viewport.col0, viewport.cell_from_pixel_x(viewport.width), cols);
        const auto [y0, y1] = clipped(viewport.row0, viewport.cell_from_pixel_y(viewport.height), rows);
        frame.pixels = {x0, y0, static_cast<int>(x1 - x0), static_cast<int>(y1 - y0)};
    } else {
        frame.grid.pitch = viewport.pitch;
        frame.pixels = {whole(std::round(viewport.col0 * viewport.pitch)),
                        whole(std::round(viewport.row0 * viewport.pitch)), std::max(viewport.width, 0),
                        std::max(viewport.height, 0)};
    }
    const auto tiles = [&](std::int64_t from, std::int64_t length, std::int64_t cells, std::int64_t size) {
        const std::int64_t count = frame.grid.count(cells);
        const std::int64_t first = std::clamp<std::int64_t>(from, 0, count);
        const std::int64_t end = std::clamp<std::int64_t>(from + length, first, count);
        return first == end ? std::pair{std::int64_t{0}, std::int64_t{0}}
                            : std::pair{first / size, (end - 1) / size + 1};
    };
    std::tie(frame.tile_x0, frame.tile_x1) = tiles(frame.pixels.x, frame.pixels.width, cols, kTileWidth);
    std::tie(frame.tile_y0, frame.tile_y1) = tiles(frame.pixels.y, frame.pixels.height, rows, kTileHeight);
    if (frame.tile_x0 == frame.tile_x1 || frame.tile_y0 == frame.tile_y1) {
        frame.tile_x1 = frame.tile_x0;
        frame.tile_y1 = frame.tile_y0;
    }
    return frame;
}

void size_output(const Frame& frame, Pooled& out) {
    out.width = frame.pixels.width;
    out.height = frame.pixels.height;
    out.is_cells = frame.grid.pitch >= 1;
    out.first_row = out.is_cells ? frame.pixels.y : 0;
    out.first_col = out.is_cells ? frame.pixels.x : 0;
    const auto count = static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height);
    out.value.resize(count);
    out.state.resize(count);
}

// Copies the part of a tile that the frame shows.
void paste(const Tile& tile, std::int64_t tile_x, std::int64_t tile_y, const Frame& frame, Pooled& out) {
    const std::int64_t left = std::max(tile_x * kTileWidth, frame.pixels.x);
    const std::int64_t right = std::min((tile_x + 1) * kTileWidth, frame.pixels.x + frame.pixels.width);
    const std::int64_t top = std::max(tile_y * kTileHeight, frame.pixels.y);
    const std::int64_t bottom = std::min((tile_y + 1) * kTileHeight, frame.pixels.y + frame.pixels.height);
    for (std::int64_t y = top; y < bottom; ++y) {
        const auto from =
            static_cast<std::size_t>((y - tile_y * kTileHeight) * kTileWidth + left - tile_x * kTileWidth);
        const std::int64_t to = (y - frame.pixels.y) * out.width + left - frame.pixels.x;
        std::copy_n(tile.value.data() + from, right - left, out.value.data() + to);
        std::copy_n(tile.state.data() + from, right - left, out.state.data() + to);
    }
}

// Pixels beyond the tiles are outside the plane.
void clear_outside(const Frame& frame, Pooled& out) {
    const auto clipped = [](std::int64_t edge, std::int64_t origin, int size) {
        return std::clamp<std::int64_t>(edge - origin, 0, size);
    };
    const std::int64_t left = clipped(frame.tile_x0 * kTileWidth, frame.pixels.x, out.width);
    const std::int64_t right = clipped(frame.tile_x1 * kTileWidth, frame.pixels.x, out.width);
    const std::int64_t top = clipped(frame.tile_y0 * kTileHeight, frame.pixels.y, out.height);
    const std::int64_t bottom = clipped(frame.tile_y1 * kTileHeight, frame.pixels.y, out.height);
    const auto clear = [&](std::int64_t y, std::int64_t from, std::int64_t to) {
        std::fill_n(out.value.data() + y * out.width + from, to - from, 0.0F);
        std::fill_n(out.state.data() + y * out.width + from, to - from, CellState::outside);
    };
    for (std::int64_t y = 0; y < out.height; ++y) {
        if (y < top || y >= bottom) {
            clear(y, 0, out.width);
        } else {
            clear(y, 0, left);
            clear(y, std::max(left, right), out.width);
        }
    }
}

}  // namespace

struct HeatmapData::Parts {
    struct Prepared {
        Survey survey;
        std::optional<MaskPyramid> coverage;
    };

    Parts(Plane p, std::optional<MaskPlane> m) : plane(std::move(p)), mask(std::move(m)), tiles(kPixelCacheBytes) {}

    const MaskPlane* mask_pointer() const { return mask ? &*mask : nullptr; }
    // Set once, and never freed before the whole.
    const Prepared* prepared() const { return ready.load(std::memory_order_acquire); }
    PoolSource pool_source() const {
        const Prepared* known = prepared();
        return {&plane, mask_pointer(), known != nullptr ? &known->survey.pyramid : nullptr,
                known != nullptr && known->coverage ? &*known->coverage : nullptr};
    }

    Plane plane;
    std::optional<MaskPlane> mask;
    std::mutex preparing;
    std::unique_ptr<const Prepared> built;
    std::atomic<const Prepared*> ready{nullptr};
    mutable TileCache tiles;

    bool changed_on_disk() const {
        return plane.tensor.storage()->changed_on_disk() || (mask && mask->tensor.storage()->changed_on_disk());
    }
    void pool_row_of_tiles(const PoolSource& source, const Frame& frame, PoolRule rule, std::int64_t tile_y,
                           std::vector<std::shared_ptr<const Tile>>& row) const;
    void pool_whole(const PoolSource& source, const Frame& frame, PoolRule rule, PoolQuality quality,
                    Pooled& out) const;
};

namespace {

Error changed_error(const Plane& plane, const MaskPlane* mask) {
    const auto& own = plane.tensor.storage()->file();
    const auto& other = mask != nullptr ? mask->tensor.storage()->file() : own;
    const bool is_own = plane.tensor.storage()->changed_on_disk();
    const auto& file = is_own ? own : other;
    return input_error("{} changed on disk; reload it", file ? file->path() : "The file");
}

}  // namespace

HeatmapData::HeatmapData(Plane plane, std::optional<MaskPlane> mask)
    : parts_(std::make_unique<Parts>(std::move(plane), std::move(mask))) {}
HeatmapData::~HeatmapData() = default;

const Plane& HeatmapData::plane() const {
    return parts_->plane;
}
const MaskPlane* HeatmapData::mask() const {
    return parts_->mask_pointer();
}
bool HeatmapData::prepared() const {
    return parts_->prepared() != nullptr;
}

const PlaneStats& HeatmapData::stats() const {
    static const PlaneStats none{};
    const Parts::Prepared* known = parts_->prepared();
    return known != nullptr ? known->survey.stats : none;
}

const Gutter& HeatmapData::gutter() const {
    static const Gutter none{};
    const Parts::Prepared* known = parts_->prepared();
    return known != nullptr ? known->survey.gutter : none;
}

std::size_t HeatmapData::extra_bytes() const {
    const Parts::Prepared* known = parts_->prepared();
    if (known == nullptr) return 0;
    const Survey& from = known->survey;
    return from.pyramid.bytes() + (known->coverage ? known->coverage->bytes() : 0) + from.row_flags.size() +
           (from.gutter.rows.size() + from.gutter.cols.size()) * sizeof(GutterLane);
}

Result<void> HeatmapData::prepare(const JobContext& context, Lane lane) {
    const std::lock_guard lock(parts_->preparing);
    if (prepared()) return {};
    auto fresh = std::make_unique<Parts::Prepared>();
    if (parts_->mask) {
        MS_TRY(coverage, MaskPyramid::build(*parts_->mask, context, lane));
        fresh->coverage = std::move(coverage);
    }
    MS_TRY(surveyed,
           survey(parts_->plane, parts_->mask_pointer(), fresh->coverage ? &*fresh->coverage : nullptr, context, lane));
    fresh->survey = std::move(surveyed);
    if (parts_->changed_on_disk()) return changed_error(parts_->plane, parts_->mask_pointer());
    parts_->built = std::move(fresh);
    parts_->ready.store(parts_->built.get(), std::memory_order_release);
    return {};
}

// Pools the tiles of one row that are missing, whole runs at a time.
void HeatmapData::Parts::pool_row_of_tiles(const PoolSource& source, const Frame& frame, PoolRule rule,
                                           std::int64_t tile_y, std::vector<std::shared_ptr<const Tile>>& row) const {
    // One pixel more on every side, so that a NaN of a neighbouring tile is seen in this one as well.
    const int halo = frame.grid.pitch < 1 ? 1 : 0;
    std::vector<float> value;
    std::vector<CellState> state;
    for (std::size_t from = 0; from < row.size();) {
        if (row[from] != nullptr) {
            ++from;
            continue;
        }
        std::size_t to = from;
        while (to < row.size() && row[to] == nullptr) ++to;
        const std::int64_t tile_x = frame.tile_x0 + static_cast<std::int64_t>(from);
        const GridRect rect{tile_x * kTileWidth - halo, tile_y * kTileHeight - halo,
                            static_cast<int>(to - from) * kTileWidth + 2 * halo, kTileHeight + 2 * halo};
        const auto count = static_cast<std::size_t>(rect.width) * static_cast<std::size_t>(rect.height);
        value.resize(count);
        state.resize(count);
        pool_pixels(source, frame.grid, rect, rule, PoolQuality::exact, value.data(), state.data(), rect.width);
        if (halo > 0) widen_specials(value.data(), state.data(), rect.width, rect.height, rect.width);
        for (std::size_t i = from; i < to; ++i) {
            auto tile = std::make_shared_for_overwrite<Tile>();
            for (int y = 0; y < kTileHeight; ++y) {
                const std::size_t at = static_cast<std::size_t>(y + halo) * static_cast<std::size_t>(rect.width) +
                                       (i - from) * kTileWidth + static_cast<std::size_t>(halo);
                std::copy_n(value.data() + at, kTileWidth, tile->value.data() + y * kTileWidth);
                std::copy_n(state.data() + at, kTileWidth, tile->state.data() + y * kTileWidth);
            }
            tiles.insert({frame.grid.pitch, rule, frame.tile_x0 + static_cast<std::int64_t>(i), tile_y}, tile);
            row[i] = std::move(tile);
        }
        from = to;
    }
}

// What must not be kept: a sampled or a guessed picture.
void HeatmapData::Parts::pool_whole(const PoolSource& source, const Frame& frame, PoolRule rule, PoolQuality quality,
                                    Pooled& out) const {
    parallel_for(Lane::ui, out.height, kTileHeight, [&](const Chunk& lines) {
        GridRect band = frame.pixels;
        band.y += lines.begin;
        band.height = static_cast<int>(lines.end - lines.begin);
        const std::int64_t at = lines.begin * out.width;
        pool_pixels(source, frame.grid, band, rule, quality, out.value.data() + at, out.state.data() + at, out.width);
    });
    widen_specials(out.value.data(), out.state.data(), out.width, out.height, out.width);
    out.exact = false;
}

Pooled HeatmapData::pool(const Viewport& viewport, PoolRule rule) const {
    Pooled out;
    pool_into(viewport, rule, out);
    return out;
}

void HeatmapData::pool_into(const Viewport& viewport, PoolRule rule, Pooled& out) const {
    const Parts& parts = *parts_;
    const Frame frame = frame_of(parts.plane, viewport);
    size_output(frame, out);
    const PoolSource source = parts.pool_source();
    if (source.pyramid == nullptr && !pools_cells(parts.plane, frame.grid)) {
        parts.pool_whole(source, frame, rule, PoolQuality::sampled, out);
        return;
    }
    const auto tiles_across = static_cast<std::size_t>(frame.tile_x1 - frame.tile_x0);
    std::vector<std::vector<std::shared_ptr<const Tile>>> rows;
    bool missing = false;
    std::int64_t split = 0;
    for (std::int64_t y = frame.tile_y0; y < frame.tile_y1; ++y) {
        auto& row = rows.emplace_back(tiles_across);
        for (std::size_t i = 0; i < tiles_across; ++i) {
            const std::int64_t x = frame.tile_x0 + static_cast<std::int64_t>(i);
            row[i] = parts.tiles.find({frame.grid.pitch, rule, x, y});
            if (row[i] != nullptr) continue;
            missing = true;
            if (split > kMostSplitBlocks) continue;
            split += split_blocks(source, frame.grid, {x * kTileWidth, y * kTileHeight, kTileWidth, kTileHeight},
                                  kMostSplitBlocks + 1);
        }
    }
    if (split > kMostSplitBlocks) {
        parts.pool_whole(source, frame, rule, PoolQuality::quick, out);
        return;
    }
    clear_outside(frame, out);
    const auto finish_row = [&](std::size_t j) {
        const std::int64_t y = frame.tile_y0 + static_cast<std::int64_t>(j);
        parts.pool_row_of_tiles(source, frame, rule, y, rows[j]);
        for (std::size_t i = 0; i < tiles_across; ++i) {
            paste(*rows[j][i], frame.tile_x0 + static_cast<std::int64_t>(i), y, frame, out);
        }
    };
    if (missing) {
        parallel_for(Lane::ui, static_cast<std::int64_t>(rows.size()), 1,
                     [&](const Chunk& chunk) { finish_row(static_cast<std::size_t>(chunk.index)); });
    } else {
        for (std::size_t j = 0; j < rows.size(); ++j) finish_row(j);
    }
    out.exact = true;
}

Result<Pooled> HeatmapData::pool_exact(const Viewport& viewport, PoolRule rule, const JobContext& context) const {
    const Parts& parts = *parts_;
    const Frame frame = frame_of(parts.plane, viewport);
    const PoolSource source = parts.pool_source();
    if (source.pyramid == nullptr && !pools_cells(parts.plane, frame.grid)) {
        return usage_error("The exact picture needs the overview; prepare it first");
    }
    Pooled out;
    size_output(frame, out);
    clear_outside(frame, out);
    const auto tiles_across = static_cast<std::size_t>(frame.tile_x1 - frame.tile_x0);
    context.expect(frame.tile_y1 - frame.tile_y0);
    parallel_for(Lane::background, frame.tile_y1 - frame.tile_y0, 1, [&](const Chunk& chunk) {
        if (context.cancelled()) return;
        const std::int64_t y = frame.tile_y0 + chunk.begin;
        std::vector<std::shared_ptr<const Tile>> row(tiles_across);
        // One tile after the other, so that a cancelled job ends soon.
        for (std::size_t i = 0; i < tiles_across && !context.cancelled(); ++i) {
            const std::int64_t x = frame.tile_x0 + static_cast<std::int64_t>(i);
            Frame one = frame;
            one.tile_x0 = x;
            one.tile_x1 = x + 1;
            std::vector<std::shared_ptr<const Tile>> single = {parts.tiles.find({frame.grid.pitch, rule, x, y})};
            parts.pool_row_of_tiles(source, one, rule, y, single);
            paste(*single.front(), x, y, frame, out);
        }
        context.advance(1);
    });
    if (context.cancelled()) return cancelled_error();
    if (parts.changed_on_disk()) return changed_error(parts.plane, parts.mask_pointer());
    return out;
}

Result<std::vector<double>> HeatmapData::percentiles(const std::vector<double>& fractions,
                                                     const JobContext& context) const {
    MS_TRY(values, exact_percentiles(parts_->plane, parts_->mask_pointer(), fractions, context));
    if (parts_->changed_on_disk()) return changed_error(parts_->plane, parts_->mask_pointer());
    return std::move(values);
}

Result<std::vector<std::int64_t>> HeatmapData::histogram(double lo, double hi, bool log, int bins,
                                                         const JobContext& context) const {
    MS_TRY(counts, exact_histogram(parts_->plane, parts_->mask_pointer(), lo, hi, log, bins, context));
    if (parts_->changed_on_disk()) return changed_error(parts_->plane, parts_->mask_pointer());
    return std::move(counts);
}

std::optional<std::pair<std::int64_t, std::int64_t>> HeatmapData::next_of(CellState state, std::int64_t row,
                                                                          std::int64_t col) const {
    const Parts::Prepared* known = parts_->prepared();
    return next_cell({&parts_->plane, parts_->mask_pointer(), known != nullptr ? &known->survey : nullptr,
                      known != nullptr && known->coverage ? &*known->coverage : nullptr},
                     state, row, col);
}

}  // namespace maskscope::render
