// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shape_text.h"

#include <charconv>
#include <string_view>

namespace maskscope::cli {
namespace {

constexpr std::string_view kBlank = " \t";

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// Without the brackets around it.
std::string_view unwrapped(std::string_view text) {
    constexpr std::string_view kSize = "torch.Size(";
    text = trimmed(text);
    if (text.starts_with(kSize) && text.ends_with(')'))
        text = trimmed(text.substr(kSize.size(), text.size() - kSize.size() - 1));
    const bool wrapped =
        text.size() > 1 && ((text.front() == '[' && text.back() == ']') || (text.front() == '(' && text.back() == ')'));
    return wrapped ? trimmed(text.substr(1, text.size() - 2)) : text;
}

}  // namespace

Result<Shape> shape_from(const std::string& text) {
    const auto wrong = [&] {
        return usage_error(MS_TEXT("\"{}\" is no shape"), text)
            .with_hint(MS_TEXT("A shape is written 2,3 or 2x3 or [2, 3]; () has no dims"));
    };
    if (trimmed(text).empty()) return wrong();
    std::string_view rest = unwrapped(text);
    Shape out;
    while (!rest.empty()) {
        std::int64_t size = 0;
        const auto [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
        if (status != std::errc() || size < 0 || out.rank() == kMaxRank) return wrong();
        out.push_back(size);
        rest = trimmed(rest.substr(static_cast<std::size_t>(end - rest.data())));
        if (rest.empty()) break;
        const char separator = rest.front();
        if (separator != ',' && separator != 'x') return wrong();
        rest = trimmed(rest.substr(1));
        // Python's (2,) is a tuple of one.
        if (rest.empty() && (separator != ',' || out.rank() != 1)) return wrong();
    }
    if (!element_count(out))
        return usage_error(MS_TEXT("a tensor of shape {} would have more elements than can be counted"), text_of(out));
    return out;
}

}  // namespace maskscope::cli
