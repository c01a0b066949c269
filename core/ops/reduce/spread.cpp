// SPDX-License-Identifier: Apache-2.0
// var, std and their forms with the mean.
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/reduce/axes.h"
#include "core/ops/reduce/reducer.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope::ops {
namespace {

// Count, mean and sum of squared deviations. Chunks sum the differences from their own first element, which loses
// nothing to cancellation, and are joined as Chan, Golub and LeVeque (1979) do.
struct Moments {
    double count = 0;
    double mean = 0;
    double squares = 0;
};

void join(Moments& a, const Moments& b) {
    if (b.count == 0) return;
    const double count = a.count + b.count;
    const double distance = b.mean - a.mean;
    if (a.count == 0) {
        a = b;
        return;
    }
    a.mean += distance * (b.count / count);
    a.squares += b.squares + distance * distance * (a.count * b.count / count);
    a.count = count;
}

Moments moments(double pilot, double count, double sum, double squares) {
    const double shift = sum / count;
    // Rounding must not make the spread of equal numbers negative; NaN must stay.
    const double around = squares - sum * shift;
    return {count, pilot + shift, around < 0 ? 0 : around};
}

template <class T>
struct Spread {
    using Value = T;
    using State = Moments;
    using Result = double;
    using Second = double;
    double correction = 1;
    bool is_root = false;

    static constexpr std::int64_t kChunk = 512;
    static constexpr std::int64_t kLanes = 8;
    static constexpr std::int64_t kWidth = 64;

    State start() const { return {}; }
    void row(State& state, const T* values, std::int64_t count, std::int64_t /*position*/) const {
        for (std::int64_t from = 0; from < count; from += kChunk) {
            const T* chunk = values + from;
            const std::int64_t size = std::min(kChunk, count - from);
            const double pilot = chunk[0];
            std::array<double, kLanes> sums{};
            std::array<double, kLanes> squares{};
            std::int64_t i = 0;
            for (; size - i >= kLanes; i += kLanes)
                for (std::int64_t lane = 0; lane < kLanes; ++lane) {
                    const double difference = chunk[i + lane] - pilot;
                    sums[static_cast<std::size_t>(lane)] += difference;
                    squares[static_cast<std::size_t>(lane)] += difference * difference;
                }
            double sum = 0;
            double square = 0;
            for (std::size_t lane = 0; lane < sums.size(); ++lane) {
                sum += sums[lane];
                square += squares[lane];
            }
            for (; i < size; ++i) {
                const double difference = chunk[i] - pilot;
                sum += difference;
                square += difference * difference;
            }
            join(state, moments(pilot, static_cast<double>(size), sum, square));
        }
    }
    void columns(State* states, const T* values, std::int64_t row_step, std::int64_t rows, std::int64_t count,
                 std::int64_t /*position*/) const {
        std::array<double, kWidth> pilots;
        std::array<double, kWidth> sums;
        std::array<double, kWidth> squares;
        for (std::int64_t first = 0; first < rows; first += kChunk) {
            const std::int64_t height = std::min(kChunk, rows - first);
            for (std::int64_t from = 0; from < count; from += kWidth) {
                const auto width = static_cast<std::size_t>(std::min(kWidth, count - from));
                const T* corner = values + first * row_step + from;
                for (std::size_t i = 0; i < width; ++i) pilots[i] = corner[i];
                sums.fill(0);
                squares.fill(0);
                for (std::int64_t row = 1; row < height; ++row) {
                    const T* line = corner + row * row_step;
                    for (std::size_t i = 0; i < width; ++i) {
                        const double difference = line[i] - pilots[i];
                        sums[i] += difference;
                        squares[i] += difference * difference;
                    }
                }
                for (std::size_t i = 0; i < width; ++i) {
                    // The pilot's own difference: 0, NaN for inf and NaN.
                    const double own = pilots[i] - pilots[i];
                    join(states[from + static_cast<std::int64_t>(i)],
                         moments(pilots[i], static_cast<double>(height), sums[i] + own, squares[i] + own));
                }
            }
        }
    }
    void merge(State& state, const State& later) const { join(state, later); }
    Result finish(const State& state) const {
        if (state.count == 0) return std::nan("");
        const double variance = state.squares / std::max(0.0, state.count - correction);
        return is_root ? std::sqrt(variance) : variance;
    }
    // torch's running mean loses an infinity as soon as another element follows.
    Second second(const State& state) const {
        return state.count == 0 || (state.count > 1 && std::isnan(state.squares)) ? std::nan("") : state.mean;
    }
};

// The three ways to say the dims and the correction, in torch's order.
enum class Way : std::uint8_t { unbiased_dims, correction, unbiased };

// Names what the four ops are: with a root, with the mean.
template <bool kRoot, bool kMean>
constexpr const char* name_of() {
    if (kMean) return kRoot ? "std_mean" : "var_mean";
    return "std and var";
}

template <Way kWay>
Result<Axes> axes_in(const Args& args) {
    const int rank = args.tensor(0).rank();
    if constexpr (kWay == Way::unbiased) return every_axis(rank);
    return axes_of(args, 1, rank);
}

template <Way kWay>
double correction_in(const Args& args) {
    if constexpr (kWay == Way::correction) return args.given(2) ? args.number(2) : 1;
    constexpr int kPlace = kWay == Way::unbiased ? 1 : 2;
    return args.flag(kPlace) ? 1 : 0;
}

template <Way kWay, bool kRoot, bool kMean>
Result<Outputs> shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    if (!is_floating(input.dtype()))
        return torch_error("NotImplementedError", "{} only support floating point and complex dtypes",
                           name_of<kRoot, kMean>());
    MS_TRY(axes, axes_in<kWay>(args));
    const bool keepdim = kWay != Way::unbiased && args.flag(3);
    const OutSpec out{reduced_shape(input.shape(), axes, keepdim), input.dtype(), std::nullopt};
    if constexpr (kMean) return Outputs{out, out};
    return Outputs{out};
}

