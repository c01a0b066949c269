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
      value_(makeAction(
          context, QStringLiteral("copy"), tr("Copy &value"), QKeySequence::Copy,
          copy(context, [](const CellReadout& cell) { return cell.copyText.section(QStringLiteral(" = "), 1); }))),
      index_(makeAction(context, {}, tr("Copy &index"), tr("Ctrl+Shift+C"),
                        copy(context, [](const CellReadout& cell) { return cell.indexText; }))),
      cell_(makeAction(context, {}, tr("Copy &cell"), {},
                       copy(context, [](const CellReadout& cell) { return cell.copyText; }))) {
    connect(&context_.session, &Session::cursorChanged, this, &EditActions::enable);
    connect(&context_.session, &Session::currentChanged, this, &EditActions::enable);
    enable();
}

void EditActions::fill(QMenu& menu) {
    for (auto* action : {value_, index_, cell_}) menu.addAction(action);
}

void EditActions::enable() {
    const auto* view = context_.session.view(context_.session.current());
    const bool pointed = view != nullptr && view->cursor.has_value();
    for (auto* action : {value_, index_, cell_}) action->setEnabled(pointed);
}

}  // namespace maskscope::ui
