// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/folder_steps.h"

#include "ui/session/cell_readout.h"

#include <QCollator>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace maskscope::ui {

namespace {

const QStringList kImages = {QStringLiteral("*.png"), QStringLiteral("*.jpg"),  QStringLiteral("*.jpeg"),
                             QStringLiteral("*.tif"), QStringLiteral("*.tiff"), QStringLiteral("*.webp")};

// "coins_truth" beside "coins" says what it is of; "scan_2" beside "scan" is a picture of its own.
bool isOfAnother(const QString& stem, const QStringList& stems) {
    return std::any_of(stems.begin(), stems.end(), [&](const QString& other) {
        const auto at = other.size();
        return stem.size() > at + 1 && stem.startsWith(other) && !stem[at].isLetterOrNumber() &&
               stem[at + 1].isLetter();
    });
}

}  // namespace

QString maskOf(const QString& image, const QString& mask, const QString& other_image) {
    const auto stem = QFileInfo(image).completeBaseName();
    const QFileInfo file(mask);
    auto name = file.fileName();
    if (stem.isEmpty()) return {};
    // As a word of its own: "10" is not in "110_mask.png", "a" not in "mask.png".
    const auto letterAt = [&](qsizetype place) {
        return place >= 0 && place < name.size() && name[place].isLetterOrNumber();
    };
    auto at = name.indexOf(stem);
    while (at >= 0 && (letterAt(at - 1) || letterAt(at + stem.size()))) at = name.indexOf(stem, at + 1);
    if (at < 0) return {};
    name.replace(at, stem.size(), QFileInfo(other_image).completeBaseName());
    return QDir(file.absolutePath()).filePath(name);
}

QStringList imagesBeside(const QString& image, const QStringList& masks) {
    const QFileInfo here(image);
    auto files = here.absoluteDir().entryInfoList(kImages, QDir::Files);
    QCollator order{QLocale(QLocale::English)};  // the C locale does not count
    order.setNumericMode(true);
    std::sort(files.begin(), files.end(), [&](const auto& a, const auto& b) {
        return order.compare(a.completeBaseName(), b.completeBaseName()) < 0;
    });
    QStringList of_images;
    for (const auto& file : files) {
        for (const auto& mask : masks) of_images << QDir::cleanPath(maskOf(image, mask, file.absoluteFilePath()));
    }
    QStringList stems;
    for (const auto& file : files) stems << file.completeBaseName();
    QStringList out;
    for (const auto& file : files) {
        const bool mask =
            of_images.contains(QDir::cleanPath(file.absoluteFilePath())) || isOfAnother(file.completeBaseName(), stems);
        if (!mask || file == here) out << file.absoluteFilePath();
    }
    return out;
}

QStringList FolderSteps::masks() const {
    QStringList paths;
    const auto* state = session_.overlay(session_.current());
    if (state == nullptr) return paths;
    for (const auto& layer : state->layers) {
        const auto* entry = session_.document().find(layer.mask);
        if (entry == nullptr || layer.mask == session_.current()) continue;
        if (const auto path = textOf(entry->path); QFileInfo(path).isAbsolute()) paths << path;
    }
    paths.removeDuplicates();
    return paths;
}

QString FolderSteps::neighbour(int steps) const {
    const auto* entry = session_.document().find(session_.current());
    if (entry == nullptr || entry->role.value != document::Role::image) return {};
    const auto path = textOf(entry->path);
    if (!QFileInfo(path).isAbsolute() || !entry->item.key.empty()) return {};
    const auto images = imagesBeside(path, masks());
    const auto at = images.indexOf(QFileInfo(path).absoluteFilePath());
    const auto next = at + steps;
    return at < 0 || next < 0 || next >= images.size() ? QString() : images[next];
}

bool FolderSteps::possible(int steps) const {
    return !neighbour(steps).isEmpty();
}

void FolderSteps::go(int steps) {
    const auto next = neighbour(steps);
    if (next.isEmpty()) return;
    const EntryId before = session_.current();
    const auto path = textOf(session_.document().find(before)->path);
    QStringList open = {next};
    QStringList leave = {path};
    for (const auto& mask : masks()) {
        leave << mask;
        const auto other = maskOf(path, mask, next);
        if (!other.isEmpty() && other != mask && QFileInfo::exists(other)) open << other;
    }
    // A file whose mask has steps stays: they can be undone, and nothing unsaved is closed.
    auto* session = &session_;
    const auto edited = [session](const QString& file) {
        const auto& steps_done = session->edits().history().steps();
        return std::any_of(steps_done.begin(), steps_done.end(), [&](const document::Step& step) {
            const auto* entry = session->document().find(step.entry);
            return entry != nullptr && textOf(entry->path) == file;
        });
    };
    auto* context = new QObject(session);
    QObject::connect(session, &Session::filesSettled, context, [session, context, next, open, leave, before, edited] {
        context->deleteLater();
        const auto& entries = session->document().entries();
        const auto found =
            std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return textOf(entry.path) == next; });
        if (found == entries.end()) return;  // it could not be read: the one before stays
        const EntryId image = found->id;
        session->show(image);
        session->closeTab(before);
        for (const auto& entry : entries) {  // a mask is seen over its image
            if (entry.id != image && open.contains(textOf(entry.path))) session->closeTab(entry.id);
        }
        for (const auto& file : leave) {
            if (!edited(file)) session->closeFile(file);
        }
        session->show(image);
    });
    session_.openFiles(open);
}

}  // namespace maskscope::ui
