// SPDX-License-Identifier: Apache-2.0
// Several NumPy arrays in a zip: stored members are mapped, deflated ones unpacked when they are asked for.
#include "core/base/utf8.h"
#include "core/io/file_elements.h"
#include "core/io/format.h"
#include "core/io/limits.h"
#include "core/io/npy_header.h"
#include "core/io/npz_write.h"
#include "core/io/zip_directory.h"

#include <algorithm>
#include <cstring>

namespace maskscope::io {

namespace {

using File = std::shared_ptr<const MappedFile>;

constexpr std::string_view kSuffix = ".npy";
constexpr std::size_t kHeaderGuess = 256;  // most headers; a longer one is unpacked again

bool recognises_npz(std::span<const std::byte> head, std::string_view extension) {
    if (extension == ".npz") return true;
    // Under another name: a zip whose first member is an array.
    constexpr std::size_t kLocalBytes = 30;
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    if (!text.starts_with("PK\x03\x04") || text.size() < kLocalBytes) return false;
    const auto name_size = static_cast<unsigned char>(text[26]) + 256U * static_cast<unsigned char>(text[27]);
    return text.substr(kLocalBytes, name_size).ends_with(kSuffix);
}

Result<NpyHeader> member_header(const File& file, const ZipMember& member) {
    const auto bytes = file->bytes();
    if (!member.deflated) return parse_npy_header(packed_bytes(bytes, member), member.data_offset);
    MS_TRY(guess, member_head(bytes, member, kHeaderGuess));
    MS_TRY(length, npy_header_length(guess, member.data_offset));
    if (length <= guess.size()) return parse_npy_header(guess, member.data_offset);
    MS_TRY(whole, member_head(bytes, member, length));
    return parse_npy_header(whole, member.data_offset);
}

// The tensor's storage is the whole unpacked member where the header leaves the elements aligned, as NumPy's do.
Result<Tensor> inflate_tensor(const File& file, const ZipMember& member, const NpyHeader& header,
                              const JobContext& context) {
    context.expect(static_cast<std::int64_t>(member.size));
    MS_TRY(storage, Storage::allocate(member.size));
    const std::span<std::byte> unpacked(storage->writable_data(), storage->size());
    auto inflated = inflate_member(file->bytes(), member, unpacked, context);
    if (file->changed()) return changed_error(file->path());
    if (!inflated) return std::move(inflated).error().in_file(file->path());
    const std::size_t size = size_of(header.dtype);
    const auto elements = unpacked.subspan(header.header_bytes, header.data_bytes);
    if (header.big_endian) swap_byte_order(elements, size);
    std::size_t first = header.header_bytes;
    if (first % size != 0) {
        std::memmove(unpacked.data(), elements.data(), elements.size());
        first = 0;
    }
    const auto strides = header.fortran_order ? fortran_strides(header.shape) : contiguous_strides(header.shape);
    return Tensor::view_of(std::move(storage), header.dtype, header.shape, strides,
                           static_cast<std::int64_t>(first / size));
}

Result<Item> label_item(const File& file, const ZipMember& member, const NpyHeader& header, Item item,
                        const JobContext& context) {
    const auto bytes = file->bytes();
    const std::uint64_t at = member.data_offset + header.header_bytes;
    if (!member.deflated) {
        MS_TRY(labels, npy_labels(header, bytes.subspan(at, header.data_bytes), at));
        item.labels = std::move(labels);
        return item;
    }
    MS_TRY(unpacked, read_member(bytes, member, kMaxTextBytes, context));
    const std::span<const std::byte> data(unpacked);
    MS_TRY(labels, npy_labels(header, data.subspan(header.header_bytes, header.data_bytes), member.data_offset));
    item.labels = std::move(labels);
    return item;
}

Result<Item> array_item(const File& file, const ZipMember& member, const NpyHeader& header, std::string key,
                        const JobContext& context) {
    MS_CHECK(check_npy_size(header, member.size, member.data_offset));
    Item item = npy_item(header, std::move(key));
    if (header.elements != NpyHeader::Elements::numbers) {
        return label_item(file, member, header, std::move(item), context);
    }
    if (!member.deflated) {
        const auto strides = header.fortran_order ? fortran_strides(header.shape) : contiguous_strides(header.shape);
        MS_CHECK(attach_elements(item, file, {member.data_offset + header.header_bytes, strides, header.big_endian}));
        return item;
    }
    item.note = "deflated: unpacked to memory when opened";
    item.load = [file, member, header](const JobContext& load_context) {
        return inflate_tensor(file, member, header, load_context);
    };
    return item;
}

// Adds the member's array, or says in the metadata why it has none: one array of objects must not lock up the rest.
Result<void> add_member(const File& file, const ZipMember& member, FileContents& out, const JobContext& context) {
    if (member.is_folder()) return {};
    if (!std::string_view(member.name).ends_with(kSuffix)) {
        out.metadata.emplace(kNotReadPrefix + member.name, "not an .npy member");
        return {};
    }
    std::string key = member.name.substr(0, member.name.size() - kSuffix.size());
    MS_TRY(header, member_header(file, member));
    if (header.elements == NpyHeader::Elements::unread) {
        out.metadata.emplace(kNotReadPrefix + key, npy_unread_error(header, member.data_offset).message.text());
        return {};
    }
    MS_TRY(item, array_item(file, member, header, std::move(key), context));
    out.items.push_back(std::move(item));
    return {};
}

Result<FileContents> read_npz(const File& file, const JobContext& context) {
    MS_TRY(directory, read_zip_directory(file->bytes()));
    FileContents out;
    for (const auto& member : directory.members) {
        if (context.cancelled()) return cancelled_error();
        auto added = add_member(file, member, out, context);
        if (added) continue;
        Error error = std::move(added).error();
        if (error.kind == ErrorKind::cancelled) return error;
        // Inside unpacked data an offset is none of the file's.
        if (member.deflated) error.where.offset = member.data_offset;
        error.message = message(MS_TEXT("in member {}: {}"), in_quotes(member.name), error.message.text());
        return error;
    }
    return out;
}

}  // namespace

Format npz_format() {
    return {.id = "npz",
            .title = MS_TEXT("NumPy archive"),
            .extensions = {".npz"},
            .about = MS_TEXT("several arrays in a zip, stored (mapped) or deflated; folders in names; zip64"),
            .recognises = recognises_npz,
            .read = read_npz,
            .write = write_npz};
}

}  // namespace maskscope::io
