// SPDX-License-Identifier: Apache-2.0
// any and all.
#include "core/ops/dispatch/run.h"
#include "core/ops/reduce/axes.h"
#include "core/ops/reduce/reducer.h"

namespace maskscope::ops {
namespace {

template <bool kAll>
struct Truth {
    using Value = std::uint8_t;
    using State = std::uint8_t;
    using Result = std::int64_t;

    State start() const { return kAll ? 1 : 0; }
    static void join(State& state, bool value) {
        if constexpr (kAll)
            state = static_cast<State>(state & (value ? 1U : 0U));
        else
            state = static_cast<State>(state | (value ? 1U : 0U));
    }
    void row(State& state, const Value* values, std::int64_t count, std::int64_t /*position*/) const {
        State joined = start();
        for (std::int64_t i = 0; i < count; ++i) join(joined, values[i] != 0);
        join(state, joined != 0);
    }
    void columns(State* states, const Value* values, std::int64_t row_step, std::int64_t rows, std::int64_t count,
                 std::int64_t /*position*/) const {
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t i = 0; i < count; ++i) join(states[i], values[row * row_step + i] != 0);
    }
    void merge(State& state, const State& later) const { join(state, later != 0); }
    Result finish(const State& state) const { return state; }
};

// Three overloads: no dim, several or none, one.
enum class Dims3 : std::uint8_t { whole, several, one };

template <Dims3 kDims>
Result<Axes> axes_in(const Args& args) {
    const int rank = args.tensor(0).rank();
    if constexpr (kDims == Dims3::whole) return every_axis(rank);
    // any(dim=()) takes no dim away: each element tells whether it is true.
    return axes_of(args, 1, rank, EmptyList::none);
}

template <Dims3 kDims>
Result<Outputs> shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    MS_TRY(axes, axes_in<kDims>(args));
    const DType dtype = input.dtype() == DType::u8 ? DType::u8 : DType::boolean;
    const bool keepdim = kDims != Dims3::whole && args.flag(2);
    return Outputs{{reduced_shape(input.shape(), axes, keepdim), dtype, std::nullopt}};
}

template <bool kAll, Dims3 kDims>
Result<void> kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    MS_TRY(axes, axes_in<kDims>(args));
    return reduce(args.tensor(0), axes, Order::any, ReducerOf<Truth<kAll>>({}), outputs, run.context());
}

template <bool kAll>
std::vector<Overload> overloads() {
    std::vector<Overload> out(3);
    out[0].signature = "(Tensor input, *, Tensor? out=None)";
    out[0].shape = shape<Dims3::whole>;
    out[0].kernel = kernel<kAll, Dims3::whole>;
    out[1].signature = "(Tensor input, int[]? dim=None, bool keepdim=False, *, Tensor? out=None)";
    out[1].shape = shape<Dims3::several>;
    out[1].kernel = kernel<kAll, Dims3::several>;
    out[2].signature = "(Tensor input, int dim, bool keepdim=False, *, Tensor? out=None)";
    out[2].shape = shape<Dims3::one>;
    out[2].kernel = kernel<kAll, Dims3::one>;
    for (auto& overload : out) {
        overload.forms = kFunction | kMethod;
        overload.flops = input_flops;
    }
    return out;
}

}  // namespace

void add_truth(OpTable& table) {
    table.add({"any",
               "Is an element true? NaN is true; of nothing: False. The result is bool (uint8 for uint8); an empty dim "
               "list takes no dim away.",
               overloads<false>(),
               {"m.any()", "m.any(1)", "torch.any(x, dim=(0, 1), keepdim=True)", "m.any(dim=())"}});
    table.add(
        {"all",
         "Are all elements true? Of nothing: True. The result is bool (uint8 for uint8); an empty dim list takes no "
         "dim away.",
         overloads<true>(),
         {"m.all()", "m.all(1)", "torch.all(x, dim=(0, 1), keepdim=True)", "m.all(0, keepdim=True)"}});
}

}  // namespace maskscope::ops
