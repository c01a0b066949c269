// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace maskscope::render {
namespace {

// "1.5e-05" -> "1.5e-5", "1e+06" -> "1e6".
std::string short_exponent(std::string text) {
    const auto e = text.find('e');
    if (e == std::string::npos) return text;
    auto digits = e + 1;
    if (text[digits] == '+')
        text.erase(digits, 1);
    else if (text[digits] == '-')
        ++digits;
    while (digits + 1 < text.size() && text[digits] == '0') text.erase(digits, 1);
    return text;
}

std::string with_minus(const std::string& ascii) {
    std::string out;
    for (const char c : ascii) {
        if (c == '-')
            out += "\u2212";
        else
            out += c;
    }
    return out;
}

std::string scientific(double value, int digits) {
    std::string text = fmt::format("{:.{}e}", value, digits - 1);
    // "5.00e-05" -> "5e-05"
    const auto e = text.find('e');
    auto end = e;
    if (text.find('.') < e) {
        while (text[end - 1] == '0') --end;
        if (text[end - 1] == '.') --end;
    }
    text.erase(end, e - end);
    return short_exponent(text);
}

std::string tick(double value, int digits) {
    const double size = std::abs(value);
    if (value == 0) return "0";
    if (size < 0.0099 || size >= 1e6) return scientific(value, digits);
    const int whole = static_cast<int>(std::floor(std::log10(size))) + 1;
    return fmt::format("{:.{}g}", value, std::max(digits, whole));
}

}  // namespace

std::string count_text(std::int64_t count) {
    std::string text = std::to_string(count);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (count < 0 ? 1 : 0); at -= 3) {
        text.insert(static_cast<std::size_t>(at), ",");
    }
    return text;
}

std::vector<std::string> tick_texts(const std::vector<double>& ticks) {
    std::vector<std::string> texts;
    for (int digits = 2; digits <= 12; ++digits) {
        texts.clear();
        bool exact = true;
        for (const double value : ticks) {
            const std::string text = tick(value, digits);
            // A tick that reads as another number would be a lie, so the digits grow until each reads as itself.
            exact = exact && std::abs(std::stod(text) - value) <= 1e-9 * std::abs(value);
            texts.push_back(with_minus(text));
        }
        if (exact) break;
    }
    return texts;
}

std::string cell_text(double value, int letters) {
    if (value == 0) return letters >= 1 ? "0" : "";
    const double size = std::abs(value);
    for (int digits = 3; digits >= 1; --digits) {
        std::vector<std::string> forms;
        if (size >= 1e-3 && size < 1e7) {
            std::string plain = size >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.{}g}", value, digits);
            if (plain.find('e') == std::string::npos) {
                if (plain.starts_with("0.")) plain.erase(0, 1);
                if (plain.starts_with("-0.")) plain.erase(1, 1);
                forms.push_back(std::move(plain));
            }
        }
        forms.push_back(scientific(value, digits));
        for (const auto& form : forms) {
            if (static_cast<int>(form.size()) <= letters) return with_minus(form);
        }
    }
    return {};
}

}  // namespace maskscope::render
