// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/label_pool.h"

#include "core/jobs/parallel.h"
#include "core/render/overlay/label_cells.h"
#include "core/render/overlay/label_edges.h"
#include "core/render/overlay/label_votes.h"
#include "core/render/overlay/view_cells.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <utility>

namespace maskscope::render {
namespace {

constexpr int kSide = mask::kTileSide;
constexpr std::array<int, 5> kUnits = {4, 8, 16, 32, 64};  // sides of blocks

// The index of the blocks for pixels of `cells` cells a side; -1: the cells themselves.
int units_for(double cells) {
    int found = -1;
    for (std::size_t i = 0; i < kUnits.size(); ++i)
        if (cells >= (i == 0 ? 1 : 2) * kUnits[i]) found = static_cast<int>(i);
    return found;
}

// What is known of a tile for as long as its stamp stays.
struct TileKnown {
    bool valid = false;
    bool uniform = false;  // every cell inside the plane shows `label`
    std::int32_t label = 0;
    std::uint64_t stamp = 0;
    std::array<std::unique_ptr<const TileVotes>, kUnits.size()> votes;  // of tiles that are not uniform, once needed
};

// Blocks [first, end) of a pixel along a side: those whose centre lies in it, at least one.
struct BlockSpan {
    std::int64_t first = 0;
    std::int64_t end = 0;
};
std::vector<BlockSpan> block_spans(const SideCells& side, std::int64_t cells, std::int64_t unit) {
    const std::int64_t blocks = (cells + unit - 1) / unit;
    const auto from_edge = [&](std::int64_t edge) {
        if (edge >= cells) return blocks;
        return std::min((std::max<std::int64_t>(edge - unit / 2, 0) + unit - 1) / unit, blocks);
    };
    std::vector<BlockSpan> out(static_cast<std::size_t>(side.count()));
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = {from_edge(side.cell[i]), from_edge(side.cell[i + 1])};
        if (out[i].first < out[i].end) continue;
        out[i].first = std::min(side.cell[i] / unit, blocks - 1);
        out[i].end = out[i].first + 1;
    }
    return out;
}

std::uint8_t share_of(std::int64_t cells, std::int64_t all) {
    return static_cast<std::uint8_t>(std::clamp<std::int64_t>((cells * 255 + all / 2) / all, 1, 255));
}

}  // namespace

struct LabelPool::Private {
    LabelRule rule;
    std::int64_t rows = -1;
    std::int64_t cols = -1;
    DType dtype = DType::u8;
    std::vector<TileKnown> tiles;
    // The part with its margin.
    std::vector<std::int32_t> label;
    std::vector<std::uint8_t> share;
    EdgeFinder edges;

    void adopt(const mask::Plane& plane, const LabelRule& wanted) {
        if (rule == wanted && rows == plane.rows() && cols == plane.cols() && dtype == plane.dtype()) return;
        rule = wanted;
        rows = plane.rows();
        cols = plane.cols();
        dtype = plane.dtype();
        tiles.clear();
        tiles.resize(static_cast<std::size_t>(plane.tile_rows() * plane.tile_cols()));
    }
};

namespace {

// One call of pool(): the part with its margin.
class LabelPooling {
public:
    LabelPooling(const mask::Plane& plane, const LabelRule& rule, std::vector<TileKnown>& tiles)
        : plane_(plane), labels_(plane.dtype(), rule), tiles_(tiles) {}

    void run(const Viewport& viewport, int x0, int y0, int width, int height, std::int32_t* label,
             std::uint8_t* share) {
        width_ = width;
        label_ = label;
        share_ = share;
        const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
        std::fill_n(label, count, 0);
        std::fill_n(share, count, std::uint8_t{0});
        across_ = side_cells(viewport.col0, viewport.pitch, x0, width, plane_.cols());
        down_ = side_cells(viewport.row0, viewport.pitch, y0, height, plane_.rows());
        if (across_.empty() || down_.empty()) return;
        units_ = across_.enlarged ? -1 : units_for(1 / viewport.pitch);
        if (units_ >= 0) {
            tile_shift_ = std::countr_zero(static_cast<unsigned>(kSide / unit()));
            block_cols_ = block_spans(across_, plane_.cols(), unit());
            block_rows_ = block_spans(down_, plane_.rows(), unit());
        }
        learn_tiles();
        if (!across_.enlarged) find_tile_cols();
        const std::int64_t grain = std::max<std::int64_t>(1, 32768 / std::max(1, across_.count()));
        parallel_for(Lane::ui, down_.count(), grain, [this](const Chunk& chunk) {
            if (across_.enlarged) {
                enlarge(chunk);
            } else if (units_ < 0) {
                vote_cells(chunk);
            } else {
                vote_blocks(chunk);
            }
        });
    }

private:
    std::int64_t unit() const { return kUnits[static_cast<std::size_t>(units_)]; }
    const TileKnown& known(std::int64_t tile_row, std::int64_t tile_col) const {
        return tiles_[static_cast<std::size_t>(tile_row * plane_.tile_cols() + tile_col)];
    }
    std::size_t pixel(std::int64_t line, int x) const {
        return static_cast<std::size_t>(down_.from + line) * static_cast<std::size_t>(width_) +
               static_cast<std::size_t>(across_.from + x);
    }

