// SPDX-License-Identifier: Apache-2.0
// Normal random numbers: randn, randn_like, normal, normal_.
#include "core/jobs/parallel.h"
#include "core/ops/create/draw.h"
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/tensor/broadcast.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace maskscope::ops {
using namespace create;
namespace {

constexpr std::int64_t kPairs = 16;  // elements that are made together
constexpr std::int64_t kGrain = 128 * kPairs;
constexpr std::int64_t kBatch = 32 * kGrain;

Result<void> refuse_deviation(double std, DType dtype) {
    if (!(std >= 0)) return runtime_error("normal expects std >= 0.0, but found std {}", short_number(std));
    if (!is_floating(dtype) || size_of(dtype) == 1) return not_implemented_for("normal_kernel_cpu", dtype);
    return {};
}

// (Tensor input, float mean, float std, *, Generator generator)
Result<Outputs> in_place_shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    MS_CHECK(refuse_generator(args, 3));
    MS_CHECK(refuse_deviation(args.number(2), input.dtype()));
    return Outputs{{input.shape(), input.dtype(), std::nullopt}};
}

// (int[] size, int[]? stride, ScalarType dtype, float mean, float std)
Result<Outputs> new_normal_shape(const Args& args) {
    const DType dtype = *args.dtype(2);
    MS_CHECK(refuse_deviation(args.number(4), dtype));
    return new_outputs(args);
}

// 16 uniform numbers become 16 normal ones: the first eight are reaches, the others turns.
template <class Number>
void to_normal(Number* values, double mean, double std) {
    for (int i = 0; i < 8; ++i) {
        const Number reach = 1 - values[i];
        const Number turn = values[i + 8];
        const Number radius = std::sqrt(-2 * std::log(reach));
        const Number angle = 2 * std::numbers::pi_v<Number> * turn;
        values[i] = radius * std::cos(angle) * static_cast<Number>(std) + static_cast<Number>(mean);
        values[i + 8] = radius * std::sin(angle) * static_cast<Number>(std) + static_cast<Number>(mean);
    }
}

// What torch does from 16 elements in row-major order on: uniform numbers first, then blocks of 16 in place. When the
// blocks leave a rest, the last 16 elements are drawn anew: after the rest, or in the narrow dtypes instead of it.
template <class Number>
Result<void> fill_in_blocks(Tensor& out, double mean, double std, Run& run) {
    const auto size = static_cast<std::int64_t>(size_of(out.dtype()));
    const std::int64_t count = out.numel();
    const std::int64_t whole = count - count % kPairs;
    std::byte* data = out.writable_data();
    std::vector<Number> drawn(static_cast<std::size_t>(std::min(whole, kBatch)));
    const auto fill = [&](std::int64_t begin, std::int64_t batch) {
        for (std::int64_t i = 0; i < batch; ++i) drawn[static_cast<std::size_t>(i)] = uniform<Number>(run.generator());
        parallel_for(Lane::ui, batch, kGrain, [&](const Chunk& chunk) {
            for (std::int64_t at = chunk.begin; at < chunk.end; at += kPairs)
                to_normal(&drawn[static_cast<std::size_t>(at)], mean, std);
            store_block(&drawn[static_cast<std::size_t>(chunk.begin)], out.dtype(), size, chunk.end - chunk.begin,
                        data + (begin + chunk.begin) * size);
        });
    };
    for (std::int64_t begin = 0; begin < whole; begin += kBatch) {
        if (run.context().cancelled()) return cancelled_error();
        fill(begin, std::min(kBatch, whole - begin));
    }
    if (whole == count) return {};
    if (size > 2)
        for (std::int64_t i = whole; i < count; ++i) uniform<Number>(run.generator());
    fill(count - kPairs, kPairs);
    return {};
}

Result<void> fill_normal(Tensor& out, double mean, double std, Run& run) {
    if (out.numel() >= kPairs && out.is_contiguous()) {
        if (out.dtype() == DType::f64) return fill_in_blocks<double>(out, mean, std, run);
        return fill_in_blocks<float>(out, mean, std, run);
    }
    return fill_drawn<double>(out, run, [&](std::span<double> block) {
        for (auto& value : block) value = standard_normal(run.generator()) * std + mean;
    });
}

Result<void> fill_in_place(const Args& args, std::span<Tensor> outputs, Run& run) {
    return fill_normal(outputs[0], args.number(1), args.number(2), run);
}

Result<void> fill_new(const Args& args, std::span<Tensor> outputs, Run& run) {
    return fill_normal(outputs[0], args.number(3), args.number(4), run);
}

Result<VariablePtr> make_normal(Run& run, const Shape& shape, const Value& strides, DType dtype, double mean,
                                double std) {
    return make_by(run, "normal", {value_of(shape), strides, dtype, mean, std});
}

// kKeywords: the index of out=; a generator stands before it where the overload has one.
template <int kKeywords>
Result<Value> randn(const Args& args, Run& run) {
    if (kKeywords == 2) MS_CHECK(refuse_generator(args, 1));
    MS_TRY(shape, new_shape(args.integers(0)));
    MS_TRY(factory, factory_of(args, kKeywords + 1, run.default_dtype, run));
    MS_TRY(made, make_normal(run, shape, Value(), factory.dtype, 0, 1));
    return finished(std::move(made), factory);
}

// kKeywords: the index of memory_format=.
template <int kKeywords>
Result<Value> randn_like(const Args& args, Run& run) {
    if (kKeywords == 2) MS_CHECK(refuse_generator(args, 1));
    const Tensor& like = args.tensor(0);
    MS_TRY(strides, strides_like(like, args[kKeywords]));
    MS_TRY(factory, factory_of(args, kKeywords + 1, like.dtype(), run));
    MS_TRY(made, make_normal(run, like.shape(), value_of(strides), factory.dtype, 0, 1));
    return finished(std::move(made), factory);
}

// (Tensor mean, Tensor std, *, generator, out)
Result<Value> normal_of_tensors(const Args& args, Run& run) {
    MS_CHECK(refuse_generator(args, 2));
    const Tensor& mean = args.tensor(0);
    const Tensor& std = args.tensor(1);
    MS_TRY(shape, broadcast_shapes(mean.shape(), std.shape()));
    if (std.numel() > 0) {
        MS_TRY(lowest, run.tensor("amin", {args[1]}));
        if (!lowest->tensor.has_data()) return needs_data("normal()");
        if (to_double(load_scalar(lowest->tensor.data(), lowest->tensor.dtype())) < 0)
            return runtime_error("normal expects all elements of std >= 0.0");
    }
    MS_TRY(drawn, make_normal(run, shape, Value(), mean.dtype(), 0, 1));
    MS_TRY(scaled, run.in_place("mul", {drawn, args[1]}));
    MS_TRY(moved, run.in_place("add", {scaled, args[0]}));
    return Value(moved);
}

// (Tensor mean, float std, *, generator, out)
Result<Value> normal_around(const Args& args, Run& run) {
    MS_CHECK(refuse_generator(args, 2));
    const Tensor& mean = args.tensor(0);
    MS_TRY(drawn, make_normal(run, mean.shape(), Value(), mean.dtype(), 0, args.number(1)));
    MS_TRY(moved, run.in_place("add", {drawn, args[0]}));
    return Value(moved);
}

// (float mean, Tensor std, *, generator, out)
Result<Value> normal_with(const Args& args, Run& run) {
    MS_TRY(mean, make_filled(run, {}, args[0], args.tensor(1).dtype()));
    return normal_of_tensors(Args({mean, args[1], args[2], args[3]}, args.name(), args.form()), run);
}

// (float mean, float std, int[] size, *, generator, out, dtype ...)
Result<Value> normal_of_size(const Args& args, Run& run) {
    MS_CHECK(refuse_generator(args, 3));
    MS_TRY(shape, new_shape(args.integers(2)));
    MS_TRY(factory, factory_of(args, 5, run.default_dtype, run));
    MS_TRY(made, make_normal(run, shape, Value(), factory.dtype, args.number(0), args.number(1)));
    return finished(std::move(made), factory);
}

}  // namespace

