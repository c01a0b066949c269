// SPDX-License-Identifier: GPL-3.0-or-later
// Exact facts of the slice shown: range of the visible values, cells by state. While they are counted it says so.
#pragma once

#include "ui/panels/inspector/inspector_part.h"

#include <map>

namespace maskscope::ui {

class Section;

class StatisticsPart : public InspectorPart {
    Q_OBJECT
public:
    StatisticsPart(Session& session, Style& style, QWidget* parent);
    void refresh(Change change) override;
    QString countText(render::CellState state) const { return counts_.at(state)->value(); }

private:
    Section* section_;
    FactRow* min_;
    FactRow* max_;
    FactRow* subnormal_ = nullptr;
    std::map<render::CellState, FactRow*> counts_;
};

}  // namespace maskscope::ui
