// SPDX-License-Identifier: Apache-2.0
// layer_norm and rms_norm: each sample by its own statistics.
#include "core/jobs/parallel.h"
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/loops/copy.h"
#include "core/ops/nn/gradient.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace maskscope::ops {
namespace {

// Of layer_norm; rms_norm has no bias.
enum Place : int { kInput = 0, kShape, kWeight, kBias, kEps };

constexpr std::int64_t kGrain = 32768;

Result<void> check_parameter(const Value& parameter, const Shape& shape, const char* name) {
    if (parameter.is_none() || parameter.tensor()->tensor.shape() == shape) return {};
    return runtime_error(
        "Expected {} to be of same shape as normalized_shape, but got {} of shape {} and "
        "normalized_shape = {}",
        name, name, text_of(parameter.tensor()->tensor.shape()), text_of(shape));
}

Result<void> check_shape(const Tensor& input, const Shape& shape, const char* gap) {
    if (shape.empty())
        return runtime_error(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            "normalized_shape = []");
    bool fits = shape.rank() <= input.rank();
    for (int i = 1; fits && i <= shape.rank(); ++i) fits = shape[shape.rank() - i] == input.size(input.rank() - i);
    if (fits) return {};
    std::string sizes = text_of(shape);
    return runtime_error("Given normalized_shape={}, expected input with shape [*{}{}, but got input of size{}", sizes,
                         gap, sizes.substr(1), text_of(input.shape()));
}

bool is_computed(DType dtype) {
    return is_floating(dtype) && size_of(dtype) > 1;
}

// float32 parameters may serve halves.
Result<void> check_mixed(const Value& parameter, DType input) {
    if (parameter.is_none()) return {};
    const DType dtype = parameter.tensor()->tensor.dtype();
    if (dtype == input || (dtype == DType::f32 && size_of(input) == 2)) return {};
    return runtime_error("mixed dtype (CPU): expect parameter to have scalar type of Float");
}

// --- the kernel: each row of a [rows, width] view ---

template <class T>
struct Parameters {
    std::vector<T> weight;
    std::vector<T> bias;
};

Result<Tensor> contiguous(const Tensor& tensor, Run& run) {
    if (tensor.is_contiguous()) return tensor;
    MS_TRY(out, run.allocate(tensor.shape(), tensor.dtype()));
    copy_elements(tensor, out);
    return std::move(out);
}

// Empty for None.
template <class T>
Result<std::vector<T>> row_of(const Args& args, int place, Run& run) {
    if (!args.given(place)) return std::vector<T>();
    MS_TRY(tensor, contiguous(args.tensor(place), run));
    std::vector<T> out(static_cast<std::size_t>(tensor.numel()));
    const auto step = static_cast<std::int64_t>(size_of(tensor.dtype()));
    load_block(tensor.data(), tensor.dtype(), step, tensor.numel(), out.data());
    return out;
}

template <class T>
void normalize_row(std::vector<T>& row, const Parameters<T>& parameters, double eps) {
    const auto count = static_cast<double>(row.size());
    double sum = 0;
    for (const T value : row) sum += static_cast<double>(value);
    const double mean = sum / count;
    double squares = 0;
    for (const T value : row) squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
    const auto scale = static_cast<T>(1 / std::sqrt(squares / count + eps));
    const auto middle = static_cast<T>(mean);
    for (std::size_t i = 0; i < row.size(); ++i) {
        T value = (row[i] - middle) * scale;
        if (!parameters.weight.empty()) value *= parameters.weight[i];
        if (!parameters.bias.empty()) value += parameters.bias[i];
        row[i] = value;
    }
}

template <class T>
Result<void> normalize_rows(const Args& args, Tensor& out, std::int64_t width, Run& run) {
    MS_TRY(input, contiguous(args.tensor(kInput), run));
    MS_TRY(weight, row_of<T>(args, kWeight, run));
    MS_TRY(bias, row_of<T>(args, kBias, run));
    const Parameters<T> parameters{std::move(weight), std::move(bias)};
    const auto size = static_cast<std::int64_t>(size_of(out.dtype()));
    std::byte* target = out.writable_data();
    parallel_for(Lane::ui, out.numel() / width, std::max<std::int64_t>(1, kGrain / width), [&](const Chunk& chunk) {
        std::vector<T> row(static_cast<std::size_t>(width));
        for (std::int64_t i = chunk.begin; i < chunk.end && !run.context().cancelled(); ++i) {
            load_block(input.data() + i * width * size, input.dtype(), size, width, row.data());
            normalize_row(row, parameters, args.number(kEps));
            store_block(row.data(), out.dtype(), size, width, target + i * width * size);
        }
    });
    if (run.context().cancelled()) return cancelled_error();
    return {};
}

Result<Outputs> shape(const Args& args) {
    const Tensor& input = args.tensor(kInput);
    const Shape sizes = args.dims(kShape);
    MS_CHECK(check_shape(input, sizes, ", "));
    MS_CHECK(check_parameter(args[kWeight], sizes, "weight"));
    MS_CHECK(check_parameter(args[kBias], sizes, "bias"));
    if (!is_computed(input.dtype())) return not_implemented_for("LayerNormKernelImpl", input.dtype());
    MS_CHECK(check_mixed(args[kWeight], input.dtype()));
    MS_CHECK(check_mixed(args[kBias], input.dtype()));
    return Outputs{{input.shape(), input.dtype(), {}}};
}

Result<void> kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const std::int64_t width = element_count(args.dims(kShape)).value_or(0);
    if (outputs[0].numel() == 0) return {};
    if (compute_of(outputs[0].dtype()) == Compute::f64) return normalize_rows<double>(args, outputs[0], width, run);
    return normalize_rows<float>(args, outputs[0], width, run);
}

