// SPDX-License-Identifier: Apache-2.0
// Tensors in one mapped buffer behind a JSON header.
#include "core/base/utf8.h"
#include "core/io/file_elements.h"
#include "core/io/format.h"
#include "core/io/labels_json.h"
#include "core/io/limits.h"
#include "core/io/little_endian.h"
#include "core/io/safetensors_header.h"
#include "core/io/safetensors_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace maskscope::io {

namespace {

struct Letter {
    std::string_view name;
    unsigned bits;
    std::optional<DType> dtype;  // none: known to the format, not read here
};
constexpr std::array<Letter, 20> kLetters{
    {{"BOOL", 8, DType::boolean},    {"U8", 8, DType::u8},           {"I8", 8, DType::i8},
     {"F8_E4M3", 8, DType::f8_e4m3}, {"F8_E5M2", 8, DType::f8_e5m2}, {"I16", 16, DType::i16},
     {"U16", 16, DType::u16},        {"F16", 16, DType::f16},        {"BF16", 16, DType::bf16},
     {"I32", 32, DType::i32},        {"U32", 32, DType::u32},        {"F32", 32, DType::f32},
     {"I64", 64, DType::i64},        {"U64", 64, DType::u64},        {"F64", 64, DType::f64},
     {"C64", 64, std::nullopt},      {"F8_E8M0", 8, std::nullopt},   {"F4", 4, std::nullopt},
     {"F6_E2M3", 6, std::nullopt},   {"F6_E3M2", 6, std::nullopt}}};

bool recognises_safetensors(std::span<const std::byte> head, std::string_view extension) {
    if (extension == ".safetensors") return true;
    return head.size() > 8 && load_le<std::uint64_t>(head, 0) <= kMaxHeaderBytes && head[8] == std::byte{'{'};
}

Result<const Letter*> letter_of(const SafetensorsEntry& entry) {
    const auto* letter =
        std::find_if(kLetters.begin(), kLetters.end(), [&](const auto& l) { return l.name == entry.dtype; });
    if (letter == kLetters.end()) {
        return input_error(MS_TEXT("tensor {} has the unknown dtype {}"), in_quotes(entry.key), in_quotes(entry.dtype))
            .at(entry.stated_at);
    }
    return letter;
}

Result<void> check_entry(const SafetensorsEntry& entry, const Letter& letter, std::uint64_t expected_begin) {
    if (entry.begin != expected_begin || entry.end < entry.begin) {
        return input_error(MS_TEXT("tensor {} lies at bytes {} to {} of the buffer; it must begin at {}, where the one "
                                   "before it ends"),
                           in_quotes(entry.key), entry.begin, entry.end, expected_begin)
            .at(entry.stated_at);
    }
    auto bits = checked_byte_size(entry.shape, letter.bits);
    if (!bits) return std::move(bits).error().at(entry.stated_at);
    if (*bits % 8 != 0 || *bits / 8 != entry.end - entry.begin) {
        return input_error(MS_TEXT("tensor {} of shape {} and dtype {} needs {} bytes and has {}"),
                           in_quotes(entry.key), text_of(entry.shape), entry.dtype, (*bits + 7) / 8,
                           entry.end - entry.begin)
            .at(entry.stated_at);
    }
    return {};
}

// "query,key" for each dimension, where the metadata name as many as there are.
std::vector<std::string> dim_names_for(const SafetensorsEntry& entry, const SafetensorsHeader& header) {
    const auto stated = header.metadata.find("dims." + entry.key);
    if (stated == header.metadata.end()) return {};
    std::vector<std::string> names;
    std::string_view rest = stated->second;
    while (true) {
        const std::size_t comma = rest.find(',');
        std::string_view name = rest.substr(0, comma);
        while (name.starts_with(' ')) name.remove_prefix(1);
        while (name.ends_with(' ')) name.remove_suffix(1);
        names.emplace_back(name);
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    if (names.size() != static_cast<std::size_t>(entry.shape.rank())) return {};
    return names;
}

// Tokens beside the tensors: a JSON list of strings, or a list for each row of the batch. Other text stays metadata.
void add_tokens(FileContents& out) {
    const auto tokens = out.metadata.find("tokens");
    if (tokens == out.metadata.end()) return;
    const auto taken = [](const Item& item) { return item.key == "tokens"; };
    if (std::any_of(out.items.begin(), out.items.end(), taken)) return;
    auto labels = labels_from_json(tokens->second, 0);
    if (!labels) return;
    Item item = label_item("tokens", std::move(*labels));
    item.note = "from the metadata";
    out.items.push_back(std::move(item));
}

Result<FileContents> read_safetensors(const std::shared_ptr<const MappedFile>& file, const JobContext& /*context*/) {
    const auto bytes = file->bytes();
    MS_TRY(header, parse_safetensors_header(bytes));
    std::stable_sort(header.entries.begin(), header.entries.end(), [](const auto& a, const auto& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    FileContents out;
    std::uint64_t at = 0;
    const std::uint64_t buffer = bytes.size() - header.buffer_offset;
    for (const auto& entry : header.entries) {
        MS_TRY(letter, letter_of(entry));
        MS_CHECK(check_entry(entry, *letter, at));
        at = entry.end;
        if (at > buffer) {
            return input_error(MS_TEXT("tensor {} ends at byte {} of the buffer, which has {}; the file was probably "
                                       "cut short"),
                               in_quotes(entry.key), at, buffer)
                .at(entry.stated_at);
        }
        if (!letter->dtype) {
            out.metadata.emplace(kNotReadPrefix + entry.key, fmt::format("the dtype {} is not read", entry.dtype));
            continue;
        }
        Item item;
        item.key = entry.key;
        item.dtype = *letter->dtype;
        item.shape = entry.shape;
        item.bytes = entry.end - entry.begin;
        item.dim_names = dim_names_for(entry, header);
        const std::uint64_t offset = header.buffer_offset + entry.begin;
        MS_CHECK(attach_elements(item, file, {offset, contiguous_strides(entry.shape), false}));
        out.items.push_back(std::move(item));
    }
    if (at != buffer) {
        return input_error(MS_TEXT("{} bytes at the end of the file belong to no tensor"), buffer - at)
            .at(header.buffer_offset + at);
    }
    out.metadata.merge(header.metadata);
    add_tokens(out);
    return out;
}

}  // namespace

Format safetensors_format() {
    return {.id = "safetensors",
            .title = MS_TEXT("safetensors"),
            .extensions = {".safetensors"},
            .about = MS_TEXT(
                "named tensors behind a JSON header, mapped; BF16, F16 and both F8 among the dtypes; metadata kept"),
            .recognises = recognises_safetensors,
            .read = read_safetensors,
            .write = write_safetensors};
}

}  // namespace maskscope::io
