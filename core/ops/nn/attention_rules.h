// SPDX-License-Identifier: Apache-2.0
// What scaled_dot_product_attention takes, and how its result lies in memory.
#pragma once

#include "core/ops/dispatch/op_spec.h"
#include "core/ops/dispatch/variable.h"
#include "core/tensor/tensor.h"

#include <optional>

namespace maskscope::ops {

struct AttentionArgs {
    VariablePtr query;
    VariablePtr key;
    VariablePtr value;
    VariablePtr mask;  // may be null
    double dropout = 0;
    bool is_causal = false;
    double scale = 1;
    bool is_grouped = false;  // enable_gqa: several heads of queries share one of keys and values
};

struct AttentionSizes {
    Shape scores;  // [..., L, S]
    Shape out;     // [..., L, E]
    // PyTorch's fused CPU kernel would take it: 4-D (or 3-D) operands of one batch and head size, memory along the last
    // dim. It differs from the plain way in the layout of its result and in what NaN behind the causal mask does.
    bool is_fused = false;
};

// Refuses in PyTorch's words.
Result<AttentionSizes> check_attention(const AttentionArgs& args);
// The query's order of memory from the fused kernel, else contiguous.
std::optional<Strides> attention_strides(const AttentionArgs& args, const AttentionSizes& sizes);

}  // namespace maskscope::ops
