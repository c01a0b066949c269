// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/inspector_part.h"

#include "ui/session/cell_readout.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace maskscope::ui {

using render::Token;

InspectorPart::InspectorPart(Session& session, Style& style, QWidget* parent)
    : QWidget(parent), session_(session), style_(style), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(0);
}

void InspectorPart::setEntry(EntryId id) {
    entry_ = id;
    refresh(Change::entry);
}

FieldRow::FieldRow(Style& style, const QString& label, QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    auto* text = new QLabel(label, this);
    row->addWidget(text);
    style.follow(this, [this, row, text, &style] {
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(style.px(8));
        text->setFixedWidth(style.px(46));
        setMinimumHeight(style.px(24));
    });
}

void FieldRow::add(QWidget* control, int stretch) {
    static_cast<QHBoxLayout*>(layout())->addWidget(control, stretch, Qt::AlignVCenter);
}

void FieldRow::addStretch() {
    static_cast<QHBoxLayout*>(layout())->addStretch(1);
}

void FieldRow::setLabel(const QString& label) {
    findChild<QLabel*>()->setText(label);
}

ElidedLabel::ElidedLabel(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::setText(const QString& text) {
    if (text_ == text) return;
    text_ = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

void ElidedLabel::setTextFont(const QFont& font) {
    setFont(font);
    updateGeometry();
}

void ElidedLabel::setColour(const QColor& colour) {
    colour_ = colour;
    update();
}

void ElidedLabel::setAlignment(Qt::Alignment alignment) {
    alignment_ = alignment;
    update();
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text_) + 1, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
    return {fontMetrics().horizontalAdvance(text_.left(least_)), fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent* /*event*/) {
    const auto shown = fontMetrics().elidedText(text_, Qt::ElideMiddle, width());
    setToolTip(shown == text_ ? QString() : text_);
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(colour_);
    painter.drawText(rect(), static_cast<int>(alignment_ | Qt::AlignVCenter) | Qt::TextSingleLine, shown);
}

FactRow::FactRow(Style& style, const QString& name, QWidget* parent)
    : QWidget(parent), style_(style), name_(new ElidedLabel(this)), value_(new ElidedLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    name_->setText(name);
    name_->setLeast(14);  // a long value gives way first
    value_->setAlignment(Qt::AlignRight);
    row->addWidget(name_, 1);
    row->addWidget(value_, 0);
    style.follow(this, [this, row] {
        row->setSpacing(style_.px(6));
        setFixedHeight(style_.px(20));
        name_->setTextFont(style_.ui(12));
        value_->setTextFont(style_.mono(11));
        setQuiet(quiet_);
    });
}

void FactRow::setFact(const QString& name, const QString& value) {
    name_->setText(name);
    value_->setText(value);
}

void FactRow::setQuiet(bool quiet) {
    quiet_ = quiet;
    name_->setColour(style_.colour(quiet ? Token::text_3 : Token::text_2));
    value_->setColour(style_.colour(quiet ? Token::text_3 : Token::text));
}

void FactRow::addFront(QWidget* widget) {
    static_cast<QHBoxLayout*>(layout())->insertWidget(0, widget, 0, Qt::AlignVCenter);
}

void FactRow::addBehind(QWidget* widget) {
    static_cast<QHBoxLayout*>(layout())->addWidget(widget, 0, Qt::AlignVCenter);
}

QString shownNumber(double value, int digits) {
    return withMinusSign(textOf(short_text_of(value, digits)));
}

QString shownBytes(std::size_t bytes) {
    const auto count = static_cast<double>(bytes);
    if (count < 1024) return QStringLiteral("%1 B").arg(bytes);
    if (count < 1024.0 * 1024) return QStringLiteral("%1 KiB").arg(count / 1024, 0, 'f', 1);
    if (count < 1024.0 * 1024 * 1024) return QStringLiteral("%1 MiB").arg(count / (1024.0 * 1024), 0, 'f', 1);
    return QStringLiteral("%1 GiB").arg(count / (1024.0 * 1024 * 1024), 0, 'f', 1);
}

}  // namespace maskscope::ui
