// SPDX-License-Identifier: GPL-3.0-or-later
// Masks to files, new masks, and the session on disk: its journal, what a former run left behind, .msk files.
#include "ui/session/edit_session_private.h"
#include "ui/session/overlay_words.h"
#include "ui/session/session.h"

#include <QFileInfo>

#include <algorithm>

namespace maskscope::ui {
namespace {

// The first words of the settings that keep an image's layers; its file and key follow.
constexpr const char* kLayers = "layers\n";

QString textOfError(const Error& error) {
    return QString::fromStdString(error.text());
}

}  // namespace

// --- masks and files

Result<std::vector<io::Loss>> EditSession::previewLoss(EntryId mask, io::MaskFormat format) {
    QString why;
    const auto* entry = ready(mask, &why);
    if (entry == nullptr) return input_error("{}", why.toStdString());
    auto cells = tensor(mask);
    if (!cells) return input_error(MS_TEXT("Cannot read the cells of {}"), entry->name);
    return io::preview_loss({*cells, entry->item, {}}, format);
}

Result<void> EditSession::saveMask(EntryId mask, const QString& path, io::MaskFormat format) {
    if (underWay()) commit();
    QString why;
    const auto* entry = ready(mask, &why);
    if (entry == nullptr) return input_error("{}", why.toStdString());
    auto cells = tensor(mask);
    if (!cells) return input_error(MS_TEXT("Cannot read the cells of {}"), entry->name);
    io::MaskToSave content{*cells, entry->item, {}};
    for (const auto& image : session_.document().entries()) {
        const auto* overlay = session_.overlay(image.id);
        if (image.role.value != document::Role::image || overlay == nullptr) continue;
        const bool over = std::any_of(overlay->layers.begin(), overlay->layers.end(),
                                      [mask](const LayerState& layer) { return layer.mask == mask; });
        if (over) content.image_file = QFileInfo(QString::fromStdString(image.path)).fileName().toStdString();
    }
    MS_CHECK(io::save_mask(path.toStdString(), content, format));
    edits_.saved(mask);
    // Elsewhere it is a copy: the journal goes on with the edits of its own file.
    if (store_ && d_->journalled.contains(mask) && path.toStdString() == entry->path) store_->mask_saved(mask);
    emit savedChanged();
    return {};
}

EntryId EditSession::newMask(EntryId image, DType dtype, const QString& name) {
    const auto size = session_.imageSize(image);
    if (size.empty()) {
        refuse(tr("A new mask needs an image to lie on."));
        return EntryId::none;
    }
    auto cells = Tensor::zeros({size.rows, size.cols}, dtype);
    if (!cells) {
        refuse(textOfError(cells.error()));
        return EntryId::none;
    }
    io::Item item;
    item.key = name.toStdString();
    item.dtype = dtype;
    item.shape = cells->shape();
    item.bytes = cells->byte_size();
    item.dim_names = {"height", "width"};
    item.tensor = *std::move(cells);
    // A name that no open file has, so that the journal can tell new masks apart.
    QString path;
    do path = QStringLiteral("untitled-%1.png").arg(++d_->untitled);
    while (entryOf(path.toStdString(), item.key) != EntryId::none);
    const EntryId id = session_.addInMemory(path, std::move(item));
    edits_.differs(id);
    session_.changeOverlay(image, [&](OverlayState& overlay) {
        LayerState layer;
        layer.mask = id;
        overlay.layers.push_back(layer);
        overlay.active = static_cast<int>(overlay.layers.size()) - 1;
    });
    emit savedChanged();
    return id;
}

// --- the journal

std::unique_ptr<document::SessionStore> EditSession::adopt(std::unique_ptr<document::SessionStore> store) {
    edits_.set_listener(nullptr);
    store_.swap(store);
    d_->journalled.clear();
    if (store_) {
        edits_.set_listener(store_.get());
        d_->trouble_watch.start();
    }
    return store;
}

void EditSession::startJournal(const QString& state_folder) {
    d_->folder = state_folder;
    auto store = document::SessionStore::create(state_folder.toStdString(), [this](EntryId id) { return nameOf(id); });
    if (!store) {
        d_->trouble = textOfError(store.error());
        emit journalTroubleChanged();
        return;
    }
    adopt(*std::move(store));
    tellFiles();
}

std::pair<std::string, std::string> EditSession::nameOf(EntryId id) const {
    const auto* entry = session_.document().find(id);
    return entry != nullptr ? std::pair{entry->path, entry->item.key} : std::pair<std::string, std::string>();
}

// Layers are kept under the image's name.
void EditSession::tellLayers(EntryId image) {
    const auto* overlay = session_.overlay(image);
    if (!store_ || d_->restoring || overlay == nullptr) return;
    const auto [path, key] = nameOf(image);
    store_->set_setting(kLayers + path + '\n' + key, wordsOf(*overlay, [this](EntryId id) { return nameOf(id); }));
}

void EditSession::restoreLayers(const document::SavedSession& saved) {
    const auto entry = [this](const std::string& path, const std::string& key) { return entryOf(path, key); };
    for (const auto& [name, words] : saved.settings) {
        const auto end = name.rfind('\n');
        if (!name.starts_with(kLayers) || end == std::string::npos) continue;
        const auto start = std::string_view(kLayers).size();
        const auto image = entryOf(name.substr(start, end - start), name.substr(end + 1));
        auto overlay = overlayOf(words, entry);
        if (image == EntryId::none || !overlay) continue;
        session_.show(image);
        session_.changeOverlay(image, [&](OverlayState& state) { state = *std::move(overlay); });
    }
}

void EditSession::tellFiles() {
    if (!store_) return;
    std::vector<document::FileStamp> stamps;
    for (const auto& file : session_.document().files()) {
        if (auto stamp = document::stamp_of(file.path)) stamps.push_back(*std::move(stamp));
    }
    store_->set_files(stamps);
}

std::vector<document::LeftBehind> EditSession::leftBehind() const {
    return d_->folder.isEmpty() ? std::vector<document::LeftBehind>{}
                                : document::SessionStore::left_behind(d_->folder.toStdString());
}

Result<void> EditSession::recover(const QString& journal) {
    return restoreFrom(journal);
}
Result<void> EditSession::openSession(const QString& msk) {
    return restoreFrom(msk);
}

Result<void> EditSession::restoreFrom(const QString& path) {
    const auto folder = d_->folder.isEmpty() ? document::SessionStore::state_folder() : d_->folder.toStdString();
    MS_TRY(store, document::SessionStore::open(path.toStdString(), folder, [this](EntryId id) { return nameOf(id); }));
    if (auto former = adopt(std::move(store)); former && !anyChanged()) former->discard();
    d_->restoring = store_->restored();
    QStringList missing;
    for (const auto& file : d_->restoring->files) {
        const auto name = QString::fromStdString(file.path);
        const auto& open = session_.document().files();
        const bool is_open = std::any_of(open.begin(), open.end(), [&](const auto& f) { return f.path == file.path; });
        if (!is_open && QFileInfo::exists(name)) missing.append(name);
    }
    if (!missing.isEmpty()) session_.openFiles(missing);
    QTimer::singleShot(0, this, &EditSession::restoreWhenLoaded);
    emit savedChanged();
    return {};
}

EntryId EditSession::entryOf(const std::string& path, const std::string& key) const {
    for (const auto& entry : session_.document().entries()) {
        if (entry.path == path && entry.item.key == key) return entry.id;
    }
    return EntryId::none;
}

// Once all its files are read: the planes over their entries, then the history.
void EditSession::restoreWhenLoaded() {
    if (!d_->restoring || session_.opening()) return;
    for (const auto& saved : d_->restoring->masks) {
        const auto* entry = session_.document().find(entryOf(saved.path, saved.key));
        if (entry == nullptr || !entry->error.empty()) continue;
        session_.tensor(entry->id);
        if (!entry->item.tensor.defined()) return;  // dataChanged comes back here
    }
    const auto saved = *std::exchange(d_->restoring, std::nullopt);
    for (const auto& mask : saved.masks) restoreMask(mask);
    document::History history;
    for (const auto& step : saved.steps) {
        const EntryId id = entryOf(step.path, step.key);
        const auto* now = plane(id, step.plane);
        if (now == nullptr) continue;
        auto delta = mask::MaskDelta::parse(step.delta, *now);
        if (!delta) {
            refuse(textOfError(delta.error()));
            continue;
        }
        history.push({step.tool, step.name, id, step.plane, *std::move(delta)});
    }
    while (history.position() > saved.position && history.undo() != nullptr) {
    }
    edits_.restore(std::move(history));
    for (const auto& mask : saved.masks) edits_.differs(entryOf(mask.path, mask.key));
    restoreLayers(saved);
    for (const auto& warning : saved.warnings) refuse(QString::fromStdString(warning));
    tellFiles();
    stepped();
}

void EditSession::restoreMask(const document::SavedMask& saved) {
    EntryId id = entryOf(saved.path, saved.key);
    if (id == EntryId::none) {  // never in a file, or its file is gone
        auto cells = Tensor::zeros(saved.shape, saved.dtype);
        if (!cells) return refuse(textOfError(cells.error()));
        io::Item item;
        item.key = saved.key;
        item.dtype = saved.dtype;
        item.shape = saved.shape;
        item.bytes = cells->byte_size();
        if (saved.shape.rank() == 2) item.dim_names = {"height", "width"};
        item.tensor = *std::move(cells);
        id = session_.addInMemory(QString::fromStdString(saved.path), std::move(item));
    }
    const auto* entry = session_.document().find(id);
    if (entry == nullptr || entry->item.shape != saved.shape || entry->item.dtype != saved.dtype) {
        return refuse(tr("%1 has another shape than when it was edited; its edits were left out.")
                          .arg(QFileInfo(QString::fromStdString(saved.path)).fileName()));
    }
    auto opened = edits_.open(*entry);
    if (!opened) return refuse(textOfError(opened.error()));
    d_->journalled.insert(id);
    for (const auto& [index, cells] : saved.planes) {
        auto now = (*opened)->plane(index);
        if (!now) continue;
        **now = cells;
        announce({{id, index, cells.bounds()}});
    }
    // Planes that nobody had edited are told too, so that the journal does without the file from here on.
    if (store_) store_->mask_opened(id, **opened);
}

Result<void> EditSession::saveSession(const QString& msk) {
    if (!store_) {
        return make_error(ErrorKind::unavailable, MS_TEXT("There is no journal to save the session from"))
            .with_hint(MS_TEXT("See why in the warning at the top of the window"));
    }
    if (underWay()) commit();
    MS_CHECK(store_->save(msk.toStdString()));
    emit savedChanged();
    return {};
}

QString EditSession::sessionFile() const {
    return store_ ? QString::fromStdString(store_->msk()) : QString();
}
bool EditSession::sessionSaved() const {
    return !store_ || store_->saved();
}
Result<void> EditSession::flush() {
    return store_ ? store_->flush() : Result<void>{};
}
void EditSession::discardJournal() {
    edits_.set_listener(nullptr);
    if (store_) store_->discard();
    store_.reset();
    d_->trouble_watch.stop();
}
QString EditSession::journalTrouble() const {
    return d_->trouble;
}

void EditSession::watchTrouble() {
    const auto trouble = store_ ? store_->trouble() : std::nullopt;
    const auto sentence = trouble ? textOfError(*trouble) : QString();
    if (sentence == d_->trouble) return;
    d_->trouble = sentence;
    emit journalTroubleChanged();
}

}  // namespace maskscope::ui
