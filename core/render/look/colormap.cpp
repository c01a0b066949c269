// SPDX-License-Identifier: Apache-2.0
#include "core/render/look/colormap.h"

#include "resources/resources.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace maskscope::render {
namespace {

struct MapRow {
    MapId id;
    std::string_view name;
    bool diverging;
    bool themed;  // one table for each theme
};
constexpr std::array<MapRow, kMapCount> kMaps = {{
    {MapId::tide, "tide", false, true},
    {MapId::shore, "shore", true, true},
    {MapId::viridis, "viridis", false, false},
    {MapId::magma, "magma", false, false},
    {MapId::cividis, "cividis", false, false},
    {MapId::grey, "grey", false, false},
}};

const MapRow& row_of(MapId map) {
    return kMaps[static_cast<std::size_t>(map)];
}

std::vector<Rgb> read_stops(std::string_view text) {
    std::vector<Rgb> stops;
    while (!text.empty()) {
        if (text.front() == '#') {
            text.remove_prefix(std::min(text.find('\n'), text.size()));
            continue;
        }
        Rgb colour = 0;
        const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), colour, 16);
        if (failed == std::errc{}) {
            stops.push_back(colour | 0xff000000U);
            text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        } else {
            text.remove_prefix(1);
        }
    }
    return stops;
}

Lut table_from(const std::vector<Rgb>& stops) {
    Lut table{};
    table.fill(0xff000000U);
    if (stops.size() < 2) return table;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double place = static_cast<double>(i) * static_cast<double>(stops.size() - 1) / 255.0;
        const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
        table[i] = blend(stops[below], stops[below + 1], place - static_cast<double>(below));
    }
    return table;
}

struct Tables {
    std::array<std::array<Lut, kMapCount>, 2> tables;
    Tables() {
        for (const auto& row : kMaps) {
            for (const auto theme : {ThemeId::light, ThemeId::dark}) {
                std::string file = "colormaps/" + std::string(row.name);
                if (row.themed) file += theme == ThemeId::light ? ".light" : ".dark";
                tables[static_cast<std::size_t>(theme)][static_cast<std::size_t>(row.id)] =
                    table_from(read_stops(resource_text(file + ".map")));
            }
        }
    }
};

constexpr std::array<std::string_view, 4> kScaleNames = {"lin", "log", "sym", "sqrt"};
constexpr std::array<std::string_view, 5> kRangeNames = {"minmax", "robust", "3sigma", "fixed", "unit"};

}  // namespace

std::string_view name_of(MapId map) {
    return row_of(map).name;
}
bool is_diverging(MapId map) {
    return row_of(map).diverging;
}

std::optional<MapId> map_from_name(std::string_view name) {
    for (const auto& row : kMaps) {
        if (row.name == name) return row.id;
    }
    return std::nullopt;
}

const Lut& lut(MapId map, ThemeId theme) {
    static const Tables tables;
    return tables.tables[static_cast<std::size_t>(theme)][static_cast<std::size_t>(map)];
}

std::string_view name_of(ScaleKind kind) {
    return kScaleNames[static_cast<std::size_t>(kind)];
}

std::optional<ScaleKind> scale_from_name(std::string_view name) {
    for (std::size_t i = 0; i < kScaleNames.size(); ++i) {
        if (kScaleNames[i] == name) return static_cast<ScaleKind>(i);
    }
    return std::nullopt;
}

std::string_view name_of(RangeKind kind) {
    return kRangeNames[static_cast<std::size_t>(kind)];
}

}  // namespace maskscope::render
