// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/dims.h"

#include "core/base/checked.h"

#include <fmt/format.h>

namespace maskscope {

void Dims::erase(int i) {
    assert(i >= 0 && i < rank_);
    for (int k = i; k + 1 < rank_; ++k) (*this)[k] = (*this)[k + 1];
    --rank_;
}

void Dims::insert(int i, std::int64_t value) {
    assert(i >= 0 && i <= rank_);
    push_back(value);
    for (int k = rank_ - 1; k > i; --k) (*this)[k] = (*this)[k - 1];
    (*this)[i] = value;
}

std::optional<std::int64_t> element_count(const Shape& shape) {
    std::int64_t count = 1;
    bool empty = false;
    for (const auto size : shape) {
        if (size < 0) return std::nullopt;
        if (size == 0) {
            empty = true;
            continue;
        }
        const auto product = checked_mul(count, size);
        if (!product) return std::nullopt;
        count = *product;
    }
    return empty ? 0 : count;
}

Strides contiguous_strides(const Shape& shape) {
    Strides strides = Dims::filled(shape.rank(), 1);
    for (int i = shape.rank() - 2; i >= 0; --i) strides[i] = strides[i + 1] * std::max<std::int64_t>(shape[i + 1], 1);
    return strides;
}

std::string text_of(const Dims& dims) {
    return fmt::format("[{}]", fmt::join(dims.begin(), dims.end(), ", "));
}

}  // namespace maskscope
