// SPDX-License-Identifier: Apache-2.0
// nll_loss and cross_entropy: in one kernel, or step by step where a gradient is wanted.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/nn/class_loss_kernel.h"
#include "core/ops/nn/class_loss_rules.h"
#include "core/ops/nn/reduction.h"

#include <string>

namespace maskscope::ops {
namespace {

// Of F.nll_loss and F.cross_entropy.
enum Place : int { kInput = 0, kTarget, kWeight, kSizeAverage, kIgnore, kReduce, kReduction, kSmoothing };

struct Job {
    VariablePtr input;
    VariablePtr target;
    Value weight;
    std::int64_t ignore_index = -100;
    double smoothing = 0;
    Reduction reduction = Reduction::mean;
    bool from_logits = true;
};

// --- the kernel as an op of its own ---

enum KernelPlace : int { kKernelIgnore = 3, kKernelSmoothing, kKernelReduction, kFromLogits };

Result<Outputs> shape(const Args& args) {
    const Tensor* weight = args.given(kWeight) ? &args.tensor(kWeight) : nullptr;
    const Tensor& input = args.tensor(kInput);
    MS_CHECK(check_class_loss(input, args.tensor(kTarget), weight, args.flag(kFromLogits)));
    Shape out;
    if (static_cast<Reduction>(args.integer(kKernelReduction)) == Reduction::none && input.rank() > 1)
        out = args.tensor(kTarget).shape();
    return Outputs{{out, input.dtype(), {}}};
}

Result<void> kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    ClassLoss loss;
    loss.input = args.tensor(kInput);
    loss.target = args.tensor(kTarget);
    loss.out = outputs[0];
    if (args.given(kWeight)) loss.weight = args.tensor(kWeight);
    loss.ignore_index = args.integer(kKernelIgnore);
    loss.smoothing = args.number(kKernelSmoothing);
    loss.from_logits = args.flag(kFromLogits);
    loss.reduction = static_cast<Reduction>(args.integer(kKernelReduction));
    if (loss.input.rank() == 1) {
        // One sample without a batch.
        loss.input = loss.input.unsqueeze(0);
        if (loss.target.rank() == 0) loss.target = loss.target.unsqueeze(0);
        if (loss.out.rank() == 0) loss.out = loss.out.unsqueeze(0);
    }
    return run_class_loss(loss, run);
}

// exp, two sums and a comparison for each logit.
double flops(const Args& args, std::span<const OutSpec>) {
    if (!args.flag(kFromLogits)) return static_cast<double>(args.tensor(kTarget).numel());
    return 4.0 * static_cast<double>(args.tensor(kInput).numel());
}

// --- step by step ---

// The weight of each target; ignored ones have 0.
Result<VariablePtr> target_weights(const Job& job, const VariablePtr& classes, const VariablePtr& ignored, Run& run) {
    VariablePtr weights;
    if (job.weight.is_none()) {
        MS_TRY(ones, run.tensor("ones_like", {classes}, {{"dtype", job.input->tensor.dtype()}}));
        weights = ones;
    } else {
        MS_TRY(flat, run.tensor("reshape", {classes, make_list({-1})}));
        MS_TRY(rows, run.tensor("index_select", {job.weight, 0, flat}));
        MS_TRY(shaped, run.tensor("view_as", {rows, classes}));
        weights = shaped;
    }
    return run.tensor("masked_fill", {weights, ignored, 0.0});
}

// Losses of every class, shared out by label smoothing.
Result<VariablePtr> smoothed(const Job& job, const VariablePtr& log_probabilities, const VariablePtr& losses,
                             const VariablePtr& ignored, Run& run) {
    const Tensor& input = log_probabilities->tensor;
    VariablePtr products = log_probabilities;
    if (!job.weight.is_none()) {
        std::vector<Value> sizes(static_cast<std::size_t>(input.rank()), 1);
        sizes[1] = -1;
        MS_TRY(weight, run.tensor("view", {job.weight, make_list(sizes)}));
        MS_TRY(weighted, run.tensor("mul", {products, weight}));
        products = weighted;
    }
    MS_TRY(all, run.tensor("sum", {products, 1}));
    MS_TRY(kept, run.tensor("masked_fill", {all, ignored, 0.0}));
    MS_TRY(share, run.tensor("mul", {kept, -job.smoothing / static_cast<double>(input.size(1))}));
    MS_TRY(rest, run.tensor("mul", {losses, 1 - job.smoothing}));
    return run.tensor("add", {rest, share});
}

Result<Value> by_steps(const Job& given, Run& run) {
    Job job = given;
    const bool has_batch = job.input->tensor.rank() > 1;
    if (!has_batch) {
        MS_TRY(input, run.tensor("unsqueeze", {job.input, 0}));
        MS_TRY(target, run.tensor("reshape", {job.target, make_list({1})}));
        job.input = input;
        job.target = target;
    }
    MS_TRY(ignored, run.tensor("eq", {job.target, job.ignore_index}));
    if (job.target->tensor.has_data())
        MS_CHECK(check_targets(job.target->tensor, job.input->tensor.size(1), job.ignore_index));
    MS_TRY(log_probabilities,
           job.from_logits ? run.tensor("log_softmax", {job.input, 1}) : Result<VariablePtr>(job.input));
    MS_TRY(whole, run.tensor("to", {job.target, DType::i64}));
    MS_TRY(classes, run.tensor("masked_fill", {whole, ignored, 0}));
    MS_TRY(index, run.tensor("unsqueeze", {classes, 1}));
    MS_TRY(picked, run.tensor("gather", {log_probabilities, 1, index}));
    MS_TRY(chosen, run.tensor("squeeze", {picked, 1}));
    MS_TRY(weights, target_weights(job, classes, ignored, run));
    // An infinite loss of an ignored place must not meet its weight of 0.
    MS_TRY(kept, run.tensor("masked_fill", {chosen, ignored, 0.0}));
    MS_TRY(product, run.tensor("mul", {kept, weights}));
    MS_TRY(losses, run.tensor("neg", {product}));
    if (job.smoothing > 0) {
        MS_TRY(mixed, smoothed(job, log_probabilities, losses, ignored, run));
        losses = mixed;
    }
    if (job.reduction == Reduction::none && !has_batch) {
        MS_TRY(one, run.tensor("squeeze", {losses, 0}));
        return Value(one);
    }
    if (job.reduction != Reduction::mean) return reduced(losses, job.reduction, run);
    MS_TRY(sum, run.tensor("sum", {losses}));
    MS_TRY(total, run.tensor("sum", {weights}));
    MS_TRY(mean, run.tensor("div", {sum, total}));
    return Value(mean);
}

Result<Value> class_loss(const Job& job, Run& run) {
    const bool weight_learns = !job.weight.is_none() && job.weight.tensor()->requires_grad;
    if (run.grad_enabled && (job.input->requires_grad || weight_learns)) {
        const Tensor* weight = job.weight.is_none() ? nullptr : &job.weight.tensor()->tensor;
        MS_CHECK(check_class_loss(job.input->tensor, job.target->tensor, weight, job.from_logits));
        return by_steps(job, run);
    }
    MS_TRY(out, run.tensor("_class_loss", {job.input, job.target, job.weight, job.ignore_index, job.smoothing,
                                           static_cast<std::int64_t>(job.reduction), job.from_logits}));
    return Value(out);
}

Result<Value> nll_loss(const Args& args, Run& run) {
    Job job;
    job.input = args.variable(kInput);
    job.target = args.variable(kTarget);
    job.weight = args[kWeight];
    job.ignore_index = args.integer(kIgnore);
    job.from_logits = false;
    MS_TRY(reduction, reduction_of(args, {kSizeAverage, kReduce, kReduction}, run));
    job.reduction = reduction;
    return class_loss(job, run);
}

// The target says how likely every class is.
Result<Value> of_probabilities(const Args& args, Reduction reduction, Run& run) {
    const Tensor& input = args.tensor(kInput);
    const int dim = input.rank() <= 1 ? 0 : 1;
    const std::int64_t classes = input.rank() == 0 ? 1 : input.size(dim);
    const DType dtype = args.tensor(kTarget).dtype();
    if (!is_floating(dtype))
        return runtime_error("Expected floating point type for target with class probabilities, got {}",
                             scalar_type_name(dtype));
    if (args.integer(kIgnore) >= 0) return runtime_error("ignore_index is not supported for floating point target");
    MS_CHECK(check_class_weight(args.given(kWeight) ? &args.tensor(kWeight) : nullptr, classes, "cross_entropy: "));
    MS_TRY(log_probabilities, run.tensor("log_softmax", {args[kInput], dim}));
    VariablePtr target = args.variable(kTarget);
    if (const double smoothing = args.number(kSmoothing); smoothing > 0) {
        MS_TRY(less, run.tensor("mul", {target, 1 - smoothing}));
        MS_TRY(mixed, run.tensor("add", {less, smoothing / static_cast<double>(classes)}));
        target = mixed;
    }
    MS_TRY(products, run.tensor("mul", {log_probabilities, target}));
    if (args.given(kWeight)) {
        std::vector<Value> sizes(static_cast<std::size_t>(input.rank()), 1);
        sizes[static_cast<std::size_t>(dim)] = -1;
        MS_TRY(weight, run.tensor("view", {args[kWeight], make_list(sizes)}));
        MS_TRY(weighted, run.tensor("mul", {products, weight}));
        products = weighted;
    }
    MS_TRY(sum, reduction == Reduction::none ? run.tensor("sum", {products, dim}) : run.tensor("sum", {products}));
    MS_TRY(losses, run.tensor("neg", {sum}));
    if (reduction != Reduction::mean) return Value(losses);
    const double places = static_cast<double>(input.numel()) / static_cast<double>(classes);
    MS_TRY(mean, run.tensor("div", {losses, places}));
    return Value(mean);
}

Result<Value> cross_entropy(const Args& args, Run& run) {
    MS_TRY(reduction, reduction_of(args, {kSizeAverage, kReduce, kReduction}, run));
    if (args.number(kSmoothing) > 1)
        return runtime_error("label_smoothing must be between 0.0 and 1.0. Got: {}", args.number(kSmoothing));
    if (args.tensor(kInput).shape() == args.tensor(kTarget).shape()) return of_probabilities(args, reduction, run);
    Job job;
    job.input = args.variable(kInput);
    job.target = args.variable(kTarget);
    job.weight = args[kWeight];
    job.ignore_index = args.integer(kIgnore);
    job.smoothing = args.number(kSmoothing);
    job.reduction = reduction;
    return class_loss(job, run);
}

}  // namespace

