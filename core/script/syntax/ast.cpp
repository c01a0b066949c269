// SPDX-License-Identifier: Apache-2.0
#include "core/script/syntax/ast.h"

#include <array>
#include <cstddef>

namespace maskscope::script {

namespace {

template <std::size_t count, class Op>
const char* word(const std::array<const char*, count>& words, Op op) {
    return words[static_cast<std::size_t>(op)];
}

}  // namespace

const char* symbol(UnaryOp op) {
    static constexpr std::array words = {"-", "+", "~", "not"};
    return word(words, op);
}

const char* symbol(BinaryOp op) {
    static constexpr std::array words = {"+", "-", "*", "@", "/", "//", "%", "**", "<<", ">>", "|", "^", "&"};
    return word(words, op);
}

const char* symbol(BoolOp op) {
    static constexpr std::array words = {"and", "or"};
    return word(words, op);
}

const char* symbol(CompareOp op) {
    static constexpr std::array words = {"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"};
    return word(words, op);
}

void for_each_part(const ExprNode& node, FunctionRef<void(const Expr&)> visit) {
    const auto one = [&](const ExprPtr& expr) {
        if (expr) visit(*expr);
    };
    const auto each = [&](const auto&... exprs) { (one(exprs), ...); };
    const auto all = [&](const Exprs& exprs) {
        for (const ExprPtr& expr : exprs) one(expr);
    };
    const auto clauses = [&](const std::vector<ComprehensionClause>& found) {
        for (const auto& [target, iter, conditions] : found) {
            each(target, iter);
            all(conditions);
        }
    };
    std::visit(Overloaded{
                   [&](const Constant&) {},
                   [&](const Name&) {},
                   [&](const FString& e) { all(e.values); },
                   [&](const FormattedValue& e) { each(e.value, e.format_spec); },
                   [&](const Attribute& e) { one(e.value); },
                   [&](const Subscript& e) { each(e.value, e.index); },
                   [&](const Slice& e) { each(e.lower, e.upper, e.step); },
                   [&](const Call& e) {
                       one(e.callee);
                       for (const Argument& argument : e.arguments) one(argument.value);
                   },
                   [&](const Unary& e) { one(e.operand); },
                   [&](const Binary& e) { each(e.left, e.right); },
                   [&](const BoolExpr& e) { all(e.values); },
                   [&](const Compare& e) {
                       one(e.left);
                       all(e.rights);
                   },
                   [&](const Conditional& e) { each(e.body, e.test, e.orelse); },
                   [&](const Lambda& e) {
                       for (const Parameter& parameter : e.parameters) one(parameter.default_value);
                       one(e.body);
                   },
                   [&](const List& e) { all(e.elements); },
                   [&](const Tuple& e) { all(e.elements); },
                   [&](const Set& e) { all(e.elements); },
                   [&](const Dict& e) {
                       for (const DictItem& item : e.items) each(item.key, item.value);
                   },
                   [&](const Starred& e) { one(e.value); },
                   [&](const Comprehension& e) {
                       each(e.element, e.value);
                       clauses(e.clauses);
                   },
                   [&](const NamedExpr& e) { one(e.value); },
               },
               node);
}

}  // namespace maskscope::script
