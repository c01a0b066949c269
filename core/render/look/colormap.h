// SPDX-License-Identifier: Apache-2.0
// Colormaps as 256-entry tables, and the scales that lead a value to an entry.
#pragma once

#include "core/render/look/theme.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace maskscope::render {

enum class MapId : std::uint8_t { tide, shore, viridis, magma, cividis, grey };
inline constexpr int kMapCount = 6;

std::string_view name_of(MapId map);
std::optional<MapId> map_from_name(std::string_view name);
bool is_diverging(MapId map);

using Lut = std::array<Rgb, 256>;
const Lut& lut(MapId map, ThemeId theme);

enum class ScaleKind : std::uint8_t { linear, log, symlog, sqrt };
std::string_view name_of(ScaleKind kind);  // "lin", "log", "sym", "sqrt"
std::optional<ScaleKind> scale_from_name(std::string_view name);

enum class RangeKind : std::uint8_t { minmax, robust, sigma3, fixed, unit };
std::string_view name_of(RangeKind kind);

// The colour axis: value -> position in [0, 1]. Linear on a diverging map is symmetric about 0; log takes positive
// values only; symlog is linear below max / 100.
struct ColourScale {
    ScaleKind kind = ScaleKind::linear;
    double lo = 0;
    double hi = 1;
    friend bool operator==(const ColourScale&, const ColourScale&) = default;
};

// Makes lo < hi, positive for log, symmetric for a diverging map.
ColourScale make_scale(ScaleKind kind, double lo, double hi, bool diverging, double smallest_positive);
double position_of(const ColourScale& scale, double value);  // clamped to [0, 1]
double value_at(const ColourScale& scale, double position);
// Round values for a colour bar of `length` pixels, inside [lo, hi].
std::vector<double> ticks(const ColourScale& scale, int length);

}  // namespace maskscope::render
