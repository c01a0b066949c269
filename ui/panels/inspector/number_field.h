// SPDX-License-Identifier: GPL-3.0-or-later
// A box for one number. Bad input gets a red frame and a sentence; it is never applied and never silently mended.
#pragma once

#include "ui/kit/style.h"

#include <QLineEdit>

#include <functional>
#include <optional>

namespace maskscope::ui {

// "0.5", "1e-4", "−2" (either minus sign), ".5"; nothing else, and finite only.
std::optional<double> parseNumber(QString text);

class NumberField : public QLineEdit {
    Q_OBJECT
public:
    NumberField(Style& style, const QString& name, QWidget* parent);
    // Says what is wrong with a number beside its form, or an empty text.
    void setCheck(std::function<QString(double)> check) { check_ = std::move(check); }
    // Shows a number unless the user is typing one.
    void showNumber(double value);
    void showNote(const QString& note);  // "counting", as a placeholder
    void forget();                       // what was typed and its problem: another tensor is shown
    const QString& problem() const { return problem_; }

signals:
    void entered(double value);  // valid, by Enter or on leaving the box
    void problemChanged(const QString& problem);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void judge();
    void finish();
    void setProblem(const QString& problem);

    std::function<QString(double)> check_;
    QString problem_;
    QString shown_;
};

}  // namespace maskscope::ui
