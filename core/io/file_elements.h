// SPDX-License-Identifier: Apache-2.0
// The elements of an item that lie in a file as they are: mapped where the processor can use them in place, copied
// on demand where it cannot.
#pragma once

#include "core/io/format.h"

#include <cstdint>
#include <memory>

namespace maskscope::io {

// Bytes of a tensor of that shape. Refuses what 63 bits cannot count, zeros in the shape left aside: strides are
// products of the sizes and must not overflow either.
Result<std::uint64_t> checked_byte_size(const Shape& shape, std::uint64_t element_bytes);

// Where the elements lie; strides are those of the file's order.
struct FileElements {
    std::uint64_t offset = 0;  // of the first byte, in the file; item.bytes of them exist
    Strides strides;
    bool big_endian = false;
};

// Fills item.tensor, or item.load where the bytes have another order or an address that is no multiple of the element
// size (the note then says so). item.dtype, shape and bytes are set already.
Result<void> attach_elements(Item& item, const std::shared_ptr<const MappedFile>& file, const FileElements& elements);

// Reverses the bytes of each element in place.
void swap_byte_order(std::span<std::byte> bytes, std::size_t element_bytes);

// The strides of a dense tensor whose first dimension runs fastest.
Strides fortran_strides(const Shape& shape);

// What a pass over mapped bytes returns when the file changed under it.
Error changed_error(const std::string& path);

}  // namespace maskscope::io
