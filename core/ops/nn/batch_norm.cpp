// SPDX-License-Identifier: Apache-2.0
// batch_norm and group_norm: channels (dim 1) by statistics over places and, for batch_norm, over the batch.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/nn/reduction.h"

namespace maskscope::ops {
namespace {

// In the order of F.batch_norm.
struct Batch {
    VariablePtr input;
    Value mean;
    Value variance;
    Value weight;
    Value bias;
    bool is_training = false;
    double momentum = 0.1;
    double eps = 1e-5;
};

bool is_computed(DType dtype) {
    return is_floating(dtype) && size_of(dtype) > 1;
}

Result<void> check_channels(const Batch& batch) {
    const Tensor& input = batch.input->tensor;
    const std::int64_t channels = input.rank() < 2 ? 0 : input.size(1);
    const std::pair<const Value*, const char*> parameters[] = {{&batch.mean, "running_mean"},
                                                               {&batch.variance, "running_var"},
                                                               {&batch.weight, "weight"},
                                                               {&batch.bias, "bias"}};
    for (const auto& [value, name] : parameters) {
        const bool is_running = value == &batch.mean || value == &batch.variance;
        if (value->is_none()) {
            if (is_running && !batch.is_training) return runtime_error("{} must be defined in evaluation mode", name);
            continue;
        }
        if (value->tensor()->tensor.numel() != channels)
            return runtime_error("{} should contain {} elements not {}", name, channels,
                                 value->tensor()->tensor.numel());
    }
    if (!is_computed(input.dtype())) return not_implemented_for("batch_norm", input.dtype());
    for (const auto& [value, name] : parameters) {
        if (value->is_none()) continue;
        const DType dtype = value->tensor()->tensor.dtype();
        if (dtype != input.dtype() && !(dtype == DType::f32 && size_of(input.dtype()) == 2))
            return runtime_error("mixed dtype (CPU): expect parameter to have scalar type of Float");
    }
    return {};
}

// [C] as [1, C, 1, ...].
Result<VariablePtr> over_channels(const Value& parameter, int rank, Run& run) {
    if (rank < 2) return dimension_out_of_range(rank, 1);
    std::vector<Value> sizes(static_cast<std::size_t>(rank), 1);
    sizes[1] = -1;
    return run.tensor("reshape", {parameter, make_list(std::move(sizes))});
}

Result<VariablePtr> scaled(const VariablePtr& input, const Value& weight, const Value& bias, Run& run) {
    VariablePtr out = input;
    const int rank = input->tensor.rank();
    if (!weight.is_none()) {
        MS_TRY(factor, over_channels(weight, rank, run));
        MS_TRY(product, run.tensor("mul", {out, factor}));
        out = product;
    }
    if (bias.is_none()) return out;
    MS_TRY(term, over_channels(bias, rank, run));
    return run.tensor("add", {out, term});
}

// running = (1 - momentum) * running + momentum * seen
Result<void> update(const Value& running, const VariablePtr& seen, double momentum, Run& run) {
    if (running.is_none()) return {};
    MS_TRY(shrunk, run.in_place("mul", {running, 1 - momentum}));
    MS_TRY(plain, run.tensor("detach", {seen}));
    MS_TRY(share, run.tensor("mul", {plain, momentum}));
    MS_TRY(moved, run.in_place("add", {shrunk, share}));
    static_cast<void>(moved);
    return {};
}

Result<VariablePtr> wide(const Value& tensor, Run& run) {
    if (size_of(tensor.tensor()->tensor.dtype()) > 2) return tensor.tensor();
    return run.tensor("to", {tensor, DType::f32});
}

Result<Value> normalized(const Batch& batch, const VariablePtr& mean, const VariablePtr& variance, Run& run) {
    const int rank = batch.input->tensor.rank();
    MS_TRY(contiguous, run.tensor("contiguous", {batch.input}));
    MS_TRY(input, wide(contiguous, run));
    MS_TRY(centre, over_channels(mean, rank, run));
    MS_TRY(centred, run.tensor("sub", {input, centre}));
    MS_TRY(shifted, run.tensor("add", {variance, batch.eps}));
    MS_TRY(scale, run.tensor("rsqrt", {shifted}));
    MS_TRY(factor, over_channels(scale, rank, run));
    MS_TRY(product, run.tensor("mul", {centred, factor}));
    MS_TRY(out, scaled(product, batch.weight, batch.bias, run));
    MS_TRY(rounded, run.tensor("to", {out, batch.input->tensor.dtype()}));
    return Value(rounded);
}

Result<Value> train(const Batch& batch, Run& run) {
    MS_TRY(input, wide(batch.input, run));
    std::vector<Value> dims;
    for (int i = 0; i < input->tensor.rank(); ++i)
        if (i != 1) dims.emplace_back(i);
    MS_TRY(mean, run.tensor("mean", {input, make_list(dims)}));
    MS_TRY(variance, run.tensor("var", {input, make_list(dims)}, {{"correction", 0}}));
    if (batch.input->tensor.numel() > 0) {
        MS_TRY(unbiased, run.tensor("var", {input, make_list(dims)}));
        MS_CHECK(update(batch.mean, mean, batch.momentum, run));
        MS_CHECK(update(batch.variance, unbiased, batch.momentum, run));
    }
    return normalized(batch, mean, variance, run);
}

Result<Value> batch_norm(const Batch& batch, Run& run) {
    MS_CHECK(check_channels(batch));
    if (batch.is_training) return train(batch, run);
    MS_TRY(mean, wide(batch.mean, run));
    MS_TRY(variance, wide(batch.variance, run));
    return normalized(batch, mean, variance, run);
}

// A single value has no variance.
Result<void> check_several(const Shape& shape, std::int64_t channels, const std::string& size) {
    if (shape.rank() < 2 || channels == 0) return {};
    if (element_count(shape).value_or(0) != channels) return {};
    return value_error("Expected more than 1 value per channel when training, got input size {}", size);
}

Result<Value> functional_batch_norm(const Args& args, Run& run) {
    const Batch batch{args.variable(0), args[1],      args[2],        args[3],
                      args[4],          args.flag(5), args.number(6), args.number(7)};
    const Shape& shape = batch.input->tensor.shape();
    if (batch.is_training && shape.rank() >= 2) MS_CHECK(check_several(shape, shape[1], size_text(shape)));
    return batch_norm(batch, run);
}

// torch.batch_norm: (input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled)
Result<Value> function_batch_norm(const Args& args, Run& run) {
    return batch_norm(
        {args.variable(0), args[3], args[4], args[1], args[2], args.flag(5), args.number(6), args.number(7)}, run);
}

// --- group_norm: (input, num_groups, weight, bias, eps) ---

Result<void> check_groups(const Args& args) {
    const Tensor& input = args.tensor(0);
    const std::int64_t groups = args.integer(1);
    if (groups <= 0) return runtime_error("Expected num groups to be greater than 0, got {}", groups);
    if (input.size(1) % groups != 0)
        return runtime_error(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape {} and "
            "num_groups={}",
            text_of(input.shape()), groups);
    for (const int place : {2, 3}) {
        const char* name = place == 2 ? "weight" : "bias";
        if (!args.given(place)) continue;
        const Tensor& parameter = args.tensor(place);
        if (parameter.rank() != 1 || parameter.numel() != input.size(1))
            return runtime_error(
                "Expected {} to be a vector of size equal to the number of channels in input, but got {} of shape {} "
                "and "
                "input of shape {}",
                name, name, text_of(parameter.shape()), text_of(input.shape()));
    }
    if (!is_computed(input.dtype())) return not_implemented_for("GroupNormKernelImpl", input.dtype());
    for (const int place : {2, 3}) {
        if (!args.given(place)) continue;
        const DType dtype = args.tensor(place).dtype();
        if (dtype != input.dtype() && !(dtype == DType::f32 && size_of(input.dtype()) == 2))
            return runtime_error("mixed dtype (CPU): expect parameter to have scalar type of Float");
    }
    return {};
}

Result<Value> group_norm(const Args& args, Run& run) {
    const Tensor& input = args.tensor(0);
    if (input.rank() < 2)
        return runtime_error("Expected at least 2 dimensions for input tensor but received {}", input.rank());
    const std::int64_t groups = args.integer(1);
    if (groups == 0) return torch_error("ZeroDivisionError", "integer division or modulo by zero");
    if (args.form() == Form::functional && input.size(1) > 0 && input.numel() == input.size(0) * groups &&
        input.size(0) == 1)
        return value_error("Expected more than 1 value per channel when training, got input size {}",
                           text_of(input.shape()));
    MS_CHECK(check_groups(args));
    if (input.rank() > 2 && input.numel() == 0 && input.size(0) > 0) {
        std::int64_t places = 1;
        for (int i = 2; i < input.rank(); ++i) places *= input.size(i);
        return runtime_error("Expected HxW to be greater than 0, got {}", places);
    }
    const std::int64_t rows = input.size(0) * groups;
    const std::int64_t width = rows == 0 ? 1 : input.numel() / rows;
    MS_TRY(flat, run.tensor("reshape", {args[0], make_list({rows, width})}));
    MS_TRY(even, run.tensor("layer_norm", {flat, make_list({width})}, {{"eps", args[4]}}));
    MS_TRY(shaped, run.tensor("view_as", {even, args[0]}));
    shaped->base = nullptr;  // nobody else sees the flat one
    MS_TRY(out, scaled(shaped, args[2], args[3], run));
    MS_TRY(rounded, run.tensor("to", {out, input.dtype()}));
    return Value(rounded);
}

}  // namespace

void add_batch_norm(OpTable& table) {
    table.add(
        {"batch_norm",
         "Each channel minus a mean, divided by a standard deviation: the running ones, or with training=True those of "
         "this batch, which also move the running ones in place. Padded places take part in them.",
         {composed("(Tensor input, Tensor? running_mean, Tensor? running_var, Tensor? weight=None, Tensor? bias=None, "
                   "bool training=False, float momentum=0.1, float eps=1e-05)",
                   kFunctional, functional_batch_norm, kPythonDefined),
          composed("(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool "
                   "training, float momentum, float eps, bool cudnn_enabled)",
                   kFunction, function_batch_norm)},
         {"F.batch_norm(x, r, r.abs())", "F.batch_norm(x, None, None, training=True)",
          "torch.batch_norm(x, None, None, r, r.abs(), False, 0.1, 1e-5, False)"}});
    table.add({"group_norm",
               "The channels of each sample in groups, each group by its own mean and standard deviation.",
               {composed("(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05)",
                         kFunctional, group_norm, kPythonDefined),
                composed("(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool "
                         "cudnn_enabled=True)",
                         kFunction, group_norm)},
               {"F.group_norm(x, 2)", "torch.group_norm(x, 2, r, r)"}});
}

}  // namespace maskscope::ops
