// SPDX-License-Identifier: Apache-2.0
#include "core/io/npy_header.h"

#include "core/base/utf8.h"
#include "core/io/file_elements.h"
#include "core/io/limits.h"
#include "core/io/little_endian.h"
#include "core/io/npy_dict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace maskscope::io {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct Letter {
    std::string_view code;
    DType dtype;
};
constexpr std::array<Letter, 12> kLetters{{{"b1", DType::boolean},
                                           {"i1", DType::i8},
                                           {"i2", DType::i16},
                                           {"i4", DType::i32},
                                           {"i8", DType::i64},
                                           {"u1", DType::u8},
                                           {"u2", DType::u16},
                                           {"u4", DType::u32},
                                           {"u8", DType::u64},
                                           {"f2", DType::f16},
                                           {"f4", DType::f32},
                                           {"f8", DType::f64}}};

// What NumPy calls the kinds that are no tensors here.
std::string unread_kind(char kind, std::string_view digits) {
    std::uint32_t bytes = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
    switch (kind) {
        case 'c':
            return fmt::format("complex{} numbers", 8ULL * bytes);
        case 'O':
            return "Python objects (dtype object)";
        case 'V':
            return fmt::format("raw records of {} bytes (dtype void)", bytes);
        case 'M':
            return "dates (dtype datetime64)";
        case 'm':
            return "time spans (dtype timedelta64)";
        case 'f':
            return fmt::format("float{} numbers", 8ULL * bytes);
        default:
            return fmt::format("elements of dtype {}", in_quotes(std::string(1, kind) + std::string(digits)));
    }
}

// descr is "<f4": byte order, kind, bytes of an element.
Result<void> read_descr(const NpyDict& dict, NpyHeader& header) {
    if (dict.structured) {
        header.elements = NpyHeader::Elements::unread;
        header.unread_kind = "structured records";
        return {};
    }
    std::string_view code = dict.descr;
    const auto refusal = [&] {
        return input_error(MS_TEXT("the npy header's descr {} is no NumPy dtype"), in_quotes(dict.descr))
            .at(dict.descr_at);
    };
    if (!code.empty() && std::string_view("<>|=").find(code[0]) != std::string_view::npos) {
        header.big_endian = code[0] == '>';
        code.remove_prefix(1);
    }
    if (code.empty()) return refusal();
    const auto* letter = std::find_if(kLetters.begin(), kLetters.end(), [&](const auto& l) { return l.code == code; });
    if (letter != kLetters.end()) {
        header.dtype = letter->dtype;
        header.element_bytes = size_of(letter->dtype);
        return {};
    }
    const char kind = code[0];
    const std::string_view digits = code.substr(1);
    if (kind != 'U' && kind != 'S' && kind != 'a') {
        header.elements = NpyHeader::Elements::unread;
        header.unread_kind = unread_kind(kind, digits);
        return {};
    }
    std::uint32_t length = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (status != std::errc{} || end != digits.data() + digits.size()) return refusal();
    header.elements = kind == 'U' ? NpyHeader::Elements::unicode : NpyHeader::Elements::bytes;
    header.element_bytes = kind == 'U' ? 4ULL * length : length;
    return {};
}

}  // namespace

bool has_npy_magic(std::span<const std::byte> head) {
    return head.size() >= kMagic.size() &&
           std::equal(kMagic.begin(), kMagic.end(), reinterpret_cast<const char*>(head.data()));
}

