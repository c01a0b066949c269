// SPDX-License-Identifier: Apache-2.0
#include "app/cli/value_json.h"

#include "app/cli/output.h"
#include "core/ops/dispatch/variable.h"
#include "core/script/language/interpreter.h"
#include "core/script/syntax/parser.h"

namespace maskscope::cli {
namespace {

constexpr std::int64_t kMostValues = 10'000;
// A list may hold itself.
constexpr int kDeepest = 64;

// An array for each index of a dim, also where an inner dim is empty.
bool is_short(const Shape& shape) {
    std::int64_t count = 1;
    for (const auto size : shape) {
        if (size > kMostValues) return false;
        count *= size;
        if (count > kMostValues) return false;
    }
    return true;
}

Json nested_values(const Tensor& tensor, int dim, std::vector<std::int64_t>& index) {
    if (dim == tensor.rank()) return json_number(tensor.at(index));
    Json out = Json::array();
    for (std::int64_t i = 0; i < tensor.size(dim); ++i) {
        index.push_back(i);
        out.push_back(nested_values(tensor, dim + 1, index));
        index.pop_back();
    }
    return out;
}

// An expanded tensor repeats its elements without end: each is counted once, and the counts multiplied.
Json stats_of(const Tensor& tensor, const JobContext& context) {
    Tensor once = tensor;
    std::int64_t copies = 1;
    for (int d = 0; d < tensor.rank(); ++d) {
        if (tensor.strides()[d] != 0) continue;
        copies *= tensor.size(d);
        once = once.narrow(d, 0, 1);
    }
    auto stats = compute_stats(once, context);
    if (!stats) return nullptr;
    for (std::int64_t* count :
         {&stats->count, &stats->nan, &stats->posinf, &stats->neginf, &stats->zero, &stats->finite})
        *count *= copies;
    return stats_json(*stats, tensor.dtype());
}

Json value_json(const ops::Value& value, const JobContext& context, int depth);

Json array_json(const std::vector<ops::Value>& items, const JobContext& context, int depth) {
    Json out = Json::array();
    for (const auto& item : items) out.push_back(value_json(item, context, depth + 1));
    return out;
}

Json variable_json(const ops::Variable& variable, const JobContext& context) {
    Json out = tensor_json(variable.tensor, context);
    out["stride"] = dims_json(variable.tensor.strides());
    out["is_view"] = variable.base != nullptr;
    out["requires_grad"] = variable.requires_grad;
    return out;
}

Json value_json(const ops::Value& value, const JobContext& context, int depth) {
    if (depth > kDeepest) return "...";
    if (value.is_none()) return nullptr;
    if (const bool* flag = value.get_if<bool>()) return *flag;
    if (const auto* integer = value.get_if<std::int64_t>()) return *integer;
    if (const double* number = value.get_if<double>()) return json_number(*number);
    if (const auto* text = value.get_if<std::string>()) return *text;
    if (const auto* device = value.get_if<ops::Device>()) return device->name;
    if (value.is_tensor()) return variable_json(*value.tensor(), context);
    if (const auto* items = value.sequence()) return array_json(*items, context, depth);
    if (const auto* dict = value.get_if<std::shared_ptr<ops::Dict>>()) {
        Json out = Json::object();
        for (const auto& [key, item] : (*dict)->items) {
            const auto* name = key.get_if<std::string>();
            out[name != nullptr ? *name : repr_of(key)] = value_json(item, context, depth + 1);
        }
        return out;
    }
    return repr_of(value);
}

}  // namespace

Json stats_json(const TensorStats& stats, DType dtype) {
    const bool any = stats.finite > 0;
    Json json = {{"min", any ? json_number(stats.min) : Json()},
                 {"max", any ? json_number(stats.max) : Json()},
                 {"mean", any ? json_number(stats.mean) : Json()},
                 {"nan", stats.nan},
                 {"posinf", stats.posinf},
                 {"neginf", stats.neginf},
                 {"zero", stats.zero}};
    json["true_fraction"] = dtype == DType::boolean && any ? json_number(stats.mean) : Json();
    return json;
}

Json dims_json(const Dims& dims) {
    return std::vector<std::int64_t>(dims.begin(), dims.end());
}

Json tensor_json(const Tensor& tensor, const JobContext& context) {
    Json out = {{"shape", dims_json(tensor.shape())}, {"dtype", name_of(tensor.dtype())}, {"values", nullptr}};
    if (!tensor.has_data()) return out;
    if (is_short(tensor.shape())) {
        std::vector<std::int64_t> index;
        out["values"] = nested_values(tensor, 0, index);
    } else {
        out["stats"] = stats_of(tensor, context);
    }
    return out;
}

Json value_json(const ops::Value& value, const JobContext& context) {
    return value_json(value, context, 0);
}

std::string repr_of(const ops::Value& value) {
    // The language writes its own values: an interpreter with nothing to do.
    const auto module = script::parse("");
    if (!module) return {};
    script::Options options;
    options.trace = false;
    script::Interpreter interpreter(**module, options);
    interpreter.run();
    const auto text = interpreter.repr(value);
    return text ? *text : "<" + std::string(ops::type_name(value)) + ">";
}

std::string printable_lines(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = text.find_first_of("\n\t");
        out += printable(text.substr(0, end));
        if (end == std::string_view::npos) break;
        out += text[end];
        text.remove_prefix(end + 1);
    }
    return out;
}

}  // namespace maskscope::cli
