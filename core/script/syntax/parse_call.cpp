// SPDX-License-Identifier: Apache-2.0
// Arguments of calls and parameters of functions.
#include "core/script/syntax/parse_state.h"
#include "core/script/syntax/parse_words.h"

#include <fmt/core.h>

#include <unordered_set>

namespace maskscope::script {

bool Parser::arguments(std::vector<Argument>& found) {
    const Token& opener = next();
    std::unordered_set<std::string> keywords;
    ArgumentsSoFar so_far;
    while (!at(TokenKind::right_paren)) {
        Argument one;
        if (!argument(one, opener)) return false;
        const bool bare_generator = one.span.begin == opener.span.begin;
        if (bare_generator && (!found.empty() || at(TokenKind::comma))) {
            const Span written{one.value->as<Comprehension>()->element->span.begin, one.span.end};
            return fail(written, one.value->line, "Generator expression must be parenthesized");
        }
        if (!in_order(one, so_far)) return false;
        if (one.kind == Argument::Kind::keyword && !keywords.insert(one.name).second) {
            return fail(one.span, one.value->line, fmt::format("keyword argument repeated: {}", one.name));
        }
        found.push_back(std::move(one));
        if (bare_generator) {
            // As in Python's ast, the call's parentheses are the generator's.
            if (!expect(TokenKind::right_paren)) return false;
            found.back().span.end = found.back().value->span.end = last_end_;
            return true;
        }
        if (!accept(TokenKind::comma)) break;
    }
    const bool after_comma = list_.tokens[pos_ - 1].kind == TokenKind::comma;
    return close(TokenKind::right_paren, found.empty() || after_comma ? nullptr : found.back().value.get());
}

bool Parser::argument(Argument& found, const Token& opener) {
    const Token& begin = peek();
    if (at(TokenKind::multiply) || at(TokenKind::power)) {
        found.kind = at(TokenKind::multiply) ? Argument::Kind::starred : Argument::Kind::double_starred;
        next();
        found.value = expression();
    } else if (peek(1).kind == TokenKind::assign &&
               (at(TokenKind::name) || at(TokenKind::kw_true) || at(TokenKind::kw_false) || at(TokenKind::kw_none))) {
        if (!keyword_argument(found)) return false;
    } else {
        found.value = named_expression(LoneEqual::allowed);
        if (found.value && (at(TokenKind::kw_for) || at(TokenKind::kw_async))) {
            Comprehension generator;
            generator.kind = Comprehension::Kind::generator;
            generator.element = std::move(found.value);
            scopes_.open(ScopeKind::comprehension);
            const bool clear = comprehension_clauses(generator);
            generator.scope = scopes_.close();
            if (!clear) return false;
            found.value = make(std::move(generator), opener);
            found.span = {opener.span.begin, last_end_};
            return found.value != nullptr;
        }
        if (found.value && at(TokenKind::assign)) {
            return fail({found.value->span.begin, peek().span.end}, found.value->line,
                        "expression cannot contain assignment, perhaps you meant \"==\"?");
        }
    }
    found.span = since(begin);
    return found.value != nullptr;
}

bool Parser::keyword_argument(Argument& found) {
    const Token& name = next();
    const Token& equal = next();
    if (name.kind != TokenKind::name) {
        return fail({name.span.begin, equal.span.end}, name.line, fmt::format("cannot assign to {}", text(name)));
    }
    if (at(TokenKind::comma) || at(TokenKind::right_paren)) {
        return fail({name.span.begin, equal.span.end}, name.line, "expected argument value expression");
    }
    found.kind = Argument::Kind::keyword;
    found.name = std::string(text(name));
    found.value = expression();
    if (found.value && at(TokenKind::kw_for)) {
        return fail({name.span.begin, equal.span.end}, name.line,
                    "invalid syntax. Maybe you meant '==' or ':=' instead of '='?");
    }
    return found.value != nullptr;
}

bool Parser::in_order(const Argument& argument, ArgumentsSoFar& so_far) {
    const bool positional = argument.kind == Argument::Kind::positional;
    const bool starred = argument.kind == Argument::Kind::starred;
    const char* problem = nullptr;
    if (so_far.double_starred && positional) {
        problem = "positional argument follows keyword argument unpacking";
    } else if (so_far.double_starred && starred) {
        problem = "iterable argument unpacking follows keyword argument unpacking";
    } else if (so_far.keyword && positional) {
        problem = "positional argument follows keyword argument";
    }
    so_far.keyword |= argument.kind == Argument::Kind::keyword;
    so_far.double_starred |= argument.kind == Argument::Kind::double_starred;
    if (problem != nullptr) fail(argument.span, argument.value->line, problem);
    return problem == nullptr;
}

// The parameters up to the closer, which is left: ) of a def, : of a lambda.
bool Parser::parameters(TokenKind closer, bool annotated, std::vector<Parameter>& found) {
    std::unordered_set<std::string> names;
    bool after_star = false;
    bool after_default = false;
    bool after_slash = false;
    while (!at(closer)) {
        const Token& begin = peek();
        Parameter one;
        one.kind = after_star ? Parameter::Kind::keyword_only : Parameter::Kind::positional;
        if (at(TokenKind::divide)) {
            if (!slash(found, after_slash, after_star)) return false;
            after_slash = true;
        } else if (accept(TokenKind::multiply)) {
            if (after_star) return fail(begin, "* argument may appear only once");
            after_star = true;
            if (at(closer) || (at(TokenKind::comma) && peek(1).kind != TokenKind::name)) {
                return fail(begin, "named arguments must follow bare *");
            }
            one.kind = Parameter::Kind::var_positional;
        } else if (accept(TokenKind::power)) {
            one.kind = Parameter::Kind::var_keyword;
        }
        const bool bare =
            begin.kind == TokenKind::divide || (begin.kind == TokenKind::multiply && at(TokenKind::comma));
        if (!bare) {
            if (!parameter(annotated, one)) return false;
            if (!names.insert(one.name).second) {
                return fail(one.span, begin.line,
                            fmt::format("duplicate argument '{}' in function definition", one.name));
            }
            if (one.kind == Parameter::Kind::positional) {
                if (after_default && !one.default_value) {
                    return fail(one.span, begin.line, "parameter without a default follows parameter with a default");
                }
                after_default = one.default_value != nullptr;
            }
            found.push_back(std::move(one));
        }
        if (!accept(TokenKind::comma)) break;
        if (begin.kind == TokenKind::power && !at(closer)) {
            return fail(peek(), "arguments cannot follow var-keyword argument");
        }
    }
    return at(closer) || unexpected();
}

// The / that makes all parameters before it positional-only.
bool Parser::slash(std::vector<Parameter>& found, bool after_slash, bool after_star) {
    const Token& token = next();
    if (after_slash) return fail(token, "/ may appear only once");
    if (after_star) return fail(token, "/ must be ahead of *");
    if (found.empty()) return fail(token, "at least one argument must precede /");
    for (Parameter& parameter : found) parameter.kind = Parameter::Kind::positional_only;
    return true;
}

bool Parser::parameter(bool annotated, Parameter& found) {
    if (!at(TokenKind::name)) return unexpected();
    const Token& name = next();
    found.name = std::string(text(name));
    found.span = name.span;
    if (annotated && accept(TokenKind::colon)) {
        found.annotation = found.kind == Parameter::Kind::var_positional ? star_named_expression() : expression();
        if (!found.annotation) return false;
    }
    const bool starred = found.kind == Parameter::Kind::var_positional || found.kind == Parameter::Kind::var_keyword;
    if (!at(TokenKind::assign)) return true;
    if (starred) {
        return fail(peek(), found.kind == Parameter::Kind::var_positional
                                ? "var-positional argument cannot have default value"
                                : "var-keyword argument cannot have default value");
    }
    next();
    if (at(TokenKind::comma) || at(TokenKind::right_paren)) {
        return fail(list_.tokens[pos_ - 1], "expected default value expression");
    }
    found.default_value = expression();
    return found.default_value != nullptr;
}

void Parser::bind_parameters(const std::vector<Parameter>& parameters) {
    for (const Parameter& parameter : parameters) scopes_.bind_parameter(parameter.name);
}

}  // namespace maskscope::script
