// SPDX-License-Identifier: Apache-2.0
#include "core/io/pickle_tree.h"

#include "core/io/limits.h"
#include "core/tensor/convert.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace maskscope::io::pickle {
namespace {

constexpr std::size_t kMaxVisits = 4 * kMaxItems;
constexpr std::size_t kMaxListText = 1000;

bool is_plain(Kind kind) {
    return kind != Kind::list && kind != Kind::tuple && kind != Kind::dict && kind != Kind::tensor;
}

std::string text_of_plain(const Pickle& pickle, const Value& value, bool quoted) {
    switch (value.kind) {
        case Kind::none:
            return "None";
        case Kind::boolean:
            return value.integer != 0 ? "True" : "False";
        case Kind::integer:
            return std::to_string(value.integer);
        case Kind::real:
            return text_of(Scalar(value.real), DType::f64);
        case Kind::text:
            return quoted ? fmt::format("'{}'", value.text) : std::string(value.text);
        case Kind::bytes:
            return fmt::format("{} bytes", value.text.size());
        case Kind::storage: {
            const auto& storage = pickle.storages[static_cast<std::size_t>(value.integer)];
            return fmt::format("{} of {} elements", storage.type, storage.elements);
        }
        case Kind::big_integer:
        case Kind::global:
            return std::string(value.text);
        case Kind::list:
        case Kind::tuple:
        case Kind::dict:
        case Kind::tensor:
            break;
    }
    return {};
}

class Walk {
public:
    explicit Walk(const Pickle& pickle) : pickle_(pickle) {}

    Result<Leaves> run() {
        open_.push_back({.id = pickle_.root, .key = {}, .depth = 0});
        while (!open_.empty()) {
            const Place place = std::move(open_.back());
            open_.pop_back();
            if (++visits_ > kMaxVisits) return input_error(MS_TEXT("the file refers to its objects without measure"));
            MS_CHECK(visit(place));
        }
        return std::move(leaves_);
    }

private:
    struct Place {
        ValueId id;
        std::string key;
        int depth;
    };

    Result<void> visit(const Place& place) {
        const Value& value = pickle_.values[place.id];
        if (place.depth > kMaxPickleDepth)
            return input_error(MS_TEXT("the file's containers are nested more than {} deep"), kMaxPickleDepth);
        if (value.kind == Kind::tensor) return add_tensor(place.key, static_cast<std::uint32_t>(value.integer));
        if (is_plain(value.kind)) return add_plain(place.key, text_of_plain(pickle_, value, false));
        if (value.kind == Kind::dict) return open_dict(place, value);
        visits_ += value.children.size();
        if (holds_plain_values(value)) return add_list(place.key, value);
        for (std::size_t i = value.children.size(); i-- > 0;)
            MS_CHECK(open(value.children[i], fmt::format("{}[{}]", place.key, i), place.depth + 1));
        return {};
    }

    Result<void> open_dict(const Place& place, const Value& dict) {
        for (std::size_t i = dict.children.size(); i >= 2; i -= 2) {
            const Value& key = pickle_.values[dict.children[i - 2]];
            std::string name;
            if (key.kind == Kind::text) {
                name = place.key.empty() ? std::string(key.text) : fmt::format("{}.{}", place.key, key.text);
            } else {
                const bool simple = is_plain(key.kind) && key.text.size() < kMaxListText;
                name = fmt::format("{}[{}]", place.key, simple ? text_of_plain(pickle_, key, true) : "...");
            }
            MS_CHECK(open(dict.children[i - 1], std::move(name), place.depth + 1));
        }
        return {};
    }

    // Nested keys repeat their beginnings, so a small file could ask for endless text.
    Result<void> open(ValueId id, std::string key, int depth) {
        key_bytes_ += key.size();
        if (key_bytes_ > kMaxTextBytes || open_.size() > kMaxVisits)
            return input_error(MS_TEXT("the names in the file need more than {} bytes"), kMaxTextBytes);
        open_.push_back({.id = id, .key = std::move(key), .depth = depth});
        return {};
    }

    bool holds_plain_values(const Value& list) const {
        return std::all_of(list.children.begin(), list.children.end(),
                           [&](ValueId id) { return is_plain(pickle_.values[id].kind); });
    }

    Result<void> add_tensor(const std::string& key, std::uint32_t tensor) {
        if (leaves_.tensors.size() >= kMaxItems)
            return input_error(MS_TEXT("the file holds more than {} tensors"), kMaxItems);
        leaves_.tensors.push_back({.key = unique(key), .tensor = tensor});
        return {};
    }
    Result<void> add_plain(const std::string& key, std::string text) {
        text_bytes_ += text.size();
        if (text_bytes_ > kMaxTextBytes)
            return input_error(MS_TEXT("the texts in the file need more than {} bytes"), kMaxTextBytes);
        leaves_.plain.insert_or_assign(key, std::move(text));
        return {};
    }
    Result<void> add_list(const std::string& key, const Value& list) {
        std::string text;
        bool only_texts = !list.children.empty();
        for (const ValueId id : list.children) {
            const Value& value = pickle_.values[id];
            only_texts = only_texts && value.kind == Kind::text;
            if (text.size() > kMaxListText) continue;
            if (!text.empty()) text += ", ";
            text += value.text.size() < kMaxListText ? text_of_plain(pickle_, value, true) : "...";
            if (text.size() > kMaxListText) text += ", ...";
        }
        if (only_texts) MS_CHECK(add_texts(key, list));
        return add_plain(key, list.kind == Kind::list ? "[" + text + "]" : "(" + text + ")");
    }
    Result<void> add_texts(const std::string& key, const Value& list) {
        TextsLeaf leaf{.key = key, .texts = {}};
        for (const ValueId id : list.children) {
            const auto text = pickle_.values[id].text;
            text_bytes_ += text.size();
            if (text_bytes_ > kMaxTextBytes)
                return input_error(MS_TEXT("the texts in the file need more than {} bytes"), kMaxTextBytes);
            leaf.texts.emplace_back(text);
        }
        leaf.key = unique(leaf.key);
        leaves_.texts.push_back(std::move(leaf));
        return {};
    }

    // {"a": {"b": x}, "a.b": y} leads to "a.b" twice.
    std::string unique(const std::string& key) {
        std::string name = key;
        for (std::size_t i = 2; !taken_.insert(name).second; ++i)
            name = fmt::format("{} ({})", key, next_number(key, i));
        return name;
    }
    // Numbers go on from the last one given, or a file of equal names would take quadratic time.
    std::size_t next_number(const std::string& key, std::size_t least) {
        std::size_t& last = numbers_[key];
        last = std::max(last + 1, least);
        return last;
    }

    const Pickle& pickle_;
    Leaves leaves_;
    std::vector<Place> open_;
    std::size_t visits_ = 0;
    std::size_t key_bytes_ = 0;
    std::size_t text_bytes_ = 0;
    std::unordered_set<std::string> taken_;
    std::map<std::string, std::size_t> numbers_;
};

}  // namespace

Result<Leaves> flatten(const Pickle& pickle) {
    return Walk(pickle).run();
}

}  // namespace maskscope::io::pickle
