// SPDX-License-Identifier: GPL-3.0-or-later
// "Visible" in the colours of a pass, "Hidden" in grey: hiding a cell is no fault.
#pragma once

#include "ui/kit/style.h"

#include <QWidget>

namespace maskscope::ui {

class VerdictStrip : public QWidget {
    Q_OBJECT
public:
    VerdictStrip(Style& style, QWidget* parent);
    void setVerdict(bool visible, const QString& text);
    const QString& text() const { return text_; }
    bool saysVisible() const { return visible_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Style& style_;
    QString text_;
    bool visible_ = true;
};

}  // namespace maskscope::ui
