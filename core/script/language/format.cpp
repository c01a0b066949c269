// SPDX-License-Identifier: Apache-2.0
// format(value, spec), as f-strings use it, and the percent form.
#include "core/script/language/interpreter.h"
#include "core/script/language/numbers.h"
#include "core/script/language/str_methods.h"
#include "core/script/text/language_error.h"
#include "core/script/text/number_text.h"

namespace maskscope::script {

Result<std::string> Interpreter::format(const Value& value, const std::string& spec) {
    // As torch: a 0-dim tensor is formatted as its number.
    if (value.is_tensor() && value.tensor()->tensor.rank() == 0 && value.tensor()->tensor.has_data()) {
        MS_TRY(number, call_op("item", ops::Form::method, {value}));
        return format(number, spec);
    }
    if (spec.empty()) return str(value);
    if (value.is_tensor()) return type_error("unsupported format string passed to Tensor.__format__");
    if (value.is_int()) return format_int(value.to_int(), spec);
    if (value.is_number()) return format_float(value.to_double(), spec);
    if (const auto* text = value.get_if<std::string>()) return format_str(*text, spec);
    return type_error("unsupported format string passed to {}.__format__", ops::type_name(value));
}

Result<Value> percent_format(Interpreter& in, const std::string& pattern, const Value& operand) {
    const auto* tuple = operand.get_if<std::shared_ptr<const ops::Tuple>>();
    const Values given = tuple != nullptr ? (*tuple)->items : Values{operand};
    std::size_t next = 0;
    std::string out;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%') {
            out += pattern[i];
            continue;
        }
        if (i + 1 < pattern.size() && pattern[i + 1] == '%') {
            out += '%';
            ++i;
            continue;
        }
        const std::size_t end = pattern.find_first_not_of("0123456789.+- #", i + 1);
        if (end == std::string::npos) return value_error("incomplete format");
        if (next >= given.size()) return type_error("not enough arguments for format string");
        const Value& value = given[next++];
        std::string spec = pattern.substr(i + 1, end - i - 1);
        const char type = pattern[end];
        i = end;
        // A minus sets to the left there, a < in a format spec.
        if (spec.starts_with('-')) spec[0] = '<';
        if (type == 's' || type == 'r') {
            MS_TRY(text, type == 's' ? in.str(value) : in.repr(value));
            const bool left = spec.starts_with('<');
            MS_TRY(padded, format_str(text, left || spec.empty() ? spec : ">" + spec));
            out += padded;
        } else if (std::string_view("dixXo").find(type) != std::string_view::npos) {
            if (!value.is_number())
                return type_error("%{} format: a real number is required, not {}", type, ops::type_name(value));
            MS_TRY(whole, value.is_int() ? Result<Value>(Value(value.to_int())) : int_of(value.to_double()));
            MS_TRY(text, format_int(whole.to_int(), spec + (type == 'i' ? 'd' : type)));
            out += text;
        } else if (std::string_view("eEfFgG").find(type) != std::string_view::npos) {
            Value number = value;
            if (value.is_tensor()) {
                MS_TRY(item, in.call_op("item", ops::Form::method, {value}));
                number = std::move(item);
            }
            if (!number.is_number()) return type_error("must be real number, not {}", ops::type_name(value));
            MS_TRY(text, format_float(number.to_double(), spec + type));
            out += text;
        } else {
            return value_error("unsupported format character '{}' (0x{:x}) at index {}", type, static_cast<int>(type),
                               end);
        }
    }
    if (tuple != nullptr && next < given.size())
        return type_error("not all arguments converted during string formatting");
    MS_CHECK(in.grow(out.size()));
    return Value(std::move(out));
}

}  // namespace maskscope::script
