// SPDX-License-Identifier: Apache-2.0
#include "core/script/language/str_methods.h"

#include "core/script/language/builtins.h"
#include "core/script/language/interpreter.h"
#include "core/script/text/characters.h"
#include "core/script/text/language_error.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace maskscope::script {
namespace {

using Method = Result<Value> (*)(Interpreter& in, const std::string& self, Arguments& arguments);

Result<std::string> text_at(const Arguments& arguments, std::size_t i, const char* method) {
    if (i >= arguments.positional.size())
        return type_error("{}() takes at least {} argument ({} given)", method, i + 1, arguments.positional.size());
    const auto* text = arguments.positional[i].get_if<std::string>();
    if (text == nullptr)
        return type_error("{}() argument {} must be str, not {}", method, i + 1,
                          ops::type_name(arguments.positional[i]));
    return *text;
}

template <int (*change)(int)>
Result<Value> mapped(Interpreter&, const std::string& self, Arguments&) {
    std::string out = self;
    for (char& c : out)
        if (static_cast<unsigned char>(c) < 0x80) c = static_cast<char>(change(static_cast<unsigned char>(c)));
    return Value(std::move(out));
}

Result<Value> strip(const std::string& self, const Arguments& arguments, bool left, bool right) {
    std::string letters = " \t\n\r\v\f";
    if (!arguments.positional.empty() && !arguments.positional[0].is_none()) {
        MS_TRY(given, text_at(arguments, 0, "strip"));
        letters = std::move(given);
    }
    std::size_t begin = left ? self.find_first_not_of(letters) : 0;
    if (begin == std::string::npos) return Value(std::string());
    std::size_t end = right ? self.find_last_not_of(letters) : self.size() - 1;
    if (self.empty() || end == std::string::npos) return Value(std::string());
    return Value(self.substr(begin, end - begin + 1));
}

Result<Value> split(Interpreter& in, const std::string& self, Arguments& arguments) {
    Values out;
    MS_CHECK(in.grow(self.size()));
    const Value* separator = argument(arguments, 0, "sep");
    if (separator == nullptr || separator->is_none()) {
        std::size_t at = 0;
        while ((at = self.find_first_not_of(" \t\n\r\v\f", at)) != std::string::npos) {
            const std::size_t end = std::min(self.find_first_of(" \t\n\r\v\f", at), self.size());
            out.emplace_back(self.substr(at, end - at));
            at = end;
        }
        return ops::make_list(std::move(out));
    }
    const auto* mark = separator->get_if<std::string>();
    if (mark == nullptr) return type_error("must be str or None, not {}", ops::type_name(*separator));
    if (mark->empty()) return value_error("empty separator");
    std::size_t at = 0;
    for (std::size_t end = self.find(*mark); end != std::string::npos; end = self.find(*mark, at)) {
        MS_CHECK(in.grow(sizeof(Value)));
        out.emplace_back(self.substr(at, end - at));
        at = end + mark->size();
    }
    out.emplace_back(self.substr(at));
    return ops::make_list(std::move(out));
}

Result<Value> join(Interpreter& in, const std::string& self, Arguments& arguments) {
    if (arguments.positional.size() != 1)
        return type_error("str.join() takes exactly one argument ({} given)", arguments.positional.size());
    MS_TRY(items, in.to_values(arguments.positional[0]));
    std::string out;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto* text = items[i].get_if<std::string>();
        if (text == nullptr)
            return type_error("sequence item {}: expected str instance, {} found", i, ops::type_name(items[i]));
        if (i > 0) out += self;
        out += *text;
        MS_CHECK(in.grow(self.size() + text->size()));
    }
    return Value(std::move(out));
}

Result<Value> replace(Interpreter& in, const std::string& self, Arguments& arguments) {
    MS_TRY(from, text_at(arguments, 0, "replace"));
    MS_TRY(to, text_at(arguments, 1, "replace"));
    std::string out;
    if (from.empty()) return Value(self);
    std::size_t at = 0;
    for (std::size_t found = self.find(from); found != std::string::npos; found = self.find(from, at)) {
        out += self.substr(at, found - at) + to;
        MS_CHECK(in.grow(to.size()));
        at = found + from.size();
    }
    return Value(out + self.substr(at));
}

