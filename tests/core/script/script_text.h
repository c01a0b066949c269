// SPDX-License-Identifier: Apache-2.0
// Short ways to read a script in a test.
#pragma once

#include "core/script/syntax/parser.h"
#include "tests/core/script/ast_text.h"

#include <string>
#include <utility>

namespace maskscope::script {

// The module's tree, or the error as "line: message".
inline std::string tree(std::string source) {
    const auto module = parse(std::move(source));
    if (!module) return fmt::format("{}: {}", module.error().where.line.value_or(0), module.error().message.text());
    return AstText()((*module)->body);
}

// The tree of a script that is one expression.
inline std::string expr(std::string source) {
    const auto module = parse(std::move(source));
    if (!module) return module.error().message.text();
    if ((*module)->body.size() != 1) return "not one statement";
    const auto* statement = (*module)->body.front()->as<ExprStmt>();
    return statement != nullptr ? AstText()(statement->value) : "no expression";
}

}  // namespace maskscope::script
