// SPDX-License-Identifier: GPL-3.0-or-later
// One of a few choices, side by side in a frame.
#pragma once

#include "ui/kit/style.h"

#include <QStringList>
#include <QWidget>

class QButtonGroup;

namespace maskscope::ui {

class Segmented : public QWidget {
    Q_OBJECT
public:
    // `name` is what a screen reader says: "Scale".
    Segmented(Style& style, const QString& name, const QStringList& choices, QWidget* parent = nullptr);
    int current() const;
    void setCurrent(int index);  // emits nothing
    void setChoiceEnabled(int index, bool enabled);
    void setChoiceToolTip(int index, const QString& text);

signals:
    void chosen(int index);  // by the user

private:
    QButtonGroup* group_;
};

}  // namespace maskscope::ui
