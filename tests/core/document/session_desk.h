// SPDX-License-Identifier: Apache-2.0
// What the tests of the session share: masks under edit with a journal that follows, and a reference that knows nothing
// of tiles.
#pragma once

#include "core/document/edits.h"
#include "core/document/session_store.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace maskscope::document {

// A tensor of bytes that differ from cell to cell, so that a tile in the wrong place is seen.
inline Tensor patterned(const Shape& shape, DType dtype = DType::u8) {
    Tensor tensor = *Tensor::zeros(shape, dtype);
    std::uint32_t random = 12345;
    for (std::size_t i = 0; i < tensor.byte_size(); ++i) {
        random = random * 1664525U + 1013904223U;
        tensor.writable_data()[i] = static_cast<std::byte>(i / 40 % 3 == 0 ? 0 : random >> 27U);
    }
    return tensor;
}

inline std::vector<std::byte> cells_of(const mask::Plane& plane) {
    std::vector<std::byte> out(static_cast<std::size_t>(plane.rows() * plane.cols()) * plane.cell_bytes());
    plane.copy_rect(plane.bounds(), out.data(), static_cast<std::size_t>(plane.cols()) * plane.cell_bytes());
    return out;
}

class Desk {
public:
    Entry& add(const std::string& path, const std::string& key, const Tensor& tensor) {
        Entry entry;
        entry.id = static_cast<EntryId>(entries_.size() + 1);
        entry.path = path;
        entry.name = key;
        entry.item.key = key;
        entry.item.shape = tensor.shape();
        entry.item.dtype = tensor.dtype();
        entry.item.tensor = tensor;
        return entries_.emplace(entry.id, std::move(entry)).first->second;
    }
    SessionStore::Names names() {
        return [this](EntryId id) { return std::pair{entries_.at(id).path, entries_.at(id).item.key}; };
    }
    Result<void> start(const std::string& folder) {
        MS_TRY(made, SessionStore::create(folder, names()));
        adopt(std::move(made));
        return {};
    }
    Result<void> open(const std::string& path, const std::string& folder) {
        MS_TRY(opened, SessionStore::open(path, folder, names()));
        adopt(std::move(opened));
        return {};
    }
    void begin(const Entry& entry, std::int64_t plane, const std::string& name) {
        auto* editable = *edits.open(entry);
        static_cast<void>(editable->plane(plane));
        if (store) store->mask_opened(entry.id, *editable);
        static_cast<void>(edits.begin(entry, plane, "brush", name));
    }
    void paint(const mask::Rect& rect, std::uint64_t bits) {
        mask::PaintRule rule;
        rule.value.bits = bits;
        edits.current()->paint(mask::Region::of_rect(rect), rule);
    }
    void stroke(const Entry& entry, std::int64_t plane, const mask::Rect& rect, std::uint64_t bits,
                const std::string& name = "Brush") {
        begin(entry, plane, name);
        paint(rect, bits);
        edits.commit();
    }
    std::vector<std::byte> cells(const Entry& entry, std::int64_t plane) {
        return cells_of(**(*edits.open(entry))->plane(plane));
    }
    // As a window does it: the planes over the entry, then the history.
    void recover(const Entry& entry) {
        const auto& session = store->restored();
        auto* editable = *edits.open(entry);
        for (const auto& mask : session.masks) {
            if (mask.path != entry.path) continue;
            for (const auto& [number, cells] : mask.planes) **editable->plane(number) = cells;
        }
        History history;
        for (const auto& step : session.steps) {
            if (step.path != entry.path) continue;
            auto delta = mask::MaskDelta::parse(step.delta, **editable->plane(step.plane));
            history.push({step.tool, step.name, entry.id, step.plane, *std::move(delta)});
        }
        while (history.position() > session.position && history.undo() != nullptr) {
        }
        edits.restore(std::move(history));
    }
    void close() {
        edits.set_listener(nullptr);
        store.reset();
    }

    Edits edits;
    std::unique_ptr<SessionStore> store;

private:
    void adopt(std::unique_ptr<SessionStore> made) {
        store = std::move(made);
        edits.set_listener(store.get());
    }
    std::map<EntryId, Entry> entries_;
};

// What a crash leaves: a journal's files as they are on the disk now, under another name, with nobody's lock.
inline std::string crashed_copy(const std::string& folder, const std::string& to) {
    namespace fs = std::filesystem;
    fs::create_directories(to);
    for (const auto& file : fs::directory_iterator(folder)) {
        const auto path = file.path().string();
        if (!path.ends_with(".journal")) continue;
        for (const char* ending : {"", "-wal"}) {
            std::error_code none;
            fs::copy_file(path + ending, to + "/1-left" + ".journal" + ending, none);
        }
        return to + "/1-left.journal";
    }
    return {};
}

inline std::string bytes_of_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

inline std::vector<std::string> names_in(const std::string& folder) {
    std::vector<std::string> out;
    for (const auto& file : std::filesystem::directory_iterator(folder)) out.push_back(file.path().filename().string());
    return out;
}

}  // namespace maskscope::document
