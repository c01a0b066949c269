// SPDX-License-Identifier: Apache-2.0
#include "core/script/language/interpreter.h"
#include "core/script/language/set_object.h"
#include "core/script/text/language_error.h"

#include <type_traits>

namespace maskscope::script {

// Evaluates one node; Interpreter::eval adds budget, place and errors' spans.
class Expressions {
public:
    explicit Expressions(Interpreter& interpreter) : in_(interpreter) {}

    Result<Value> operator()(const Constant& node) {
        return std::visit(
            [](const auto& value) -> Value {
                using T = std::decay_t<decltype(value)>;
                if constexpr (std::is_same_v<T, NoneValue>)
                    return Value();
                else if constexpr (std::is_same_v<T, EllipsisValue>)
                    return Value(ops::Ellipsis());
                else
                    return Value(value);
            },
            node.value);
    }

    Result<Value> operator()(const Name& node) { return in_.look_up(node.id); }

    Result<Value> operator()(const FString& node) {
        std::string out;
        for (const auto& part : node.values) {
            MS_TRY(text, in_.eval(*part));
            out += *text.get_if<std::string>();
        }
        MS_CHECK(in_.grow(out.size()));
        return Value(std::move(out));
    }

    Result<Value> operator()(const FormattedValue& node) {
        MS_TRY(value, in_.eval(*node.value));
        Value shown = value;
        if (node.conversion == 's') {
            MS_TRY(text, in_.str(value));
            shown = std::move(text);
        } else if (node.conversion != 0) {
            MS_TRY(text, in_.repr(value));
            shown = std::move(text);
        }
        std::string spec;
        if (node.format_spec) {
            MS_TRY(text, in_.eval(*node.format_spec));
            spec = *text.get_if<std::string>();
        }
        MS_TRY(text, in_.format(shown, spec));
        return Value(std::move(text));
    }

    Result<Value> operator()(const Attribute& node) {
        MS_TRY(owner, in_.eval(*node.value));
        return in_.attribute(owner, node.name.text);
    }

    Result<Value> operator()(const Subscript& node) {
        MS_TRY(owner, in_.eval(*node.value));
        MS_TRY(index, in_.eval(*node.index));
        return in_.get_item(owner, index);
    }

    Result<Value> operator()(const Slice& node) {
        ops::Slice out;
        const auto part = [&](const ExprPtr& from, Value& to) -> Result<void> {
            if (!from) return {};
            MS_TRY(value, in_.eval(*from));
            to = std::move(value);
            return {};
        };
        MS_CHECK(part(node.lower, out.start));
        MS_CHECK(part(node.upper, out.stop));
        MS_CHECK(part(node.step, out.step));
        return Value(std::shared_ptr<const ops::Slice>(std::make_shared<ops::Slice>(std::move(out))));
    }

    Result<Value> operator()(const Call& node) {
        MS_TRY(callee, in_.eval(*node.callee));
        Arguments arguments;
        bool plain = true;
        for (const auto& argument : node.arguments) {
            // A bare generator among the arguments has its own brackets already.
            MS_TRY(value, in_.eval(*argument.value));
            switch (argument.kind) {
                case Argument::Kind::positional:
                    arguments.positional.push_back(std::move(value));
                    if (plain) arguments.spans.push_back(argument.span);
                    break;
                case Argument::Kind::starred: {
                    plain = false;
                    MS_TRY(items, in_.to_values(value));
                    for (auto& item : items) arguments.positional.push_back(std::move(item));
                    break;
                }
                case Argument::Kind::keyword:
                    MS_CHECK(add_named(arguments, argument.name, std::move(value)));
                    break;
                case Argument::Kind::double_starred: {
                    const auto* dict = value.get_if<std::shared_ptr<ops::Dict>>();
                    if (dict == nullptr)
                        return type_error("argument after ** must be a mapping, not {}", ops::type_name(value));
                    for (const auto& [key, item] : (*dict)->items) {
                        const auto* name = key.get_if<std::string>();
                        if (name == nullptr) return type_error("keywords must be strings");
                        MS_CHECK(add_named(arguments, *name, item));
                    }
                    break;
                }
            }
        }
        return in_.call(callee, arguments);
    }

