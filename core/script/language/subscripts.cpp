// SPDX-License-Identifier: Apache-2.0
// x[i]: sequences by Python's rules, tensors by torch's.
#include "core/script/language/interpreter.h"
#include "core/script/language/set_object.h"
#include "core/script/language/str_methods.h"
#include "core/script/text/characters.h"
#include "core/script/text/language_error.h"

#include <algorithm>

namespace maskscope::script {
namespace {

// A range among indices is a list of ints to torch.
Value without_ranges(const Value& index) {
    if (object_as<Range>(index)) return range_as_list(index);
    const auto* tuple = index.get_if<std::shared_ptr<const ops::Tuple>>();
    if (tuple == nullptr) return index;
    Values items;
    for (const auto& item : (*tuple)->items) items.push_back(range_as_list(item));
    return ops::make_tuple(std::move(items));
}

// An int, or a tensor of one integer, as a position; nullopt for anything else.
Result<std::optional<std::int64_t>> position_of(Interpreter& in, const Value& index) {
    if (index.is_int()) return std::optional(index.to_int());
    if (!index.is_tensor()) return std::optional<std::int64_t>();
    MS_TRY(number, in.call_op("index", ops::Form::internal, {index}));
    return std::optional(number.to_int());
}

struct Steps {
    std::int64_t start = 0;
    std::int64_t step = 1;
    std::int64_t count = 0;
};

// slice.indices(length), as CPython computes it.
Result<Steps> steps_of(Interpreter& in, const ops::Slice& slice, std::int64_t length) {
    const auto part = [&](const Value& value, std::int64_t missing) -> Result<std::int64_t> {
        if (value.is_none()) return missing;
        MS_TRY(position, position_of(in, value));
        if (!position) return type_error("slice indices must be integers or None or have an __index__ method");
        return *position;
    };
    Steps out;
    MS_TRY(step, part(slice.step, 1));
    if (step == 0) return value_error("slice step cannot be zero");
    out.step = std::max<std::int64_t>(step, -INT64_MAX);
    const bool back = out.step < 0;
    const std::int64_t low = back ? -1 : 0;
    const std::int64_t high = back ? length - 1 : length;
    const auto clamp = [&](std::int64_t value) {
        if (value < 0) value += length;
        return std::clamp(value, low, high);
    };
    MS_TRY(start, part(slice.start, back ? INT64_MAX : INT64_MIN / 2));
    MS_TRY(stop, part(slice.stop, back ? INT64_MIN / 2 : INT64_MAX));
    out.start = slice.start.is_none() ? (back ? high : low) : clamp(start);
    const std::int64_t end = slice.stop.is_none() ? (back ? low : high) : clamp(stop);
    Range range;
    range.start = out.start;
    range.stop = end;
    range.step = out.step;
    out.count = range.count();
    return out;
}

template <class T>
std::vector<T> taken(const std::vector<T>& items, const Steps& steps) {
    std::vector<T> out;
    out.reserve(static_cast<std::size_t>(steps.count));
    for (std::int64_t i = 0; i < steps.count; ++i)
        out.push_back(items[static_cast<std::size_t>(steps.start + i * steps.step)]);
    return out;
}

const char* kind_of(const Value& owner) {
    if (owner.get_if<std::string>() != nullptr) return "string";
    return owner.get_if<std::shared_ptr<ops::List>>() != nullptr ? "list" : "tuple";
}

Result<std::size_t> place_in(Interpreter& in, const Value& owner, const Value& index, std::size_t size,
                             const char* what) {
    MS_TRY(position, position_of(in, index));
    if (!position) {
        const bool is_text = owner.get_if<std::string>() != nullptr;
        return type_error("{} indices must be integers{}, not {}{}{}", kind_of(owner), is_text ? "" : " or slices",
                          is_text ? "'" : "", ops::type_name(index), is_text ? "'" : "");
    }
    const auto length = static_cast<std::int64_t>(size);
    const std::int64_t place = *position < 0 ? *position + length : *position;
    if (place < 0 || place >= length) return index_error("{} {}out of range", kind_of(owner), what);
    return static_cast<std::size_t>(place);
}

Result<std::vector<std::pair<Value, Value>>::iterator> find_key(Interpreter& in, ops::Dict& dict, const Value& key) {
    for (auto item = dict.items.begin(); item != dict.items.end(); ++item) {
        // The common keys need no question.
        const auto* text = key.get_if<std::string>();
        const auto* other = item->first.get_if<std::string>();
        if (text != nullptr || other != nullptr) {
            if (text != nullptr && other != nullptr && *text == *other) return item;
            continue;
        }
        if (key.is_int() && item->first.is_int()) {
            if (key.to_int() == item->first.to_int()) return item;
            continue;
        }
        // A tensor is a key by identity.
        if (item->first.is_tensor() || key.is_tensor()) {
            if (item->first.tensor() == key.tensor()) return item;
            continue;
        }
        MS_TRY(same, in.equal(item->first, key));
        if (same) return item;
    }
    return dict.items.end();
}

}  // namespace

Result<Value> Interpreter::get_item(const Value& owner, const Value& index) {
    if (owner.is_tensor()) return call_op("getitem", ops::Form::internal, {owner, without_ranges(index)});
    const auto* slice = index.get_if<std::shared_ptr<const ops::Slice>>();
    if (const auto* items = owner.sequence()) {
        if (slice == nullptr) {
            MS_TRY(place, place_in(*this, owner, index, items->size(), "index "));
            return (*items)[place];
        }
        MS_TRY(steps, steps_of(*this, **slice, static_cast<std::int64_t>(items->size())));
        MS_CHECK(grow(static_cast<std::size_t>(steps.count) * sizeof(Value)));
        Values out = taken(*items, steps);
        if (owner.get_if<std::shared_ptr<ops::List>>() != nullptr) return ops::make_list(std::move(out));
        ops::Tuple tuple;
        tuple.is_size = (*owner.get_if<std::shared_ptr<const ops::Tuple>>())->is_size;
        tuple.items = std::move(out);
        return Value(std::shared_ptr<const ops::Tuple>(std::make_shared<ops::Tuple>(std::move(tuple))));
    }
    if (const auto* text = owner.get_if<std::string>()) {
        const auto letters = characters(*text);
        if (slice == nullptr) {
            MS_TRY(place, place_in(*this, owner, index, letters.size(), "index "));
            return Value(letters[place]);
        }
        MS_TRY(steps, steps_of(*this, **slice, static_cast<std::int64_t>(letters.size())));
        std::string out;
        for (const auto& letter : taken(letters, steps)) out += letter;
        MS_CHECK(grow(out.size()));
        return Value(std::move(out));
    }
    if (const auto* dict = owner.get_if<std::shared_ptr<ops::Dict>>()) {
        MS_CHECK(check_hashable(index));
        MS_TRY(place, find_key(*this, **dict, index));
        if (place != (*dict)->items.end()) return place->second;
        MS_TRY(text, repr(index));
        return key_error("{}", text);
    }
    if (const auto range = object_as<Range>(owner)) {
        if (slice == nullptr) {
            MS_TRY(position, position_of(*this, index));
            const std::int64_t count = range->count();
            if (!position) return type_error("range indices must be integers or slices, not {}", ops::type_name(index));
            const std::int64_t place = *position < 0 ? *position + count : *position;
            if (place < 0 || place >= count) return index_error("range object index out of range");
            return Value(range->start + place * range->step);
        }
        MS_TRY(steps, steps_of(*this, **slice, range->count()));
        auto out = std::make_shared<Range>();
        out->start = range->start + steps.start * range->step;
        out->step = range->step * steps.step;
        out->stop = out->start + steps.count * out->step;
        return Value(std::shared_ptr<ops::Object>(std::move(out)));
    }
    return type_error("'{}' object is not subscriptable", ops::type_name(owner));
}

Result<void> Interpreter::set_item(const Value& owner, const Value& index, const Value& value) {
    if (owner.is_tensor()) {
        MS_CHECK(call_op("setitem", ops::Form::internal, {owner, without_ranges(index), value}));
        return {};
    }
    if (const auto* list = owner.get_if<std::shared_ptr<ops::List>>()) {
        auto& items = (*list)->items;
        if (const auto* slice = index.get_if<std::shared_ptr<const ops::Slice>>()) {
            MS_TRY(steps, steps_of(*this, **slice, static_cast<std::int64_t>(items.size())));
            MS_TRY(fresh, to_values(value));
            for (const auto& item : fresh) MS_CHECK(refuse_cycle(owner, item));
            if (steps.step == 1) {
                const auto first = items.begin() + static_cast<std::ptrdiff_t>(steps.start);
                items.insert(items.erase(first, first + static_cast<std::ptrdiff_t>(steps.count)), fresh.begin(),
                             fresh.end());
                return grow(fresh.size() * sizeof(Value));
            }
            if (static_cast<std::int64_t>(fresh.size()) != steps.count)
                return value_error("attempt to assign sequence of size {} to extended slice of size {}", fresh.size(),
                                   steps.count);
            for (std::int64_t i = 0; i < steps.count; ++i)
                items[static_cast<std::size_t>(steps.start + i * steps.step)] = fresh[static_cast<std::size_t>(i)];
            return {};
        }
        MS_TRY(place, place_in(*this, owner, index, items.size(), "assignment index "));
        MS_CHECK(refuse_cycle(owner, value));
        items[place] = value;
        return {};
    }
    if (const auto* dict = owner.get_if<std::shared_ptr<ops::Dict>>()) {
        MS_CHECK(check_hashable(index));
        MS_CHECK(refuse_cycle(owner, value));
        MS_TRY(place, find_key(*this, **dict, index));
        if (place != (*dict)->items.end()) {
            place->second = value;
            return {};
        }
        MS_CHECK(grow(2 * sizeof(Value)));
        (*dict)->items.emplace_back(index, value);
        return {};
    }
    return type_error("'{}' object does not support item assignment", ops::type_name(owner));
}

Result<void> Interpreter::delete_item(const Value& owner, const Value& index) {
    if (const auto* list = owner.get_if<std::shared_ptr<ops::List>>()) {
        auto& items = (*list)->items;
        if (const auto* slice = index.get_if<std::shared_ptr<const ops::Slice>>()) {
            MS_TRY(steps, steps_of(*this, **slice, static_cast<std::int64_t>(items.size())));
            std::vector<bool> gone(items.size());
            for (std::int64_t i = 0; i < steps.count; ++i)
                gone[static_cast<std::size_t>(steps.start + i * steps.step)] = true;
            Values kept;
            for (std::size_t i = 0; i < items.size(); ++i)
                if (!gone[i]) kept.push_back(items[i]);
            items = std::move(kept);
            return {};
        }
        MS_TRY(place, place_in(*this, owner, index, items.size(), "assignment index "));
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(place));
        return {};
    }
    if (const auto* dict = owner.get_if<std::shared_ptr<ops::Dict>>()) {
        MS_TRY(place, find_key(*this, **dict, index));
        if (place == (*dict)->items.end()) {
            MS_TRY(text, repr(index));
            return key_error("{}", text);
        }
        (*dict)->items.erase(place);
        return {};
    }
    if (owner.is_tensor()) return type_error("Tensor does not support deleting items");
    return type_error("'{}' object doesn't support item deletion", ops::type_name(owner));
}

}  // namespace maskscope::script
