// SPDX-License-Identifier: Apache-2.0
// Random whole numbers: randint, randint_like, random_.
#include "core/ops/create/draw.h"
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/torch_error.h"

#include <cmath>
#include <limits>

namespace maskscope::ops {
using namespace create;
namespace {

// From this width of the range on, torch takes two draws for a number.
constexpr std::uint64_t kWideRange = std::uint64_t{1} << 28U;

std::uint64_t bits(std::int64_t value) {
    return static_cast<std::uint64_t>(value);
}

// `value` as PyTorch compares it with the dtype's limits.
bool is_outside(std::int64_t value, DType dtype) {
    if (is_floating(dtype)) return std::fabs(static_cast<double>(value)) > largest_finite(dtype);
    if (dtype == DType::boolean) return value < 0 || value > 1;
    return overflows(value, dtype) ||
           (dtype != DType::i8 && dtype != DType::i16 && dtype != DType::i32 && dtype != DType::i64 && value < 0);
}

Result<void> refuse_range(std::int64_t from, std::int64_t to, DType dtype) {
    if (from >= to)
        return runtime_error("random_ expects 'from' to be less than 'to', but got from={} >= to={}", from, to);
    if (is_outside(from, dtype)) return runtime_error("from is out of bounds for {}", cpp_type_name(dtype));
    if (is_outside(to - 1, dtype)) return runtime_error("to - 1 is out of bounds for {}", cpp_type_name(dtype));
    return {};
}

// The largest whole number that random_ draws for a dtype without being told: up to there a float holds every one.
std::int64_t largest_whole(DType dtype) {
    switch (dtype) {
        case DType::f64:
            return std::int64_t{1} << 53U;
        case DType::f32:
            return std::int64_t{1} << 24U;
        case DType::f16:
            return std::int64_t{1} << 11U;
        case DType::bf16:
            return std::int64_t{1} << 8U;
        case DType::i64:
        case DType::u64:
            return std::numeric_limits<std::int64_t>::max();
        default:
            return static_cast<std::int64_t>(largest_finite(dtype));
    }
}

// `range` numbers from `from` on; 0 stands for all 2^64.
Result<void> fill_range(Tensor& out, std::int64_t from, std::uint64_t range, Run& run) {
    Generator& generator = run.generator();
    const bool wide = range >= kWideRange || range == 0;
    return fill_drawn<std::int64_t>(out, run, [&](std::span<std::int64_t> block) {
        for (auto& value : block) {
            const std::uint64_t drawn = wide ? generator.random64() : generator.random();
            value = static_cast<std::int64_t>(bits(from) + (range == 0 ? drawn : drawn % range));
        }
    });
}

// Without limits: every whole number that the dtype holds, from 0 on.
Result<void> fill_any(Tensor& out, Run& run) {
    Generator& generator = run.generator();
    const DType dtype = out.dtype();
    const bool wide = dtype == DType::f64 || dtype == DType::i64 || dtype == DType::u64;
    const std::uint64_t range = bits(largest_whole(dtype)) + 1;
    return fill_drawn<std::int64_t>(out, run, [&](std::span<std::int64_t> block) {
        for (auto& value : block)
            value = static_cast<std::int64_t>((wide ? generator.random64() : generator.random()) % range);
    });
}

// (int[] size, int[]? stride, ScalarType dtype, int low, int high)
Result<Outputs> new_integers_shape(const Args& args) {
    const DType dtype = *args.dtype(2);
    MS_CHECK(refuse_range(args.integer(3), args.integer(4), dtype));
    return new_outputs(args);
}

Result<void> fill_new(const Args& args, std::span<Tensor> outputs, Run& run) {
    return fill_range(outputs[0], args.integer(3), bits(args.integer(4)) - bits(args.integer(3)), run);
}

Outputs as_input(const Args& args) {
    return {{args.tensor(0).shape(), args.tensor(0).dtype(), std::nullopt}};
}

// (Tensor input, *, Generator generator)
Result<Outputs> any_shape(const Args& args) {
    MS_CHECK(refuse_generator(args, 1));
    return as_input(args);
}

Result<void> fill_any_kernel(const Args& /*args*/, std::span<Tensor> outputs, Run& run) {
    return fill_any(outputs[0], run);
}

// (Tensor input, int from, int? to, *, Generator generator)
Result<Outputs> between_shape(const Args& args) {
    MS_CHECK(refuse_generator(args, 3));
    const DType dtype = args.tensor(0).dtype();
    if (args.given(2)) MS_CHECK(refuse_range(args.integer(1), args.integer(2), dtype));
    if (is_outside(args.integer(1), dtype)) return runtime_error("from is out of bounds for {}", cpp_type_name(dtype));
    return as_input(args);
}

Result<void> fill_between(const Args& args, std::span<Tensor> outputs, Run& run) {
    const std::int64_t from = args.integer(1);
    const std::uint64_t end = args.given(2) ? bits(args.integer(2)) : bits(largest_whole(outputs[0].dtype())) + 1;
    return fill_range(outputs[0], from, end - bits(from), run);
}

// (Tensor input, int to, *, Generator generator)
Result<Outputs> below_shape(const Args& args) {
    MS_CHECK(refuse_generator(args, 2));
    MS_CHECK(refuse_range(0, args.integer(1), args.tensor(0).dtype()));
    return as_input(args);
}

Result<void> fill_below(const Args& args, std::span<Tensor> outputs, Run& run) {
    return fill_range(outputs[0], 0, bits(args.integer(1)), run);
}

struct Range {
    std::int64_t low = 0;
    std::int64_t high = 0;
};

Result<Value> made(const Args& args, const Shape& shape, const Value& strides, Range range, int keywords, DType dtype,
                   Run& run) {
    MS_TRY(factory, factory_of(args, keywords, dtype, run));
    MS_TRY(out, make_by(run, "randint", {value_of(shape), strides, factory.dtype, range.low, range.high}));
    return finished(std::move(out), factory);
}

// kLow: 1 where the overload has a low= before high=. kGenerator: 1 where it has a generator= before out=.
template <int kLow, int kGenerator>
Result<Value> randint(const Args& args, Run& run) {
    constexpr int kOut = 2 + kLow + kGenerator;
    if (kGenerator == 1) MS_CHECK(refuse_generator(args, kOut - 1));
    MS_TRY(shape, new_shape(args.integers(1 + kLow)));
    const Range range{kLow == 1 ? args.integer(0) : 0, args.integer(kLow)};
    return made(args, shape, Value(), range, kOut + 1, DType::i64, run);
}

Result<std::int64_t> high_of(const Value& high) {
    if (!high.is_tensor()) return high.to_int();
    const Tensor& tensor = high.tensor()->tensor;
    if (tensor.rank() != 0) return runtime_error("high must be a scalar tensor and on CPU");
    if (!tensor.has_data()) return needs_data("randint_like()");
    MS_TRY(number, number_at(tensor.data(), tensor.dtype()));
    if (overflows(number, DType::i64)) MS_CHECK(refuse_overflow(number, DType::i64));
    return number.is_int() ? number.to_int() : static_cast<std::int64_t>(number.to_double());
}

// As above, after the tensor.
template <int kLow, int kGenerator>
Result<Value> randint_like(const Args& args, Run& run) {
    constexpr int kFormat = 2 + kLow + kGenerator;
    if (kGenerator == 1) MS_CHECK(refuse_generator(args, kFormat - 1));
    MS_TRY(high, high_of(args[1 + kLow]));
    const Tensor& like = args.tensor(0);
    MS_TRY(strides, strides_like(like, args[kFormat]));
    const Range range{kLow == 1 ? args.integer(1) : 0, high};
    return made(args, like.shape(), value_of(strides), range, kFormat + 1, like.dtype(), run);
}

}  // namespace

void add_randint(OpTable& table) {
    table.add(
        {"randint",
         "Whole numbers drawn from low (0 when left out) up to high, high left out. int64 unless dtype= says "
         "otherwise. After torch.manual_seed PyTorch's own numbers.",
         {computed("(int[] size, int[]? stride, ScalarType dtype, int low, int high)", kInternal, new_integers_shape,
                   fill_new),
          composed("(int high, int[] size, *, Generator generator, " MS_OUT_KEYWORDS ")", kFunction, randint<0, 1>),
          composed("(int high, int[] size, *, " MS_OUT_KEYWORDS ")", kFunction, randint<0, 0>),
          composed("(int low, int high, int[] size, *, Generator generator, " MS_OUT_KEYWORDS ")", kFunction,
                   randint<1, 1>),
          composed("(int low, int high, int[] size, *, " MS_OUT_KEYWORDS ")", kFunction, randint<1, 0>)},
         {"torch.randint(10, (3,), generator=None)", "torch.randint(10, (3,))",
          "torch.randint(2, 5, (2, 3), generator=None)", "torch.randint(2, 5, (2, 3))"}});
    table.add({"randint_like",
               "As randint, with the shape and dtype of another tensor.",
               {composed("(Tensor input, int low, int high, *, Generator generator, " MS_LIKE_KEYWORDS ")", kFunction,
                         randint_like<1, 1>),
                composed("(Tensor input, int low, int high, *, " MS_LIKE_KEYWORDS ")", kFunction, randint_like<1, 0>),
                composed("(Tensor input, Tensor high, *, Generator generator, " MS_LIKE_KEYWORDS ")", kFunction,
                         randint_like<0, 1>),
                composed("(Tensor input, Tensor high, *, " MS_LIKE_KEYWORDS ")", kFunction, randint_like<0, 0>),
                composed("(Tensor input, int high, *, Generator generator, " MS_LIKE_KEYWORDS ")", kFunction,
                         randint_like<0, 1>),
                composed("(Tensor input, int high, *, " MS_LIKE_KEYWORDS ")", kFunction, randint_like<0, 0>)},
               {"torch.randint_like(x, 2, 5)", "torch.randint_like(x, torch.tensor(5))", "torch.randint_like(i, 5)"}});
    table.add(
        {"random",
         "Fills the tensor with whole numbers, up to what the dtype holds exactly when no limit is given. PyTorch's "
         "numbers for a seed.",
         {computed("(Tensor input, *, Generator? generator=None)", kInPlace, any_shape, fill_any_kernel, kElementwise),
          computed("(Tensor input, int from, int? to, *, Generator? generator=None)", kInPlace, between_shape,
                   fill_between, kElementwise),
          computed("(Tensor input, int to, *, Generator? generator=None)", kInPlace, below_shape, fill_below,
                   kElementwise)},
         {"i.clone().random_()", "x.clone().random_(2, 5)", "x.clone().random_(5)"}});
}

}  // namespace maskscope::ops
