// SPDX-License-Identifier: Apache-2.0
// Activation functions of torch.nn.functional.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/elementwise/activation_functors.h"
#include "core/ops/elementwise/rows.h"

namespace maskscope::ops {
namespace {

// The Python function around the kernel: its last parameter is `inplace`.
Result<Value> with_inplace(const Args& args, Run& run) {
    std::vector<Value> given;
    for (int i = 0; i + 1 < args.count(); ++i) given.push_back(args[i]);
    MS_TRY(out, run.call(*run.table().find(args.name()), Form::internal, given));
    if (!args.flag(args.count() - 1)) return std::move(out);
    MS_CHECK(run.in_place("copy", {args[0], out}));
    return args[0];
}

// The Python function that is the tensor's method.
Result<Value> as_method(const Args& args, Run& run) {
    return run.call(*run.table().find(args.name()), Form::method, std::span(&args[0], 1));
}

Overload python(std::string_view signature, Composite composite) {
    return composed(signature, kFunctional, composite, kPythonDefined);
}

Result<void> refuse_bool(const Args& args, std::string_view text) {
    if (args.tensor(0).dtype() != DType::boolean) return {};
    return torch_error("NotImplementedError", std::string(text));
}

Result<Outputs> threshold_output(const Args& args) {
    MS_TRY(out, (Pointwise<Threshold, 1>::output(args)));
    MS_CHECK(refuse_overflow(args[1], out.front().dtype));
    MS_CHECK(refuse_overflow(args[2], out.front().dtype));
    return std::move(out);
}

Result<Outputs> hardtanh_output(const Args& args) {
    MS_TRY(out, (Pointwise<Hardtanh, 1>::output(args)));
    const DType dtype = out.front().dtype;
    if (is_floating(dtype)) return std::move(out);
    MS_CHECK(check_bounds(cut_to(DType::i64, args[1]), cut_to(DType::i64, args[2]), dtype));
    return std::move(out);
}

bool wants_tanh(const Args& args) {
    return args.text(1) == "tanh";
}

Result<Outputs> gelu_output(const Args& args) {
    if (!wants_tanh(args) && args.text(1) != "none")
        return runtime_error("approximate argument must be either none or tanh.");
    return Pointwise<GeluErf, 1>::output(args);
}

Result<void> gelu_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    return wants_tanh(args) ? Pointwise<GeluTanh, 1>::kernel(args, outputs, run)
                            : Pointwise<GeluErf, 1>::kernel(args, outputs, run);
}

// Contiguous, whatever the input's order of memory.
Result<Outputs> log_sigmoid_output(const Args& args) {
    MS_TRY(out, (Pointwise<LogSigmoid, 1>::output(args)));
    out.front().strides.reset();
    return std::move(out);
}

Result<Value> softsign(const Args& args, Run& run) {
    MS_TRY(size, run.tensor("abs", {args[0]}));
    MS_TRY(divisor, run.tensor("add", {size, 1}));
    return run.call("div", {args[0], divisor});
}

Result<Value> tanhshrink(const Args& args, Run& run) {
    MS_TRY(curve, run.tensor("tanh", {args[0]}));
    return run.call("sub", {args[0], curve});
}

void add_rectifiers(OpTable& table) {
    add_row(table, {"relu", "What is below 0 becomes 0; NaN stays.", {"x.relu()", "F.relu(i)"}, {}},
            {pointwise<Relu, 1>("(Tensor input)", kFunction | kMethod | kInPlace),
             python("(Tensor input, bool inplace=False)", with_inplace)});
    add_row(
        table, {"relu6", "relu with an upper bound of 6.", {"F.relu6(x)"}, {}},
        {pointwise<Relu6, 1>("(Tensor input)", kInternal), python("(Tensor input, bool inplace=False)", with_inplace)});
    Overload hardtanh = pointwise<Hardtanh, 1>("(Tensor input, Scalar min_val, Scalar max_val)", kInternal);
    hardtanh.shape = &hardtanh_output;
    add_row(table,
            {"hardtanh", "Holds values between min_val and max_val.", {"F.hardtanh(x)", "F.hardtanh(i, 0, 1)"}, {}},
            {hardtanh,
             python("(Tensor input, Scalar min_val=-1.0, Scalar max_val=1.0, bool inplace=False)", with_inplace)});
    add_row(table,
            {"leaky_relu", "relu that lets a small part of what is below 0 through.", {"F.leaky_relu(x, 0.1)"}, {}},
            {pointwise<LeakyRelu, 1>("(Tensor input, Scalar negative_slope)", kInternal),
             python("(Tensor input, Scalar negative_slope=0.01, bool inplace=False)", with_inplace)});
    Overload threshold = pointwise<Threshold, 1>("(Tensor input, Scalar threshold, Scalar value)", kFunction);
    threshold.shape = &threshold_output;
    add_row(table,
            {"threshold", "What is not above the threshold becomes the value.", {"F.threshold(x, 0.5, 0.0)"}, {}},
            {threshold, python("(Tensor input, Scalar threshold, Scalar value, bool inplace=False)", with_inplace)});
    add_row(table, {"hardshrink", "0 between -lambd and lambd, x outside.", {"F.hardshrink(x)"}, {}},
            {pointwise<Hardshrink, 1>("(Tensor input, Scalar lambd=0.5)", kFunction | kMethod | kFunctional)});
    add_row(table,
            {"softshrink", "0 between -lambd and lambd, x drawn towards 0 by lambd outside.", {"F.softshrink(x)"}, {}},
            {pointwise<Softshrink, 1>("(Tensor input, Scalar lambd=0.5)", kFunctional)});
}

void add_exponential(OpTable& table) {
    Overload gelu = pointwise<GeluErf, 1>("(Tensor input, *, str approximate='none')", kFunctional);
    gelu.shape = &gelu_output;
    gelu.kernel = &gelu_kernel;
    add_row(table,
            {"gelu",
             "x times the normal distribution's probability below x; approximate='tanh' for the older formula.",
             {"F.gelu(x)", "F.gelu(x, approximate='tanh')"},
             {}},
            {gelu});
    add_row(
        table, {"silu", "x * sigmoid(x).", {"F.silu(x)"}, {}},
        {pointwise<Silu, 1>("(Tensor input)", kInternal), python("(Tensor input, bool inplace=False)", with_inplace)});
    add_row(
        table, {"mish", "x * tanh(softplus(x)).", {"F.mish(x)"}, {}},
        {pointwise<Mish, 1>("(Tensor input)", kInternal), python("(Tensor input, bool inplace=False)", with_inplace)});
    add_row(table, {"elu", "x above 0, alpha * (exp(x) - 1) below.", {"F.elu(x)"}, {}},
            {pointwise<Elu, 1>("(Tensor input, Scalar alpha)", kInternal),
             python("(Tensor input, Scalar alpha=1.0, bool inplace=False)", with_inplace)});
    add_row(
        table, {"selu", "elu scaled so that activations keep mean 0 and variance 1.", {"F.selu(x)"}, {}},
        {pointwise<Selu, 1>("(Tensor input)", kFunction), python("(Tensor input, bool inplace=False)", with_inplace)});
    add_row(table, {"celu", "elu that is smooth for every alpha.", {"F.celu(x, 2.0)"}, {}},
            {pointwise<Celu, 1>("(Tensor input, Scalar alpha=1.0)", kFunction),
             python("(Tensor input, Scalar alpha=1.0, bool inplace=False)", with_inplace)});
    add_row(table,
            {"softplus",
             "log(1 + exp(beta * x)) / beta, and x itself where beta * x is above the threshold.",
             {"F.softplus(x)", "F.softplus(x, 2, 10)"},
             {}},
            {pointwise<Softplus, 1>("(Tensor input, Scalar beta=1, Scalar threshold=20)", kFunctional)});
    Overload log_sigmoid = pointwise<LogSigmoid, 1>("(Tensor input)", kFunctional);
    log_sigmoid.shape = &log_sigmoid_output;
    add_row(table, {"logsigmoid", "log(sigmoid(x)) without overflow.", {"F.logsigmoid(x)"}, {}}, {log_sigmoid});
    add_row(table,
            {"logit",
             "log(x / (1 - x)): the inverse of sigmoid; NaN outside [0, 1] unless eps holds x inside.",
             {"torch.logit(x)", "x.logit(0.1)"},
             {}},
            {pointwise<Logit, 1>("(Tensor input, float? eps=None, *, Tensor? out=None)", kFunction),
             pointwise<Logit, 1>("(Tensor input, float? eps=None)", kMethod | kInPlace)});
}

void add_gates(OpTable& table) {
    add_row(table, {"hardsigmoid", "A sigmoid of straight lines: 0 below -3, 1 above 3.", {"F.hardsigmoid(x)"}, {}},
            {pointwise<Hardsigmoid, 1>("(Tensor input)", kInternal),
             python("(Tensor input, bool inplace=False)", with_inplace)});
    add_row(table, {"hardswish", "x * hardsigmoid(x).", {"F.hardswish(x)"}, {}},
            {pointwise<Hardswish, 1>("(Tensor input)", kInternal),
             python("(Tensor input, bool inplace=False)", with_inplace)});
    add_row(table, {"softsign", "x / (1 + |x|).", {"F.softsign(x)"}, {}}, {python("(Tensor input)", softsign)});
    add_row(table, {"tanhshrink", "x - tanh(x).", {"F.tanhshrink(x)"}, {}}, {python("(Tensor input)", tanhshrink)});
    // The functions themselves are among the unary ones.
    table.add({"tanh", "", {python("(Tensor input)", as_method)}, {"F.tanh(x)"}});
    table.add({"sigmoid", "", {python("(Tensor input)", as_method)}, {"F.sigmoid(x)"}});
}

}  // namespace

