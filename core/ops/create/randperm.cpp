// SPDX-License-Identifier: Apache-2.0
// A random order.
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace maskscope::ops {
using namespace create;
namespace {

struct Holds {
    DType dtype;
    std::int64_t count;
    std::string_view text;
};
// How many whole numbers, from 0 on, a floating dtype tells apart.
constexpr std::array<Holds, 3> kHolds = {{{DType::f16, (std::int64_t{1} << 11U) + 1, "2049"},
                                          {DType::f32, (std::int64_t{1} << 24U) + 1, "2^24+1"},
                                          {DType::f64, (std::int64_t{1} << 53U) + 1, "2^53+1"}}};

// (int n, ScalarType dtype)
Result<Outputs> order_shape(const Args& args) {
    const std::int64_t n = args.integer(0);
    const DType dtype = *args.dtype(1);
    MS_TRY(shape, new_shape(std::array{n}));
    if (dtype == DType::boolean) return not_implemented_for("randperm", dtype);
    for (const auto& holds : kHolds)
        if (holds.dtype == dtype && n > holds.count)
            return runtime_error("n cannot be greater than {} for {} type.", holds.text, scalar_type_name(dtype));
    if (!is_floating(dtype) && n > 0) MS_CHECK(refuse_overflow(n - 1, dtype));
    return Outputs{{shape, dtype, std::nullopt}};
}

// Each place takes one of those not yet taken (Fisher and Yates); the last has no choice, and draws nothing.
Result<void> fill_order(const Args& args, std::span<Tensor> outputs, Run& run) {
    const std::int64_t n = args.integer(0);
    Tensor& out = outputs[0];
    Generator& generator = run.generator();
    // As torch: one draw where its remainder is even enough.
    const bool wide = n >= std::numeric_limits<std::uint32_t>::max() / 20;
    MS_TRY(order, run.allocate(out.shape(), DType::i64));
    auto* places = order.writable_as<std::int64_t>();
    for (std::int64_t i = 0; i < n; ++i) places[i] = i;
    for (std::int64_t i = 0; i + 1 < n; ++i) {
        if (i % kBlock == 0 && run.context().cancelled()) return cancelled_error();
        const std::uint64_t drawn = wide ? generator.random64() : generator.random();
        std::swap(places[i], places[i + static_cast<std::int64_t>(drawn % static_cast<std::uint64_t>(n - i))]);
    }
    store_block(places, out.dtype(), static_cast<std::int64_t>(size_of(out.dtype())), n, out.writable_data());
    return {};
}

// kOut: the index of out=; a generator stands before it where the overload has one.
template <int kOut>
Result<Value> randperm(const Args& args, Run& run) {
    if (kOut == 2) MS_CHECK(refuse_generator(args, 1));
    MS_TRY(factory, factory_of(args, kOut + 1, DType::i64, run));
    MS_TRY(made, make_by(run, "randperm", {args[0], factory.dtype}));
    return finished(std::move(made), factory);
}

}  // namespace

void add_randperm(OpTable& table) {
    table.add(
        {"randperm",
         "The whole numbers from 0 up to n, n left out, in random order. After torch.manual_seed PyTorch's own order.",
         {computed("(int n, ScalarType dtype)", kInternal, order_shape, fill_order),
          composed("(int n, *, Generator generator, " MS_OUT_KEYWORDS ")", kFunction, randperm<2>),
          composed("(int n, *, " MS_OUT_KEYWORDS ")", kFunction, randperm<1>)},
         {"torch.randperm(5, generator=None)", "torch.randperm(5)"}});
}

}  // namespace maskscope::ops
