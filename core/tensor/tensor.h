// SPDX-License-Identifier: Apache-2.0
// A strided view of a Storage. A value type: copying a Tensor copies no elements.
#pragma once

#include "core/base/result.h"
#include "core/tensor/convert.h"
#include "core/tensor/dims.h"
#include "core/tensor/dtype.h"
#include "core/tensor/storage.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace maskscope {

class Tensor {
public:
    Tensor() = default;  // undefined: no storage

    // Zeroed, contiguous, on the heap.
    static Result<Tensor> zeros(const Shape& shape, DType dtype);
    // The same without the zeros, with strides of its own where they are given: they must reach each element once,
    // without gaps (a permutation of contiguous ones).
    static Result<Tensor> uninitialised(const Shape& shape, DType dtype, const Strides* strides = nullptr);
    // Shape and dtype without data.
    static Result<Tensor> shapes_only(const Shape& shape, DType dtype, const Strides* strides = nullptr);
    // A view with its own strides (elements) and offset (elements). Refuses what would reach outside the storage.
    static Result<Tensor> view_of(std::shared_ptr<Storage> storage, DType dtype, const Shape& shape,
                                  const Strides& strides, std::int64_t offset);

    bool defined() const { return storage_ != nullptr; }
    DType dtype() const { return dtype_; }
    const Shape& shape() const { return shape_; }
    const Strides& strides() const { return strides_; }
    std::int64_t offset() const { return offset_; }
    int rank() const { return shape_.rank(); }
    std::int64_t size(int dim) const { return shape_[dim]; }
    std::int64_t numel() const;
    // Bytes of the elements (numel * element size), whatever the strides.
    std::size_t byte_size() const;
    bool is_contiguous() const;
    bool has_data() const { return storage_->has_data(); }
    const std::shared_ptr<Storage>& storage() const { return storage_; }

    // Address of the element at index (0, 0, ...).
    const std::byte* data() const;
    // Null when the storage is read-only.
    std::byte* writable_data();
    template <class T>
    const T* data_as() const {
        return reinterpret_cast<const T*>(data());
    }
    template <class T>
    T* writable_as() {
        return reinterpret_cast<T*>(writable_data());
    }

    // index has one entry per dimension, each in range.
    Scalar at(std::span<const std::int64_t> index) const;
    const std::byte* address_of(std::span<const std::int64_t> index) const;

    // Views; dim and index must be in range.
    Tensor select(int dim, std::int64_t index) const;
    Tensor narrow(int dim, std::int64_t start, std::int64_t length, std::int64_t step = 1) const;
    Tensor permute(std::span<const int> order) const;
    Tensor transpose(int a, int b) const;
    Tensor unsqueeze(int dim) const;
    // Contiguous copy in row-major order (the tensor itself when it already is one).
    Result<Tensor> contiguous() const;

private:
    std::shared_ptr<Storage> storage_;
    DType dtype_ = DType::f32;
    Shape shape_;
    Strides strides_;
    std::int64_t offset_ = 0;
};

}  // namespace maskscope
