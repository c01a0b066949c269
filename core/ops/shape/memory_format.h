// SPDX-License-Identifier: Apache-2.0
// PyTorch's memory format "channels last": images [N, C, H, W] or volumes [N, C, D, H, W] whose channels lie next to
// each other, as permuted images have them. Ops that copy keep it.
#pragma once

#include "core/tensor/tensor.h"

#include <optional>
#include <span>

namespace maskscope::ops::geometry {

// The strides of a result of that shape when every input is in this format; nullopt: contiguous.
std::optional<Strides> channels_last_of(std::span<const Tensor* const> inputs, const Shape& shape);

}  // namespace maskscope::ops::geometry
