// SPDX-License-Identifier: GPL-3.0-or-later
// One tensor as the middle of the window shows it: header, strip of slices, picture, profile of a row, legend.
#pragma once

#include "core/render/figure/display_list.h"
#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

class QSplitter;

namespace maskscope::ui {

class HeadStrip;
class HeatmapCanvas;
class LegendStrip;
class RowProfileView;
class ViewHeader;

class AttentionPanel : public QWidget {
    Q_OBJECT
public:
    AttentionPanel(Session& session, Style& style, QWidget* parent = nullptr);

    void setEntry(EntryId id);
    EntryId entry() const { return id_; }
    HeatmapCanvas* canvas() const { return canvas_; }

    // The picture alone, without strip and profile.
    bool isolated() const { return isolated_; }
    void setIsolated(bool isolated);

    // What an export writes, with title, axes and legend, in logical pixels; 0: as large as the picture on the screen.
    // Shows the whole plane, or the cells that the canvas shows when it does not fit them all.
    render::DisplayList figure(double width = 0, double height = 0) const;

signals:
    void exportRequested();

private:
    void showParts();

    Session& session_;
    Style& style_;
    EntryId id_ = EntryId::none;
    bool isolated_ = false;
    ViewHeader* header_;
    HeadStrip* strip_;
    HeatmapCanvas* canvas_;
    RowProfileView* profile_;
    LegendStrip* legend_;
    QSplitter* splitter_;
};

}  // namespace maskscope::ui
