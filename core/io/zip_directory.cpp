// SPDX-License-Identifier: Apache-2.0
#include "core/io/zip_directory.h"

#include "core/base/checked.h"
#include "core/base/function_ref.h"
#include "core/base/utf8.h"
#include "core/io/limits.h"
#include "core/io/little_endian.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace maskscope::io {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kCentralSignature = 0x02014b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kEnd64Signature = 0x06064b50;
constexpr std::uint32_t kLocator64Signature = 0x07064b50;
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kCentralBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kEnd64Bytes = 56;
constexpr std::size_t kLocator64Bytes = 20;
constexpr std::uint16_t kZip64Extra = 0x0001;
constexpr std::uint32_t kInZip64 = 0xFFFFFFFF;  // "the true number is in the zip64 field"

bool lies_inside(Bytes file, std::uint64_t offset, std::uint64_t size) {
    return offset <= file.size() && size <= file.size() - offset;
}

struct End {
    std::uint64_t directory_offset = 0;
    std::uint64_t directory_size = 0;
    std::uint64_t entries = 0;
    std::uint64_t offset = 0;  // of the first end record: the directory must stop before it
};

// The end record lies at the very end, before a comment of at most 65,535 bytes whose length it states.
std::optional<std::size_t> find_end(Bytes file) {
    if (file.size() < kEndBytes) return std::nullopt;
    const std::size_t last = file.size() - kEndBytes;
    const std::size_t first = last > 0xFFFF ? last - 0xFFFF : 0;
    for (std::size_t at = last + 1; at-- > first;) {
        if (load_le<std::uint32_t>(file, at) != kEndSignature) continue;
        if (at + kEndBytes + load_le<std::uint16_t>(file, at + 20) == file.size()) return at;
    }
    return std::nullopt;
}

Result<End> read_end64(Bytes file, std::size_t locator) {
    const auto at = load_le<std::uint64_t>(file, locator + 8);
    if (!lies_inside(file, at, kEnd64Bytes) || at + kEnd64Bytes > locator ||
        load_le<std::uint32_t>(file, at) != kEnd64Signature) {
        return input_error(MS_TEXT("the zip64 locator points to byte {}, where no zip64 end record stands"), at)
            .at(locator);
    }
    if (load_le<std::uint32_t>(file, locator + 16) > 1 || load_le<std::uint32_t>(file, at + 16) != 0) {
        return input_error(MS_TEXT("the zip is one part of a split archive; join the parts first")).at(at);
    }
    return End{load_le<std::uint64_t>(file, at + 48), load_le<std::uint64_t>(file, at + 40),
               load_le<std::uint64_t>(file, at + 32), at};
}

Result<End> read_end(Bytes file) {
    const auto found = find_end(file);
    if (!found) {
        return input_error(
                   MS_TEXT("the file is no whole zip: its end record is missing, so it was probably cut short at {} "
                           "bytes"),
                   file.size())
            .at(file.size());
    }
    const std::size_t at = *found;
    End end{load_le<std::uint32_t>(file, at + 16), load_le<std::uint32_t>(file, at + 12),
            load_le<std::uint16_t>(file, at + 10), at};
    if (at >= kLocator64Bytes && load_le<std::uint32_t>(file, at - kLocator64Bytes) == kLocator64Signature) {
        MS_TRY(wide, read_end64(file, at - kLocator64Bytes));
        end = wide;
    } else if (load_le<std::uint16_t>(file, at + 4) != 0 || load_le<std::uint16_t>(file, at + 8) != end.entries) {
        return input_error(MS_TEXT("the zip is one part of a split archive; join the parts first")).at(at);
    }
    if (!lies_inside(file, end.directory_offset, end.directory_size) ||
        end.directory_offset + end.directory_size > end.offset) {
        return input_error(MS_TEXT("the zip's directory claims bytes {} to {}+{}, beyond its end record"),
                           end.directory_offset, end.directory_offset, end.directory_size)
            .at(end.offset);
    }
    if (end.entries > kMaxItems || end.entries > end.directory_size / kCentralBytes) {
        return input_error(
                   MS_TEXT("the zip claims {} members, more than its directory of {} bytes or the limit of {} allows"),
                   end.entries, end.directory_size, kMaxItems)
            .at(end.offset);
    }
    return end;
}