void add_normal(OpTable& table) {
    table.add(
        {"normal",
         "Numbers drawn from normal distributions of the given means and standard deviations, numbers or tensors. "
         "PyTorch's numbers for a seed; x.normal_() fills x.",
         {computed("(int[] size, int[]? stride, ScalarType dtype, float mean, float std)", kInternal, new_normal_shape,
                   fill_new),
          composed("(Tensor mean, Tensor std, *, Generator? generator=None, Tensor? out=None)", kFunction,
                   normal_of_tensors),
          composed("(Tensor mean, float std=1, *, Generator? generator=None, Tensor? out=None)", kFunction,
                   normal_around),
          composed("(float mean, Tensor std, *, Generator? generator=None, Tensor? out=None)", kFunction, normal_with),
          composed("(float mean, float std, int[] size, *, Generator? generator=None, " MS_OUT_KEYWORDS ")", kFunction,
                   normal_of_size),
          computed("(Tensor input, float mean=0.0, float std=1.0, *, Generator? generator=None)", kInPlace,
                   in_place_shape, fill_in_place, kElementwise)},
         {"torch.normal(x, x.abs())", "torch.normal(x, 2.0)", "torch.normal(0.0, x.abs())",
          "torch.normal(0.0, 1.0, (2, 3))", "x.clone().normal_()"}});
    table.add(
        {"randn",
         "Numbers drawn from the normal distribution of mean 0 and deviation 1. After torch.manual_seed PyTorch's own "
         "numbers.",
         {composed("(int[] size, *, Generator generator, " MS_OUT_KEYWORDS ")", kFunction, randn<2>),
          composed("(int[] size, *, " MS_OUT_KEYWORDS ")", kFunction, randn<1>)},
         {"torch.randn(2, 3, generator=None)", "torch.randn(2, 3)"}});
    table.add({"randn_like",
               "As randn, with the shape and dtype of another tensor, which must be a floating one.",
               {composed("(Tensor input, *, Generator generator, " MS_LIKE_KEYWORDS ")", kFunction, randn_like<2>),
                composed("(Tensor input, *, " MS_LIKE_KEYWORDS ")", kFunction, randn_like<1>)},
               {"torch.randn_like(x, generator=None)", "torch.randn_like(x)"}});
}

}  // namespace maskscope::ops
