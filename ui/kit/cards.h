// SPDX-License-Identifier: GPL-3.0-or-later
// What stands where there is nothing to show, something failed, or a choice is due.
#pragma once

#include "ui/kit/style.h"

#include <QFrame>

#include <functional>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace maskscope::ui {

class EmptyCard : public QWidget {
    Q_OBJECT
public:
    EmptyCard(Style& style, const QString& icon, const QString& title, const QString& what_to_do,
              QWidget* parent = nullptr);
    QPushButton* addButton(const QString& text, const std::function<void()>& clicked);
    void setTexts(const QString& title, const QString& what_to_do);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Style& style_;
    QLabel* title_;
    QLabel* what_;
    QHBoxLayout* buttons_;
};

class ErrorCard : public QWidget {
    Q_OBJECT
public:
    ErrorCard(Style& style, const QString& title, const QString& cause, const QString& hint, QWidget* parent = nullptr);
    QPushButton* addButton(const QString& text, const std::function<void()>& clicked);
    void setTexts(const QString& title, const QString& cause, const QString& hint);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Style& style_;
    QLabel* title_;
    QLabel* text_;
    QHBoxLayout* buttons_;
};

// A strip of 32 px in place, with its choices as links.
class WarnStrip : public QWidget {
    Q_OBJECT
public:
    enum class Tone { warn, ok, info, error };

    WarnStrip(Style& style, const QString& text, Tone tone = Tone::warn, QWidget* parent = nullptr);
    QPushButton* addLink(const QString& text, const std::function<void()>& clicked);
    void setText(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Style& style_;
    Tone tone_;
    QLabel* text_;
    QHBoxLayout* links_;
};

}  // namespace maskscope::ui
