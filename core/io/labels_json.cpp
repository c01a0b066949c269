// SPDX-License-Identifier: Apache-2.0
#include "core/io/labels_json.h"

#include "core/base/utf8.h"
#include "core/io/json_events.h"
#include "core/io/limits.h"
#include "core/io/number_words.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <vector>

namespace maskscope::io {

namespace {

// json.dump() in Python writes NaN, Infinity and -Infinity, which are no JSON: put in quotes here. Errors behind such a
// word are shifted back by what was added.
class QuotedWords {
public:
    explicit QuotedWords(std::string_view text) : text_(text) {
        if (text.find("NaN") == std::string_view::npos && text.find("Infinity") == std::string_view::npos) return;
        rewrite();
        text_ = rewritten_;
    }
    std::string_view text() const { return text_; }
    std::uint64_t original(std::uint64_t at) const {
        const auto added = std::upper_bound(places_.begin(), places_.end(), at) - places_.begin();
        return at - std::min<std::uint64_t>(at, 2ULL * static_cast<std::uint64_t>(added));
    }

private:
    void rewrite() {
        bool in_string = false;
        for (std::size_t i = 0; i < text_.size();) {
            const char c = text_[i];
            if (in_string && c == '\\' && i + 1 < text_.size()) {
                rewritten_ += text_.substr(i, 2);
                i += 2;
                continue;
            }
            if (c == '"') in_string = !in_string;
            const std::string_view word = in_string ? std::string_view() : word_at(i);
            if (word.empty()) {
                rewritten_ += c;
                ++i;
                continue;
            }
            places_.push_back(rewritten_.size() + word.size() + 2);
            rewritten_ += '"';
            rewritten_ += word;
            rewritten_ += '"';
            i += word.size();
        }
    }

    std::string_view word_at(std::size_t i) const {
        for (const std::string_view word : {"NaN", "Infinity", "-Infinity"}) {
            if (text_.substr(i, word.size()) == word) return word;
        }
        return {};
    }

    std::string_view text_;
    std::string rewritten_;
    std::vector<std::uint64_t> places_;
};

class ListHandler : public JsonHandler {
public:
    using JsonHandler::JsonHandler;

    Result<std::variant<Labels, Tensor>> finish() {
        MS_CHECK(run());
        if (kind_ == Kind::text) return std::variant<Labels, Tensor>(std::move(labels_));
        if (ragged_) return std::move(*ragged_);
        MS_TRY(tensor, numbers());
        return std::variant<Labels, Tensor>(tensor);
    }

    bool start_array(std::size_t /*count*/) override {
        if (depth_ == kMaxRank) {
            return fail(
                input_error(MS_TEXT("the lists are nested more than {} deep, the most that is read"), kMaxRank));
        }
        if (leaf_depth_ != 0 && depth_ >= leaf_depth_) return ragged_leaf("a list");
        if (depth_ > 0) ++count_at(depth_ - 1);
        count_at(depth_) = 0;
        ++depth_;
        deepest_ = std::max(deepest_, depth_);
        return true;
    }

    bool end_array() override {
        --depth_;
        const std::int64_t count = count_at(depth_);
        auto& size = sizes_[static_cast<std::size_t>(depth_)];
        if (size < 0) size = count;
        if (size != count && !ragged_) {
            ragged_ = input_error(MS_TEXT("this list has {} entries and an earlier one beside it {}: a tensor has one "
                                          "length for each dimension"),
                                  count, size)
                          .at(place());
        }
        return true;
    }

    bool start_object(std::size_t /*count*/) override {
        return fail(input_error(MS_TEXT("a JSON list of labels or numbers is read, not an object")));
    }
    bool null() override {
        return fail(input_error(MS_TEXT("null is neither a label nor a number; write \"nan\" for a missing number")));
    }

    bool boolean(bool value) override {
        if (!leaf(value ? "true" : "false")) return false;
        if (kind_ != Kind::none && kind_ != Kind::boolean) return mixed(value ? "true" : "false");
        kind_ = Kind::boolean;
        integers_.push_back(value ? 1 : 0);
        return true;
    }
    bool number_integer(number_integer_t value) override {
        if (!leaf("a number")) return false;
        if (kind_ == Kind::none) kind_ = Kind::integer;
        if (kind_ == Kind::integer) {
            integers_.push_back(value);
            return true;
        }
        return add_real(static_cast<double>(value));
    }
    bool number_unsigned(number_unsigned_t value) override {
        if (value > INT64_MAX) return fail(input_error(MS_TEXT("{} does not fit int64"), value));
        return number_integer(static_cast<std::int64_t>(value));
    }
    bool number_float(number_float_t value, const string_t& /*text*/) override {
        return leaf("a number") && add_real(value);
    }
    bool string(string_t& value) override {
        if (!leaf("a string")) return false;
        if (kind_ == Kind::none) kind_ = Kind::text;
        if (kind_ == Kind::text) return add_label(value);
        const auto number = number_word(value);
        return number ? add_real(*number) : mixed(in_quotes(value));
    }

private:
    enum class Kind { none, boolean, integer, real, text };

