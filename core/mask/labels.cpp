// SPDX-License-Identifier: Apache-2.0
#include "core/mask/labels.h"

#include "core/mask/tile_bits.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace maskscope::mask {
namespace {

Cell cell_at(const std::byte* cells, std::size_t index, std::size_t cell_bytes) {
    Cell out;
    std::memcpy(&out.bits, cells + index * cell_bytes, cell_bytes);
    return out;
}

bool has_labels(DType dtype) {
    return dtype == DType::boolean || is_integer(dtype);
}

Error no_labels_error(DType dtype) {
    return usage_error(MS_TEXT("a mask of {} holds soft values, not labels"), name_of(dtype))
        .with_hint(MS_TEXT("Threshold it first"));
}

PaintRule anywhere(Cell value) {
    PaintRule rule;
    rule.value = value;
    return rule;
}

// Which of the labels first .. first + span - 1 some cell holds.
std::vector<bool> labels_in_use(const Plane& plane, std::uint64_t first, std::uint64_t span) {
    std::vector<bool> used(span);
    const auto bytes = plane.cell_bytes();
    const auto mark = [&](Cell cell) {
        // A negative number is far beyond every label as an unsigned one of the same width.
        const auto place = cell.bits - first;
        if (place < span) used[place] = true;
    };
    const TileGrid grid{plane.rows(), plane.cols()};
    for (std::int64_t index = 0; index < grid.tiles(); ++index) {
        const auto tile = plane.tile(index);
        if (tile.cells == nullptr) {
            mark(tile.uniform);
            continue;
        }
        Cell last;
        for (std::size_t i = 0; i < kTileCells; ++i) {
            const Cell cell = cell_at(tile.cells, i, bytes);
            if (cell != last) mark(cell);
            last = cell;
        }
    }
    return used;
}

class Splitter {
public:
    explicit Splitter(const Plane& plane) : plane_(plane) {}

    void add_rows(std::int64_t first, std::int64_t rows) {
        const auto stride = static_cast<std::size_t>(plane_.cols()) * plane_.cell_bytes();
        cells_.resize(static_cast<std::size_t>(rows) * stride);
        plane_.copy_rect({first, 0, rows, plane_.cols()}, cells_.data(), stride);
        for (std::int64_t row = 0; row < rows; ++row)
            add_row(first + row, cells_.data() + static_cast<std::size_t>(row) * stride);
    }

    std::vector<LabelRegion> take() {
        const auto dtype = plane_.dtype();
        std::sort(labels_.begin(), labels_.end(), [&](const Label& a, const Label& b) {
            const double x = value_of(a.cell, dtype);
            const double y = value_of(b.cell, dtype);
            return x != y ? x < y : a.cell.bits < b.cell.bits;
        });
        std::vector<LabelRegion> out;
        out.reserve(labels_.size());
        for (auto& label : labels_) out.push_back({label.cell, Region::of_sorted(std::move(label.runs))});
        return out;
    }

private:
    struct Label {
        Cell cell;
        std::vector<Run> runs;
    };

    void add_row(std::int64_t row, const std::byte* cells) {
        const auto bytes = plane_.cell_bytes();
        const auto cols = static_cast<std::size_t>(plane_.cols());
        for (std::size_t begin = 0; begin < cols;) {
            const Cell cell = cell_at(cells, begin, bytes);
            std::size_t end = begin + 1;
            while (end < cols && cell_at(cells, end, bytes) == cell) ++end;
            if (cell.bits != 0)
                runs_of(cell).push_back(
                    {static_cast<std::int32_t>(row), static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end)});
            begin = end;
        }
    }

    std::vector<Run>& runs_of(Cell cell) {
        if (last_ >= labels_.size() || labels_[last_].cell != cell) {
            const auto [place, fresh] = places_.try_emplace(cell.bits, labels_.size());
            if (fresh) labels_.push_back({cell, {}});
            last_ = place->second;
        }
        return labels_[last_].runs;
    }

    const Plane& plane_;
    std::vector<std::byte> cells_;
    std::vector<Label> labels_;
    std::unordered_map<std::uint64_t, std::size_t> places_;
    std::size_t last_ = 0;
};

}  // namespace

void relabel(MaskEdit& edit, Cell from, Cell to) {
    if (from == to) return;
    edit.paint(edit.plane().where(from), anywhere(to));
}

void merge_labels(MaskEdit& edit, const std::vector<Cell>& labels, Cell into) {
    std::vector<std::uint64_t> wanted;
    wanted.reserve(labels.size());
    for (const Cell label : labels) wanted.push_back(label.bits);
    std::sort(wanted.begin(), wanted.end());
    const auto& plane = edit.plane();
    const auto is_wanted = [&](Cell cell) { return std::binary_search(wanted.begin(), wanted.end(), cell.bits); };
    const auto region = region_of_tiles({plane.rows(), plane.cols()}, [&](std::int64_t index, TileBits& bits) {
        const auto tile = plane.tile(index);
        if (tile.cells == nullptr) return is_wanted(tile.uniform) ? Coverage::all : Coverage::none;
        bits.fill(0);
        Cell last = cell_at(tile.cells, 0, plane.cell_bytes());
        bool belongs = is_wanted(last);
        for (std::size_t i = 0; i < kTileCells; ++i) {
            const Cell cell = cell_at(tile.cells, i, plane.cell_bytes());
            if (cell != last) belongs = is_wanted(cell);
            last = cell;
            bits[i / kTileSide] |= std::uint64_t{belongs} << (i % kTileSide);
        }
        return Coverage::some;
    });
    edit.paint(region, anywhere(into));
}

void invert(MaskEdit& edit, Cell one) {
    const auto& plane = edit.plane();
    const auto held = plane.where_not_zero();
    const auto empty = plane.where({});
    edit.paint(held, anywhere({}));
    edit.paint(empty, anywhere(one));
}

Result<Cell> free_label(const Plane& plane) {
    const auto dtype = plane.dtype();
    if (!has_labels(dtype)) return no_labels_error(dtype);
    const auto most = dtype == DType::boolean ? 1.0 : largest_finite(dtype);
    const auto last =
        most >= 9.2e18 ? std::numeric_limits<std::uint64_t>::max() >> 1 : static_cast<std::uint64_t>(most);
    // Label maps use their first few thousand labels; a window at a time bounds the memory for those that do not.
    constexpr std::uint64_t kWindow = 1U << 16;
    for (std::uint64_t first = 1; first <= last; first += kWindow) {
        const auto span = std::min(kWindow, last - first + 1);
        const auto used = labels_in_use(plane, first, span);
        const auto found = std::find(used.begin(), used.end(), false);
        if (found != used.end()) return Cell{first + static_cast<std::uint64_t>(found - used.begin())};
    }
    return input_error(MS_TEXT("every label that {} can hold is in use"), name_of(dtype))
        .with_hint(MS_TEXT("Convert the mask to a wider dtype, or merge labels"));
}

Result<std::vector<LabelRegion>> split_labels(const Plane& plane, const JobContext& context) {
    if (!has_labels(plane.dtype())) return no_labels_error(plane.dtype());
    Splitter splitter(plane);
    for (std::int64_t row = 0; row < plane.rows() && plane.cols() > 0; row += kTileSide) {
        if (context.cancelled()) return cancelled_error();
        splitter.add_rows(row, std::min<std::int64_t>(kTileSide, plane.rows() - row));
    }
    return splitter.take();
}

}  // namespace maskscope::mask
