// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_elements.h"

#include "core/base/checked.h"

#include <algorithm>
#include <cstring>

namespace maskscope::io {

namespace {

constexpr std::size_t kPiece = 4U << 20U;  // bytes between two looks at the stop button

// The elements in native order on the heap, in the file's strides.
Result<Tensor> copy_elements(const std::shared_ptr<const MappedFile>& file, const FileElements& from, DType dtype,
                             const Shape& shape, std::size_t bytes, const JobContext& context) {
    MS_TRY(storage, Storage::allocate(bytes));
    std::byte* out = storage->writable_data();
    const std::byte* in = file->bytes().data() + from.offset;
    context.expect(static_cast<std::int64_t>(bytes));
    for (std::size_t at = 0; at < bytes; at += kPiece) {
        if (context.cancelled()) return cancelled_error();
        const std::size_t size = std::min(kPiece, bytes - at);
        std::memcpy(out + at, in + at, size);
        if (from.big_endian) swap_byte_order({out + at, size}, size_of(dtype));
        context.advance(static_cast<std::int64_t>(size));
    }
    if (file->changed()) return changed_error(file->path());
    return Tensor::view_of(std::move(storage), dtype, shape, from.strides, 0);
}

}  // namespace

Result<std::uint64_t> checked_byte_size(const Shape& shape, std::uint64_t element_bytes) {
    auto most = static_cast<std::int64_t>(std::max<std::uint64_t>(element_bytes, 1));
    bool empty = element_bytes == 0;
    for (const auto size : shape) {
        empty = empty || size == 0;
        const auto product = checked_mul(most, std::max<std::int64_t>(size, 1));
        if (!product || size < 0) {
            return input_error(MS_TEXT("shape {} has more bytes than 63 bits can count"), text_of(shape));
        }
        most = *product;
    }
    return empty ? 0 : static_cast<std::uint64_t>(most);
}

Result<void> attach_elements(Item& item, const std::shared_ptr<const MappedFile>& file, const FileElements& elements) {
    const std::size_t size = size_of(item.dtype);
    const bool aligned = elements.offset % size == 0 || item.bytes == 0;
    const bool native = !elements.big_endian || size == 1;
    if (aligned && native) {
        auto storage = Storage::mapped(file, elements.offset, item.bytes);
        MS_TRY(tensor, Tensor::view_of(std::move(storage), item.dtype, item.shape, elements.strides, 0));
        item.tensor = tensor;
        item.mapped = true;
        return {};
    }
    item.mapped = false;
    item.note = native ? "not aligned in the file: copied to memory" : "big endian in the file: copied to memory";
    item.load = [file, elements, dtype = item.dtype, shape = item.shape, bytes = item.bytes](
                    const JobContext& context) { return copy_elements(file, elements, dtype, shape, bytes, context); };
    return {};
}

void swap_byte_order(std::span<std::byte> bytes, std::size_t element_bytes) {
    for (std::size_t at = 0; at + element_bytes <= bytes.size(); at += element_bytes) {
        std::reverse(bytes.data() + at, bytes.data() + at + element_bytes);
    }
}

Strides fortran_strides(const Shape& shape) {
    Strides strides = Dims::filled(shape.rank(), 1);
    for (int i = 1; i < shape.rank(); ++i) strides[i] = strides[i - 1] * std::max<std::int64_t>(shape[i - 1], 1);
    return strides;
}

Error changed_error(const std::string& path) {
    return input_error(MS_TEXT("the file changed on disk while it was read; open it again")).in_file(path);
}

}  // namespace maskscope::io
