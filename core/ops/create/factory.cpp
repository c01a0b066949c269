// SPDX-License-Identifier: Apache-2.0
#include "core/ops/create/factory.h"

#include "core/base/checked.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/iteration.h"

#include <algorithm>
#include <array>

namespace maskscope::ops::create {
namespace {

constexpr std::array<std::string_view, 19> kDeviceTypes = {
    "cpu",  "cuda", "ipu", "xpu",  "mkldnn", "opengl", "opencl", "ideep", "hip", "ve",
    "fpga", "maia", "xla", "lazy", "vulkan", "mps",    "meta",   "hpu",   "mtia"};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// "cuda:1" is "cuda" and a number without leading zeros.
bool is_device_string(std::string_view type, std::string_view text) {
    const std::string_view rest = text.substr(type.size());
    if (type.empty()) return false;
    if (rest.empty()) return true;
    const std::string_view number = rest.substr(1);
    const bool digits = std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
    return rest.front() == ':' && !number.empty() && digits && (number.size() == 1 || number.front() != '0');
}

Result<void> refuse_device(std::string_view text) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_letter);
    const std::string_view type = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    if (!is_device_string(type, text)) return runtime_error("Invalid device string: '{}'", text);
    if (std::find(kDeviceTypes.begin(), kDeviceTypes.end(), type) != kDeviceTypes.end() || type == "privateuseone")
        return {};
    std::string known;
    for (const auto name : kDeviceTypes) known += std::string(name) + ", ";
    return runtime_error("Expected one of {}privateuseone device type at start of device string: {}", known, type);
}

enum class Order { preserved, row_major, channels_last };

// A memory format comes as its name, "torch.contiguous_format", or as an object of that name.
Order order_of(const Value& format, Order fallback) {
    std::string_view name;
    if (const auto* text = format.get_if<std::string>()) name = *text;
    if (const auto* object = format.get_if<std::shared_ptr<Object>>()) name = (*object)->type_name();
    if (name.ends_with("contiguous_format")) return Order::row_major;
    if (name.ends_with("channels_last")) return Order::channels_last;
    return name.ends_with("preserve_format") ? Order::preserved : fallback;
}

Result<Strides> channels_last_strides(const Shape& shape) {
    if (shape.rank() != 4) return runtime_error("required rank 4 tensor to use channels_last format");
    Strides strides = Dims::filled(4, 1);
    std::int64_t stride = 1;
    for (const int dim : {1, 3, 2, 0}) {
        strides[dim] = stride;
        stride *= std::max<std::int64_t>(shape[dim], 1);
    }
    return strides;
}

}  // namespace

Error not_in_scripts(std::string pattern) {
    Error error = input_error(std::move(pattern));
    error.type = "NotImplementedError";
    return error;
}

Result<Factory> factory_of(const Args& args, int first, DType fallback, Run& run) {
    Factory out{args.dtype(first).value_or(fallback), args.flag(first + 4)};
    MS_CHECK(note_device(args[first + 2], run));
    if (out.requires_grad && !is_floating(out.dtype))
        return runtime_error("Only Tensors of floating point and complex dtype can require gradients");
    return out;
}

Result<void> refuse_generator(const Args& args, int index) {
    if (!args.given(index)) return {};
    return not_in_scripts(
        MS_TEXT("generator= is not part of the mask script: torch.manual_seed(n) seeds the one that all draws use"));
}

Result<void> note_device(const Value& device, Run& run) {
    std::string name;
    if (const auto* known = device.get_if<Device>()) name = known->name;
    if (const auto* text = device.get_if<std::string>()) name = *text;
    if (const auto* number = device.get_if<std::int64_t>()) name = fmt::format("cuda:{}", *number);
    if (name.empty()) {
        if (device.is_none()) return {};
        return runtime_error("Device string must not be empty");
    }
    MS_CHECK(refuse_device(name));
    if (!name.starts_with("cpu") && run.settings().backend == nullptr)
        run.note(fmt::format("device {} is only a name here: the CPU computes", name));
    return {};
}

Result<Shape> new_shape(std::span<const std::int64_t> sizes) {
    std::string text;
    for (const auto size : sizes) text += fmt::format("{}{}", text.empty() ? "" : ", ", size);
    for (const auto size : sizes)
        if (size < 0) return runtime_error("Trying to create tensor with negative dimension {}: [{}]", size, text);
    if (sizes.size() > static_cast<std::size_t>(kMaxRank))
        return not_in_scripts(MS_TEXT("a tensor of more than 12 dimensions is not part of the mask script"));
    Shape shape(sizes);
    const auto count = element_count(shape);
    // The widest element has 8 bytes.
    if (!count || !checked_mul<std::int64_t>(*count, 8))
        return runtime_error("Storage size calculation overflowed with sizes=[{}]", text);
    return shape;
}

Result<VariablePtr> make_by(Run& run, std::string_view op, std::initializer_list<Value> arguments) {
    const OpSpec* spec = run.table().find(op, Form::internal);
    if (spec == nullptr) return usage_error("there is no internal op \"{}\"", op);
    MS_TRY(value, run.call(*spec, Form::internal, std::span(arguments.begin(), arguments.size())));
    return value.tensor();
}

Outputs new_outputs(const Args& args) {
    OutSpec out{args.dims(0), *args.dtype(2), std::nullopt};
    if (args.given(1)) out.strides = args.dims(1);
    return {out};
}

Result<VariablePtr> make_filled(Run& run, const Shape& shape, const Value& value, DType dtype, const Strides* strides) {
    return make_by(run, "full", {value_of(shape), value_of(strides), dtype, value});
}

Value finished(VariablePtr made, const Factory& factory) {
    if (factory.requires_grad) made->requires_grad = true;
    return made;
}

Result<Strides> strides_like(const Tensor& tensor, const Value& memory_format) {
    switch (order_of(memory_format, Order::preserved)) {
        case Order::row_major:
            return contiguous_strides(tensor.shape());
        case Order::channels_last:
            return channels_last_strides(tensor.shape());
        case Order::preserved:
            break;
    }
    return preserved_strides(tensor);
}

Result<Strides> strides_in(const Shape& shape, const Value& memory_format) {
    switch (order_of(memory_format, Order::row_major)) {
        case Order::row_major:
            return contiguous_strides(shape);
        case Order::channels_last:
            return channels_last_strides(shape);
        case Order::preserved:
            break;
    }
    return runtime_error("unsupported memory format Preserve");
}

Result<bool> is_contiguous_in(const Tensor& tensor, const Value& memory_format) {
    if (tensor.numel() == 0) return true;
    if (order_of(memory_format, Order::row_major) != Order::channels_last) return tensor.is_contiguous();
    if (tensor.rank() != 4) return false;
    MS_TRY(strides, channels_last_strides(tensor.shape()));
    for (int dim = 0; dim < 4; ++dim)
        if (tensor.size(dim) != 1 && tensor.strides()[dim] != strides[dim]) return false;
    return true;
}

Value value_of(const Dims& dims) {
    std::vector<Value> items;
    items.reserve(static_cast<std::size_t>(dims.rank()));
    for (const auto size : dims) items.emplace_back(size);
    return make_list(std::move(items));
}

Value value_of(const Strides* strides) {
    return strides != nullptr ? value_of(*strides) : Value();
}

}  // namespace maskscope::ops::create
