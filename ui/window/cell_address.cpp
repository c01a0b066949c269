// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/cell_address.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace maskscope::ui {

namespace {

struct Word {
    std::string name;
    std::optional<std::int64_t> number;
};

bool isNumberStart(std::string_view text, std::size_t at) {
    const auto digit = [&](std::size_t i) {
        return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    };
    return digit(at) || (text[at] == '-' && digit(at + 1));
}

// Numbers and names, in order; brackets, commas, "=" and blanks only part them.
Result<std::vector<Word>> wordsOf(std::string_view text) {
    std::vector<Word> words;
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (std::isspace(c) || c == ',' || c == '[' || c == ']' || c == '(' || c == ')' || c == '=') {
            ++i;
        } else if (isNumberStart(text, i)) {
            std::int64_t number = 0;
            const auto [end, problem] = std::from_chars(text.data() + i, text.data() + text.size(), number);
            if (problem != std::errc()) return input_error("a number is too large");
            i = static_cast<std::size_t>(end - text.data());
            words.push_back({{}, number});
        } else {
            std::size_t end = i;
            while (end < text.size() && std::string_view(" ,[]()=\t").find(text[end]) == std::string_view::npos) ++end;
            words.push_back({std::string(text.substr(i, end - i)), {}});
            i = end;
        }
    }
    return words;
}

Result<std::int64_t> inRange(std::int64_t number, int dim, const AddressContext& context) {
    const std::int64_t size = context.shape[dim];
    const std::int64_t at = number < 0 ? number + size : number;
    if (at >= 0 && at < size) return at;
    const auto d = static_cast<std::size_t>(dim);
    const std::string name =
        d < context.dims.size() && !context.dims[d].empty() ? context.dims[d] : fmt::format("dim {}", dim);
    return input_error("{} is out of range: {} has 0 to {}", number, name, size - 1);
}

int dimNamed(std::string_view name, const AddressContext& context) {
    if (name == "row") return context.row_dim;
    if (name == "col" || name == "column") return context.col_dim;
    for (int dim = 0; dim < context.shape.rank(); ++dim) {
        const auto d = static_cast<std::size_t>(dim);
        if (d < context.dims.size() && context.dims[d] == name) return dim;
    }
    return -1;
}

}  // namespace

bool looks_like_address(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return false;
    const bool digits = text.find_first_of("0123456789") != std::string_view::npos;
    return text[first] == '[' || isNumberStart(text, first) ||
           (digits && (text.find('[') != std::string_view::npos || text.find(' ', first) != std::string_view::npos));
}

Result<std::vector<std::int64_t>> cell_address(std::string_view text, const AddressContext& context) {
    // The tensor's own name may hold anything, so it goes first.
    const auto first = text.find_first_not_of(" \t");
    if (first != std::string_view::npos) text.remove_prefix(first);
    if (!context.name.empty() && text.substr(0, context.name.size()) == context.name) {
        text.remove_prefix(context.name.size());
    }
    MS_TRY(words, wordsOf(text));
    if (words.empty()) return input_error("type an index such as [0, 3, 14, 13]");

    auto index = context.index;
    index.resize(static_cast<std::size_t>(context.shape.rank()), 0);
    const bool named = std::any_of(words.begin(), words.end(), [](const Word& word) { return !word.number; });
    if (named) {
        for (std::size_t i = 0; i < words.size(); i += 2) {
            if (words[i].number || i + 1 >= words.size() || !words[i + 1].number)
                return input_error("after a dimension's name comes its index, as in \"query 14 key 13\"");
            const int dim = dimNamed(words[i].name, context);
            if (dim < 0) return input_error("{} has no dimension \"{}\"", context.name, words[i].name);
            MS_TRY(at, inRange(*words[i + 1].number, dim, context));
            index[static_cast<std::size_t>(dim)] = at;
        }
        return index;
    }
    const int rank = context.shape.rank();
    const int count = static_cast<int>(words.size());
    std::vector<int> dims;
    if (count == rank) {
        for (int dim = 0; dim < rank; ++dim) dims.push_back(dim);
    } else if (count == 2 && context.row_dim >= 0 && context.col_dim >= 0) {
        dims = {context.row_dim, context.col_dim};
    } else {
        return input_error("{} {} typed, {} has {} dimensions", count, count == 1 ? "index" : "indices", context.name,
                           rank);
    }
    for (std::size_t i = 0; i < dims.size(); ++i) {
        MS_TRY(at, inRange(*words[i].number, dims[i], context));
        index[static_cast<std::size_t>(dims[i])] = at;
    }
    return index;
}

}  // namespace maskscope::ui
