// SPDX-License-Identifier: Apache-2.0
// Conversions of dtype, and of device by name.
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"

#include <array>

namespace maskscope::ops {
using namespace create;
namespace {

// (Tensor input, ScalarType dtype, MemoryFormat? memory_format)
Result<Outputs> converted_shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    MS_TRY(strides, strides_like(input, args[2]));
    return Outputs{{input.shape(), *args.dtype(1), strides}};
}

Result<void> convert(const Args& args, std::span<Tensor> outputs, Run& /*run*/) {
    copy_elements(args.tensor(0), outputs[0]);
    return {};
}

struct Wanted {
    DType dtype = DType::f32;
    bool copy = false;
    Value memory_format;
};

// The tensor itself where nothing changes.
Result<Value> converted(const Args& args, const Wanted& wanted, Run& run) {
    if (wanted.dtype == args.tensor(0).dtype() && !wanted.copy) return args[0];
    MS_TRY(made, make_by(run, "to", {args[0], wanted.dtype, wanted.memory_format}));
    return Value(made);
}

// (Tensor input, Device? device, ScalarType? dtype, bool non_blocking, bool copy, *, memory_format)
Result<Value> to_device(const Args& args, Run& run) {
    MS_CHECK(note_device(args[1], run));
    return converted(args, {args.dtype(2).value_or(args.tensor(0).dtype()), args.flag(4), args[5]}, run);
}

// (Tensor input, ScalarType dtype, bool non_blocking, bool copy, *, memory_format)
Result<Value> to_dtype(const Args& args, Run& run) {
    return converted(args, {*args.dtype(1), args.flag(3), args[4]}, run);
}

// (Tensor input, Tensor tensor, bool non_blocking, bool copy, *, memory_format)
Result<Value> to_other(const Args& args, Run& run) {
    return converted(args, {args.tensor(1).dtype(), args.flag(3), args[4]}, run);
}

template <DType kDType>
Result<Value> to_fixed(const Args& args, Run& run) {
    return converted(args, {kDType, false, args[1]}, run);
}

std::string tensor_type_name(DType dtype) {
    return fmt::format("torch.{}Tensor", scalar_type_name(dtype));
}

std::optional<DType> dtype_of_tensor_type(const std::string& name) {
    for (int i = 0; i < kDTypeCount; ++i)
        if (tensor_type_name(static_cast<DType>(i)) == name) return static_cast<DType>(i);
    return std::nullopt;
}

// (Tensor input, Any dtype, bool non_blocking)
Result<Value> type(const Args& args, Run& run) {
    const Value& wanted = args[1];
    if (wanted.is_none()) return Value(tensor_type_name(args.tensor(0).dtype()));
    if (const auto* dtype = wanted.get_if<DType>()) return converted(args, {*dtype, false, {}}, run);
    if (const auto* object = wanted.get_if<std::shared_ptr<Object>>()) {
        if (const auto dtype = (*object)->as_dtype()) return value_error("invalid type: '{}'", name_of(*dtype));
        // torch.FloatTensor, the class.
        const std::string name((*object)->type_name());
        const auto dtype = dtype_of_tensor_type(name.starts_with("torch.") ? name : "torch." + name);
        if (dtype) return converted(args, {*dtype, false, {}}, run);
    }
    const auto* text = wanted.get_if<std::string>();
    if (text == nullptr) return type_error("dtype must be a type, str, or dtype object");
    std::string name = *text;
    if (name.starts_with("torch.cuda.")) {
        MS_CHECK(note_device(Device{"cuda"}, run));
        name.erase(6, 5);
    }
    const auto dtype = dtype_of_tensor_type(name);
    if (!dtype) return value_error("invalid type: '{}'", *text);
    return converted(args, {*dtype, false, {}}, run);
}

Result<Value> type_as(const Args& args, Run& run) {
    return converted(args, {args.tensor(1).dtype(), false, {}}, run);
}

Result<Value> cpu(const Args& args, Run& /*run*/) {
    return args[0];
}

Result<Value> cuda(const Args& args, Run& run) {
    MS_CHECK(note_device(args.given(1) ? args[1] : Value(Device{"cuda"}), run));
    return args[0];
}

// (Tensor input, *, bool force)
Result<Value> numpy(const Args& args, Run& run) {
    const auto& input = args.variable(0);
    const DType dtype = input->tensor.dtype();
    if (input->requires_grad && !args.flag(1))
        return runtime_error("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.");
    if (dtype == DType::bf16 || dtype == DType::f8_e4m3 || dtype == DType::f8_e5m2)
        return type_error("Got unsupported ScalarType {}", scalar_type_name(dtype));
    return input->requires_grad ? run.call("detach", {args[0]}) : Result<Value>(args[0]);
}

struct Fixed {
    std::string_view name;
    std::string_view meaning;
    Composite composite;
    std::string_view sample;
};

constexpr std::array<Fixed, 10> kFixed = {{
    {"float", "As float32; the tensor itself when it is that already.", to_fixed<DType::f32>, "m.float()"},
    {"double", "As float64; the tensor itself when it is that already.", to_fixed<DType::f64>, "x.double()"},
    {"half", "As float16: 11 bits of precision, nothing above 65504.", to_fixed<DType::f16>, "x.half()"},
    {"bfloat16", "As bfloat16: the range of float32 with 8 bits of precision.", to_fixed<DType::bf16>, "x.bfloat16()"},
    {"long", "As int64; floats are cut toward zero.", to_fixed<DType::i64>, "x.long()"},
    {"int", "As int32; floats are cut toward zero, wider integers wrap.", to_fixed<DType::i32>, "x.int()"},
    {"short", "As int16; floats are cut toward zero, wider integers wrap.", to_fixed<DType::i16>, "x.short()"},
    {"char", "As int8; floats are cut toward zero, wider integers wrap.", to_fixed<DType::i8>, "x.char()"},
    {"byte", "As uint8; floats are cut toward zero, wider integers wrap.", to_fixed<DType::u8>, "m.byte()"},
    {"bool", "True where an element is not zero; NaN counts as True.", to_fixed<DType::boolean>, "x.bool()"},
}};

}  // namespace

