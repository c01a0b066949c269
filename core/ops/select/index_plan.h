// SPDX-License-Identifier: Apache-2.0
// Indexing with tensors, once the views are done: which element of a tensor stands at each place of the result.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/run.h"
#include "core/tensor/tensor.h"

#include <span>
#include <vector>

namespace maskscope::ops {

// Index tensors of these dtypes pick where they are not zero; the other integers are positions.
inline bool is_mask(DType dtype) {
    return dtype == DType::boolean || dtype == DType::u8;
}

struct IndexPlan {
    // One index, or one mask of several dims.
    struct Part {
        Tensor index;
        Shape list;               // the index's own shape; of a mask the list of its places
        std::int64_t size = 0;    // of the dim that it indexes
        std::int64_t stride = 0;  // elements
        int ordinal = 0;          // among the indices: what errors call the dimension
        Strides mask_strides;     // of the dims that a mask covers
        bool is_mask = false;
    };
    Shape result;
    // The indexed tensor seen in the result's shape; the indexed dims have stride 0.
    Tensor self;
    // What the indices broadcast to; these dims start at `first` in the result.
    Shape indexed;
    int first = 0;
    std::vector<Part> parts;
    // With a mask alone no place comes twice.
    bool is_unique = false;
};

// Each item is None, an int64 or int32 tensor for one dim, or a bool or uint8 mask for as many as it has. Counts the
// masks. Errors in PyTorch's words.
Result<IndexPlan> plan_index(const Tensor& self, std::span<const Value> indices);
// A mask must have exactly the sizes of the dims that start at `dim`.
Result<void> check_mask(const Tensor& mask, const Tensor& self, int dim);
// The strides that PyTorch gives the result.
Strides index_strides(const IndexPlan& plan);
// For each indexed place the distance in bytes from plan.self's own place, int64, broadcasting to the result. Error for
// an index out of range.
Result<Tensor> offsets_of(const IndexPlan& plan, Run& run);

// out = what stands at self's own places plus the offsets; both broadcast to out.
void gather_offsets(Tensor& out, const Tensor& self, const Tensor& offsets);
// The other way, in row-major order of self's shape, so that the last of several writes to one place stays. With
// `accumulate` they add up, each sum rounded to the dtype. In parallel when no place comes twice.
void scatter_offsets(const Tensor& self, const Tensor& offsets, const Tensor& values, bool accumulate, bool is_unique);

}  // namespace maskscope::ops
