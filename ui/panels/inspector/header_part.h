// SPDX-License-Identifier: GPL-3.0-or-later
// What is looked at: name, role, dtype, shape, bytes, where its bytes are.
#pragma once

#include "ui/panels/inspector/inspector_part.h"

namespace maskscope::ui {

class BadgeLabel;

class HeaderPart : public InspectorPart {
    Q_OBJECT
public:
    HeaderPart(Session& session, Style& style, QWidget* parent);
    void refresh(Change change) override;

private:
    ElidedLabel* name_;
    BadgeLabel* role_;
    BadgeLabel* dtype_;
    ElidedLabel* shape_;
    ElidedLabel* bytes_;
    ElidedLabel* where_;
};

}  // namespace maskscope::ui
