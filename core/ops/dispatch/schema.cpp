// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/schema.h"

#include <array>
#include <charconv>
#include <cmath>

namespace maskscope::ops {
namespace {

struct TypeRow {
    std::string_view spelling;
    Kind kind;
    std::string_view shown;
};

constexpr std::array<TypeRow, 21> kTypes = {{
    {"Tensor", Kind::tensor, "Tensor"},
    {"TensorOrScalar", Kind::tensor_or_scalar, "Tensor"},
    {"Tensor[]", Kind::tensors, "tuple of Tensors"},
    {"Tensor[...]", Kind::tensors, "tuple of Tensors"},
    {"Scalar", Kind::scalar, "Number"},
    {"int", Kind::integer, "int"},
    {"float", Kind::floating, "float"},
    {"bool", Kind::boolean, "bool"},
    {"str", Kind::text, "str"},
    {"int[]", Kind::integers, "tuple of ints"},
    {"int[1]", Kind::integers, "tuple of ints"},
    {"int[2]", Kind::integers, "tuple of ints"},
    {"int[...]", Kind::integers, "tuple of ints"},
    {"float[]", Kind::numbers, "tuple of floats"},
    {"ScalarType", Kind::dtype, "torch.dtype"},
    {"Device", Kind::device, "torch.device"},
    {"Layout", Kind::any, "torch.layout"},
    {"MemoryFormat", Kind::any, "torch.memory_format"},
    {"Generator", Kind::any, "torch.Generator"},
    {"Any", Kind::any, "object"},
    {"bool[]", Kind::any, "tuple of bools"},
}};

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

Result<Value> default_of(std::string_view text) {
    if (text == "None") return Value();
    if (text == "True") return Value(true);
    if (text == "False") return Value(false);
    if (text == "inf") return Value(HUGE_VAL);
    if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"'))
        return Value(std::string(text.substr(1, text.size() - 2)));
    if (text == "[]" || text == "()") return make_list({});
    if (text.size() > 2 && (text.front() == '[' || text.front() == '(')) {
        std::vector<Value> items;
        for (std::string_view rest = text.substr(1, text.size() - 2); !rest.empty();) {
            const auto comma = rest.find(',');
            MS_TRY(item, default_of(trimmed(rest.substr(0, comma))));
            items.push_back(std::move(item));
            rest = comma == std::string_view::npos ? std::string_view() : trimmed(rest.substr(comma + 1));
        }
        return make_list(std::move(items));
    }
    std::int64_t whole = 0;
    const char* end = text.data() + text.size();
    if (const auto read = std::from_chars(text.data(), end, whole); read.ec == std::errc() && read.ptr == end)
        return Value(whole);
    double number = 0;
    if (const auto read = std::from_chars(text.data(), end, number); read.ec == std::errc() && read.ptr == end)
        return Value(number);
    return usage_error("\"{}\" is no default value", text);
}

Result<Parameter> parameter_of(std::string_view text) {
    Parameter out;
    if (const auto equals = text.find('='); equals != std::string_view::npos) {
        out.default_text = trimmed(text.substr(equals + 1));
        MS_TRY(value, default_of(out.default_text));
        out.default_value = std::move(value);
        out.required = false;
        out.admits_none = out.default_value.is_none();
        text = trimmed(text.substr(0, equals));
    }
    const auto space = text.rfind(' ');
    if (space == std::string_view::npos) return usage_error("\"{}\" has no type or no name", text);
    out.name = text.substr(space + 1);
    std::string_view type = trimmed(text.substr(0, space));
    if (type.ends_with('?')) {
        out.admits_none = true;
        type.remove_suffix(1);
    }
    for (const auto& row : kTypes) {
        if (row.spelling != type) continue;
        out.kind = row.kind;
        out.type = row.shown;
        out.one_will_do = type == "int[1]" || type == "int[2]";
        out.written_out = type.ends_with("[...]");
        return out;
    }
    return usage_error("\"{}\" is no type of a parameter", type);
}

// Up to the next comma outside brackets and quotes.
std::size_t end_of_piece(std::string_view text) {
    int depth = 0;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '[' || c == '(') {
            ++depth;
        } else if (c == ']' || c == ')') {
            --depth;
        } else if (c == ',' && depth == 0) {
            return i;
        }
    }
    return text.size();
}

}  // namespace

Result<Schema> parse_signature(std::string_view signature) {
    Schema out;
    std::string_view rest = trimmed(signature);
    if (!rest.starts_with('(') || !rest.ends_with(')')) return usage_error("\"{}\" is no signature", signature);
    rest = trimmed(rest.substr(1, rest.size() - 2));
    bool keyword_only = false;
    while (!rest.empty()) {
        const auto end = end_of_piece(rest);
        const std::string_view piece = trimmed(rest.substr(0, end));
        rest = end == rest.size() ? std::string_view() : trimmed(rest.substr(end + 1));
        if (piece == "*") {
            keyword_only = true;
            continue;
        }
        MS_TRY(parameter, parameter_of(piece));
        parameter.keyword_only = keyword_only;
        out.parameters.push_back(std::move(parameter));
    }
    return out;
}

std::string Schema::listing(bool without_self) const {
    std::string out = "(";
    bool star = false;
    for (std::size_t i = without_self ? 1 : 0; i < parameters.size(); ++i) {
        const auto& parameter = parameters[i];
        // Methods have no out, whatever the function of the same parameters has.
        if (without_self && parameter.name == "out") continue;
        if (out.size() > 1) out += ", ";
        if (parameter.keyword_only && !star) {
            star = true;
            out += "*, ";
        }
        out += parameter.type + " " + parameter.name;
        if (!parameter.required) out += " = " + parameter.default_text;
    }
    return out + ")";
}

}  // namespace maskscope::ops
