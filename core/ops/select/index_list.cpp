// SPDX-License-Identifier: Apache-2.0
#include "core/ops/select/index_list.h"

#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/select/element.h"

#include <algorithm>
#include <cstring>

namespace maskscope::ops {
namespace {

struct Flat {
    Shape shape;
    std::vector<Value> numbers;
};

// The children of a list, a tuple or a tensor with dims; nullopt for a leaf.
std::optional<std::vector<Value>> children_of(const Value& value, Run& run) {
    if (const auto* items = value.sequence()) return *items;
    const auto& variable = value.tensor();
    if (!variable || variable->tensor.rank() == 0) return std::nullopt;
    std::vector<Value> rows;
    for (std::int64_t i = 0; i < variable->tensor.size(0); ++i)
        rows.emplace_back(run.wrap(variable->tensor.select(0, i)));
    return rows;
}

Result<void> flatten(const Value& value, int depth, bool first, Flat& flat, Run& run) {
    if (const auto children = children_of(value, run)) {
        const auto count = static_cast<std::int64_t>(children->size());
        if (first) {
            if (depth == kMaxRank) return value_error("too many dimensions in an index");
            flat.shape.push_back(count);
        } else if (depth >= flat.shape.rank() || flat.shape[depth] != count) {
            return value_error("expected sequence of length {} at dim {} (got {})",
                               depth < flat.shape.rank() ? flat.shape[depth] : 0, depth, count);
        }
        for (std::size_t i = 0; i < children->size(); ++i)
            MS_CHECK(flatten((*children)[i], depth + 1, first && i == 0, flat, run));
        return {};
    }
    if (!first && depth != flat.shape.rank())
        return type_error("expected sequence of length {} at dim {}", flat.shape[depth], depth);
    if (const auto& variable = value.tensor()) {
        if (!variable->tensor.has_data()) return needs_data("a list of tensors as an index");
        MS_TRY(number, number_in(variable->tensor));
        flat.numbers.push_back(std::move(number));
        return {};
    }
    if (!value.is_number()) return type_error("new(): invalid data type '{}'", type_name(value));
    flat.numbers.push_back(value);
    return {};
}

}  // namespace

Result<VariablePtr> tensor_of_list(const Value& list, Run& run) {
    Flat flat;
    MS_CHECK(flatten(list, 0, true, flat, run));
    const bool is_mask =
        !flat.numbers.empty() && std::all_of(flat.numbers.begin(), flat.numbers.end(),
                                             [](const Value& number) { return number.get_if<bool>() != nullptr; });
    const DType dtype = is_mask ? DType::boolean : DType::i64;
    MS_TRY(tensor, run.allocate(flat.shape, dtype));
    std::byte* at = tensor.writable_data();
    for (const auto& number : flat.numbers) {
        if (const auto* real = number.get_if<double>()) {
            store_number(*real, dtype, at);
        } else {
            store_number(number.to_int(), dtype, at);
        }
        at += size_of(dtype);
    }
    return run.wrap(std::move(tensor));
}

}  // namespace maskscope::ops
