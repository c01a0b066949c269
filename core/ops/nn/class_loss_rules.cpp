// SPDX-License-Identifier: Apache-2.0
#include "core/ops/nn/class_loss_rules.h"

#include "core/ops/dispatch/torch_error.h"

namespace maskscope::ops {
namespace {

Result<void> check_batch(const Tensor& input, const Tensor& target) {
    if (input.rank() == 0) return value_error("Expected 1 or more dimensions (got 0)");
    if (input.rank() == 1) {
        if (target.rank() == 1 && target.size(0) != 1)
            return value_error("For 1D input, 1D target must have size 1, but got target size: {}", target.size(0));
        return {};
    }
    const std::int64_t batch = target.rank() == 0 ? 0 : target.size(0);
    if (input.size(0) != batch || target.rank() == 0)
        return value_error("Expected input batch_size ({}) to match target batch_size ({}).", input.size(0), batch);
    return {};
}

// [N, C, ...] goes with [N, ...]. PyTorch has one kernel for images and lays other ranks out for it.
Result<void> check_places(const Tensor& input, const Tensor& target) {
    if (input.rank() <= 2) {
        if (target.rank() > 1) return runtime_error("0D or 1D target tensor expected, multi-target not supported");
        return {};
    }
    Shape wanted = input.shape();
    wanted.erase(1);
    if (input.rank() != 4) {
        if (target.shape() == wanted) return {};
        return runtime_error("Expected target size {}, got {}", text_of(wanted), text_of(target.shape()));
    }
    if (target.rank() != 3)
        return runtime_error("only batches of spatial targets supported (3D tensors) but got targets of dimension: {}",
                             target.rank());
    if (target.shape() == wanted) return {};
    return runtime_error("size mismatch (got input: {} , target: {}", text_of(input.shape()), text_of(target.shape()));
}

Result<void> check_dtypes(const Tensor& input, const Tensor& target, const Tensor* weight) {
    if (target.dtype() != DType::i64 && target.dtype() != DType::u8)
        return runtime_error("expected target dtype to be Long or Byte, but got {}", scalar_type_name(target.dtype()));
    if (weight != nullptr) {
        const std::int64_t classes = input.size(input.rank() == 1 ? 0 : 1);
        if (input.rank() <= 2) {
            MS_CHECK(check_class_weight(weight, classes, ""));
        } else if (weight->numel() != classes) {
            return runtime_error("weight tensor should be defined either for all or no classes");
        }
    }
    const bool known = is_floating(input.dtype()) && size_of(input.dtype()) > 1;
    if (!known)
        return not_implemented_for(input.rank() <= 2 ? "nll_loss_out_frame" : "nll_loss2d_forward_out_frame",
                                   input.dtype());
    if (weight != nullptr && weight->dtype() != input.dtype())
        return runtime_error("expected scalar type {} but found {}", scalar_type_name(input.dtype()),
                             scalar_type_name(weight->dtype()));
    return {};
}

}  // namespace

Result<void> check_class_weight(const Tensor* weight, std::int64_t classes, std::string_view prefix) {
    if (weight == nullptr || (weight->rank() == 1 && weight->numel() == classes)) return {};
    return runtime_error(
        "{}weight tensor should be defined either for all {} classes or no classes but got weight tensor of shape: {}",
        prefix, classes, text_of(weight->shape()));
}

Result<void> check_class_loss(const Tensor& input, const Tensor& target, const Tensor* weight, bool from_logits) {
    if (from_logits && !(is_floating(input.dtype()) && size_of(input.dtype()) > 1))
        return not_implemented_for(input.rank() <= 2 ? "log_softmax_lastdim_kernel_impl" : "log_softmax_kernel_impl",
                                   input.dtype());
    MS_CHECK(check_batch(input, target));
    MS_CHECK(check_places(input, target));
    return check_dtypes(input, target, weight);
}

}  // namespace maskscope::ops
