// SPDX-License-Identifier: Apache-2.0
// Finds which names each body makes its own, as Python's compiler does.
#pragma once

#include "core/base/error.h"
#include "core/script/syntax/ast.h"

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace maskscope::script {

enum class ScopeKind { module, function, lambda, class_body, comprehension };

class Scopes {
public:
    void open(ScopeKind kind);
    Scope close();  // the innermost

    void bind(const std::string& name);        // an assignment here
    void bind_named(const std::string& name);  // a := b, which passes through comprehensions
    void bind_parameter(const std::string& name);

    // The error of the declaration, if it is one.
    std::optional<Error> declare_global(const Identifier& name, int line);
    std::optional<Error> declare_nonlocal(const Identifier& name, int line);
    // A nonlocal for which no function around binds the name.
    std::optional<Error> take_unbound();

private:
    struct Declared {
        Identifier name;
        int line = 1;
    };
    struct Open {
        ScopeKind kind = ScopeKind::module;
        Scope scope;
        std::unordered_set<std::string> locals;
        std::unordered_set<std::string> parameters;
        std::unordered_set<std::string> globals;
        std::unordered_set<std::string> nonlocals;
        std::vector<Declared> waiting;  // nonlocals of this and inner functions that look for their name outside
    };

    static void bind_in(Open& open, const std::string& name);

    std::vector<Open> open_;
    std::optional<Error> unbound_;
};

}  // namespace maskscope::script
