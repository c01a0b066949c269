// SPDX-License-Identifier: Apache-2.0
// A tree as one line of text, for tests: (+ a (call f b k=1)).
#pragma once

#include "core/script/syntax/ast.h"

#include <fmt/core.h>

#include <string>
#include <string_view>

namespace maskscope::script {

class AstText {
public:
    // With spans, each expression is followed by @begin-end.
    explicit AstText(bool spans = false) : spans_(spans) {}

    std::string operator()(const ExprPtr& expr) const { return expr ? (*this)(*expr) : "_"; }
    std::string operator()(const Expr& expr) const {
        std::string out = std::visit([&](const auto& node) { return text(node); }, expr.node);
        if (spans_) out += fmt::format("@{}-{}", expr.span.begin, expr.span.end);
        return out;
    }
    std::string operator()(const Stmt& stmt) const {
        std::string out = std::visit([&](const auto& node) { return text(node); }, stmt.node);
        if (spans_) out += fmt::format("@{}-{}", stmt.span.begin, stmt.span.end);
        return out;
    }
    std::string operator()(const Block& block) const {
        std::string out;
        for (const auto& stmt : block) out += (out.empty() ? "" : " ") + (*this)(*stmt);
        return out;
    }

private:
    // "(head a b)"
    template <class... Parts>
    static std::string list(std::string_view head, const Parts&... parts) {
        std::string out = "(" + std::string(head);
        for (const std::string& part : {std::string(parts)...}) {
            if (!part.empty()) out += " " + part;
        }
        return out + ")";
    }
    std::string all(const Exprs& exprs) const {
        std::string out;
        for (const auto& expr : exprs) out += (out.empty() ? "" : " ") + (*this)(*expr);
        return out;
    }
    static std::string quoted(std::string_view text) {
        std::string out = "\"";
        for (const char c : text) {
            if (c == '\n') {
                out += "\\n";
            } else if (c == '"' || c == '\\') {
                out += std::string("\\") + c;
            } else {
                out += c;
            }
        }
        return out + "\"";
    }
    static std::string names(const std::vector<Identifier>& identifiers) {
        std::string out;
        for (const auto& name : identifiers) out += (out.empty() ? "" : " ") + name.text;
        return out;
    }
    std::string arguments(const std::vector<Argument>& arguments) const {
        std::string out;
        for (const auto& argument : arguments) {
            if (!out.empty()) out += " ";
            if (argument.kind == Argument::Kind::starred) out += "*";
            if (argument.kind == Argument::Kind::double_starred) out += "**";
            if (argument.kind == Argument::Kind::keyword) out += argument.name + "=";
            out += (*this)(argument.value);
        }
        return out;
    }
    std::string parameters(const std::vector<Parameter>& parameters) const {
        std::string out = "(";
        auto before = Parameter::Kind::positional_only;
        const auto add = [&](const std::string& word) { out += (out.size() > 1 ? " " : "") + word; };
        for (const auto& parameter : parameters) {
            const auto kind = parameter.kind;
            if (before == Parameter::Kind::positional_only && kind != before && out.size() > 1) add("/");
            if (kind == Parameter::Kind::keyword_only && before < Parameter::Kind::var_positional) add("*");
            before = kind;
            const char* stars = kind == Parameter::Kind::var_positional ? "*"
                                : kind == Parameter::Kind::var_keyword  ? "**"
                                                                        : "";
            const std::string annotation = parameter.annotation ? ":" + (*this)(parameter.annotation) : "";
            add(stars + parameter.name + annotation +
                (parameter.default_value ? "=" + (*this)(parameter.default_value) : ""));
        }
        if (before == Parameter::Kind::positional_only && !parameters.empty()) add("/");
        return out + ")";
    }
    std::string decorators(const Exprs& exprs) const {
        std::string out;
        for (const auto& expr : exprs) out += (out.empty() ? "@" : " @") + (*this)(*expr);
        return out;
    }
    std::string part(std::string_view head, const Block& block) const {
        return block.empty() ? "" : list(head, (*this)(block));
    }

