// SPDX-License-Identifier: Apache-2.0
// str, list, tuple, dict, set, slice, object, and the exceptions.
#include "core/script/language/builtins.h"
#include "core/script/language/interpreter.h"
#include "core/script/language/set_object.h"
#include "core/script/text/language_error.h"

namespace maskscope::script {
namespace {

Result<Value> to_str(Interpreter& in, Arguments& a) {
    if (a.positional.empty()) return Value("");
    MS_TRY(text, in.str(a.positional[0]));
    return Value(std::move(text));
}

Result<Values> items_of(Interpreter& in, Arguments& a, const char* name) {
    MS_CHECK(expect_arguments(a, name, 0, 1));
    if (a.positional.empty()) return Values();
    return in.to_values(a.positional[0]);
}

Result<Value> to_list(Interpreter& in, Arguments& a) {
    MS_TRY(items, items_of(in, a, "list"));
    return ops::make_list(std::move(items));
}

Result<Value> to_tuple(Interpreter& in, Arguments& a) {
    MS_TRY(items, items_of(in, a, "tuple"));
    return ops::make_tuple(std::move(items));
}

Result<Value> to_set(Interpreter& in, Arguments& a) {
    MS_TRY(items, items_of(in, a, "set"));
    return make_set(in, std::move(items));
}

Result<Value> to_dict(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "dict", 0, 1));
    auto out = std::make_shared<ops::Dict>();
    if (!a.positional.empty()) {
        if (const auto* dict = a.positional[0].get_if<std::shared_ptr<ops::Dict>>()) {
            out->items = (*dict)->items;
        } else {
            MS_TRY(pairs, in.to_values(a.positional[0]));
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                MS_TRY(pair, in.to_values(pairs[i]));
                if (pair.size() != 2)
                    return value_error("dictionary update sequence element #{} has length {}; 2 is required", i,
                                       pair.size());
                MS_CHECK(in.set_item(out, pair[0], pair[1]));
            }
        }
    }
    for (const auto& [name, value] : a.named) MS_CHECK(in.set_item(out, Value(name), value));
    return Value(std::move(out));
}

Result<Value> to_slice(Interpreter&, Arguments& a) {
    MS_CHECK(expect_arguments(a, "slice", 1, 3));
    ops::Slice out;
    if (a.positional.size() == 1)
        out.stop = a.positional[0];
    else
        out.start = a.positional[0];
    if (a.positional.size() > 1) out.stop = a.positional[1];
    if (a.positional.size() > 2) out.step = a.positional[2];
    return Value(std::shared_ptr<const ops::Slice>(std::make_shared<ops::Slice>(std::move(out))));
}

Result<Value> no_instances(Interpreter&, Arguments&) {
    return not_in_the_language(MS_TEXT("this type makes no values in the mask script"));
}

// The name of the type is not known inside a plain function: a template makes one for each.
constexpr const char* kExceptions[] = {"Exception",           "ValueError",        "TypeError",      "RuntimeError",
                                       "IndexError",          "KeyError",          "AttributeError", "AssertionError",
                                       "NotImplementedError", "ZeroDivisionError", "NameError",      "OverflowError",
                                       "StopIteration",       "ArithmeticError",   "LookupError"};

template <std::size_t I>
Result<Value> make_exception(Interpreter& in, Arguments& a) {
    auto out = std::make_shared<ExceptionObject>();
    out->type = kExceptions[I];
    if (a.positional.size() == 1) {
        // KeyError shows the repr of its key.
        MS_TRY(text, out->type == "KeyError" ? in.repr(a.positional[0]) : in.str(a.positional[0]));
        out->text = std::move(text);
    } else if (!a.positional.empty()) {
        MS_TRY(text, in.repr(ops::make_tuple(a.positional)));
        out->text = std::move(text);
    }
    return Value(std::shared_ptr<ops::Object>(std::move(out)));
}

template <std::size_t... I>
void add_exceptions(BuiltinMap& map, std::index_sequence<I...>) {
    (map.emplace(kExceptions[I], make_object<TypeObject>(kExceptions[I], make_exception<I>)), ...);
}

}  // namespace

void add_type_builtins(BuiltinMap& map) {
    const auto add = [&](const char* name, BuiltinBody body) {
        map.emplace(name, make_object<TypeObject>(name, body));
    };
    add("str", to_str);
    add("list", to_list);
    add("tuple", to_tuple);
    add("dict", to_dict);
    add("set", to_set);
    add("frozenset", to_set);
    add("slice", to_slice);
    add("object", no_instances);
    map.emplace("staticmethod", make_object<TypeObject>("staticmethod", no_instances));
    map.emplace("classmethod", make_object<TypeObject>("classmethod", no_instances));
    map.emplace("property", make_object<TypeObject>("property", no_instances));
    map.emplace("NotImplemented", Value());
    map.emplace("__name__", Value("__main__"));
    add_exceptions(map, std::make_index_sequence<std::size(kExceptions)>());
}

}  // namespace maskscope::script
