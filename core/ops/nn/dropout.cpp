// SPDX-License-Identifier: Apache-2.0
// dropout, and glu, the gate that needs no chance.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"

#include <algorithm>

namespace maskscope::ops {
namespace {

// 0 where dropped, 1 / (1 - p) where kept.
Result<VariablePtr> factors(const VariablePtr& input, double p, Run& run) {
    if (p == 1) return run.tensor("zeros_like", {input});
    MS_TRY(chances, run.tensor("full_like", {input, 1 - p}));
    MS_TRY(kept, run.tensor("bernoulli", {chances}));
    return run.tensor("div", {kept, 1 - p});
}

Result<Value> dropped(const VariablePtr& input, double p, bool is_training, bool in_place, Run& run) {
    if (!(p >= 0 && p <= 1)) return runtime_error("dropout probability has to be between 0 and 1, but got {}", p);
    if (p == 0 || !is_training || input->tensor.numel() == 0) return Value(input);
    const DType dtype = input->tensor.dtype();
    if (!is_floating(dtype))
        return runtime_error("result type Float can't be cast to the desired output type {}", scalar_type_name(dtype));
    MS_TRY(factor, factors(input, p, run));
    MS_TRY(out, in_place ? run.in_place("mul", {input, factor}) : run.tensor("mul", {input, factor}));
    return Value(out);
}

// F.dropout(input, p, training, inplace)
Result<Value> functional_dropout(const Args& args, Run& run) {
    const double p = args.number(1);
    if (p < 0 || p > 1) return value_error("dropout probability has to be between 0 and 1, but got {}", p);
    return dropped(args.variable(0), p, args.flag(2), args.flag(3), run);
}

// torch.dropout(input, p, train)
Result<Value> dropout(const Args& args, Run& run) {
    return dropped(args.variable(0), args.number(1), args.flag(2), false, run);
}

// (input, dim)
Result<Value> glu(const Args& args, Run& run) {
    const Tensor& input = args.tensor(0);
    if (input.rank() == 0) return runtime_error("glu does not support scalars because halving size must be even");
    std::int64_t dim = args.integer(1);
    if (dim < -input.rank() || dim >= input.rank()) return dimension_out_of_range(input.rank(), dim);
    if (dim < 0) dim += input.rank();
    const std::int64_t size = input.size(static_cast<int>(dim));
    if (size % 2 != 0) return runtime_error("Halving dimension must be even, but dimension {} is size {}", dim, size);
    if (!is_floating(input.dtype())) return not_implemented_for("glu_cpu", input.dtype());
    MS_TRY(value, run.tensor("narrow", {args[0], dim, 0, size / 2}));
    MS_TRY(rest, run.tensor("narrow", {args[0], dim, size / 2, size / 2}));
    MS_TRY(gate, run.tensor("sigmoid", {rest}));
    MS_TRY(out, run.tensor("mul", {value, gate}));
    return Value(out);
}

}  // namespace

void add_dropout(OpTable& table) {
    table.add(
        {"dropout",
         "Each element becomes 0 with probability p, the others are divided by 1 - p; nothing happens with p=0 or "
         "without training. After a softmax it makes rows that do not sum to 1. The numbers drawn are not PyTorch's.",
         {composed("(Tensor input, float p=0.5, bool training=True, bool inplace=False)", kFunctional,
                   functional_dropout, kOwnRandom | kPythonDefined),
          composed("(Tensor input, float p, bool train)", kFunction, dropout, kOwnRandom)},
         {"F.dropout(x, p=0.0)", "F.dropout(x, 0.5, training=False)", "torch.dropout(x, 1.0, True)"}});
    table.add({"glu",
               "The first half along dim times the sigmoid of the second half.",
               {composed("(Tensor input, int dim=-1)", kFunctional, glu, kPythonDefined)},
               {"F.glu(x)", "F.glu(x, dim=1)"}});
}

}  // namespace maskscope::ops
