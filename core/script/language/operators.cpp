// SPDX-License-Identifier: Apache-2.0
// + - * / and the others, for numbers, tensors, strings and lists.
#include "core/script/language/interpreter.h"
#include "core/script/language/numbers.h"
#include "core/script/language/set_object.h"
#include "core/script/language/str_methods.h"
#include "core/script/text/language_error.h"

#include <array>
#include <string_view>

namespace maskscope::script {
namespace {

// The op of torch behind an operator, in the order of BinaryOp.
constexpr std::array<std::string_view, 13> kTensorOps = {
    "add", "sub",        "mul",        "matmul",     "true_divide", "floor_divide", "remainder",
    "pow", "__lshift__", "__rshift__", "bitwise_or", "bitwise_xor", "bitwise_and"};

Error unsupported(BinaryOp op, const Value& left, const Value& right, bool in_place = false) {
    std::string shown = symbol(op);
    if (in_place)
        shown += "=";
    else if (op == BinaryOp::power)
        shown = "** or pow()";
    return type_error("unsupported operand type(s) for {}: '{}' and '{}'", shown, ops::type_name(left),
                      ops::type_name(right));
}

bool suits_a_tensor(BinaryOp op, const Value& value) {
    return value.is_tensor() || (value.is_number() && op != BinaryOp::matmul);
}

Result<Value> repeated(Interpreter& in, const Value& value, std::int64_t times) {
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(times, 0));
    if (const auto* text = value.get_if<std::string>()) {
        if (count > 0 && text->size() > (std::size_t{1} << 32U) / count) MS_CHECK(in.grow(std::size_t{1} << 40U));
        MS_CHECK(in.grow(text->size() * count));
        std::string out;
        out.reserve(text->size() * count);
        for (std::size_t i = 0; i < count; ++i) out += *text;
        return Value(std::move(out));
    }
    const Values& items = *value.sequence();
    if (count > 0 && items.size() > (std::size_t{1} << 32U) / count) MS_CHECK(in.grow(std::size_t{1} << 40U));
    MS_CHECK(in.grow(items.size() * count * sizeof(Value)));
    Values out;
    out.reserve(items.size() * count);
    for (std::size_t i = 0; i < count; ++i) out.insert(out.end(), items.begin(), items.end());
    return value.get_if<std::shared_ptr<ops::List>>() != nullptr ? ops::make_list(std::move(out))
                                                                 : ops::make_tuple(std::move(out));
}

Result<Value> joined(Interpreter& in, const Value& left, const Value& right) {
    if (const auto* text = left.get_if<std::string>()) {
        const auto* other = right.get_if<std::string>();
        if (other == nullptr) return type_error("can only concatenate str (not \"{}\") to str", ops::type_name(right));
        MS_CHECK(in.grow(text->size() + other->size()));
        return Value(*text + *other);
    }
    const bool is_list = left.get_if<std::shared_ptr<ops::List>>() != nullptr;
    const bool same = right.sequence() != nullptr && is_list == (right.get_if<std::shared_ptr<ops::List>>() != nullptr);
    const char* kind = is_list ? "list" : "tuple";
    if (!same) return type_error("can only concatenate {} (not \"{}\") to {}", kind, ops::type_name(right), kind);
    Values items = *left.sequence();
    items.insert(items.end(), right.sequence()->begin(), right.sequence()->end());
    MS_CHECK(in.grow(items.size() * sizeof(Value)));
    if (const auto* tuple = left.get_if<std::shared_ptr<const ops::Tuple>>(); tuple != nullptr && (*tuple)->is_size) {
        std::vector<std::int64_t> sizes;
        for (const auto& item : items) sizes.push_back(item.to_int());
        return ops::make_size(sizes);
    }
    return is_list ? ops::make_list(std::move(items)) : ops::make_tuple(std::move(items));
}

Result<Value> set_binary(Interpreter& in, BinaryOp op, const SetObject& left, const SetObject& right) {
    Values out;
    const auto has = [&](const SetObject& set, const Value& item) -> Result<bool> {
        for (const auto& other : set.items) {
            MS_TRY(same, in.equal(item, other));
            if (same) return true;
        }
        return false;
    };
    for (const auto& item : left.items) {
        MS_TRY(in_both, has(right, item));
        if (op == BinaryOp::bit_or || in_both == (op == BinaryOp::bit_and)) out.push_back(item);
    }
    if (op == BinaryOp::bit_or || op == BinaryOp::bit_xor)
        for (const auto& item : right.items) {
            MS_TRY(in_both, has(left, item));
            if (!in_both) out.push_back(item);
        }
    return make_set(in, std::move(out));
}

}  // namespace

