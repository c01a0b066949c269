// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/colour.h"

#include "core/render/pool/colour_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace maskscope::render {
namespace {

constexpr std::array<std::string_view, 3> kMaskStyleNames = {"hatch", "dim", "hide"};

// Blended as stored, in sRGB.
Rgb mix(Rgb from, Rgb to, double share) {
    Rgb out = 0xff000000;
    for (int shift = 0; shift < 24; shift += 8) {
        const double a = (from >> shift) & 0xff;
        const double b = (to >> shift) & 0xff;
        out |= static_cast<Rgb>(std::lround(a + (b - a) * share)) << shift;
    }
    return out;
}

std::size_t entry_of(const ColourScale& scale, double value) {
    return static_cast<std::size_t>(std::clamp(position_of(scale, value) * kMapEntries, 0.0, kMapEntries - 1.0));
}

// nullopt when the range does not fit float arithmetic.
std::optional<LinearEntries> linear_entries(const ColourScale& scale) {
    if (scale.kind != ScaleKind::linear) return std::nullopt;
    const LinearEntries out{static_cast<float>(scale.lo), static_cast<float>(kMapEntries / (scale.hi - scale.lo))};
    const bool fits = std::isfinite(out.lo) && std::isnormal(out.factor) &&
                      std::abs(scale.hi) < std::numeric_limits<float>::max() &&
                      (scale.hi - scale.lo) > 1e-4 * std::max(std::abs(scale.hi), std::abs(scale.lo));
    return fits ? std::optional(out) : std::nullopt;
}

// The order of floats as unsigned numbers, and back.
std::uint32_t ordered(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}
float from_ordered(std::uint32_t order) {
    return std::bit_cast<float>((order & 0x80000000U) != 0 ? order & 0x7fffffffU : ~order);
}

// The least float whose entry is at least `entry`, by halving the floats between `from` and the largest.
std::uint32_t least_of(const ColourScale& scale, std::size_t entry, std::uint32_t from) {
    std::uint32_t to = ordered(std::numeric_limits<float>::infinity());
    // Near the value that the inverse gives, where it lies for all but a rounding.
    const auto near = ordered(static_cast<float>(value_at(scale, static_cast<double>(entry) / kMapEntries)));
    constexpr std::uint32_t kRounding = 64;
    if (near > from + kRounding && near < to - kRounding && entry_of(scale, from_ordered(near - kRounding)) < entry &&
        entry_of(scale, from_ordered(near + kRounding)) >= entry) {
        from = near - kRounding;
        to = near + kRounding;
    }
    while (from < to) {
        const std::uint32_t middle = from + (to - from) / 2;
        if (entry_of(scale, from_ordered(middle)) >= entry) {
            to = middle;
        } else {
            from = middle + 1;
        }
    }
    return from;
}

SearchedEntries searched_entries(const ColourScale& scale) {
    constexpr std::uint32_t kHalves = 65536;
    SearchedEntries out;
    out.by_half_key.resize(kHalves);
    const std::uint32_t lowest = ordered(-std::numeric_limits<float>::infinity());
    std::uint32_t half = 0;
    std::uint32_t last_begin_half = kHalves;
    int begins_in_half = 0;
    std::uint32_t begin = lowest;
    out.begins[0] = -std::numeric_limits<float>::infinity();
    for (std::size_t entry = 1; entry < kMapEntries; ++entry) {
        begin = least_of(scale, entry, begin);
        out.begins[entry] = from_ordered(begin);
        // Halves that start before this entry begins.
        for (; half < kHalves && half << 16U < begin; ++half) {
            out.by_half_key[half] = static_cast<std::int32_t>(entry) - 1;
        }
        begins_in_half = begin >> 16U == last_begin_half ? begins_in_half + 1 : 1;
        last_begin_half = begin >> 16U;
        out.steps = std::max(out.steps, begins_in_half);
    }
    for (; half < kHalves; ++half) out.by_half_key[half] = kMapEntries - 1;
    out.begins[kMapEntries] = std::numeric_limits<float>::quiet_NaN();
    return out;
}

Palette palette_of(const Look& look) {
    Palette out{};
    const Theme& theme = Theme::get(look.theme);
    const Lut& map = lut(look.map, look.theme);
    std::copy(map.begin(), map.end(), out.begin());
    for (int i = 0; i < kCellStateCount; ++i) {
        const auto state = static_cast<CellState>(i);
        Rgb flat = flat_colour(state, theme);
        if (state == CellState::masked) {
            // Several cells share a pixel here, so there is no one value to let through.
            const double shown = look.mask_style == MaskStyle::hide ? 0 : std::clamp(look.mask_opacity, 0.0, 1.0);
            flat = mix(theme[Token::bg_view], flat, shown);
        }
        out[static_cast<std::size_t>(kMapEntries + i)] = flat;
    }
    return out;
}

}  // namespace

std::string_view name_of(MaskStyle style) {
    return kMaskStyleNames.at(static_cast<std::size_t>(style));
}

Rgb flat_colour(CellState state, const Theme& theme) {
    switch (state) {
        case CellState::true_zero:
            return theme[Token::st_zero_ink];
        case CellState::masked:
            return mix(theme[Token::st_masked], theme[Token::st_masked_ink], 0.35);
        case CellState::underflow:
            return mix(theme[Token::st_under], theme[Token::st_under_ink], theme.id() == ThemeId::light ? 0.3 : 0.5);
        case CellState::nan:
            return theme[Token::st_nan];
        case CellState::posinf:
            return theme[Token::st_pinf];
        case CellState::neginf:
            return theme[Token::st_ninf];
        case CellState::value:
        case CellState::subnormal:
        case CellState::outside:
            break;
    }
    return theme[Token::bg_view];
}

Rgb colour_of(double value, const Look& look) {
    return lut(look.map, look.theme)[entry_of(look.scale, value)];
}

void colour(const Pooled& pooled, const Look& look, std::span<Rgb> pixels, int stride) {
    const Palette palette = palette_of(look);
    const auto width = static_cast<std::int64_t>(pooled.width);
    const auto each_line = [&](auto colour_line) {
        for (int y = 0; y < pooled.height; ++y) {
            colour_line(pooled.value.data() + y * width, pooled.state.data() + y * width,
                        pixels.data() + static_cast<std::ptrdiff_t>(y) * stride);
        }
    };
    if (const auto linear = linear_entries(look.scale)) {
        each_line([&](const float* value, const CellState* state, Rgb* out) {
            colour_linear(*linear, palette, value, state, width, out);
        });
    } else {
        const SearchedEntries searched = searched_entries(look.scale);
        each_line([&](const float* value, const CellState* state, Rgb* out) {
            colour_searched(searched, palette, value, state, width, out);
        });
    }
}

}  // namespace maskscope::render
