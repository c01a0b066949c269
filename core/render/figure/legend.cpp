// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/legend.h"

#include "core/render/figure/cell_glyphs.h"
#include "core/render/figure/number_text.h"
#include "core/render/figure/text_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope::render {
namespace {

constexpr double kPadding = 16;
constexpr double kSwatch = 14;
constexpr double kRow = 40;
constexpr double kNextRow = 28;
constexpr double kBar = 190;
constexpr double kNarrowBar = 120;
constexpr double kTriangle = 6;
constexpr std::array kStates = {CellState::masked, CellState::true_zero, CellState::underflow,
                                CellState::nan,    CellState::posinf,    CellState::neginf};

std::string state_text(CellState state, const HeatmapData& data) {
    if (state == CellState::neginf) return "\u2212inf";
    if (state == CellState::masked && data.plane().masked_value) {
        return data.mask() == nullptr ? "masked by value" : "masked, also by value";
    }
    return std::string(name_of(state));
}

std::string count_of(CellState state, const HeatmapData& data) {
    if (!data.prepared()) return "counting";
    return count_text(data.stats().counts[static_cast<std::size_t>(state)]);
}

Face count_face(CellState state, const HeatmapData& data) {
    const bool some = data.prepared() && data.stats().counts[static_cast<std::size_t>(state)] > 0;
    return some ? Face::ui_semibold : Face::ui;
}

double entry_width(CellState state, const HeatmapData& data) {
    return kSwatch + 8 + text_width(state_text(state, data), Face::ui, 12) + 8 +
           text_width(count_of(state, data), count_face(state, data), 12);
}

double title_width(const FigureSpec& spec) {
    return spec.legend_title.empty() ? 0 : std::ceil(text_width(spec.legend_title, Face::ui, 12)) + 12;
}

struct Mark {
    double place = 0;  // of the tick
    double left = 0;   // of its text
    double right = 0;
    std::string text;
};

// As many ticks as find room side by side.
std::vector<Mark> bar_ticks(const ColourScale& scale, const Box& bar) {
    for (double dense = 2; dense > 0.05; dense *= 0.8) {
        const auto values = ticks(scale, static_cast<int>(bar.width * dense));
        const auto texts = tick_texts(values);
        std::vector<Mark> marks;
        bool fits = true;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double width = text_width(texts[i], Face::ui, 10);
            const double place = bar.x + position_of(scale, values[i]) * bar.width;
            const double left = std::clamp(place - width / 2, bar.x - 8, std::max(bar.x - 8, bar.right() + 8 - width));
            if (!marks.empty() && left < marks.back().right + 8) fits = false;
            marks.push_back({place, left, left + width, texts[i]});
        }
        if (fits) return marks;
    }
    return {};
}

void draw_bar(const HeatmapData& data, const FigureSpec& spec, const Box& bar, std::vector<DisplayItem>& out) {
    const Theme& theme = Theme::get(spec.look.theme);
    const auto& scale = spec.look.scale;
    const auto& table = lut(spec.look.map, spec.look.theme);
    auto pixels = std::make_shared<std::vector<Rgb>>(table.begin(), table.end());
    out.emplace_back(ImageItem{bar, static_cast<int>(table.size()), 1, std::move(pixels)});
    out.emplace_back(RectItem{inset(bar, -0.5), 0, theme[Token::line_strong], 1, 0});
    const double middle = bar.y + bar.height / 2;
    const Rgb edge = theme[Token::line_strong];
    if (data.prepared() && data.stats().finite > 0 && data.stats().min < scale.lo) {
        const double x = bar.x - 3;
        out.emplace_back(PolylineItem{
            {{x, bar.y - 1}, {x, bar.bottom() + 1}, {x - kTriangle, middle}}, true, edge, table.front(), 1});
    }
    if (data.prepared() && data.stats().finite > 0 && data.stats().max > scale.hi) {
        const double x = bar.right() + 3;
        out.emplace_back(PolylineItem{
            {{x, bar.y - 1}, {x, bar.bottom() + 1}, {x + kTriangle, middle}}, true, edge, table.back(), 1});
    }
    for (const auto& mark : bar_ticks(scale, bar)) {
        out.emplace_back(LineItem{{mark.place, bar.bottom() + 1}, {mark.place, bar.bottom() + 3}, edge, 1, false});
        out.emplace_back(TextItem{
            {mark.left, bar.bottom() + 13}, mark.text, Face::ui, 10, theme[Token::text_2], Align::left, false});
    }
}

}  // namespace

