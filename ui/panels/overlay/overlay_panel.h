// SPDX-License-Identifier: GPL-3.0-or-later
// One image with its masks as the middle of the window shows it: header, tools, picture, options of the tool, loupe.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

namespace maskscope::ui {

class CountStrip;
class IconButton;
class ImageCanvas;
class LayerList;
class LayerOptions;
class Loupe;
class OverlayHeader;
class ToolColumn;
class ToolOptions;

class OverlayPanel : public QWidget {
    Q_OBJECT
public:
    OverlayPanel(Session& session, Style& style, QWidget* parent = nullptr);
    void setEntry(EntryId id);
    EntryId entry() const { return id_; }
    ImageCanvas* canvas() const { return canvas_; }

    OverlayHeader* header() const { return header_; }
    ToolColumn* tools() const { return tools_; }
    ToolOptions* options() const { return options_; }
    LayerOptions* layerOptions() const { return layer_options_; }
    CountStrip* counts() const { return counts_; }
    Loupe* loupe() const { return loupe_; }

signals:
    void exportRequested();
    void newMaskRequested();

private:
    QWidget* buildSide();
    void showLoupe();

    Session& session_;
    Style& style_;
    EntryId id_ = EntryId::none;
    OverlayHeader* header_;
    ToolColumn* tools_;
    ImageCanvas* canvas_;
    ToolOptions* options_;
    Loupe* loupe_;
    QWidget* loupe_box_ = nullptr;
    IconButton* loupe_pin_ = nullptr;
    LayerList* layers_;
    LayerOptions* layer_options_;
    CountStrip* counts_;
};

}  // namespace maskscope::ui
