// SPDX-License-Identifier: Apache-2.0
// libFuzzer target for the mask script's reader: whatever is typed or pasted is a tree or an error, and both point
// into the text.
#include "core/script/syntax/parser.h"

#include <cstdio>
#include <cstdlib>

using namespace maskscope::script;

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "violated: %s\n", what);
    std::abort();
}

// Every expression lies inside the one around it, and heights are what they say.
void check(const Expr& expr, Span around, int room) {
    require(around.begin <= expr.span.begin && expr.span.end <= around.end, "an expression lies inside its parent");
    require(expr.span.begin < expr.span.end, "an expression has text");
    require(expr.height <= room, "a part is lower than its whole");
    for_each_part(expr.node, [&](const Expr& part) { check(part, expr.span, expr.height - 1); });
}

void check(const Block& block, Span around) {
    std::uint32_t end = around.begin;
    for (const auto& statement : block) {
        require(statement->span.begin >= end, "statements stand in order");
        require(statement->span.begin < statement->span.end, "a statement has text");
        require(statement->span.end <= around.end, "a statement lies inside the one around it");
        end = statement->span.end;
        const Span here = statement->span;
        if (const auto* value = statement->as<ExprStmt>()) check(*value->value, here, kHighestExpr);
        if (const auto* assign = statement->as<Assign>()) check(*assign->value, here, kHighestExpr);
        if (const auto* value = statement->as<Return>(); value != nullptr && value->value) {
            check(*value->value, here, kHighestExpr);
        }
        if (const auto* function = statement->as<FunctionDef>()) check(function->body, here);
        if (const auto* loop = statement->as<For>()) check(loop->body, here);
        if (const auto* branch = statement->as<If>()) check(branch->branches.front().body, here);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto module = parse(text);
    if (module) {
        check((*module)->body, {0, static_cast<std::uint32_t>(size)});
        return 0;
    }
    const auto& error = module.error();
    require(!error.message.text().empty(), "an error says something");
    require(error.where.line.value_or(0) >= 1 && *error.where.line <= Source(text).line_count(), "it names a line");
    require(error.where.span.has_value(), "it has a span");
    const auto [begin, end] = *error.where.span;
    require(0 <= begin && begin <= end && static_cast<std::size_t>(end) <= size, "the span lies in the text");
    return 0;
}
