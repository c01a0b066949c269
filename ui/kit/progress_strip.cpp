// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/progress_strip.h"

#include "ui/kit/tool_button.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

#include <algorithm>

namespace maskscope::ui {

using render::Token;

ProgressStrip::ProgressStrip(Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      title_(new QLabel(this)),
      bar_space_(new QWidget(this)),
      amount_(new QLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(title_);
    row->addWidget(bar_space_);
    row->addWidget(amount_);
    auto* cancel = new IconButton(style, QStringLiteral("close"), tr("Cancel"), this);
    row->addWidget(cancel);
    title_->setTextFormat(Qt::PlainText);
    amount_->setProperty("type", "mono2");
    amount_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    connect(cancel, &QToolButton::clicked, this, &ProgressStrip::cancelled);
    style.follow(this, [this, row, cancel] {
        row->setSpacing(style_.px(8));
        bar_space_->setFixedWidth(style_.px(96));
        amount_->setFixedWidth(style_.px(60));
        cancel->setFixedSize(style_.px(20), style_.px(20));
    });
    setAccessibleName(tr("Progress"));
}

void ProgressStrip::show(const QString& title, std::int64_t done, std::int64_t total) {
    done_ = done;
    total_ = total;
    title_->setText(title);
    if (total <= 0) {
        amount_->clear();
    } else if (total <= 100) {
        amount_->setText(QStringLiteral("%1/%2").arg(done).arg(total));
    } else {
        amount_->setText(QStringLiteral("%1 %").arg(100 * done / total));
    }
    setAccessibleDescription(title + QLatin1Char(' ') + amount_->text());
    show();
    update();
}

QRect ProgressStrip::bar() const {
    const QRect space = bar_space_->geometry();
    const int thick = style_.px(4);
    return {space.left(), space.center().y() - thick / 2 + 1, space.width(), thick};
}

void ProgressStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const QRectF groove = bar();
    const double radius = groove.height() / 2;
    painter.setBrush(style_.colour(Token::line));
    painter.drawRoundedRect(groove, radius, radius);
    QRectF part = groove;
    if (total_ > 0) {
        part.setWidth(groove.width() * std::clamp(static_cast<double>(done_) / static_cast<double>(total_), 0.0, 1.0));
    } else {
        part.setLeft(groove.left() + groove.width() / 3);
        part.setWidth(groove.width() / 4);
    }
    painter.setBrush(style_.colour(Token::accent));
    if (part.width() > 0) painter.drawRoundedRect(part, radius, radius);
}

}  // namespace maskscope::ui
