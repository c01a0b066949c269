// SPDX-License-Identifier: Apache-2.0
// What stands on the left of an assignment, and which names it binds.
#include "core/script/syntax/parse_state.h"
#include "core/script/syntax/parse_words.h"

#include <fmt/core.h>

namespace maskscope::script {

bool Parser::store(const Expr& target, Target kind) {
    if (const auto* name = target.as<Name>()) {
        scopes_.bind(name->id);
        return true;
    }
    if (target.as<Attribute>() != nullptr || target.as<Subscript>() != nullptr) return true;
    const auto* tuple = target.as<Tuple>();
    const auto* list = target.as<List>();
    if (tuple == nullptr && list == nullptr) {
        return fail(target,
                    fmt::format("cannot {} {}", kind == Target::del ? "delete" : "assign to", kind_in_words(target)));
    }
    bool starred = false;
    for (const ExprPtr& element : tuple != nullptr ? tuple->elements : list->elements) {
        const auto* star = element->as<Starred>();
        if (star == nullptr || kind == Target::del) {
            if (!store(*element, kind)) return false;
            continue;
        }
        if (starred) return fail(target, "multiple starred expressions in assignment");
        starred = true;
        if (!store(*star->value, kind)) return false;
    }
    return true;
}

bool Parser::augmented_target(const Expr& target) {
    if (const auto* name = target.as<Name>()) {
        scopes_.bind(name->id);
        return true;
    }
    if (target.as<Attribute>() != nullptr || target.as<Subscript>() != nullptr) return true;
    return fail(target, fmt::format("'{}' is an illegal expression for augmented assignment", kind_in_words(target)));
}

// The targets of `for`, up to its `in`, with their names bound.
ExprPtr Parser::target_list() {
    const Token& begin = peek();
    Tuple tuple;
    bool comma = false;
    do {
        const Token& star = peek();
        const bool starred = accept(TokenKind::multiply);
        ExprPtr target = binary(0);
        if (target && starred) target = make(Starred{std::move(target)}, star);
        if (!target) return nullptr;
        tuple.elements.push_back(std::move(target));
        comma = accept(TokenKind::comma);
    } while (comma && !at(TokenKind::kw_in));
    ExprPtr targets;
    if (tuple.elements.size() == 1 && !comma) {
        targets = std::move(tuple.elements.front());
        if (targets->as<Starred>() != nullptr) {
            return fail(*targets, "starred assignment target must be in a list or tuple");
        }
    } else {
        targets = make(std::move(tuple), begin);
    }
    if (!targets || !store(*targets, Target::for_loop)) return nullptr;
    return targets;
}

// A lone *a is no value.
bool Parser::no_star(const Expr& value) {
    return value.as<Starred>() == nullptr || fail(value, "can't use starred expression here");
}

}  // namespace maskscope::script
