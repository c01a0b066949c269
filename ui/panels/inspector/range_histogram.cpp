// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/range_histogram.h"

#include "ui/panels/inspector/inspector_part.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

using render::Token;

RangeHistogram::RangeHistogram(Style& style, QWidget* parent) : QWidget(parent), style_(style) {
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Colour range"));
    setToolTip(
        tr("Drag the ends of the colour range. Left and Right move one end, Up and Down choose which.\n"
           "Bars grow with the square root of their count."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    style.follow(this, [this] {
        updateGeometry();
        update();
    });
}

QSize RangeHistogram::sizeHint() const {
    return {style_.px(180), style_.px(60)};
}
QSize RangeHistogram::minimumSizeHint() const {
    return {style_.px(80), style_.px(60)};
}

void RangeHistogram::setAxis(double lo, double hi, bool log) {
    axis_ = {log ? render::ScaleKind::log : render::ScaleKind::linear, lo, hi};
    update();
}

void RangeHistogram::setCounts(std::vector<std::int64_t> counts) {
    counts_ = std::move(counts);
    note_.clear();
    update();
}

void RangeHistogram::setNote(const QString& note) {
    note_ = note;
    counts_.clear();
    update();
}

void RangeHistogram::setRange(double lo, double hi) {
    lo_ = lo;
    hi_ = hi;
    setAccessibleDescription(tr("%1 to %2").arg(shownNumber(lo), shownNumber(hi)));
    update();
}

QRectF RangeHistogram::plot() const {
    const double side = style_.pxf(4);  // half a grip
    return QRectF(rect()).adjusted(side, 0, -side, -style_.pxf(18));
}

double RangeHistogram::xOf(double value) const {
    return plot().left() + render::position_of(axis_, value) * plot().width();
}

double RangeHistogram::valueAt(double x) const {
    return render::value_at(axis_, std::clamp((x - plot().left()) / plot().width(), 0.0, 1.0));
}

RangeHistogram::End RangeHistogram::nearest(double x) const {
    const double to_lo = std::abs(x - xOf(lo_));
    const double to_hi = std::abs(x - xOf(hi_));
    // Ends that lie on each other come apart in the direction of the mouse.
    if (to_lo == to_hi) return x < xOf(lo_) ? End::lo : End::hi;
    return to_lo < to_hi ? End::lo : End::hi;
}

void RangeHistogram::moveEnd(End end, double value) {
    const double step = plot().width() > 0 ? 1 / plot().width() : 0.01;
    const auto position = [this](double v) { return render::position_of(axis_, v); };
    if (end == End::lo) {
        lo_ = position(value) < position(hi_) ? value : render::value_at(axis_, position(hi_) - step);
    } else {
        hi_ = position(value) > position(lo_) ? value : render::value_at(axis_, position(lo_) + step);
    }
    update();
    if (lo_ < hi_) emit rangeDragged(lo_, hi_);
}

void RangeHistogram::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !note_.isEmpty()) return;
    held_ = nearest(event->position().x());
    keyboard_end_ = held_;
    moveEnd(held_, valueAt(event->position().x()));
}

void RangeHistogram::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (held_ != End::none) {
        moveEnd(held_, valueAt(x));
        return;
    }
    const bool near = std::min(std::abs(x - xOf(lo_)), std::abs(x - xOf(hi_))) < style_.pxf(6);
    setCursor(near && note_.isEmpty() ? Qt::SplitHCursor : Qt::ArrowCursor);
}

void RangeHistogram::mouseReleaseEvent(QMouseEvent* /*event*/) {
    held_ = End::none;
    update();
}

void RangeHistogram::keyPressEvent(QKeyEvent* event) {
    const auto key = event->key();
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
        keyboard_end_ = keyboard_end_ == End::lo ? End::hi : End::lo;
        update();
    } else if ((key == Qt::Key_Left || key == Qt::Key_Right) && note_.isEmpty()) {
        const double step = (event->modifiers() & Qt::ShiftModifier) != 0 ? 0.1 : 0.01;
        const double at = render::position_of(axis_, keyboard_end_ == End::lo ? lo_ : hi_);
        moveEnd(keyboard_end_,
                render::value_at(axis_, std::clamp(at + (key == Qt::Key_Left ? -step : step), 0.0, 1.0)));
    } else {
        QWidget::keyPressEvent(event);
    }
}

void RangeHistogram::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto box = plot();
    painter.fillRect(QRectF(box.left(), box.bottom(), box.width(), 1), style_.colour(Token::line_strong));
    if (!note_.isEmpty()) {
        painter.setFont(style_.ui(11));
        painter.setPen(style_.colour(Token::text_3));
        painter.drawText(box, Qt::AlignCenter, note_);
        return;
    }
    paintBars(painter, box);
    paintTicks(painter, box);
    paintEnd(painter, box, lo_, hasFocus() && keyboard_end_ == End::lo);
    paintEnd(painter, box, hi_, hasFocus() && keyboard_end_ == End::hi);
}

void RangeHistogram::paintBars(QPainter& painter, const QRectF& box) const {
    if (counts_.empty()) return;
    const auto most = static_cast<double>(*std::max_element(counts_.begin(), counts_.end()));
    if (most <= 0) return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double step = box.width() / static_cast<double>(counts_.size());
    const double from = xOf(lo_);
    const double to = xOf(hi_);
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        if (counts_[i] == 0) continue;
        const double height = std::max(1.0, std::sqrt(static_cast<double>(counts_[i]) / most) * (box.height() - 2));
        const double left = std::round(box.left() + static_cast<double>(i) * step);
        const double right = std::round(box.left() + static_cast<double>(i + 1) * step) - 1;
        const double middle = (left + right) / 2;
        const bool inside = middle >= from && middle <= to;
        painter.fillRect(QRectF(left, box.bottom() - height, std::max(1.0, right - left), height),
                         style_.colour(inside ? Token::plot_1 : Token::line_strong));
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

void RangeHistogram::paintTicks(QPainter& painter, const QRectF& box) const {
    painter.setFont(style_.ui(10));
    painter.setPen(style_.colour(Token::text_2));
    const QFontMetrics metrics(painter.font());
    double free_from = 0;
    for (const double tick : render::ticks(axis_, static_cast<int>(box.width() * 100 / style_.interfaceSize()))) {
        const auto text = shownNumber(tick, 3);
        const double width = metrics.horizontalAdvance(text);
        const double left = std::clamp(xOf(tick) - width / 2, 0.0, std::max(0.0, this->width() - width));
        if (left < free_from) continue;
        painter.drawText(QRectF(left, box.bottom() + style_.pxf(3), width + 2, style_.pxf(14)),
                         Qt::AlignLeft | Qt::AlignTop, text);
        free_from = left + width + style_.pxf(6);
    }
}

void RangeHistogram::paintEnd(QPainter& painter, const QRectF& box, double value, bool active) const {
    const double x = std::round(xOf(value)) + 0.5;
    const auto accent = style_.colour(Token::accent);
    painter.setPen(QPen(accent, 1));
    painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
    const QRectF grip(x - style_.pxf(3), box.center().y() - style_.pxf(6), style_.pxf(6), style_.pxf(12));
    painter.setPen(QPen(accent, active ? 2 : 1.25));
    painter.setBrush(style_.colour(active ? Token::accent_soft : Token::bg_raised));
    painter.drawRoundedRect(grip, style_.pxf(2), style_.pxf(2));
}

}  // namespace maskscope::ui
