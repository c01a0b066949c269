// SPDX-License-Identifier: Apache-2.0
// Losses between two tensors of one shape: mse, l1, smooth l1, huber, Kullback-Leibler.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/promotion.h"
#include "core/ops/nn/reduction.h"
#include "core/tensor/broadcast.h"

namespace maskscope::ops {
namespace {

constexpr int kInput = 0;
constexpr int kTarget = 1;

// A smaller target is broadcast, which is hardly ever meant.
void note_sizes(const Args& args, Run& run) {
    const Shape& input = args.tensor(kInput).shape();
    const Shape& target = args.tensor(kTarget).shape();
    if (input == target) return;
    run.note(fmt::format(
        "Using a target size ({}) that is different to the input size ({}). This will likely lead to incorrect results "
        "due to broadcasting. Please ensure they have the same size.",
        size_text(target), size_text(input)));
}

Result<void> check_floating(const Args& args, const char* kernel) {
    MS_TRY(shape, broadcast_shapes(args.tensor(kInput).shape(), args.tensor(kTarget).shape()));
    static_cast<void>(shape);
    const DType dtype = promote_types(args.tensor(kInput).dtype(), args.tensor(kTarget).dtype());
    if (!is_floating(dtype)) return not_implemented_for(kernel, dtype);
    return {};
}

Result<VariablePtr> difference(const Args& args, Run& run) {
    return run.tensor("sub", {args[kInput], args[kTarget]});
}

// Where the mean of weighted losses is taken over: the sum of the weights, or all elements.
enum class Divisor : std::uint8_t { weights, elements };

Result<Value> weighted(const Args& args, const VariablePtr& losses, int weight, Reduction reduction, Divisor divisor,
                       Run& run) {
    if (!args.given(weight)) return reduced(losses, reduction, run);
    if (args.tensor(weight).shape() != args.tensor(kInput).shape())
        return value_error("Weights and input must have the same size.");
    MS_TRY(products, run.tensor("mul", {losses, args[weight]}));
    if (reduction != Reduction::mean || divisor == Divisor::elements) return reduced(products, reduction, run);
    MS_TRY(sum, run.tensor("sum", {products}));
    MS_TRY(weights, run.tensor("sum", {args[weight]}));
    MS_TRY(out, run.tensor("div", {sum, weights}));
    return Value(out);
}

Result<Value> mse_loss(const Args& args, Run& run) {
    note_sizes(args, run);
    MS_TRY(reduction, reduction_of(args, {2, 3, 4}, run));
    MS_CHECK(check_floating(args, "mse_cpu"));
    MS_TRY(delta, difference(args, run));
    MS_TRY(losses, run.tensor("square", {delta}));
    return weighted(args, losses, 5, reduction, Divisor::weights, run);
}

Result<Value> l1_loss(const Args& args, Run& run) {
    note_sizes(args, run);
    MS_TRY(reduction, reduction_of(args, {2, 3, 4}, run));
    MS_TRY(delta, difference(args, run));
    MS_TRY(losses, run.tensor("abs", {delta}));
    return weighted(args, losses, 5, reduction, Divisor::weights, run);
}

// scale * d^2 / 2 up to the bend, a straight line after it.
Result<VariablePtr> bent(const VariablePtr& distance, double bend, double scale, Run& run) {
    MS_TRY(square, run.tensor("square", {distance}));
    MS_TRY(near, run.tensor("mul", {square, 0.5 * scale}));
    MS_TRY(shifted, run.tensor("sub", {distance, 0.5 * bend}));
    MS_TRY(far, run.tensor("mul", {shifted, bend * scale}));
    MS_TRY(is_near, run.tensor("lt", {distance, bend}));
    return run.tensor("where", {is_near, near, far});
}

Result<Value> smooth_l1_loss(const Args& args, Run& run) {
    note_sizes(args, run);
    MS_TRY(reduction, reduction_of(args, {2, 3, 4}, run));
    const double beta = args.number(5);
    if (beta < 0) return runtime_error("smooth_l1_loss does not support negative values for beta.");
    if (beta != 0) MS_CHECK(check_floating(args, "smooth_l1_cpu"));
    MS_TRY(delta, difference(args, run));
    MS_TRY(distance, run.tensor("abs", {delta}));
    if (beta == 0) return reduced(distance, reduction, run);
    MS_TRY(losses, bent(distance, beta, 1 / beta, run));
    return reduced(losses, reduction, run);
}

Result<Value> huber_loss(const Args& args, Run& run) {
    note_sizes(args, run);
    MS_TRY(reduction, reduction_of(args, {-1, -1, 2}, run));
    const double delta = args.number(3);
    if (delta <= 0) return runtime_error("huber_loss does not support non-positive values for delta.");
    MS_CHECK(check_floating(args, "huber_cpu"));
    MS_TRY(apart, difference(args, run));
    MS_TRY(distance, run.tensor("abs", {apart}));
    MS_TRY(wide, bent(distance, delta, 1, run));
    // The input decides the dtype here.
    MS_TRY(losses, run.tensor("to", {wide, args.tensor(kInput).dtype()}));
    return weighted(args, losses, 4, reduction, Divisor::elements, run);
}

Result<VariablePtr> divergences(const Args& args, Run& run) {
    if (args.flag(5)) {
        MS_TRY(difference_of_logs, run.tensor("sub", {args[kTarget], args[kInput]}));
        MS_TRY(target, run.tensor("exp", {args[kTarget]}));
        return run.tensor("mul", {target, difference_of_logs});
    }
    MS_TRY(cross, run.tensor("mul", {args[kTarget], args[kInput]}));
    // 0 log 0 is 0.
    MS_TRY(own, run.tensor("xlogy", {args[kTarget], args[kTarget]}));
    return run.tensor("sub", {own, cross});
}

Result<Value> kl_div(const Args& args, Run& run) {
    MS_TRY(reduction, reduction_of(args, {2, 3, 4}, run, true));
    if (reduction == Reduction::mean && !args.given(2) && !args.given(3))
        run.note(
            "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides "
            "only by the batch size, and aligns with the KL div math definition.'mean' will be changed to behave the "
            "same "
            "as 'batchmean' in the next major release.");
    const Tensor& input = args.tensor(kInput);
    if (!is_floating(input.dtype()) && !is_floating(args.tensor(kTarget).dtype()))
        return runtime_error("kl_div: Integral inputs not supported.");
    MS_TRY(losses, divergences(args, run));
    if (reduction != Reduction::batch_mean) return reduced(losses, reduction, run);
    MS_TRY(sum, run.tensor("sum", {losses}));
    if (input.rank() == 0) return Value(sum);
    MS_TRY(out, run.tensor("div", {sum, input.size(0)}));
    return Value(out);
}

Overload loss(std::string_view signature, Composite composite) {
    return composed(signature, kFunctional, composite, kPythonDefined);
}

}  // namespace

void add_distance_losses(OpTable& table) {
    constexpr std::string_view kWeighted =
        "(Tensor input, Tensor target, Any size_average=None, Any reduce=None, Any reduction='mean', Tensor? "
        "weight=None)";
    table.add({"mse_loss",
               "The squared differences, averaged. The mean is over every element, padding too: take reduction='none', "
               "multiply by the mask and divide by mask.sum(). A target of another size is broadcast with a warning.",
               {loss(kWeighted, mse_loss)},
               {"F.mse_loss(x, y)", "F.mse_loss(x, y, reduction='none')"}});
    table.add({"l1_loss",
               "The absolute differences, averaged over every element.",
               {loss(kWeighted, l1_loss)},
               {"F.l1_loss(x, y)", "F.l1_loss(x, y, reduction='sum')"}});
    table.add(
        {"smooth_l1_loss",
         "Quadratic below beta (d*d / (2 beta)), linear above it (d - beta / 2), averaged. beta=0 is l1_loss.",
         {loss("(Tensor input, Tensor target, Any size_average=None, Any reduce=None, Any reduction='mean', float "
               "beta=1.0)",
               smooth_l1_loss)},
         {"F.smooth_l1_loss(x, y, beta=0.5)"}});
    table.add({"huber_loss",
               "d*d / 2 below delta, delta * (d - delta / 2) above it: smooth_l1_loss times delta.",
               {loss("(Tensor input, Tensor target, Any reduction='mean', float delta=1.0, Tensor? weight=None)",
                     huber_loss)},
               {"F.huber_loss(x, y, delta=0.5)"}});
    table.add({"kl_div",
               "How far the target is from the input, which must be log-probabilities: target * (log target - input). "
               "reduction='mean' divides by every element; the divergence of the textbooks is 'batchmean'.",
               {loss("(Tensor input, Tensor target, Any size_average=None, Any reduce=None, Any reduction='mean', bool "
                     "log_target=False)",
                     kl_div)},
               {"F.kl_div(x.log_softmax(-1), y.softmax(-1), reduction='batchmean')"}});
}

}  // namespace maskscope::ops
