// SPDX-License-Identifier: Apache-2.0
// cummax and cummin.
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/reduce/axes.h"
#include "core/ops/reduce/extreme_ops.h"
#include "core/ops/reduce/scan.h"

namespace maskscope::ops {
namespace {

// The last of equal ones takes the place; after a NaN only another NaN does.
template <class T, bool kMax>
struct RunningExtreme {
    using Value = T;
    struct State {
        T value;
        std::int64_t index;
    };
    State start() const { return {weakest<kMax, T>(), 0}; }
    T join(State& state, T value, std::int64_t position, std::int64_t& index) const {
        const bool beats = kMax ? value >= state.value : value <= state.value;
        // NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself
        if (beats || value != value) state = {value, position};
        index = state.index;
        return state.value;
    }
};

template <bool kMax>
Result<int> axis_in(const Args& args) {
    const Tensor& input = args.tensor(0);
    const std::int64_t dim = args.integer(1);
    if (input.rank() == 0 && dim != 0 && dim != -1)
        return index_error("{}(): Expected reduction dim -1 or 0 for scalar but got {}", kMax ? "cummax" : "cummin",
                           dim);
    return axis_of(input.rank(), dim);
}

template <bool kMax>
Result<Outputs> shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    MS_CHECK(axis_in<kMax>(args));
    MS_CHECK(refuse_storage_only(kMax ? "cummax_cpu" : "cummin_cpu", input.dtype()));
    return Outputs{{input.shape(), input.dtype(), std::nullopt}, {input.shape(), DType::i64, std::nullopt}};
}

template <bool kMax>
Result<void> kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& input = args.tensor(0);
    MS_TRY(axis, axis_in<kMax>(args));
    switch (compute_of(input.dtype())) {
        case Compute::f32:
            return scan(input, axis, ScannerOf<RunningExtreme<float, kMax>>(), outputs, run.context());
        case Compute::f64:
            return scan(input, axis, ScannerOf<RunningExtreme<double, kMax>>(), outputs, run.context());
        case Compute::i64:
            break;
    }
    return scan(input, axis, ScannerOf<RunningExtreme<std::int64_t, kMax>>(), outputs, run.context());
}

template <bool kMax>
std::vector<Overload> overloads() {
    Overload overload;
    overload.signature = "(Tensor input, int dim, *, Tensor[]? out=None)";
    overload.forms = kFunction | kMethod;
    overload.shape = shape<kMax>;
    overload.kernel = kernel<kMax>;
    overload.returns = {"values", "indices"};
    return {overload};
}

}  // namespace

void add_running_extremes(OpTable& table) {
    table.add(
        {"cummax",
         "The largest element so far along a dim, and its index (the last of equal ones). NaN stays from where it "
         "appears.",
         overloads<true>(),
         {"x.cummax(1)", "torch.cummax(i, dim=0)"}});
    table.add(
        {"cummin",
         "The smallest element so far along a dim, and its index (the last of equal ones). NaN stays from where it "
         "appears.",
         overloads<false>(),
         {"x.cummin(1)", "torch.cummin(i, dim=0)"}});
}

}  // namespace maskscope::ops
