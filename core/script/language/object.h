// SPDX-License-Identifier: Apache-2.0
// What the language knows beyond tensors and plain values: functions, modules, types, ranges, `self`.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/op_spec.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/value.h"
#include "core/script/syntax/ast.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace maskscope::script {

using ops::Named;
using ops::Value;
using Values = std::vector<Value>;
class Interpreter;

struct Arguments {
    Values positional;
    std::vector<Named> named;
    // Source spans of the positional arguments where they were written out; for the trace.
    std::vector<Span> spans;
};

// The names of one call (or of the module). Functions made in it keep it alive.
struct Frame {
    std::unordered_map<std::string, Value> names;
    std::shared_ptr<Frame> parent;  // where the function was written; null for the module
    const Scope* scope = nullptr;
    bool is_comprehension = false;
    Value returned;
};

struct Function : ops::Object {
    std::string_view type_name() const override { return "function"; }
    std::string name;
    const std::vector<Parameter>* parameters = nullptr;
    const Block* body = nullptr;       // of a def
    const Expr* expression = nullptr;  // of a lambda
    const Scope* scope = nullptr;
    std::vector<Value> defaults;  // one for each parameter; used where the parameter has a default
    std::shared_ptr<Frame> closure;
    bool no_grad = false;  // @torch.no_grad()
    bool is_static = false;
};

using BuiltinBody = Result<Value> (*)(Interpreter& interpreter, Arguments& arguments);
struct Builtin : ops::Object {
    Builtin(std::string n, BuiltinBody b) : name(std::move(n)), body(b) {}
    std::string_view type_name() const override { return "builtin_function_or_method"; }
    std::string name;
    BuiltinBody body;
};

// A function that carries values: partial, a method of a list, a decorator.
using Body = std::function<Result<Value>(Interpreter& interpreter, Arguments& arguments)>;
struct Callable : ops::Object {
    Callable(std::string n, Body b, Values h = {}) : name(std::move(n)), body(std::move(b)), holds(std::move(h)) {}
    std::string_view type_name() const override { return "builtin_function_or_method"; }
    std::string name;
    Body body;
    Values holds;  // what the body keeps alive, so that a container is not put into itself through it
};

// torch.masked_fill, F.softmax; with `self` the bound method x.masked_fill_.
struct OpFunction : ops::Object {
    OpFunction(const ops::OpSpec& s, ops::Form f, Value bound = {}) : spec(s), form(f), self(std::move(bound)) {}
    std::string_view type_name() const override { return "builtin_function_or_method"; }
    const ops::OpSpec& spec;
    ops::Form form;
    Value self;
};

// A pasted method of `self`.
struct BoundMethod : ops::Object {
    std::string_view type_name() const override { return "method"; }
    Value self;
    std::shared_ptr<Function> function;
};

struct Range : ops::Object {
    std::string_view type_name() const override { return "range"; }
    std::int64_t start = 0;
    std::int64_t stop = 0;
    std::int64_t step = 1;
    std::int64_t count() const;
};

// torch, torch.nn.functional, math: looked up by attribute.
struct ModuleObject : ops::Object {
    explicit ModuleObject(std::string n) : name(std::move(n)) {}
    std::string_view type_name() const override { return "module"; }
    std::string name;  // "torch.nn.functional"
};

// A type: called it converts, in isinstance it is compared.
struct TypeObject : ops::Object {
    TypeObject(std::string n, BuiltinBody c, std::optional<DType> d = {}) : name(std::move(n)), convert(c), dtype(d) {}
    std::string_view type_name() const override { return "type"; }
    std::optional<DType> as_dtype() const override { return dtype; }
    std::string name;  // "int", "Tensor", "ValueError"
    BuiltinBody convert;
    std::optional<DType> dtype;
};

// An exception made by ValueError("..."): raised, or never.
struct ExceptionObject : ops::Object {
    std::string_view type_name() const override { return type; }
    std::string type;
    std::string text;
};

// `with torch.no_grad():`, also called and used as a decorator.
struct GradMode : ops::Object {
    explicit GradMode(bool e) : enabled(e) {}
    std::string_view type_name() const override { return "grad_mode"; }
    bool enabled;
};

// `self` of a pasted method, and types.SimpleNamespace: attributes by name.
struct Namespace : ops::Object {
    explicit Namespace(std::string t) : type(std::move(t)) {}
    std::string_view type_name() const override { return type; }
    std::string type;
    std::map<std::string, Value> attributes;
};

// torch.finfo(torch.float16)
struct TypeInfo : ops::Object {
    explicit TypeInfo(DType d) : dtype(d) {}
    std::string_view type_name() const override { return is_floating(dtype) ? "finfo" : "iinfo"; }
    DType dtype;
};

// A range of up to a million as the list of its ints; any other value as it is.
Value range_as_list(const Value& value);

template <class T>
std::shared_ptr<T> object_as(const Value& value) {
    const auto* object = value.get_if<std::shared_ptr<ops::Object>>();
    return object != nullptr ? std::dynamic_pointer_cast<T>(*object) : nullptr;
}

template <class T, class... Args>
Value make_object(Args&&... args) {
    return std::shared_ptr<ops::Object>(std::make_shared<T>(std::forward<Args>(args)...));
}

}  // namespace maskscope::script