// The zip64 extra field holds, in this order, only those of the three numbers that did not fit.
Result<void> read_zip64_extra(Bytes extra, std::uint64_t offset, ZipMember& member) {
    std::size_t at = 0;
    while (at + 4 <= extra.size()) {
        const auto id = load_le<std::uint16_t>(extra, at);
        const std::size_t size = load_le<std::uint16_t>(extra, at + 2);
        at += 4;
        if (size > extra.size() - at) break;
        if (id != kZip64Extra) {
            at += size;
            continue;
        }
        std::size_t field = at;
        for (auto* number : {&member.size, &member.packed_size, &member.header_offset}) {
            if (*number != kInZip64) continue;
            if (field + 8 > at + size) {
                return input_error(MS_TEXT("the zip64 field of {} is too short"), in_quotes(member.name)).at(offset);
            }
            *number = load_le<std::uint64_t>(extra, field);
            field += 8;
        }
        return {};
    }
    return {};
}

Result<void> check_method(std::uint16_t flags, std::uint16_t method, std::uint64_t offset, ZipMember& member) {
    if ((flags & 0x2041U) != 0) {
        return input_error(MS_TEXT("member {} is encrypted; save the file without a password"), in_quotes(member.name))
            .at(offset);
    }
    if (method != 0 && method != 8) {
        return input_error(MS_TEXT("member {} is packed with zip method {}; only stored (0) and deflate (8) are read"),
                           in_quotes(member.name), method)
            .at(offset);
    }
    member.deflated = method == 8;
    if (!member.deflated && member.size != member.packed_size) {
        return input_error(MS_TEXT("stored member {} has {} bytes but claims {}"), in_quotes(member.name),
                           member.packed_size, member.size)
            .at(offset);
    }
    const auto most = checked_mul(member.packed_size, kMaxInflateRatio).value_or(UINT64_MAX);
    if (member.deflated && (member.size > kMaxInflatedBytes || member.size > most)) {
        return input_error(
                   MS_TEXT("deflated member {} claims to unpack {} bytes to {}, which is refused as a zip bomb"),
                   in_quotes(member.name), member.packed_size, member.size)
            .at(offset);
    }
    return {};
}

// The local header repeats the name and says where the data begin; its sizes may be 0, so the directory's count.
Result<void> read_local_header(Bytes file, std::uint64_t directory_offset, ZipMember& member) {
    const std::uint64_t at = member.header_offset;
    if (!lies_inside(file, at, kLocalBytes) || load_le<std::uint32_t>(file, at) != kLocalSignature) {
        return input_error(MS_TEXT("member {} has no local header"), in_quotes(member.name)).at(at);
    }
    const std::size_t name_size = load_le<std::uint16_t>(file, at + 26);
    const std::size_t extra_size = load_le<std::uint16_t>(file, at + 28);
    member.data_offset = at + kLocalBytes + name_size + extra_size;
    if (member.data_offset > directory_offset || member.packed_size > directory_offset - member.data_offset) {
        return input_error(MS_TEXT("member {} claims {} bytes from byte {}, beyond the data of the zip"),
                           in_quotes(member.name), member.packed_size, member.data_offset)
            .at(at);
    }
    const std::string_view name(reinterpret_cast<const char*>(file.data() + at + kLocalBytes), name_size);
    if (name != member.name) {
        return input_error(MS_TEXT("member {} is named {} in its local header"), in_quotes(member.name),
                           in_quotes(name))
            .at(at);
    }
    return {};
}

