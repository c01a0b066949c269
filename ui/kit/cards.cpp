// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/cards.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

namespace maskscope::ui {

using render::Token;

namespace {

// An icon that follows theme and size.
QLabel* iconLabel(Style& style, const QString& name, Token token, QWidget* parent) {
    auto* label = new QLabel(parent);
    style.follow(label, [label, &style, name, token] {
        label->setPixmap(style.pixmap(name, token, 16, label->devicePixelRatioF()));
        label->setFixedSize(style.px(16), style.px(16));
    });
    return label;
}

QPushButton* smallButton(QWidget* parent, const QString& text, const char* kind, const std::function<void()>& clicked) {
    auto* button = new QPushButton(text, parent);
    button->setProperty("kind", kind);
    button->setAccessibleName(text);
    QObject::connect(button, &QPushButton::clicked, parent, clicked);
    return button;
}

void paintCard(QWidget* widget, const Style& style, Token fill, Token frame, Qt::PenStyle line) {
    QPainter painter(widget);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(style.colour(fill));
    QPen pen(style.colour(frame), 1, line);
    if (line == Qt::DashLine) pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawRoundedRect(QRectF(widget->rect()).adjusted(0.5, 0.5, -0.5, -0.5), style.pxf(6), style.pxf(6));
}

// An error's message as a sentence. A first word that may be code ("torch.save") stays as it is.
QString sentence(const QString& message) {
    QString text = message.trimmed();
    const QString first = text.section(QLatin1Char(' '), 0, 0);
    if (!first.isEmpty() && std::all_of(first.begin(), first.end(), [](QChar c) { return c.isLower(); }))
        text[0] = text[0].toUpper();
    if (!text.isEmpty() && text.back().isLetterOrNumber()) text += QLatin1Char('.');
    return text;
}

}  // namespace

EmptyCard::EmptyCard(Style& style, const QString& icon, const QString& title, const QString& what_to_do,
                     QWidget* parent)
    : QWidget(parent), style_(style), title_(new QLabel(this)), what_(new QLabel(this)), buttons_(new QHBoxLayout) {
    auto* column = new QVBoxLayout(this);
    column->addStretch();
    column->addWidget(iconLabel(style, icon, Token::text_2, this), 0, Qt::AlignHCenter);
    column->addWidget(title_, 0, Qt::AlignHCenter);
    column->addWidget(what_);
    column->addLayout(buttons_);
    column->addStretch();
    title_->setProperty("type", "strong");
    what_->setProperty("tone", "text2");
    what_->setAlignment(Qt::AlignHCenter);
    what_->setWordWrap(true);
    buttons_->addStretch();
    buttons_->addStretch();
    setTexts(title, what_to_do);
    style.follow(this, [this, column] {
        column->setContentsMargins(style_.px(16), style_.px(12), style_.px(16), style_.px(12));
        column->setSpacing(style_.px(6));
        buttons_->setSpacing(style_.px(8));
        update();
    });
}

QPushButton* EmptyCard::addButton(const QString& text, const std::function<void()>& clicked) {
    auto* button = smallButton(this, text, "small", clicked);
    buttons_->insertWidget(buttons_->count() - 1, button);
    return button;
}

void EmptyCard::setTexts(const QString& title, const QString& what_to_do) {
    title_->setText(title);
    what_->setText(what_to_do);
    setAccessibleName(title + QStringLiteral(". ") + what_to_do);
}

void EmptyCard::paintEvent(QPaintEvent*) {
    paintCard(this, style_, Token::bg_sunken, Token::line_strong, Qt::DashLine);
}

ErrorCard::ErrorCard(Style& style, const QString& title, const QString& cause, const QString& hint, QWidget* parent)
    : QWidget(parent), style_(style), title_(new QLabel(this)), text_(new QLabel(this)), buttons_(new QHBoxLayout) {
    auto* column = new QVBoxLayout(this);
    auto* head = new QHBoxLayout;
    head->addWidget(iconLabel(style, QStringLiteral("error"), Token::error, this));
    head->addWidget(title_, 1);
    column->addLayout(head);
    column->addWidget(text_);
    column->addLayout(buttons_);
    title_->setProperty("type", "strong");
    title_->setProperty("tone", "error");
    title_->setTextFormat(Qt::PlainText);
    text_->setTextFormat(Qt::PlainText);
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    buttons_->addStretch();
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    setTexts(title, cause, hint);
    style.follow(this, [this, column, head] {
        column->setContentsMargins(style_.px(12), style_.px(8), style_.px(12), style_.px(8));
        column->setSpacing(style_.px(4));
        head->setSpacing(style_.px(6));
        buttons_->setSpacing(style_.px(8));
        update();
    });
}

QPushButton* ErrorCard::addButton(const QString& text, const std::function<void()>& clicked) {
    auto* button = smallButton(this, text, "small", clicked);
    buttons_->insertWidget(buttons_->count() - 1, button);
    return button;
}

void ErrorCard::setTexts(const QString& title, const QString& cause, const QString& hint) {
    title_->setText(title);
    QStringList lines = {sentence(cause), sentence(hint)};
    lines.removeAll(QString());
    text_->setText(lines.join(QLatin1Char('\n')));
    setAccessibleName(title);
    setAccessibleDescription(text_->text());
}

void ErrorCard::paintEvent(QPaintEvent*) {
    paintCard(this, style_, Token::error_soft, Token::error, Qt::SolidLine);
}

WarnStrip::WarnStrip(Style& style, const QString& text, Tone tone, QWidget* parent)
    : QWidget(parent), style_(style), tone_(tone), text_(new QLabel(this)), links_(new QHBoxLayout) {
    auto* row = new QHBoxLayout(this);
    const auto [icon, token, name] = [tone]() -> std::tuple<QString, Token, const char*> {
        switch (tone) {
            case Tone::ok:
                return {QStringLiteral("okc"), Token::ok, "ok"};
            case Tone::info:
                return {QStringLiteral("info"), Token::info, "info"};
            case Tone::error:
                return {QStringLiteral("error"), Token::error, "error"};
            case Tone::warn:
                break;
        }
        return {QStringLiteral("warning"), Token::warn, ""};
    }();
    row->addWidget(iconLabel(style, icon, token, this));
    row->addWidget(text_, 1);
    row->addLayout(links_);
    text_->setProperty("tone", name);
    text_->setWordWrap(true);
    setText(text);
    style.follow(this, [this, row] {
        row->setContentsMargins(style_.px(10), 0, style_.px(8), 0);
        row->setSpacing(style_.px(8));
        links_->setSpacing(style_.px(2));
        setMinimumHeight(style_.px(32));
        update();
    });
}

QPushButton* WarnStrip::addLink(const QString& text, const std::function<void()>& clicked) {
    auto* link = smallButton(this, text, "link", clicked);
    links_->addWidget(link);
    return link;
}

void WarnStrip::setText(const QString& text) {
    text_->setText(text);
    setAccessibleName(text);
}

void WarnStrip::paintEvent(QPaintEvent*) {
    const auto fill = tone_ == Tone::ok     ? Token::ok_soft
                      : tone_ == Tone::info ? Token::info_soft
                      : tone_ == Tone::warn ? Token::warn_soft
                                            : Token::error_soft;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style_.colour(fill));
    painter.drawRoundedRect(rect(), style_.pxf(4), style_.pxf(4));
}

}  // namespace maskscope::ui
