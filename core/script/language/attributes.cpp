// SPDX-License-Identifier: Apache-2.0
// What stands behind a dot.
#include "core/ops/dispatch/admit.h"
#include "core/script/language/interpreter.h"
#include "core/script/language/modules.h"
#include "core/script/language/set_object.h"
#include "core/script/language/str_methods.h"
#include "core/script/text/language_error.h"
#include "core/script/text/nearest.h"

#include <cmath>
#include <limits>

namespace maskscope::script {
namespace {

Error no_attribute(const Value& owner, const std::string& name) {
    return attribute_error("'{}' object has no attribute '{}'", ops::shown_type(owner), name);
}

std::vector<std::string> tensor_names(const ops::OpTable& table) {
    std::vector<std::string> out;
    for (const auto& [name, spec] : table.all()) {
        if (table.find(name, ops::Form::method) != nullptr || table.find(name, ops::Form::property) != nullptr)
            out.emplace_back(name);
        if (table.find(name, ops::Form::in_place) != nullptr) out.push_back(std::string(name) + "_");
    }
    return out;
}

bool is_gradient_name(const std::string& name) {
    return name == "backward" || name == "register_hook" || name == "retain_grad" || name == "grad_fn";
}

Result<Value> tensor_attribute(Interpreter& in, const Value& owner, const std::string& name) {
    const ops::OpTable& table = in.run_state().table();
    if (const auto* spec = table.find(name, ops::Form::property))
        return in.call_op(*spec, ops::Form::property, std::span(&owner, 1));
    if (const auto* spec = table.find(name, ops::Form::method))
        return make_object<OpFunction>(*spec, ops::Form::method, owner);
    if (name.ends_with("_")) {
        const std::string stem = name.substr(0, name.size() - 1);
        if (const auto* spec = table.find(stem, ops::Form::in_place))
            return make_object<OpFunction>(*spec, ops::Form::in_place, owner);
    }
    if (is_gradient_name(name))
        return not_in_the_language(MS_TEXT("gradients are not part of the mask script yet: {} cannot be used"), name);
    const std::string near = nearest(name, tensor_names(table));
    Error error = no_attribute(owner, name);
    if (!near.empty()) return std::move(error).with_hint(MS_TEXT("Did you mean {}?"), near);
    return error;
}

Result<Value> type_info(const TypeInfo& info, const std::string& name) {
    const DType dtype = info.dtype;
    const auto bits = static_cast<std::int64_t>(size_of(dtype) * 8);
    if (name == "bits") return Value(bits);
    if (name == "dtype") return Value(std::string(name_of(dtype)));
    if (!is_floating(dtype)) {
        const bool is_signed = dtype != DType::u8;
        if (name == "max") return Value(is_signed ? INT64_MAX >> (64 - bits) : std::int64_t{255});
        if (name == "min") return Value(is_signed ? INT64_MIN >> (64 - bits) : std::int64_t{0});
    } else {
        const int digits = dtype == DType::f64 ? 52 : dtype == DType::f32 ? 23 : dtype == DType::f16 ? 10 : 7;
        const int decimals = dtype == DType::f64 ? 15 : dtype == DType::f32 ? 6 : dtype == DType::f16 ? 3 : 2;
        if (name == "max") return Value(largest_finite(dtype));
        if (name == "min") return Value(-largest_finite(dtype));
        if (name == "eps") return Value(std::ldexp(1.0, -digits));
        if (name == "tiny" || name == "smallest_normal") return Value(smallest_normal(dtype));
        if (name == "resolution") return Value(std::pow(10.0, -decimals));
    }
    return attribute_error("'{}' object has no attribute '{}'", info.type_name(), name);
}

Result<Value> tuple_attribute(const Value& owner, const std::shared_ptr<const ops::Tuple>& tuple,
                              const std::string& name) {
    for (std::size_t i = 0; i < tuple->fields.size(); ++i)
        if (tuple->fields[i] == name) return tuple->items[i];
    if (tuple->is_size && name == "numel") {
        std::int64_t count = 1;
        for (const auto& size : tuple->items) count *= size.to_int();
        return make_object<Callable>(name, [count](Interpreter&, Arguments&) -> Result<Value> { return Value(count); });
    }
    Value method = tuple_method(tuple, name);
    if (method.is_none()) return no_attribute(owner, name);
    return method;
}

Result<Value> object_attribute(Interpreter& in, const Value& owner, const std::string& name) {
    if (const auto module = object_as<ModuleObject>(owner)) return module_attribute(in, *module, name);
    if (const auto info = object_as<TypeInfo>(owner)) return type_info(*info, name);
    if (const auto space = object_as<Namespace>(owner)) {
        const auto place = space->attributes.find(name);
        if (place != space->attributes.end()) return place->second;
        // A pasted sibling: a def of the module whose first parameter is self.
        const auto sibling = in.module_frame()->names.find(name);
        if (sibling != in.module_frame()->names.end())
            if (auto function = object_as<Function>(sibling->second)) {
                auto method = std::make_shared<BoundMethod>();
                method->self = owner;
                method->function = std::move(function);
                return Value(std::shared_ptr<ops::Object>(std::move(method)));
            }
        return attribute_error("'{}' object has no attribute '{}'", space->type, name)
            .with_hint(MS_TEXT("Bind a value to {}.{}, or paste the definition of the method {}"), space->type, name,
                       name);
    }
    if (const auto range = object_as<Range>(owner)) {
        if (name == "start") return Value(range->start);
        if (name == "stop") return Value(range->stop);
        if (name == "step") return Value(range->step);
    }
    if (object_as<SetObject>(owner)) {
        Value method = set_method(owner, name);
        if (!method.is_none()) return method;
    }
    if (const auto type = object_as<TypeObject>(owner); type && name == "__name__") return Value(type->name);
    if (const auto function = object_as<Function>(owner); function && name == "__name__") return Value(function->name);
    return no_attribute(owner, name);
}

}  // namespace

Result<Value> Interpreter::attribute(const Value& owner, const std::string& name) {
    if (owner.is_tensor()) return tensor_attribute(*this, owner, name);
    Value method;
    if (const auto* text = owner.get_if<std::string>())
        method = str_method(*text, name);
    else if (const auto* list = owner.get_if<std::shared_ptr<ops::List>>())
        method = list_method(*list, name);
    else if (const auto* dict = owner.get_if<std::shared_ptr<ops::Dict>>())
        method = dict_method(*dict, name);
    else if (const auto* tuple = owner.get_if<std::shared_ptr<const ops::Tuple>>())
        return tuple_attribute(owner, *tuple, name);
    else if (owner.get_if<std::shared_ptr<ops::Object>>() != nullptr)
        return object_attribute(*this, owner, name);
    if (!method.is_none()) return method;
    if (const auto* dtype = owner.get_if<DType>()) {
        if (name == "is_floating_point") return Value(is_floating(*dtype));
        if (name == "is_complex") return Value(false);
        if (name == "itemsize") return Value(static_cast<std::int64_t>(size_of(*dtype)));
    }
    if (const auto* device = owner.get_if<ops::Device>()) {
        if (name == "type") return Value(device->name.substr(0, device->name.find(':')));
        if (name == "index") return Value();
    }
    if (owner.is_number()) {
        if (name == "real") return owner;
        if (name == "is_integer" && owner.get_if<double>() != nullptr) {
            const double number = owner.to_double();
            return make_object<Callable>(name, [number](Interpreter&, Arguments&) -> Result<Value> {
                return Value(std::isfinite(number) && number == std::floor(number));
            });
        }
    }
    return no_attribute(owner, name);
}

Result<void> Interpreter::set_attribute(const Value& owner, const std::string& name, const Value& value) {
    if (const auto space = object_as<Namespace>(owner)) {
        MS_CHECK(refuse_cycle(owner, value));
        space->attributes[name] = value;
        return {};
    }
    if (owner.is_tensor()) {
        if (name == "requires_grad") {
            MS_CHECK(call_op("requires_grad", ops::Form::in_place, {owner, value}));
            return {};
        }
        if (name == "data" && value.is_tensor()) {
            owner.tensor()->tensor = value.tensor()->tensor;
            return {};
        }
        if (name == "grad" && value.is_none()) return {};
        return attribute_error("attribute '{}' of 'torch._C.TensorBase' objects is not writable", name);
    }
    return attribute_error("'{}' object has no attribute '{}'", ops::type_name(owner), name);
}

}  // namespace maskscope::script
