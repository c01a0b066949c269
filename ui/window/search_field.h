// SPDX-License-Identifier: GPL-3.0-or-later
// Looks like a search box and opens the command palette.
#pragma once

#include "ui/kit/style.h"

#include <QAbstractButton>

namespace maskscope::ui {

class SearchField : public QAbstractButton {
    Q_OBJECT
public:
    SearchField(Style& style, const QString& text, const QString& shortcut, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Style& style_;
    QString shortcut_;
};

}  // namespace maskscope::ui
