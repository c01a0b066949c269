// SPDX-License-Identifier: Apache-2.0
// Methods of list, tuple, dict and set.
#include "core/script/language/builtins.h"
#include "core/script/language/interpreter.h"
#include "core/script/language/set_object.h"
#include "core/script/language/str_methods.h"
#include "core/script/text/language_error.h"

#include <algorithm>
#include <string_view>

namespace maskscope::script {
namespace {

using ListPtr = std::shared_ptr<ops::List>;
using DictPtr = std::shared_ptr<ops::Dict>;
using SetPtr = std::shared_ptr<SetObject>;

template <class Self>
struct Row {
    std::string_view name;
    Result<Value> (*body)(Interpreter& in, const Self& self, Arguments& arguments);
    std::size_t least = 0;
    std::size_t most = 0;
};

Values held_by(const ListPtr& self) {
    return {Value(self)};
}
Values held_by(const DictPtr& self) {
    return {Value(self)};
}
Values held_by(const SetPtr& self) {
    return {Value(std::shared_ptr<ops::Object>(self))};
}

template <class Self, std::size_t N>
Value method_of(const Row<Self> (&rows)[N], const Self& self, const std::string& name) {
    for (const auto& row : rows) {
        if (row.name != name) continue;
        const auto body = [self, &row](Interpreter& in, Arguments& arguments) -> Result<Value> {
            MS_CHECK(expect_arguments(arguments, std::string(row.name).c_str(), row.least, row.most));
            return row.body(in, self, arguments);
        };
        return make_object<Callable>(name, body, held_by(self));
    }
    return {};
}

Result<std::size_t> index_of(Interpreter& in, const Values& items, const Value& wanted, const char* kind) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        MS_TRY(same, in.equal(items[i], wanted));
        if (same) return i;
    }
    if (std::string_view(kind) == "tuple") return value_error("tuple.index(x): x not in tuple");
    MS_TRY(text, in.repr(wanted));
    return value_error("{} is not in list", text);
}

Result<Value> count_of(Interpreter& in, const Values& items, const Value& wanted) {
    std::int64_t count = 0;
    for (const auto& item : items) {
        MS_TRY(same, in.equal(item, wanted));
        count += same ? 1 : 0;
    }
    return Value(count);
}

std::int64_t clamped(const Value& index, std::size_t size) {
    const auto length = static_cast<std::int64_t>(size);
    const std::int64_t at = index.to_int();
    return std::clamp<std::int64_t>(at < 0 ? at + length : at, 0, length);
}

const Row<ListPtr> kList[] = {
    {"append",
     [](Interpreter& in, const ListPtr& self, Arguments& a) -> Result<Value> {
         MS_CHECK(refuse_cycle(self, a.positional[0]));
         MS_CHECK(in.grow(sizeof(Value)));
         self->items.push_back(a.positional[0]);
         return Value();
     },
     1, 1},
    {"extend",
     [](Interpreter& in, const ListPtr& self, Arguments& a) -> Result<Value> {
         MS_TRY(items, in.to_values(a.positional[0]));
         MS_CHECK(in.grow(items.size() * sizeof(Value)));
         for (const auto& item : items) MS_CHECK(refuse_cycle(self, item));
         self->items.insert(self->items.end(), items.begin(), items.end());
         return Value();
     },
     1, 1},
    {"insert",
     [](Interpreter& in, const ListPtr& self, Arguments& a) -> Result<Value> {
         MS_CHECK(refuse_cycle(self, a.positional[1]));
         MS_CHECK(in.grow(sizeof(Value)));
         self->items.insert(self->items.begin() + clamped(a.positional[0], self->items.size()), a.positional[1]);
         return Value();
     },
     2, 2},
    {"pop",
     [](Interpreter&, const ListPtr& self, Arguments& a) -> Result<Value> {
         if (self->items.empty()) return index_error("pop from empty list");
         const auto length = static_cast<std::int64_t>(self->items.size());
         std::int64_t at = a.positional.empty() ? -1 : a.positional[0].to_int();
         if (at < 0) at += length;
         if (at < 0 || at >= length) return index_error("pop index out of range");
         Value out = self->items[static_cast<std::size_t>(at)];
         self->items.erase(self->items.begin() + at);
         return out;
     },
     0, 1},
    {"remove",
     [](Interpreter& in, const ListPtr& self, Arguments& a) -> Result<Value> {
         auto at = index_of(in, self->items, a.positional[0], "list");
         if (!at && at.error().type == "ValueError") return value_error("list.remove(x): x not in list");
         if (!at) return std::move(at).error();
         self->items.erase(self->items.begin() + static_cast<std::ptrdiff_t>(*at));
         return Value();
     },
     1, 1},
    {"index",
     [](Interpreter& in, const ListPtr& self, Arguments& a) -> Result<Value> {
         const Values items = self->items;
         MS_TRY(at, index_of(in, items, a.positional[0], "list"));
         return Value(static_cast<std::int64_t>(at));
     },
     1, 1},
    {"count",
     [](Interpreter& in, const ListPtr& self, Arguments& a) {
         const Values items = self->items;
         return count_of(in, items, a.positional[0]);
     },
     1, 1},
    {"reverse",
     [](Interpreter&, const ListPtr& self, Arguments&) -> Result<Value> {
         std::reverse(self->items.begin(), self->items.end());
         return Value();
     }},
    {"sort",
     [](Interpreter& in, const ListPtr& self, Arguments& a) -> Result<Value> {
         Arguments sorting = a;
         sorting.positional = {self};
         MS_TRY(out, in.call(*find_builtin("sorted"), sorting));
         self->items = *out.sequence();
         return Value();
     }},
    {"copy",
     [](Interpreter&, const ListPtr& self, Arguments&) -> Result<Value> { return ops::make_list(self->items); }},
    {"clear",
     [](Interpreter&, const ListPtr& self, Arguments&) -> Result<Value> {
         self->items.clear();
         return Value();
     }},
};