double flops(const Args& args, std::span<const OutSpec>) {
    return 8.0 * static_cast<double>(args.tensor(kInput).numel());
}

// --- step by step ---

Value last_dims(int count) {
    std::vector<Value> out;
    for (int i = count; i > 0; --i) out.emplace_back(-i);
    return make_list(std::move(out));
}

// Halves in float.
Result<VariablePtr> widened(const VariablePtr& input, Run& run) {
    if (size_of(input->tensor.dtype()) > 2) return input;
    return run.tensor("to", {input, DType::f32});
}

Result<VariablePtr> scaled(const VariablePtr& input, const Value& weight, const Value& bias, Run& run) {
    VariablePtr out = input;
    if (!weight.is_none()) {
        MS_TRY(product, run.tensor("mul", {out, weight}));
        out = product;
    }
    if (bias.is_none()) return out;
    return run.tensor("add", {out, bias});
}

Result<Value> layer_norm_by_steps(const Args& args, Run& run) {
    MS_TRY(planned, shape(args));
    const Value dims = last_dims(args.dims(kShape).rank());
    MS_TRY(input, widened(args.variable(kInput), run));
    MS_TRY(mean, run.tensor("mean", {input, dims, true}));
    MS_TRY(centred, run.tensor("sub", {input, mean}));
    MS_TRY(squares, run.tensor("square", {centred}));
    MS_TRY(variance, run.tensor("mean", {squares, dims, true}));
    MS_TRY(shifted, run.tensor("add", {variance, args[kEps]}));
    MS_TRY(scale, run.tensor("rsqrt", {shifted}));
    MS_TRY(normalized, run.tensor("mul", {centred, scale}));
    MS_TRY(out, scaled(normalized, args[kWeight], args[kBias], run));
    MS_TRY(rounded, run.tensor("to", {out, planned.front().dtype}));
    return Value(rounded);
}

Result<Value> layer_norm(const Args& args, Run& run) {
    if (wants_gradient(run, {args[kInput], args[kWeight], args[kBias]})) return layer_norm_by_steps(args, run);
    MS_TRY(out, run.tensor("_layer_norm", {args[kInput], args[kShape], args[kWeight], args[kBias], args[kEps]}));
    return Value(out);
}

double machine_epsilon(DType dtype) {
    return dtype == DType::f64 ? std::numeric_limits<double>::epsilon()
                               : static_cast<double>(std::numeric_limits<float>::epsilon());
}

// (input, normalized_shape, weight, eps)
Result<Value> rms_norm(const Args& args, Run& run) {
    const Tensor& input = args.tensor(kInput);
    const Shape sizes = args.dims(kShape);
    MS_CHECK(check_shape(input, sizes, ""));
    MS_CHECK(check_parameter(args[kWeight], sizes, "weight"));
    if (!is_computed(input.dtype())) return not_implemented_for("rms_norm", input.dtype());
    const double eps = args.given(3) ? args.number(3) : machine_epsilon(input.dtype());
    MS_TRY(in_order, run.tensor("contiguous", {args[kInput]}));
    MS_TRY(wide, widened(in_order, run));
    MS_TRY(squares, run.tensor("square", {wide}));
    MS_TRY(mean, run.tensor("mean", {squares, last_dims(sizes.rank()), true}));
    MS_TRY(shifted, run.tensor("add", {mean, eps}));
    MS_TRY(scale, run.tensor("rsqrt", {shifted}));
    MS_TRY(normalized, run.tensor("mul", {wide, scale}));
    MS_TRY(out, scaled(normalized, args[kWeight], Value(), run));
    MS_TRY(rounded, run.tensor("to", {out, input.dtype()}));
    return Value(rounded);
}

}  // namespace

void add_layer_norm(OpTable& table) {
    table.add(
        {"layer_norm",
         "Each sample minus its mean over the last dims, divided by its standard deviation there, then weight and "
         "bias. "
         "Padding inside the normalized dims takes part in the statistics.",
         {composed("(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05)",
                   kFunctional, layer_norm),
          composed("(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, "
                   "bool cudnn_enable=True)",
                   kFunction, layer_norm)},
         {"F.layer_norm(x, (4,))", "torch.layer_norm(x, (4,), r, r)"}});
    table.add({"_layer_norm",
               "The one kernel behind layer_norm and group_norm.",
               {computed("(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps)", kInternal,
                         shape, kernel, 0, flops)},
               {}});
    table.add({"rms_norm",
               "Each sample divided by the root of its mean square over the last dims: layer_norm without the mean.",
               {composed("(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None)",
                         kFunctional | kFunction, rms_norm)},
               {"F.rms_norm(x, (4,))"}});
}

}  // namespace maskscope::ops
