// SPDX-License-Identifier: Apache-2.0
// Cross entropy of yes and no, from probabilities and from logits.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/nn/reduction.h"
#include "core/tensor/broadcast.h"

#include <algorithm>

namespace maskscope::ops {
namespace {

enum Place : int { kInput = 0, kTarget, kWeight, kSizeAverage, kReduce, kReduction, kPositiveWeight };

// loss *= factor, as in place: neither shape nor dtype of the loss changes.
Result<VariablePtr> scaled(const VariablePtr& losses, const Value& factor, Run& run) {
    const Shape& shape = losses->tensor.shape();
    MS_TRY(both, broadcast_shapes(shape, factor.tensor()->tensor.shape()));
    if (both != shape)
        return runtime_error("output with shape {} doesn't match the broadcast shape {}", text_of(shape),
                             text_of(both));
    MS_TRY(out, run.tensor("mul", {losses, factor}));
    return run.tensor("to", {out, losses->tensor.dtype()});
}

Result<void> check_weight(const Args& args) {
    if (!args.given(kWeight)) return {};
    const Shape& weight = args.tensor(kWeight).shape();
    const Shape& shape = args.tensor(kInput).shape();
    const int most = std::max(weight.rank(), shape.rank());
    for (int place = 1; place <= most; ++place) {
        const std::int64_t size = place <= weight.rank() ? weight[weight.rank() - place] : 1;
        const std::int64_t wanted = place <= shape.rank() ? shape[shape.rank() - place] : 1;
        if (size != 1 && size != wanted && wanted != 1)
            return runtime_error(
                "Attempting to broadcast a dimension of length {} at {}! Mismatching argument at index 1 had {}; but "
                "expected shape should be broadcastable to {}",
                size, -place, size_text(weight), text_of(shape));
    }
    return {};
}

Result<void> check_range(const Value& probabilities, const char* name, Run& run) {
    const Tensor& tensor = probabilities.tensor()->tensor;
    if (tensor.numel() == 0 || !tensor.has_data()) return {};
    for (const bool low : {true, false}) {
        MS_TRY(extreme, run.tensor(low ? "amin" : "amax", {probabilities}));
        if (!extreme->tensor.has_data()) return {};
        const double value = to_double(extreme->tensor.at({}));
        if (!(low ? value >= 0 : value <= 1))
            return runtime_error("all elements of {} should be between 0 and 1", name);
    }
    return {};
}

// -(t log p + (1 - t) log(1 - p)); the logarithms end at -100, so that certainty in the wrong costs 100 and not inf.
Result<VariablePtr> losses_of(const Args& args, Run& run) {
    constexpr double kLowest = -100;
    MS_TRY(log_yes, run.tensor("log", {args[kInput]}));
    MS_TRY(yes, run.tensor("clamp", {log_yes, kLowest}));
    MS_TRY(negative, run.tensor("neg", {args[kInput]}));
    MS_TRY(log_no, run.tensor("log1p", {negative}));
    MS_TRY(no, run.tensor("clamp", {log_no, kLowest}));
    MS_TRY(minus_one, run.tensor("sub", {args[kTarget], 1}));
    MS_TRY(for_no, run.tensor("mul", {no, minus_one}));
    MS_TRY(for_yes, run.tensor("mul", {yes, args[kTarget]}));
    return run.tensor("sub", {for_no, for_yes});
}

Result<Value> binary_cross_entropy(const Args& args, Run& run) {
    MS_TRY(reduction, reduction_of(args, {kSizeAverage, kReduce, kReduction}, run));
    const Tensor& input = args.tensor(kInput);
    const Tensor& target = args.tensor(kTarget);
    if (input.shape() != target.shape())
        return value_error(
            "Using a target size ({}) that is different to the input size ({}) is deprecated. Please ensure they have "
            "the "
            "same size.",
            size_text(target.shape()), size_text(input.shape()));
    MS_CHECK(check_weight(args));
    if (input.dtype() != target.dtype())
        return runtime_error("Found dtype {} but expected {}", scalar_type_name(target.dtype()),
                             scalar_type_name(input.dtype()));
    if (!is_floating(input.dtype())) return not_implemented_for("binary_cross_entropy", input.dtype());
    MS_CHECK(check_range(args[kInput], "input", run));
    MS_CHECK(check_range(args[kTarget], "target", run));
    MS_TRY(losses, losses_of(args, run));
    if (!args.given(kWeight)) return reduced(losses, reduction, run);
    MS_TRY(weighted, scaled(losses, args[kWeight], run));
    return reduced(weighted, reduction, run);
}

// (1 - t) x - log sigmoid(x), where pos_weight counts the yes part more than once.
Result<VariablePtr> losses_of_logits(const Args& args, Run& run) {
    const Tensor& target = args.tensor(kTarget);
    if (target.dtype() == DType::boolean)
        return torch_error("NotImplementedError",
                           "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
                           "`logical_xor()` operator instead.");
    MS_TRY(log_sigmoid, run.tensor("logsigmoid", {args[kInput]}));
    VariablePtr positive = log_sigmoid;
    if (args.given(kPositiveWeight)) {
        MS_TRY(more, run.tensor("sub", {args[kPositiveWeight], 1}));
        MS_TRY(share, run.tensor("mul", {more, args[kTarget]}));
        MS_TRY(times, run.tensor("add", {share, 1}));
        MS_TRY(product, run.tensor("mul", {log_sigmoid, times}));
        positive = product;
    }
    MS_TRY(opposite, run.tensor("rsub", {args[kTarget], 1}));
    if (!is_floating(target.dtype()))
        return runtime_error("result type {} can't be cast to the desired output type {}",
                             scalar_type_name(args.tensor(kInput).dtype()), scalar_type_name(target.dtype()));
    MS_TRY(negative, scaled(opposite, args[kInput], run));
    MS_TRY(both, broadcast_shapes(negative->tensor.shape(), positive->tensor.shape()));
    if (both != negative->tensor.shape())
        return runtime_error("output with shape {} doesn't match the broadcast shape {}",
                             text_of(negative->tensor.shape()), text_of(both));
    MS_TRY(losses, run.tensor("sub", {negative, positive}));
    return run.tensor("to", {losses, negative->tensor.dtype()});
}

Result<Value> with_logits(const Args& args, Run& run) {
    MS_TRY(reduction, reduction_of(args, {kSizeAverage, kReduce, kReduction}, run));
    const Tensor& input = args.tensor(kInput);
    const Tensor& target = args.tensor(kTarget);
    if (input.shape() != target.shape())
        return value_error("Target size ({}) must be the same as input size ({})", size_text(target.shape()),
                           size_text(input.shape()));
    if (!is_floating(input.dtype())) return not_implemented_for("log_sigmoid_cpu", input.dtype());
    MS_TRY(losses, losses_of_logits(args, run));
    if (!args.given(kWeight)) return reduced(losses, reduction, run);
    MS_TRY(weighted, scaled(losses, args[kWeight], run));
    return reduced(weighted, reduction, run);
}

}  // namespace

void add_binary_losses(OpTable& table) {
    table.add(
        {"binary_cross_entropy",
         "-(t log p + (1 - t) log(1 - p)) for probabilities p, averaged. Logarithms end at -100; values outside [0, 1] "
         "and NaN are refused.",
         {composed("(Tensor input, Tensor target, Tensor? weight=None, Any size_average=None, Any reduce=None, Any "
                   "reduction='mean')",
                   kFunctional, binary_cross_entropy, kPythonDefined)},
         {"F.binary_cross_entropy(x.sigmoid(), y.sigmoid())"}});
    table.add(
        {"binary_cross_entropy_with_logits",
         "binary_cross_entropy of sigmoid(input), computed without overflow; what mask heads are trained with. weight "
         "can be a mask, but the mean still counts every element. pos_weight counts yes more than no.",
         {composed("(Tensor input, Tensor target, Tensor? weight=None, Any size_average=None, Any reduce=None, Any "
                   "reduction='mean', Tensor? pos_weight=None)",
                   kFunctional, with_logits, kPythonDefined)},
         {"F.binary_cross_entropy_with_logits(x, m.float())",
          "F.binary_cross_entropy_with_logits(x, m.float(), reduction='none')"}});
}

}  // namespace maskscope::ops
