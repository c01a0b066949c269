// SPDX-License-Identifier: Apache-2.0
// Tensors from Python's lists and numbers.
#include "core/ops/create/factory.h"
#include "core/ops/create/nested.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"

namespace maskscope::ops {
using namespace create;
namespace {

// What tensor(), as_tensor() and new_tensor() make of `data` that is no tensor.
Result<VariablePtr> from_list(const Value& data, std::optional<DType> dtype, Run& run) {
    if (data.get_if<std::string>() != nullptr) return type_error("new(): invalid data type 'str'");
    MS_TRY(shape, nested_shape(data));
    if (!dtype) {
        MS_TRY(inferred, nested_dtype(data, run.default_dtype));
        dtype = inferred;
    }
    if (!nested_has_data(data)) return needs_data("a list of tensors");
    MS_TRY(made, run.allocate(shape, *dtype));
    MS_CHECK(store_nested(data, made));
    return run.wrap(std::move(made));
}

// A copy that has no history.
Result<VariablePtr> from_tensor(const VariablePtr& data, DType dtype, Run& run) {
    return make_by(run, "to", {run.wrap(data->tensor), dtype, Value()});
}

// (Any data, *, dtype, device, requires_grad, pin_memory): the keywords' order is not that of the other factories.
Result<Factory> keywords(const Args& args, int first, DType dtype, Run& run) {
    MS_CHECK(note_device(args[first + 1], run));
    Factory factory{dtype, args.flag(first + 2)};
    if (factory.requires_grad && !is_floating(dtype))
        return runtime_error("Only Tensors of floating point and complex dtype can require gradients");
    return factory;
}

Result<Value> made_of(const Args& args, int data, std::optional<DType> dtype, std::string_view call, Run& run) {
    if (args[data].is_tensor()) {
        run.note(fmt::format("PyTorch warns: to copy a tensor use sourceTensor.detach().clone(), not {}(sourceTensor)",
                             call));
        MS_TRY(factory, keywords(args, data + 1, dtype.value_or(args.tensor(data).dtype()), run));
        MS_TRY(made, from_tensor(args.variable(data), factory.dtype, run));
        return finished(std::move(made), factory);
    }
    MS_TRY(made, from_list(args[data], dtype, run));
    MS_TRY(factory, keywords(args, data + 1, made->tensor.dtype(), run));
    return finished(std::move(made), factory);
}

Result<Value> tensor(const Args& args, Run& run) {
    return made_of(args, 0, args.dtype(1), "torch.tensor", run);
}

Result<Value> new_tensor(const Args& args, Run& run) {
    return made_of(args, 1, args.dtype(2).value_or(args.tensor(0).dtype()), "tensor.new_tensor", run);
}

// (Any data, *, dtype, device)
Result<Value> as_tensor(const Args& args, Run& run) {
    MS_CHECK(note_device(args[2], run));
    if (args[0].is_tensor()) {
        if (args.dtype(1).value_or(args.tensor(0).dtype()) == args.tensor(0).dtype()) return args[0];
        MS_TRY(made, make_by(run, "to", {args[0], *args.dtype(1), Value()}));
        return Value(made);
    }
    MS_TRY(made, from_list(args[0], args.dtype(1), run));
    return Value(made);
}

// The tensor itself where it may be, None standing for "as it is" in every keyword.
// (Any obj, *, dtype, device, bool? copy, bool? requires_grad)
Result<Value> asarray(const Args& args, Run& run) {
    MS_CHECK(note_device(args[2], run));
    const bool may_alias = !args.given(3) || !args.flag(3);
    const bool must_alias = args.given(3) && !args.flag(3);
    Value result = args[0];
    if (!args[0].is_tensor()) {
        if (must_alias) return value_error("can't alias arbitrary sequence into a tensor.");
        MS_TRY(made, from_list(args[0], args.dtype(1), run));
        result = made;
    } else {
        const DType from = args.tensor(0).dtype();
        const DType to = args.dtype(1).value_or(from);
        if (must_alias && from != to)
            return value_error("can't alias tensor with dtype '{}' into dtype '{}'.", scalar_type_name(from),
                               scalar_type_name(to));
        if (!may_alias || from != to) {
            MS_TRY(made, make_by(run, "to", {args[0], to, Value()}));
            result = made;
        }
    }
    if (!args.given(4)) return result;
    const bool wanted = args.flag(4);
    if (!wanted && result.tensor()->requires_grad) return run.call("detach", {result});
    if (wanted && !is_floating(result.tensor()->tensor.dtype()))
        return runtime_error("Only Tensors of floating point and complex dtype can require gradients");
    result.tensor()->requires_grad = wanted;
    return result;
}

// Arrays and tensors are one thing here.
Result<Value> from_numpy(const Args& args, Run& /*run*/) {
    if (!args[0].is_tensor()) return type_error("expected np.ndarray (got {})", type_name(args[0]));
    return args[0];
}

Result<Value> complex(const Args& /*args*/, Run& /*run*/) {
    return not_in_scripts(MS_TEXT(
        "complex numbers are not part of the mask script: keep the real and the imaginary part as two tensors"));
}

}  // namespace

void add_tensor(OpTable& table) {
    table.add(
        {"tensor",
         "A new tensor from a number or from nested lists: True and False give bool, whole numbers int64, and one "
         "float among them float32. Lists of different lengths are refused.",
         {composed("(Any data, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False, bool "
                   "pin_memory=False)",
                   kFunction, tensor)},
         {"torch.tensor([[1, 2], [3, 4]])", "torch.tensor(0.5)", "torch.tensor([True, False])",
          "torch.tensor([1, 2], dtype=torch.float16)"}});
    table.add({"new_tensor",
               "As torch.tensor, with the dtype of this tensor: numbers are converted to it, not promoted.",
               {composed("(Tensor input, Any data, *, ScalarType? dtype=None, Device? device=None, bool "
                         "requires_grad=False, bool pin_memory=False)",
                         kMethod, new_tensor)},
               {"x.new_tensor([1, 2])"}});
    table.add({"as_tensor",
               "The tensor itself, or converted when its dtype differs; lists as in torch.tensor.",
               {composed("(Any data, *, ScalarType? dtype=None, Device? device=None)", kFunction, as_tensor)},
               {"torch.as_tensor([1.0, 2.0])", "torch.as_tensor(x)"}});
    table.add(
        {"asarray",
         "The tensor itself where nothing is to be changed, a converted copy where the dtype differs; lists as in "
         "torch.tensor.",
         {composed("(Any obj, *, ScalarType? dtype=None, Device? device=None, bool? copy=None, bool? "
                   "requires_grad=None)",
                   kFunction, asarray)},
         {"torch.asarray([1, 2])", "torch.asarray(x, dtype=torch.float64)"}});
    table.add({"from_numpy",
               "The array itself: arrays and tensors are one thing here.",
               {composed("(Any ndarray)", kFunction, from_numpy)},
               {"torch.from_numpy(x.numpy())"}});
    table.add({"complex",
               "Refused: complex numbers are not part of the mask script.",
               {composed("(Tensor real, Tensor imag, *, Tensor? out=None)", kFunction, complex)},
               {}});
}

}  // namespace maskscope::ops