void add_to(OpTable& table) {
    table.add(
        {"to",
         "The tensor in another dtype; itself, not a copy, when nothing changes. Floats become integers by cutting "
         "toward zero. A device is accepted as a name: the CPU computes.",
         {computed("(Tensor input, ScalarType dtype, MemoryFormat? memory_format=None)", kInternal, converted_shape,
                   convert, kElementwise),
          composed("(Tensor input, Device? device=None, ScalarType? dtype=None, bool non_blocking=False, bool "
                   "copy=False, *, MemoryFormat? memory_format=None)",
                   kMethod, to_device),
          composed("(Tensor input, ScalarType dtype, bool non_blocking=False, bool copy=False, *, MemoryFormat? "
                   "memory_format=None)",
                   kMethod, to_dtype),
          composed("(Tensor input, Tensor tensor, bool non_blocking=False, bool copy=False, *, MemoryFormat? "
                   "memory_format=None)",
                   kMethod, to_other)},
         {"x.to(torch.float16)", "m.to(x)", "x.to('cpu')", "i.to(device='cpu', dtype=torch.float32)"}});
    for (const auto& fixed : kFixed)
        table.add({fixed.name,
                   fixed.meaning,
                   {composed("(Tensor input, *, MemoryFormat? memory_format=None)", kMethod, fixed.composite)},
                   {fixed.sample}});
    table.add(
        {"type",
         "With a dtype, or its old name such as 'torch.LongTensor', the tensor in it; without one the old name of "
         "the tensor's own dtype.",
         {composed("(Tensor input, Any dtype=None, bool non_blocking=False)", kMethod, type)},
         {"x.type(torch.float64)", "m.type('torch.FloatTensor')", "x.type()"}});
    table.add({"type_as",
               "The tensor in the dtype of another one.",
               {composed("(Tensor input, Tensor other)", kMethod, type_as)},
               {"m.type_as(x)"}});
    table.add({"cpu",
               "The tensor itself: everything here lies in the memory of the CPU.",
               {composed("(Tensor input, *, MemoryFormat? memory_format=None)", kMethod, cpu)},
               {"x.cpu()"}});
    table.add({"cuda",
               "The tensor itself: a device is only a name here. In PyTorch it is a copy on the GPU.",
               {composed("(Tensor input, Device? device=None, bool non_blocking=False, *, MemoryFormat? "
                         "memory_format=None)",
                         kMethod, cuda)},
               {"x.cuda()"}});
    table.add({"numpy",
               "The tensor itself: arrays and tensors are one thing here. Refused, as in PyTorch, for what requires a "
               "gradient and for bfloat16.",
               {composed("(Tensor input, *, bool force=False)", kMethod, numpy)},
               {"x.numpy()"}});
}

}  // namespace maskscope::ops
