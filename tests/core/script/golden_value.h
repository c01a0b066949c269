// SPDX-License-Identifier: Apache-2.0
// A value of the engine in the words of tests/golden/engine/make_cases.py.
#pragma once

#include "core/ops/dispatch/value.h"
#include "core/ops/dispatch/variable.h"
#include "core/tensor/convert.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace maskscope::golden {

using Json = nlohmann::ordered_json;

inline std::string word_of(double value) {
    if (std::isnan(value)) return "nan";
    return value > 0 ? "inf" : "-inf";
}

inline Json element(const Scalar& scalar) {
    if (const bool* truth = std::get_if<bool>(&scalar)) return *truth ? 1 : 0;
    if (const auto* integer = std::get_if<std::int64_t>(&scalar)) return *integer;
    if (const auto* natural = std::get_if<std::uint64_t>(&scalar)) return static_cast<std::int64_t>(*natural);
    const double value = std::get<double>(scalar);
    return std::isfinite(value) ? Json(value) : Json(word_of(value));
}

inline Json numbers(const Dims& dims) {
    return std::vector<std::int64_t>(dims.begin(), dims.end());
}

inline Json written(const ops::Variable& variable) {
    const Tensor& tensor = variable.tensor;
    const Shape& shape = tensor.shape();
    Json values = Json::array();
    std::vector<std::int64_t> index(static_cast<std::size_t>(shape.rank()), 0);
    const std::int64_t count = tensor.numel();
    for (std::int64_t at = 0; at < count; ++at) {
        values.push_back(element(tensor.at(index)));
        for (int dim = shape.rank() - 1; dim >= 0; --dim) {
            auto& place = index[static_cast<std::size_t>(dim)];
            if (++place < shape[dim]) break;
            place = 0;
        }
    }
    Json out{{"tensor", std::string(name_of(tensor.dtype()))}, {"shape", numbers(shape)}, {"values", values}};
    if (!(tensor.strides() == contiguous_strides(shape))) out["stride"] = numbers(tensor.strides());
    if (variable.base != nullptr) out["view"] = true;
    if (variable.requires_grad) out["requires_grad"] = true;
    return out;
}

Json written(const ops::Value& value);

inline Json written(const std::vector<ops::Value>& items) {
    Json out = Json::array();
    for (const ops::Value& item : items) out.push_back(written(item));
    return out;
}

inline Json written(const ops::Value& value) {
    if (value.is_none()) return nullptr;
    if (const bool* truth = value.get_if<bool>()) return *truth;
    if (const auto* integer = value.get_if<std::int64_t>()) return *integer;
    if (const double* number = value.get_if<double>()) {
        return std::isfinite(*number) ? Json(*number) : Json{{"float", word_of(*number)}};
    }
    if (const auto* text = value.get_if<std::string>()) return *text;
    if (const auto* dtype = value.get_if<DType>()) return {{"torch", std::string(name_of(*dtype))}};
    if (const auto* device = value.get_if<ops::Device>()) return {{"torch", device->name}};
    if (value.is_tensor()) return written(*value.tensor());
    if (const auto* list = value.get_if<std::shared_ptr<ops::List>>()) return {{"list", written((*list)->items)}};
    if (const auto* tuple = value.get_if<std::shared_ptr<const ops::Tuple>>()) {
        return {{(*tuple)->is_size ? "size" : "tuple", written((*tuple)->items)}};
    }
    if (const auto* dict = value.get_if<std::shared_ptr<ops::Dict>>()) {
        Json pairs = Json::array();
        for (const auto& [key, item] : (*dict)->items) pairs.push_back(Json::array({written(key), written(item)}));
        return {{"dict", pairs}};
    }
    return {{"other", std::string(ops::type_name(value))}};
}

}  // namespace maskscope::golden
