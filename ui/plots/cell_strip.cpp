// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/cell_strip.h"

#include "core/render/figure/cell_glyphs.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

using render::CellState;
using render::Token;

namespace {
constexpr int kCellHeight = 14;
constexpr int kLabelGap = 5;
constexpr int kLongestLabel = 64;
}  // namespace

CellStrip::CellStrip(Style& style, QWidget* parent) : QWidget(parent), style_(style), painter_(style) {
    setAccessibleName(tr("Cells of the row"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void CellStrip::setRow(const render::RowProfile* profile, const std::vector<std::string>* tokens,
                       const render::Look& look) {
    profile_ = profile;
    tokens_ = tokens;
    look_ = look;
    updateGeometry();
    update();
}

// As high as the longest label, within reason: what labels do not need goes to the bars.
QSize CellStrip::sizeHint() const {
    const QFontMetrics metrics(style_.ui(10, 600));
    int longest = metrics.horizontalAdvance(QStringLiteral("0000"));
    if (tokens_ != nullptr) {
        for (const auto& token : *tokens_)
            longest = std::max(longest, metrics.horizontalAdvance(QString::fromStdString(token)));
    }
    return {style_.px(120), style_.px(kCellHeight + kLabelGap + 4) + std::min(longest, style_.px(kLongestLabel))};
}

void CellStrip::setMarked(std::optional<std::int64_t> col) {
    marked_ = col;
    update();
}

void CellStrip::setSpan(double left, double right) {
    left_ = left;
    right_ = right;
    update();
}

QString CellStrip::labelOf(std::int64_t col) const {
    if (tokens_ != nullptr && col < static_cast<std::int64_t>(tokens_->size()))
        return QString::fromStdString((*tokens_)[static_cast<std::size_t>(col)]);
    return QString::number(col);
}

void CellStrip::paintCells(QPainter& painter) {
    const auto& theme = render::Theme::get(look_.theme);
    const int width = std::max(1, static_cast<int>(right_ - left_));
    const auto row = render::pool_row(*profile_, width);
    const auto count = row.states.size();
    const double pitch = (right_ - left_) / static_cast<double>(count);
    const int height = style_.px(kCellHeight);

    render::DisplayList list;
    for (std::size_t i = 0; i < count; ++i) {
        // Edges on whole pixels, so that cells of a broken pitch leave no seams.
        const double x0 = std::round(left_ + pitch * static_cast<double>(i));
        double x1 = std::round(left_ + pitch * static_cast<double>(i + 1));
        if (pitch >= 10) x1 -= 1;
        const auto state = row.states[i];
        const bool value = state == CellState::value || state == CellState::subnormal;
        const render::Box box{x0, 0, x1 - x0, static_cast<double>(height)};
        const double side = std::min(box.width, box.height);
        const auto fill =
            value ? render::colour_of(row.values[i], look_) : render::fill_of(state, render::glyph_detail(side), theme);
        list.items.emplace_back(render::RectItem{box, fill, 0, 1, 0});
        if (state != CellState::value)
            list.items.emplace_back(
                render::GlyphItem{box, state, render::ink_of(state, theme), render::hatch_spacing(side)});
    }
    painter_.paint(painter, list);
}

void CellStrip::paintLabels(QPainter& painter) {
    const auto cols = static_cast<std::int64_t>(profile_->values.size());
    const double pitch = (right_ - left_) / static_cast<double>(cols);
    const QFont font = style_.ui(10);
    const QFont strong = style_.ui(10, 600);
    const QFontMetrics metrics(font);
    const auto every = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(metrics.height() / pitch)));
    const int top = style_.px(kCellHeight + kLabelGap);
    const int room = height() - top;
    const auto paint = [&](std::int64_t col, bool marked) {
        const auto text =
            QFontMetrics(marked ? strong : font).elidedText(labelOf(col), Qt::ElideRight, std::max(room, 1));
        painter.save();
        painter.translate(left_ + pitch * (static_cast<double>(col) + 0.5), top);
        painter.rotate(-90);
        painter.setFont(marked ? strong : font);
        painter.setPen(style_.colour(marked ? Token::text : Token::text_2));
        painter.drawText(QRectF(-room, -metrics.height() / 2.0, room, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, text);
        painter.restore();
    };
    for (std::int64_t col = 0; col < cols; col += every) {
        // The marked label takes the place of neighbours that it would touch.
        if (marked_ && col != *marked_ && std::abs(static_cast<double>(col - *marked_)) * pitch < metrics.height())
            continue;
        if (marked_ == col) continue;
        paint(col, false);
    }
    if (marked_ && *marked_ < cols) paint(*marked_, true);
}

void CellStrip::paintEvent(QPaintEvent*) {
    if (profile_ == nullptr || profile_->values.empty() || right_ <= left_) return;
    QPainter painter(this);
    paintCells(painter);
    paintLabels(painter);
}

void CellStrip::mousePressEvent(QMouseEvent* event) {
    if (profile_ == nullptr || profile_->values.empty() || event->button() != Qt::LeftButton) return;
    const auto cols = static_cast<double>(profile_->values.size());
    const double col = std::floor((event->position().x() - left_) / (right_ - left_) * cols);
    if (col >= 0 && col < cols) emit columnClicked(static_cast<qint64>(col));
}

}  // namespace maskscope::ui
