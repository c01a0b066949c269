// SPDX-License-Identifier: Apache-2.0
#include "core/script/language/imports.h"
#include "core/script/language/interpreter.h"
#include "core/script/language/set_object.h"
#include "core/script/text/language_error.h"

namespace maskscope::script {
namespace {

class Statements {
public:
    Statements(Interpreter& interpreter, const Stmt& statement, Value& last)
        : in_(interpreter), statement_(statement), last_(last) {}

    Result<Flow> operator()(const ExprStmt& node) {
        MS_TRY(value, in_.eval(*node.value));
        last_ = std::move(value);
        return Flow::normal;
    }

    Result<Flow> operator()(const Assign& node) {
        MS_TRY(value, in_.eval(*node.value));
        for (const auto& target : node.targets) MS_CHECK(in_.assign(*target, value));
        return Flow::normal;
    }

    Result<Flow> operator()(const AnnAssign& node) {
        if (!node.value) return Flow::normal;
        MS_TRY(value, in_.eval(*node.value));
        MS_CHECK(in_.assign(*node.target, value));
        return Flow::normal;
    }

    Result<Flow> operator()(const AugAssign& node) {
        MS_CHECK(in_.augment(node));
        return Flow::normal;
    }

    Result<Flow> operator()(const Delete& node) {
        for (const auto& target : node.targets) MS_CHECK(in_.remove(*target));
        return Flow::normal;
    }

    Result<Flow> operator()(const Return& node) {
        Value value;
        if (node.value) {
            MS_TRY(result, in_.eval(*node.value));
            value = std::move(result);
        }
        in_.frame()->returned = std::move(value);
        return Flow::returned;
    }

    Result<Flow> operator()(const Pass&) { return Flow::normal; }
    Result<Flow> operator()(const Break&) { return Flow::broken; }
    Result<Flow> operator()(const Continue&) { return Flow::continued; }

    Result<Flow> operator()(const Assert& node) {
        MS_TRY(test, in_.eval(*node.test));
        MS_TRY(is_true, in_.truth(test));
        if (is_true) return Flow::normal;
        std::string text;
        if (node.message) {
            MS_TRY(message, in_.eval(*node.message));
            MS_TRY(shown, in_.str(message));
            text = std::move(shown);
        }
        Error error = ops::torch_error("AssertionError", "{}", text);
        error.where.line = statement_.line;
        error.where.span = {static_cast<int>(node.test->span.begin), static_cast<int>(node.test->span.end)};
        return error;
    }

    Result<Flow> operator()(const Raise& node) {
        if (!node.exception) return runtime_error("No active exception to reraise");
        MS_TRY(value, in_.eval(*node.exception));
        if (const auto type = object_as<TypeObject>(value)) {
            MS_TRY(made, in_.call(value, Values{}));
            value = std::move(made);
        }
        const auto exception = object_as<ExceptionObject>(value);
        if (!exception) return type_error("exceptions must derive from BaseException");
        return ops::torch_error(exception->type.c_str(), "{}", exception->text);
    }

    // Known to the parser, which has put them into the scopes.
    Result<Flow> operator()(const Global&) { return Flow::normal; }
    Result<Flow> operator()(const Nonlocal&) { return Flow::normal; }

    Result<Flow> operator()(const Import& node) {
        for (const auto& name : node.names) MS_CHECK(import_module(in_, name));
        return Flow::normal;
    }
    Result<Flow> operator()(const ImportFrom& node) {
        MS_CHECK(import_from(in_, node));
        return Flow::normal;
    }

    Result<Flow> operator()(const If& node) {
        for (const auto& branch : node.branches) {
            MS_TRY(test, in_.eval(*branch.test));
            MS_TRY(is_true, in_.truth(test));
            if (is_true) return in_.exec(branch.body);
        }
        return in_.exec(node.orelse);
    }

    Result<Flow> operator()(const For& node) {
        MS_TRY(iterable, in_.eval(*node.iter));
        Flow flow = Flow::normal;
        const auto once = [&](const Value& item) -> Result<bool> {
            MS_CHECK(in_.tick());
            MS_CHECK(in_.assign(*node.target, item));
            MS_TRY(ended, in_.exec(node.body));
            flow = ended;
            return flow == Flow::normal || flow == Flow::continued;
        };
        MS_CHECK(in_.for_each(iterable, once));
        return after_loop(flow, node.orelse);
    }