Result<Value> affix(const std::string& self, Arguments& arguments, const char* method, bool at_start) {
    const auto matches = [&](const std::string& part) {
        return at_start ? self.starts_with(part) : self.ends_with(part);
    };
    if (!arguments.positional.empty())
        if (const auto* options = arguments.positional[0].sequence()) {
            for (const auto& option : *options)
                if (const auto* text = option.get_if<std::string>(); text != nullptr && matches(*text))
                    return Value(true);
            return Value(false);
        }
    MS_TRY(part, text_at(arguments, 0, method));
    return Value(matches(part));
}

// str.format with {} {0} {name} and a spec; attributes and subscripts inside are left to f-strings.
Result<Value> format_method(Interpreter& in, const std::string& self, Arguments& arguments) {
    std::string out;
    std::size_t next = 0;
    for (std::size_t i = 0; i < self.size(); ++i) {
        if ((self[i] == '{' || self[i] == '}') && i + 1 < self.size() && self[i + 1] == self[i]) {
            out += self[i++];
            continue;
        }
        if (self[i] == '}') return value_error("Single '}}' encountered in format string");
        if (self[i] != '{') {
            out += self[i];
            continue;
        }
        const std::size_t end = self.find('}', i);
        if (end == std::string::npos) return value_error("expected '}}' before end of string");
        const std::string field = self.substr(i + 1, end - i - 1);
        const std::size_t colon = field.find(':');
        const std::string name = field.substr(0, colon);
        const std::string spec = colon == std::string::npos ? "" : field.substr(colon + 1);
        const bool is_number = !name.empty() && std::all_of(name.begin(), name.end(),
                                                            [](unsigned char c) { return std::isdigit(c) != 0; });
        const Value* value = nullptr;
        if (name.empty() || (is_number && name.size() < 6)) {
            const std::size_t index = name.empty() ? next++ : std::stoul(name);
            if (index >= arguments.positional.size())
                return index_error("Replacement index {} out of range for positional args tuple", index);
            value = &arguments.positional[index];
        } else {
            for (const auto& [given, named] : arguments.named)
                if (given == name) value = &named;
            if (value == nullptr) return key_error("'{}'", name);
        }
        MS_TRY(text, in.format(*value, spec));
        out += text;
        i = end;
    }
    MS_CHECK(in.grow(out.size()));
    return Value(std::move(out));
}

struct Row {
    std::string_view name;
    Method body;
};

constexpr Row kMethods[] = {
    {"upper", mapped<std::toupper>},
    {"lower", mapped<std::tolower>},
    {"strip", [](Interpreter&, const std::string& s, Arguments& a) { return strip(s, a, true, true); }},
    {"lstrip", [](Interpreter&, const std::string& s, Arguments& a) { return strip(s, a, true, false); }},
    {"rstrip", [](Interpreter&, const std::string& s, Arguments& a) { return strip(s, a, false, true); }},
    {"split", split},
    {"join", join},
    {"replace", replace},
    {"format", format_method},
    {"startswith", [](Interpreter&, const std::string& s, Arguments& a) { return affix(s, a, "startswith", true); }},
    {"endswith", [](Interpreter&, const std::string& s, Arguments& a) { return affix(s, a, "endswith", false); }},
    {"isdigit",
     [](Interpreter&, const std::string& s, Arguments&) -> Result<Value> {
         return Value(!s.empty() &&
                      std::all_of(s.begin(), s.end(), [](unsigned char c) { return std::isdigit(c) != 0; }));
     }},
    {"find",
     [](Interpreter&, const std::string& s, Arguments& a) -> Result<Value> {
         MS_TRY(part, text_at(a, 0, "find"));
         const std::size_t at = s.find(part);
         return Value(at == std::string::npos ? std::int64_t{-1} : static_cast<std::int64_t>(at));
     }},
    {"count",
     [](Interpreter&, const std::string& s, Arguments& a) -> Result<Value> {
         MS_TRY(part, text_at(a, 0, "count"));
         if (part.empty()) return Value(static_cast<std::int64_t>(characters(s).size()) + 1);
         std::int64_t count = 0;
         for (std::size_t at = s.find(part); at != std::string::npos; at = s.find(part, at + part.size())) ++count;
         return Value(count);
     }},
};

}  // namespace

Value str_method(const std::string& self, const std::string& name) {
    for (const auto& row : kMethods)
        if (row.name == name)
            return make_object<Callable>(name, [self, body = row.body](Interpreter& in, Arguments& arguments) {
                return body(in, self, arguments);
            });
    return {};
}

}  // namespace maskscope::script
