// SPDX-License-Identifier: Apache-2.0
// Truth, equality and order.
#include "core/script/language/interpreter.h"
#include "core/script/language/set_object.h"
#include "core/script/text/language_error.h"

#include <array>
#include <cmath>
#include <string_view>

namespace maskscope::script {
namespace {

constexpr std::array<std::string_view, 6> kTensorCompares = {"eq", "ne", "lt", "le", "gt", "ge"};

bool same_object(const Value& left, const Value& right) {
    if (left.state().index() != right.state().index()) return false;
    return std::visit(
        [&](const auto& a) -> bool {
            using T = std::decay_t<decltype(a)>;
            const auto& b = std::get<T>(right.state());
            if constexpr (std::is_same_v<T, ops::None> || std::is_same_v<T, ops::Ellipsis>)
                return true;
            else if constexpr (std::is_same_v<T, ops::Device>)
                return a.name == b.name;
            else if constexpr (std::is_same_v<T, std::shared_ptr<ops::Object>>) {
                const auto x = std::dynamic_pointer_cast<TypeObject>(a);
                const auto y = std::dynamic_pointer_cast<TypeObject>(b);
                return a == b || (x && y && x->name == y->name);
            } else
                return a == b;
        },
        left.state());
}

bool is_sequence_like(const Value& a, const Value& b) {
    return a.sequence() != nullptr && b.sequence() != nullptr &&
           (a.get_if<std::shared_ptr<ops::List>>() != nullptr) == (b.get_if<std::shared_ptr<ops::List>>() != nullptr);
}

}  // namespace

Result<bool> Interpreter::truth(const Value& value) {
    if (value.is_none()) return false;
    if (value.is_number()) return value.to_double() != 0 || std::isnan(value.to_double());
    if (const auto* text = value.get_if<std::string>()) return !text->empty();
    if (const auto* items = value.sequence()) return !items->empty();
    if (const auto* dict = value.get_if<std::shared_ptr<ops::Dict>>()) return !(*dict)->items.empty();
    if (value.is_tensor()) {
        MS_TRY(out, call_op("bool", ops::Form::internal, {value}));
        return out.to_int() != 0;
    }
    if (const auto range = object_as<Range>(value)) return range->count() > 0;
    if (const auto set = object_as<SetObject>(value)) return !set->items.empty();
    return true;
}

Result<bool> Interpreter::equal(const Value& left, const Value& right) {
    MS_CHECK(tick());
    MS_CHECK(check_stack());
    if (left.is_number() && right.is_number()) {
        if (left.is_int() && right.is_int()) return left.to_int() == right.to_int();
        return left.to_double() == right.to_double();
    }
    if (left.is_tensor() || right.is_tensor()) {
        MS_TRY(out, compare(CompareOp::equal, left, right));
        return truth(out);
    }
    if (is_sequence_like(left, right)) {
        const Values a = *left.sequence();
        const Values b = *right.sequence();
        if (a.size() != b.size()) return false;
        for (std::size_t i = 0; i < a.size(); ++i) {
            // As Python: one and the same thing is equal to itself without being asked.
            if (same_object(a[i], b[i])) continue;
            MS_TRY(same, equal(a[i], b[i]));
            if (!same) return false;
        }
        return true;
    }
    const auto* left_dict = left.get_if<std::shared_ptr<ops::Dict>>();
    const auto* right_dict = right.get_if<std::shared_ptr<ops::Dict>>();
    if (left_dict != nullptr && right_dict != nullptr) {
        if ((*left_dict)->items.size() != (*right_dict)->items.size()) return false;
        for (const auto& [key, value] : (*left_dict)->items) {
            bool found = false;
            for (const auto& [other_key, other] : (*right_dict)->items) {
                MS_TRY(same_key, equal(key, other_key));
                if (!same_key) continue;
                MS_TRY(same, equal(value, other));
                if (!same) return false;
                found = true;
                break;
            }
            if (!found) return false;
        }
        return true;
    }
    const auto left_set = object_as<SetObject>(left);
    const auto right_set = object_as<SetObject>(right);
    if (left_set && right_set) {
        if (left_set->items.size() != right_set->items.size()) return false;
        for (const auto& item : left_set->items) {
            MS_TRY(inside, compare(CompareOp::in, item, right));
            if (inside.to_int() == 0) return false;
        }
        return true;
    }
    const auto left_range = object_as<Range>(left);
    const auto right_range = object_as<Range>(right);
    if (left_range && right_range)
        return left_range->count() == right_range->count() &&
               (left_range->count() == 0 || (left_range->start == right_range->start &&
                                             (left_range->count() == 1 || left_range->step == right_range->step)));
    return same_object(left, right);
}

Result<bool> Interpreter::less(const Value& left, const Value& right) {
    MS_TRY(out, compare(CompareOp::less, left, right));
    return truth(out);
}

Result<Value> Interpreter::compare(CompareOp op, const Value& left, const Value& right) {
    switch (op) {
        case CompareOp::is:
            return Value(same_object(left, right));
        case CompareOp::is_not:
            return Value(!same_object(left, right));
        case CompareOp::in:
        case CompareOp::not_in: {
            bool found = false;
            if (const auto* text = right.get_if<std::string>()) {
                const auto* part = left.get_if<std::string>();
                if (part == nullptr)
                    return type_error("'in <string>' requires string as left operand, not {}", ops::type_name(left));
                found = text->find(*part) != std::string::npos;
            } else if (right.is_tensor()) {
                MS_TRY(equals, call_op("eq", ops::Form::method, {right, left}));
                MS_TRY(any, call_op("any", ops::Form::method, {equals}));
                MS_TRY(one, truth(any));
                found = one;
            } else if (const auto range = object_as<Range>(right); range && left.is_int()) {
                const std::int64_t value = left.to_int();
                const bool within = range->step > 0 ? value >= range->start && value < range->stop
                                                    : value <= range->start && value > range->stop;
                found = within && (value - range->start) % range->step == 0;
            } else {
                auto items = to_values(right);
                if (!items) return type_error("argument of type '{}' is not iterable", ops::type_name(right));
                for (const auto& item : *items) {
                    if (!same_object(item, left)) {
                        MS_TRY(same, equal(item, left));
                        if (!same) continue;
                    }
                    found = true;
                    break;
                }
            }
            return Value(found == (op == CompareOp::in));
        }
        default:
            break;
    }
    const bool is_equality = op == CompareOp::equal || op == CompareOp::not_equal;
    if (left.is_tensor() || right.is_tensor()) {
        const Value& other = left.is_tensor() ? right : left;
        if (other.is_tensor() || other.is_number()) {
            // 2 < x is asked of x.
            static constexpr std::array<std::size_t, 6> kMirrored = {0, 1, 4, 5, 2, 3};
            const auto index = static_cast<std::size_t>(op);
            if (left.is_tensor()) return call_op(kTensorCompares[index], ops::Form::method, {left, right});
            return call_op(kTensorCompares[kMirrored[index]], ops::Form::method, {right, left});
        }
        if (is_equality) return Value(op == CompareOp::not_equal);
    }
    if (is_equality) {
        MS_TRY(same, equal(left, right));
        return Value(same == (op == CompareOp::equal));
    }
    const auto verdict = [&](auto a, auto b) {
        switch (op) {
            case CompareOp::less:
                return a < b;
            case CompareOp::less_equal:
                return a <= b;
            case CompareOp::greater:
                return a > b;
            default:
                return a >= b;
        }
    };
    if (left.is_number() && right.is_number()) {
        if (left.is_int() && right.is_int()) return Value(verdict(left.to_int(), right.to_int()));
        return Value(verdict(left.to_double(), right.to_double()));
    }
    const auto* left_text = left.get_if<std::string>();
    const auto* right_text = right.get_if<std::string>();
    if (left_text != nullptr && right_text != nullptr) return Value(verdict(left_text->compare(*right_text), 0));
    if (is_sequence_like(left, right)) {
        const Values a = *left.sequence();
        const Values b = *right.sequence();
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
            MS_TRY(same, equal(a[i], b[i]));
            if (!same) return compare(op, a[i], b[i]);
        }
        return Value(verdict(a.size(), b.size()));
    }
    return type_error("'{}' not supported between instances of '{}' and '{}'", symbol(op), ops::type_name(left),
                      ops::type_name(right));
}

}  // namespace maskscope::script
