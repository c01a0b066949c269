// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/number_field.h"

#include "core/tensor/convert.h"
#include "ui/session/cell_readout.h"

#include <QKeyEvent>
#include <QLocale>

#include <cmath>

namespace maskscope::ui {

std::optional<double> parseNumber(QString text) {
    text = text.trimmed().replace(QChar(0x2212), QLatin1Char('-'));
    bool ok = false;
    auto locale = QLocale::c();
    locale.setNumberOptions(QLocale::RejectGroupSeparator);
    const double value = locale.toDouble(text, &ok);
    if (!ok || !std::isfinite(value)) return std::nullopt;
    return value;
}

NumberField::NumberField(Style& style, const QString& name, QWidget* parent) : QLineEdit(parent) {
    setProperty("face", "mono");
    setProperty("invalid", false);
    setAccessibleName(name);
    style.follow(this, [this, &style] { setFixedHeight(style.px(24)); });
    connect(this, &QLineEdit::textEdited, this, &NumberField::judge);
    connect(this, &QLineEdit::editingFinished, this, &NumberField::finish);
}

void NumberField::showNumber(double value) {
    // Six digits: enough to tell neighbours apart; the exact ends are in the data.
    const auto text = textOf(short_text_of(value, 6));
    if (isModified() || text == shown_) return;
    shown_ = text;
    setPlaceholderText({});
    setText(text);
    setCursorPosition(0);
}

void NumberField::showNote(const QString& note) {
    if (isModified()) return;
    shown_.clear();
    clear();
    setPlaceholderText(note);
}

void NumberField::forget() {
    setModified(false);
    setProblem({});
    shown_.clear();
}

void NumberField::judge() {
    const auto value = parseNumber(text());
    if (!value) {
        setProblem(text().trimmed().isEmpty() ? tr("Write a number, such as 0.5 or 1e-4.")
                                              : tr("“%1” is not a number. Write it as 0.5 or 1e-4.").arg(text()));
    } else {
        setProblem(check_ ? check_(*value) : QString());
    }
}

void NumberField::finish() {
    if (!isModified()) return;
    judge();
    if (!problem_.isEmpty()) return;
    const auto value = parseNumber(text());
    setModified(false);
    shown_ = text();
    emit entered(*value);
}

void NumberField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && isModified()) {
        setText(shown_);
        setModified(false);
        setProblem({});
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void NumberField::setProblem(const QString& problem) {
    if (problem_ == problem) return;
    problem_ = problem;
    Style::mark(this, "invalid", !problem.isEmpty());
    setToolTip(problem);
    setAccessibleDescription(problem);
    emit problemChanged(problem);
}

}  // namespace maskscope::ui