    std::int64_t& count_at(int level) { return counts_[static_cast<std::size_t>(level)]; }

    bool ragged_leaf(const char* what) {
        return fail(input_error(MS_TEXT("{} stands at another depth than the values before it"), what));
    }
    bool mixed(std::string_view what) {
        return fail(input_error(MS_TEXT("{} stands among values of another kind"), what));
    }

    bool leaf(const char* what) {
        if (depth_ == 0) return fail(input_error(MS_TEXT("a JSON list belongs here, not a single value")));
        if (leaf_depth_ == 0) leaf_depth_ = depth_;
        if (leaf_depth_ != depth_ || deepest_ != depth_) return ragged_leaf(what);
        ++count_at(depth_ - 1);
        return true;
    }

    bool add_label(std::string& value) {
        if (leaf_depth_ > 2) {
            return fail(input_error(MS_TEXT("labels are a list, or a list for each row; these are nested deeper")));
        }
        if (++label_count_ > kMaxItems) return fail(input_error(MS_TEXT("more than {} labels"), kMaxItems));
        // Rows without a label before this one are kept: each belongs to an entry of the batch.
        const auto row = leaf_depth_ == 1 ? std::size_t{1} : static_cast<std::size_t>(count_at(0));
        if (labels_.rows.size() < row) labels_.rows.resize(row);
        labels_.rows.back().push_back(std::move(value));
        return true;
    }

    // Words such as "-inf" that came before the first number were taken for labels.
    bool labels_become_numbers() {
        for (const auto& row : labels_.rows) {
            for (const auto& label : row) {
                const auto number = number_word(label);
                if (!number) return mixed("a number");
                reals_.push_back(*number);
            }
        }
        labels_ = {};
        kind_ = Kind::real;
        return true;
    }

    bool add_real(double value) {
        if (kind_ == Kind::boolean) return mixed("a number");
        if (kind_ == Kind::text && !labels_become_numbers()) return false;
        if (kind_ == Kind::integer) {
            reals_.assign(integers_.begin(), integers_.end());
            integers_ = {};
        }
        kind_ = Kind::real;
        reals_.push_back(value);
        return true;
    }

    Result<Tensor> numbers() const {
        Shape shape;
        for (int level = 0; level < deepest_; ++level) shape.push_back(sizes_[static_cast<std::size_t>(level)]);
        const DType dtype = kind_ == Kind::boolean ? DType::boolean : kind_ == Kind::integer ? DType::i64 : DType::f64;
        MS_TRY(tensor, Tensor::zeros(shape, dtype));
        if (dtype == DType::boolean) {
            auto* out = tensor.writable_as<std::uint8_t>();
            for (const auto value : integers_) *out++ = static_cast<std::uint8_t>(value);
        } else if (dtype == DType::i64) {
            std::copy(integers_.begin(), integers_.end(), tensor.writable_as<std::int64_t>());
        } else {
            std::copy(reals_.begin(), reals_.end(), tensor.writable_as<double>());
        }
        return tensor;
    }

    Kind kind_ = Kind::none;
    int depth_ = 0;       // lists that are open
    int deepest_ = 0;     // most that were open at once
    int leaf_depth_ = 0;  // lists around each value; 0 before the first value
    std::array<std::int64_t, kMaxRank> counts_{};
    std::array<std::int64_t, kMaxRank> sizes_ = [] {
        std::array<std::int64_t, kMaxRank> unknown{};
        unknown.fill(-1);
        return unknown;
    }();
    std::optional<Error> ragged_;
    std::vector<std::int64_t> integers_;
    std::vector<double> reals_;
    Labels labels_;
    std::size_t label_count_ = 0;
};

}  // namespace

Item label_item(std::string key, Labels labels) {
    std::size_t longest = 0;
    for (const auto& row : labels.rows) longest = std::max(longest, row.size());
    Item item;
    item.key = std::move(key);
    if (labels.rows.size() > 1) item.shape.push_back(static_cast<std::int64_t>(labels.rows.size()));
    item.shape.push_back(static_cast<std::int64_t>(longest));
    item.labels = std::move(labels);
    return item;
}

Result<std::variant<Labels, Tensor>> list_from_json(std::string_view text, std::uint64_t offset) {
    const QuotedWords words(text);
    ListHandler handler(words.text(), 0);
    auto list = handler.finish();
    if (!list && list.error().where.offset) {
        list.error().where.offset = offset + words.original(*list.error().where.offset);
    }
    return list;
}

Result<Labels> labels_from_json(std::string_view text, std::uint64_t offset) {
    MS_TRY(list, list_from_json(text, offset));
    if (auto* labels = std::get_if<Labels>(&list)) return std::move(*labels);
    return input_error(MS_TEXT("the list holds numbers, not labels")).at(offset);
}

}  // namespace maskscope::io
