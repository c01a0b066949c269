// SPDX-License-Identifier: Apache-2.0
// bincount and histc.
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/reduce/axes.h"
#include "core/tensor/convert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace maskscope::ops {
namespace {

template <class T>
std::vector<T> elements_of(const Tensor& contiguous) {
    std::vector<T> out(static_cast<std::size_t>(contiguous.numel()));
    if (!out.empty())
        load_block(contiguous.data(), contiguous.dtype(), static_cast<std::int64_t>(size_of(contiguous.dtype())),
                   contiguous.numel(), out.data());
    return out;
}

// input, weights, minlength. The length of the result is the largest element's.
Result<Value> bincount(const Args& args, Run& run) {
    const Tensor& input = args.tensor(0);
    const std::int64_t minlength = args.integer(2);
    if (!is_integer(input.dtype())) return not_implemented_for("bincount_cpu", input.dtype());
    if (minlength < 0) return runtime_error("minlength should be >= 0");
    if (!input.has_data() || (args.given(1) && !args.tensor(1).has_data())) return needs_data("bincount()");
    if (input.rank() == 1 && input.numel() == 0) {
        MS_TRY(zeros, run.allocate(Shape{minlength}, DType::i64));
        std::fill_n(zeros.writable_as<std::int64_t>(), minlength, 0);
        return Value(run.wrap(std::move(zeros)));
    }
    MS_TRY(flat, input.contiguous());
    const auto places = elements_of<std::int64_t>(flat);
    if (input.rank() != 1 || *std::min_element(places.begin(), places.end()) < 0)
        return runtime_error("bincount only supports 1-d non-negative integral inputs.");
    const std::int64_t length = std::max(minlength, *std::max_element(places.begin(), places.end()) + 1);
    if (!args.given(1)) {
        MS_TRY(out, run.allocate(Shape{length}, DType::i64));
        auto* counts = out.writable_as<std::int64_t>();
        std::fill_n(counts, length, 0);
        for (const auto place : places) ++counts[place];
        return Value(run.wrap(std::move(out)));
    }
    const Tensor& weights = args.tensor(1);
    if (weights.rank() != 1 || weights.numel() != input.numel())
        return runtime_error("weights should be 1-d and have the same length as input");
    MS_TRY(flat_weights, weights.contiguous());
    const auto heavy = elements_of<double>(flat_weights);
    MS_TRY(out, run.allocate(Shape{length}, weights.dtype() == DType::f32 ? DType::f32 : DType::f64));
    std::vector<double> sums(static_cast<std::size_t>(length));
    for (std::size_t i = 0; i < places.size(); ++i) sums[static_cast<std::size_t>(places[i])] += heavy[i];
    store_block(sums.data(), out.dtype(), static_cast<std::int64_t>(size_of(out.dtype())), length, out.writable_data());
    return Value(run.wrap(std::move(out)));
}

std::string shown(double value) {
    return fmt::format("{:g}", value);
}

// histc: input, bins, min, max, out.
Result<Outputs> histc_shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    const std::int64_t bins = args.integer(1);
    if (bins <= 0) return runtime_error("torch.histogram(): bins must be > 0, but got {} for dimension 0", bins);
    const double low = args.number(2);
    const double high = args.number(3);
    if (!std::isfinite(low) || !std::isfinite(high))
        return runtime_error("torch.histc: range of [{}, {}] is not finite", shown(low), shown(high));
    if (low > high) return runtime_error("torch.histc: max must be larger than min");
    if (input.dtype() == DType::boolean) return not_implemented_for("linspace_cpu", input.dtype());
    if (!is_floating(input.dtype())) return not_implemented_for("histogram_cpu", input.dtype());
    return Outputs{{Shape{bins}, input.dtype(), std::nullopt}};
}

// torch adds ones in the input's dtype: from this on they no longer change the sum.
std::int64_t countable(DType dtype) {
    switch (dtype) {
        case DType::bf16:
            return 1 << 8;
        case DType::f16:
            return 1 << 11;
        case DType::f32:
            return 1 << 24;
        default:
            return INT64_MAX;
    }
}

// float16 and bfloat16 are rounded after every step, as torch computes in them here.
struct Exact {
    template <class T>
    static T rounded(T value) {
        return value;
    }
};
struct Half {
    static float rounded(float value) { return float_from_f16(f16_from_float(value)); }
};
struct BrainFloat {
    static float rounded(float value) { return float_from_bf16(bf16_from_float(value)); }
};

// Blocks of the elements as T, one after another.
template <class T, class Take>
void each_block(const Tensor& contiguous, Take take) {
    std::array<T, kBlock> block;
    const auto width = static_cast<std::int64_t>(size_of(contiguous.dtype()));
    for (std::int64_t done = 0; done < contiguous.numel(); done += kBlock) {
        const std::int64_t count = std::min(kBlock, contiguous.numel() - done);
        load_block(contiguous.data() + done * width, contiguous.dtype(), width, count, block.data());
        take(std::span<const T>(block.data(), static_cast<std::size_t>(count)));
    }
}