    // The columns of tiles under each pixel.
    struct TileSpan {
        std::int64_t first = 0;
        std::int64_t last = 0;
    };
    void find_tile_cols() {
        tile_cols_.resize(static_cast<std::size_t>(across_.count()));
        for (std::size_t x = 0; x < tile_cols_.size(); ++x) {
            const BlockSpan span = units_ < 0 ? BlockSpan{across_.cell[x], across_.cell[x + 1]} : block_cols_[x];
            const std::int64_t size = kSide / (units_ < 0 ? 1 : unit());
            tile_cols_[x] = {span.first / size, (span.end - 1) / size};
        }
    }

    // --- what is known of the tiles

    void learn_tiles() {
        // Blocks may reach a little beyond the cells that the pixels own.
        const std::int64_t reach = units_ < 0 ? 0 : unit();
        first_tile_col_ = std::max<std::int64_t>(across_.first_cell() - reach, 0) / kSide;
        end_tile_col_ = std::min((across_.end_cell() + reach - 1) / kSide + 1, plane_.tile_cols());
        const std::int64_t top = std::max<std::int64_t>(down_.first_cell() - reach, 0) / kSide;
        const std::int64_t bottom = std::min((down_.end_cell() + reach - 1) / kSide + 1, plane_.tile_rows());
        parallel_for(Lane::ui, bottom - top, 1, [&](const Chunk& chunk) {
            std::vector<std::int32_t> cells;
            for (std::int64_t row = top + chunk.begin; row < top + chunk.end; ++row)
                for (std::int64_t col = first_tile_col_; col < end_tile_col_; ++col) learn_tile(row, col, cells);
        });
    }

    void learn_tile(std::int64_t row, std::int64_t col, std::vector<std::int32_t>& cells) {
        const std::int64_t index = row * plane_.tile_cols() + col;
        TileKnown& tile = tiles_[static_cast<std::size_t>(index)];
        const std::uint64_t stamp = plane_.tile_stamp(index);
        const bool fresh = !tile.valid || tile.stamp != stamp;
        const auto wanted = static_cast<std::size_t>(std::max(units_, 0));
        if (!fresh && (tile.uniform || units_ < 0 || tile.votes[wanted] != nullptr)) return;
        const auto view = plane_.tile(index);
        if (fresh) {
            tile = TileKnown{};
            tile.valid = true;
            tile.stamp = stamp;
            tile.uniform = view.cells == nullptr;
            if (tile.uniform) tile.label = labels_.of(view.uniform);
        }
        if (view.cells == nullptr) return;
        read_tile(view.cells, row, col, cells);
        if (fresh && is_one_label(cells, row, col)) {
            tile.uniform = true;
            tile.label = cells.front();
        }
        if (!tile.uniform && units_ >= 0)
            tile.votes[wanted] =
                std::make_unique<const TileVotes>(count_blocks(cells.data(), static_cast<int>(unit())));
    }

    std::int64_t rows_in(std::int64_t tile_row) const {
        return std::min<std::int64_t>(kSide, plane_.rows() - tile_row * kSide);
    }
    std::int64_t cols_in(std::int64_t tile_col) const {
        return std::min<std::int64_t>(kSide, plane_.cols() - tile_col * kSide);
    }

    // All of a tile, 0 beyond the plane.
    void read_tile(const std::byte* from, std::int64_t row, std::int64_t col, std::vector<std::int32_t>& cells) const {
        cells.resize(mask::kTileCells);
        labels_.convert(from, mask::kTileCells, cells.data());
        for (std::int64_t r = 0; r < kSide; ++r) {
            const std::int64_t inside = r < rows_in(row) ? cols_in(col) : 0;
            std::fill(cells.begin() + r * kSide + inside, cells.begin() + (r + 1) * kSide, 0);
        }
    }

    bool is_one_label(const std::vector<std::int32_t>& cells, std::int64_t row, std::int64_t col) const {
        for (std::int64_t r = 0; r < rows_in(row); ++r) {
            std::int32_t differs = 0;
            for (std::int64_t c = 0; c < cols_in(col); ++c)
                differs |= cells[static_cast<std::size_t>(r * kSide + c)] ^ cells.front();
            if (differs != 0) return false;
        }
        return true;
    }

    // --- lines of cells

