// SPDX-License-Identifier: Apache-2.0
// norm: a function of Python in PyTorch that ends in linalg.vector_norm.
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/promotion.h"
#include "core/ops/reduce/axes.h"
#include "core/ops/reduce/extreme_ops.h"
#include "core/ops/reduce/reducer.h"
#include "core/ops/reduce/sum_ops.h"

#include <cmath>

namespace maskscope::ops {
namespace {

// Rounded before the root is taken: where the sum overflows, the norm does, as in torch.
template <class T>
struct Euclidean : FloatSum<T, Square> {
    using Result = T;
    Result finish(const double& state) const { return std::sqrt(static_cast<T>(state)); }
};

template <class T>
struct PowerNorm {
    using Value = T;
    using State = double;
    using Result = T;
    T power = 1;

    State start() const { return 0; }
    T term(T value) const { return std::pow(std::fabs(value), power); }
    void row(State& state, const T* values, std::int64_t count, std::int64_t /*position*/) const {
        for (std::int64_t i = 0; i < count; ++i) state += static_cast<double>(term(values[i]));
    }
    void columns(State* states, const T* values, std::int64_t row_step, std::int64_t rows, std::int64_t count,
                 std::int64_t /*position*/) const {
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t i = 0; i < count; ++i) states[i] += static_cast<double>(term(values[row * row_step + i]));
    }
    void merge(State& state, const State& later) const { state += later; }
    Result finish(const State& state) const { return std::pow(static_cast<T>(state), T(1) / power); }
};

// Parameters: input, p, dim, keepdim, (out,) dtype. The method has no out.
struct Given {
    double power = 2;
    Axes axes;
    bool keepdim = false;
    DType dtype = DType::f32;
};

Result<double> power_of(const Value& p) {
    if (p.is_none()) return 2.0;
    if (const auto* text = p.get_if<std::string>()) {
        if (*text == "fro") return 2.0;
        if (*text == "nuc")
            return make_error(ErrorKind::input, MS_TEXT("the nuclear norm needs singular values, which are not here"));
        return runtime_error("linalg.matrix_norm: Order {} not supported.", *text);
    }
    if (p.is_number()) return p.to_double();
    if (p.is_tensor() && p.tensor()->tensor.rank() == 0) {
        if (!p.tensor()->tensor.has_data()) return needs_data("norm()");
        return to_double(p.tensor()->tensor.at({}));
    }
    return type_error("linalg_vector_norm(): argument 'ord' (position 2) must be Number, not {}", type_name(p));
}

std::string spelled(double power) {
    return fmt::format("{:g}", power);
}

// Infinity and negative orders have no value for nothing.
Result<void> refuse_empty(const Shape& shape, const Given& given, bool no_dims) {
    if (given.power >= 0 && !std::isinf(given.power)) return {};
    if (no_dims && element_count(shape) == 0)
        return runtime_error(
            "linalg.vector_norm cannot compute the {} norm on an empty tensor because the operation "
            "does not have an identity",
            spelled(given.power));
    for (int i = 0; i < shape.rank(); ++i)
        if (given.axes.test(static_cast<std::size_t>(i)) && shape[i] == 0)
            return runtime_error(
                "linalg.vector_norm cannot compute the {} norm on the dimension {}because this dimension "
                "is empty and the operation does not have an identity",
                spelled(given.power), i);
    return {};
}

Result<DType> dtype_of(DType own, std::optional<DType> wanted) {
    if (!is_floating(own))
        return torch_error("NotImplementedError",
                           "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {}",
                           scalar_type_name(own));
    if (!wanted) return own;
    if (!is_floating(*wanted))
        return runtime_error("linalg.vector_norm: dtype should be floating point or complex, but got {}",
                             scalar_type_name(*wanted));
    if (promote_types(own, *wanted) != *wanted)
        return runtime_error(
            "linalg.vector_norm: the dtype of the input ({}) should be convertible without narrowing to "
            "the specified dtype ({})",
            scalar_type_name(own), scalar_type_name(*wanted));
    return *wanted;
}

Result<Given> given_in(const Args& args) {
    const Tensor& input = args.tensor(0);
    Given out;
    MS_TRY(power, power_of(args[1]));
    out.power = power;
    const bool by_name = args[1].get_if<std::string>() != nullptr;
    const bool no_dims = !args.given(2) || args.integers(2).empty();
    // By name it is a matrix norm where dims are given, of one dim or two.
    if (by_name && !no_dims && args.integers(2).size() > 2) {
        std::string dims;
        for (const auto dim : args.integers(2)) dims += (dims.empty() ? "" : " ") + std::to_string(dim);
        return runtime_error("linalg.matrix_norm: dim must be a 2-tuple. Got {}", dims);
    }
    MS_TRY(dtype, dtype_of(input.dtype(), args.dtype(args.count() - 1)));
    out.dtype = dtype;
    MS_TRY(axes, axes_of(args, 2, input.rank()));
    out.axes = axes;
    out.keepdim = args.flag(3);
    MS_CHECK(refuse_empty(input.shape(), out, no_dims));
    return out;
}

Result<Outputs> shape(const Args& args) {
    MS_TRY(given, given_in(args));
    if (args.form() == Form::function && args.given(4))
        return make_error(ErrorKind::input, MS_TEXT("out= is not supported here: assign the result of norm() instead"));
    return Outputs{{reduced_shape(args.tensor(0).shape(), given.axes, given.keepdim), given.dtype, std::nullopt}};
}

template <class T>
Result<void> norm_in(const Tensor& input, const Given& given, std::span<Tensor> outputs, const JobContext& context) {
    const auto by = [&](auto op) {
        return reduce(input, given.axes, Order::any, ReducerOf<decltype(op)>(op), outputs, context);
    };
    if (given.power == 0) return by(TruthCount());
    // A single number is its own norm; squaring it might overflow.
    if (given.power == 1 || reduced_count(input.shape(), given.axes) == 1) return by(Sum<T, Magnitude>());
    if (given.power == 2) return by(Euclidean<T>());
    if (std::isinf(given.power)) {
        if (given.power > 0) return by(Extreme<T, true, Magnitude>());
        return by(Extreme<T, false, Magnitude>());
    }
    return by(PowerNorm<T>{static_cast<T>(given.power)});
}

Result<void> kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    MS_TRY(given, given_in(args));
    if (given.dtype == DType::f64) return norm_in<double>(args.tensor(0), given, outputs, run.context());
    return norm_in<float>(args.tensor(0), given, outputs, run.context());
}

Overload overload_of(std::string_view signature, unsigned forms) {
    Overload overload;
    overload.signature = signature;
    overload.forms = forms;
    overload.traits = kPythonDefined;
    overload.shape = shape;
    overload.kernel = kernel;
    overload.flops = input_flops;
    return overload;
}

}  // namespace

void add_norms(OpTable& table) {
    table.add(
        {"norm",
         "The length of all elements as one vector, or along the dims: p=2 or 'fro' the root of the sum of squares, 1 "
         "the "
         "sum of magnitudes, inf and -inf the largest and smallest magnitude, 0 how many are not zero. Floating dtypes "
         "only.",
         {overload_of("(Tensor input, Any p='fro', int[1]? dim=None, bool keepdim=False, Any out=None, ScalarType? "
                      "dtype=None)",
                      kFunction),
          overload_of("(Tensor self, Any p='fro', int[1]? dim=None, bool keepdim=False, ScalarType? dtype=None)",
                      kMethod)},
         {"x.norm()", "x.norm(2, 1)", "torch.norm(x, p=1, dim=0, keepdim=True)", "x.norm(float('inf'))"}});
}

}  // namespace maskscope::ops