    std::string text(const Constant& e) const {
        return std::visit(
            Overloaded{[](NoneValue) { return std::string("None"); }, [](EllipsisValue) { return std::string("..."); },
                       [](bool value) { return std::string(value ? "True" : "False"); },
                       [](std::int64_t value) { return fmt::format("{}", value); },
                       [](double value) { return fmt::format("{:.17g}f", value); },
                       [](const std::string& value) { return quoted(value); }},
            e.value);
    }
    std::string text(const Name& e) const { return e.id; }
    std::string text(const FString& e) const { return list("fstring", all(e.values)); }
    std::string text(const FormattedValue& e) const {
        return list("field", (*this)(e.value), e.conversion != 0 ? std::string("!") + e.conversion : "",
                    e.format_spec ? (*this)(e.format_spec) : "");
    }
    std::string text(const Attribute& e) const { return list(".", (*this)(e.value), e.name.text); }
    std::string text(const Subscript& e) const { return list("[]", (*this)(e.value), (*this)(e.index)); }
    std::string text(const Slice& e) const { return list(":", (*this)(e.lower), (*this)(e.upper), (*this)(e.step)); }
    std::string text(const Call& e) const { return list("call", (*this)(e.callee), arguments(e.arguments)); }
    std::string text(const Unary& e) const { return list(symbol(e.op), (*this)(e.operand)); }
    std::string text(const Binary& e) const { return list(symbol(e.op), (*this)(e.left), (*this)(e.right)); }
    std::string text(const BoolExpr& e) const { return list(symbol(e.op), all(e.values)); }
    std::string text(const Compare& e) const {
        std::string out = "(compare " + (*this)(e.left);
        for (std::size_t i = 0; i < e.ops.size(); ++i) {
            out += fmt::format(" {} {}", symbol(e.ops[i]), (*this)(e.rights[i]));
        }
        return out + ")";
    }
    std::string text(const Conditional& e) const {
        return list("if", (*this)(e.test), (*this)(e.body), (*this)(e.orelse));
    }
    std::string text(const Lambda& e) const { return list("lambda", parameters(e.parameters), (*this)(e.body)); }
    std::string text(const List& e) const { return list("list", all(e.elements)); }
    std::string text(const Tuple& e) const { return list("tuple", all(e.elements)); }
    std::string text(const Set& e) const { return list("set", all(e.elements)); }
    std::string text(const Dict& e) const {
        std::string out = "(dict";
        for (const auto& item : e.items) {
            out += item.key ? " " + (*this)(item.key) + ":" + (*this)(item.value) : " **" + (*this)(item.value);
        }
        return out + ")";
    }
    std::string text(const Starred& e) const { return list("*", (*this)(e.value)); }
    std::string text(const Comprehension& e) const {
        static constexpr const char* words[] = {"listcomp", "setcomp", "generator", "dictcomp"};
        std::string clauses;
        for (const auto& clause : e.clauses) {
            clauses += (clauses.empty() ? "" : " ") +
                       list("for", (*this)(clause.target), (*this)(clause.iter), all(clause.conditions));
        }
        return list(words[static_cast<std::size_t>(e.kind)], (*this)(e.element), e.value ? (*this)(e.value) : "",
                    clauses);
    }
    std::string text(const NamedExpr& e) const { return list(":=", e.target.text, (*this)(e.value)); }

    std::string text(const ExprStmt& s) const { return list("expr", (*this)(s.value)); }
    std::string text(const Assign& s) const { return list("=", all(s.targets), (*this)(s.value)); }
    std::string text(const AnnAssign& s) const {
        return list("annotated", (*this)(s.target), (*this)(s.annotation), s.value ? (*this)(s.value) : "");
    }
    std::string text(const AugAssign& s) const {
        return list(std::string(symbol(s.op)) + "=", (*this)(s.target), (*this)(s.value));
    }
    std::string text(const Delete& s) const { return list("del", all(s.targets)); }
    std::string text(const Return& s) const { return list("return", s.value ? (*this)(s.value) : ""); }
    std::string text(const Pass&) const { return "(pass)"; }
    std::string text(const Break&) const { return "(break)"; }
    std::string text(const Continue&) const { return "(continue)"; }
    std::string text(const Assert& s) const {
        return list("assert", (*this)(s.test), s.message ? (*this)(s.message) : "");
    }
    std::string text(const Raise& s) const {
        return list("raise", s.exception ? (*this)(s.exception) : "", s.cause ? (*this)(s.cause) : "");
    }
    std::string text(const Global& s) const { return list("global", names(s.names)); }
    std::string text(const Nonlocal& s) const { return list("nonlocal", names(s.names)); }
    static std::string imported(const std::vector<ImportName>& names) {
        std::string out;
        for (const auto& name : names) {
            out += (out.empty() ? "" : " ") + name.name + (name.alias.empty() ? "" : ":" + name.alias);
        }
        return out;
    }
    std::string text(const Import& s) const { return list("import", imported(s.names)); }
    std::string text(const ImportFrom& s) const {
        return list("from", std::string(static_cast<std::size_t>(s.level), '.') + s.module, imported(s.names));
    }
    std::string text(const If& s) const {
        std::string branches;
        for (const auto& branch : s.branches) {
            branches += (branches.empty() ? "" : " ") + list("when", (*this)(branch.test), (*this)(branch.body));
        }
        return list("if", branches, part("else", s.orelse));
    }
    std::string text(const For& s) const {
        return list("for", (*this)(s.target), (*this)(s.iter), part("do", s.body), part("else", s.orelse));
    }
    std::string text(const While& s) const {
        return list("while", (*this)(s.test), part("do", s.body), part("else", s.orelse));
    }
    std::string text(const With& s) const {
        std::string items;
        for (const auto& item : s.items) {
            items +=
                (items.empty() ? "" : " ") + (*this)(item.context) + (item.target ? ":" + (*this)(item.target) : "");
        }
        return list("with", items, part("do", s.body));
    }
    std::string text(const FunctionDef& s) const {
        return list("def", decorators(s.decorators), s.name.text, parameters(s.parameters),
                    s.returns ? "->" + (*this)(s.returns) : "", part("do", s.body));
    }
    std::string text(const ClassDef& s) const {
        return list("class", decorators(s.decorators), s.name.text, "(" + arguments(s.bases) + ")", part("do", s.body));
    }

    bool spans_;
};

}  // namespace maskscope::script
