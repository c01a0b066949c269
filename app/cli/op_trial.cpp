// SPDX-License-Identifier: Apache-2.0
#include "app/cli/op_trial.h"

#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/schema.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/op_table.h"
#include "core/script/text/nearest.h"
#include "core/tensor/broadcast.h"

#include <algorithm>
#include <array>

namespace maskscope::cli {
namespace {

using ops::Kind;
using ops::Value;

// Elements up to which an op whose result depends on values is tried on zeros.
constexpr std::int64_t kMostElements = 20'000'000;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

DType dtype_for(std::string_view parameter) {
    constexpr std::array<std::string_view, 3> kMasks = {"mask", "condition", "attn_mask"};
    constexpr std::array<std::string_view, 3> kIndices = {"index", "indices", "batch1_index"};
    if (is_one_of(parameter, kMasks)) return DType::boolean;
    if (is_one_of(parameter, kIndices)) return DType::i64;
    return DType::f32;
}

bool takes_tensor(const ops::Parameter& parameter) {
    return parameter.kind == Kind::tensor || parameter.kind == Kind::tensor_or_scalar;
}

// For a parameter that must be given and is no tensor.
std::optional<Value> stand_in(Kind kind) {
    switch (kind) {
        case Kind::scalar:
        case Kind::floating:
            return Value(0.0);
        case Kind::integer:
            return Value(0);
        case Kind::boolean:
            return Value(false);
        case Kind::dtype:
            return Value(DType::f32);
        default:
            return std::nullopt;
    }
}

// Each element the same zero: no bytes for any shape.
Result<Tensor> zeros_without_bytes(const Shape& shape, DType dtype) {
    MS_TRY(one, Tensor::zeros({}, dtype));
    return Tensor::view_of(one.storage(), dtype, shape, Dims::filled(shape.rank(), 0), 0);
}

// The names of the tensors when the overload can take so many of them.
std::optional<std::vector<std::string>> names_of(const ops::Overload& overload, std::size_t tensors) {
    std::vector<std::string> out;
    for (const auto& parameter : overload.schema->parameters) {
        const bool room = out.size() < tensors;
        if (takes_tensor(parameter)) {
            if (room)
                out.push_back(parameter.name);
            else if (parameter.required)
                return std::nullopt;
        } else if (parameter.kind == Kind::tensors && room) {
            for (std::size_t i = 0; out.size() < tensors; ++i) out.push_back(fmt::format("{}[{}]", parameter.name, i));
        } else if (parameter.required && !stand_in(parameter.kind)) {
            return std::nullopt;
        }
    }
    return out.size() == tensors ? std::optional(out) : std::nullopt;
}

bool aligns_at_the_right(const ops::OpSpec& spec, const ops::Overload& overload) {
    constexpr std::array<std::string_view, 5> kNames = {"masked_fill", "masked_select", "masked_scatter", "where",
                                                        "broadcast_tensors"};
    return (overload.traits & ops::kElementwise) != 0 || is_one_of(spec.name, kNames);
}

}  // namespace

Error unknown_op(const std::string& name) {
    std::vector<std::string> names;
    for (const auto& [known, spec] : ops::op_table().all()) names.emplace_back(known);
    std::vector<std::string> alike;
    if (auto near = script::nearest(name, names); !near.empty()) alike.push_back(std::move(near));
    for (const auto& known : names) {
        const bool inside = name.size() > 2 && known.find(name) != std::string::npos;
        const bool around = known.size() > 4 && name.find(known) != std::string::npos;
        if ((inside || around) && known != (alike.empty() ? "" : alike.front())) alike.push_back(known);
    }
    std::string listed;
    for (std::size_t i = 0; i < alike.size() && i < 6; ++i) listed += (i == 0 ? "" : ", ") + alike[i];
    Error error = usage_error(MS_TEXT("there is no op \"{}\""), name);
    if (listed.empty()) return std::move(error).with_hint(MS_TEXT("maskscope-cli ops lists them"));
    return std::move(error).with_hint(MS_TEXT("Near it: {}"), listed);
}

Result<OpTrial> OpTrial::find(const std::string& name, std::size_t tensors) {
    using ops::Form;
    const auto& table = ops::op_table();
    OpTrial out;
    out.spec_ = table.find(name);
    std::vector<Form> forms = {Form::function, Form::functional, Form::method};
    if (out.spec_ == nullptr && name.ends_with('_')) {
        out.spec_ = table.find(name.substr(0, name.size() - 1), Form::in_place);
        forms = {Form::in_place};
    }
    if (out.spec_ == nullptr) return unknown_op(name);
    for (const auto& overload : out.spec_->overloads) {
        for (const Form form : forms) {
            if ((overload.forms & static_cast<unsigned>(form)) == 0) continue;
            auto names = names_of(overload, tensors);
            if (!names) continue;
            out.overload_ = &overload;
            out.form_ = form;
            out.names_ = std::move(*names);
            out.broadcasts_ = aligns_at_the_right(*out.spec_, overload);
            return out;
        }
    }
    return usage_error(MS_TEXT("{} takes no {} shapes alone"), name, tensors)
        .with_hint(MS_TEXT("maskscope-cli ops {} shows its signatures"), out.spec_->name);
}

Result<std::optional<Shape>> OpTrial::run(const std::vector<Shape>& shapes) const {
    auto shape = run(shapes, false);
    if (shape || !ops::is_needs_data(shape.error())) return shape;
    // On zeros it refuses in its own words, unless that would take long.
    std::int64_t most = 0;
    std::optional<Error> misfit;
    Shape all;
    for (const auto& one : shapes) {
        most = std::max(most, element_count(one).value_or(kMostElements));
        auto wider = broadcast_shapes(all, one);
        if (wider)
            all = *wider;
        else
            misfit = wider.error();
    }
    if (!misfit) most = element_count(all).value_or(kMostElements);
    if (most >= kMostElements) {
        if (misfit) return std::move(*misfit);
        return std::optional<Shape>();
    }
    MS_CHECK(run(shapes, true));
    return std::optional<Shape>();
}

Result<std::optional<Shape>> OpTrial::run(const std::vector<Shape>& shapes, bool with_data) const {
    ops::Settings settings;
    settings.shapes_only = !with_data;
    ops::Run run(ops::op_table(), settings);
    std::size_t next = 0;
    const auto tensor_for = [&](const std::string& parameter) -> Result<Value> {
        const auto& shape = shapes[next++];
        const DType dtype = dtype_for(parameter);
        MS_TRY(tensor, with_data ? zeros_without_bytes(shape, dtype) : Tensor::shapes_only(shape, dtype));
        return Value(run.wrap(std::move(tensor)));
    };
    std::vector<Value> positional;
    std::vector<ops::Named> named;
    bool by_name = false;  // once a parameter was passed over
    for (const auto& parameter : overload_->schema->parameters) {
        std::optional<Value> value;
        if (takes_tensor(parameter) && next < shapes.size()) {
            MS_TRY(tensor, tensor_for(parameter.name));
            value = std::move(tensor);
        } else if (parameter.kind == Kind::tensors && next < shapes.size()) {
            std::vector<Value> items;
            while (next < shapes.size()) {
                MS_TRY(tensor, tensor_for(parameter.name));
                items.push_back(std::move(tensor));
            }
            value = ops::make_list(std::move(items));
        } else if (parameter.required) {
            value = stand_in(parameter.kind);
        }
        by_name = by_name || !value || parameter.keyword_only;
        if (!value) continue;
        if (by_name)
            named.emplace_back(parameter.name, std::move(*value));
        else
            positional.push_back(std::move(*value));
    }
    MS_TRY(result, run.call(*spec_, form_, positional, named));
    const Value* first = &result;
    if (const auto* items = result.sequence(); items != nullptr && !items->empty()) first = items->data();
    if (!first->is_tensor()) return std::optional<Shape>();
    return std::optional(first->tensor()->tensor.shape());
}

}  // namespace maskscope::cli