    Result<Value> operator()(const Unary& node) {
        MS_TRY(operand, in_.eval(*node.operand));
        return in_.unary(node.op, operand);
    }

    Result<Value> operator()(const Binary& node) {
        MS_TRY(left, in_.eval(*node.left));
        MS_TRY(right, in_.eval(*node.right));
        return in_.binary(node.op, left, right);
    }

    Result<Value> operator()(const BoolExpr& node) {
        Value last;
        for (std::size_t i = 0; i < node.values.size(); ++i) {
            MS_TRY(value, in_.eval(*node.values[i]));
            last = std::move(value);
            if (i + 1 == node.values.size()) break;
            MS_TRY(is_true, in_.truth(last));
            if (is_true != (node.op == BoolOp::logical_and)) break;
        }
        return last;
    }

    Result<Value> operator()(const Compare& node) {
        MS_TRY(left, in_.eval(*node.left));
        Value out;
        for (std::size_t i = 0; i < node.ops.size(); ++i) {
            MS_TRY(right, in_.eval(*node.rights[i]));
            MS_TRY(verdict, in_.compare(node.ops[i], left, right));
            out = std::move(verdict);
            if (i + 1 == node.ops.size()) break;
            MS_TRY(is_true, in_.truth(out));
            if (!is_true) break;
            left = std::move(right);
        }
        return out;
    }

    Result<Value> operator()(const Conditional& node) {
        MS_TRY(test, in_.eval(*node.test));
        MS_TRY(is_true, in_.truth(test));
        return in_.eval(is_true ? *node.body : *node.orelse);
    }

    Result<Value> operator()(const Lambda& node) {
        auto out = std::make_shared<Function>();
        out->name = "<lambda>";
        out->parameters = &node.parameters;
        out->expression = node.body.get();
        out->scope = &node.scope;
        out->closure = in_.frame();
        MS_TRY(defaults, defaults_of(in_, node.parameters));
        out->defaults = std::move(defaults);
        return Value(std::shared_ptr<ops::Object>(std::move(out)));
    }

    Result<Value> operator()(const List& node) {
        MS_TRY(items, elements(node.elements));
        return ops::make_list(std::move(items));
    }
    Result<Value> operator()(const Tuple& node) {
        MS_TRY(items, elements(node.elements));
        return ops::make_tuple(std::move(items));
    }
    Result<Value> operator()(const Set& node) {
        MS_TRY(items, elements(node.elements));
        return make_set(in_, std::move(items));
    }

    Result<Value> operator()(const Dict& node) {
        auto dict = std::make_shared<ops::Dict>();
        for (const auto& item : node.items) {
            if (!item.key) {
                MS_TRY(other, in_.eval(*item.value));
                const auto* from = other.get_if<std::shared_ptr<ops::Dict>>();
                if (from == nullptr) return type_error("'{}' object is not a mapping", ops::type_name(other));
                const auto copy = (*from)->items;
                for (const auto& [key, value] : copy) MS_CHECK(in_.set_item(dict, key, value));
                continue;
            }
            MS_TRY(key, in_.eval(*item.key));
            MS_TRY(value, in_.eval(*item.value));
            MS_CHECK(in_.set_item(dict, key, value));
        }
        return Value(std::move(dict));
    }

    Result<Value> operator()(const Starred&) { return type_error("can't use starred expression here"); }

    Result<Value> operator()(const Comprehension& node) {
        const Interpreter::Inside inside(in_, comprehension_frame(node));
        Values items;
        auto dict = std::make_shared<ops::Dict>();
        MS_CHECK(clause(node, 0, items, dict));
        switch (node.kind) {
            case Comprehension::Kind::dict:
                return Value(std::move(dict));
            case Comprehension::Kind::set:
                return make_set(in_, std::move(items));
            case Comprehension::Kind::list:
            case Comprehension::Kind::generator:
                // A generator's items are made at once: nothing in the language can tell the difference but its cost.
                break;
        }
        return ops::make_list(std::move(items));
    }

