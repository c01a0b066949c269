// SPDX-License-Identifier: Apache-2.0
// The parser at work: recursive descent, one function for each rule of Python's grammar; parse() is its only user.
// A function that fails returns null or false and leaves the error in the parser, so that frames stay small.
#pragma once

#include "core/script/syntax/ast.h"
#include "core/script/syntax/lexer.h"
#include "core/script/syntax/parse_scope.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace maskscope::script {

// What a rule returns that has failed: null for a tree, false for a yes or no.
struct Failed {
    operator bool() const { return false; }
    operator ExprPtr() const { return nullptr; }
};

class Parser {
public:
    Parser(Module& module, TokenList tokens) : module_(module), list_(std::move(tokens)) {}

    bool parse_module();
    Error take_error() &&;  // after parse_module() returned false

private:
    enum class LoneEqual { allowed, refused };  // whether = may follow an expression

    // parser.cpp: tokens, errors, nodes
    const Token& peek(std::size_t ahead = 0) const {
        const std::size_t last = list_.tokens.size() - 1;
        return list_.tokens[pos_ + ahead < last ? pos_ + ahead : last];
    }
    bool at(TokenKind kind) const { return peek().kind == kind; }
    const Token& next();
    bool accept(TokenKind kind);
    bool expect(TokenKind kind);  // else "invalid syntax"
    std::string_view text(const Token& token) const { return list_.text_of(token.span); }
    Identifier identifier(const Token& token) const { return {std::string(text(token)), token.span}; }
    Span since(const Token& begin) const { return {begin.span.begin, last_end_}; }

    Failed fail(Error error);
    Failed fail(Span span, int line, std::string words);
    Failed fail(const Expr& expr, std::string words) { return fail(expr.span, expr.line, std::move(words)); }
    Failed fail(const Token& token, std::string words) { return fail(token.span, token.line, std::move(words)); }
    Failed unexpected();  // the current token fits nowhere
    Failed too_deep(const Token& token);
    ExprPtr make(ExprNode node, const Token& begin);
    template <class Node>
    void add(Block& block, Node node, const Token& begin);

    // parse_hint.cpp
    std::optional<Error> refusal(const Token& token) const;  // Python that the mask script leaves out
    Error with_hint(Error error) const;                      // for an unexpected current token

    // parse_expression.cpp: by precedence
    ExprPtr expression();
    ExprPtr named_expression(LoneEqual equal = LoneEqual::refused);
    ExprPtr star_expressions();       // a, *b, c without parentheses
    ExprPtr star_named_expression();  // one element of a list, tuple, set
    ExprPtr lambda();
    ExprPtr disjunction();
    ExprPtr conjunction();
    ExprPtr inversion();
    ExprPtr comparison();
    bool comparison_operator(CompareOp& op);
    ExprPtr binary(int lowest);
    ExprPtr unary();
    ExprPtr power();

    // parse_atom.cpp: names, literals, brackets
    ExprPtr primary();
    ExprPtr atom();
    ExprPtr group();
    ExprPtr list();
    ExprPtr braces();
    ExprPtr dict_value();
    bool dict_item(DictItem& item);
    ExprPtr dict(DictItem first, const Token& begin);
    bool elements(TokenKind closer, Exprs& found);
    bool close(TokenKind closer, const Expr* last);
    ExprPtr comprehension(Comprehension::Kind kind, ExprPtr element, ExprPtr value, TokenKind closer,
                          const Token& begin);
    bool comprehension_clauses(Comprehension& comprehension);
    ExprPtr subscript(ExprPtr value, const Token& begin);
    ExprPtr slice();

    // parse_call.cpp: arguments and parameters
    bool arguments(std::vector<Argument>& found);  // from ( to )
    bool argument(Argument& found, const Token& opener);
    bool keyword_argument(Argument& found);
    struct ArgumentsSoFar {
        bool keyword = false;
        bool double_starred = false;
    };
    bool in_order(const Argument& argument, ArgumentsSoFar& so_far);
    bool parameters(TokenKind closer, bool annotated, std::vector<Parameter>& found);
    bool slash(std::vector<Parameter>& found, bool after_slash, bool after_star);
    bool parameter(bool annotated, Parameter& found);
    void bind_parameters(const std::vector<Parameter>& parameters);

    // parse_literal.cpp, parse_string.cpp
    ExprPtr number();

    ExprPtr strings();
    bool decode(const Token& token, Span body, bool raw, bool doubled_braces, std::string& out);
    bool escape(const Token& token, std::string_view text, std::size_t& at, std::string& out);
    bool fstring(Exprs& values);
    bool fstring_values(bool raw, TokenKind closer, Exprs& values);
    bool fstring_field(bool raw, Exprs& values);
    bool conversion(char& found);
    bool add_text(Exprs& values, std::string text, const Token& begin);

    // parse_target.cpp: what can be assigned
    enum class Target { assign, for_loop, del };
    bool store(const Expr& target, Target kind);
    bool augmented_target(const Expr& target);
    ExprPtr target_list();  // of for, up to `in`
    bool no_star(const Expr& value);

    // parse_statement.cpp
    bool statement(Block& block);
    bool simple_statements(Block& block);
    bool simple_statement(Block& block);
    bool expression_statement(Block& block);
    bool assignment(Block& block, ExprPtr first, const Token& begin);
    bool annotation(Block& block, ExprPtr target, const Token& begin);
    bool augmented_assignment(Block& block, ExprPtr target, const Token& begin);
    bool return_statement(Block& block);
    bool loop_word(Block& block);
    bool assert_statement(Block& block);
    bool raise_statement(Block& block);
    bool del_statement(Block& block);
    bool scope_statement(Block& block);

    // parse_import.cpp
    bool import_statement(Block& block);
    bool from_statement(Block& block);
    bool dotted_name(std::string& name);
    bool alias(ImportName& name);

    // parse_block.cpp: statements with a body
    bool body(Block& block, const char* after, const Token& word);
    bool colon(const Token& word);
    bool orelse(Block& block);
    bool if_statement(Block& block);
    bool for_statement(Block& block);
    bool while_statement(Block& block);
    bool with_statement(Block& block);
    bool with_items(std::vector<WithItem>& items, TokenKind closer);
    bool with_items_in_parentheses() const;
    bool decorated(Block& block);
    bool function(Block& block, Exprs decorators);
    bool class_definition(Block& block, Exprs decorators);

    // Counts the recursion of the functions that can nest without end.
    struct Nested {
        explicit Nested(Parser& parser) : depth(parser.depth_) { ++depth; }
        ~Nested() { --depth; }
        Nested(const Nested&) = delete;
        Nested& operator=(const Nested&) = delete;
        bool too_deep() const { return depth > kHighestExpr; }
        int& depth;
    };
    // What return, break and continue may refer to.
    struct Surroundings {
        bool in_function = false;
        bool in_loop = false;
    };

    Module& module_;
    TokenList list_;
    std::size_t pos_ = 0;
    std::uint32_t last_end_ = 0;  // of the last token that was not layout
    int depth_ = 0;
    Surroundings around_;
    Scopes scopes_;
    std::optional<Error> error_;
};

template <class Node>
void Parser::add(Block& block, Node node, const Token& begin) {
    block.push_back(std::make_unique<Stmt>(Stmt{std::move(node), since(begin), begin.line}));
}

}  // namespace maskscope::script
