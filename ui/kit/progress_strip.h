// SPDX-License-Identifier: GPL-3.0-or-later
// Long work in one line: name, bar of 4 px, percent or n/m, cancel.
#pragma once

#include "ui/kit/style.h"

#include <QWidget>

#include <cstdint>

class QLabel;

namespace maskscope::ui {

class ProgressStrip : public QWidget {
    Q_OBJECT
public:
    explicit ProgressStrip(Style& style, QWidget* parent = nullptr);
    // total 0: unknown, the bar shows a part of its groove only.
    void show(const QString& title, std::int64_t done, std::int64_t total);
    using QWidget::show;

signals:
    void cancelled();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QRect bar() const;
    Style& style_;
    QLabel* title_;
    QWidget* bar_space_;
    QLabel* amount_;
    std::int64_t done_ = 0;
    std::int64_t total_ = 0;
};

}  // namespace maskscope::ui
