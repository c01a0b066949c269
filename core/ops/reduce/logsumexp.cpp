// SPDX-License-Identifier: Apache-2.0
// logsumexp in one pass.
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/reduce/axes.h"
#include "core/ops/reduce/extreme_ops.h"
#include "core/ops/reduce/reducer.h"

#include <algorithm>
#include <cmath>

namespace maskscope::ops {
namespace {

// The largest element so far and the sum of exp(x - largest): nothing overflows. An element equal to the largest counts
// 1, infinities too.
template <class T>
struct LogSumExp {
    using Value = T;
    struct State {
        T largest;
        double sum;
    };
    using Result = T;
    static constexpr std::int64_t kSpan = 512;

    static T exp_below(T value, T largest) { return value == largest ? T(1) : std::exp(value - largest); }
    static void raise(State& state, T largest) {
        state.sum *= static_cast<double>(exp_below(state.largest, largest));
        state.largest = largest;
    }

    State start() const { return {weakest<true, T>(), 0}; }
    void row(State& state, const T* values, std::int64_t count, std::int64_t /*position*/) const {
        for (std::int64_t from = 0; from < count; from += kSpan) {
            const std::int64_t end = std::min(count, from + kSpan);
            const T largest = extreme_of<true, Itself>(values + from, end - from);
            if (largest > state.largest) raise(state, largest);
            double sum = 0;
            for (std::int64_t i = from; i < end; ++i) sum += static_cast<double>(exp_below(values[i], state.largest));
            state.sum += sum;
        }
    }
    void columns(State* states, const T* values, std::int64_t row_step, std::int64_t rows, std::int64_t count,
                 std::int64_t /*position*/) const {
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t i = 0; i < count; ++i) {
                const T value = values[row * row_step + i];
                if (value > states[i].largest) raise(states[i], value);
                states[i].sum += static_cast<double>(exp_below(value, states[i].largest));
            }
    }
    void merge(State& state, const State& later) const {
        if (later.largest > state.largest) raise(state, later.largest);
        state.sum += later.sum * static_cast<double>(exp_below(later.largest, state.largest));
    }
    Result finish(const State& state) const {
        // Both infinite the same way: the sum only counts them.
        if (std::isinf(state.largest) && !std::isnan(state.sum)) return state.largest;
        return state.largest + static_cast<T>(std::log(state.sum));
    }
};

Result<Outputs> shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    const bool keepdim = args.flag(2);
    // torch adds the maxima, which kept their dims, in place to the sum, which did not.
    if (!keepdim && args.integers(1).empty() && input.rank() > 0 && input.numel() > 0)
        return runtime_error("output with shape [] doesn't match the broadcast shape {}",
                             text_of(Dims::filled(input.rank(), 1)));
    MS_TRY(axes, axes_of(args, 1, input.rank()));
    MS_CHECK(refuse_storage_only("logsumexp_cpu", input.dtype()));
    const DType dtype = is_floating(input.dtype()) ? input.dtype() : DType::f32;
    return Outputs{{reduced_shape(input.shape(), axes, keepdim), dtype, std::nullopt}};
}

Result<void> kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& input = args.tensor(0);
    MS_TRY(axes, axes_of(args, 1, input.rank()));
    if (input.dtype() == DType::f64)
        return reduce(input, axes, Order::any, ReducerOf<LogSumExp<double>>({}), outputs, run.context());
    return reduce(input, axes, Order::any, ReducerOf<LogSumExp<float>>({}), outputs, run.context());
}

double flops(const Args& args, std::span<const OutSpec> outputs) {
    return 4 * input_flops(args, outputs);
}

}  // namespace

void add_logsumexp(OpTable& table) {
    Overload overload;
    overload.signature = "(Tensor input, int[1] dim, bool keepdim=False, *, Tensor? out=None)";
    overload.forms = kFunction | kMethod;
    overload.shape = shape;
    overload.kernel = kernel;
    overload.flops = flops;
    table.add(
        {"logsumexp",
         "log(sum(exp(x))) along the dims without overflow. Of nothing, or of -inf alone, it is -inf: a fully masked "
         "row shows here.",
         {overload},
         {"x.logsumexp(1)", "torch.logsumexp(x, (0, 1))", "x.logsumexp(dim=0, keepdim=True)"}});
}

}  // namespace maskscope::ops
