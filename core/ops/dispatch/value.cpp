// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/value.h"

#include <array>

namespace maskscope::ops {

const VariablePtr& Value::tensor() const {
    static const VariablePtr null;
    const auto* variable = get_if<VariablePtr>();
    if (variable == nullptr) return null;
    return *variable;
}

double Value::to_double() const {
    if (const auto* number = get_if<double>()) return *number;
    return static_cast<double>(to_int());
}

std::int64_t Value::to_int() const {
    if (const auto* number = get_if<std::int64_t>()) return *number;
    if (const auto* flag = get_if<bool>()) return *flag ? 1 : 0;
    return 0;
}

const std::vector<Value>* Value::sequence() const {
    if (const auto* list = get_if<std::shared_ptr<List>>()) return &(*list)->items;
    if (const auto* tuple = get_if<std::shared_ptr<const Tuple>>()) return &(*tuple)->items;
    return nullptr;
}

Value make_list(std::vector<Value> items) {
    return std::make_shared<List>(List{std::move(items)});
}

Value make_tuple(std::vector<Value> items) {
    Tuple tuple;
    tuple.items = std::move(items);
    return std::shared_ptr<const Tuple>(std::make_shared<Tuple>(std::move(tuple)));
}

Value make_size(const std::vector<std::int64_t>& sizes) {
    Tuple tuple;
    tuple.is_size = true;
    for (const auto size : sizes) tuple.items.emplace_back(size);
    return std::shared_ptr<const Tuple>(std::make_shared<Tuple>(std::move(tuple)));
}

std::string_view type_name(const Value& value) {
    // In the order of Value::Variant; tuples and objects say it themselves.
    static constexpr std::array<std::string_view, 14> kNames = {"NoneType", "bool",   "int",      "float",  "str",
                                                                "dtype",    "device", "ellipsis", "Tensor", "list",
                                                                "tuple",    "dict",   "slice",    "object"};
    if (const auto* tuple = value.get_if<std::shared_ptr<const Tuple>>()) {
        if ((*tuple)->is_size) return "Size";
        if (!(*tuple)->name.empty()) return (*tuple)->name;
    }
    if (const auto* object = value.get_if<std::shared_ptr<Object>>()) return (*object)->type_name();
    return kNames[value.state().index()];
}

}  // namespace maskscope::ops