    // Cells [col, col + count) of a row.
    void read_row(std::int64_t row, std::int64_t col, std::int64_t count, std::int32_t* out) const {
        const std::int64_t end = col + count;
        while (col < end) {
            const std::int64_t tile_col = col / kSide;
            const std::int64_t part = std::min(end, (tile_col + 1) * kSide) - col;
            const TileKnown& tile = known(row / kSide, tile_col);
            if (tile.uniform) {
                std::fill_n(out, part, tile.label);
            } else {
                const auto view = plane_.tile(row / kSide * plane_.tile_cols() + tile_col);
                const std::int64_t cell = row % kSide * kSide + col % kSide;
                labels_.convert(view.cells + cell * static_cast<std::int64_t>(plane_.cell_bytes()), part, out);
            }
            out += part;
            col += part;
        }
    }

    void enlarge(const Chunk& chunk) const {
        const std::int64_t first = across_.first_cell();
        const std::int64_t count = across_.end_cell() - first;
        std::vector<std::int32_t> cells(static_cast<std::size_t>(count));
        for (std::int64_t i = chunk.begin; i < chunk.end; ++i) {
            const std::int64_t row = down_.cell[static_cast<std::size_t>(i)];
            std::int32_t* label = label_ + pixel(i, 0);
            std::uint8_t* share = share_ + pixel(i, 0);
            if (i > chunk.begin && down_.cell[static_cast<std::size_t>(i) - 1] == row) {
                std::copy_n(label - width_, across_.count(), label);
                std::copy_n(share - width_, across_.count(), share);
                continue;
            }
            read_row(row, first, count, cells.data());
            for (int x = 0; x < across_.count(); ++x) {
                label[x] = cells[static_cast<std::size_t>(across_.cell[static_cast<std::size_t>(x)] - first)];
                share[x] = label[x] != 0 ? 255 : 0;
            }
        }
    }

    // --- votes

    // The label that all tiles of these rows show in a column of tiles; kMixed: there is more than one.
    static constexpr std::int64_t kMixed = std::int64_t{1} << 40U;
    void find_columns(std::int64_t tile_row, std::int64_t end_tile_row, std::vector<std::int64_t>& out) const {
        out.resize(static_cast<std::size_t>(end_tile_col_ - first_tile_col_));
        for (std::int64_t col = first_tile_col_; col < end_tile_col_; ++col) {
            const TileKnown& top = known(tile_row, col);
            std::int64_t label = top.uniform ? top.label : kMixed;
            for (std::int64_t row = tile_row + 1; row < end_tile_row; ++row) {
                const TileKnown& tile = known(row, col);
                if (!tile.uniform || tile.label != label) label = kMixed;
            }
            out[static_cast<std::size_t>(col - first_tile_col_)] = label;
        }
    }
    // Runs mixed(x) for the pixels of a line that tiles of several labels lie under, and fills in the others.
    template <class Body>
    void for_mixed(std::int64_t line, const std::vector<std::int64_t>& columns, Body mixed) const {
        std::int32_t* label = label_ + pixel(line, 0);
        std::uint8_t* share = share_ + pixel(line, 0);
        for (int x = 0; x < across_.count(); ++x) {
            const TileSpan tiles = tile_cols_[static_cast<std::size_t>(x)];
            const std::int64_t all = columns[static_cast<std::size_t>(tiles.first - first_tile_col_)];
            bool same = all != kMixed;
            for (std::int64_t col = tiles.first + 1; col <= tiles.last; ++col)
                same = same && columns[static_cast<std::size_t>(col - first_tile_col_)] == all;
            if (!same) {
                mixed(x);
            } else if (all != 0) {
                label[x] = static_cast<std::int32_t>(all);
                share[x] = 255;
            }
        }
    }
    void put(std::size_t at, const Vote& winner, std::int64_t all) const {
        if (winner.label == 0) return;
        label_[at] = winner.label;
        share_[at] = share_of(winner.cells, all);
    }

    void vote_cells(const Chunk& chunk) const {
        const std::int64_t first = across_.first_cell();
        const std::int64_t count = across_.end_cell() - first;
        std::vector<std::int32_t> cells;
        std::vector<std::int64_t> columns;
        PixelVotes votes;
        for (std::int64_t i = chunk.begin; i < chunk.end; ++i) {
            const std::int64_t top = down_.cell[static_cast<std::size_t>(i)];
            const std::int64_t rows = down_.cell[static_cast<std::size_t>(i) + 1] - top;
            find_columns(top / kSide, (top + rows - 1) / kSide + 1, columns);
            if (std::adjacent_find(columns.begin(), columns.end(), std::not_equal_to<>()) != columns.end() ||
                columns.front() == kMixed) {
                cells.resize(static_cast<std::size_t>(count * rows));
                for (std::int64_t r = 0; r < rows; ++r) read_row(top + r, first, count, cells.data() + r * count);
            }
            for_mixed(i, columns, [&](int x) {
                const std::int64_t left = across_.cell[static_cast<std::size_t>(x)];
                const std::int64_t width = across_.cell[static_cast<std::size_t>(x) + 1] - left;
                votes.clear();
                for (std::int64_t r = 0; r < rows; ++r)
                    for (std::int64_t c = 0; c < width; ++c)
                        votes.add(cells[static_cast<std::size_t>(r * count + left - first + c)], 1);
                put(pixel(i, x), votes.winner(), rows * width);
            });
        }
    }

