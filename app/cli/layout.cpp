// SPDX-License-Identifier: Apache-2.0
#include "app/cli/layout.h"

#include <fmt/core.h>

#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>

namespace maskscope::cli {
namespace {

constexpr std::size_t kDefaultWidth = 120;
constexpr std::size_t kLeastWidth = 40;
constexpr std::string_view kBlank = " \t\r\n";

bool begins_character(char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80;
}

}  // namespace

std::size_t text_width() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefaultWidth;
    return std::max<std::size_t>(size.ws_col, kLeastWidth);
}

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
    std::string out;
    std::size_t used = 0;
    while (true) {
        const std::size_t begin = text.find_first_not_of(kBlank);
        if (begin == std::string_view::npos) break;
        text.remove_prefix(begin);
        const std::string_view word = text.substr(0, text.find_first_of(kBlank));
        text.remove_prefix(word.size());
        const std::size_t needed = width_of(word);
        if (used > 0 && used + 1 + needed <= width) {
            out += " ";
            ++used;
        } else {
            if (used > 0) out += "\n";
            out += std::string(indent, ' ');
            used = indent;
        }
        out += word;
        used += needed;
    }
    return out + "\n";
}

std::string shortened(std::string_view text, std::size_t width) {
    if (width_of(text) <= width) return std::string(text);
    std::size_t end = 0;
    std::size_t shown = 0;
    while (end < text.size()) {
        if (begins_character(text[end]) && shown++ + 3 == width) break;
        ++end;
    }
    return std::string(text.substr(0, end)) + "...";
}

std::string one_line(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool blank = kBlank.find(c) != std::string_view::npos;
        if (!blank)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    return out;
}

std::string seconds_text(double seconds) {
    if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
    if (seconds >= 1e-3) return fmt::format("{:.2f} ms", seconds * 1e3);
    return fmt::format("{:.1f} us", seconds * 1e6);
}

}  // namespace maskscope::cli
