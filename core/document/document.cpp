// SPDX-License-Identifier: Apache-2.0
#include "core/document/document.h"

#include "core/document/mask_link.h"

#include <algorithm>
#include <filesystem>

namespace maskscope::document {
namespace {

// Whether `labels` could name the cells along a dimension of the tensor: rows of the right length.
bool names_a_dim(const io::Labels& labels, const Shape& shape) {
    if (labels.rows.empty()) return false;
    const auto length = static_cast<std::int64_t>(labels.rows.front().size());
    for (const auto& row : labels.rows) {
        if (static_cast<std::int64_t>(row.size()) != length) return false;
    }
    if (std::find(shape.begin(), shape.end(), length) == shape.end()) return false;
    const auto rows = static_cast<std::int64_t>(labels.rows.size());
    return rows == 1 || std::find(shape.begin(), shape.end(), rows) != shape.end();
}

}  // namespace

std::string_view name_of(Role role) {
    switch (role) {
        case Role::tensor:
            return "tensor";
        case Role::mask:
            return "mask";
        case Role::image:
            return "image";
        case Role::labels:
            return "labels";
    }
    return "";
}

std::vector<EntryId> Document::add(io::FileContents contents) {
    close(contents.path);
    OpenFile file{contents.path, contents.format_id, std::move(contents.metadata), {}};
    for (auto& item : contents.items) {
        Entry entry;
        entry.id = static_cast<EntryId>(next_id_++);
        entry.path = contents.path;
        entry.name = item.key.empty() ? std::filesystem::path(contents.path).filename().string() : item.key;
        entry.role.value = guess_role(item, entry.name);
        entry.dims = {guess_dims(item, entry.name), item.dim_names.empty()};
        if (entry.role.value == Role::mask) entry.convention = {guess_convention(item, entry.name), true};
        entry.item = std::move(item);
        file.entries.push_back(entry.id);
        entries_.push_back(std::move(entry));
    }
    const auto ids = file.entries;
    files_.push_back(std::move(file));
    propose_links();
    ++revision_;
    return ids;
}

void Document::close(const std::string& path) {
    const auto file = std::find_if(files_.begin(), files_.end(), [&](const auto& f) { return f.path == path; });
    if (file == files_.end()) return;
    const auto gone = file->entries;
    const auto is_gone = [&](EntryId id) { return std::find(gone.begin(), gone.end(), id) != gone.end(); };
    std::erase_if(entries_, [&](const Entry& entry) { return is_gone(entry.id); });
    for (auto& entry : entries_) {
        if (entry.mask && is_gone(entry.mask->value)) entry.mask.reset();
        if (entry.tokens && is_gone(entry.tokens->value)) entry.tokens.reset();
    }
    files_.erase(file);
    ++revision_;
}

const Entry* Document::find(EntryId id) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [id](const auto& e) { return e.id == id; });
    return found == entries_.end() ? nullptr : &*found;
}

Entry* Document::find_mutable(EntryId id) {
    return const_cast<Entry*>(find(id));
}

void Document::set_role(EntryId id, Role role) {
    if (auto* entry = find_mutable(id)) {
        entry->role = {role, false};
        if (role == Role::mask && !entry->convention) {
            entry->convention = {guess_convention(entry->item, entry->name), true};
        }
        ++revision_;
    }
}

void Document::set_dim_name(EntryId id, int dim, std::string name) {
    auto* entry = find_mutable(id);
    if (entry == nullptr || dim < 0 || dim >= static_cast<int>(entry->dims.value.size())) return;
    entry->dims.value[static_cast<std::size_t>(dim)] = std::move(name);
    entry->dims.guess = false;
    ++revision_;
}

void Document::set_convention(EntryId id, MaskConvention convention) {
    if (auto* entry = find_mutable(id)) {
        entry->convention = {convention, false};
        ++revision_;
    }
}

void Document::link_mask(EntryId id, std::optional<EntryId> mask) {
    if (auto* entry = find_mutable(id)) {
        entry->mask = Guessed<EntryId>{mask.value_or(EntryId::none), false};
        ++revision_;
    }
}

void Document::link_tokens(EntryId id, std::optional<EntryId> tokens) {
    if (auto* entry = find_mutable(id)) {
        entry->tokens = Guessed<EntryId>{tokens.value_or(EntryId::none), false};
        ++revision_;
    }
}

void Document::set_loaded(EntryId id, Tensor tensor) {
    if (auto* entry = find_mutable(id)) {
        entry->item.tensor = std::move(tensor);
        ++revision_;
    }
}

void Document::set_error(EntryId id, std::string error) {
    if (auto* entry = find_mutable(id)) {
        entry->error = std::move(error);
        ++revision_;
    }
}

void Document::set_masked_value(EntryId id, std::optional<double> value) {
    if (auto* entry = find_mutable(id)) {
        entry->masked_value = value;
        entry->masked_value_known = true;
        ++revision_;
    }
}

// What a tensor's mask and tokens are, where nobody has said: the same file first, then any file.
void Document::propose_links() {
    std::vector<const Entry*> masks;
    std::vector<const Entry*> labels;
    for (const auto& entry : entries_) {
        if (entry.role.value == Role::mask) masks.push_back(&entry);
        if (entry.role.value == Role::labels) labels.push_back(&entry);
    }
    for (auto& entry : entries_) {
        if (entry.role.value == Role::labels || entry.item.shape.rank() < 1) continue;
        const auto better = [&](const Entry& candidate, const std::optional<Guessed<EntryId>>& current) {
            if (!current) return true;
            if (!current->guess) return false;
            const Entry* held = find(current->value);
            if (held == nullptr) return true;
            if (held->path != candidate.path) return candidate.path == entry.path;
            // Of two masks in one file the boolean one is the plainer word.
            return candidate.item.dtype == DType::boolean && held->item.dtype != DType::boolean;
        };
        for (const Entry* other : labels) {
            if (names_a_dim(*other->item.labels, entry.item.shape) && better(*other, entry.tokens)) {
                entry.tokens = Guessed<EntryId>{other->id, true};
            }
        }
        for (const Entry* other : masks) {
            if (entry.role.value == Role::mask || !better(*other, entry.mask)) continue;
            const auto map = map_axes(entry.item.shape, entry.dims.value, other->item.shape, other->dims.value);
            // A single cell broadcasts to anything and explains nothing.
            if (map && std::any_of(map->mask_dim.begin(), map->mask_dim.end(), [](int d) { return d >= 0; })) {
                entry.mask = Guessed<EntryId>{other->id, true};
            }
        }
    }
}

}  // namespace maskscope::document
