// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/workspace/workspace_panel.h"

#include "ui/kit/tool_button.h"
#include "ui/panels/workspace/thumbnails.h"
#include "ui/panels/workspace/workspace_delegate.h"
#include "ui/panels/workspace/workspace_menu.h"
#include "ui/panels/workspace/workspace_model.h"
#include "ui/panels/workspace/workspace_tree.h"

#include <QActionGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace maskscope::ui {
namespace {

// Folders start open while all their entries together can be read without much scrolling.
constexpr int kOpenFolders = 60;

}  // namespace

WorkspacePanel::WorkspacePanel(Session& session, Style& style, QWidget* parent)
    : QWidget(parent),
      session_(session),
      style_(style),
      model_(new WorkspaceModel(session.document(), this)),
      thumbnails_(new Thumbnails(session, style, this)) {
    setAttribute(Qt::WA_StyledBackground);
    setProperty("surface", "panel");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    buildHeader(layout);
    buildFilter(layout);
    buildEmpty(layout);
    buildTree(layout);
    style.follow(this, [this] { setMinimumWidth(style_.px(200)); });

    rescan_.setSingleShot(true);
    rescan_.setInterval(40);
    connect(&rescan_, &QTimer::timeout, this, &WorkspacePanel::wantThumbnails);
    // Rows that turn out to hold a NaN move to the front once, not under the mouse one by one.
    settle_.setSingleShot(true);
    settle_.setInterval(600);
    connect(&settle_, &QTimer::timeout, this, &WorkspacePanel::rebuild);

    connect(thumbnails_, &Thumbnails::ready, this, [this](EntryId id) {
        const bool nan = thumbnails_->hasNan(id).value_or(false);
        if (nan != model_->hasNan(id)) {
            model_->setHasNan(id, nan);
            settle_.start();
        }
        tree_->viewport()->update();
    });
    connect(&session, &Session::documentChanged, this, &WorkspacePanel::rebuild);
    connect(&session, &Session::currentChanged, this, &WorkspacePanel::showCurrent);
    connect(&session.edits(), &EditSession::savedChanged, this, [this] { tree_->viewport()->update(); });
    rebuild();
}

WorkspacePanel::~WorkspacePanel() = default;

void WorkspacePanel::buildHeader(QVBoxLayout* layout) {
    auto* header = new PanelHeader(style_, tr("Workspace"), this);
    layout->addWidget(header);
    auto* add = new IconButton(style_, QStringLiteral("plus"), tr("Open files"), header);
    header->addWidget(add);
    connect(add, &QToolButton::clicked, this, &WorkspacePanel::openRequested);

    auto* more = new IconButton(style_, QStringLiteral("more"), tr("Arrange the workspace"), header);
    header->addWidget(more);
    auto* menu = new QMenu(more);
    auto* groups = new QActionGroup(menu);
    const auto choice = [&](const QString& text, WorkspaceModel::Grouping grouping) {
        auto* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(model_->grouping() == grouping);
        groups->addAction(action);
        connect(action, &QAction::triggered, this, [this, grouping] {
            model_->setGrouping(grouping);
            rebuild();
        });
    };
    choice(tr("Group by role"), WorkspaceModel::Grouping::role);
    choice(tr("Group by file"), WorkspaceModel::Grouping::file);
    menu->addSeparator();
    connect(menu->addAction(tr("Expand all")), &QAction::triggered, this, [this] {
        opened_.clear();
        closed_.clear();
        tree_->expandAll();
    });
    connect(menu->addAction(tr("Collapse all")), &QAction::triggered, this, [this] { tree_->collapseAll(); });
    more->setMenu(menu);
    more->setPopupMode(QToolButton::InstantPopup);
}

void WorkspacePanel::buildFilter(QVBoxLayout* layout) {
    filter_row_ = new QWidget(this);
    auto* row = new QHBoxLayout(filter_row_);
    filter_ = new QLineEdit(filter_row_);
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setAccessibleName(tr("Filter the workspace by name"));
    filter_->addAction(style_.icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    filter_->installEventFilter(this);
    row->addWidget(filter_);
    layout->addWidget(filter_row_);
    style_.follow(filter_row_, [this, row] {
        row->setContentsMargins(style_.px(8), style_.px(8), style_.px(8), style_.px(4));
        filter_->setFixedHeight(style_.px(24));
    });

    auto* only = filter_->addAction(style_.icon(QStringLiteral("filter")), QLineEdit::TrailingPosition);
    only->setToolTip(tr("Show only some kinds"));
    auto* menu = new QMenu(filter_);
    auto* kinds = new QActionGroup(menu);
    using Only = WorkspaceModel::Only;
    const std::pair<QString, Only> choices[] = {{tr("All"), Only::all},
                                                {tr("Tensors"), Only::tensors},
                                                {tr("Masks"), Only::masks},
                                                {tr("Labels"), Only::labels},
                                                {tr("Seen to hold NaN"), Only::with_nan}};
    for (const auto& [text, kind] : choices) {
        auto* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(kind == Only::all);
        kinds->addAction(action);
        connect(action, &QAction::triggered, this, [this, which = kind] {
            only_ = which;
            filter_->setPlaceholderText(which == Only::all ? tr("Filter") : tr("Filter (some kinds are hidden)"));
            model_->setFilter(filter_->text(), only_);
            rebuild();
        });
    }
    connect(only, &QAction::triggered, this, [this, menu] {
        menu->popup(filter_->mapToGlobal(QPoint(filter_->width() - style_.px(24), filter_->height())));
    });
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& words) {
        model_->setFilter(words, only_);
        rebuild();
    });
}