Result<Value> Interpreter::binary(BinaryOp op, const Value& left, const Value& right) {
    if (left.is_number() && right.is_number()) return number_binary(op, left, right);
    if (left.is_tensor() || right.is_tensor()) {
        if (left.is_tensor() && suits_a_tensor(op, right))
            return call_op(kTensorOps[static_cast<std::size_t>(op)], ops::Form::function, {left, right});
        if (suits_a_tensor(op, left) && suits_a_tensor(op, right)) {
            // A number on the left: torch's reflected forms.
            if (op == BinaryOp::subtract) return call_op("rsub", ops::Form::function, {right, left});
            if (op == BinaryOp::divide) return call_op("rtruediv", ops::Form::internal, {right, left});
            return call_op(kTensorOps[static_cast<std::size_t>(op)], ops::Form::function, {left, right});
        }
        if (left.is_tensor() || (left.get_if<std::string>() == nullptr && left.sequence() == nullptr))
            return unsupported(op, left, right);
    }
    const bool left_repeats = left.sequence() != nullptr || left.get_if<std::string>() != nullptr;
    if (op == BinaryOp::add && left_repeats) return joined(*this, left, right);
    if (op == BinaryOp::multiply) {
        const bool right_repeats = right.sequence() != nullptr || right.get_if<std::string>() != nullptr;
        if (left_repeats && right.is_int()) return repeated(*this, left, right.to_int());
        if (right_repeats && left.is_int()) return repeated(*this, right, left.to_int());
        if (left_repeats || right_repeats)
            return type_error("can't multiply sequence by non-int of type '{}'",
                              ops::type_name(left_repeats ? right : left));
    }
    if (op == BinaryOp::modulo)
        if (const auto* text = left.get_if<std::string>()) return percent_format(*this, *text, right);
    const auto left_set = object_as<SetObject>(left);
    const auto right_set = object_as<SetObject>(right);
    if (left_set && right_set && op != BinaryOp::add && op != BinaryOp::multiply)
        return set_binary(*this, op, *left_set, *right_set);
    const auto* left_dict = left.get_if<std::shared_ptr<ops::Dict>>();
    const auto* right_dict = right.get_if<std::shared_ptr<ops::Dict>>();
    if (op == BinaryOp::bit_or && left_dict != nullptr && right_dict != nullptr) {
        Value out = std::make_shared<ops::Dict>(**left_dict);
        const auto items = (*right_dict)->items;
        for (const auto& [key, value] : items) MS_CHECK(set_item(out, key, value));
        return out;
    }
    return unsupported(op, left, right);
}

Result<Value> Interpreter::binary_in_place(BinaryOp op, const Value& left, const Value& right) {
    if (left.is_tensor()) {
        if (!suits_a_tensor(op, right)) return unsupported(op, left, right, true);
        // x @= y has no in-place kernel: torch makes a new tensor.
        if (op == BinaryOp::matmul) return binary(op, left, right);
        // The shifts write in place under another name.
        const std::string_view name = op == BinaryOp::shift_left    ? "bitwise_left_shift"
                                      : op == BinaryOp::shift_right ? "bitwise_right_shift"
                                                                    : kTensorOps[static_cast<std::size_t>(op)];
        return call_op(name, ops::Form::in_place, {left, right});
    }
    if (const auto* list = left.get_if<std::shared_ptr<ops::List>>(); list != nullptr && op == BinaryOp::add) {
        MS_TRY(items, to_values(right));
        MS_CHECK(grow(items.size() * sizeof(Value)));
        for (const auto& item : items) MS_CHECK(refuse_cycle(left, item));
        (*list)->items.insert((*list)->items.end(), items.begin(), items.end());
        return left;
    }
    auto out = binary(op, left, right);
    if (!out && out.error().type == "TypeError" && out.error().text().starts_with("unsupported operand"))
        return unsupported(op, left, right, true);
    return out;
}

Result<Value> Interpreter::unary(UnaryOp op, const Value& operand) {
    if (op == UnaryOp::logical_not) {
        MS_TRY(is_true, truth(operand));
        return Value(!is_true);
    }
    if (operand.is_number()) return number_unary(op, operand);
    if (operand.is_tensor()) {
        if (op == UnaryOp::invert && is_floating(operand.tensor()->tensor.dtype()))
            return type_error("~ (operator.invert) is only implemented on integer and Boolean-type tensors");
        const std::string_view name = op == UnaryOp::negative ? "neg"
                                      : op == UnaryOp::invert ? "bitwise_not"
                                                              : "positive";
        return call_op(name, ops::Form::function, {operand});
    }
    return type_error("bad operand type for unary {}: '{}'", symbol(op), ops::type_name(operand));
}

}  // namespace maskscope::script
