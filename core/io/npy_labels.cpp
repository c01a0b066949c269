// SPDX-License-Identifier: Apache-2.0
// Strings in NumPy arrays (U and S dtypes) are labels.
#include "core/base/utf8.h"
#include "core/io/file_elements.h"
#include "core/io/limits.h"
#include "core/io/npy_header.h"

namespace maskscope::io {

namespace {

// A U element: UTF-32 code points in the array's byte order, zeros at its end are padding.
bool append_unicode(std::span<const std::byte> element, bool big_endian, std::string& out) {
    std::size_t length = element.size() / 4;
    const auto code_point = [&](std::size_t i) {
        std::uint32_t value = 0;
        for (std::size_t b = 0; b < 4; ++b) {
            const std::size_t at = 4 * i + (big_endian ? b : 3 - b);
            value = (value << 8U) | std::to_integer<std::uint32_t>(element[at]);
        }
        return value;
    };
    while (length > 0 && code_point(length - 1) == 0) --length;
    for (std::size_t i = 0; i < length; ++i) {
        if (!append_utf8(out, code_point(i))) return false;
    }
    return true;
}

bool append_bytes(std::span<const std::byte> element, std::string& out) {
    std::size_t length = element.size();
    while (length > 0 && element[length - 1] == std::byte{0}) --length;
    out.append(reinterpret_cast<const char*>(element.data()), length);
    return !first_invalid_utf8(out);
}

}  // namespace

Result<Labels> npy_labels(const NpyHeader& header, std::span<const std::byte> data, std::uint64_t offset) {
    const auto count = element_count(header.shape);
    if (!count || *count > static_cast<std::int64_t>(kMaxItems)) {
        return input_error(MS_TEXT("an array of strings of shape {} has more labels than the {} that are read"),
                           text_of(header.shape), kMaxItems)
            .at(offset);
    }
    const Strides strides = header.fortran_order ? fortran_strides(header.shape) : contiguous_strides(header.shape);
    const int rank = header.shape.rank();
    const std::int64_t length = rank == 0 ? 1 : header.shape[rank - 1];
    Labels labels;
    if (*count == 0) labels.rows.emplace_back();
    for (std::int64_t i = 0; i < *count; ++i) {
        if (i % length == 0) labels.rows.emplace_back();
        std::int64_t position = 0;
        std::int64_t rest = i;
        for (int dim = rank - 1; dim >= 0; --dim) {
            position += rest % header.shape[dim] * strides[dim];
            rest /= header.shape[dim];
        }
        const std::size_t at = static_cast<std::size_t>(position) * header.element_bytes;
        const auto element = data.subspan(at, header.element_bytes);
        std::string label;
        const bool good = header.elements == NpyHeader::Elements::unicode
                              ? append_unicode(element, header.big_endian, label)
                              : append_bytes(element, label);
        if (!good) return input_error(MS_TEXT("label {} is not Unicode text"), i).at(offset + at);
        labels.rows.back().push_back(std::move(label));
    }
    return labels;
}

}  // namespace maskscope::io
