// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/binder.h"

#include "core/ops/dispatch/admit.h"
#include "core/ops/dispatch/refusal.h"
#include "core/ops/dispatch/schema.h"
#include "core/ops/dispatch/torch_error.h"

#include <algorithm>
#include <array>

namespace maskscope::ops {
namespace {

// NumPy's names for torch's parameters.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kAliases = {
    {{"dim", "axis"}, {"keepdim", "keepdims"}, {"input", "x"}, {"input", "a"}, {"input", "x1"}, {"other", "x2"}}};

const Value* find_named(const Parameter& parameter, std::span<const Named> named, bool python) {
    for (const auto& [name, value] : named)
        if (name == parameter.name) return &value;
    for (const auto& [name, alias] : kAliases) {
        if (python || name != parameter.name) continue;
        for (const auto& [written, value] : named)
            if (written == alias) return &value;
    }
    return nullptr;
}

// May the items of this list parameter stand one by one: x.view(2, 3), torch.einsum("ij,jk", a, b)?
bool may_be_written_out(const Call& call, const Schema& schema, std::size_t i) {
    const auto& parameter = schema.parameters[i];
    if (parameter.written_out) return true;
    // torch: whenever a list of ints is the only positional parameter.
    return parameter.kind == Kind::integers && i == call.first() && positional_count(schema) == call.first() + 1;
}

bool is_an_item(const Parameter& parameter, const Value& value) {
    // Python collects whatever is written out for a list of tensors, and looks at it afterwards.
    if (parameter.kind == Kind::tensors) return value.sequence() == nullptr;
    return value.get_if<std::int64_t>() != nullptr || value.is_tensor();
}

bool any_written_out(const Call& call, const Schema& schema) {
    for (std::size_t i = 0; i < schema.parameters.size() && i < call.positional.size(); ++i)
        if (may_be_written_out(call, schema, i) && is_an_item(schema.parameters[i], call.positional[i])) return true;
    return false;
}

// The arguments of one overload in order; an Error with a non-empty message only when `telling`.
Result<std::vector<Value>> fit(const Call& call, const Overload& overload, bool telling) {
    const Schema& schema = *overload.schema;
    const auto refused = [&](auto&& make) { return telling ? make() : Error(); };
    const std::size_t given = call.positional.size();
    const bool written_out = any_written_out(call, schema);
    const bool python = (overload.traits & kPythonDefined) != 0;
    const std::size_t limit = positional_count(schema);
    if (given > limit && !written_out) return refused([&] { return too_many(call, overload); });
    std::vector<Value> out;
    std::size_t next = 0;
    std::size_t used_names = 0;
    for (std::size_t i = 0; i < schema.parameters.size(); ++i) {
        const Parameter& parameter = schema.parameters[i];
        const bool by_place = next < given && !parameter.keyword_only;
        if (next < given && parameter.keyword_only) return refused([&] { return too_many(call, overload); });
        const Value* value = by_place ? &call.positional[next] : find_named(parameter, call.named, python);
        if (by_place && find_named(parameter, call.named, python) != nullptr)
            return refused([&] { return given_twice(call, overload, parameter.name); });
        if (value == nullptr) {
            if (parameter.required) return refused([&] { return missing(call, overload, i); });
            out.push_back(parameter.default_value);
            continue;
        }
        if (!by_place) ++used_names;
        if (!admits(parameter, *value)) {
            const bool items_follow = by_place && may_be_written_out(call, schema, i) && is_an_item(parameter, *value);
            if (!items_follow) return refused([&] { return wrong_type(call, overload, i, *value, by_place); });
            const std::vector<Value> rest(call.positional.begin() + static_cast<std::ptrdiff_t>(next),
                                          call.positional.end());
            MS_TRY(items, admitted(parameter, make_list(rest), call.name, i - call.first()));
            out.push_back(std::move(items));
            next = given;
            continue;
        }
        MS_TRY(converted, admitted(parameter, *value, call.name, i < call.first() ? 0 : i - call.first()));
        out.push_back(std::move(converted));
        if (by_place) ++next;
    }
    if (next < given) return refused([&] { return too_many(call, overload); });
    if (used_names < call.named.size()) return refused([&] { return unknown_name(call, overload); });
    return out;
}

std::string written_name(const OpSpec& spec, Form form) {
    return std::string(spec.name) + (form == Form::in_place && !spec.name.ends_with("_") ? "_" : "");
}

}  // namespace

Result<Bound> bind(const OpSpec& spec, Form form, std::span<const Value> positional, std::span<const Named> named) {
    Call call{written_name(spec, form), form, positional, named, {}};
    for (const auto& overload : spec.overloads)
        if (form == Form::internal || (overload.forms & static_cast<unsigned>(form)) != 0)
            call.candidates.push_back(&overload);
    if (call.candidates.empty()) return torch_error("AttributeError", "'{}' has no such form here", call.name);
    for (const auto* overload : call.candidates) {
        auto values = fit(call, *overload, false);
        if (values) return Bound{overload, Args(std::move(*values), call.name, form)};
        // The types fit and a value did not (an element of a list): torch tries no other.
        if (!values.error().message.empty()) return std::move(values).error();
    }
    if (const auto* only = plausible(call)) {
        auto told = fit(call, *only, true);
        if (!told && !told.error().message.empty()) return std::move(told).error();
    }
    return invalid_combination(call);
}

}  // namespace maskscope::ops
