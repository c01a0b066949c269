// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/actions/view_actions.h"

#include "ui/canvas/heatmap_canvas.h"
#include "ui/canvas/image_canvas.h"
#include "ui/window/document_area.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>

namespace maskscope::ui {

namespace {

constexpr int kSizes[] = {80, 90, 100, 110, 125, 150, 175, 200, 250};

}  // namespace

ViewActions::ViewActions(const ActionContext& context, const QList<QDockWidget*>& docks, QObject* parent)
    : QObject(parent), context_(context), docks_(docks) {
    buildLook();
    buildZoom();
    connect(&context_.session, &Session::currentChanged, this, &ViewActions::enable);
    connect(&context_.area, &DocumentArea::canvasCreated, this, &ViewActions::enable);
    context_.style.follow(this, [this] { followStyle(); });
    enable();
}

void ViewActions::buildLook() {
    auto& style = context_.style;
    const auto theme = [&style](render::ThemeId id) { return [&style, id] { style.setTheme(id); }; };
    light_ = makeAction(context_, {}, tr("&Light"), {}, theme(render::ThemeId::light));
    dark_ = makeAction(context_, {}, tr("&Dark"), {}, theme(render::ThemeId::dark));
    toggle_theme_ = makeAction(context_, QStringLiteral("moon"), tr("Change theme"), tr("Ctrl+Shift+T"), [&style] {
        style.setTheme(style.themeId() == render::ThemeId::dark ? render::ThemeId::light : render::ThemeId::dark);
    });
    auto* themes = new QActionGroup(this);
    auto* sizes = new QActionGroup(this);
    for (auto* action : {light_, dark_}) {
        action->setCheckable(true);
        themes->addAction(action);
    }
    for (const int percent : kSizes) {
        auto* action = makeAction(context_, {}, QStringLiteral("%1 %").arg(percent), {},
                                  [&style, percent] { style.setInterfaceSize(percent); });
        action->setCheckable(true);
        action->setData(percent);
        sizes->addAction(action);
        sizes_ << action;
    }
}

void ViewActions::buildZoom() {
    const auto onCanvas = [this](auto act) {
        return [this, act] {
            if (auto* canvas = context_.area.canvas()) act(*canvas);
            if (auto* image = context_.area.imageCanvas()) act(*image);
        };
    };
    zoom_ << makeAction(context_, QStringLiteral("fit"), tr("&Fit"), tr("Ctrl+F"),
                        onCanvas([](auto& canvas) { canvas.fit(); }));
    zoom_ << makeAction(context_, {}, tr("&One pixel a cell"), tr("Ctrl+0"),
                        onCanvas([](auto& canvas) { canvas.setPitch(1); }));
    zoom_ << makeAction(context_, QStringLiteral("plus"), tr("Zoom &in"), QKeySequence::ZoomIn,
                        onCanvas([](auto& canvas) { canvas.zoom(1); }));
    zoom_ << makeAction(context_, QStringLiteral("minus"), tr("Zoom o&ut"), QKeySequence::ZoomOut,
                        onCanvas([](auto& canvas) { canvas.zoom(-1); }));
    zoom_[2]->setShortcuts({QKeySequence(tr("Ctrl++")), QKeySequence(tr("Ctrl+="))});
    crosshair_ = makeAction(context_, QStringLiteral("cross"), tr("&Crosshair"), tr("Ctrl+Shift+X"), [this] {
        if (auto* canvas = context_.area.canvas()) canvas->setCrosshair(crosshair_->isChecked());
    });
    crosshair_->setCheckable(true);
    crosshair_->setChecked(true);
    link_ = makeAction(context_, QStringLiteral("link"), tr("Lin&k cursors and views"), tr("Ctrl+Shift+L"),
                       [this] { context_.session.setLinked(link_->isChecked()); });
    link_->setIconText(tr("Link cursors"));
    link_->setCheckable(true);
    link_->setChecked(context_.session.linked());
    connect(&context_.area, &DocumentArea::canvasCreated, this, [this] {
        if (auto* canvas = context_.area.canvas()) canvas->setCrosshair(crosshair_->isChecked());
    });
}

void ViewActions::fill(QMenu& menu) {
    auto* theme = menu.addMenu(tr("&Theme"));
    theme->addAction(light_);
    theme->addAction(dark_);
    theme->addSeparator();
    theme->addAction(toggle_theme_);
    auto* size = menu.addMenu(tr("Interface &size"));
    size->addActions(sizes_);
    menu.addSeparator();
    menu.addActions(zoom_);
    menu.addSeparator();
    menu.addAction(crosshair_);
    menu.addAction(link_);
    menu.addSeparator();
    for (auto* dock : docks_) menu.addAction(dock->toggleViewAction());
}

void ViewActions::enable() {
    const bool shown = context_.session.current() != EntryId::none;
    for (auto* action : std::as_const(zoom_)) action->setEnabled(shown);
}

void ViewActions::followStyle() {
    const bool dark = context_.style.themeId() == render::ThemeId::dark;
    light_->setChecked(!dark);
    dark_->setChecked(dark);
    toggle_theme_->setIcon(context_.style.icon(dark ? QStringLiteral("moon") : QStringLiteral("sun")));
    for (auto* action : std::as_const(sizes_)) {
        action->setChecked(action->data().toInt() == context_.style.interfaceSize());
    }
}

}  // namespace maskscope::ui
