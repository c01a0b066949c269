// SPDX-License-Identifier: GPL-3.0-or-later
// The cell under the cursor: its value, bits, index, tokens, and what the mask says of it.
#pragma once

#include "ui/panels/inspector/inspector_part.h"

namespace maskscope::ui {

class BadgeLabel;
class IconButton;
class Section;
class StateSwatch;
class VerdictStrip;
struct CellReadout;

class CellPart : public InspectorPart {
    Q_OBJECT
public:
    CellPart(Session& session, Style& style, QWidget* parent);
    void refresh(Change change) override;

private:
    void build();
    void show(const CellReadout& readout);

    Section* section_;
    IconButton* copy_;
    QLabel* hint_;
    QWidget* details_;
    StateSwatch* swatch_ = nullptr;
    ElidedLabel* value_ = nullptr;
    ElidedLabel* tokens_ = nullptr;
    ElidedLabel* bits_ = nullptr;
    ElidedLabel* dtype_ = nullptr;
    FactRow* state_ = nullptr;
    FactRow* index_ = nullptr;
    FactRow* row_ = nullptr;
    FactRow* col_ = nullptr;
    FactRow* mask_ = nullptr;
    BadgeLabel* convention_ = nullptr;
    VerdictStrip* verdict_ = nullptr;
};

}  // namespace maskscope::ui
