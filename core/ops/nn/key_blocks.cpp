// SPDX-License-Identifier: Apache-2.0
#include "core/ops/nn/key_blocks.h"

#include "core/jobs/parallel.h"
#include "core/tensor/broadcast.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace maskscope::ops {
namespace {

// Infinite when one of them is not finite.
template <class T>
double largest_size(const T* values, std::int64_t count) {
    // Infinity and NaN times 0 are NaN: no branch for each number.
    T largest{};
    T poison{};
    for (std::int64_t i = 0; i < count; ++i) {
        largest = std::abs(values[i]) > largest ? std::abs(values[i]) : largest;
        poison += values[i] * T{};
    }
    return poison == T{} ? static_cast<double>(largest) : std::numeric_limits<double>::infinity();
}

// Different places along a dim counted from the end; those of stride 0 are one.
std::int64_t distinct(const Tensor& tensor, int from_end) {
    const int dim = tensor.rank() - from_end;
    if (dim < 0) return 1;
    return tensor.strides()[dim] == 0 ? std::min<std::int64_t>(tensor.size(dim), 1) : tensor.size(dim);
}

// With those batch sizes, which are its own or repeat it.
Result<Tensor> over_planes(const Tensor& tensor, const Shape& planes) {
    Shape shape = planes;
    shape.push_back(tensor.size(tensor.rank() - 2));
    shape.push_back(tensor.size(tensor.rank() - 1));
    Tensor once = tensor;
    for (int i = 0; i + 2 < tensor.rank(); ++i) {
        if (tensor.strides()[i] == 0 && tensor.size(i) > 1) once = once.narrow(i, 0, 1);
    }
    return expand(once, shape);
}

}  // namespace

template <class T>
Result<KeyBlocks<T>> KeyBlocks<T>::pack(const Tensor& key, const Tensor& value, const Shape& result, Run& run) {
    const std::int64_t rows = tile_of_machine<T>().rows;
    KeyBlocks out;
    out.keys_ = key.size(key.rank() - 2);
    out.depth_ = key.size(key.rank() - 1);
    out.width_ = value.size(value.rank() - 1);
    out.value_rows_ = rounded_up(out.width_, rows);
    out.blocks_ = chunk_count(out.keys_, kKeys);
    out.padded_keys_ = rounded_up(kKeys, rows);
    out.plane_size_ = out.blocks_ * (out.padded_keys_ * out.depth_ + kKeys * out.value_rows_);
    for (int i = 0; i + 2 < result.rank(); ++i) {
        const int from_end = result.rank() - i;
        out.batch_.push_back(result[i]);
        out.plane_.push_back(std::max(distinct(key, from_end), distinct(value, from_end)));
        out.planes_ *= out.plane_[i];
    }
    MS_TRY(keys, over_planes(key, out.plane_));
    MS_TRY(values, over_planes(value, out.plane_));
    const DType dtype = std::is_same_v<T, float> ? DType::f32 : DType::f64;
    MS_TRY(packed, run.allocate(Shape{out.planes_ * out.plane_size_}, dtype));
    out.packed_ = std::move(packed);
    out.states_.resize(static_cast<std::size_t>(out.planes_ * out.blocks_));
    const MatrixBatch planes(keys);
    parallel_for(Lane::ui, out.planes_ * out.blocks_, 4, [&](const Chunk& chunk) {
        for (std::int64_t i = chunk.begin; i < chunk.end; ++i) {
            const std::int64_t plane = i / out.blocks_;
            out.pack_block(planes.matrix(keys, plane), planes.matrix(values, plane), plane, i % out.blocks_);
        }
    });
    return out;
}

template <class T>
std::int64_t KeyBlocks<T>::plane_of(std::int64_t place) const {
    std::int64_t plane = 0;
    std::int64_t unit = 1;
    for (int i = batch_.rank() - 1; i >= 0; --i) {
        plane += place % batch_[i] * plane_[i] / batch_[i] * unit;
        unit *= plane_[i];
        place /= batch_[i];
    }
    return plane;
}

template <class T>
void KeyBlocks<T>::pack_block(const MatrixView& key, const MatrixView& value, std::int64_t plane, std::int64_t block) {
    const std::int64_t rows = tile_of_machine<T>().rows;
    const std::int64_t first = block * kKeys;
    const std::int64_t count = std::min(kKeys, keys_ - first);
    auto* packed_key = const_cast<T*>(this->key(plane, block));
    auto* packed_value = const_cast<T*>(this->value(plane, block));
    pack_panels(key.at(first, 0).transposed(), depth_, count, rows, packed_key);
    pack_panels(value.at(first, 0), count, width_, rows, packed_value);
    KeyState& state = states_[static_cast<std::size_t>(plane * blocks_ + block)];
    state.key_size = largest_size(packed_key, rounded_up(count, rows) * depth_);
    state.values_are_finite = std::isfinite(largest_size(packed_value, count * value_rows_));
}

template class KeyBlocks<float>;
template class KeyBlocks<double>;

}  // namespace maskscope::ops
