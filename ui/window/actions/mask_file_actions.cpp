// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/actions/mask_file_actions.h"

#include "ui/session/cell_readout.h"
#include "ui/session/layer_labels.h"
#include "ui/window/document_area.h"
#include "ui/window/new_mask_dialog.h"
#include "ui/window/open_paths.h"
#include "ui/window/save_mask_dialog.h"
#include "ui/window/status_strip.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>

namespace maskscope::ui {

namespace {

QString sessionFilter() {
    return QObject::tr("Maskscope session (*.msk)");
}

}  // namespace

MaskFileActions::MaskFileActions(const ActionContext& context, QObject* parent)
    : QObject(parent),
      context_(context),
      folder_(context.session),
      new_mask_(makeAction(context, QStringLiteral("plus"), tr("&New mask for this image…"), tr("Ctrl+N"),
                           [this] { makeMask(); })),
      save_mask_(makeAction(context, QStringLiteral("save"), tr("Save &mask as…"), tr("Ctrl+Shift+S"),
                            [this] { saveMask(); })),
      save_session_(makeAction(context, QStringLiteral("save"), tr("&Save session"), QKeySequence::Save,
                               [this] { saveSession(false); })),
      save_session_as_(makeAction(context, {}, tr("Save session &as…"), {}, [this] { saveSession(true); })),
      open_session_(makeAction(context, {}, tr("Open sessio&n…"), {}, [this] { openSession(); })),
      next_image_(makeAction(context, QStringLiteral("right"), tr("Ne&xt image of the folder"), tr("PgDown"),
                             [this] { folder_.go(1); })),
      previous_image_(makeAction(context, QStringLiteral("left"), tr("P&revious image of the folder"), tr("PgUp"),
                                 [this] { folder_.go(-1); })) {
    // A single key too, for a hand that stays on the keyboard.
    next_image_->setShortcuts({QKeySequence(tr("PgDown")), QKeySequence(tr("."))});
    previous_image_->setShortcuts({QKeySequence(tr("PgUp")), QKeySequence(tr(","))});
    connect(&context_.session, &Session::currentChanged, this, &MaskFileActions::enable);
    connect(&context_.session, &Session::documentChanged, this, &MaskFileActions::enable);
    connect(&context_.session, &Session::overlayChanged, this, &MaskFileActions::enable);
    connect(&context_.session.edits(), &EditSession::savedChanged, this, &MaskFileActions::enable);
    connect(&context_.area, &DocumentArea::newMaskRequested, this, &MaskFileActions::makeMask);
    enable();
}

void MaskFileActions::fillFile(QMenu& menu) {
    for (auto* action : {open_session_, save_session_, save_session_as_}) menu.addAction(action);
    menu.addSeparator();
    menu.addAction(save_mask_);
    menu.addSeparator();
    menu.addAction(previous_image_);
    menu.addAction(next_image_);
}

void MaskFileActions::fillMask(QMenu& menu) {
    menu.addAction(new_mask_);
}

void MaskFileActions::enable() {
    auto& session = context_.session;
    const EntryId id = session.current();
    const auto* entry = session.document().find(id);
    const bool image = entry != nullptr && session.showsAsImage(id) && entry->role.value == document::Role::image;
    const bool mask =
        activeLayer(session, id).has_value() || (entry != nullptr && entry->role.value == document::Role::mask);
    new_mask_->setEnabled(image);
    save_mask_->setEnabled(mask);
    for (auto* action : {save_session_, save_session_as_}) action->setEnabled(!session.document().files().empty());
    next_image_->setEnabled(image && folder_.possible(1));
    previous_image_->setEnabled(image && folder_.possible(-1));
}

void MaskFileActions::fail(const QString& title, const Error& error) {
    context_.area.showFailure({title, textOf(error.message.text()), textOf(error.hint.text())});
}

void MaskFileActions::makeMask() {
    auto& session = context_.session;
    const auto* entry = session.document().find(session.current());
    if (entry == nullptr || !new_mask_->isEnabled()) return;
    NewMaskDialog dialog(context_.style, textOf(entry->name), &context_.window);
    if (dialog.exec() == QDialog::Accepted) session.edits().newMask(session.current(), dialog.dtype(), dialog.name());
}

void MaskFileActions::saveMask() {
    auto& session = context_.session;
    const auto layer = activeLayer(session, session.current());
    SaveMaskDialog dialog(session, context_.style, layer ? layer->mask : session.current(), &context_.window);
    if (dialog.exec() == QDialog::Accepted) context_.status.say(tr("Saved %1").arg(dialog.savedTo()));
}

bool MaskFileActions::saveSession(bool ask_for_path) {
    auto& edits = context_.session.edits();
    QString path = edits.sessionFile();
    if (path.isEmpty() || ask_for_path) {
        path = QFileDialog::getSaveFileName(&context_.window, tr("Save session"), path, sessionFilter());
        if (path.isEmpty()) return false;
        if (QFileInfo(path).suffix().isEmpty()) path += QLatin1String(kSessionExtension);
    }
    const auto saved = edits.saveSession(path);
    if (!saved) {
        fail(tr("Cannot save %1").arg(QFileInfo(path).fileName()), saved.error());
        return false;
    }
    context_.status.say(tr("Saved %1").arg(path));
    return true;
}

void MaskFileActions::openSession() {
    const auto path = QFileDialog::getOpenFileName(&context_.window, tr("Open session"), {}, sessionFilter());
    if (path.isEmpty()) return;
    openPaths(context_.session, {path}, [this](const Failure& failure) { context_.area.showFailure(failure); });
}

}  // namespace maskscope::ui