Result<ZipMember> read_central_entry(Bytes file, const End& end, std::uint64_t& at) {
    const std::uint64_t entry = at;
    const std::uint64_t left = end.directory_offset + end.directory_size - at;
    if (left < kCentralBytes || load_le<std::uint32_t>(file, at) != kCentralSignature) {
        return input_error(MS_TEXT("the zip's directory is damaged: no entry stands here")).at(at);
    }
    const std::size_t name_size = load_le<std::uint16_t>(file, at + 28);
    const std::size_t extra_size = load_le<std::uint16_t>(file, at + 30);
    const std::size_t comment_size = load_le<std::uint16_t>(file, at + 32);
    const std::size_t whole = kCentralBytes + name_size + extra_size + comment_size;
    if (whole > left) return input_error(MS_TEXT("the zip's directory is damaged: an entry reaches beyond it")).at(at);
    ZipMember member;
    member.name.assign(reinterpret_cast<const char*>(file.data() + at + kCentralBytes), name_size);
    if (first_invalid_utf8(member.name) || member.name.find('\0') != std::string::npos) {
        return input_error(MS_TEXT("the name of member {} is not UTF-8"), in_quotes(member.name)).at(entry);
    }
    member.crc = load_le<std::uint32_t>(file, at + 16);
    member.packed_size = load_le<std::uint32_t>(file, at + 20);
    member.size = load_le<std::uint32_t>(file, at + 24);
    member.header_offset = load_le<std::uint32_t>(file, at + 42);
    MS_CHECK(read_zip64_extra(file.subspan(at + kCentralBytes + name_size, extra_size), entry, member));
    MS_CHECK(check_method(load_le<std::uint16_t>(file, at + 8), load_le<std::uint16_t>(file, at + 10), entry, member));
    MS_CHECK(read_local_header(file, end.directory_offset, member));
    at += whole;
    return member;
}

std::vector<std::size_t> sorted_by(std::size_t count, FunctionRef<bool(std::size_t, std::size_t)> less) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), less);
    return order;
}

// Two members over the same bytes are how a small zip unpacks to petabytes; two of one name are read differently
// by different programs.
Result<void> check_distinct(const ZipDirectory& directory) {
    const auto& members = directory.members;
    const auto& by_name = directory.by_name;
    const auto by_place = sorted_by(members.size(), [&](std::size_t a, std::size_t b) {
        return members[a].header_offset < members[b].header_offset;
    });
    for (std::size_t i = 1; i < by_place.size(); ++i) {
        const auto& before = members[by_place[i - 1]];
        const auto& after = members[by_place[i]];
        if (before.data_offset + before.packed_size > after.header_offset) {
            return input_error(MS_TEXT("members {} and {} overlap"), in_quotes(before.name), in_quotes(after.name))
                .at(after.header_offset);
        }
    }
    for (std::size_t i = 1; i < by_name.size(); ++i) {
        const auto& member = members[by_name[i]];
        if (members[by_name[i - 1]].name == member.name) {
            return input_error(MS_TEXT("two members are named {}"), in_quotes(member.name)).at(member.header_offset);
        }
    }
    return {};
}

}  // namespace

const ZipMember* ZipDirectory::find(std::string_view name) const {
    const auto found =
        std::lower_bound(by_name.begin(), by_name.end(), name,
                         [&](std::size_t i, std::string_view wanted) { return members[i].name < wanted; });
    return found == by_name.end() || members[*found].name != name ? nullptr : &members[*found];
}

Result<ZipDirectory> read_zip_directory(Bytes file) {
    MS_TRY(end, read_end(file));
    ZipDirectory directory;
    directory.members.reserve(end.entries);
    std::uint64_t at = end.directory_offset;
    for (std::uint64_t i = 0; i < end.entries; ++i) {
        MS_TRY(member, read_central_entry(file, end, at));
        directory.members.push_back(std::move(member));
    }
    directory.by_name = sorted_by(directory.members.size(), [&](std::size_t a, std::size_t b) {
        return directory.members[a].name < directory.members[b].name;
    });
    MS_CHECK(check_distinct(directory));
    return directory;
}

Bytes packed_bytes(Bytes file, const ZipMember& member) {
    return file.subspan(member.data_offset, member.packed_size);
}

}  // namespace maskscope::io
