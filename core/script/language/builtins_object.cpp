// SPDX-License-Identifier: Apache-2.0
// print, isinstance, type, getattr and the like.
#include "core/script/language/builtins.h"
#include "core/script/language/interpreter.h"
#include "core/script/text/language_error.h"

namespace maskscope::script {
namespace {

Result<Value> print(Interpreter& in, Arguments& a) {
    const auto option = [&](const char* name, const char* usual) -> std::string {
        const Value* value = argument(a, SIZE_MAX, name);
        const auto* text = value != nullptr ? value->get_if<std::string>() : nullptr;
        return text != nullptr ? *text : usual;
    };
    const std::string separator = option("sep", " ");
    std::string line;
    for (std::size_t i = 0; i < a.positional.size(); ++i) {
        MS_TRY(text, in.str(a.positional[i]));
        if (i > 0) line += separator;
        line += text;
    }
    line += option("end", "\n");
    MS_CHECK(in.grow(line.size()));
    in.print(line);
    return Value();
}

bool is_instance(const Value& value, const std::string& type) {
    if (type == "int") return value.is_int();
    if (type == "object") return true;
    if (type == "Number") return value.is_number();
    if (type == "tuple") return value.get_if<std::shared_ptr<const ops::Tuple>>() != nullptr;
    if (type == "Tensor" || type == "Parameter") return value.is_tensor();
    if (type == "Callable" || type == "function") return object_as<Function>(value) != nullptr;
    if (const auto* tuple = value.get_if<std::shared_ptr<const ops::Tuple>>(); tuple != nullptr && (*tuple)->is_size)
        return type == "Size";
    return ops::type_name(value) == type;
}

Result<bool> matches(const Value& value, const Value& types) {
    if (const auto* several = types.sequence()) {
        for (const auto& type : *several) {
            MS_TRY(one, matches(value, type));
            if (one) return true;
        }
        return false;
    }
    const auto type = object_as<TypeObject>(types);
    if (!type) return type_error("isinstance() arg 2 must be a type, a tuple of types, or a union");
    return is_instance(value, type->name);
}

Result<Value> isinstance(Interpreter&, Arguments& a) {
    MS_CHECK(expect_arguments(a, "isinstance", 2, 2));
    MS_TRY(verdict, matches(a.positional[0], a.positional[1]));
    return Value(verdict);
}

Result<Value> type_of(Interpreter&, Arguments& a) {
    MS_CHECK(expect_arguments(a, "type", 1, 1));
    const std::string name(ops::type_name(a.positional[0]));
    if (const Value* known = find_builtin(name); known != nullptr && object_as<TypeObject>(*known)) return *known;
    const auto refuse = [](Interpreter&, Arguments&) -> Result<Value> { return type_error("cannot create instances"); };
    return make_object<TypeObject>(name, refuse);
}

Result<Value> get_attribute(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "getattr", 2, 3));
    const auto* name = a.positional[1].get_if<std::string>();
    if (name == nullptr) return type_error("attribute name must be string, not '{}'", ops::type_name(a.positional[1]));
    auto out = in.attribute(a.positional[0], *name);
    if (!out && out.error().type == "AttributeError" && a.positional.size() > 2) return a.positional[2];
    return out;
}

Result<Value> has_attribute(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "hasattr", 2, 2));
    const auto* name = a.positional[1].get_if<std::string>();
    if (name == nullptr) return type_error("attribute name must be string, not '{}'", ops::type_name(a.positional[1]));
    auto out = in.attribute(a.positional[0], *name);
    if (!out && out.error().type != "AttributeError") return std::move(out).error();
    return Value(out.ok());
}

Result<Value> set_attribute(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "setattr", 3, 3));
    const auto* name = a.positional[1].get_if<std::string>();
    if (name == nullptr) return type_error("attribute name must be string, not '{}'", ops::type_name(a.positional[1]));
    MS_CHECK(in.set_attribute(a.positional[0], *name, a.positional[2]));
    return Value();
}

Result<Value> callable(Interpreter&, Arguments& a) {
    MS_CHECK(expect_arguments(a, "callable", 1, 1));
    const Value& v = a.positional[0];
    return Value(object_as<Function>(v) || object_as<Builtin>(v) || object_as<Callable>(v) ||
                 object_as<OpFunction>(v) || object_as<TypeObject>(v) || object_as<BoundMethod>(v));
}

Result<Value> repr_of(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "repr", 1, 1));
    MS_TRY(text, in.repr(a.positional[0]));
    return Value(std::move(text));
}

Result<Value> format_of(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "format", 1, 2));
    const auto* spec = a.positional.size() > 1 ? a.positional[1].get_if<std::string>() : nullptr;
    MS_TRY(text, in.format(a.positional[0], spec != nullptr ? *spec : ""));
    return Value(std::move(text));
}

// An identity for a tensor, so that `id(a) == id(b)` tells aliases of one name apart from copies.
Result<Value> id_of(Interpreter&, Arguments& a) {
    MS_CHECK(expect_arguments(a, "id", 1, 1));
    const auto& variable = a.positional[0].tensor();
    return Value(variable ? static_cast<std::int64_t>(variable->id) : std::int64_t{0});
}

}  // namespace

void add_object_builtins(BuiltinMap& map) {
    const auto add = [&](const char* name, BuiltinBody body) { map.emplace(name, make_object<Builtin>(name, body)); };
    add("print", print);
    add("isinstance", isinstance);
    add("type", type_of);
    add("getattr", get_attribute);
    add("hasattr", has_attribute);
    add("setattr", set_attribute);
    add("callable", callable);
    add("repr", repr_of);
    add("format", format_of);
    add("id", id_of);
}

}  // namespace maskscope::script
