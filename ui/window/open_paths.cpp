// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/open_paths.h"

#include "ui/session/cell_readout.h"

#include <QFileInfo>

#include <algorithm>

namespace maskscope::ui {

void imageToFront(Session& session, const QStringList& paths) {
    auto* context = new QObject(&session);
    const auto show = [&session, context, paths] {
        context->deleteLater();
        const auto& entries = session.document().entries();
        const auto image = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) {
            return entry.role.value == document::Role::image && (paths.isEmpty() || paths.contains(textOf(entry.path)));
        });
        if (image != entries.end()) session.show(image->id);
    };
    QObject::connect(&session, &Session::filesSettled, context, show, Qt::QueuedConnection);
}

void openPaths(Session& session, const QStringList& paths, const std::function<void(const Failure&)>& failed) {
    QStringList files;
    for (const QString& path : paths) {
        if (path.endsWith(QLatin1String(kSessionExtension), Qt::CaseInsensitive)) {
            const auto opened = session.edits().openSession(QFileInfo(path).absoluteFilePath());
            if (!opened) {
                failed({QObject::tr("Cannot open %1").arg(QFileInfo(path).fileName()),
                        textOf(opened.error().message.text()), textOf(opened.error().hint.text())});
            } else {
                imageToFront(session, {});
            }
        } else if (const auto edited = session.editedIn(path)) {
            session.show(*edited);
        } else {
            files << path;
        }
    }
    if (files.isEmpty()) return;
    QStringList absolute;
    for (const QString& file : std::as_const(files)) absolute << QFileInfo(file).absoluteFilePath();
    imageToFront(session, absolute);
    session.openFiles(files);
}

}  // namespace maskscope::ui
