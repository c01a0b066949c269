// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/admit.h"
#include "core/script/language/hints.h"
#include "core/script/language/interpreter.h"
#include "core/script/text/language_error.h"
#include "core/script/trace/recorder.h"

#include <algorithm>

namespace maskscope::script {
namespace {

constexpr int kDeepestCall = 900;

std::string listed(const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) out += names.size() == 2 ? " and " : i + 1 == names.size() ? ", and " : ", ";
        out += "'" + names[i] + "'";
    }
    return out;
}

// Lays the arguments over the parameters, in Python's order and words.
class Binding {
public:
    Binding(const Function& function, Arguments& arguments, Frame& frame)
        : function_(function), parameters_(*function.parameters), arguments_(arguments), frame_(frame) {}

    Result<void> bind() {
        MS_CHECK(bind_positional());
        MS_CHECK(bind_named());
        return bind_defaults();
    }

private:
    Result<void> bind_positional() {
        std::size_t next = 0;
        for (const auto& parameter : parameters_) {
            if (parameter.kind == Parameter::Kind::var_positional) {
                Values rest(arguments_.positional.begin() + static_cast<std::ptrdiff_t>(next),
                            arguments_.positional.end());
                frame_.names[parameter.name] = ops::make_tuple(std::move(rest));
                next = arguments_.positional.size();
                continue;
            }
            if (parameter.kind != Parameter::Kind::positional && parameter.kind != Parameter::Kind::positional_only)
                continue;
            if (next < arguments_.positional.size()) frame_.names[parameter.name] = arguments_.positional[next++];
        }
        if (next < arguments_.positional.size()) return too_many();
        return {};
    }

    Result<void> bind_named() {
        auto rest = std::make_shared<ops::Dict>();
        const Parameter* keywords = nullptr;
        for (const auto& parameter : parameters_)
            if (parameter.kind == Parameter::Kind::var_keyword) keywords = &parameter;
        for (auto& [name, value] : arguments_.named) {
            const auto found =
                std::find_if(parameters_.begin(), parameters_.end(), [&, &written = name](const Parameter& p) {
                    return p.name == written &&
                           (p.kind == Parameter::Kind::positional || p.kind == Parameter::Kind::keyword_only);
                });
            if (found == parameters_.end()) {
                if (keywords == nullptr)
                    return type_error("{}() got an unexpected keyword argument '{}'", function_.name, name);
                rest->items.emplace_back(Value(name), std::move(value));
                continue;
            }
            if (frame_.names.contains(name))
                return type_error("{}() got multiple values for argument '{}'", function_.name, name);
            frame_.names[name] = std::move(value);
        }
        if (keywords != nullptr) frame_.names[keywords->name] = Value(std::move(rest));
        return {};
    }

    Result<void> bind_defaults() {
        std::vector<std::string> missing;
        std::vector<std::string> missing_keywords;
        for (std::size_t i = 0; i < parameters_.size(); ++i) {
            const auto& parameter = parameters_[i];
            if (frame_.names.contains(parameter.name)) continue;
            if (parameter.default_value) {
                frame_.names[parameter.name] = function_.defaults[i];
            } else {
                (parameter.kind == Parameter::Kind::keyword_only ? missing_keywords : missing)
                    .push_back(parameter.name);
            }
        }
        if (!missing.empty())
            return type_error("{}() missing {} required positional argument{}: {}", function_.name, missing.size(),
                              missing.size() == 1 ? "" : "s", listed(missing));
        if (!missing_keywords.empty())
            return type_error("{}() missing {} required keyword-only argument{}: {}", function_.name,
                              missing_keywords.size(), missing_keywords.size() == 1 ? "" : "s",
                              listed(missing_keywords));
        return {};
    }