// The value of a key, or null.
Result<Value> value_of(Interpreter& in, const DictPtr& dict, const Value& key, const Value& missing) {
    auto out = in.get_item(dict, key);
    if (!out && out.error().type == "KeyError") return missing;
    return out;
}

const Row<DictPtr> kDict[] = {
    {"get",
     [](Interpreter& in, const DictPtr& self, Arguments& a) {
         return value_of(in, self, a.positional[0], a.positional.size() > 1 ? a.positional[1] : Value());
     },
     1, 2},
    {"keys",
     [](Interpreter&, const DictPtr& self, Arguments&) -> Result<Value> {
         Values out;
         for (const auto& [key, value] : self->items) out.push_back(key);
         return ops::make_list(std::move(out));
     }},
    {"values",
     [](Interpreter&, const DictPtr& self, Arguments&) -> Result<Value> {
         Values out;
         for (const auto& [key, value] : self->items) out.push_back(value);
         return ops::make_list(std::move(out));
     }},
    {"items",
     [](Interpreter&, const DictPtr& self, Arguments&) -> Result<Value> {
         Values out;
         for (const auto& [key, value] : self->items) out.push_back(ops::make_tuple({key, value}));
         return ops::make_list(std::move(out));
     }},
    {"pop",
     [](Interpreter& in, const DictPtr& self, Arguments& a) -> Result<Value> {
         auto out = in.get_item(self, a.positional[0]);
         if (!out)
             return a.positional.size() > 1 && out.error().type == "KeyError" ? Result<Value>(a.positional[1]) : out;
         MS_CHECK(in.delete_item(self, a.positional[0]));
         return out;
     },
     1, 2},
    {"setdefault",
     [](Interpreter& in, const DictPtr& self, Arguments& a) -> Result<Value> {
         auto out = in.get_item(self, a.positional[0]);
         if (out || out.error().type != "KeyError") return out;
         const Value value = a.positional.size() > 1 ? a.positional[1] : Value();
         MS_CHECK(in.set_item(self, a.positional[0], value));
         return value;
     },
     1, 2},
    {"update",
     [](Interpreter& in, const DictPtr& self, Arguments& a) -> Result<Value> {
         if (!a.positional.empty()) {
             const auto* other = a.positional[0].get_if<DictPtr>();
             if (other == nullptr) return type_error("'{}' object is not a mapping", ops::type_name(a.positional[0]));
             const auto items = (*other)->items;
             for (const auto& [key, value] : items) MS_CHECK(in.set_item(self, key, value));
         }
         for (const auto& [key, value] : a.named) MS_CHECK(in.set_item(self, Value(key), value));
         return Value();
     },
     0, 1},
    {"copy",
     [](Interpreter&, const DictPtr& self, Arguments&) -> Result<Value> {
         return Value(std::make_shared<ops::Dict>(*self));
     }},
};

