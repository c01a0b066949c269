// SPDX-License-Identifier: Apache-2.0
#include "core/ops/select/expansion.h"

#include "core/ops/dispatch/torch_error.h"

namespace maskscope::ops {
namespace {

// "torch.FloatTensor"; dtypes that came after these names have another.
std::string old_name(DType dtype) {
    const std::string_view name = scalar_type_name(dtype);
    const bool is_newer = dtype == DType::boolean || dtype == DType::bf16 || dtype > DType::f64;
    return is_newer ? fmt::format("CPU{}Type", name) : fmt::format("torch.{}Tensor", name);
}

}  // namespace

Result<void> refuse_expansion(const Tensor& tensor, const Shape& to) {
    if (tensor.rank() > to.rank())
        return runtime_error(
            "expand({}{{{}}}, size={}): the number of sizes provided ({}) must be greater or equal to the number of "
            "dimensions in the tensor ({})",
            old_name(tensor.dtype()), text_of(tensor.shape()), text_of(to), to.rank(), tensor.rank());
    const int added = to.rank() - tensor.rank();
    for (int d = to.rank() - 1; d >= added; --d) {
        const std::int64_t size = tensor.size(d - added);
        if (size != 1 && size != to[d])
            return runtime_error(
                "The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton dimension {}. "
                " "
                "Target sizes: {}.  Tensor sizes: {}",
                to[d], size, d, text_of(to), text_of(tensor.shape()));
    }
    return {};
}

}  // namespace maskscope::ops