    Error too_many() const {
        std::size_t most = 0;
        std::size_t required = 0;
        for (const auto& parameter : parameters_) {
            if (parameter.kind != Parameter::Kind::positional && parameter.kind != Parameter::Kind::positional_only)
                continue;
            ++most;
            if (!parameter.default_value) ++required;
        }
        const std::size_t given = arguments_.positional.size();
        const char* were = given == 1 ? "was" : "were";
        if (required < most)
            return type_error("{}() takes from {} to {} positional arguments but {} {} given", function_.name, required,
                              most, given, were);
        return type_error("{}() takes {} positional argument{} but {} {} given", function_.name, most,
                          most == 1 ? "" : "s", given, were);
    }

    const Function& function_;
    const std::vector<Parameter>& parameters_;
    Arguments& arguments_;
    Frame& frame_;
};

}  // namespace

Result<Value> Interpreter::call(const Value& callee, Values positional) {
    Arguments arguments;
    arguments.positional = std::move(positional);
    return call(callee, arguments);
}

Result<Value> Interpreter::call(const Value& callee, Arguments& arguments) {
    if (const auto op = object_as<OpFunction>(callee)) {
        for (auto& value : arguments.positional) value = range_as_list(value);
        if (!op->self.is_none()) arguments.positional.insert(arguments.positional.begin(), op->self);
        argument_spans_ = &arguments.spans;
        auto result = call_op(op->spec, op->form, arguments.positional, arguments.named);
        argument_spans_ = nullptr;
        return result;
    }
    if (const auto function = object_as<Function>(callee)) return call_function(*function, arguments);
    if (const auto builtin = object_as<Builtin>(callee)) return builtin->body(*this, arguments);
    if (const auto callable = object_as<Callable>(callee)) return callable->body(*this, arguments);
    if (const auto type = object_as<TypeObject>(callee)) return type->convert(*this, arguments);
    if (const auto method = object_as<BoundMethod>(callee)) {
        if (!method->function->is_static) arguments.positional.insert(arguments.positional.begin(), method->self);
        return call_function(*method->function, arguments);
    }
    // torch.no_grad() and torch.no_grad both stand for the mode; as a decorator it gets the function.
    if (const auto mode = object_as<GradMode>(callee)) return callee;
    if (const auto space = object_as<Namespace>(callee); space && space->attributes.contains("forward"))
        return call(space->attributes.at("forward"), arguments);
    return type_error("'{}' object is not callable", ops::shown_type(callee));
}

Result<Value> Interpreter::call_function(const Function& function, Arguments& arguments) {
    if (calls_ >= kDeepestCall) return ops::torch_error("RecursionError", "maximum recursion depth exceeded");
    auto frame = new_frame(function.scope, function.closure);
    MS_CHECK(Binding(function, arguments, *frame).bind());
    const Inside inside(*this, frame);
    const bool grad_before = run_.grad_enabled;
    if (function.no_grad) run_.grad_enabled = false;
    ++calls_;
    Result<Value> result = [&]() -> Result<Value> {
        if (function.expression != nullptr) return eval(*function.expression);
        MS_TRY(flow, exec(*function.body));
        return flow == Flow::returned ? std::move(frame->returned) : Value();
    }();
    --calls_;
    run_.grad_enabled = grad_before;
    return result;
}

Result<Value> Interpreter::call_op(const ops::OpSpec& spec, ops::Form form, std::span<const Value> positional,
                                   std::span<const Named> named) {
    if (recorder_ && at_ != nullptr) recorder_->at(at_->span, at_->line, argument_spans_);
    argument_spans_ = nullptr;
    auto result = run_.call(spec, form, positional, named);
    if (!result && result.error().hint.empty()) add_hint(result.error(), spec, positional, named, module_, at_);
    return result;
}

Result<Value> Interpreter::call_op(std::string_view name, ops::Form form, std::initializer_list<Value> positional) {
    const ops::OpSpec* spec = run_.table().find(name, form);
    if (spec == nullptr) spec = run_.table().find(name);
    if (spec == nullptr) return not_in_the_language(MS_TEXT("the engine has no op {}"), name);
    const bool has_form = run_.table().find(name, form) != nullptr;
    return call_op(*spec, has_form ? form : ops::Form::internal, std::span(positional.begin(), positional.size()));
}

}  // namespace maskscope::script
