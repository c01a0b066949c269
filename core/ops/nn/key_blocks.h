// SPDX-License-Identifier: Apache-2.0
// Keys and values in blocks, packed once for all queries and all heads that share them.
#pragma once

#include "core/ops/dispatch/run.h"
#include "core/ops/nn/matrix_batch.h"

#include <vector>

namespace maskscope::ops {

inline constexpr std::int64_t kKeys = 128;  // of a block

struct KeyState {
    bool values_are_finite = true;
    double key_size = 0;  // the largest magnitude among the keys; infinite when one is not finite
};

template <class T>
class KeyBlocks {
public:
    // `out`: the shape of the result, whose batch dims are counted.
    static Result<KeyBlocks> pack(const Tensor& key, const Tensor& value, const Shape& out, Run& run);

    std::int64_t blocks() const { return blocks_; }
    // Places of the batch that share keys and values (grouped queries) have one plane.
    std::int64_t plane_of(std::int64_t place) const;
    // [D, rows of a tile] in panels over the keys, and [keys, rows of a tile] in panels over the values' width.
    const T* key(std::int64_t plane, std::int64_t block) const {
        return packed_.data_as<T>() + plane * plane_size_ + block * padded_keys_ * depth_;
    }
    const T* value(std::int64_t plane, std::int64_t block) const {
        return packed_.data_as<T>() + plane * plane_size_ + blocks_ * padded_keys_ * depth_ +
               block * kKeys * value_rows_;
    }
    const KeyState& state(std::int64_t plane, std::int64_t block) const {
        return states_[static_cast<std::size_t>(plane * blocks_ + block)];
    }

private:
    KeyBlocks() = default;
    void pack_block(const MatrixView& key, const MatrixView& value, std::int64_t plane, std::int64_t block);

    Tensor packed_;
    std::vector<KeyState> states_;
    Shape batch_;  // of the result
    Shape plane_;  // of keys and values: divides `batch_`
    std::int64_t planes_ = 1;
    std::int64_t keys_ = 0;
    std::int64_t padded_keys_ = 0;  // of a block, in whole tiles
    std::int64_t depth_ = 0;
    std::int64_t width_ = 0;
    std::int64_t value_rows_ = 0;
    std::int64_t blocks_ = 0;
    std::int64_t plane_size_ = 0;
};

}  // namespace maskscope::ops
