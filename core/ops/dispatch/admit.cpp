// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/admit.h"

#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/dispatch/variable.h"

#include <algorithm>

namespace maskscope::ops {
namespace {

bool is_whole_number_tensor(const Value& value) {
    const auto& variable = value.tensor();
    return variable && is_integer(variable->tensor.dtype()) && variable->tensor.numel() == 1 &&
           !variable->requires_grad;
}

bool is_number_tensor(const Value& value) {
    const auto& variable = value.tensor();
    return variable && variable->tensor.rank() == 0 && !variable->requires_grad;
}

// True and False are no ints here.
bool is_int(const Value& value) {
    return value.get_if<std::int64_t>() != nullptr || is_whole_number_tensor(value);
}

std::optional<DType> dtype_of(const Value& value) {
    if (const auto* dtype = value.get_if<DType>()) return *dtype;
    if (const auto* object = value.get_if<std::shared_ptr<Object>>()) return (*object)->as_dtype();
    return std::nullopt;
}

Result<Value> number_of(const Value& value) {
    const auto& variable = value.tensor();
    if (!variable) return value;
    if (!variable->tensor.has_data()) return needs_data("a number given as a tensor");
    return number_in(variable->tensor);
}

Result<Value> ints_of(const Parameter& parameter, const std::vector<Value>& items, const std::string& call) {
    std::vector<Value> out;
    out.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!is_int(items[i]) && items[i].get_if<bool>() == nullptr)
            return type_error(
                "{}(): argument '{}' failed to unpack the object at pos {} with error \"type must be {},but "
                "got {}\"",
                call, parameter.name, i + 1, parameter.type, shown_type(items[i]));
        MS_TRY(number, number_of(items[i]));
        out.emplace_back(number.to_int());
    }
    return make_list(std::move(out));
}

}  // namespace

bool admits(const Parameter& parameter, const Value& value) {
    if (value.is_none()) return parameter.admits_none || parameter.kind == Kind::any;
    switch (parameter.kind) {
        case Kind::tensor:
            return value.is_tensor();
        case Kind::tensor_or_scalar:
            return value.is_tensor() || value.is_number();
        case Kind::tensors:
            return value.sequence() != nullptr;
        case Kind::scalar:
            return value.is_number() || is_number_tensor(value);
        case Kind::integer:
            return is_int(value);
        case Kind::floating:
            return value.is_number() || is_number_tensor(value);
        case Kind::boolean:
            return value.get_if<bool>() != nullptr;
        case Kind::text:
            return value.get_if<std::string>() != nullptr;
        case Kind::integers: {
            const auto* items = value.sequence();
            if (items == nullptr) return parameter.one_will_do && is_int(value);
            return items->empty() || is_int(items->front()) || items->front().get_if<bool>() != nullptr;
        }
        case Kind::numbers: {
            const auto* items = value.sequence();
            if (items == nullptr) return parameter.one_will_do && value.is_number();
            return std::all_of(items->begin(), items->end(), [](const Value& item) { return item.is_number(); });
        }
        case Kind::dtype:
            return dtype_of(value).has_value();
        case Kind::device:
            return value.get_if<Device>() != nullptr || value.get_if<std::string>() != nullptr ||
                   value.get_if<std::int64_t>() != nullptr;
        case Kind::any:
            return true;
    }
    return false;
}

Result<Value> admitted(const Parameter& parameter, const Value& value, const std::string& call, std::size_t place) {
    if (value.is_none()) return value;
    switch (parameter.kind) {
        case Kind::scalar:
            return number_of(value);
        case Kind::integer: {
            MS_TRY(number, number_of(value));
            return Value(number.to_int());
        }
        case Kind::floating: {
            MS_TRY(number, number_of(value));
            return Value(number.to_double());
        }
        case Kind::integers: {
            const auto* items = value.sequence();
            return items != nullptr ? ints_of(parameter, *items, call) : ints_of(parameter, {value}, call);
        }
        case Kind::tensors: {
            const auto& items = *value.sequence();
            for (std::size_t i = 0; i < items.size(); ++i)
                if (!items[i].is_tensor())
                    return type_error("expected Tensor as element {} in argument {}, but got {}", i, place,
                                      shown_type(items[i]));
            return value;
        }
        case Kind::dtype:
            return Value(*dtype_of(value));
        default:
            return value;
    }
}

std::string shown_type(const Value& value) {
    if (value.get_if<DType>() != nullptr) return "torch.dtype";
    if (value.get_if<Device>() != nullptr) return "torch.device";
    if (const auto* tuple = value.get_if<std::shared_ptr<const Tuple>>(); tuple != nullptr && (*tuple)->is_size)
        return "torch.Size";
    return std::string(type_name(value));
}

std::string shown_type_in_full(const Value& value) {
    const auto* items = value.sequence();
    if (items == nullptr || shown_type(value) == "torch.Size") return shown_type(value);
    const bool is_list = value.get_if<std::shared_ptr<List>>() != nullptr;
    std::string out = is_list ? "list of [" : "tuple of (";
    for (std::size_t i = 0; i < items->size(); ++i) out += (i == 0 ? "" : ", ") + shown_type((*items)[i]);
    if (!is_list && items->size() == 1) out += ",";
    return out + (is_list ? "]" : ")");
}

}  // namespace maskscope::ops