void add_class_losses(OpTable& table) {
    table.add(
        {"nll_loss",
         "Minus the log-probability of the right class, from log_softmax. Targets equal to ignore_index do not count, "
         "also not in the mean; when all are ignored the mean is NaN.",
         {composed("(Tensor input, Tensor target, Tensor? weight=None, Any size_average=None, int ignore_index=-100, "
                   "Any reduce=None, Any reduction='mean')",
                   kFunctional, nll_loss, kPythonDefined)},
         {"F.nll_loss(x.log_softmax(-1), i[:, 0])"}});
    table.add(
        {"cross_entropy",
         "log_softmax over the classes (dim 1) and nll_loss in one. Targets equal to ignore_index (padding) do not "
         "count, also not in the mean, which is NaN when all are ignored. A float target of the input's shape holds "
         "probabilities of all classes.",
         {composed("(Tensor input, Tensor target, Tensor? weight=None, Any size_average=None, int ignore_index=-100, "
                   "Any reduce=None, Any reduction='mean', float label_smoothing=0.0)",
                   kFunctional, cross_entropy, kPythonDefined)},
         {"F.cross_entropy(x, i[:, 0])", "F.cross_entropy(x, i[:, 0], ignore_index=0, reduction='none')",
          "F.cross_entropy(x, y.softmax(-1))"}});
    table.add({"_class_loss",
               "The one kernel behind nll_loss and cross_entropy with class indices.",
               {computed("(Tensor input, Tensor target, Tensor? weight, int ignore_index, float label_smoothing, int "
                         "reduction, bool from_logits)",
                         kInternal, shape, kernel, 0, flops)},
               {}});
}

}  // namespace maskscope::ops