const Row<SetPtr> kSet[] = {
    {"add",
     [](Interpreter& in, const SetPtr& self, Arguments& a) -> Result<Value> {
         MS_CHECK(check_hashable(a.positional[0]));
         MS_TRY(known, in.compare(CompareOp::in, a.positional[0], ops::make_list(self->items)));
         if (known.to_int() == 0) self->items.push_back(a.positional[0]);
         return Value();
     },
     1, 1},
    {"union",
     [](Interpreter& in, const SetPtr& self, Arguments& a) -> Result<Value> {
         MS_TRY(other, in.to_values(a.positional[0]));
         Values items = self->items;
         items.insert(items.end(), other.begin(), other.end());
         return make_set(in, std::move(items));
     },
     1, 1},
    {"discard",
     [](Interpreter& in, const SetPtr& self, Arguments& a) -> Result<Value> {
         auto at = index_of(in, self->items, a.positional[0], "list");
         if (at) self->items.erase(self->items.begin() + static_cast<std::ptrdiff_t>(*at));
         return Value();
     },
     1, 1},
};

bool reaches(const Value& from, const void* target, int depth) {
    if (depth > 200) return true;
    const auto any = [&](const Values& items) {
        return std::any_of(items.begin(), items.end(), [&](const Value& v) { return reaches(v, target, depth + 1); });
    };
    if (const auto* list = from.get_if<ListPtr>()) return list->get() == target || any((*list)->items);
    if (const auto* tuple = from.get_if<std::shared_ptr<const ops::Tuple>>()) return any((*tuple)->items);
    if (const auto* dict = from.get_if<DictPtr>()) {
        if (dict->get() == target) return true;
        for (const auto& [key, value] : (*dict)->items)
            if (reaches(value, target, depth + 1)) return true;
    }
    if (const auto space = object_as<Namespace>(from)) {
        if (space.get() == target) return true;
        for (const auto& [name, value] : space->attributes)
            if (reaches(value, target, depth + 1)) return true;
    }
    if (const auto callable = object_as<Callable>(from); callable && any(callable->holds)) return true;
    if (const auto function = object_as<Function>(from); function && any(function->defaults)) return true;
    if (const auto* object = from.get_if<std::shared_ptr<ops::Object>>()) return object->get() == target;
    return false;
}

}  // namespace

Value list_method(const ListPtr& self, const std::string& name) {
    return method_of(kList, self, name);
}

Value tuple_method(const std::shared_ptr<const ops::Tuple>& self, const std::string& name) {
    if (name != "index" && name != "count") return {};
    return make_object<Callable>(name, [self, name](Interpreter& in, Arguments& a) -> Result<Value> {
        MS_CHECK(expect_arguments(a, name.c_str(), 1, 1));
        if (name == "count") return count_of(in, self->items, a.positional[0]);
        MS_TRY(at, index_of(in, self->items, a.positional[0], "tuple"));
        return Value(static_cast<std::int64_t>(at));
    });
}

Value dict_method(const DictPtr& self, const std::string& name) {
    return method_of(kDict, self, name);
}

Value set_method(const Value& self, const std::string& name) {
    return method_of(kSet, object_as<SetObject>(self), name);
}

Result<void> refuse_cycle(const Value& container, const Value& item) {
    const void* target = nullptr;
    if (const auto* list = container.get_if<ListPtr>()) target = list->get();
    if (const auto* dict = container.get_if<DictPtr>()) target = dict->get();
    if (const auto* object = container.get_if<std::shared_ptr<ops::Object>>()) target = object->get();
    if (target == nullptr || !reaches(item, target, 0)) return {};
    return not_in_the_language(MS_TEXT("a {} that holds itself is not part of the mask script"),
                               ops::type_name(container));
}

Result<void> check_hashable(const Value& value) {
    const bool is_mutable = value.get_if<ListPtr>() != nullptr || value.get_if<DictPtr>() != nullptr ||
                            value.get_if<std::shared_ptr<const ops::Slice>>() != nullptr ||
                            object_as<SetObject>(value) != nullptr;
    if (is_mutable) return type_error("unhashable type: '{}'", ops::type_name(value));
    if (const auto* tuple = value.get_if<std::shared_ptr<const ops::Tuple>>())
        for (const auto& item : (*tuple)->items) MS_CHECK(check_hashable(item));
    return {};
}

Result<Value> make_set(Interpreter& in, Values items) {
    auto out = std::make_shared<SetObject>();
    for (auto& item : items) {
        MS_CHECK(check_hashable(item));
        MS_TRY(known, in.compare(CompareOp::in, item, ops::make_list(out->items)));
        if (known.to_int() == 0) out->items.push_back(std::move(item));
    }
    return Value(std::shared_ptr<ops::Object>(std::move(out)));
}

}  // namespace maskscope::script
