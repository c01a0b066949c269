// SPDX-License-Identifier: Apache-2.0
// What binds tightest: names, literals, everything in brackets, and what follows a value with . ( [
#include "core/script/syntax/parse_state.h"

namespace maskscope::script {

ExprPtr Parser::primary() {
    const Token& begin = peek();
    ExprPtr value = atom();
    while (value) {
        switch (peek().kind) {
            case TokenKind::dot: {
                next();
                if (!at(TokenKind::name)) return unexpected();
                const Token& name = next();
                value = make(Attribute{std::move(value), identifier(name)}, begin);
                break;
            }
            case TokenKind::left_paren: {
                Call call{std::move(value), {}};
                if (!arguments(call.arguments)) return nullptr;
                value = make(std::move(call), begin);
                break;
            }
            case TokenKind::left_bracket:
                value = subscript(std::move(value), begin);
                break;
            default:
                return value;
        }
    }
    return nullptr;
}

ExprPtr Parser::atom() {
    const Token& begin = peek();
    const auto constant = [&](Constant value) {
        next();
        return make(std::move(value), begin);
    };
    switch (begin.kind) {
        case TokenKind::name:
            next();
            return make(Name{std::string(text(begin))}, begin);
        case TokenKind::number:
            return number();
        case TokenKind::string:
        case TokenKind::fstring_begin:
            return strings();
        case TokenKind::kw_none:
            return constant({NoneValue{}});
        case TokenKind::kw_true:
            return constant({true});
        case TokenKind::kw_false:
            return constant({false});
        case TokenKind::ellipsis:
            return constant({EllipsisValue{}});
        case TokenKind::left_paren:
            return group();
        case TokenKind::left_bracket:
            return list();
        case TokenKind::left_brace:
            return braces();
        default:
            return unexpected();
    }
}

// The closing bracket after `last`, which may be null.
bool Parser::close(TokenKind closer, const Expr* last) {
    if (accept(closer)) return true;
    const bool text_after_name =
        last != nullptr && last->as<Name>() != nullptr && (at(TokenKind::string) || at(TokenKind::fstring_begin));
    if (last != nullptr && !error_ && begins_expression(peek().kind) && !text_after_name) {
        // Two expressions side by side: if the second can be read, the comma between them is what is missing.
        const std::size_t here = pos_;
        if (const ExprPtr second = expression()) {
            return fail({last->span.begin, second->span.end}, last->line,
                        "invalid syntax. Perhaps you forgot a comma?");
        }
        pos_ = here;
        error_.reset();
    }
    return unexpected();
}

// Elements with commas between them, up to the closing bracket, which is taken.
bool Parser::elements(TokenKind closer, Exprs& found) {
    while (!at(closer)) {
        ExprPtr element = star_named_expression();
        if (!element) return false;
        found.push_back(std::move(element));
        if (!accept(TokenKind::comma)) break;
    }
    if (at(TokenKind::kw_for) && closer != TokenKind::right_paren && !found.empty()) {
        return fail({found.front()->span.begin, found.back()->span.end}, found.front()->line,
                    "did you forget parentheses around the comprehension target?");
    }
    const bool after_comma = list_.tokens[pos_ - 1].kind == TokenKind::comma;
    return close(closer, found.empty() || after_comma ? nullptr : found.back().get());
}

ExprPtr Parser::group() {
    const Token& begin = next();
    if (accept(TokenKind::right_paren)) return make(Tuple{}, begin);
    ExprPtr first = star_named_expression();
    if (!first) return nullptr;
    if (at(TokenKind::kw_for) || at(TokenKind::kw_async)) {
        return comprehension(Comprehension::Kind::generator, std::move(first), nullptr, TokenKind::right_paren, begin);
    }
    if (!at(TokenKind::comma)) {
        if (!close(TokenKind::right_paren, first.get())) return nullptr;
        if (first->as<Starred>() != nullptr) return fail(*first, "cannot use starred expression here");
        return first;
    }
    next();
    Tuple tuple;
    tuple.elements.push_back(std::move(first));
    if (!elements(TokenKind::right_paren, tuple.elements)) return nullptr;
    return make(std::move(tuple), begin);
}

ExprPtr Parser::list() {
    const Token& begin = next();
    List made;
    if (at(TokenKind::right_bracket)) {
        next();
        return make(std::move(made), begin);
    }
    ExprPtr first = star_named_expression();
    if (!first) return nullptr;
    if (at(TokenKind::kw_for) || at(TokenKind::kw_async)) {
        return comprehension(Comprehension::Kind::list, std::move(first), nullptr, TokenKind::right_bracket, begin);
    }
    made.elements.push_back(std::move(first));
    if (accept(TokenKind::comma)) {
        if (!elements(TokenKind::right_bracket, made.elements)) return nullptr;
    } else if (!close(TokenKind::right_bracket, made.elements.back().get())) {
        return nullptr;
    }
    return make(std::move(made), begin);
}

// From the colon on, behind the key.
ExprPtr Parser::dict_value() {
    const Token& colon = next();
    if (at(TokenKind::right_brace) || at(TokenKind::comma)) {
        return fail(colon, "expression expected after dictionary key and ':'");
    }
    if (at(TokenKind::multiply)) return fail(peek(), "cannot use a starred expression in a dictionary value");
    return expression();
}

bool Parser::dict_item(DictItem& item) {
    if (accept(TokenKind::power)) {
        item.value = binary(0);
        return item.value != nullptr;
    }
    item.key = expression();
    if (!item.key) return false;
    if (!at(TokenKind::colon)) {
        if (!at(TokenKind::right_brace) && !at(TokenKind::comma)) return unexpected();
        return fail(*item.key, "':' expected after dictionary key");
    }
    item.value = dict_value();
    return item.value != nullptr;
}

ExprPtr Parser::dict(DictItem first, const Token& begin) {
    const bool comprehends = at(TokenKind::kw_for) || at(TokenKind::kw_async);
    if (comprehends && !first.key) return fail(*first.value, "dict unpacking cannot be used in dict comprehension");
    if (comprehends) {
        return comprehension(Comprehension::Kind::dict, std::move(first.key), std::move(first.value),
                             TokenKind::right_brace, begin);
    }
    Dict made;
    made.items.push_back(std::move(first));
    while (accept(TokenKind::comma) && !at(TokenKind::right_brace)) {
        DictItem item;
        if (!dict_item(item)) return nullptr;
        made.items.push_back(std::move(item));
    }
    const bool after_comma = list_.tokens[pos_ - 1].kind == TokenKind::comma;
    if (!close(TokenKind::right_brace, after_comma ? nullptr : made.items.back().value.get())) return nullptr;
    return make(std::move(made), begin);
}

// {} and {k: v} are dicts, {a, b} is a set.
ExprPtr Parser::braces() {
    const Token& begin = next();
    if (accept(TokenKind::right_brace)) return make(Dict{}, begin);
    if (at(TokenKind::power)) {
        DictItem item;
        return dict_item(item) ? dict(std::move(item), begin) : nullptr;
    }
    const Token& key = peek();
    ExprPtr first = star_named_expression();
    if (!first) return nullptr;
    const bool bare_walrus = first->as<NamedExpr>() != nullptr && first->span.begin == key.span.begin;
    if (at(TokenKind::colon) && first->as<Starred>() == nullptr && !bare_walrus) {
        ExprPtr value = dict_value();
        return value ? dict({std::move(first), std::move(value)}, begin) : nullptr;
    }
    if (at(TokenKind::kw_for) || at(TokenKind::kw_async)) {
        return comprehension(Comprehension::Kind::set, std::move(first), nullptr, TokenKind::right_brace, begin);
    }
    Set made;
    made.elements.push_back(std::move(first));
    if (accept(TokenKind::comma)) {
        if (!elements(TokenKind::right_brace, made.elements)) return nullptr;
    } else if (!close(TokenKind::right_brace, made.elements.back().get())) {
        return nullptr;
    }
    return make(std::move(made), begin);
}

ExprPtr Parser::comprehension(Comprehension::Kind kind, ExprPtr element, ExprPtr value, TokenKind closer,
                              const Token& begin) {
    if (element->as<Starred>() != nullptr) {
        return fail(*element, "iterable unpacking cannot be used in comprehension");
    }
    Comprehension made;
    made.kind = kind;
    made.element = std::move(element);
    made.value = std::move(value);
    scopes_.open(ScopeKind::comprehension);
    const bool clear = comprehension_clauses(made);
    made.scope = scopes_.close();
    if (!clear || !close(closer, nullptr)) return nullptr;
    return make(std::move(made), begin);
}

bool Parser::comprehension_clauses(Comprehension& comprehension) {
    while (at(TokenKind::kw_for)) {
        next();
        ComprehensionClause clause;
        clause.target = target_list();
        if (!clause.target || !expect(TokenKind::kw_in)) return false;
        clause.iter = disjunction();
        if (!clause.iter) return false;
        while (accept(TokenKind::kw_if)) {
            clause.conditions.push_back(disjunction());
            if (!clause.conditions.back()) return false;
        }
        comprehension.clauses.push_back(std::move(clause));
    }
    if (at(TokenKind::kw_async)) unexpected();
    return !error_;
}

ExprPtr Parser::subscript(ExprPtr value, const Token& begin) {
    next();
    const Token& first = peek();
    ExprPtr index = slice();
    if (!index) return nullptr;
    if (at(TokenKind::comma) || index->as<Starred>() != nullptr) {
        Tuple tuple;
        tuple.elements.push_back(std::move(index));
        while (accept(TokenKind::comma) && !at(TokenKind::right_bracket)) {
            ExprPtr element = slice();
            if (!element) return nullptr;
            tuple.elements.push_back(std::move(element));
        }
        index = make(std::move(tuple), first);
        if (!index) return nullptr;
    }
    const Exprs* elements = index->as<Tuple>() != nullptr ? &index->as<Tuple>()->elements : nullptr;
    const Expr* last = elements != nullptr && !elements->empty() ? elements->back().get() : index.get();
    const bool after_comma = list_.tokens[pos_ - 1].kind == TokenKind::comma;
    if (!close(TokenKind::right_bracket, after_comma ? nullptr : last)) return nullptr;
    return make(Subscript{std::move(value), std::move(index)}, begin);
}

// One item between the brackets of a subscript.
ExprPtr Parser::slice() {
    const Token& begin = peek();
    if (at(TokenKind::multiply)) return star_named_expression();
    Slice made;
    if (!at(TokenKind::colon)) {
        ExprPtr value = named_expression();
        if (!value || !at(TokenKind::colon)) return value;
        made.lower = std::move(value);
    }
    const auto ends = [&] { return at(TokenKind::colon) || at(TokenKind::comma) || at(TokenKind::right_bracket); };
    next();
    if (!ends()) {
        made.upper = expression();
        if (!made.upper) return nullptr;
    }
    if (accept(TokenKind::colon) && !ends()) {
        made.step = expression();
        if (!made.step) return nullptr;
    }
    return make(std::move(made), begin);
}

}  // namespace maskscope::script
