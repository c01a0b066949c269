// SPDX-License-Identifier: Apache-2.0
// Draws of places by their weights.
#include "core/ops/create/draw.h"
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace maskscope::ops {
using namespace create;
namespace {

// (Tensor input, int num_samples, bool replacement, *, generator, out)
Result<Outputs> samples_shape(const Args& args) {
    MS_CHECK(refuse_generator(args, 3));
    const Tensor& weights = args.tensor(0);
    const std::int64_t samples = args.integer(1);
    if (weights.rank() == 0 || weights.rank() > 2) return runtime_error("prob_dist must be 1 or 2 dim");
    if (!is_floating(weights.dtype()))
        return runtime_error("multinomial only supports floating-point dtypes for input, got: {}",
                             scalar_type_name(weights.dtype()));
    if (samples <= 0) return runtime_error("cannot sample n_sample <= 0 samples");
    const std::int64_t places = weights.size(weights.rank() - 1);
    if (!args.flag(2) && samples > places)
        return runtime_error("cannot sample n_sample > prob_dist.size(-1) samples without replacement");
    if (places == 0)
        return runtime_error(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
    std::vector<std::int64_t> sizes(weights.shape().begin(), weights.shape().end());
    sizes.back() = samples;
    MS_TRY(shape, new_shape(sizes));
    return Outputs{{shape, DType::i64, std::nullopt}};
}

Result<void> refuse_weights(const std::vector<double>& weights) {
    double sum = 0;
    for (const double weight : weights) {
        if (!(weight >= 0) || std::isinf(weight))
            return runtime_error("probability tensor contains either `inf`, `nan` or element < 0");
        sum += weight;
    }
    if (sum <= 0) return runtime_error("invalid multinomial distribution (sum of probabilities <= 0)");
    return {};
}

// With replacement: the place where the running sum of the weights reaches the draw.
template <class Number>
void draw_each(const std::vector<double>& weights, std::int64_t* out, std::int64_t samples, Generator& generator) {
    std::vector<Number> reached(weights.size());
    Number sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        sum += static_cast<Number>(weights[i]);
        reached[i] = sum;
    }
    for (auto& part : reached) part /= sum;
    // Rounding must leave no gap at the top.
    reached.back() = 1;
    for (std::int64_t k = 0; k < samples; ++k) {
        const double drawn = uniform_double(generator);
        const auto place = std::lower_bound(reached.begin(), reached.end(), drawn, [](Number part, double wanted) {
            return static_cast<double>(part) < wanted;
        });
        out[k] = place - reached.begin();
    }
}

// Without replacement: each weight is divided by an exponential draw, and the largest quotients win (Efraimidis and
// Spirakis 2006). `race` holds the quotients of one row.
void take_largest(const std::vector<double>& race, std::int64_t* out, std::int64_t samples,
                  std::vector<std::int64_t>& order) {
    order.resize(race.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    const auto ahead = [&](std::int64_t a, std::int64_t b) {
        const double at_a = race[static_cast<std::size_t>(a)];
        const double at_b = race[static_cast<std::size_t>(b)];
        return at_a != at_b ? at_a > at_b : a < b;
    };
    std::partial_sort(order.begin(), order.begin() + samples, order.end(), ahead);
    std::copy_n(order.begin(), samples, out);
}

// One element of the narrower dtypes after the arithmetic that torch does in them.
double rounded(double value, DType dtype) {
    std::array<std::byte, 8> element{};
    store_number(value, dtype, element.data());
    return to_double(load_scalar(element.data(), dtype));
}

std::vector<double> row_of(const Tensor& weights, std::int64_t row) {
    const int last = weights.rank() - 1;
    const Tensor part = weights.rank() == 2 ? weights.select(0, row) : weights;
    std::vector<double> out(static_cast<std::size_t>(weights.size(last)));
    const auto size = static_cast<std::int64_t>(size_of(weights.dtype()));
    load_block(part.data(), weights.dtype(), part.strides()[0] * size, weights.size(last), out.data());
    return out;
}

Result<void> draw_samples(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& weights = args.tensor(0);
    const DType dtype = weights.dtype();
    const std::int64_t samples = args.integer(1);
    const std::int64_t rows = weights.rank() == 2 ? weights.size(0) : 1;
    auto* out = outputs[0].writable_as<std::int64_t>();
    for (std::int64_t row = 0; row < rows; ++row) MS_CHECK(refuse_weights(row_of(weights, row)));
    std::vector<std::int64_t> order;
    for (std::int64_t row = 0; row < rows; ++row, out += samples) {
        if (run.context().cancelled()) return cancelled_error();
        auto values = row_of(weights, row);
        if (args.flag(2)) {
            if (dtype == DType::f64) {
                draw_each<double>(values, out, samples, run.generator());
            } else {
                draw_each<float>(values, out, samples, run.generator());
            }
            continue;
        }
        for (auto& value : values) value = rounded(value / rounded(exponential(run.generator(), 1), dtype), dtype);
        take_largest(values, out, samples, order);
    }
    return {};
}

}  // namespace

void add_multinomial(OpTable& table) {
    table.add(
        {"multinomial",
         "Draws places of each row with the probabilities that its weights have; they need not sum to 1. Without "
         "replacement no place comes twice. PyTorch's draws for a seed.",
         {computed("(Tensor input, int num_samples, bool replacement=False, *, Generator? generator=None, Tensor? "
                   "out=None)",
                   kFunction | kMethod, samples_shape, draw_samples)},
         {"torch.multinomial(x.sigmoid(), 2)", "torch.multinomial(r.sigmoid(), 5, replacement=True)"}});
}

}  // namespace maskscope::ops