Result<void> Relu::check(const Args& args) {
    return refuse_bool(args, "Boolean inputs not supported for relu");
}

Result<void> Relu6::check(const Args& args) {
    return refuse_bool(args, "Bool inputs not supported for hardtanh");
}

Result<void> Hardtanh::check(const Args& args) {
    if (args.number(1) > args.number(2)) return value_error("min_val cannot be greater than max_val");
    return refuse_bool(args, "Bool inputs not supported for hardtanh");
}

Result<void> Softshrink::check(const Args& args) {
    const DType dtype = args.tensor(0).dtype();
    if (!is_floating(dtype)) return not_implemented_for("softshrink_check", dtype);
    if (args.number(1) >= 0 && args.number(1) <= largest_finite(dtype)) return {};
    return runtime_error("lambda must be in range [0, {}] for input dtype {}, but found {}",
                         short_number(largest_finite(dtype)), scalar_type_name(dtype), short_number(args.number(1)));
}

Threshold Threshold::from(const Args& args, DType common) {
    Threshold out;
    out.threshold = args.number(1);
    out.value = args.number(2);
    if (is_floating(common)) return out;
    out.whole_threshold = cut_to(common, args[1]);
    out.whole_value = cut_to(common, args[2]);
    return out;
}

void add_activation(OpTable& table) {
    add_rectifiers(table);
    add_exponential(table);
    add_gates(table);
}

}  // namespace maskscope::ops