LegendLayout lay_out_legend(const HeatmapData& data, const FigureSpec& spec, double width, double top) {
    LegendLayout layout;
    std::array<double, kStates.size()> widths{};
    double together = 0;
    for (std::size_t i = 0; i < kStates.size(); ++i) together += widths[i] = entry_width(kStates[i], data);
    constexpr double kGaps = kStates.size() - 1;
    const double bar_left = kPadding + title_width(spec) + kTriangle + 3;
    const double bar_end = kTriangle + 3 + 28;
    const auto spare = [&](double bar, double gap) {
        return width - bar_left - bar - bar_end - together - kGaps * gap - kPadding;
    };
    double bar = kBar;
    double gap = 24;
    if (spare(bar, gap) < 0) bar = kNarrowBar, gap = 16;
    const bool one_row = spare(bar, gap) >= 0;
    if (!one_row) bar = std::clamp(width - bar_left - bar_end, 16.0, 260.0);
    layout.bar = {bar_left, top + 9, bar, 10};
    double x = one_row ? width - kPadding - together - kGaps * gap : kPadding;
    double y = one_row ? top : top + kRow - 4;
    for (std::size_t i = 0; i < kStates.size(); ++i) {
        if (!one_row && x > kPadding && x + widths[i] > width - kPadding) {
            x = kPadding;
            y += kNextRow - 6;
        }
        layout.entries.push_back({kStates[i], {x, y + (one_row ? (kRow - 20) / 2 : 2), widths[i], 20}});
        x += widths[i] + gap;
    }
    layout.height = one_row ? kRow : y + kNextRow - top + 2;
    return layout;
}

void draw_swatch(CellState state, const Box& box, const Theme& theme, std::vector<DisplayItem>& out) {
    const double s = std::min(box.width, box.height);
    out.emplace_back(RectItem{box, fill_of(state, glyph_detail(s), theme), 0, 1, 0});
    if (state == CellState::true_zero && s >= 8)
        out.emplace_back(RectItem{inset(box, 0.5), 0, theme[Token::st_zero_line], 1, 0});
    out.emplace_back(GlyphItem{box, state, ink_of(state, theme), hatch_spacing(s)});
}

void draw_legend(const HeatmapData& data, const FigureSpec& spec, const Box& strip, std::vector<DisplayItem>& out) {
    const Theme& theme = Theme::get(spec.look.theme);
    const auto layout = lay_out_legend(data, spec, strip.width, strip.y);
    out.emplace_back(RectItem{strip, theme[Token::bg_panel], 0, 1, 0});
    out.emplace_back(RectItem{{strip.x, strip.y, strip.width, 1}, theme[Token::line], 0, 1, 0});
    if (!spec.legend_title.empty()) {
        // Beside the bar and its ticks together.
        out.emplace_back(TextItem{{strip.x + kPadding, strip.y + kRow / 2 + std::round(cap_height(Face::ui, 12) / 2)},
                                  spec.legend_title,
                                  Face::ui,
                                  12,
                                  theme[Token::text_2],
                                  Align::left,
                                  false});
    }
    draw_bar(data, spec, layout.bar, out);
    for (const auto& [state, box] : layout.entries) {
        const Box swatch{box.x, box.y + 3, kSwatch, kSwatch};
        if (state == CellState::masked && spec.look.mask_style != MaskStyle::hatch) {
            const bool gone = spec.look.mask_style == MaskStyle::hide;
            out.emplace_back(RectItem{inset(swatch, 0.5), theme[gone ? Token::bg_view : Token::st_masked],
                                      theme[Token::line_strong], 1, 0});
        } else {
            draw_swatch(state, swatch, theme, out);
        }
        const bool some = data.prepared() && data.stats().counts[static_cast<std::size_t>(state)] > 0;
        const double baseline = box.y + 10 + std::round(cap_height(Face::ui, 12) / 2);
        out.emplace_back(TextItem{{box.x + kSwatch + 8, baseline},
                                  state_text(state, data),
                                  Face::ui,
                                  12,
                                  theme[some ? Token::text : Token::text_3],
                                  Align::left,
                                  false});
        out.emplace_back(TextItem{{box.right(), baseline},
                                  count_of(state, data),
                                  count_face(state, data),
                                  12,
                                  theme[some ? Token::text : Token::text_3],
                                  Align::right,
                                  false});
    }
}

}  // namespace maskscope::render
