// SPDX-License-Identifier: GPL-3.0-or-later
// The middle of the window: tabs of open tensors over the view of the current one; a card when there is nothing to show
// and one for each thing that failed.
#pragma once

#include "core/render/figure/display_list.h"
#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

#include <optional>

class QStackedLayout;
class QVBoxLayout;

namespace maskscope::ui {

class AttentionPanel;
class EmptyCard;
class HeatmapCanvas;
class ImageCanvas;
class Notices;
class OverlayPanel;
class TabBar;

class DocumentArea : public QWidget {
    Q_OBJECT
public:
    DocumentArea(Session& session, Style& style, QWidget* parent = nullptr);

    TabBar* tabs() const { return tabs_; }
    // Null while no tensor is shown.
    HeatmapCanvas* canvas() const;
    // Null while no image is shown.
    ImageCanvas* imageCanvas() const;
    OverlayPanel* overlay() const { return overlay_; }
    Notices* notices() const { return notices_; }
    // What an export writes: the current view as laid out on the screen.
    std::optional<render::DisplayList> figure() const;
    // A card for something that failed in the window itself, until it is dismissed.
    void showFailure(const Failure& failure);

signals:
    void openRequested();
    void sampleRequested();
    void exportRequested();
    void goToRequested();
    void canvasCreated();
    void newMaskRequested();

private:
    void buildTabs();
    void rebuildTabs();
    void rebuildFailures();
    void showCurrent();
    void makeAttention();
    void makeOverlay();
    QWidget* failureCard(const Failure& failure, const std::function<void()>& dismiss);

    Session& session_;
    Style& style_;
    TabBar* tabs_;
    QWidget* tab_row_;
    Notices* notices_;
    QWidget* failures_;
    QVBoxLayout* failure_layout_;
    QList<Failure> own_failures_;
    QStackedLayout* pages_;
    QWidget* empty_;
    // Made with the first tensor, or image: the empty window starts without them.
    AttentionPanel* panel_ = nullptr;
    OverlayPanel* overlay_ = nullptr;
    bool rebuilding_ = false;
};

}  // namespace maskscope::ui
