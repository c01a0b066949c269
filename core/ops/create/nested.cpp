// SPDX-License-Identifier: Apache-2.0
#include "core/ops/create/nested.h"

#include "core/ops/create/factory.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/dispatch/variable.h"
#include "core/ops/loops/promotion.h"

#include <cstring>
#include <optional>

namespace maskscope::ops::create {
namespace {

// A list may hold itself.
constexpr int kDeepest = 64;

std::string shown(const Value& value) {
    const std::string prefix = value.get_if<DType>() != nullptr || value.get_if<Device>() != nullptr ? "torch." : "";
    return prefix + std::string(type_name(value));
}

Error too_deep(const Value& value) {
    return value_error("too many dimensions '{}'", shown(value));
}

Error wrong_length(std::int64_t expected, int dim, std::size_t got) {
    return value_error("expected sequence of length {} at dim {} (got {})", expected, dim, got);
}

// A number as an element of an integer or a floating dtype; Python's words for what is neither.
Result<Value> number_for(const Value& item, DType dtype) {
    const auto& variable = item.tensor();
    if (!variable) {
        if (item.is_number()) return item;
        if (is_floating(dtype)) return type_error("must be real number, not {}", shown(item));
        return type_error("'{}' object cannot be interpreted as an integer", shown(item));
    }
    const Tensor& tensor = variable->tensor;
    if (is_floating(dtype) && tensor.numel() != 1)
        return value_error("only one element tensors can be converted to Python scalars");
    if (!is_floating(dtype) && (tensor.numel() != 1 || is_floating(tensor.dtype())))
        return type_error("only integer tensors of a single element can be converted to an index");
    return number_at(tensor.data(), tensor.dtype());
}

Result<void> store_element(const Value& item, DType dtype, std::byte* element) {
    MS_TRY(number, number_for(item, dtype));
    if (!is_floating(dtype) && overflows(number, dtype))
        return runtime_error("value cannot be converted to type {} without overflow", name_of(dtype));
    const Element bytes = element_of(number, dtype);
    std::memcpy(element, bytes.data(), size_of(dtype));
    return {};
}

// Rows of a tensor, where a list would do.
std::vector<Value> rows_of(const Variable& variable) {
    std::vector<Value> rows;
    for (std::int64_t i = 0; i < variable.tensor.size(0); ++i) {
        auto row = std::make_shared<Variable>();
        row->tensor = variable.tensor.select(0, i);
        rows.emplace_back(std::move(row));
    }
    return rows;
}

Result<void> store_level(const Value& data, int dim, Tensor& out, std::byte*& element) {
    if (dim == out.rank()) {
        MS_CHECK(store_element(data, out.dtype(), element));
        element += size_of(out.dtype());
        return {};
    }
    const auto store_all = [&](const std::vector<Value>& items) -> Result<void> {
        if (items.size() != static_cast<std::size_t>(out.size(dim)))
            return wrong_length(out.size(dim), dim, items.size());
        for (const auto& item : items) MS_CHECK(store_level(item, dim + 1, out, element));
        return {};
    };
    if (const auto* items = data.sequence()) return store_all(*items);
    if (data.is_tensor() && data.tensor()->tensor.rank() > 0) return store_all(rows_of(*data.tensor()));
    if (const auto* text = data.get_if<std::string>()) {
        const std::vector<Value> letters(text->size(), Value("x"));
        return store_all(letters);
    }
    if (const auto* dict = data.get_if<std::shared_ptr<Dict>>()) {
        std::vector<Value> keys;
        for (const auto& [key, value] : (*dict)->items) keys.push_back(key);
        return store_all(keys);
    }
    return type_error("not a sequence");
}

Result<DType> dtype_of_level(const Value& data, DType default_dtype, int depth) {
    if (depth > kDeepest) return type_error("new(): self-referential lists are incompatible");
    if (data.is_number()) return dtype_of_number(data, default_dtype);
    if (data.is_tensor()) return data.tensor()->tensor.dtype();
    if (data.get_if<std::string>() != nullptr) return type_error("new(): invalid data type 'str'");
    const auto* items = data.sequence();
    if (items == nullptr) return runtime_error("Could not infer dtype of {}", shown(data));
    std::optional<DType> joined;
    for (const auto& item : *items) {
        MS_TRY(dtype, dtype_of_level(item, default_dtype, depth + 1));
        joined = joined ? promote_types(*joined, dtype) : dtype;
    }
    return joined.value_or(default_dtype);
}

bool level_has_data(const Value& data, int depth) {
    if (data.is_tensor()) return data.tensor()->tensor.has_data();
    if (const auto* items = data.sequence(); items != nullptr && depth <= kDeepest)
        for (const auto& item : *items)
            if (!level_has_data(item, depth + 1)) return false;
    return true;
}

}  // namespace

Result<Shape> nested_shape(const Value& data) {
    Shape shape;
    const Value* level = &data;
    while (true) {
        if (const auto* text = level->get_if<std::string>(); text != nullptr && !text->empty()) return too_deep(*level);
        const auto* items = level->sequence();
        if (items == nullptr) return shape;
        if (shape.rank() == kMaxRank)
            return not_in_scripts(MS_TEXT("a tensor of more than 12 dimensions is not part of the mask script"));
        shape.push_back(static_cast<std::int64_t>(items->size()));
        if (items->empty()) return shape;
        level = &items->front();
    }
}

Result<DType> nested_dtype(const Value& data, DType default_dtype) {
    return dtype_of_level(data, default_dtype, 0);
}

Result<void> store_nested(const Value& data, Tensor& out) {
    if (out.numel() == 0) return {};
    std::byte* element = out.writable_data();
    return store_level(data, 0, out, element);
}

bool nested_has_data(const Value& data) {
    return level_has_data(data, 0);
}

}  // namespace maskscope::ops::create