template <class T>
struct Range {
    T low;
    T high;
};

// Of the data. NaN makes both ends NaN.
template <class T>
Range<T> range_of(const Tensor& contiguous) {
    // torch starts its search there; infinities everywhere show the difference.
    const T most =
        size_of(contiguous.dtype()) == 2 ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
    Range<T> range{most, -most};
    bool any_nan = false;
    each_block<T>(contiguous, [&](std::span<const T> block) {
        for (const T value : block) {
            range.low = std::min(range.low, value);
            range.high = std::max(range.high, value);
            // NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself
            any_nan = any_nan || value != value;
        }
    });
    if (any_nan) range.low = range.high = std::numeric_limits<T>::quiet_NaN();
    return range;
}

template <class T, class Round>
Result<void> histogram(const Tensor& input, Range<T> range, Tensor& out) {
    const DType dtype = out.dtype();
    if (range.low == range.high && input.numel() > 0) {
        range = range_of<T>(input);
        if (std::isnan(range.low)) {
            const char* nan = dtype == DType::bf16 ? "nan" : "-nan";
            return runtime_error("torch.histc: range of [{}, {}] is not finite", nan, nan);
        }
        if (std::isinf(range.low) || std::isinf(range.high))
            return runtime_error("torch.histc: range of [{}, {}] is not finite", shown(range.low), shown(range.high));
    }
    const T apart = range.low == range.high ? 1 : 0;
    const T low = Round::rounded(Round::rounded(range.low) - apart);
    const T high = Round::rounded(Round::rounded(range.high) + apart);
    const T width = Round::rounded(high - low);
    const std::int64_t bins = out.numel();
    std::vector<std::int64_t> counts(static_cast<std::size_t>(bins));
    each_block<T>(input, [&](std::span<const T> block) {
        for (const T value : block) {
            if (!(value >= low && value <= high)) continue;
            const T scaled = Round::rounded(Round::rounded(value - low) * static_cast<T>(bins));
            const T place = Round::rounded(scaled / width);
            // A range beyond the type makes NaN of the place: the first bin then.
            const std::int64_t bin = place >= 1 ? static_cast<std::int64_t>(std::min(place, static_cast<T>(bins))) : 0;
            ++counts[static_cast<std::size_t>(std::min(bin, bins - 1))];
        }
    });
    for (auto& count : counts) count = std::min(count, countable(dtype));
    store_block(counts.data(), dtype, static_cast<std::int64_t>(size_of(dtype)), bins, out.writable_data());
    return {};
}

Result<void> histc_kernel(const Args& args, std::span<Tensor> outputs, Run& /*run*/) {
    MS_TRY(flat, args.tensor(0).contiguous());
    if (flat.dtype() == DType::f64) return histogram<double, Exact>(flat, {args.number(2), args.number(3)}, outputs[0]);
    const Range<float> range{static_cast<float>(args.number(2)), static_cast<float>(args.number(3))};
    if (flat.dtype() == DType::f16) return histogram<float, Half>(flat, range, outputs[0]);
    if (flat.dtype() == DType::bf16) return histogram<float, BrainFloat>(flat, range, outputs[0]);
    return histogram<float, Exact>(flat, range, outputs[0]);
}

}  // namespace

void add_counts(OpTable& table) {
    Overload bins;
    bins.signature = "(Tensor input, Tensor? weights=None, int minlength=0)";
    bins.forms = kFunction | kMethod;
    bins.composite = bincount;
    bins.traits = kDataDependent;
    table.add(
        {"bincount",
         "How often each of 0, 1, 2, ... occurs in a 1-D tensor of integers, or the sum of the weights there; as long "
         "as the largest element asks.",
         {bins},
         {"i.flatten().bincount()", "torch.bincount(i.flatten(), minlength=5)",
          "torch.bincount(i.flatten(), weights=x.flatten())"}});
    Overload histogram;
    histogram.signature = "(Tensor input, int bins=100, Scalar min=0, Scalar max=0, *, Tensor? out=None)";
    histogram.forms = kFunction | kMethod;
    histogram.shape = histc_shape;
    histogram.kernel = histc_kernel;
    histogram.flops = input_flops;
    table.add(
        {"histc",
         "Counts of elements in equal bins between min and max (of the data where both are 0), in the input's dtype. "
         "What lies outside, and NaN, is left out.",
         {histogram},
         {"torch.histc(x, 4, 0, 1)", "x.histc(bins=5, min=-2, max=2)"}});
}

}  // namespace maskscope::ops
