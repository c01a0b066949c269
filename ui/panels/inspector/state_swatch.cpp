// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/state_swatch.h"

#include "core/render/figure/cell_glyphs.h"

#include <QPainter>

namespace maskscope::ui {

using render::CellState;
using render::Token;

StateSwatch::StateSwatch(Style& style, double side, QWidget* parent)
    : QWidget(parent), style_(style), painter_(style), side_(side) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    style.follow(this, [this] {
        setFixedSize(style_.px(side_), style_.px(side_));
        update();
    });
}

void StateSwatch::setState(CellState state) {
    state_ = state;
    update();
}

void StateSwatch::setValue(double value, const render::Look& look) {
    state_ = CellState::value;
    value_ = value;
    look_ = look;
    update();
}

void StateSwatch::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const auto& theme = style_.theme();
    const render::Box box{0, 0, side_, side_};
    render::DisplayList list;
    list.width = side_;
    list.height = side_;
    list.background = theme[Token::bg_view];
    if (state_ == CellState::value || state_ == CellState::subnormal) {
        look_.theme = style_.themeId();
        list.background = render::colour_of(value_, look_);
    } else if (state_ != CellState::outside) {
        list.background = render::fill_of(state_, render::GlyphDetail::full, theme);
        render::GlyphItem glyph;
        glyph.cell = box;
        glyph.state = state_;
        glyph.ink = render::ink_of(state_, theme);
        glyph.hatch_spacing = render::hatch_spacing(side_);
        list.items.emplace_back(glyph);
    }
    list.items.emplace_back(render::RectItem{{0.5, 0.5, side_ - 1, side_ - 1}, 0, theme[Token::line_strong], 1, 0});
    painter.scale(style_.interfaceSize() / 100.0, style_.interfaceSize() / 100.0);
    painter.fillRect(QRectF(0, 0, side_, side_), QColor::fromRgb(list.background));
    painter_.paint(painter, list);
}

}  // namespace maskscope::ui
