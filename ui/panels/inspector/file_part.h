// SPDX-License-Identifier: GPL-3.0-or-later
// Where the tensor comes from: path, key, format, and what the file says of itself.
#pragma once

#include "ui/panels/inspector/inspector_part.h"

namespace maskscope::ui {

class Section;

class FilePart : public InspectorPart {
    Q_OBJECT
public:
    FilePart(Session& session, Style& style, QWidget* parent);
    void refresh(Change change) override;

private:
    FactRow* add(const QString& name, const QString& value);

    Section* section_;
    QWidget* facts_ = nullptr;
};

}  // namespace maskscope::ui
