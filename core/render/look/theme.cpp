// SPDX-License-Identifier: Apache-2.0
#include "core/render/look/theme.h"

#include "resources/resources.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace maskscope::render {
namespace {

constexpr std::array<std::string_view, Theme::kTokenCount> kNames = {
#define MS_TOKEN(name, text) text,
#include "core/render/look/theme_tokens.inc"
#undef MS_TOKEN
};

double linear_light(std::uint32_t byte) {
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

}  // namespace

std::string_view name_of(Token token) {
    return kNames[static_cast<std::size_t>(token)];
}

// Reads rows "token RRGGBB". The files are part of the binary, so a row that does not parse is a mistake of ours and is
// left out; the theme test sees that every token has its colour.
struct ThemeReader {
    static Theme read(ThemeId id) {
        Theme theme;
        theme.id_ = id;
        std::size_t label = 0;
        std::string_view text = resource_text(id == ThemeId::light ? "themes/light.theme" : "themes/dark.theme");
        while (!text.empty()) {
            const auto end = std::min(text.find('\n'), text.size());
            const auto line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            const auto space = line.find(' ');
            if (line.starts_with('#') || space == std::string_view::npos) continue;
            const auto name = line.substr(0, space);
            const auto hex = line.substr(line.find_last_of(' ') + 1);
            Rgb colour = 0;
            std::from_chars(hex.data(), hex.data() + hex.size(), colour, 16);
            colour |= 0xff000000U;
            if (name == "label" && label < theme.labels_.size()) theme.labels_[label++] = colour;
            if (const auto* found = std::find(kNames.begin(), kNames.end(), name); found != kNames.end()) {
                theme.colours_[static_cast<std::size_t>(found - kNames.begin())] = colour;
            }
        }
        return theme;
    }
};

const Theme& Theme::get(ThemeId id) {
    static const Theme light = ThemeReader::read(ThemeId::light);
    static const Theme dark = ThemeReader::read(ThemeId::dark);
    return id == ThemeId::light ? light : dark;
}

Rgb Theme::label(std::int64_t id) const {
    if (id == 0) return (*this)[Token::bg_view];
    const auto count = static_cast<std::int64_t>(labels_.size());
    return labels_[static_cast<std::size_t>(((id - 1) % count + count) % count)];
}

double luminance(Rgb colour) {
    return 0.2126 * linear_light(colour >> 16U & 0xffU) + 0.7152 * linear_light(colour >> 8U & 0xffU) +
           0.0722 * linear_light(colour & 0xffU);
}

double contrast(Rgb a, Rgb b) {
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Rgb blend(Rgb a, Rgb b, double share_of_b) {
    const auto to = static_cast<std::uint32_t>(std::lround(share_of_b * 65536));
    const std::uint32_t from = 65536 - to;
    Rgb out = 0xff000000U;
    for (const unsigned shift : {0U, 8U, 16U}) {
        out |= ((a >> shift & 0xffU) * from + (b >> shift & 0xffU) * to + 32768) >> 16U << shift;
    }
    return out;
}

}  // namespace maskscope::render
