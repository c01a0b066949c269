// SPDX-License-Identifier: Apache-2.0
#include "core/script/syntax/parse_scope.h"

#include "core/script/syntax/parse_error.h"

#include <fmt/core.h>

#include <iterator>
#include <utility>

namespace maskscope::script {

void Scopes::open(ScopeKind kind) {
    open_.emplace_back();
    open_.back().kind = kind;
}

Scope Scopes::close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    const bool function = closed.kind == ScopeKind::function || closed.kind == ScopeKind::lambda;
    for (Declared& waiting : closed.waiting) {
        if (function && closed.locals.count(waiting.name.text) != 0) continue;
        if (open_.empty() || open_.back().kind == ScopeKind::module) {
            if (!unbound_) {
                unbound_ = syntax_error(waiting.name.span, waiting.line,
                                        fmt::format("no binding for nonlocal '{}' found", waiting.name.text));
            }
        } else {
            open_.back().waiting.push_back(std::move(waiting));
        }
    }
    return std::move(closed.scope);
}

void Scopes::bind_in(Open& open, const std::string& name) {
    if (open.globals.count(name) != 0 || open.nonlocals.count(name) != 0) return;
    if (open.locals.insert(name).second) open.scope.locals.push_back(name);
}

void Scopes::bind(const std::string& name) {
    bind_in(open_.back(), name);
}

void Scopes::bind_named(const std::string& name) {
    auto open = open_.rbegin();
    while (open->kind == ScopeKind::comprehension) ++open;
    bind_in(*open, name);
}

void Scopes::bind_parameter(const std::string& name) {
    bind(name);
    open_.back().parameters.insert(name);
}

std::optional<Error> Scopes::declare_global(const Identifier& name, int line) {
    Open& open = open_.back();
    const auto refused = [&](const char* why) {
        return syntax_error(name.span, line, fmt::format("name '{}' {}", name.text, why));
    };
    if (open.parameters.count(name.text) != 0) return refused("is parameter and global");
    if (open.nonlocals.count(name.text) != 0) return refused("is nonlocal and global");
    if (open.locals.count(name.text) != 0) return refused("is assigned to before global declaration");
    if (open.globals.insert(name.text).second) open.scope.globals.push_back(name.text);
    return std::nullopt;
}

std::optional<Error> Scopes::declare_nonlocal(const Identifier& name, int line) {
    Open& open = open_.back();
    const auto refused = [&](const char* why) {
        return syntax_error(name.span, line, fmt::format("name '{}' {}", name.text, why));
    };
    if (open.kind == ScopeKind::module) {
        return syntax_error(name.span, line, "nonlocal declaration not allowed at module level");
    }
    if (open.parameters.count(name.text) != 0) return refused("is parameter and nonlocal");
    if (open.globals.count(name.text) != 0) return refused("is nonlocal and global");
    if (open.locals.count(name.text) != 0) return refused("is assigned to before nonlocal declaration");
    if (open.nonlocals.insert(name.text).second) {
        open.scope.nonlocals.push_back(name.text);
        open.waiting.push_back({name, line});
    }
    return std::nullopt;
}

std::optional<Error> Scopes::take_unbound() {
    return std::exchange(unbound_, std::nullopt);
}

}  // namespace maskscope::script