template <Way kWay, bool kRoot>
Result<void> kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& input = args.tensor(0);
    MS_TRY(axes, axes_in<kWay>(args));
    const double correction = correction_in<kWay>(args);
    if (input.dtype() == DType::f64)
        return reduce(input, axes, Order::any, ReducerOf<Spread<double>>({correction, kRoot}), outputs, run.context());
    return reduce(input, axes, Order::any, ReducerOf<Spread<float>>({correction, kRoot}), outputs, run.context());
}

template <bool kRoot, bool kMean>
std::vector<Overload> overloads() {
    std::vector<Overload> out(3);
    out[0].signature = kMean
                           ? "(Tensor input, int[1]? dim, bool unbiased=True, bool keepdim=False)"
                           : "(Tensor input, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor? out=None)";
    out[0].shape = shape<Way::unbiased_dims, kRoot, kMean>;
    out[0].kernel = kernel<Way::unbiased_dims, kRoot>;
    out[1].signature = kMean
                           ? "(Tensor input, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False)"
                           : "(Tensor input, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor? "
                             "out=None)";
    out[1].shape = shape<Way::correction, kRoot, kMean>;
    out[1].kernel = kernel<Way::correction, kRoot>;
    out[2].signature = "(Tensor input, bool unbiased=True)";
    out[2].shape = shape<Way::unbiased, kRoot, kMean>;
    out[2].kernel = kernel<Way::unbiased, kRoot>;
    for (auto& overload : out) {
        // torch has no x.std_mean().
        overload.forms = kMean ? kFunction : kFunction | kMethod;
        overload.flops = input_flops;
    }
    return out;
}

}  // namespace

void add_spread(OpTable& table) {
    table.add(
        {"var",
         "The mean squared distance from the mean, divided by n - correction (1 unless told otherwise: of a single "
         "element NaN). Floating dtypes only.",
         overloads<false, false>(),
         {"x.var()", "x.var(1)", "torch.var(x, (0, 1), correction=0, keepdim=True)", "x.var(unbiased=False)"}});
    table.add(
        {"std",
         "The square root of var: divided by n - correction (1 unless told otherwise: of a single element NaN). "
         "Floating dtypes only.",
         overloads<true, false>(),
         {"x.std()", "x.std(1, False)", "torch.std(x, (0, 1), correction=0, keepdim=True)", "x.std(unbiased=False)"}});
    table.add({"var_mean",
               "var and mean in one pass, as a tuple.",
               overloads<false, true>(),
               {"torch.var_mean(x)", "torch.var_mean(x, 1)", "torch.var_mean(x, dim=0, correction=0)"}});
    table.add({"std_mean",
               "std and mean in one pass, as a tuple.",
               overloads<true, true>(),
               {"torch.std_mean(x)", "torch.std_mean(x, 1)", "torch.std_mean(x, dim=0, correction=0)"}});
}

}  // namespace maskscope::ops
