// SPDX-License-Identifier: Apache-2.0
// What stands between the brackets of x[...], told apart: the part that views can do and the part that gathers.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/run.h"

#include <vector>

namespace maskscope::ops {

struct SplitIndex {
    // self with ints, slices, None and Ellipsis applied; True and False have added a dim.
    Tensor view;
    // The same as an index of its own, for getitem; `changes` is false when it would only make an alias.
    Value basic;
    bool changes = false;
    // For the dims of `view` in order: None, a tensor of indices (one dim each) or a mask (as many dims as it has).
    std::vector<Value> indices;
    bool is_advanced = false;
};

// True when ints, slices, None, Ellipsis and 0-dim integer tensors are all there is.
bool is_basic(const Value& index);
// PyTorch's refusals, from left to right. Lists become tensors; reads 0-dim tensors (needs_data where they have none).
Result<SplitIndex> split_index(const Tensor& self, const Value& index, Run& run);
// The view of a basic index.
Result<Tensor> basic_view(const Tensor& self, const Value& index);

}  // namespace maskscope::ops