    Result<Flow> operator()(const While& node) {
        Flow flow = Flow::normal;
        while (true) {
            MS_CHECK(in_.tick());
            MS_TRY(test, in_.eval(*node.test));
            MS_TRY(is_true, in_.truth(test));
            if (!is_true) break;
            MS_TRY(ended, in_.exec(node.body));
            flow = ended;
            if (flow == Flow::broken || flow == Flow::returned) break;
        }
        return after_loop(flow, node.orelse);
    }

    Result<Flow> operator()(const With& node) {
        ops::Run& run = in_.run_state();
        const bool before = run.grad_enabled;
        for (const auto& item : node.items) {
            MS_TRY(context, in_.eval(*item.context));
            const auto mode = object_as<GradMode>(context);
            if (!mode) {
                run.grad_enabled = before;
                return not_in_the_language(
                    MS_TEXT("with is here for torch.no_grad(), enable_grad() and inference_mode() only, not for {}"),
                    ops::type_name(context));
            }
            run.grad_enabled = mode->enabled;
            if (item.target) MS_CHECK(in_.assign(*item.target, context));
        }
        auto flow = in_.exec(node.body);
        run.grad_enabled = before;
        return flow;
    }

    Result<Flow> operator()(const FunctionDef& node) {
        auto function = std::make_shared<Function>();
        function->name = node.name.text;
        function->parameters = &node.parameters;
        function->body = &node.body;
        function->scope = &node.scope;
        function->closure = in_.frame();
        MS_TRY(defaults, default_values(in_, node.parameters));
        function->defaults = std::move(defaults);
        Value value = std::shared_ptr<ops::Object>(function);
        for (auto i = node.decorators.size(); i-- > 0;) {
            MS_TRY(decorated, decorate(*node.decorators[i], function, value));
            value = std::move(decorated);
        }
        in_.bind(node.name.text, std::move(value));
        return Flow::normal;
    }

    Result<Flow> operator()(const ClassDef& node) {
        return not_in_the_language(
            MS_TEXT("class {} is not part of the mask script: paste its methods, they run with self"), node.name.text);
    }

private:
    Result<Flow> after_loop(Flow flow, const Block& orelse) {
        if (flow == Flow::returned) return flow;
        if (flow == Flow::broken) return Flow::normal;
        return in_.exec(orelse);
    }

    // torch.jit.script and the like change nothing here; any other callable is called.
    Result<Value> decorate(const Expr& decorator, const std::shared_ptr<Function>& function, const Value& decorated) {
        const std::string_view text = in_.module().source.text(decorator.span);
        if (text == "staticmethod") {
            function->is_static = true;
            return decorated;
        }
        if (text.starts_with("torch.jit.") || text.starts_with("torch.compile") || text == "classmethod" ||
            text == "property" || text == "abstractmethod" || text.starts_with("functools."))
            return decorated;
        MS_TRY(value, in_.eval(decorator));
        if (const auto mode = object_as<GradMode>(value)) {
            function->no_grad = !mode->enabled;
            return decorated;
        }
        return in_.call(value, Values{decorated});
    }

    Interpreter& in_;
    const Stmt& statement_;
    Value& last_;
};

}  // namespace

Result<Flow> Interpreter::exec(const Stmt& statement) {
    MS_CHECK(tick());
    MS_CHECK(check_stack());
    last_ = Value();
    auto flow = std::visit(Statements(*this, statement, last_), statement.node);
    if (!flow && !flow.error().where.line) {
        auto& where = flow.error().where;
        where.line = statement.line;
        where.span = {static_cast<int>(statement.span.begin), static_cast<int>(statement.span.end)};
    }
    return flow;
}

Result<Flow> Interpreter::exec(const Block& block) {
    for (const auto& statement : block) {
        MS_TRY(flow, exec(*statement));
        if (flow != Flow::normal) return flow;
    }
    return Flow::normal;
}

}  // namespace maskscope::script
