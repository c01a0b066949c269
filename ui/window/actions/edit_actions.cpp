// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/actions/edit_actions.h"

#include "ui/session/cell_readout.h"
#include "ui/window/status_strip.h"

#include <QApplication>
#include <QClipboard>
#include <QMainWindow>
#include <QMenu>

namespace maskscope::ui {

namespace {

// Copies what `text` makes of the cell under the cursor. Copied text is ASCII, fit for code.
std::function<void()> copy(const ActionContext& context, QString (*text)(const CellReadout&)) {
    return [session = &context.session, status = &context.status, text] {
        const auto* view = session->view(session->current());
        if (view == nullptr || !view->cursor) return;
        const auto readout = readCell(*session, session->current(), *view->cursor);
        if (!readout.known) return;
        QApplication::clipboard()->setText(text(readout));
        status->say(QObject::tr("Copied %1").arg(text(readout)));
    };
}

}  // namespace

EditActions::EditActions(const ActionContext& context, QObject* parent)
    : QObject(parent),
      context_(context),
      undo_(makeAction(context, QStringLiteral("undo"), tr("&Undo"), tr("Ctrl+Z"),
                       [this] { context_.session.edits().undo(); })),
      redo_(makeAction(context, QStringLiteral("redo"), tr("&Redo"), tr("Ctrl+Shift+Z"),
                       [this] { context_.session.edits().redo(); })),
      value_(makeAction(
          context, QStringLiteral("copy"), tr("Copy &value"), QKeySequence::Copy,
          copy(context, [](const CellReadout& cell) { return cell.copyText.section(QStringLiteral(" = "), 1); }))),
      index_(makeAction(context, {}, tr("Copy &index"), tr("Ctrl+Shift+C"),
                        copy(context, [](const CellReadout& cell) { return cell.indexText; }))),
      cell_(makeAction(context, {}, tr("Copy &cell"), {},
                       copy(context, [](const CellReadout& cell) { return cell.copyText; }))) {
    connect(&context_.session, &Session::cursorChanged, this, &EditActions::enable);
    connect(&context_.session, &Session::currentChanged, this, &EditActions::enable);
    redo_->setShortcuts({QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
    connect(&context_.session.edits(), &EditSession::historyChanged, this, &EditActions::nameSteps);
    nameSteps();
    enable();
}

// "Undo Brush, label 18": what the key will do is said before it is pressed.
void EditActions::nameSteps() {
    const auto& history = context_.session.edits().history();
    const auto at = history.position();
    const bool some = context_.session.edits().canUndo() && at > 0;
    const bool more = context_.session.edits().canRedo() && at < history.steps().size();
    undo_->setEnabled(some);
    redo_->setEnabled(more);
    undo_->setText(some ? tr("&Undo %1").arg(textOf(history.steps()[at - 1].name)) : tr("&Undo"));
    redo_->setText(more ? tr("&Redo %1").arg(textOf(history.steps()[at].name)) : tr("&Redo"));
    undo_->setToolTip(undo_->text().remove(QLatin1Char('&')) + QStringLiteral("  (Ctrl+Z)"));
    redo_->setToolTip(redo_->text().remove(QLatin1Char('&')) + QStringLiteral("  (Ctrl+Shift+Z)"));
}

void EditActions::fill(QMenu& menu) {
    menu.addAction(undo_);
    menu.addAction(redo_);
    menu.addSeparator();
    for (auto* action : {value_, index_, cell_}) menu.addAction(action);
}

void EditActions::enable() {
    const auto* view = context_.session.view(context_.session.current());
    const bool pointed = view != nullptr && view->cursor.has_value();
    for (auto* action : {value_, index_, cell_}) action->setEnabled(pointed);
}

}  // namespace maskscope::ui
