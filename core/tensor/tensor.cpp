// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/tensor.h"

#include "core/base/checked.h"

#include <cstring>

namespace maskscope {
namespace {

// Copies `count` rows of the innermost dimension, element by element of `size` bytes.
void copy_strided(const std::byte* source, const Tensor& from, int dim, std::size_t size, std::byte*& out) {
    const std::int64_t length = from.size(dim);
    const auto step = from.strides()[dim] * static_cast<std::int64_t>(size);
    if (dim + 1 < from.rank()) {
        for (std::int64_t i = 0; i < length; ++i) copy_strided(source + i * step, from, dim + 1, size, out);
        return;
    }
    if (from.strides()[dim] == 1) {
        std::memcpy(out, source, static_cast<std::size_t>(length) * size);
        out += static_cast<std::size_t>(length) * size;
        return;
    }
    for (std::int64_t i = 0; i < length; ++i, out += size) std::memcpy(out, source + i * step, size);
}

Result<std::size_t> bytes_of(const Shape& shape, DType dtype) {
    const auto count = element_count(shape);
    const auto bytes = count ? checked_mul(*count, static_cast<std::int64_t>(size_of(dtype))) : std::nullopt;
    if (!bytes) return input_error(MS_TEXT("shape {} has more bytes than 63 bits can count"), text_of(shape));
    return static_cast<std::size_t>(*bytes);
}

}  // namespace

Result<Tensor> Tensor::zeros(const Shape& shape, DType dtype) {
    MS_TRY(bytes, bytes_of(shape, dtype));
    MS_TRY(storage, Storage::allocate(bytes));
    return view_of(std::move(storage), dtype, shape, contiguous_strides(shape), 0);
}

Result<Tensor> Tensor::uninitialised(const Shape& shape, DType dtype, const Strides* strides) {
    MS_TRY(bytes, bytes_of(shape, dtype));
    MS_TRY(storage, Storage::uninitialised(bytes));
    return view_of(std::move(storage), dtype, shape, strides != nullptr ? *strides : contiguous_strides(shape), 0);
}

Result<Tensor> Tensor::shapes_only(const Shape& shape, DType dtype, const Strides* strides) {
    MS_TRY(bytes, bytes_of(shape, dtype));
    return view_of(Storage::shapes_only(bytes), dtype, shape, strides != nullptr ? *strides : contiguous_strides(shape),
                   0);
}

Result<Tensor> Tensor::view_of(std::shared_ptr<Storage> storage, DType dtype, const Shape& shape,
                               const Strides& strides, std::int64_t offset) {
    const auto outside = [&] {
        return input_error(MS_TEXT("a view of shape {} with strides {} at offset {} reaches outside its {} bytes"),
                           text_of(shape), text_of(strides), offset, storage->size());
    };
    if (shape.rank() != strides.rank() || offset < 0) return outside();
    const auto count = element_count(shape);
    if (!count) return outside();
    const auto size = static_cast<std::int64_t>(size_of(dtype));
    const auto room = static_cast<std::int64_t>(storage->size()) / size;
    std::int64_t lowest = offset;
    std::int64_t highest = offset;
    for (int i = 0; i < shape.rank() && *count > 0; ++i) {
        const auto reach = checked_mul(shape[i] - 1, strides[i]);
        const auto end = reach ? checked_add(*reach < 0 ? lowest : highest, *reach) : std::nullopt;
        if (!end) return outside();
        (*reach < 0 ? lowest : highest) = *end;
    }
    if (*count > 0 ? lowest < 0 || highest >= room : offset > room) return outside();
    Tensor out;
    out.storage_ = std::move(storage);
    out.dtype_ = dtype;
    out.shape_ = shape;
    out.strides_ = strides;
    out.offset_ = offset;
    return out;
}

std::int64_t Tensor::numel() const {
    std::int64_t count = 1;
    for (const auto size : shape_) count *= size;
    return count;
}

std::size_t Tensor::byte_size() const {
    return static_cast<std::size_t>(numel()) * size_of(dtype_);
}

bool Tensor::is_contiguous() const {
    std::int64_t expected = 1;
    for (int i = rank() - 1; i >= 0; --i) {
        if (shape_[i] == 0) return true;
        if (shape_[i] != 1 && strides_[i] != expected) return false;
        expected *= shape_[i];
    }
    return true;
}

const std::byte* Tensor::data() const {
    return storage_->data() + offset_ * static_cast<std::int64_t>(size_of(dtype_));
}

std::byte* Tensor::writable_data() {
    std::byte* base = storage_->writable_data();
    return base == nullptr ? nullptr : base + offset_ * static_cast<std::int64_t>(size_of(dtype_));
}

const std::byte* Tensor::address_of(std::span<const std::int64_t> index) const {
    assert(static_cast<int>(index.size()) == rank());
    std::int64_t position = 0;
    for (int i = 0; i < rank(); ++i) position += index[static_cast<std::size_t>(i)] * strides_[i];
    return data() + position * static_cast<std::int64_t>(size_of(dtype_));
}

Scalar Tensor::at(std::span<const std::int64_t> index) const {
    return load_scalar(address_of(index), dtype_);
}

Tensor Tensor::select(int dim, std::int64_t index) const {
    Tensor out = *this;
    out.offset_ += index * strides_[dim];
    out.shape_.erase(dim);
    out.strides_.erase(dim);
    return out;
}

Tensor Tensor::narrow(int dim, std::int64_t start, std::int64_t length, std::int64_t step) const {
    Tensor out = *this;
    if (length > 0) out.offset_ += start * strides_[dim];
    out.shape_[dim] = length;
    out.strides_[dim] *= step;
    return out;
}

Tensor Tensor::permute(std::span<const int> order) const {
    assert(static_cast<int>(order.size()) == rank());
    Tensor out = *this;
    for (int i = 0; i < rank(); ++i) {
        out.shape_[i] = shape_[order[static_cast<std::size_t>(i)]];
        out.strides_[i] = strides_[order[static_cast<std::size_t>(i)]];
    }
    return out;
}

Tensor Tensor::transpose(int a, int b) const {
    Tensor out = *this;
    std::swap(out.shape_[a], out.shape_[b]);
    std::swap(out.strides_[a], out.strides_[b]);
    return out;
}

Tensor Tensor::unsqueeze(int dim) const {
    Tensor out = *this;
    out.strides_.insert(dim, dim < rank() ? shape_[dim] * strides_[dim] : 1);
    out.shape_.insert(dim, 1);
    return out;
}

Result<Tensor> Tensor::contiguous() const {
    if (is_contiguous()) return *this;
    MS_TRY(out, zeros(shape_, dtype_));
    std::byte* target = out.writable_data();
    if (numel() > 0) copy_strided(data(), *this, 0, size_of(dtype_), target);
    return std::move(out);
}

}  // namespace maskscope
