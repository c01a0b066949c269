// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/cell_glyphs.h"

#include "core/render/pool/colour.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace maskscope::render {
namespace {

using Items = std::vector<DisplayItem>;

// 45 degree lines x + y = n * spacing, cut to the cell: they run on from one cell into the next.
void add_hatch(const Box& cell, double spacing, Rgb ink, Items& items) {
    const double first = cell.x + cell.y;
    const double last = cell.right() + cell.bottom();
    for (double n = std::ceil(first / spacing); n * spacing < last; ++n) {
        const double sum = n * spacing;
        const double x0 = std::max(cell.x, sum - cell.bottom());
        const double x1 = std::min(cell.right(), sum - cell.y);
        if (x1 > x0) items.push_back(LineItem{{x0, sum - x0}, {x1, sum - x1}, ink, 1, false});
    }
}

void add_ring(const Point& centre, double s, Rgb ink, Items& items) {
    const double radius = std::max(1.0, 0.2 * s);
    const int corners = std::clamp(static_cast<int>(radius * 6), 12, 48);
    PolylineItem ring;
    ring.closed = true;
    ring.stroke = ink;
    ring.width = s < 20 ? 1.2 : 1.5;
    for (int i = 0; i < corners; ++i) {
        const double angle = 2 * std::numbers::pi * i / corners;
        ring.points.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
    }
    items.push_back(std::move(ring));
}

void add_polygon(std::vector<Point> points, Rgb ink, Items& items) {
    items.push_back(PolylineItem{std::move(points), true, 0, ink, 1});
}

}  // namespace

GlyphDetail glyph_detail(double s) {
    if (s < 4) return GlyphDetail::flat;
    return s < 6 ? GlyphDetail::small : GlyphDetail::full;
}

Rgb fill_of(CellState state, GlyphDetail detail, const Theme& theme) {
    if (state == CellState::masked && detail != GlyphDetail::flat) return theme[Token::st_masked];
    if (state == CellState::true_zero && detail != GlyphDetail::flat) return theme[Token::st_zero];
    if (state == CellState::underflow && detail == GlyphDetail::full) return theme[Token::st_under];
    return flat_colour(state, theme);
}

Rgb ink_of(CellState state, const Theme& theme) {
    switch (state) {
        case CellState::masked:
            return theme[Token::st_masked_ink];
        case CellState::true_zero:
            return theme[Token::st_zero_ink];
        case CellState::underflow:
        case CellState::subnormal:
            return theme[Token::st_under_ink];
        case CellState::nan:
            return theme[Token::st_nan_ink];
        case CellState::posinf:
            return theme[Token::st_pinf_ink];
        case CellState::neginf:
            return theme[Token::st_ninf_ink];
        case CellState::value:
        case CellState::outside:
            break;
    }
    return 0;
}

double hatch_spacing(double s) {
    return s < 10 ? 3 : 5;
}

std::vector<DisplayItem> expand_glyph(const GlyphItem& glyph) {
    Items items;
    const Box& cell = glyph.cell;
    const double s = std::min(cell.width, cell.height);
    const auto detail = glyph_detail(s);
    const Point centre{cell.x + cell.width / 2, cell.y + cell.height / 2};
    if (detail == GlyphDetail::flat) return items;
    if (glyph.state == CellState::masked) {
        add_hatch(cell, glyph.hatch_spacing, glyph.ink, items);
        return items;
    }
    if (detail == GlyphDetail::small) {
        if (glyph.state == CellState::true_zero) {
            items.push_back(RectItem{{std::floor(centre.x - 1), std::floor(centre.y - 1), 2, 2}, glyph.ink, 0, 1, 0});
        }
        return items;
    }
    switch (glyph.state) {
        case CellState::true_zero:
            add_ring(centre, s, glyph.ink, items);
            break;
        case CellState::underflow:
            add_polygon({{cell.x, cell.bottom() - 0.5 * s}, {cell.x, cell.bottom()}, {cell.x + 0.5 * s, cell.bottom()}},
                        glyph.ink, items);
            break;
        case CellState::subnormal:
            add_polygon(
                {{cell.x, cell.bottom() - 0.25 * s}, {cell.x, cell.bottom()}, {cell.x + 0.25 * s, cell.bottom()}},
                glyph.ink, items);
            break;
        case CellState::nan: {
            const double arm = 0.27 * s;
            const double width = s < 10 ? 1 : 1.5;
            items.push_back(
                LineItem{{centre.x - arm, centre.y - arm}, {centre.x + arm, centre.y + arm}, glyph.ink, width, false});
            items.push_back(
                LineItem{{centre.x - arm, centre.y + arm}, {centre.x + arm, centre.y - arm}, glyph.ink, width, false});
            break;
        }
        case CellState::posinf:
        case CellState::neginf: {
            // An equilateral-looking triangle: half width 0.27 s, height 0.47 s.
            const double half = 0.27 * s;
            const double up = glyph.state == CellState::posinf ? 1 : -1;
            const double tip = centre.y - up * 0.24 * s;
            const double base = centre.y + up * 0.23 * s;
            add_polygon({{centre.x - half, base}, {centre.x + half, base}, {centre.x, tip}}, glyph.ink, items);
            break;
        }
        default:
            break;
    }
    return items;
}

}  // namespace maskscope::render
