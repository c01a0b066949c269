// SPDX-License-Identifier: GPL-3.0-or-later
// What can be set of the tool in hand, and nothing else.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;
class QVBoxLayout;

namespace maskscope::ui {

class PanelHeader;
class Segmented;
class ValueSlider;

class ToolOptions : public QWidget {
    Q_OBJECT
public:
    ToolOptions(Session& session, Style& style, QWidget* parent = nullptr);
    void setEntry(EntryId id);

    QComboBox* label() const { return label_; }
    ValueSlider* size() const { return size_; }
    using QWidget::size;
    QCheckBox* emptyOnly() const { return empty_only_; }

private:
    void build();
    QWidget* addRow(const QString& word, QWidget* control);
    void change(const std::function<void(ToolState&)>& what);
    void fillLabels();
    void chooseLabel(int row);
    void refresh();

    Session& session_;
    Style& style_;
    EntryId id_ = EntryId::none;
    PanelHeader* header_;
    QLabel* key_;
    QVBoxLayout* rows_;
    QComboBox* label_;
    ValueSlider* value_;
    Segmented* shape_;
    ValueSlider* size_;
    Segmented* fill_by_;
    ValueSlider* tolerance_;
    Segmented* neighbours_;
    QSpinBox* lower_;
    QSpinBox* upper_;
    QCheckBox* anywhere_;
    QCheckBox* empty_only_;
    QLabel* hint_;
    QWidget* label_row_;
    QWidget* value_row_;
    QWidget* shape_row_;
    QWidget* size_row_;
    QWidget* fill_by_row_;
    QWidget* tolerance_row_;
    QWidget* neighbours_row_;
    QWidget* lower_row_;
    QWidget* upper_row_;
};

}  // namespace maskscope::ui
