// SPDX-License-Identifier: Apache-2.0
// What stands left of an equals sign.
#include "core/script/language/interpreter.h"
#include "core/script/text/language_error.h"

namespace maskscope::script {
namespace {

const Exprs* elements_of(const Expr& target) {
    if (const auto* tuple = target.as<Tuple>()) return &tuple->elements;
    if (const auto* list = target.as<List>()) return &list->elements;
    return nullptr;
}

Result<void> unpack(Interpreter& in, const Exprs& targets, const Value& value) {
    auto unpacked = in.to_values(value);
    if (!unpacked) {
        if (unpacked.error().type == "TypeError" && !value.is_tensor())
            return type_error("cannot unpack non-iterable {} object", ops::type_name(value));
        return std::move(unpacked).error();
    }
    const Values& items = *unpacked;
    std::size_t star = targets.size();
    for (std::size_t i = 0; i < targets.size(); ++i)
        if (targets[i]->as<Starred>() != nullptr) star = i;
    const bool has_star = star < targets.size();
    const std::size_t least = targets.size() - (has_star ? 1 : 0);
    if (items.size() < least)
        return value_error("not enough values to unpack (expected {}{}, got {})", has_star ? "at least " : "", least,
                           items.size());
    if (!has_star && items.size() > least) return value_error("too many values to unpack (expected {})", least);
    const std::size_t extra = items.size() - least;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (i == star) {
            const auto first = items.begin() + static_cast<std::ptrdiff_t>(i);
            MS_CHECK(in.assign(*targets[i]->as<Starred>()->value,
                               ops::make_list(Values(first, first + static_cast<std::ptrdiff_t>(extra)))));
        } else {
            MS_CHECK(in.assign(*targets[i], items[i < star ? i : i - 1 + extra]));
        }
    }
    return {};
}

Result<void> with_place(const Expr& target, Result<void> result) {
    if (!result && !result.error().where.line) {
        result.error().where.line = target.line;
        result.error().where.span = {static_cast<int>(target.span.begin), static_cast<int>(target.span.end)};
    }
    return result;
}

}  // namespace

Result<void> Interpreter::assign(const Expr& target, const Value& value) {
    if (const auto* name = target.as<Name>()) {
        bind(name->id, value);
        return {};
    }
    if (const auto* targets = elements_of(target)) return with_place(target, unpack(*this, *targets, value));
    const Expr* before = at_;
    at_ = &target;
    auto result = [&]() -> Result<void> {
        if (const auto* attribute = target.as<Attribute>()) {
            MS_TRY(owner, eval(*attribute->value));
            return set_attribute(owner, attribute->name.text, value);
        }
        if (const auto* subscript = target.as<Subscript>()) {
            MS_TRY(owner, eval(*subscript->value));
            MS_TRY(index, eval(*subscript->index));
            return set_item(owner, index, value);
        }
        return type_error("cannot assign to this expression");
    }();
    at_ = before;
    return with_place(target, std::move(result));
}

Result<void> Interpreter::remove(const Expr& target) {
    if (const auto* name = target.as<Name>()) {
        if (auto value = look_up(name->id); !value) return with_place(target, std::move(value).error());
        frame_->names.erase(name->id);
        return {};
    }
    if (const auto* targets = elements_of(target)) {
        for (const auto& each : *targets) MS_CHECK(remove(*each));
        return {};
    }
    if (const auto* subscript = target.as<Subscript>()) {
        MS_TRY(owner, eval(*subscript->value));
        MS_TRY(index, eval(*subscript->index));
        return with_place(target, delete_item(owner, index));
    }
    return with_place(target, not_in_the_language(MS_TEXT("del of an attribute is not part of the mask script")));
}

Result<void> Interpreter::augment(const AugAssign& statement) {
    const Expr& target = *statement.target;
    // Owner and index are evaluated once, as in Python.
    Value owner;
    Value index;
    Value current;
    if (const auto* subscript = target.as<Subscript>()) {
        MS_TRY(o, eval(*subscript->value));
        MS_TRY(i, eval(*subscript->index));
        owner = std::move(o);
        index = std::move(i);
    } else if (const auto* attribute = target.as<Attribute>()) {
        MS_TRY(o, eval(*attribute->value));
        owner = std::move(o);
    }
    const Expr* before = at_;
    at_ = &target;
    auto read = [&]() -> Result<Value> {
        if (target.as<Subscript>() != nullptr) return get_item(owner, index);
        if (const auto* attribute = target.as<Attribute>()) return this->attribute(owner, attribute->name.text);
        return look_up(target.as<Name>()->id);
    }();
    at_ = before;
    if (!read) return with_place(target, std::move(read).error());
    MS_TRY(operand, eval(*statement.value));
    // The step is the whole statement: target, operator and value.
    Expr whole;
    whole.span = {target.span.begin, statement.value->span.end};
    whole.line = target.line;
    at_ = &whole;
    auto computed = binary_in_place(statement.op, *read, operand);
    auto stored = [&]() -> Result<void> {
        if (!computed) return std::move(computed).error();
        if (target.as<Subscript>() != nullptr) return set_item(owner, index, *computed);
        if (const auto* attribute = target.as<Attribute>())
            return set_attribute(owner, attribute->name.text, *computed);
        bind(target.as<Name>()->id, *computed);
        return {};
    }();
    at_ = before;
    return with_place(whole, std::move(stored));
}

}  // namespace maskscope::script
