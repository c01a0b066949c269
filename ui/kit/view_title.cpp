// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/view_title.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace maskscope::ui {

using render::Token;

namespace {
constexpr int kBadgeGap = 6;
constexpr int kTitleGap = 10;
}  // namespace

ViewTitle::ViewTitle(Style& style, QWidget* parent) : QWidget(parent), style_(style) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    style.follow(this, [this] { updateGeometry(); });
}

void ViewTitle::setTitle(const QString& name, const QString& slice) {
    name_ = name;
    slice_ = slice;
    setAccessibleName(name + slice);
    setToolTip(name + slice);
    update();
}

void ViewTitle::setBadges(std::vector<Badge> badges) {
    badges_ = std::move(badges);
    update();
}

QSize ViewTitle::sizeHint() const {
    return {QFontMetrics(style_.mono(13, 600)).horizontalAdvance(name_ + slice_) + badgesWidth(0), style_.px(24)};
}

QSize ViewTitle::minimumSizeHint() const {
    return {style_.px(96), style_.px(24)};
}

int ViewTitle::badgesWidth(std::size_t first) const {
    int width = first < badges_.size() ? style_.px(kTitleGap - kBadgeGap) : 0;
    for (auto i = first; i < badges_.size(); ++i) width += badgeSize(style_, badges_[i]).width() + style_.px(kBadgeGap);
    return width;
}

void ViewTitle::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QFont bold = style_.mono(13, 700);
    const QFont regular = style_.mono(13);
    const QFontMetrics bold_metrics(bold);
    const QFontMetrics metrics(regular);
    const int slice_width = metrics.horizontalAdvance(slice_);
    std::size_t first = 0;
    while (first < badges_.size() && bold_metrics.horizontalAdvance(name_) + slice_width + badgesWidth(first) > width())
        ++first;
    const auto name =
        bold_metrics.elidedText(name_, Qt::ElideMiddle, std::max(0, width() - slice_width - badgesWidth(first)));

    const int baseline = (height() + bold_metrics.capHeight()) / 2;
    painter.setFont(bold);
    painter.setPen(style_.colour(Token::text));
    painter.drawText(0, baseline, name);
    int x = bold_metrics.horizontalAdvance(name);
    painter.setFont(regular);
    for (const QChar letter : std::as_const(slice_)) {
        painter.setPen(style_.colour(letter.isDigit() ? Token::accent : Token::text));
        painter.drawText(x, baseline, QString(letter));
        x += metrics.horizontalAdvance(letter);
    }
    x += style_.px(kTitleGap);
    for (auto i = first; i < badges_.size(); ++i) {
        const auto size = badgeSize(style_, badges_[i]);
        x = paintBadge(painter, style_, {x, (height() - size.height()) / 2}, badges_[i]).right() + 1 +
            style_.px(kBadgeGap);
    }
}

}  // namespace maskscope::ui
