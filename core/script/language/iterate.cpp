// SPDX-License-Identifier: Apache-2.0
#include "core/script/language/interpreter.h"
#include "core/script/language/set_object.h"
#include "core/script/language/str_methods.h"
#include "core/script/text/characters.h"
#include "core/script/text/language_error.h"

namespace maskscope::script {

std::int64_t Range::count() const {
    if (step > 0 ? start >= stop : start <= stop) return 0;
    // Unsigned: the distance may not fit 63 bits.
    const auto distance = step > 0 ? static_cast<std::uint64_t>(stop) - static_cast<std::uint64_t>(start)
                                   : static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(stop);
    // A step is never 0.
    const auto magnitude = step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
    const std::uint64_t stride = std::max<std::uint64_t>(magnitude, 1);
    return static_cast<std::int64_t>(std::min<std::uint64_t>((distance - 1) / stride + 1, INT64_MAX));
}

Value range_as_list(const Value& value) {
    constexpr std::int64_t kLongest = 1'000'000;
    const auto range = object_as<Range>(value);
    if (!range || range->count() > kLongest) return value;
    Values out;
    for (std::int64_t i = 0; i < range->count(); ++i) out.emplace_back(range->start + i * range->step);
    return ops::make_list(std::move(out));
}

Result<void> Interpreter::for_each(const Value& iterable, const std::function<Result<bool>(const Value&)>& body) {
    const auto visit = [&](const Value& item) { return body(item); };
    if (const auto* list = iterable.get_if<std::shared_ptr<ops::List>>()) {
        // The body may change the list: it is looked at anew each time, as Python does.
        const auto kept = *list;
        for (std::size_t i = 0; i < kept->items.size(); ++i) {
            const Value item = kept->items[i];
            MS_TRY(go_on, visit(item));
            if (!go_on) return {};
        }
        return {};
    }
    if (const auto range = object_as<Range>(iterable)) {
        const std::int64_t count = range->count();
        for (std::int64_t i = 0; i < count; ++i) {
            MS_TRY(go_on, visit(Value(range->start + i * range->step)));
            if (!go_on) return {};
        }
        return {};
    }
    Values items;
    if (const auto* sequence = iterable.sequence()) {
        items = *sequence;
    } else if (const auto* dict = iterable.get_if<std::shared_ptr<ops::Dict>>()) {
        for (const auto& [key, value] : (*dict)->items) items.push_back(key);
    } else if (const auto set = object_as<SetObject>(iterable)) {
        items = set->items;
    } else if (const auto* text = iterable.get_if<std::string>()) {
        for (auto& character : characters(*text)) items.emplace_back(std::move(character));
    } else if (iterable.is_tensor()) {
        if (iterable.tensor()->tensor.rank() == 0) return type_error("iteration over a 0-d tensor");
        MS_TRY(rows, call_op("unbind", ops::Form::method, {iterable}));
        items = *rows.sequence();
    } else {
        return type_error("'{}' object is not iterable", ops::type_name(iterable));
    }
    for (const auto& item : items) {
        MS_TRY(go_on, visit(item));
        if (!go_on) return {};
    }
    return {};
}

Result<Values> Interpreter::to_values(const Value& iterable) {
    if (const auto* items = iterable.sequence()) return *items;
    Values out;
    const auto add = [&](const Value& item) -> Result<bool> {
        MS_CHECK(tick());
        MS_CHECK(grow(sizeof(Value)));
        out.push_back(item);
        return true;
    };
    MS_CHECK(for_each(iterable, add));
    return out;
}

Result<std::int64_t> Interpreter::length(const Value& value) {
    if (const auto* items = value.sequence()) return static_cast<std::int64_t>(items->size());
    if (const auto* text = value.get_if<std::string>()) return static_cast<std::int64_t>(characters(*text).size());
    if (const auto* dict = value.get_if<std::shared_ptr<ops::Dict>>())
        return static_cast<std::int64_t>((*dict)->items.size());
    if (const auto set = object_as<SetObject>(value)) return static_cast<std::int64_t>(set->items.size());
    if (const auto range = object_as<Range>(value)) return range->count();
    if (value.is_tensor()) {
        if (value.tensor()->tensor.rank() == 0) return type_error("len() of a 0-d tensor");
        return value.tensor()->tensor.size(0);
    }
    return type_error("object of type '{}' has no len()", ops::type_name(value));
}

}  // namespace maskscope::script
