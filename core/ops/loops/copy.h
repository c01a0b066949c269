// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/tensor.h"

namespace maskscope::ops {

// to[...] = from, broadcast and converted. The two must not overlap unless they are the same view.
void copy_elements(const Tensor& from, Tensor& to);
// Every element the same, given as its bytes in the tensor's dtype.
void fill_elements(Tensor& to, const std::byte* element);

// How the elements of two tensors lie to each other in memory (at::get_overlap_status).
enum class Overlap : std::uint8_t { none, full, partial };
Overlap overlap_of(const Tensor& a, const Tensor& b);
// Two index tuples of the tensor lead to one place (a stride of 0 along a size above 1, as_strided); may say true when
// it is too hard to tell, as PyTorch's refusals do for what is not a plain expand: false then.
bool has_internal_overlap(const Tensor& tensor);

}  // namespace maskscope::ops
