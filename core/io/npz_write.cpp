// SPDX-License-Identifier: Apache-2.0
#include "core/io/npz_write.h"

#include "core/base/checked.h"
#include "core/base/utf8.h"
#include "core/io/little_endian.h"
#include "core/io/npy_header.h"
#include "core/io/save.h"
#include "core/io/write_elements.h"

#include <zlib.h>

#include <set>
#include <vector>

namespace maskscope::io {

namespace {

constexpr std::uint64_t kAlignment = 64;
constexpr std::uint64_t kLocalBytes = 30;
constexpr std::uint32_t kBeyond32 = 0xFFFFFFFF;
constexpr std::uint16_t kUtf8Names = 0x0800;
constexpr std::uint16_t kDosDate = 0x0021;  // 1 January 1980: the same tensors give the same bytes
constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kVersion64 = 45;
constexpr std::uint16_t kMadeOnUnix = 3U << 8U;
constexpr std::uint32_t kFileMode = 0100644;  // a regular file that its owner writes and everybody reads

struct Entry {
    std::string name;
    std::string header;  // of the npy
    const Tensor* tensor = nullptr;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
    std::uint32_t crc = 0;
};

std::uint32_t low32(std::uint64_t value) {
    return value >= kBeyond32 ? kBeyond32 : static_cast<std::uint32_t>(value);
}

bool needs_zip64(const Entry& entry) {
    return entry.size >= kBeyond32 || entry.offset >= kBeyond32;
}

// What local header and directory entry have in common.
void append_shared(std::string& out, const Entry& entry, bool wide, std::size_t extra_size) {
    append_le<std::uint16_t>(out, wide ? kVersion64 : kVersion);
    append_le<std::uint16_t>(out, kUtf8Names);
    append_le<std::uint16_t>(out, 0);  // stored
    append_le<std::uint16_t>(out, 0);
    append_le<std::uint16_t>(out, kDosDate);
    append_le<std::uint32_t>(out, entry.crc);
    append_le<std::uint32_t>(out, low32(entry.size));
    append_le<std::uint32_t>(out, low32(entry.size));
    append_le<std::uint16_t>(out, static_cast<std::uint16_t>(entry.name.size()));
    append_le<std::uint16_t>(out, static_cast<std::uint16_t>(extra_size));
}

std::string local_header(const Entry& entry) {
    std::string extra;
    if (entry.size >= kBeyond32) {
        append_le<std::uint16_t>(extra, 1);
        append_le<std::uint16_t>(extra, 16);
        append_le<std::uint64_t>(extra, entry.size);
        append_le<std::uint64_t>(extra, entry.size);
    }
    // Padding in the form of an extra field of Android's zipalign; its first four bytes are id and length.
    const std::uint64_t start = entry.offset + kLocalBytes + entry.name.size() + extra.size();
    std::uint64_t padding = (kAlignment - start % kAlignment) % kAlignment;
    if (padding > 0 && padding < 4) padding += kAlignment;
    if (padding > 0) {
        append_le<std::uint16_t>(extra, 0xD935);
        append_le<std::uint16_t>(extra, static_cast<std::uint16_t>(padding - 4));
        extra.append(static_cast<std::size_t>(padding - 4), '\0');
    }
    std::string out;
    append_le<std::uint32_t>(out, 0x04034b50);
    append_shared(out, entry, entry.size >= kBeyond32, extra.size());
    return out + entry.name + extra;
}

std::string directory_entry(const Entry& entry) {
    std::string extra;
    if (needs_zip64(entry)) {
        std::string numbers;
        if (entry.size >= kBeyond32) {
            append_le<std::uint64_t>(numbers, entry.size);
            append_le<std::uint64_t>(numbers, entry.size);
        }
        if (entry.offset >= kBeyond32) append_le<std::uint64_t>(numbers, entry.offset);
        append_le<std::uint16_t>(extra, 1);
        append_le<std::uint16_t>(extra, static_cast<std::uint16_t>(numbers.size()));
        extra += numbers;
    }
    std::string out;
    append_le<std::uint32_t>(out, 0x02014b50);
    // Made on Unix: otherwise unzip reads the names as DOS would have written them.
    append_le<std::uint16_t>(out, kMadeOnUnix | (needs_zip64(entry) ? kVersion64 : kVersion));
    append_shared(out, entry, needs_zip64(entry), extra.size());
    append_le<std::uint16_t>(out, 0);  // comment
    append_le<std::uint16_t>(out, 0);  // disk
    append_le<std::uint16_t>(out, 0);  // internal attributes
    append_le<std::uint32_t>(out, kFileMode << 16U);
    append_le<std::uint32_t>(out, low32(entry.offset));
    return out + entry.name + extra;
}

std::string end_records(std::uint64_t count, std::uint64_t offset, std::uint64_t size) {
    std::string out;
    if (count >= 0xFFFF || offset >= kBeyond32 || size >= kBeyond32) {
        append_le<std::uint32_t>(out, 0x06064b50);
        append_le<std::uint64_t>(out, 44);  // bytes that follow
        append_le<std::uint16_t>(out, kVersion64);
        append_le<std::uint16_t>(out, kVersion64);
        append_le<std::uint32_t>(out, 0);
        append_le<std::uint32_t>(out, 0);
        append_le<std::uint64_t>(out, count);
        append_le<std::uint64_t>(out, count);
        append_le<std::uint64_t>(out, size);
        append_le<std::uint64_t>(out, offset);
        append_le<std::uint32_t>(out, 0x07064b50);
        append_le<std::uint32_t>(out, 0);
        append_le<std::uint64_t>(out, offset + size);
        append_le<std::uint32_t>(out, 1);
    }
    const auto short_count = static_cast<std::uint16_t>(count >= 0xFFFF ? 0xFFFF : count);
    append_le<std::uint32_t>(out, 0x06054b50);
    append_le<std::uint16_t>(out, 0);
    append_le<std::uint16_t>(out, 0);
    append_le<std::uint16_t>(out, short_count);
    append_le<std::uint16_t>(out, short_count);
    append_le<std::uint32_t>(out, low32(size));
    append_le<std::uint32_t>(out, low32(offset));
    append_le<std::uint16_t>(out, 0);
    return out;
}

Result<std::vector<Entry>> plan(std::span<const NamedTensor> tensors) {
    std::vector<Entry> entries;
    std::set<std::string> names;
    for (const auto& [key, tensor] : tensors) {
        Entry entry;
        entry.name = (key.empty() ? std::string("arr_0") : key) + ".npy";
        if (entry.name.size() > 0xFFFF - kAlignment || entry.name.find('\0') != std::string::npos ||
            first_invalid_utf8(entry.name)) {
            return usage_error(MS_TEXT("the key {} cannot name a member of a zip"), in_quotes(key));
        }
        if (!names.insert(entry.name).second) {
            return usage_error(MS_TEXT("two tensors have the key {}"), in_quotes(key));
        }
        MS_TRY(header, npy_header_text(tensor.shape(), tensor.dtype()));
        entry.header = std::move(header);
        entry.tensor = &tensor;
        entry.size = entry.header.size() + tensor.byte_size();
        entries.push_back(std::move(entry));
    }
    return entries;
}

// The CRC stands before the data, so they are read twice: cheap beside the disk, and every reader of zips understands
// it.
Result<std::uint32_t> crc_of(const Entry& entry) {
    uLong crc = crc32_z(0, nullptr, 0);
    auto add = [&](std::span<const std::byte> bytes) -> Result<void> {
        if (!bytes.empty()) crc = crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
        return {};
    };
    MS_CHECK(add(std::as_bytes(std::span(entry.header))));
    MS_CHECK(write_elements(*entry.tensor, add));
    return static_cast<std::uint32_t>(crc);
}

Result<void> write_archive(std::vector<Entry>& entries, Sink sink) {
    const auto put = [&](const std::string& text) { return sink(std::as_bytes(std::span(text))); };
    std::uint64_t at = 0;
    for (auto& entry : entries) {
        entry.offset = at;
        MS_TRY(crc, crc_of(entry));
        entry.crc = crc;
        const std::string header = local_header(entry);
        MS_CHECK(put(header));
        MS_CHECK(put(entry.header));
        MS_CHECK(write_elements(*entry.tensor, sink));
        at += header.size() + entry.size;
    }
    const std::uint64_t directory_offset = at;
    for (const auto& entry : entries) {
        const std::string text = directory_entry(entry);
        MS_CHECK(put(text));
        at += text.size();
    }
    return put(end_records(entries.size(), directory_offset, at - directory_offset));
}

}  // namespace

Result<void> write_npz(const std::string& path, std::span<const NamedTensor> tensors,
                       const std::map<std::string, std::string>& /*metadata*/) {
    auto planned = plan(tensors);
    if (!planned) return std::move(planned).error().in_file(path);
    return save_atomically(path, [&](Sink sink) { return write_archive(*planned, sink); });
}

}  // namespace maskscope::io
