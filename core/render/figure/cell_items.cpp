// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/cell_items.h"

#include "core/render/figure/cell_glyphs.h"
#include "core/render/figure/cell_raster.h"
#include "core/render/figure/mask_outline.h"
#include "core/render/figure/number_text.h"
#include "core/render/figure/text_metrics.h"

#include <array>
#include <cmath>

namespace maskscope::render {
namespace {

constexpr double kNumbersFrom = 32;

template <class Visit>
void for_each_cell(const Pooled& cells, const Visit& visit) {
    std::size_t i = 0;
    for (int row = 0; row < cells.height; ++row) {
        for (int col = 0; col < cells.width; ++col, ++i) visit(i, cells.first_row + row, cells.first_col + col);
    }
}

}  // namespace

void add_cell_numbers(const HeatmapData& data, const Pooled& cells, const CellGrid& grid, const Box& area,
                      const FigureSpec& spec, std::vector<DisplayItem>& out) {
    const double s = grid.s();
    if (s < kNumbersFrom) return;
    // Black and white are the ends of the grey map.
    const auto& grey = lut(MapId::grey, spec.look.theme);
    const double size = s >= 48 ? 12 : 10;
    const int letters = static_cast<int>((s - 6) / text_width("0", Face::mono, size));
    out.emplace_back(ClipItem{area, true});
    for_each_cell(cells, [&](std::size_t i, std::int64_t row, std::int64_t col) {
        const CellState state = cells.state[i];
        if (state != CellState::value && state != CellState::subnormal && state != CellState::underflow) return;
        const std::array<std::int64_t, 2> index = {row, col};
        const double value = to_double(data.plane().tensor.at(index));
        if (state == CellState::underflow && value == 0) return;
        const Rgb fill = cell_fill(state, cells.value[i], s, data.plane(), spec.look);
        const Rgb ink = contrast(grey.front(), fill) >= contrast(grey.back(), fill) ? grey.front() : grey.back();
        const Box box = grid.cell_box(area, row, col);
        const double place = state == CellState::underflow ? 0.35 : 0.5;
        out.emplace_back(TextItem{{box.x + s / 2, std::round(box.y + place * s + cap_height(Face::mono, size) / 2)},
                                  cell_text(value, letters),
                                  Face::mono,
                                  size,
                                  ink,
                                  Align::centre,
                                  false});
    });
    out.emplace_back(ClipItem{{}, false});
}

void add_cell_items(const HeatmapData& data, const Pooled& cells, const CellGrid& grid, const Box& area,
                    const FigureSpec& spec, std::vector<DisplayItem>& out) {
    const Theme& theme = Theme::get(spec.look.theme);
    const double s = grid.s();
    const double smallest = smallest_normal(data.plane().tensor.dtype());
    out.emplace_back(ClipItem{area, true});
    for_each_cell(cells, [&](std::size_t i, std::int64_t row, std::int64_t col) {
        CellState state = cells.state[i];
        if (state == CellState::outside) return;
        const Box box = grid.cell_box(area, row, col);
        out.emplace_back(RectItem{box, cell_fill(state, cells.value[i], s, data.plane(), spec.look), 0, 1, 0});
        const float magnitude = std::abs(cells.value[i]);
        if (state == CellState::value && magnitude > 0 && magnitude < smallest) state = CellState::subnormal;
        if (state == CellState::value || (state == CellState::masked && spec.look.mask_style != MaskStyle::hatch))
            return;
        if (state == CellState::true_zero && s >= 8) {
            out.emplace_back(RectItem{inset(box, 0.5), 0, theme[Token::st_zero_line], 1, 0});
        }
        if (glyph_detail(s) == GlyphDetail::flat) return;
        Rgb ink = ink_of(state, theme);
        if (state == CellState::masked) {
            const Rgb fill = cell_fill(state, cells.value[i], s, data.plane(), spec.look);
            ink = blend(fill, ink, std::clamp(spec.look.mask_opacity, 0.0, 1.0));
        }
        out.emplace_back(GlyphItem{box, state, ink, hatch_spacing(s)});
    });
    if (spec.mask_outline && grid.pitch >= 3 * grid.line) {
        trace_mask_outline(data, cells, grid, [&](const PixelRect& edge) {
            out.emplace_back(RectItem{{area.x + edge.x / grid.ratio, area.y + edge.y / grid.ratio,
                                       edge.width / grid.ratio, edge.height / grid.ratio},
                                      theme[Token::text_2],
                                      0,
                                      1,
                                      0});
        });
    }
    out.emplace_back(ClipItem{{}, false});
}

}  // namespace maskscope::render
