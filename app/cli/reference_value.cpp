// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reference_value.h"

#include "app/cli/output.h"
#include "app/cli/value_json.h"
#include "core/ops/dispatch/variable.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope::cli {
namespace {

struct DTypeTolerance {
    const char* dtype;
    Tolerance tolerance;
    bool may_be_widened;
};
// Two ways of adding up differ by this much; integers and bools by nothing.
constexpr std::array<DTypeTolerance, 4> kTolerances = {{
    {"float64", {1e-12, 1e-14}, false},
    {"float32", {1e-6, 1e-7}, true},
    {"float16", {1e-3, 1e-7}, true},
    {"bfloat16", {8e-3, 1e-7}, true},
}};
// A number of Python's own may have come out of a float32 tensor.
constexpr Tolerance kOfNumbers = {1e-6, 1e-7};

Tolerance widened(const Tolerance& tolerance, const Tolerance& asked) {
    return {std::max(tolerance.relative, asked.relative), std::max(tolerance.absolute, asked.absolute)};
}

Tolerance tolerance_of(std::string_view dtype, const Tolerance& asked) {
    for (const auto& row : kTolerances)
        if (dtype == row.dtype) return row.may_be_widened ? widened(row.tolerance, asked) : row.tolerance;
    return {};
}

Json element(const Scalar& scalar) {
    if (const bool* truth = std::get_if<bool>(&scalar)) return *truth ? 1 : 0;
    return json_number(scalar);
}

Json tensor_form(const ops::Variable& variable) {
    const Tensor& tensor = variable.tensor;
    Json values = Json::array();
    std::vector<std::int64_t> index(static_cast<std::size_t>(tensor.rank()), 0);
    for (std::int64_t i = 0; i < tensor.numel(); ++i) {
        values.push_back(element(tensor.at(index)));
        for (int d = tensor.rank(); d-- > 0;) {
            auto& place = index[static_cast<std::size_t>(d)];
            if (++place < tensor.size(d)) break;
            place = 0;
        }
    }
    Json out = {
        {"tensor", name_of(tensor.dtype())}, {"shape", dims_json(tensor.shape())}, {"values", std::move(values)}};
    if (!(tensor.strides() == contiguous_strides(tensor.shape()))) out["stride"] = dims_json(tensor.strides());
    if (variable.base != nullptr) out["view"] = true;
    if (variable.requires_grad) out["requires_grad"] = true;
    return out;
}

Json items_form(const std::vector<ops::Value>& items) {
    Json out = Json::array();
    for (const auto& item : items) out.push_back(reference_form(item));
    return out;
}

bool agree(const Json& expected, const Json& got, const Tolerance& tolerance) {
    if (!expected.is_number_float() || !got.is_number_float()) return expected == got;
    const double wanted = expected.get<double>();
    const double found = got.get<double>();
    // PyTorch keeps the sign of zero.
    if (wanted == 0 && found == 0) return std::signbit(wanted) == std::signbit(found);
    return std::abs(wanted - found) <= tolerance.absolute + tolerance.relative * std::abs(wanted);
}

std::string tensor_difference(const Json& expected, const Json& got, const Tolerance& asked) {
    for (const char* key : {"tensor", "shape", "stride", "view", "requires_grad"}) {
        const Json wanted = expected.value(key, Json());
        const Json found = got.value(key, Json());
        if (wanted == found) continue;
        const auto text = [](const Json& value) { return value.is_null() ? "the plain one" : value.dump(); };
        return fmt::format("{} is {}, not {}", std::string_view(key) == "tensor" ? "dtype" : key, text(found),
                           text(wanted));
    }
    const Tolerance tolerance = tolerance_of(expected["tensor"].get<std::string>(), asked);
    const Json& wanted = expected["values"];
    const Json& found = got["values"];
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (!agree(wanted[i], found[i], tolerance))
            return fmt::format("value {} is {}, not {}", i, found[i].dump(), wanted[i].dump());
    return {};
}

}  // namespace

Json reference_form(const ops::Value& value) {
    if (value.is_none()) return nullptr;
    if (const bool* truth = value.get_if<bool>()) return *truth;
    if (const auto* integer = value.get_if<std::int64_t>()) return *integer;
    if (const double* number = value.get_if<double>())
        return std::isfinite(*number) ? Json(*number) : Json{{"float", json_number(*number)}};
    if (const auto* text = value.get_if<std::string>()) return *text;
    if (const auto* dtype = value.get_if<DType>()) return {{"torch", name_of(*dtype)}};
    if (const auto* device = value.get_if<ops::Device>()) return {{"torch", device->name}};
    if (value.is_tensor()) return tensor_form(*value.tensor());
    if (const auto* list = value.get_if<std::shared_ptr<ops::List>>()) return {{"list", items_form((*list)->items)}};
    if (const auto* tuple = value.get_if<std::shared_ptr<const ops::Tuple>>())
        return {{(*tuple)->is_size ? "size" : "tuple", items_form((*tuple)->items)}};
    if (const auto* dict = value.get_if<std::shared_ptr<ops::Dict>>()) {
        Json pairs = Json::array();
        for (const auto& [key, item] : (*dict)->items)
            pairs.push_back(Json::array({reference_form(key), reference_form(item)}));
        return {{"dict", std::move(pairs)}};
    }
    return {{"other", ops::type_name(value)}};
}

std::string difference(const Json& expected, const Json& got, const Tolerance& asked) {
    if (expected.is_array() && got.is_array()) {
        if (expected.size() != got.size()) return fmt::format("has {} items, not {}", got.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const std::string inside = difference(expected[i], got[i], asked);
            if (!inside.empty()) return fmt::format("item {}: {}", i, inside);
        }
        return {};
    }
    if (expected.is_object() && got.is_object() && expected.begin().key() == got.begin().key()) {
        if (expected.begin().key() == "tensor") return tensor_difference(expected, got, asked);
        return difference(expected.front(), got.front(), asked);
    }
    if (agree(expected, got, widened(kOfNumbers, asked))) return {};
    return fmt::format("is {}, not {}", got.dump(), expected.dump());
}

}  // namespace maskscope::cli