Result<std::size_t> npy_header_length(std::span<const std::byte> head, std::uint64_t offset) {
    if (!has_npy_magic(head)) {
        return input_error(MS_TEXT("this is no NumPy array: it does not begin with \\x93NUMPY")).at(offset);
    }
    if (head.size() < 10) return input_error(MS_TEXT("the npy header ends after {} bytes"), head.size()).at(offset);
    const auto major = std::to_integer<unsigned>(head[6]);
    const auto minor = std::to_integer<unsigned>(head[7]);
    if (major < 1 || major > 3 || minor != 0) {
        return input_error(MS_TEXT("npy version {}.{} is unknown; 1.0, 2.0 and 3.0 are read"), major, minor)
            .at(offset + 6);
    }
    if (major == 1) return std::size_t{10} + load_le<std::uint16_t>(head, 8);
    if (head.size() < kNpyPreamble) {
        return input_error(MS_TEXT("the npy header ends after {} bytes"), head.size()).at(offset);
    }
    const std::size_t length = load_le<std::uint32_t>(head, 8);
    if (length > kMaxHeaderBytes) {
        return input_error(MS_TEXT("the npy header claims {} bytes; at most {} are read"), length, kMaxHeaderBytes)
            .at(offset + 8);
    }
    return kNpyPreamble + length;
}

Result<NpyHeader> parse_npy_header(std::span<const std::byte> header, std::uint64_t offset) {
    MS_TRY(length, npy_header_length(header, offset));
    if (length > header.size()) {
        return input_error(MS_TEXT("the npy header claims {} bytes and the file has {}"), length, header.size())
            .at(offset + 8);
    }
    const std::size_t start = header[6] == std::byte{1} ? 10 : kNpyPreamble;
    const std::string_view text(reinterpret_cast<const char*>(header.data() + start), length - start);
    MS_TRY(dict, parse_npy_dict(text, offset + start));
    NpyHeader out;
    MS_CHECK(read_descr(dict, out));
    out.fortran_order = dict.fortran_order;
    out.shape = dict.shape;
    out.header_bytes = length;
    auto bytes = checked_byte_size(out.shape, out.element_bytes);
    if (!bytes) return std::move(bytes).error().at(dict.shape_at);
    out.data_bytes = *bytes;
    return out;
}

Result<void> check_npy_size(const NpyHeader& header, std::uint64_t array_bytes, std::uint64_t offset) {
    const std::uint64_t held = array_bytes - std::min(array_bytes, header.header_bytes);
    if (header.data_bytes > held) {
        return input_error(MS_TEXT("shape {} needs {} bytes and the file holds {}; it was probably cut short"),
                           text_of(header.shape), header.data_bytes, held)
            .at(offset + header.header_bytes);
    }
    return {};
}

Error npy_unread_error(const NpyHeader& header, std::uint64_t offset) {
    return input_error(MS_TEXT("the array holds {}, which are not read"), header.unread_kind)
        .at(offset)
        .with_hint(MS_TEXT("save it in a number dtype such as float32, or as strings for labels"));
}

Item npy_item(const NpyHeader& header, std::string key) {
    Item item;
    item.key = std::move(key);
    item.dtype = header.dtype;
    item.shape = header.shape;
    item.bytes = header.data_bytes;
    item.fortran_order = header.fortran_order;
    return item;
}

Result<std::string> npy_header_text(const Shape& shape, DType dtype) {
    const auto* letter =
        std::find_if(kLetters.begin(), kLetters.end(), [&](const auto& l) { return l.dtype == dtype; });
    if (letter == kLetters.end()) {
        return usage_error(MS_TEXT("NumPy has no {}; save it as .safetensors or convert it first"), name_of(dtype));
    }
    const std::string sizes =
        fmt::format("{}{}", fmt::join(shape.begin(), shape.end(), ", "), shape.rank() == 1 ? "," : "");
    std::string dict = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                   size_of(dtype) == 1 ? '|' : '<', letter->code, sizes);
    constexpr std::size_t kPreamble = 10;
    const std::size_t whole = (kPreamble + dict.size() + 1 + 63) / 64 * 64;
    dict.resize(whole - kPreamble - 1, ' ');
    dict += '\n';
    std::string out(kMagic);
    out += '\x01';
    out += '\0';
    append_le(out, static_cast<std::uint16_t>(dict.size()));
    return out + dict;
}

}  // namespace maskscope::io