// One quiet line: the centre of the window says what to do.
void WorkspacePanel::buildEmpty(QVBoxLayout* layout) {
    empty_ = new QLabel(tr("Nothing is open"), this);
    empty_->setProperty("tone", "text3");
    empty_->setAlignment(Qt::AlignTop);
    layout->addWidget(empty_, 1);
    style_.follow(empty_, [this] { empty_->setContentsMargins(style_.px(12), style_.px(8), style_.px(12), 0); });
}

void WorkspacePanel::buildTree(QVBoxLayout* layout) {
    tree_ = new WorkspaceTree(this);
    tree_->setModel(model_);
    tree_->setItemDelegate(new WorkspaceDelegate(session_, style_, *model_, *thumbnails_, tree_));
    tree_->setContextMenuPolicy(Qt::CustomContextMenu);
    tree_->installEventFilter(this);
    layout->addWidget(tree_, 1);
    style_.follow(tree_, [this] { tree_->doItemsLayout(); });

    connect(tree_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (model_->kind(index) == WorkspaceModel::Kind::entry) {
            activate(index);
        } else {
            tree_->setExpanded(index, !tree_->isExpanded(index));
        }
    });
    const auto remember = [this](const QModelIndex& index, bool open) {
        if (restoring_ || model_->filtered()) return;
        (open ? opened_ : closed_).insert(model_->key(index));
        (open ? closed_ : opened_).remove(model_->key(index));
        rescan_.start();
    };
    connect(tree_, &QTreeView::expanded, this, [remember](const QModelIndex& index) { remember(index, true); });
    connect(tree_, &QTreeView::collapsed, this, [remember](const QModelIndex& index) { remember(index, false); });
    connect(tree_->verticalScrollBar(), &QScrollBar::valueChanged, &rescan_, qOverload<>(&QTimer::start));
    connect(tree_, &QTreeView::customContextMenuRequested, this, [this](QPoint at) {
        const auto index = tree_->indexAt(at);
        if (index.isValid()) popUp(index, at);
    });
}

std::unique_ptr<QMenu> WorkspacePanel::menuOf(EntryId id) {
    return menu_of_entry(session_, id);
}

void WorkspacePanel::popUp(const QModelIndex& index, QPoint at) {
    auto menu = model_->kind(index) == WorkspaceModel::Kind::entry ? menuOf(model_->id(index))
                                                                   : menu_of_file(session_, model_->path(index));
    if (menu->isEmpty()) return;
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu.release()->popup(tree_->viewport()->mapToGlobal(at));
}

void WorkspacePanel::activate(const QModelIndex& index) {
    const auto* entry = session_.document().find(model_->id(index));
    if (entry == nullptr) return;
    // Labels have no picture of their own; what one can do with them is to give them to a tensor.
    if (entry->item.labels) {
        popUp(index, tree_->visualRect(index).center());
    } else {
        session_.show(entry->id);
    }
}

void WorkspacePanel::rebuild() {
    const int scrolled = tree_->verticalScrollBar()->value();
    if (model_->rebuild() || !laid_out_) {
        laid_out_ = true;
        restoreExpansion();
        tree_->setCurrentIndex(model_->indexOf(session_.current()));
        tree_->verticalScrollBar()->setValue(scrolled);
    }
    const bool nothing = session_.document().entries().empty();
    empty_->setVisible(nothing);
    tree_->setVisible(!nothing);
    filter_row_->setVisible(!nothing);
    tree_->viewport()->update();
    rescan_.start();
}

void WorkspacePanel::restoreExpansion() {
    restoring_ = true;
    std::vector<QModelIndex> stack{QModelIndex()};
    while (!stack.empty()) {
        const auto at = stack.back();
        stack.pop_back();
        for (int row = 0; row < model_->rowCount(at); ++row) {
            const auto child = model_->index(row, 0, at);
            if (model_->kind(child) == WorkspaceModel::Kind::entry) continue;
            const auto key = model_->key(child);
            const bool open =
                model_->filtered() || (!closed_.contains(key) &&
                                       (model_->kind(child) == WorkspaceModel::Kind::group || opened_.contains(key) ||
                                        static_cast<int>(session_.document().entries().size()) <= kOpenFolders));
            tree_->setExpanded(child, open);
            stack.push_back(child);
        }
    }
    restoring_ = false;
}

void WorkspacePanel::showCurrent() {
    const auto index = model_->indexOf(session_.current());
    if (index.isValid()) {
        tree_->setCurrentIndex(index);
        tree_->scrollTo(index);
    }
    tree_->viewport()->update();
}

void WorkspacePanel::wantThumbnails() {
    QList<EntryId> visible;
    if (tree_->isVisible()) {
        const int bottom = tree_->viewport()->height();
        for (auto index = tree_->indexAt({0, 0}); index.isValid(); index = tree_->indexBelow(index)) {
            if (tree_->visualRect(index).top() > bottom) break;
            if (const auto id = model_->id(index); id != EntryId::none) visible << id;
        }
    }
    thumbnails_->want(visible);
}

bool WorkspacePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == tree_ && (event->type() == QEvent::Resize || event->type() == QEvent::Show)) rescan_.start();
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (watched == filter_ && key->key() == Qt::Key_Down) {
            tree_->setFocus(Qt::TabFocusReason);
            return true;
        }
        if (watched == filter_ && key->key() == Qt::Key_Escape && !filter_->text().isEmpty()) {
            filter_->clear();
            return true;
        }
        if (watched == tree_ && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
            const auto index = tree_->currentIndex();
            if (index.isValid() && model_->kind(index) == WorkspaceModel::Kind::entry) activate(index);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace maskscope::ui
