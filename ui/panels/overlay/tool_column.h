// SPDX-License-Identifier: GPL-3.0-or-later
// The tools at the left of the image, one above the other; below them what switches the layers.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

#include <map>

class QToolButton;

namespace maskscope::ui {

class ToolColumn : public QWidget {
    Q_OBJECT
public:
    ToolColumn(Session& session, Style& style, QWidget* parent = nullptr);
    void setEntry(EntryId id);
    QToolButton* button(Tool tool) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    Session& session_;
    Style& style_;
    EntryId id_ = EntryId::none;
    std::map<Tool, QToolButton*> buttons_;
    QToolButton* hide_;
};

// Whether the tool can do anything over this image: tools that look at pixels want some, those for attention a mask of
// attention, all but the hand a layer.
bool toolWorks(const Session& session, EntryId image, Tool tool);

}  // namespace maskscope::ui
