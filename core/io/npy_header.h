// SPDX-License-Identifier: Apache-2.0
// The header of a NumPy array: magic, version, and a Python dict literal that is parsed, never evaluated.
// Source: numpy/lib/format.py, versions 1.0, 2.0 and 3.0.
#pragma once

#include "core/base/result.h"
#include "core/io/format.h"
#include "core/tensor/dims.h"
#include "core/tensor/dtype.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace maskscope::io {

struct NpyHeader {
    enum class Elements {
        numbers,
        unicode,  // U: UTF-32, zero-padded
        bytes,    // S: taken as UTF-8, zero-padded
        unread,   // complex, objects and other kinds, named in `unread_kind`
    };
    Elements elements = Elements::numbers;
    DType dtype = DType::f32;  // of numbers
    std::string unread_kind;   // "complex64 numbers"
    std::uint64_t element_bytes = 0;
    bool big_endian = false;
    bool fortran_order = false;
    Shape shape;
    std::uint64_t header_bytes = 0;  // the data begin here
    std::uint64_t data_bytes = 0;    // as the header promises; 0 for what is unread
};

// Bytes that npy_header_length needs to see.
inline constexpr std::size_t kNpyPreamble = 12;

bool has_npy_magic(std::span<const std::byte> head);

// Length of the whole header, from its first bytes. `offset` of the array in the file is for the errors.
Result<std::size_t> npy_header_length(std::span<const std::byte> head, std::uint64_t offset);

// `header` holds the whole header at least.
Result<NpyHeader> parse_npy_header(std::span<const std::byte> header, std::uint64_t offset);

// Refuses fewer than the promised bytes behind the header, in numbers.
Result<void> check_npy_size(const NpyHeader& header, std::uint64_t array_bytes, std::uint64_t offset);

// The error for Elements::unread.
Error npy_unread_error(const NpyHeader& header, std::uint64_t offset);

// The strings of a U or S array: the last dimension is the sequence, those before it are rows.
Result<Labels> npy_labels(const NpyHeader& header, std::span<const std::byte> data, std::uint64_t offset);

// Item::dtype is left alone; key, shape, bytes, fortran_order are filled for numbers.
Item npy_item(const NpyHeader& header, std::string key);

// A version 1.0 header as NumPy writes it, padded so that the data begin at a multiple of 64. Refuses dtypes that NumPy
// has no letter for.
Result<std::string> npy_header_text(const Shape& shape, DType dtype);

}  // namespace maskscope::io
