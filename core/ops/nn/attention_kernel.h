// SPDX-License-Identifier: Apache-2.0
// Attention without the [L, S] matrix: keys are taken in blocks with a running maximum and sum for each query (Milakov
// and Gimelshein, 2018; Dao et al., 2022). Blocks of keys that causality or the mask hides from all queries of a block
// are not computed.
#pragma once

#include "core/ops/dispatch/op_spec.h"
#include "core/tensor/tensor.h"

#include <optional>

namespace maskscope::ops {

// Batch dims of query and mask are those of `out`; a repeated one has stride 0. Those of key and value may be missing
// or smaller: a size of 1 serves all, another one divides that of `out` (each key head serves a group of query heads).
// float16 and bfloat16 are computed in float.
struct Attention {
    Tensor query;                // [..., L, D]
    Tensor key;                  // [..., S, D]
    Tensor value;                // [..., S, E], batch sizes those of key or 1
    std::optional<Tensor> mask;  // [..., L, S]: bool (True = keep) or floating (added to the scores)
    Tensor out;                  // [..., L, E]
    double scale = 1;
    // Key j is visible to query i where j <= i: aligned at the top left.
    bool is_causal = false;
    // As PyTorch's fused CPU kernel: a score hidden by causality is replaced, a NaN in it forgotten, and values are
    // only read up to the end of the block of 512 keys that holds the last visible one. Otherwise -inf is added to it.
    bool is_fused = true;
};
// A query that sees no key gets 0, but a NaN or infinity among masked keys or values comes through, as in PyTorch.
Result<void> run_attention(const Attention& attention, Run& run);

}  // namespace maskscope::ops
