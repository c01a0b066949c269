// SPDX-License-Identifier: Apache-2.0
#include "core/io/npy_dict.h"

#include "core/base/utf8.h"

#include <charconv>

namespace maskscope::io {

namespace {

class DictParser {
public:
    DictParser(std::string_view text, std::uint64_t offset) : text_(text), offset_(offset) {}

    Result<NpyDict> parse() {
        if (!take('{')) return expected("'{'");
        while (!take('}')) {
            MS_CHECK(entry());
            if (take(',')) continue;
            if (take('}')) break;
            return expected("',' or '}'");
        }
        skip_space();
        if (at_ != text_.size()) return expected("nothing but spaces after the dict");
        for (const auto& [seen, name] :
             {std::pair{has_descr_, "descr"}, {has_order_, "fortran_order"}, {has_shape_, "shape"}}) {
            if (!seen) return input_error(MS_TEXT("the npy header has no '{}'"), name).at(offset_);
        }
        return std::move(dict_);
    }

private:
    Error expected(std::string_view what) const {
        return input_error(MS_TEXT("the npy header is damaged: {} was expected"), what).at(place());
    }

    std::uint64_t place() const { return offset_ + at_; }

    void skip_space() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    }

    bool take(char wanted) {
        skip_space();
        if (at_ >= text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }

    bool take_word(std::string_view word) {
        skip_space();
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    // A plain string: NumPy writes no escapes into keys and dtypes.
    Result<std::string> string() {
        skip_space();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote != '\'' && quote != '"') return expected("a quoted string");
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) return expected("a closing quote");
        std::string out(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return out;
    }

    Result<void> entry() {
        skip_space();
        const std::uint64_t key_at = place();
        MS_TRY(key, string());
        if (!take(':')) return expected("':'");
        skip_space();
        bool* seen = key == "descr"           ? &has_descr_
                     : key == "fortran_order" ? &has_order_
                     : key == "shape"         ? &has_shape_
                                              : nullptr;
        if (seen == nullptr)
            return input_error(MS_TEXT("the npy header has the unknown key {}"), in_quotes(key)).at(key_at);
        if (*seen) return input_error(MS_TEXT("the npy header has '{}' twice"), key).at(key_at);
        *seen = true;
        if (seen == &has_descr_) return descr();
        if (seen == &has_order_) return order();
        return shape();
    }

    Result<void> descr() {
        dict_.descr_at = place();
        if (at_ < text_.size() && text_[at_] == '[') return skip_list();
        MS_TRY(value, string());
        dict_.descr = std::move(value);
        return {};
    }

    // The fields of a structured dtype are only stepped over: brackets outside strings are counted.
    Result<void> skip_list() {
        dict_.structured = true;
        std::size_t open = 0;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\'' || c == '"') {
                MS_CHECK(step_over_string());
                continue;
            }
            ++at_;
            if (c == '[') ++open;
            if (c == ']' && --open == 0) return {};
        }
        return expected("']'");
    }

    Result<void> step_over_string() {
        MS_TRY(ignored, string());
        static_cast<void>(ignored);
        return {};
    }

    Result<void> order() {
        if (take_word("True")) {
            dict_.fortran_order = true;
        } else if (!take_word("False")) {
            return expected("True or False");
        }
        return {};
    }

    Result<void> shape() {
        dict_.shape_at = place();
        if (!take('(')) return expected("'(' of the shape");
        while (!take(')')) {
            MS_CHECK(size());
            const bool comma = take(',');
            if (take(')')) {
                // "(3)" is a number in Python, not a tuple.
                if (!comma && dict_.shape.rank() == 1) return expected("a tuple such as (3,)");
                break;
            }
            if (!comma) return expected("',' or ')' in the shape");
        }
        return {};
    }

    Result<void> size() {
        skip_space();
        std::int64_t value = 0;
        const char* first = text_.data() + at_;
        const auto [end, status] = std::from_chars(first, text_.data() + text_.size(), value);
        if (status == std::errc::result_out_of_range) {
            return input_error(MS_TEXT("a size in the shape does not fit 63 bits")).at(place());
        }
        if (status != std::errc{}) return expected("a size");
        if (value < 0) return input_error(MS_TEXT("the shape has the negative size {}"), value).at(place());
        if (dict_.shape.rank() == kMaxRank) {
            return input_error(MS_TEXT("the array has more than {} dimensions, the most that are read"), kMaxRank)
                .at(dict_.shape_at);
        }
        dict_.shape.push_back(value);
        at_ += static_cast<std::size_t>(end - first);
        // Python 2 wrote long integers as 3L.
        if (at_ < text_.size() && text_[at_] == 'L') ++at_;
        return {};
    }

    std::string_view text_;
    std::uint64_t offset_;
    std::size_t at_ = 0;
    NpyDict dict_;
    bool has_descr_ = false;
    bool has_order_ = false;
    bool has_shape_ = false;
};

}  // namespace

Result<NpyDict> parse_npy_dict(std::string_view text, std::uint64_t offset) {
    return DictParser(text, offset).parse();
}

}  // namespace maskscope::io
