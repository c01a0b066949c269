// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/actions/tensor_actions.h"

#include "ui/session/cell_readout.h"
#include "ui/window/cell_patterns.h"
#include "ui/window/navigation.h"

#include <QActionGroup>
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>

namespace maskscope::ui {

using render::CellState;
using render::MaskStyle;

TensorActions::TensorActions(const ActionContext& context, QObject* parent)
    : QObject(parent),
      context_(context),
      go_to_(makeAction(context, QStringLiteral("jump"), tr("&Go to cell…"), tr("Ctrl+L"),
                        [this] { emit goToRequested(); })),
      next_head_(step(tr("&Next head"), tr("Ctrl+Down"), 0, 1)),
      previous_head_(step(tr("&Previous head"), tr("Ctrl+Up"), 0, -1)),
      next_outer_(step(tr("Next batch"), tr("Ctrl+Shift+Down"), 1, 1)),
      previous_outer_(step(tr("Previous batch"), tr("Ctrl+Shift+Up"), 1, -1)),
      next_({next(tr("Next &NaN"), tr("F3"), CellState::nan), next(tr("Next +inf"), {}, CellState::posinf),
             next(tr("Next −inf"), {}, CellState::neginf),
             next(tr("Next true &zero"), tr("Shift+F3"), CellState::true_zero),
             next(tr("Next &masked cell"), {}, CellState::masked),
             next(tr("Next &subnormal"), {}, CellState::subnormal)}),
      swap_(makeAction(context, {}, tr("S&wap rows and columns"), tr("Ctrl+T"),
                       [this] { swapRowsAndColumns(context_.session, context_.session.current()); })),
      flip_(makeAction(context, QStringLiteral("compare"), tr("&Flip between the last two"), tr("Ctrl+Tab"),
                       [this] { context_.session.flipTo(shown_before_); })),
      next_tab_(makeAction(context, {}, tr("Next &tab"), tr("Ctrl+PgDown"), [this] { stepTab(1); })),
      previous_tab_(makeAction(context, {}, tr("Previous tab"), tr("Ctrl+PgUp"), [this] { stepTab(-1); })) {
    buildOverlay();
    buildCells();
    connect(&context_.session, &Session::currentChanged, this, [this](EntryId id) {
        if (id == shown_) return;
        shown_before_ = shown_;
        shown_ = id;
    });
    const auto current = [this](EntryId id) {
        if (id == context_.session.current()) enable();
    };
    connect(&context_.session, &Session::viewChanged, this, current);
    connect(&context_.session, &Session::currentChanged, this, &TensorActions::enable);
    connect(&context_.session, &Session::documentChanged, this, &TensorActions::enable);
    connect(&context_.session, &Session::tabsChanged, this, &TensorActions::enable);
    enable();
}

QAction* TensorActions::step(const QString& text, const QString& key, int which, int steps) {
    return makeAction(context_, {}, text, QKeySequence(key),
                      [this, which, steps] { stepDim(context_.session, context_.session.current(), which, steps); });
}

QAction* TensorActions::next(const QString& text, const QString& key, CellState state) {
    return makeAction(context_, {}, text, QKeySequence(key),
                      [this, state] { goToNext(context_.session, context_.session.current(), state); });
}

void TensorActions::stepTab(int steps) {
    const auto& tabs = context_.session.tabs();
    const auto at = tabs.indexOf(context_.session.current());
    if (at >= 0) context_.session.show(tabs[(at + steps + tabs.size()) % tabs.size()]);
}

void TensorActions::buildOverlay() {
    auto* group = new QActionGroup(this);
    const auto set = [this](const std::function<void(ViewState&)>& change) {
        context_.session.changeView(context_.session.current(), change);
    };
    const std::pair<MaskStyle, QString> styles[] = {
        {MaskStyle::hatch, tr("&Hatch")}, {MaskStyle::dim, tr("&Dim")}, {MaskStyle::hide, tr("H&ide")}};
    for (const auto& [style, text] : styles) {
        auto* action = makeAction(context_, {}, text, {}, [set, style = style] {
            set([style](ViewState& view) { view.overlay.style = style; });
        });
        action->setCheckable(true);
        action->setData(static_cast<int>(style));
        group->addAction(action);
        styles_ << action;
    }
    outline_ = makeAction(context_, {}, tr("&Outline"), {}, [this, set] {
        set([on = outline_->isChecked()](ViewState& view) { view.overlay.outline = on; });
    });
    outline_->setCheckable(true);
}

void TensorActions::buildCells() {
    auto& session = context_.session;
    edit_cells_ = makeAction(context_, QStringLiteral("cells"), tr("&Edit cells"), tr("Ctrl+M"),
                             [this, &session] { session.showCells(session.current(), edit_cells_->isChecked()); });
    edit_cells_->setCheckable(true);
    to_causal_ = makeAction(context_, {}, tr("Make it &causal"), {}, [&session] { makeCausal(session); });
    to_window_ = makeAction(context_, {}, tr("Make it a sliding &window…"), {}, [this, &session] {
        bool chosen = false;
        const int size =
            QInputDialog::getInt(&context_.window, tr("Sliding window"),
                                 tr("Keys that a query sees, itself among them"), 4, 1, 1 << 20, 1, &chosen);
        if (chosen) makeWindow(session, size);
    });
}

void TensorActions::fill(QMenu& menu) {
    menu.addAction(go_to_);
    menu.addSeparator();
    menu.addActions({next_head_, previous_head_, next_outer_, previous_outer_});
    menu.addSeparator();
    auto* cells = menu.addMenu(tr("Next &cell"));
    cells->addActions(next_);
    menu.addSeparator();
    menu.addActions({flip_, next_tab_, previous_tab_});
    menu.addSeparator();
    menu.addAction(swap_);
    menu.addActions({edit_cells_, to_causal_, to_window_});
    auto* overlay = menu.addMenu(tr("&Mask overlay"));
    overlay->addActions(styles_);
    overlay->addSeparator();
    overlay->addAction(outline_);
}

void TensorActions::enable() {
    auto& session = context_.session;
    const EntryId id = session.current();
    const auto* entry = session.document().find(id);
    const auto* view = session.view(id);
    const bool shown = entry != nullptr && view != nullptr;
    const auto dims = steppedDims(session, id);
    // The menu speaks of the dimensions this tensor has.
    const auto label = [&](QAction* action, const QString& pattern, std::size_t which) {
        action->setVisible(dims.size() > which);
        action->setEnabled(dims.size() > which);
        if (dims.size() > which) action->setText(pattern.arg(dimName(*entry, dims[which])));
    };
    label(next_head_, tr("&Next %1"), 0);
    label(previous_head_, tr("&Previous %1"), 0);
    label(next_outer_, tr("Next %1"), 1);
    label(previous_outer_, tr("Previous %1"), 1);
    for (auto* action : next_) action->setEnabled(shown);
    const bool several = session.tabs().size() > 1;
    flip_->setEnabled(several && session.tabs().contains(shown_before_));
    next_tab_->setEnabled(several);
    previous_tab_->setEnabled(several);
    go_to_->setEnabled(shown);
    swap_->setEnabled(shown && view->row_dim >= 0 && view->col_dim >= 0);
    const bool masked = shown && view->overlay.mask.has_value();
    for (auto* action : styles_) {
        action->setEnabled(masked);
        action->setChecked(shown && action->data().toInt() == static_cast<int>(view->overlay.style));
    }
    outline_->setEnabled(masked);
    outline_->setChecked(shown && view->overlay.outline);
    edit_cells_->setEnabled(session.canShowCells(id));
    edit_cells_->setChecked(session.showsCells(id));
    for (auto* action : {to_causal_, to_window_}) action->setEnabled(session.showsCells(id));
}

}  // namespace maskscope::ui
