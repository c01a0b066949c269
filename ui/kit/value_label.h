// SPDX-License-Identifier: GPL-3.0-or-later
// A number that changes: mono, right-aligned, as wide as its widest text, so that nothing moves.
#pragma once

#include "ui/kit/style.h"

#include <QLabel>

namespace maskscope::ui {

class ValueLabel : public QLabel {
    Q_OBJECT
public:
    // `widest` is a sample such as "−0.0000e−00".
    ValueLabel(Style& style, const QString& widest, QWidget* parent = nullptr);
    void setWidest(const QString& widest);

private:
    void fix();
    Style& style_;
    QString widest_;
};

}  // namespace maskscope::ui
