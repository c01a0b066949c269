// SPDX-License-Identifier: Apache-2.0
// Uniform random numbers: rand, rand_like, uniform_.
#include "core/ops/create/draw.h"
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"

#include <cmath>

namespace maskscope::ops {
using namespace create;
namespace {

Result<void> refuse_bounds(double from, double to, DType dtype) {
    if (!is_floating(dtype) || size_of(dtype) == 1) return not_implemented_for("check_uniform_bounds", dtype);
    const double largest = largest_finite(dtype);
    if (!(std::fabs(from) <= largest)) return runtime_error("from is out of bounds for {}", cpp_type_name(dtype));
    if (!(std::fabs(to) <= largest)) return runtime_error("to is out of bounds for {}", cpp_type_name(dtype));
    if (from > to)
        return runtime_error("uniform_ expects to return a [from, to) range, but found from={} > to={}",
                             short_number(from), short_number(to));
    if (to - from > largest)
        return runtime_error(
            "uniform_ expects to-from <= std::numeric_limits<{}>::max(), but found to={} and from={} which result "
            "in to-from to exceed the limit",
            scalar_type_name(dtype), short_number(to), short_number(from));
    return {};
}

// (Tensor input, float from, float to, *, Generator generator)
Result<Outputs> in_place_shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    MS_CHECK(refuse_generator(args, 3));
    MS_CHECK(refuse_bounds(args.number(1), args.number(2), input.dtype()));
    return Outputs{{input.shape(), input.dtype(), std::nullopt}};
}

// (int[] size, int[]? stride, ScalarType dtype)
Result<Outputs> new_uniform_shape(const Args& args) {
    const DType dtype = *args.dtype(2);
    MS_CHECK(refuse_bounds(0, 1, dtype));
    return new_outputs(args);
}

template <class Number>
Number rounded_to(Number value, DType dtype) {
    Element element{};
    store_block(&value, dtype, static_cast<std::int64_t>(size_of(dtype)), 1, element.data());
    load_block(element.data(), dtype, static_cast<std::int64_t>(size_of(dtype)), 1, &value);
    return value;
}

// Rounding can reach `to`, which is left out: torch puts `from` there.
template <class Number>
Result<void> fill_uniform(Tensor& out, double from, double to, Run& run) {
    const DType dtype = out.dtype();
    const auto low = static_cast<Number>(from);
    const auto high = static_cast<Number>(to);
    const auto end = rounded_to(high, dtype);
    const bool narrow = size_of(dtype) < sizeof(Number);
    return fill_drawn<Number>(out, run, [&](std::span<Number> block) {
        for (auto& value : block) {
            value = uniform<Number>(run.generator()) * (high - low) + low;
            if (narrow) value = rounded_to(value, dtype);
            if (value == end) value = low;
        }
    });
}

Result<void> fill_between(Tensor& out, double from, double to, Run& run) {
    if (out.dtype() == DType::f64) return fill_uniform<double>(out, from, to, run);
    return fill_uniform<float>(out, from, to, run);
}

Result<void> fill_in_place(const Args& args, std::span<Tensor> outputs, Run& run) {
    return fill_between(outputs[0], args.number(1), args.number(2), run);
}

Result<void> fill_new(const Args& /*args*/, std::span<Tensor> outputs, Run& run) {
    return fill_between(outputs[0], 0, 1, run);
}

// kKeywords: the index of out=; a generator stands before it where the overload has one.
template <int kKeywords>
Result<Value> rand(const Args& args, Run& run) {
    if (kKeywords == 2) MS_CHECK(refuse_generator(args, 1));
    MS_TRY(shape, new_shape(args.integers(0)));
    MS_TRY(factory, factory_of(args, kKeywords + 1, run.default_dtype, run));
    MS_TRY(made, make_by(run, "uniform", {value_of(shape), Value(), factory.dtype}));
    return finished(std::move(made), factory);
}

// kKeywords: the index of memory_format=.
template <int kKeywords>
Result<Value> rand_like(const Args& args, Run& run) {
    if (kKeywords == 2) MS_CHECK(refuse_generator(args, 1));
    const Tensor& like = args.tensor(0);
    MS_TRY(strides, strides_like(like, args[kKeywords]));
    MS_TRY(factory, factory_of(args, kKeywords + 1, like.dtype(), run));
    MS_TRY(made, make_by(run, "uniform", {value_of(like.shape()), value_of(strides), factory.dtype}));
    return finished(std::move(made), factory);
}

}  // namespace

void add_uniform(OpTable& table) {
    table.add(
        {"uniform",
         "Fills the tensor with numbers drawn evenly between from and to, to left out. PyTorch's numbers for a seed.",
         {computed("(int[] size, int[]? stride, ScalarType dtype)", kInternal, new_uniform_shape, fill_new),
          computed("(Tensor input, float from=0.0, float to=1.0, *, Generator? generator=None)", kInPlace,
                   in_place_shape, fill_in_place, kElementwise)},
         {"x.clone().uniform_()", "x.clone().uniform_(-1, 1)"}});
    table.add({"rand",
               "Numbers drawn evenly between 0 and 1, 1 left out. After torch.manual_seed PyTorch's own numbers.",
               {composed("(int[] size, *, Generator generator, " MS_OUT_KEYWORDS ")", kFunction, rand<2>),
                composed("(int[] size, *, " MS_OUT_KEYWORDS ")", kFunction, rand<1>)},
               {"torch.rand(2, 3, generator=None)", "torch.rand(2, 3)"}});
    table.add({"rand_like",
               "As rand, with the shape and dtype of another tensor, which must be a floating one.",
               {composed("(Tensor input, *, Generator generator, " MS_LIKE_KEYWORDS ")", kFunction, rand_like<2>),
                composed("(Tensor input, *, " MS_LIKE_KEYWORDS ")", kFunction, rand_like<1>)},
               {"torch.rand_like(x, generator=None)", "torch.rand_like(x)"}});
}

}  // namespace maskscope::ops
