// SPDX-License-Identifier: GPL-3.0-or-later
// The mask over the tensor: which, how it is meant, how it looks, and how its axes lie on the tensor's.
#pragma once

#include "ui/panels/inspector/inspector_part.h"

class QCheckBox;
class QSlider;

namespace maskscope::ui {

class ErrorCard;
class MaskCombo;
class Section;
class Segmented;
class WarnStrip;

class MaskPart : public InspectorPart {
    Q_OBJECT
public:
    MaskPart(Session& session, Style& style, QWidget* parent);
    void refresh(Change change) override;

    MaskCombo* mask() const { return mask_; }
    Segmented* convention() const { return convention_; }
    Segmented* look() const { return look_; }
    QSlider* opacity() const { return opacity_; }

private:
    void buildLooks();
    void listMasks();
    void showFit();
    void showProposal();

    Section* section_;
    MaskCombo* mask_;
    QWidget* details_;  // what makes sense with a mask only
    Segmented* convention_ = nullptr;
    QLabel* guess_ = nullptr;
    Segmented* look_ = nullptr;
    QCheckBox* outline_ = nullptr;
    QSlider* opacity_ = nullptr;
    QLabel* percent_ = nullptr;
    QLabel* axes_ = nullptr;
    ErrorCard* misfit_ = nullptr;
    QLabel* none_ = nullptr;
    WarnStrip* proposal_ = nullptr;
};

}  // namespace maskscope::ui
