// SPDX-License-Identifier: Apache-2.0
#include "tests/core/ops/shape/expression.h"

#include <charconv>
#include <cmath>

namespace maskscope::ops {
namespace {

class Reader {
public:
    Reader(std::string_view text, const Names& names, Run& run) : rest_(text), names_(names), run_(run) {}

    Result<Value> whole() {
        MS_TRY(value, expression());
        if (!rest_.empty()) return unreadable();
        return std::move(value);
    }

private:
    struct Arguments {
        std::vector<Value> positional;
        std::vector<Named> named;
    };

    Error unreadable() const { return usage_error("cannot read \"{}\"", rest_); }

    void skip_spaces() {
        while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    }
    bool take(char c) {
        skip_spaces();
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        skip_spaces();
        return true;
    }
    std::string word() {
        skip_spaces();
        std::size_t n = 0;
        while (n < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[n])) != 0 || rest_[n] == '_')) ++n;
        std::string out(rest_.substr(0, n));
        rest_.remove_prefix(n);
        return out;
    }

    Result<Value> expression() {
        MS_TRY(value, primary());
        while (take('.')) {
            const std::string name = word();
            Arguments arguments{{value}, {}};
            const bool called = take('(');
            if (called) MS_CHECK(read_arguments(arguments));
            const bool in_place = name.ends_with('_');
            const Form form = !called ? Form::property : in_place ? Form::in_place : Form::method;
            MS_TRY(next, call(in_place ? name.substr(0, name.size() - 1) : name, form, arguments));
            value = next;
        }
        return std::move(value);
    }

    Result<Value> primary() {
        if (take('[')) {
            MS_TRY(items, list_until(']'));
            return make_list(items);
        }
        if (take('(')) {
            bool is_tuple = false;
            MS_TRY(items, list_until(')', &is_tuple));
            return items.size() == 1 && !is_tuple ? items.front() : make_tuple(items);
        }
        if (rest_.starts_with('\'') || rest_.starts_with('"')) {
            const auto end = rest_.find(rest_.front(), 1);
            if (end == std::string_view::npos) return unreadable();
            std::string text(rest_.substr(1, end - 1));
            rest_.remove_prefix(end + 1);
            return Value(std::move(text));
        }
        if (!rest_.empty() && (rest_.front() == '-' || std::isdigit(static_cast<unsigned char>(rest_.front())) != 0))
            return number();
        return named();
    }

    Result<Value> number() {
        std::int64_t whole = 0;
        double real = 0;
        const char* end = rest_.data() + rest_.size();
        const bool is_infinite = rest_.starts_with("-inf");
        if (is_infinite) {
            rest_.remove_prefix(4);
            return Value(-HUGE_VAL);
        }
        const auto as_real = std::from_chars(rest_.data(), end, real);
        const auto as_whole = std::from_chars(rest_.data(), end, whole);
        const auto length = static_cast<std::size_t>(as_real.ptr - rest_.data());
        const bool is_whole = as_whole.ec == std::errc() && as_whole.ptr == as_real.ptr;
        rest_.remove_prefix(length);
        return is_whole ? Value(whole) : Value(real);
    }

    Result<Value> named() {
        const std::string name = word();
        if (name == "True" || name == "False") return Value(name == "True");
        if (name == "None") return Value();
        if (name == "inf") return Value(HUGE_VAL);
        if (name == "nan") return Value(std::nan(""));
        if (const auto place = names_.find(name); place != names_.end()) return place->second;
        if ((name != "torch" && name != "F") || !take('.')) return unreadable();
        const std::string function = word();
        if (!take('(')) {
            if (const auto dtype = dtype_from_name(function)) return Value(*dtype);
            if (function == "half") return Value(DType::f16);
            if (function == "double") return Value(DType::f64);
            return unreadable();
        }
        Arguments arguments;
        MS_CHECK(read_arguments(arguments));
        return call(function, name == "F" ? Form::functional : Form::function, arguments);
    }

    // Up to the closing bracket; a comma at the end makes a tuple of one.
    Result<std::vector<Value>> list_until(char close, bool* ends_in_comma = nullptr) {
        std::vector<Value> out;
        bool comma = false;
        while (!take(close)) {
            MS_TRY(item, expression());
            out.push_back(std::move(item));
            comma = take(',');
            if (comma) continue;
            if (!take(close)) return unreadable();
            break;
        }
        if (ends_in_comma != nullptr) *ends_in_comma = comma;
        return out;
    }

    Result<void> read_arguments(Arguments& out) {
        while (!take(')')) {
            const auto before = rest_;
            std::string name = word();
            if (name.empty() || !take('=')) {
                rest_ = before;
                MS_TRY(value, expression());
                out.positional.push_back(std::move(value));
            } else {
                MS_TRY(value, expression());
                out.named.emplace_back(std::move(name), std::move(value));
            }
            if (!take(',')) {
                if (take(')')) return {};
                return unreadable();
            }
        }
        return {};
    }

    Result<Value> call(const std::string& name, Form form, const Arguments& arguments) {
        const OpSpec* spec = run_.table().find(name, form);
        if (spec == nullptr) return usage_error("there is no op {} of that form", name);
        return run_.call(*spec, form, arguments.positional, arguments.named);
    }

    std::string_view rest_;
    const Names& names_;
    Run& run_;
};

}  // namespace

Result<Value> evaluate(std::string_view expression, const Names& names, Run& run) {
    return Reader(expression, names, run).whole();
}

}  // namespace maskscope::ops
