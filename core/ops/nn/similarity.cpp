// SPDX-License-Identifier: Apache-2.0
// normalize, cosine_similarity and distances between vectors.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/promotion.h"
#include "core/tensor/broadcast.h"

#include <cmath>

namespace maskscope::ops {
namespace {

// (input, p, dim, eps)
Result<Value> normalize(const Args& args, Run& run) {
    MS_TRY(length, run.tensor("norm", {args[0], args[1], args[2], true}));
    MS_TRY(safe, run.tensor("clamp_min", {length, args[3]}));
    MS_TRY(whole, run.tensor("expand_as", {safe, args[0]}));
    MS_TRY(out, run.tensor("div", {args[0], whole}));
    return Value(out);
}

// x over its length, which is at least eps.
Result<VariablePtr> unit(const VariablePtr& x, const Value& dim, const Value& eps, Run& run) {
    MS_TRY(length, run.tensor("norm", {x, 2, dim, true}));
    MS_TRY(safe, run.tensor("clamp_min", {length, eps}));
    return run.tensor("div", {x, safe});
}

// (x1, x2, dim, eps)
Result<Value> cosine_similarity(const Args& args, Run& run) {
    const Tensor& a = args.tensor(0);
    const Tensor& b = args.tensor(1);
    const DType dtype = promote_types(a.dtype(), b.dtype());
    if (!is_floating(dtype))
        return runtime_error("expected common dtype to be floating point, yet common dtype is {}",
                             scalar_type_name(dtype));
    MS_TRY(shape, broadcast_shapes(a.shape(), b.shape()));
    const int rank = std::max(shape.rank(), 1);
    if (args.integer(2) < -rank || args.integer(2) >= rank)
        return dimension_out_of_range(shape.rank(), args.integer(2));
    std::vector<VariablePtr> units;
    for (const int place : {0, 1}) {
        MS_TRY(same, run.tensor("to", {args[place], dtype}));
        std::vector<Value> sizes;
        for (const auto size : shape) sizes.emplace_back(size);
        MS_TRY(whole, run.tensor("expand", {same, make_list(sizes)}));
        MS_TRY(direction, unit(whole, args[2], args[3], run));
        units.push_back(direction);
    }
    MS_TRY(products, run.tensor("mul", {units[0], units[1]}));
    MS_TRY(out, run.tensor("sum", {products, args[2]}));
    return Value(out);
}

// (x1, x2, p, eps, keepdim)
Result<Value> pairwise_distance(const Args& args, Run& run) {
    MS_TRY(apart, run.tensor("sub", {args[0], args[1]}));
    MS_TRY(shifted, run.tensor("add", {apart, args[3]}));
    MS_TRY(out, run.tensor("norm", {shifted, args[2], -1, args[4]}));
    return Value(out);
}

Result<void> check_cdist(const Args& args) {
    for (const int place : {0, 1}) {
        const Tensor& x = args.tensor(place);
        if (x.rank() < 2)
            return runtime_error("cdist only supports at least 2D tensors, X{} got: {}D", place + 1, x.rank());
    }
    const Tensor& a = args.tensor(0);
    const Tensor& b = args.tensor(1);
    if (a.size(a.rank() - 1) != b.size(b.rank() - 1))
        return runtime_error("X1 and X2 must have the same number of columns. X1: {} X2: {}", a.size(a.rank() - 1),
                             b.size(b.rank() - 1));
    for (const int place : {0, 1}) {
        const DType dtype = args.tensor(place).dtype();
        if (!is_floating(dtype))
            return runtime_error("cdist only supports floating-point dtypes, X{} got: {}", place + 1,
                                 scalar_type_name(dtype));
    }
    if (args.number(2) < 0) return runtime_error("cdist only supports non-negative p values");
    const auto* mode = args[3].get_if<std::string>();
    if (mode == nullptr || (*mode != "use_mm_for_euclid_dist_if_necessary" && *mode != "use_mm_for_euclid_dist" &&
                            *mode != "donot_use_mm_for_euclid_dist"))
        return value_error("{} is not a valid value for compute_mode", mode == nullptr ? "None" : *mode);
    if (size_of(a.dtype()) < 4) return not_implemented_for("cdist", a.dtype());
    if (a.dtype() != b.dtype())
        return runtime_error("expected scalar type {} but found {}", scalar_type_name(a.dtype()),
                             scalar_type_name(b.dtype()));
    return {};
}

// (x1, x2, p, compute_mode); always by differences, which are exact where the product form is not.
Result<Value> cdist(const Args& args, Run& run) {
    MS_CHECK(check_cdist(args));
    MS_TRY(rows, run.tensor("unsqueeze", {args[0], -2}));
    MS_TRY(columns, run.tensor("unsqueeze", {args[1], -3}));
    MS_TRY(apart, run.tensor("sub", {rows, columns}));
    MS_TRY(out, run.tensor("norm", {apart, args[2], -1}));
    return Value(out);
}

}  // namespace

void add_similarity(OpTable& table) {
    table.add(
        {"normalize",
         "x divided by its length along dim, which counts as eps when it is smaller: a row of zeros stays zero.",
         {composed("(Tensor input, float p=2.0, Any dim=1, float eps=1e-12)", kFunctional, normalize, kPythonDefined)},
         {"F.normalize(x)", "F.normalize(x, p=1.0, dim=0)"}});
    table.add(
        {"cosine_similarity",
         "The dot product of the directions of two vectors along dim: 1 alike, 0 at right angles. A zero vector gives "
         "0.",
         {composed("(Tensor x1, Tensor x2, int dim=1, float eps=1e-08)", kFunctional | kFunction, cosine_similarity)},
         {"F.cosine_similarity(x, y)", "torch.cosine_similarity(x, r, dim=-1)"}});
    table.add({"pairwise_distance",
               "The p-norm of x1 - x2 + eps over the last dim; eps is added to each difference, so equal vectors are "
               "not quite "
               "0 apart.",
               {composed("(Tensor x1, Tensor x2, float p=2.0, float eps=1e-06, bool keepdim=False)",
                         kFunctional | kFunction, pairwise_distance)},
               {"F.pairwise_distance(x, y)"}});
    table.add({"cdist",
               "The distance of each row of x1 from each row of x2, by the p-norm.",
               {composed("(Tensor x1, Tensor x2, float p=2.0, Any compute_mode='use_mm_for_euclid_dist_if_necessary')",
                         kFunction, cdist, kPythonDefined)},
               {"torch.cdist(x, y)"}});
}

}  // namespace maskscope::ops
