// SPDX-License-Identifier: GPL-3.0-or-later
// Everything about the tensor that is shown: dimensions, colour, mask, the cell under the cursor, statistics, file.
// Brings its own 32 px header, so the dock that holds it shows no title bar of its own.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

#include <vector>

namespace maskscope::ui {

class InspectorPart;
enum class Change;

class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    InspectorPanel(Session& session, Style& style, QWidget* parent = nullptr);
    ~InspectorPanel() override;

private:
    void showEntry(EntryId id);
    void refresh(Change change);
    bool isNewView();

    Session& session_;
    Style& style_;
    QWidget* content_ = nullptr;
    QWidget* nothing_ = nullptr;
    // A part with the line below it; some are for tensors, some for images.
    struct Place {
        InspectorPart* part;
        QWidget* line;
        bool tensors;
        bool images;
    };
    static bool isShown(const Place& place, bool image) { return image ? place.images : place.tensors; }
    std::vector<Place> parts_;
    ViewState seen_;  // without viewport and cursor
};

}  // namespace maskscope::ui
