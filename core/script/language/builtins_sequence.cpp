// SPDX-License-Identifier: Apache-2.0
// len, range, zip, sorted and the others that go through sequences.
#include "core/script/language/builtins.h"
#include "core/script/language/interpreter.h"
#include "core/script/text/language_error.h"

#include <algorithm>
#include <optional>

namespace maskscope::script {
namespace {

Result<Value> len(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "len", 1, 1));
    MS_TRY(length, in.length(a.positional[0]));
    return Value(length);
}

Result<std::int64_t> index_of(Interpreter& in, const Value& value) {
    if (value.is_int()) return value.to_int();
    if (value.is_tensor()) {
        MS_TRY(number, in.call_op("index", ops::Form::internal, {value}));
        return number.to_int();
    }
    return type_error("'{}' object cannot be interpreted as an integer", ops::type_name(value));
}

Result<Value> range(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "range", 1, 3));
    auto out = std::make_shared<Range>();
    std::vector<std::int64_t> numbers;
    for (const auto& value : a.positional) {
        MS_TRY(number, index_of(in, value));
        numbers.push_back(number);
    }
    out->stop = numbers[0];
    if (numbers.size() > 1) {
        out->start = numbers[0];
        out->stop = numbers[1];
    }
    if (numbers.size() > 2) out->step = numbers[2];
    if (out->step == 0) return value_error("range() arg 3 must not be zero");
    return Value(std::shared_ptr<ops::Object>(std::move(out)));
}

Result<Value> enumerate(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "enumerate", 1, 2));
    const Value* start = argument(a, 1, "start");
    std::int64_t index = start == nullptr ? 0 : start->to_int();
    MS_TRY(items, in.to_values(a.positional[0]));
    Values out;
    MS_CHECK(in.grow(items.size() * 3 * sizeof(Value)));
    for (auto& item : items) out.push_back(ops::make_tuple({Value(index++), std::move(item)}));
    return ops::make_list(std::move(out));
}

Result<Value> zip(Interpreter& in, Arguments& a) {
    std::vector<Values> columns;
    for (const auto& value : a.positional) {
        // An endless range beside a short list is cut before it is made.
        if (const auto r = object_as<Range>(value); r && r->count() > 1'000'000) {
            std::int64_t shortest = r->count();
            for (const auto& other : a.positional) {
                if (object_as<Range>(other) == r) continue;
                MS_TRY(length, in.length(other));
                shortest = std::min(shortest, length);
            }
            Values cut;
            for (std::int64_t i = 0; i < shortest; ++i) {
                MS_CHECK(in.tick());
                MS_CHECK(in.grow(sizeof(Value)));
                cut.emplace_back(r->start + i * r->step);
            }
            columns.push_back(std::move(cut));
            continue;
        }
        MS_TRY(items, in.to_values(value));
        columns.push_back(std::move(items));
    }
    const Value* strict = argument(a, SIZE_MAX, "strict");
    std::size_t rows = columns.empty() ? 0 : SIZE_MAX;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (strict != nullptr && strict->to_int() != 0 && i > 0 && columns[i].size() != columns[0].size())
            return value_error("zip() argument {} is {} than argument{}", i + 1,
                               columns[i].size() < columns[0].size() ? "shorter" : "longer",
                               i == 1 ? std::string(" 1") : fmt::format("s 1-{}", i));
        rows = std::min(rows, columns[i].size());
    }
    Values out;
    MS_CHECK(in.grow(rows * (columns.size() + 1) * sizeof(Value)));
    for (std::size_t i = 0; i < rows; ++i) {
        Values row;
        for (const auto& column : columns) row.push_back(column[i]);
        out.push_back(ops::make_tuple(std::move(row)));
    }
    return ops::make_list(std::move(out));
}

Result<Value> map_over(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "map", 2, 8));
    Arguments columns;
    columns.positional.assign(a.positional.begin() + 1, a.positional.end());
    MS_TRY(rows, zip(in, columns));
    Values out;
    const Values tuples = *rows.sequence();
    for (const auto& row : tuples) {
        MS_CHECK(in.tick());
        MS_TRY(value, in.call(a.positional[0], *row.sequence()));
        out.push_back(std::move(value));
    }
    return ops::make_list(std::move(out));
}

Result<Value> filter(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "filter", 2, 2));
    MS_TRY(items, in.to_values(a.positional[1]));
    Values out;
    for (const auto& item : items) {
        Value verdict = item;
        if (!a.positional[0].is_none()) {
            MS_TRY(value, in.call(a.positional[0], Values{item}));
            verdict = std::move(value);
        }
        MS_TRY(keeps, in.truth(verdict));
        if (keeps) out.push_back(item);
    }
    return ops::make_list(std::move(out));
}

Result<Value> key_of(Interpreter& in, const Value* key, const Value& item) {
    if (key == nullptr || key->is_none()) return item;
    return in.call(*key, Values{item});
}

