// SPDX-License-Identifier: Apache-2.0
// The colours of both themes, from resources/themes. No other file of the project spells a colour.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace maskscope::render {

using Rgb = std::uint32_t;  // 0xffRRGGBB, sRGB

enum class ThemeId : std::uint8_t { light, dark };

// One enumerator for each line of resources/themes/*.theme, "bg.window" -> bg_window.
enum class Token : std::uint8_t {
#define MS_TOKEN(name, text) name,
#include "core/render/look/theme_tokens.inc"
#undef MS_TOKEN
};

std::string_view name_of(Token token);

class Theme {
public:
    static const Theme& get(ThemeId id);
    ThemeId id() const { return id_; }
    Rgb operator[](Token token) const { return colours_[static_cast<std::size_t>(token)]; }
    // Distinct colour of a label id, stable by id; the 33rd repeats the first. Id 0 is the background (bg.view).
    Rgb label(std::int64_t id) const;

    static constexpr std::size_t kTokenCount = 0
#define MS_TOKEN(name, text) +1
#include "core/render/look/theme_tokens.inc"
#undef MS_TOKEN
        ;

private:
    friend struct ThemeReader;
    ThemeId id_ = ThemeId::light;
    std::array<Rgb, kTokenCount> colours_{};
    std::array<Rgb, 32> labels_{};
};

// WCAG relative luminance of an opaque colour, 0 to 1.
double luminance(Rgb colour);
// WCAG contrast ratio of two opaque colours, 1 to 21.
double contrast(Rgb a, Rgb b);
// Blended as stored (sRGB bytes), without gamma; share in [0, 1].
Rgb blend(Rgb a, Rgb b, double share_of_b);

}  // namespace maskscope::render