    void vote_blocks(const Chunk& chunk) const {
        std::vector<std::int64_t> columns;
        PixelVotes votes;
        for (std::int64_t i = chunk.begin; i < chunk.end; ++i) {
            const BlockSpan rows = block_rows_[static_cast<std::size_t>(i)];
            find_columns(rows.first >> tile_shift_, ((rows.end - 1) >> tile_shift_) + 1, columns);
            for_mixed(i, columns, [&](int x) {
                const BlockSpan cols = block_cols_[static_cast<std::size_t>(x)];
                votes.clear();
                for (std::int64_t r = rows.first; r < rows.end; ++r)
                    for (std::int64_t c = cols.first; c < cols.end; ++c) add_block(r, c, votes);
                put(pixel(i, x), votes.winner(),
                    cells_between(rows, plane_.rows()) * cells_between(cols, plane_.cols()));
            });
        }
    }

    std::int64_t cells_between(const BlockSpan& span, std::int64_t cells) const {
        return std::min(span.end * unit(), cells) - span.first * unit();
    }

    void add_block(std::int64_t row, std::int64_t col, PixelVotes& votes) const {
        const TileKnown& tile = known(row >> tile_shift_, col >> tile_shift_);
        if (tile.uniform) {
            if (tile.label == 0) return;
            votes.add(tile.label, static_cast<std::int32_t>(cells_between({row, row + 1}, plane_.rows()) *
                                                            cells_between({col, col + 1}, plane_.cols())));
            return;
        }
        const TileVotes& blocks = *tile.votes[static_cast<std::size_t>(units_)];
        const std::int64_t in_tile = (std::int64_t{1} << tile_shift_) - 1;
        const auto block = static_cast<std::size_t>(((row & in_tile) << tile_shift_) + (col & in_tile));
        for (std::size_t v = blocks.begin[block]; v < blocks.begin[block + 1]; ++v)
            votes.add(blocks.votes[v].label, blocks.votes[v].cells);
    }

    const mask::Plane& plane_;
    CellLabels labels_;
    std::vector<TileKnown>& tiles_;
    SideCells across_;
    SideCells down_;
    std::vector<BlockSpan> block_cols_;
    std::vector<BlockSpan> block_rows_;
    std::vector<TileSpan> tile_cols_;
    int units_ = -1;
    int tile_shift_ = 0;  // blocks along a tile's side, as a power of two
    std::int64_t first_tile_col_ = 0;
    std::int64_t end_tile_col_ = 0;
    int width_ = 0;
    std::int32_t* label_ = nullptr;
    std::uint8_t* share_ = nullptr;
};

// The part without its margin.
template <class T>
void crop(const std::vector<T>& padded, int width, int height, std::vector<T>& out) {
    out.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    const std::ptrdiff_t stride = width + 2 * kEdgeReach;
    for (int y = 0; y < height; ++y)
        std::copy_n(padded.data() + (y + kEdgeReach) * stride + kEdgeReach, width,
                    out.data() + static_cast<std::ptrdiff_t>(y) * width);
}

}  // namespace

LabelPool::LabelPool() : d_(std::make_unique<Private>()) {}
LabelPool::~LabelPool() = default;
LabelPool::LabelPool(LabelPool&&) noexcept = default;
LabelPool& LabelPool::operator=(LabelPool&&) noexcept = default;

void LabelPool::pool(const mask::Plane& plane, const LabelRule& rule, const Viewport& viewport, int x0, int y0,
                     int width, int height, LabelPixels& out) {
    out.width = std::max(width, 0);
    out.height = std::max(height, 0);
    const int padded_width = out.width + 2 * kEdgeReach;
    const int padded_height = out.height + 2 * kEdgeReach;
    const auto count = static_cast<std::size_t>(padded_width) * static_cast<std::size_t>(padded_height);
    d_->adopt(plane, rule);
    d_->label.resize(count);
    d_->share.resize(count);
    LabelPooling(plane, rule, d_->tiles)
        .run(viewport, x0 - kEdgeReach, y0 - kEdgeReach, padded_width, padded_height, d_->label.data(),
             d_->share.data());
    d_->edges.find(d_->label, out.width, out.height, out.edge);
    crop(d_->label, out.width, out.height, out.label);
    crop(d_->share, out.width, out.height, out.share);
}

}  // namespace maskscope::render