Result<Value> sorted(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "sorted", 1, 1));
    MS_TRY(items, in.to_values(a.positional[0]));
    const Value* key = argument(a, SIZE_MAX, "key");
    const Value* reverse = argument(a, SIZE_MAX, "reverse");
    const bool backwards = reverse != nullptr && reverse->to_int() != 0;
    std::vector<std::pair<Value, Value>> pairs;
    for (auto& item : items) {
        MS_TRY(by, key_of(in, key, item));
        pairs.emplace_back(std::move(by), std::move(item));
    }
    // A merge sort of our own order: std::sort must not meet a comparison that fails halfway.
    std::optional<Error> failed;
    const auto before = [&](const auto& left, const auto& right) -> bool {
        if (failed) return false;
        auto verdict = backwards ? in.less(right.first, left.first) : in.less(left.first, right.first);
        if (!verdict) {
            failed = std::move(verdict).error();
            return false;
        }
        return *verdict;
    };
    std::vector<std::pair<Value, Value>> other(pairs.size());
    for (std::size_t width = 1; width < pairs.size(); width *= 2) {
        for (std::size_t begin = 0; begin < pairs.size(); begin += 2 * width) {
            std::size_t i = begin;
            const std::size_t middle = std::min(begin + width, pairs.size());
            std::size_t j = middle;
            const std::size_t end = std::min(begin + 2 * width, pairs.size());
            for (std::size_t k = begin; k < end; ++k) {
                const bool right_first = i == middle || (j < end && before(pairs[j], pairs[i]));
                other[k] = right_first ? pairs[j++] : pairs[i++];
            }
        }
        std::swap(pairs, other);
        if (failed) return std::move(*failed);
    }
    Values out;
    for (auto& [by, item] : pairs) out.push_back(std::move(item));
    return ops::make_list(std::move(out));
}

Result<Value> reversed(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "reversed", 1, 1));
    if (a.positional[0].is_tensor())
        return in.call_op("flip", ops::Form::method, {a.positional[0], ops::make_list({0})});
    MS_TRY(items, in.to_values(a.positional[0]));
    std::reverse(items.begin(), items.end());
    return ops::make_list(std::move(items));
}

Result<Value> extreme(Interpreter& in, Arguments& a, bool largest) {
    const char* name = largest ? "max" : "min";
    if (a.positional.empty()) return type_error("{} expected at least 1 argument, got 0", name);
    Values items = a.positional;
    if (a.positional.size() == 1) {
        MS_TRY(all, in.to_values(a.positional[0]));
        items = std::move(all);
    }
    const Value* key = argument(a, SIZE_MAX, "key");
    if (items.empty()) {
        const Value* missing = argument(a, SIZE_MAX, "default");
        if (missing != nullptr) return *missing;
        return value_error("{}() iterable argument is empty", name);
    }
    Value best = items[0];
    MS_TRY(best_key, key_of(in, key, best));
    for (std::size_t i = 1; i < items.size(); ++i) {
        MS_TRY(by, key_of(in, key, items[i]));
        MS_TRY(verdict, in.compare(largest ? CompareOp::greater : CompareOp::less, by, best_key));
        MS_TRY(better, in.truth(verdict));
        if (!better) continue;
        best = items[i];
        best_key = std::move(by);
    }
    return best;
}

Result<Value> sum(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "sum", 1, 2));
    const Value* start = argument(a, 1, "start");
    Value total = start == nullptr ? Value(0) : *start;
    const auto add = [&](const Value& item) -> Result<bool> {
        MS_CHECK(in.tick());
        MS_TRY(next, in.binary(BinaryOp::add, total, item));
        total = std::move(next);
        return true;
    };
    MS_CHECK(in.for_each(a.positional[0], add));
    return total;
}

Result<Value> quantified(Interpreter& in, Arguments& a, bool wanted) {
    MS_CHECK(expect_arguments(a, wanted ? "any" : "all", 1, 1));
    bool found = false;
    const auto look = [&](const Value& item) -> Result<bool> {
        MS_CHECK(in.tick());
        MS_TRY(is_true, in.truth(item));
        found = is_true == wanted;
        return !found;
    };
    MS_CHECK(in.for_each(a.positional[0], look));
    return Value(found == wanted);
}

Result<Value> next_item(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "next", 1, 2));
    MS_TRY(items, in.to_values(a.positional[0]));
    if (!items.empty()) return items[0];
    if (a.positional.size() > 1) return a.positional[1];
    return ops::torch_error("StopIteration", "");
}

}  // namespace

void add_sequence_builtins(BuiltinMap& map) {
    const auto add = [&](const char* name, BuiltinBody body) { map.emplace(name, make_object<Builtin>(name, body)); };
    add("len", len);
    add("range", range);
    add("enumerate", enumerate);
    add("zip", zip);
    add("map", map_over);
    add("filter", filter);
    add("sorted", sorted);
    add("reversed", reversed);
    add("sum", sum);
    add("next", next_item);
    add("iter", [](Interpreter& in, Arguments& a) -> Result<Value> {
        MS_CHECK(expect_arguments(a, "iter", 1, 1));
        MS_TRY(items, in.to_values(a.positional[0]));
        return ops::make_list(std::move(items));
    });
    add("max", [](Interpreter& in, Arguments& a) { return extreme(in, a, true); });
    add("min", [](Interpreter& in, Arguments& a) { return extreme(in, a, false); });
    add("any", [](Interpreter& in, Arguments& a) { return quantified(in, a, true); });
    add("all", [](Interpreter& in, Arguments& a) { return quantified(in, a, false); });
}

}  // namespace maskscope::script
