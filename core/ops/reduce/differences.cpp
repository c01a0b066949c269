// SPDX-License-Identifier: Apache-2.0
// diff: each element less the one before.
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/reduce/axes.h"

#include <algorithm>

namespace maskscope::ops {
namespace {

// A tensor to put in front or behind must fit the input but for the dim.
Result<void> check_fits(const Tensor& input, const Value& value, int axis) {
    if (value.is_none()) return {};
    const Tensor& other = value.tensor()->tensor;
    if (other.rank() != input.rank())
        return runtime_error("diff expects prepend or append to be the same dimension as input");
    for (int i = 0; i < input.rank(); ++i)
        if (i != axis && other.size(i) != input.size(i))
            return runtime_error(
                "diff expects the shape of tensor to prepend or append to match that of input except "
                "along the differencing dimension; input.size({}) = {}, but got tensor.size({}) = {}",
                i, input.size(i), i, other.size(i));
    return {};
}

// input, n, dim, prepend, append, out.
Result<Value> diff(const Args& args, Run& run) {
    const Tensor& input = args.tensor(0);
    if (input.rank() == 0) return runtime_error("diff expects input to be at least one-dimensional");
    MS_TRY(axis, axis_of(input.rank(), args.integer(2)));
    const std::int64_t order = args.integer(1);
    MS_CHECK(check_fits(input, args[3], axis));
    MS_CHECK(check_fits(input, args[4], axis));
    if (order < 0) return runtime_error("order must be non-negative but got {}", order);
    if (order == 0) {
        MS_TRY(same, run.tensor("clone", {args[0]}));
        return Value(same);
    }
    VariablePtr current = args.variable(0);
    if (args.given(3) || args.given(4)) {
        std::vector<Value> parts;
        for (const int i : {3, 0, 4})
            if (args.given(i)) parts.push_back(args[i]);
        MS_TRY(joined, run.tensor("cat", {make_list(std::move(parts)), axis}));
        current = joined;
    }
    for (std::int64_t i = 0; i < order; ++i) {
        const std::int64_t size = current->tensor.size(axis);
        const std::int64_t left = std::max<std::int64_t>(0, size - 1);
        MS_TRY(later, run.tensor("narrow", {current, axis, std::min<std::int64_t>(1, size), left}));
        MS_TRY(earlier, run.tensor("narrow", {current, axis, 0, left}));
        // Of bools the difference is that they differ.
        const char* op = current->tensor.dtype() == DType::boolean ? "logical_xor" : "sub";
        MS_TRY(difference, run.tensor(op, {later, earlier}));
        current = difference;
        if (left == 0) break;
    }
    return Value(current);
}

}  // namespace

void add_differences(OpTable& table) {
    Overload overload;
    overload.signature =
        "(Tensor input, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None, *, Tensor? out=None)";
    overload.forms = kFunction | kMethod;
    overload.composite = diff;
    table.add(
        {"diff",
         "Each element less the one before along a dim, n times over; one element fewer each time. Of bools: whether "
         "they differ.",
         {overload},
         {"x.diff()", "torch.diff(x, n=2, dim=1)", "m.diff(dim=0)", "x.diff(prepend=torch.zeros(3, 1))"}});
}

}  // namespace maskscope::ops
