// SPDX-License-Identifier: GPL-3.0-or-later
// What is open and how it is looked at. What is drawn of it stands in session_data.cpp, images in session_images.cpp.
#include "ui/session/session.h"

#include "core/document/mask_link.h"
#include "ui/session/session_private.h"

#include <QFileInfo>

#include <algorithm>

namespace maskscope::ui {
namespace {

constexpr qsizetype kRecentFiles = 12;

bool sameButCursor(ViewState a, const ViewState& b) {
    a.cursor = b.cursor;
    a.cursor_pinned = b.cursor_pinned;
    return a == b;
}

// What a person opens a file for: attention weights before scores before anything of two dims.
int interest(const document::Entry& entry) {
    if (entry.role.value == document::Role::labels) return -1;
    int rank = entry.item.shape.rank() >= 2 ? 2 : 0;
    if (entry.role.value == document::Role::tensor) rank += 4;
    if (entry.role.value == document::Role::image) rank += 4;
    for (const char* word : {"weight", "attn", "attention", "prob"}) {
        if (entry.name.find(word) != std::string::npos) return rank + 2;
    }
    return rank;
}

}  // namespace

Session::Session(QObject* parent) : QObject(parent), d_(std::make_unique<Private>()) {
    edits_ = std::make_unique<EditSession>(*this);
    connect(&jobs_, &JobRunner::changed, this, [this] {
        // A file whose reading was cancelled is settled too.
        std::erase_if(d_->opening, [this](const QString& slot) { return !jobs_.isRunning(slot); });
        if (!d_->opening.empty() || !std::exchange(d_->filesAsked, false)) return;
        emit filesSettled();
    });
}

Session::~Session() {
    jobs_.cancelAll();
}

void Session::openFiles(const QStringList& paths) {
    for (const QString& given : paths) {
        const QString path = QFileInfo(given).absoluteFilePath();
        if (const auto edited = editedIn(path)) {
            show(*edited);
            continue;
        }
        const QString slot = "open:" + path;
        d_->opening.insert(slot);
        d_->filesAsked = true;
        jobs_.run<io::FileContents>(
            slot, tr("Opening %1").arg(QFileInfo(path).fileName()),
            [name = path.toStdString()](const JobContext& context) { return io::open_file(name, context); },
            [this, path](Result<io::FileContents> contents) { fileRead(path, std::move(contents)); });
    }
}

bool Session::opening() const {
    return !d_->opening.empty();
}

void Session::fileRead(const QString& path, Result<io::FileContents> contents) {
    if (!contents) {
        fail(tr("Cannot read %1").arg(QFileInfo(path).fileName()), contents.error());
    } else {
        closeFile(path);
        const auto ids = document_.add(std::move(*contents));
        recent_.removeAll(path);
        recent_.prepend(path);
        while (recent_.size() > kRecentFiles) recent_.removeLast();
        emit recentFilesChanged();
        arrangeLayers();
        emit documentChanged();
        const auto best = std::max_element(ids.begin(), ids.end(), [this](EntryId a, EntryId b) {
            return interest(*document_.find(a)) < interest(*document_.find(b));
        });
        if (best == ids.end() || interest(*document_.find(*best)) < 0) return;
        // A mask that has come to lie over an image in a tab is seen there.
        const auto image = imageUnder(*best);
        show(image != EntryId::none ? image : *best);
        closeTabsUnder(current_);
    }
}

// Masks that came before the image they lie over, and that nobody has looked at by themselves yet.
void Session::closeTabsUnder(EntryId image) {
    const auto* state = overlay(image);
    if (state == nullptr) return;
    const auto layers = state->layers;
    for (const auto& layer : layers) {
        if (layer.mask != image && !d_->touched.contains(layer.mask)) closeTab(layer.mask);
    }
}

void Session::fail(const QString& title, const Error& error) {
    if (error.kind == ErrorKind::cancelled) return;
    QString cause = QString::fromStdString(error.message.text());
    if (error.where.offset) cause += tr(" (at byte %1)").arg(*error.where.offset);
    if (error.where.line) cause += tr(" (line %1)").arg(*error.where.line);
    failures_.append({title, cause, QString::fromStdString(error.hint.text())});
    emit failuresChanged();
}

void Session::closeFile(const QString& path) {
    QList<EntryId> gone;
    for (const auto& file : document_.files()) {
        if (QString::fromStdString(file.path) != path) continue;
        for (const EntryId id : file.entries) gone.append(id);
    }
    if (gone.isEmpty()) return;
    for (const EntryId id : gone) {
        closeTab(id);
        d_->forget(id);
        edits_->forget(id);
    }
    dropLayersOf(gone);
    document_.close(path.toStdString());
    for (auto& [id, view] : d_->views) {
        if (view.overlay.mask && gone.contains(*view.overlay.mask)) view.overlay.mask.reset();
    }
    emit documentChanged();
    for (const EntryId id : std::as_const(tabs_)) emit viewChanged(id);
}

std::optional<EntryId> Session::editedIn(const QString& path) const {
    const auto name = QFileInfo(path).absoluteFilePath().toStdString();
    for (const auto& entry : document_.entries()) {
        if ((entry.path == name || entry.path == path.toStdString()) && edits_->changed(entry.id)) return entry.id;
    }
    return std::nullopt;
}

void Session::dismissFailure(qsizetype index) {
    if (index < 0 || index >= failures_.size()) return;
    failures_.removeAt(index);
    emit failuresChanged();
}

void Session::setRecentFiles(const QStringList& paths) {
    recent_ = paths;
    emit recentFilesChanged();
}

ViewState Session::firstView(const document::Entry& entry) const {
    ViewState view;
    view.entry = entry.id;
    const int rank = entry.item.shape.rank();
    view.row_dim = rank - 2 >= 0 ? rank - 2 : -1;
    view.col_dim = rank - 1;
    if (entry.role.value == document::Role::image && rank == 3 && entry.item.shape[2] <= 4) {
        view.row_dim = 0;  // [height, width, channel]
        view.col_dim = 1;
    }
    view.index.assign(static_cast<std::size_t>(rank), 0);
    if (entry.convention) view.overlay.convention = entry.convention->value;
    return view;
}

void Session::show(EntryId id) {
    const auto* entry = document_.find(id);
    if (entry == nullptr || entry->role.value == document::Role::labels) return;
    if (!d_->views.contains(id)) {
        d_->views.emplace(id, firstView(*entry));
        const bool layers = entry->role.value == document::Role::image || entry->role.value == document::Role::mask;
        if (layers) d_->overlays.try_emplace(id, firstOverlay(id));
        findFirstNan(id);
    }
    if (!tabs_.contains(id)) {
        tabs_.append(id);
        emit tabsChanged();
    }
    if (current_ == id) return;
    current_ = id;
    emit currentChanged(id);
}

void Session::closeTab(EntryId id) {
    const auto place = tabs_.indexOf(id);
    if (place < 0) return;
    tabs_.removeAt(place);
    emit tabsChanged();
    if (current_ != id) return;
    current_ = tabs_.isEmpty() ? EntryId::none : tabs_.at(std::min(place, tabs_.size() - 1));
    emit currentChanged(current_);
}

const ViewState* Session::view(EntryId id) const {
    const auto found = d_->views.find(id);
    return found == d_->views.end() ? nullptr : &found->second;
}

void Session::changeView(EntryId id, const std::function<void(ViewState&)>& change) {
    const auto found = d_->views.find(id);
    const auto* entry = document_.find(id);
    if (found == d_->views.end() || entry == nullptr) return;
    const ViewState before = found->second;
    ViewState after = before;
    change(after);
    const Shape& shape = entry->item.shape;
    for (int dim = 0; dim < shape.rank(); ++dim) {
        auto& index = after.index[static_cast<std::size_t>(dim)];
        index = std::clamp<std::int64_t>(index, 0, std::max<std::int64_t>(shape[dim] - 1, 0));
    }
    if (after == before) return;
    found->second = after;
    d_->touched.insert(id);
    const bool cursorOnly = sameButCursor(after, before);
    if (cursorOnly) {
        emit cursorChanged(id);
    } else {
        emit viewChanged(id);
        if (after.cursor != before.cursor) emit cursorChanged(id);
    }
    if (linked_) mirror(id, before);
}

bool Session::samePlane(EntryId a, EntryId b) const {
    const auto sizes = [this](EntryId id) {
        const auto* state = view(id);
        const Shape& shape = document_.find(id)->item.shape;
        return std::pair{state->row_dim < 0 ? 1 : shape[state->row_dim],
                         state->col_dim < 0 ? 1 : shape[state->col_dim]};
    };
    return view(a) != nullptr && view(b) != nullptr && sizes(a) == sizes(b);
}

void Session::follow(EntryId id, const ViewState& lead, bool moved, bool pointed) {
    ViewState& other = d_->views.at(id);
    if (moved) {
        other.viewport = lead.viewport;
        other.fit = lead.fit;
        emit viewChanged(id);
    }
    if (pointed) {
        other.cursor = lead.cursor;
        other.cursor_pinned = lead.cursor_pinned;
        emit cursorChanged(id);
    }
}

// Tabs whose planes have the same sizes follow viewport and cursor.
void Session::mirror(EntryId from, const ViewState& before) {
    const ViewState now = d_->views.at(from);
    const bool moved = now.viewport != before.viewport || now.fit != before.fit;
    const bool pointed = now.cursor != before.cursor || now.cursor_pinned != before.cursor_pinned;
    if (!moved && !pointed) return;
    for (const EntryId id : std::as_const(tabs_)) {
        if (id != from && samePlane(id, from)) follow(id, now, moved, pointed);
    }
}

void Session::flipTo(EntryId id) {
    if (current_ != id && samePlane(current_, id)) follow(id, ViewState(*view(current_)), true, true);
    show(id);
}

void Session::setLinked(bool linked) {
    linked_ = linked;
}

void Session::setRole(EntryId id, document::Role role) {
    document_.set_role(id, role);
    if (const auto seen = d_->views.find(id); seen != d_->views.end()) {
        const auto first = firstView(*document_.find(id));
        if (role == document::Role::image) {
            seen->second.row_dim = first.row_dim;
            seen->second.col_dim = first.col_dim;
        }
    }
    d_->overlays.erase(id);
    d_->arranged.erase(id);
    if (view(id) != nullptr && (role == document::Role::image || role == document::Role::mask)) {
        d_->overlays.emplace(id, firstOverlay(id));
    }
    arrangeLayers();
    emit documentChanged();
}

void Session::setConvention(EntryId id, document::MaskConvention convention) {
    document_.set_convention(id, convention);
    emit documentChanged();
    for (const EntryId tab : std::as_const(tabs_)) {
        if (d_->views.at(tab).overlay.mask == id) {
            changeView(tab, [&](ViewState& view) { view.overlay.convention = convention; });
        }
    }
}

void Session::setDimName(EntryId id, int dim, const QString& name) {
    document_.set_dim_name(id, dim, name.toStdString());
    emit documentChanged();
    emit viewChanged(id);
}

void Session::linkMask(EntryId id, std::optional<EntryId> mask) {
    document_.link_mask(id, mask);
    changeView(id, [&](ViewState& view) {
        view.overlay.mask = mask;
        const auto* entry = mask ? document_.find(*mask) : nullptr;
        if (entry == nullptr) return;
        view.overlay.convention =
            entry->convention ? entry->convention->value : document::guess_convention(entry->item, entry->name);
    });
    emit documentChanged();
}

void Session::linkTokens(EntryId id, std::optional<EntryId> tokens) {
    document_.link_tokens(id, tokens);
    emit documentChanged();
    emit viewChanged(id);
}

}  // namespace maskscope::ui
