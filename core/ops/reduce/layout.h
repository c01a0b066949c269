// SPDX-License-Identifier: Apache-2.0
// The dims of a tensor parted into those that stay and those that are taken away, each merged into as few as the
// strides allow, so that loops run over long pieces of memory whatever the order of the dims.
#pragma once

#include "core/ops/reduce/axes.h"
#include "core/tensor/tensor.h"

#include <array>
#include <span>

namespace maskscope::ops {

inline constexpr int kMaxOutputs = 2;

// Steps are in bytes.
struct LoopDim {
    std::int64_t size = 1;
    std::int64_t in_step = 0;
    std::array<std::int64_t, kMaxOutputs> out_step{};
};

// Outermost first, never empty.
struct LoopDims {
    std::array<LoopDim, kMaxRank + 1> dims{};
    int rank = 0;

    const LoopDim& inner() const { return dims[static_cast<std::size_t>(rank - 1)]; }
    std::int64_t count() const;
    std::int64_t outer_count() const;
    // Where the `index`-th tuple of the outer dims starts.
    struct Place {
        std::int64_t in = 0;
        std::array<std::int64_t, kMaxOutputs> out{};
    };
    Place outer_place(std::int64_t index) const;
};

enum class Order : std::uint8_t {
    any,      // as memory lies
    logical,  // as the indices count: for what tells positions
};

struct Layout {
    LoopDims kept;
    LoopDims reduced;
};

// `outputs` have the shape of `input` without the axes, with ones in their place, or (scans) whole: then their steps
// along the axes are in `reduced`.
Layout layout_of(const Tensor& input, std::span<const Tensor> outputs, const Axes& axes, Order order);

}  // namespace maskscope::ops
