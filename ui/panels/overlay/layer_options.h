// SPDX-License-Identifier: GPL-3.0-or-later
// How the active layer is drawn: hatch; for shares, where they become a mask; for another size, how it is brought to
// the image's; and what a wipe or flicker compares it with.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace maskscope::ui {

class ValueSlider;

class LayerOptions : public QWidget {
    Q_OBJECT
public:
    LayerOptions(Session& session, Style& style, QWidget* parent = nullptr);
    void setEntry(EntryId id);
    ValueSlider* threshold() const { return threshold_; }

private:
    void change(const std::function<void(LayerState&)>& what);
    void refresh();

    Session& session_;
    Style& style_;
    EntryId id_ = EntryId::none;
    QComboBox* hatch_;
    ValueSlider* threshold_;
    QComboBox* resize_;
    QComboBox* with_;
    QLabel* resize_about_;
    QWidget* hatch_row_;
    QWidget* threshold_row_;
    QWidget* resize_row_;
    QWidget* with_row_;
};

}  // namespace maskscope::ui