    Result<Value> operator()(const NamedExpr& node) {
        MS_TRY(value, in_.eval(*node.value));
        // Belongs to the body around a comprehension.
        std::shared_ptr<Frame> target = in_.frame();
        while (target->is_comprehension && target->parent) target = target->parent;
        const Interpreter::Inside inside(in_, target);
        in_.bind(node.target.text, value);
        return value;
    }

    static Result<std::vector<Value>> defaults_of(Interpreter& in, const std::vector<Parameter>& parameters) {
        std::vector<Value> out;
        for (const auto& parameter : parameters) {
            if (!parameter.default_value) {
                out.emplace_back();
                continue;
            }
            MS_TRY(value, in.eval(*parameter.default_value));
            out.push_back(std::move(value));
        }
        return out;
    }

private:
    static Result<void> add_named(Arguments& arguments, const std::string& name, Value value) {
        for (const auto& [known, old] : arguments.named)
            if (known == name) return type_error("got multiple values for keyword argument '{}'", name);
        arguments.named.emplace_back(name, std::move(value));
        return {};
    }

    Result<Values> elements(const Exprs& exprs) {
        Values out;
        for (const auto& expr : exprs) {
            const auto* starred = expr->as<Starred>();
            MS_TRY(value, in_.eval(starred != nullptr ? *starred->value : *expr));
            if (starred == nullptr) {
                out.push_back(std::move(value));
                continue;
            }
            MS_TRY(items, in_.to_values(value));
            for (auto& item : items) out.push_back(std::move(item));
        }
        MS_CHECK(in_.grow(out.size() * sizeof(Value)));
        return out;
    }

    std::shared_ptr<Frame> comprehension_frame(const Comprehension& node) {
        auto frame = in_.new_frame(&node.scope, in_.frame());
        frame->is_comprehension = true;
        return frame;
    }

    // The clauses from `at` on, then the element.
    Result<void> clause(const Comprehension& node, std::size_t at, Values& items, std::shared_ptr<ops::Dict>& dict) {
        if (at == node.clauses.size()) {
            MS_TRY(element, in_.eval(*node.element));
            if (node.kind == Comprehension::Kind::dict) {
                MS_TRY(value, in_.eval(*node.value));
                return in_.set_item(dict, element, value);
            }
            items.push_back(std::move(element));
            return in_.grow(sizeof(Value));
        }
        const auto& part = node.clauses[at];
        MS_TRY(iterable, in_.eval(*part.iter));
        return in_.for_each(iterable, [&](const Value& item) -> Result<bool> {
            MS_CHECK(in_.tick());
            MS_CHECK(in_.assign(*part.target, item));
            for (const auto& condition : part.conditions) {
                MS_TRY(value, in_.eval(*condition));
                MS_TRY(is_true, in_.truth(value));
                if (!is_true) return true;
            }
            MS_CHECK(clause(node, at + 1, items, dict));
            return true;
        });
    }

    Interpreter& in_;
};

Result<std::vector<Value>> default_values(Interpreter& in, const std::vector<Parameter>& parameters) {
    return Expressions::defaults_of(in, parameters);
}

Result<Value> Interpreter::eval(const Expr& expr) {
    MS_CHECK(tick());
    MS_CHECK(check_stack());
    const Expr* before = at_;
    at_ = &expr;
    auto result = std::visit(Expressions(*this), expr.node);
    at_ = before;
    if (!result && !result.error().where.line) {
        auto& where = result.error().where;
        where.line = expr.line;
        where.span = {static_cast<int>(expr.span.begin), static_cast<int>(expr.span.end)};
    }
    return result;
}

}  // namespace maskscope::script
