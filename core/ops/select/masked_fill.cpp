// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/select/fill_where.h"
#include "core/tensor/broadcast.h"

namespace maskscope::ops {
namespace {

bool has_arithmetic(DType dtype) {
    return dtype <= DType::f64;
}

Result<Outputs> plan(const Args& args) {
    const Tensor& self = args.tensor(0);
    const Tensor& mask = args.tensor(1);
    const auto not_bool = [&] {
        return runtime_error("masked_fill_ only supports boolean masks, but got mask with dtype {}",
                             cpp_type_name(mask.dtype()));
    };
    // In place PyTorch looks at the dtype first, else at the shapes.
    if (args.in_place() && mask.dtype() != DType::boolean) return not_bool();
    MS_TRY(shape, args.in_place() ? broadcast_shapes(self.shape(), mask.shape())
                                  : broadcast_shapes(mask.shape(), self.shape()));
    const Outputs out{{shape, self.dtype(), std::nullopt}};
    if (args.in_place() && shape != self.shape()) return out;
    if (mask.dtype() != DType::boolean) return not_bool();
    if (!has_arithmetic(self.dtype())) return not_implemented_for("masked_fill", self.dtype());
    return out;
}

Result<Outputs> plan_number(const Args& args) {
    MS_TRY(out, plan(args));
    if (out.front().shape == args.tensor(0).shape() || !args.in_place())
        MS_CHECK(held_element(args[2], out.front().dtype));
    return std::move(out);
}

Result<Outputs> plan_tensor(const Args& args) {
    const int rank = args.tensor(2).rank();
    // Out of place the shapes of self and mask are told first.
    if (!args.in_place()) MS_CHECK(broadcast_shapes(args.tensor(1).shape(), args.tensor(0).shape()));
    if (rank > 0)
        return runtime_error(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {} dimension(s).", rank);
    return plan(args);
}

Result<void> fill(const Args& args, std::span<Tensor> outputs, Run& run) {
    Tensor& out = outputs.front();
    MS_TRY(element,
           args[2].is_tensor() ? held_element(args.tensor(2), out.dtype()) : held_element(args[2], out.dtype()));
    if (args.in_place() && has_internal_overlap(out))
        run.note(
            "Use of masked_fill_ on expanded tensors is deprecated. Please clone() the tensor before performing this "
            "operation. This also applies to advanced indexing e.g. tensor[mask] = scalar");
    fill_where(out, args.tensor(0), args.tensor(1), element);
    return {};
}

}  // namespace

void add_masked_fill(OpTable& table) {
    constexpr unsigned kForms = kFunction | kMethod | kInPlace;
    constexpr unsigned kTraits = kElementwise | kAllowsExpandedSelf;
    OpSpec spec;
    spec.name = "masked_fill";
    spec.meaning =
        "Writes the value wherever the mask is True and keeps the rest. Mask and tensor broadcast, so a larger mask "
        "enlarges the result; masked_fill_ cannot grow. The dtype never changes: an integer tensor filled with 2.9 "
        "gets 2, and -inf is refused.";
    spec.overloads = {
        computed("(Tensor input, Tensor mask, Tensor value)", kForms, plan_tensor, fill, kTraits),
        computed("(Tensor input, Tensor mask, Scalar value)", kForms, plan_number, fill, kTraits),
    };
    spec.samples = {"torch.masked_fill(x, m, s)", "x.masked_fill(m, 0.0)", "x.masked_fill(m[:, :1], float('-inf'))",
                    "x.clone().masked_fill_(~m, -1e9)"};
    table.add(std::move(spec));
}

}  // namespace maskscope::ops
