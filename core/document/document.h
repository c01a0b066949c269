// SPDX-License-Identifier: Apache-2.0
// What is open: entries with their role, dimension names and links. Plain state; the window's Session tells who
// must redraw.
#pragma once

#include "core/io/format.h"
#include "core/render/pool/cell_state.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace maskscope::document {

using render::MaskConvention;

enum class EntryId : std::uint32_t { none = 0 };

enum class Role : std::uint8_t { tensor, mask, image, labels };
std::string_view name_of(Role role);

// A guess is shown as one, and the user's word replaces it.
template <class T>
struct Guessed {
    T value{};
    bool guess = true;
};

struct Entry {
    EntryId id = EntryId::none;
    std::string name;  // the key, or the file's name for a nameless item
    std::string path;
    io::Item item;
    Guessed<Role> role;
    Guessed<std::vector<std::string>> dims;             // one name per dimension
    std::optional<Guessed<MaskConvention>> convention;  // masks only
    // What explains this entry; proposed by name and shape.
    std::optional<Guessed<EntryId>> tokens;
    std::optional<Guessed<EntryId>> mask;
    // A value that means masked by itself (-inf of an additive mask, a repeated sentinel). Looked for when the entry is
    // first shown, since opening a file must not read it.
    std::optional<double> masked_value;
    bool masked_value_known = false;
    std::string error;  // the sentence that stands in its place when it could not be loaded
};

// A file as it stands in the workspace tree.
struct OpenFile {
    std::string path;
    std::string format_id;
    std::map<std::string, std::string> metadata;
    std::vector<EntryId> entries;
};

class Document {
public:
    // Entries of a file just read, with guesses made and links proposed among all entries.
    std::vector<EntryId> add(io::FileContents contents);
    void close(const std::string& path);

    const Entry* find(EntryId id) const;
    const std::deque<Entry>& entries() const { return entries_; }
    const std::vector<OpenFile>& files() const { return files_; }
    std::uint64_t revision() const { return revision_; }

    void set_role(EntryId id, Role role);
    void set_dim_name(EntryId id, int dim, std::string name);
    void set_convention(EntryId id, MaskConvention convention);
    void link_mask(EntryId id, std::optional<EntryId> mask);
    void link_tokens(EntryId id, std::optional<EntryId> tokens);
    void set_loaded(EntryId id, Tensor tensor);
    void set_error(EntryId id, std::string error);
    void set_masked_value(EntryId id, std::optional<double> value);

private:
    Entry* find_mutable(EntryId id);
    void propose_links();

    std::deque<Entry> entries_;
    std::vector<OpenFile> files_;
    std::uint32_t next_id_ = 1;
    std::uint64_t revision_ = 0;
};

// The guesses, for tests and for the command line.
Role guess_role(const io::Item& item, const std::string& name);
MaskConvention guess_convention(const io::Item& item, const std::string& name);
std::vector<std::string> guess_dims(const io::Item& item, const std::string& name);
// The repeated sentinel of a tensor: its exact minimum when that is -inf, finfo.min or a power-of-ten sentinel at or
// below -1e4 and stands in more than one cell. Reads at most `budget` elements spread over the tensor.
std::optional<double> find_masked_value(const Tensor& tensor, std::int64_t budget = 1 << 20);

}  // namespace maskscope::document
