// SPDX-License-Identifier: Apache-2.0
// str() and repr().
#include "core/script/language/interpreter.h"
#include "core/script/language/set_object.h"
#include "core/script/language/str_methods.h"
#include "core/script/text/language_error.h"
#include "core/script/text/number_text.h"
#include "core/script/text/tensor_text.h"

namespace maskscope::script {
namespace {

std::string quoted(const std::string& text) {
    const bool double_quotes = text.find('\'') != std::string::npos && text.find('"') == std::string::npos;
    const char quote = double_quotes ? '"' : '\'';
    std::string out(1, quote);
    for (const char c : text) {
        switch (c) {
            case '\n':
                out += "\\n";
                break;
            case '\t':
                out += "\\t";
                break;
            case '\r':
                out += "\\r";
                break;
            case '\\':
                out += "\\\\";
                break;
            default:
                if (c == quote) out += '\\';
                if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
                    out += fmt::format("\\x{:02x}", static_cast<int>(c));
                else
                    out += c;
        }
    }
    return out + quote;
}

Result<std::string> listed(Interpreter& in, const Values& items, const char* open, const char* close,
                           bool comma_after_one) {
    std::string out = open;
    for (std::size_t i = 0; i < items.size(); ++i) {
        MS_TRY(text, in.repr(items[i]));
        out += (i == 0 ? "" : ", ") + text;
        MS_CHECK(in.grow(text.size()));
    }
    if (comma_after_one && items.size() == 1) out += ",";
    return out + close;
}

Result<std::string> tuple_text(Interpreter& in, const ops::Tuple& tuple) {
    if (tuple.is_size) return listed(in, tuple.items, "torch.Size([", "])", false);
    if (tuple.name.empty()) return listed(in, tuple.items, "(", ")", true);
    std::string out = tuple.name + "(";
    for (std::size_t i = 0; i < tuple.items.size(); ++i) {
        MS_TRY(text, in.repr(tuple.items[i]));
        out += (i == 0 ? "\n" : ",\n") + tuple.fields[i] + "=" + text;
    }
    return out + ")";
}

Result<std::string> object_text(Interpreter& in, const Value& value) {
    if (const auto set = object_as<SetObject>(value))
        return set->items.empty() ? Result<std::string>(std::string("set()")) : listed(in, set->items, "{", "}", false);
    if (const auto range = object_as<Range>(value)) {
        if (range->step == 1) return fmt::format("range({}, {})", range->start, range->stop);
        return fmt::format("range({}, {}, {})", range->start, range->stop, range->step);
    }
    if (const auto type = object_as<TypeObject>(value))
        return fmt::format("<class '{}{}'>", type->name == "Tensor" ? "torch." : "", type->name);
    if (const auto module = object_as<ModuleObject>(value)) return fmt::format("<module '{}'>", module->name);
    if (const auto function = object_as<Function>(value)) return fmt::format("<function {}>", function->name);
    if (const auto exception = object_as<ExceptionObject>(value))
        return exception->type + "(" + (exception->text.empty() ? "" : quoted(exception->text)) + ")";
    return fmt::format("<{}>", ops::type_name(value));
}

}  // namespace

Result<std::string> Interpreter::str(const Value& value) {
    if (const auto* text = value.get_if<std::string>()) return *text;
    if (const auto exception = object_as<ExceptionObject>(value)) return exception->text;
    if (const auto* device = value.get_if<ops::Device>()) return device->name;
    return repr(value);
}

Result<std::string> Interpreter::repr(const Value& value) {
    MS_CHECK(tick());
    MS_CHECK(check_stack());
    if (value.is_none()) return std::string("None");
    if (const auto* flag = value.get_if<bool>()) return std::string(*flag ? "True" : "False");
    if (value.is_int()) return fmt::format("{}", value.to_int());
    if (value.is_number()) return float_repr(value.to_double());
    if (const auto* text = value.get_if<std::string>()) return quoted(*text);
    if (const auto* dtype = value.get_if<DType>()) return "torch." + std::string(name_of(*dtype));
    if (const auto* device = value.get_if<ops::Device>()) {
        const std::size_t colon = device->name.find(':');
        const std::string index = colon == std::string::npos ? "" : ", index=" + device->name.substr(colon + 1);
        return "device(type='" + device->name.substr(0, colon) + "'" + index + ")";
    }
    if (value.get_if<ops::Ellipsis>() != nullptr) return std::string("Ellipsis");
    if (value.is_tensor()) return tensor_repr(*value.tensor(), run_.default_dtype);
    if (const auto* list = value.get_if<std::shared_ptr<ops::List>>())
        return listed(*this, (*list)->items, "[", "]", false);
    if (const auto* tuple = value.get_if<std::shared_ptr<const ops::Tuple>>()) return tuple_text(*this, **tuple);
    if (const auto* dict = value.get_if<std::shared_ptr<ops::Dict>>()) {
        std::string out = "{";
        for (const auto& [key, item] : (*dict)->items) {
            MS_TRY(key_text, repr(key));
            MS_TRY(item_text, repr(item));
            out += (out.size() == 1 ? "" : ", ") + key_text + ": " + item_text;
            MS_CHECK(grow(out.size()));
        }
        return out + "}";
    }
    if (const auto* slice = value.get_if<std::shared_ptr<const ops::Slice>>()) {
        MS_TRY(start, repr((*slice)->start));
        MS_TRY(stop, repr((*slice)->stop));
        MS_TRY(step, repr((*slice)->step));
        return fmt::format("slice({}, {}, {})", start, stop, step);
    }
    return object_text(*this, value);
}

}  // namespace maskscope::script
