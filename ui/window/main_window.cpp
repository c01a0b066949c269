// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/canvas/heatmap_canvas.h"
#include "ui/canvas/image_canvas.h"
#include "ui/kit/tool_button.h"
#include "ui/panels/labels/labels_panel.h"
#include "ui/panels/overlay/overlay_panel.h"
#include "ui/panels/workspace/workspace_panel.h"
#include "ui/session/cell_readout.h"
#include "ui/window/actions/edit_actions.h"
#include "ui/window/actions/file_actions.h"
#include "ui/window/actions/help_actions.h"
#include "ui/window/actions/mask_file_actions.h"
#include "ui/window/actions/tensor_actions.h"
#include "ui/window/actions/tool_actions.h"
#include "ui/window/actions/view_actions.h"
#include "ui/window/command_palette.h"
#include "ui/window/dock_grip.h"
#include "ui/window/document_area.h"
#include "ui/window/leave_question.h"
#include "ui/window/open_paths.h"
#include "ui/window/panel_list.h"
#include "ui/window/search_field.h"
#include "ui/window/status_strip.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QToolBar>
#include <QUrl>

namespace maskscope::ui {

namespace {

QStringList localFiles(const QMimeData& data) {
    QStringList paths;
    for (const QUrl& url : data.urls()) {
        if (url.isLocalFile()) paths << url.toLocalFile();
    }
    return paths;
}

// The actions of a menu and its submenus, each knowing the menu's name for the palette.
void collect(const QMenu& menu, const QString& name, QList<QAction*>& into) {
    for (QAction* action : menu.actions()) {
        if (action->isSeparator() || !action->isVisible()) continue;
        if (action->menu() != nullptr) {
            collect(*action->menu(), name + QStringLiteral(" › ") + action->text().remove(QLatin1Char('&')), into);
        } else {
            action->setProperty("menu", name);
            into << action;
        }
    }
}

}  // namespace

MainWindow::MainWindow(Session& session, Style& style, QWidget* parent)
    : QMainWindow(parent),
      session_(session),
      style_(style),
      area_(new DocumentArea(session, style)),
      status_(new StatusStrip(session, style)) {
    setWindowTitle(QStringLiteral("Maskscope"));
    setAcceptDrops(true);
    setDockOptions(QMainWindow::AnimatedDocks);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setCentralWidget(area_);
    buildDocks();
    palette_ = new CommandPalette(
        session_, style_, [this] { return allActions(); }, this);
    buildMenus();
    buildToolBar();
    setStatusBar(status_);
    connect(&session_, &Session::currentChanged, this, &MainWindow::showTitle);
    const auto look = [this] {
        if (auto* canvas = area_->canvas()) canvas->setFocus();
        if (auto* image = area_->imageCanvas()) image->setFocus();
    };
    connect(area_, &DocumentArea::canvasCreated, this, &MainWindow::followImage);
    connect(&session_, &Session::currentChanged, this, &MainWindow::showRelevantDocks);
    connect(&session_, &Session::documentChanged, this, &MainWindow::showRelevantDocks);
    connect(&session_.edits(), &EditSession::failed, status_, &StatusStrip::say);
    connect(&session_.edits(), &EditSession::savedChanged, this, &MainWindow::showTitle);
    connect(area_, &DocumentArea::canvasCreated, this, look);
    connect(palette_, &CommandPalette::wentThere, this, look);
    connect(area_, &DocumentArea::goToRequested, this, [this] { palette_->open(QStringLiteral("[")); });
    style_.follow(this, [this] { scale(); });
    showTitle();
    showRelevantDocks();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildDocks() {
    for (const auto& spec : panelList()) {
        auto* dock = new QDockWidget(QCoreApplication::translate("panels", spec.title), this);
        dock->setObjectName(QString::fromLatin1(spec.id));
        dock->setTitleBarWidget(new QWidget(dock));  // the panel brings its own header
        dock->setFeatures(QDockWidget::DockWidgetClosable);
        dock->setWidget(spec.factory(session_, style_));
        addDockWidget(spec.area, dock);
        new DockGrip(this, dock);
        connect(dock->toggleViewAction(), &QAction::triggered, this, [this, dock](bool shown) {
            if (shown)
                unwanted_.remove(dock);
            else
                unwanted_.insert(dock);
        });
        docks_ << dock;
        if (auto* workspace = qobject_cast<WorkspacePanel*>(dock->widget())) {
            connect(workspace, &WorkspacePanel::openRequested, area_, &DocumentArea::openRequested);
        }
        if (auto* labels = qobject_cast<LabelsPanel*>(dock->widget())) {
            connect(labels, &LabelsPanel::failed, status_, &StatusStrip::say);
            connect(labels, &LabelsPanel::zoomRequested, this, [this](const mask::Rect& cells) {
                if (auto* image = area_->imageCanvas()) image->zoomTo(cells);
            });
        }
    }
}

// What the cursor is over goes to the status strip and to the table of labels.
void MainWindow::followImage() {
    auto* panel = area_->overlay();
    if (panel == nullptr || following_) return;
    following_ = true;
    status_->setImageCanvas(panel->canvas());
    auto* labels = findChild<LabelsPanel*>();
    connect(panel->canvas(), &ImageCanvas::underChanged, labels, [this, labels, canvas = panel->canvas()] {
        const auto* state = session_.overlay(session_.current());
        const auto under = canvas->under();
        std::optional<double> label;
        if (state != nullptr && under) {
            for (const auto& hit : under->labels) {
                if (hit.layer == state->active) label = hit.label;
            }
        }
        labels->setUnder(label);
    });
}

void MainWindow::showRelevantDocks() {
    const bool image = session_.showsAsImage(session_.current());
    for (qsizetype i = 0; i < docks_.size(); ++i) {
        if (panelList()[static_cast<std::size_t>(i)].images_only)
            docks_[i]->setVisible(image && !unwanted_.contains(docks_[i]));
    }
}

void MainWindow::buildMenus() {
    const ActionContext context{session_, style_, *this, *area_, *status_};
    file_ = new FileActions(context, this);
    edit_ = new EditActions(context, this);
    view_ = new ViewActions(context, docks_, this);
    tensor_ = new TensorActions(context, this);
    tools_ = new ToolActions(context, this);
    masks_ = new MaskFileActions(context, this);
    help_ = new HelpActions(context, this);
    connect(tensor_, &TensorActions::goToRequested, this, [this] { palette_->open(QStringLiteral("[")); });
    auto* files = menuBar()->addMenu(tr("&File"));
    file_->fillOpen(*files);
    files->addSeparator();
    masks_->fillFile(*files);
    files->addSeparator();
    file_->fillExport(*files);
    edit_->fill(*menuBar()->addMenu(tr("&Edit")));
    view_->fill(*menuBar()->addMenu(tr("&View")));
    tensor_->fill(*menuBar()->addMenu(tr("&Tensor")));
    auto* masks = menuBar()->addMenu(tr("&Mask"));
    masks_->fillMask(*masks);
    masks->addSeparator();
    tools_->fill(*masks);
    help_->fill(*menuBar()->addMenu(tr("&Help")));
    title_ = new QLabel(menuBar());
    title_->setProperty("tone", "text2");
    menuBar()->setCornerWidget(title_);
}

void MainWindow::buildToolBar() {
    auto* bar = new QToolBar(tr("Main toolbar"), this);
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->toggleViewAction()->setVisible(false);
    addToolBar(bar);
    // One widget with a layout of its own: QToolBar's leaves no say in heights and gaps.
    auto* strip = new QWidget;
    strip->setProperty("surface", "bar");
    strip->setAttribute(Qt::WA_StyledBackground);
    strip->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(strip);
    row->addWidget(new ToolButton(style_, file_->open(), false));
    row->addWidget(new ToolButton(style_, masks_->save(), false));
    row->addWidget(new ToolButton(style_, file_->exportView(), false));
    auto* first = new QFrame;
    first->setProperty("surface", "line");
    row->addWidget(first);
    row->addWidget(new ToolButton(style_, edit_->undo(), false));
    row->addWidget(new ToolButton(style_, edit_->redo(), false));
    auto* line = new QFrame;
    line->setProperty("surface", "line");
    row->addWidget(line);
    row->addWidget(new ToolButton(style_, view_->link(), true));
    row->addWidget(new ToolButton(style_, view_->crosshair(), true));
    row->addStretch(1);
    auto* search = new SearchField(style_, tr("Go to tensor, cell or command"), tr("Ctrl+K"));
    row->addWidget(search);
    row->addWidget(new ToolButton(style_, view_->theme(), false));
    bar->addWidget(strip);
    auto* find = new QAction(tr("Go to tensor, cell or command"), this);
    find->setShortcut(tr("Ctrl+K"));
    addAction(find);
    const auto open = [this] { palette_->open(); };
    connect(find, &QAction::triggered, this, open);
    connect(search, &SearchField::clicked, this, open);
    style_.follow(bar, [this, bar, strip, row, first, line, search] {
        bar->setFixedHeight(style_.px(40));
        strip->setFixedHeight(style_.px(40));
        row->setContentsMargins(style_.px(10), 0, style_.px(10), 1);
        row->setSpacing(style_.px(4));
        for (auto* divider : {first, line}) divider->setFixedSize(style_.px(1), style_.px(20));
        search->setFixedWidth(style_.px(280));
    });
}

void MainWindow::scale() {
    menuBar()->setFixedHeight(style_.px(28));
    title_->setContentsMargins(0, 0, style_.px(16), 0);
    title_->setFixedHeight(style_.px(28));
    setMinimumSize(1120, 720);
    QList<QDockWidget*> sides;
    QList<int> widths;
    for (qsizetype i = 0; i < docks_.size(); ++i) {
        const auto& spec = panelList()[static_cast<std::size_t>(i)];
        const int size = style_.px(spec.size);
        if (spec.area == Qt::BottomDockWidgetArea) {
            docks_[i]->setMinimumHeight(style_.px(112));
            resizeDocks({docks_[i]}, {size}, Qt::Vertical);
            continue;
        }
        docks_[i]->setMinimumWidth(size * 3 / 4);
        sides << docks_[i];
        widths << size;
    }
    resizeDocks(sides, widths, Qt::Horizontal);
}

void MainWindow::restoreLayout(const QByteArray& geometry, const QByteArray& docks) {
    if (!geometry.isEmpty()) restoreGeometry(geometry);
    if (!docks.isEmpty()) restoreState(docks);
    showRelevantDocks();
}

void MainWindow::showTitle() {
    const auto* entry = session_.document().find(session_.current());
    const QString file = entry != nullptr ? QFileInfo(textOf(entry->path)).fileName() : QString();
    QStringList words;
    if (const auto msk = session_.edits().sessionFile(); !msk.isEmpty())
        words << QFileInfo(msk).fileName();
    else if (!file.isEmpty())
        words << file;
    if (session_.edits().anyChanged()) words << tr("unsaved changes");
    title_->setText(words.join(QStringLiteral(" · ")));
    title_->setToolTip(entry != nullptr ? textOf(entry->path) : QString());
    setWindowTitle(file.isEmpty() ? QStringLiteral("Maskscope") : file + QStringLiteral(" — Maskscope"));
    menuBar()->setCornerWidget(title_);
    title_->show();
}

QList<QAction*> MainWindow::allActions() const {
    QList<QAction*> actions;
    for (const QAction* top : menuBar()->actions()) {
        if (top->menu() != nullptr) collect(*top->menu(), top->text().remove(QLatin1Char('&')), actions);
    }
    return actions;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!localFiles(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    openPaths(session_, localFiles(*event->mimeData()),
              [this](const Failure& failure) { area_->showFailure(failure); });
}

// Asked once, and only where something would be lost.
bool MainWindow::mayLeave() {
    auto& edits = session_.edits();
    const bool kept = !edits.sessionFile().isEmpty() && edits.sessionSaved();
    if (!edits.anyChanged() || kept) return true;
    switch (askToLeave(session_, style_, this)) {
        case Leave::save:
            return masks_->saveSession(false);
        case Leave::discard:
            return true;
        case Leave::stay:
            break;
    }
    return false;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayLeave()) return event->ignore();
    session_.edits().discardJournal();  // a clean end leaves nothing behind
    emit closing();
    QMainWindow::closeEvent(event);
}

}  // namespace maskscope::ui
