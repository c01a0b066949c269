// SPDX-License-Identifier: GPL-3.0-or-later
// A collapsible part of a panel with a header of 28 px.
#pragma once

#include "ui/kit/style.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace maskscope::ui {

class Section : public QWidget {
    Q_OBJECT
public:
    Section(Style& style, const QString& title, QWidget* parent = nullptr);
    QVBoxLayout* body() const { return body_layout_; }
    bool expanded() const;
    void setExpanded(bool expanded);
    void setTitle(const QString& title);
    void addHeaderWidget(QWidget* widget);  // at the right end of the header

signals:
    void expandedChanged(bool expanded);

private:
    Style& style_;
    QToolButton* toggle_;
    QHBoxLayout* header_;
    QWidget* body_;
    QVBoxLayout* body_layout_;
};

}  // namespace maskscope::ui
