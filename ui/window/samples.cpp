// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/samples.h"

#include "ui/session/session.h"

#include <QCoreApplication>
#include <QDir>

#include <algorithm>

namespace maskscope::ui {

namespace {

// Those of the sample in a folder, all or none.
QStringList filesOf(const QString& sample, const QStringList& names) {
    const QStringList folders = {qEnvironmentVariable("MASKSCOPE_SAMPLES_DIR"),
                                 QCoreApplication::applicationDirPath() + QStringLiteral("/../share/maskscope/samples"),
                                 QStringLiteral(MASKSCOPE_SAMPLES_DIR)};
    for (const QString& folder : folders) {
        if (folder.isEmpty()) continue;
        const QDir here(folder + QLatin1Char('/') + sample);
        QStringList files;
        for (const QString& name : names) {
            if (here.exists(name)) files << QDir::cleanPath(here.absoluteFilePath(name));
        }
        if (files.size() == names.size()) return files;
    }
    return {};
}

}  // namespace

QStringList sampleFiles() {
    return filesOf(QStringLiteral("attention"), {QStringLiteral("minilm.safetensors")});
}

QStringList overlaySampleFiles() {
    return filesOf(QStringLiteral("segmentation"), {QStringLiteral("coins.png"), QStringLiteral("coins_truth.png"),
                                                    QStringLiteral("coins_predicted.png")});
}

void openSample(Session& session) {
    const QStringList files = sampleFiles();
    if (files.isEmpty()) return;
    auto* context = new QObject(&session);
    QObject::connect(&session, &Session::filesSettled, context, [&session, context, path = files.first()] {
        context->deleteLater();
        const auto& entries = session.document().entries();
        const auto named = [&](const char* name) {
            return std::find_if(entries.begin(), entries.end(), [&](const auto& entry) {
                return entry.name == name && QString::fromStdString(entry.path) == path;
            });
        };
        const auto weights = named("weights");
        const auto mask = named("keep_mask");
        if (weights == entries.end() || mask == entries.end() || session.view(weights->id) == nullptr) return;
        session.linkMask(weights->id, mask->id);
        // layer 0, sentence 1, head 3, "weight" looking at "softmax"'s second half.
        session.changeView(weights->id, [](ViewState& view) {
            view.index = {0, 1, 3, 0, 0};
            view.cursor = render::CellIndex{11, 4};
            view.cursor_pinned = true;
        });
    });
    session.openFiles(files);
}

}  // namespace maskscope::ui
