// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/heatmap_figure.h"

#include "core/render/figure/axis_labels.h"
#include "core/render/figure/cell_glyphs.h"
#include "core/render/figure/cell_items.h"
#include "core/render/figure/cell_raster.h"
#include "core/render/figure/gutter.h"
#include "core/render/figure/legend.h"
#include "core/render/figure/text_metrics.h"

#include <algorithm>
#include <cmath>

namespace maskscope::render {
namespace {

constexpr double kPadding = 16;
constexpr double kTitleRoom = 20;  // an axis title across its direction
constexpr double kToData = 6;      // from labels to cells
constexpr double kToGutter = 3;
constexpr double kLargestPitch = 64;
constexpr int kMostVectorCells = 10'000;

// Whole device pixels, so that cells stay crisp at ratios such as 1.25.
double snap(double logical, double ratio) {
    return std::round(logical * ratio) / ratio;
}

struct Rooms {
    LabelRoom rows;
    LabelRoom cols;
};

Rooms rooms(const HeatmapData& data, const FigureSpec& spec) {
    // Labels may not squeeze the cells out of a small picture.
    const bool cramped = spec.width < 400 || spec.height < 320;
    return {row_label_room(spec.rows, data.plane().rows(), cramped ? 0 : std::min(spec.width * 0.2, 160.0)),
            col_label_room(spec.cols, data.plane().cols(), cramped ? 0 : std::min(spec.height * 0.2, 120.0))};
}

double col_labels_height(const LabelRoom& room) {
    return room.tokens > 0 ? room.total() : 14;
}

double header_height(const FigureSpec& spec) {
    if (spec.title.empty() && spec.subtitle.empty()) return 12;
    return 16 + (spec.title.empty() ? 0 : 20) + (spec.subtitle.empty() ? 0 : 18) + 10;
}

int device_pixels(double logical, double ratio) {
    return std::max(1, static_cast<int>(std::floor(logical * ratio + 1e-6)));
}

void draw_header(const FigureSpec& spec, const Theme& theme, std::vector<DisplayItem>& out) {
    double y = 16;
    const double room = spec.width - 2 * kPadding;
    if (!spec.title.empty()) {
        out.emplace_back(TextItem{{kPadding, y + 14},
                                  elide(spec.title, Face::ui_semibold, 16, room),
                                  Face::ui_semibold,
                                  16,
                                  theme[Token::text],
                                  Align::left,
                                  false});
        y += 20;
    }
    if (!spec.subtitle.empty()) {
        out.emplace_back(TextItem{{kPadding, y + 13},
                                  elide(spec.subtitle, Face::ui, 12, room),
                                  Face::ui,
                                  12,
                                  theme[Token::text_2],
                                  Align::left,
                                  false});
    }
}

void draw_axis_titles(const FigureLayout& layout, const FigureSpec& spec, const Theme& theme,
                      std::vector<DisplayItem>& out) {
    const Rgb ink = theme[Token::text_2];
    if (!spec.cols.title.empty()) {
        const std::string text = spec.cols.title + " (columns) \u2192";
        out.emplace_back(
            TextItem{{layout.data.x, layout.col_labels.y - 8}, text, Face::ui_semibold, 12, ink, Align::left, false});
    }
    if (!spec.rows.title.empty()) {
        const std::string text = "\u2190 " + spec.rows.title + " (rows)";
        const double width = text_width(text, Face::ui_semibold, 12);
        // It ends at the first row, or higher up where the data area is shorter than the words.
        const double end = std::max(8.0, std::min(layout.data.y, layout.data.bottom() - width));
        out.emplace_back(
            TextItem{{layout.row_labels.x - 10, end}, text, Face::ui_semibold, 12, ink, Align::right, true});
    }
}

// One picture pass: what the helpers below share.
struct Scene {
    const HeatmapData& data;
    const Pooled& pooled;
    const Viewport& viewport;
    const FigureLayout& layout;
    const FigureSpec& spec;
    const Theme& theme;
    double ratio;

    // Edges of the plane in the list's logical pixels.
    double x_of(double col) const {
        return layout.data.x + std::round(viewport.pixel_from_cell_x(0) + col * viewport.pitch) / ratio;
    }
    double y_of(double row) const {
        return layout.data.y + std::round(viewport.pixel_from_cell_y(0) + row * viewport.pitch) / ratio;
    }
    double plane_right() const { return std::min(layout.data.right(), x_of(static_cast<double>(data.plane().cols()))); }
    double plane_bottom() const {
        return std::min(layout.data.bottom(), y_of(static_cast<double>(data.plane().rows())));
    }
};

void draw_data(const Scene& scene, std::vector<DisplayItem>& out) {
    const auto& [data, pooled, viewport, layout, spec, theme, ratio] = scene;
    const bool few = pooled.is_cells && pooled.width * std::int64_t{1} * pooled.height <= kMostVectorCells;
    if (spec.vector_cells && few) {
        Pooled cells = pooled;
        if (shows_masked_values(spec.look)) add_masked_values(data.plane(), cells);
        add_cell_items(data, cells, CellGrid(viewport, ratio), layout.data, spec, out);
        return;
    }
    auto pixels = std::make_shared<std::vector<Rgb>>();
    if (pooled.is_cells) {
        *pixels = raster_cells(data, pooled, viewport, spec.look, ratio, spec.mask_outline);
    } else {
        pixels->resize(static_cast<std::size_t>(pooled.width) * static_cast<std::size_t>(pooled.height));
        colour(pooled, spec.look, *pixels, pooled.width);
    }
    const int width = pooled.is_cells ? viewport.width : pooled.width;
    const int height = pooled.is_cells ? viewport.height : pooled.height;
    out.emplace_back(
        ImageItem{{layout.data.x, layout.data.y, width / ratio, height / ratio}, width, height, std::move(pixels)});
}

void draw_gutter(const Scene& scene, std::vector<DisplayItem>& out) {
    // Plain references: Clang 14 lets no lambda see a structured binding.
    const HeatmapData& data = scene.data;
    const Viewport& viewport = scene.viewport;
    const FigureLayout& layout = scene.layout;
    const Theme& theme = scene.theme;
    const double ratio = scene.ratio;
    if (!data.prepared()) return;
    const CellGrid grid(viewport, ratio);
    const int painted = viewport.pitch >= 1 ? grid.painted() : 1;
    const int lane = std::max(1, static_cast<int>(std::lround(kLane * ratio)));
    const int across = 2 * lane + std::max(1, static_cast<int>(std::lround(kLaneGap * ratio)));
    const auto ink = [&](CellState state) {
        return state == CellState::value ? theme[Token::bg_view] : flat_colour(state, theme);
    };
    for (const bool rows : {true, false}) {
        const auto lanes = telling_lanes(rows ? data.gutter().rows : data.gutter().cols);
        const double origin = rows ? viewport.pixel_from_cell_y(0) : viewport.pixel_from_cell_x(0);
        const int length = rows ? viewport.height : viewport.width;
        const auto marks = lanes_by_pixel(lanes, origin, viewport.pitch, painted, length);
        if (std::all_of(marks.begin(), marks.end(), [](const auto& m) { return m.first == CellState::value; }))
            continue;
        auto pixels = std::make_shared<std::vector<Rgb>>(
            static_cast<std::size_t>(across) * static_cast<std::size_t>(length), theme[Token::bg_view]);
        for (int i = 0; i < length; ++i) {
            const auto& mark = marks[static_cast<std::size_t>(i)];
            for (int j = 0; j < across; ++j) {
                if (j >= lane && j < across - lane) continue;
                const int at = rows ? i * across + j : j * length + i;
                (*pixels)[static_cast<std::size_t>(at)] = ink(j < lane ? mark.first : mark.second);
            }
        }
        const Box box = rows ? Box{scene.plane_right() + kToGutter, layout.data.y, across / ratio, length / ratio}
                             : Box{layout.data.x, scene.plane_bottom() + kToGutter, length / ratio, across / ratio};
        out.emplace_back(ImageItem{box, rows ? across : length, rows ? length : across, std::move(pixels)});
    }
}

AxisView axis_view(const Scene& scene, bool rows) {
    const auto& viewport = scene.viewport;
    AxisView view;
    view.count = rows ? scene.data.plane().rows() : scene.data.plane().cols();
    const double from = rows ? viewport.row0 : viewport.col0;
    const double length = rows ? viewport.height : viewport.width;
    view.first = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(from)), 0, view.count);
    view.last = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(from + length / viewport.pitch)),
                                         view.first, view.count);
    view.pitch = viewport.pitch / scene.ratio;
    view.painted = viewport.pitch >= 1 ? CellGrid(viewport, scene.ratio).s() : view.pitch;
    view.start = rows ? scene.y_of(static_cast<double>(view.first)) : scene.x_of(static_cast<double>(view.first));
    if (scene.spec.cursor) view.cursor = rows ? scene.spec.cursor->row : scene.spec.cursor->col;
    return view;
}

// Lines along both sides of the cursor's row and column, or through its middle where cells are small; then the cell's
// frame.
void draw_cursor(const Scene& scene, std::vector<DisplayItem>& out) {
    const auto& [data, pooled, viewport, layout, spec, theme, ratio] = scene;
    const auto [row, col] = *spec.cursor;
    if (row < 0 || col < 0 || row >= data.plane().rows() || col >= data.plane().cols()) return;
    out.emplace_back(ClipItem{layout.data, true});
    const double pitch = viewport.pitch / ratio;
    const double painted = viewport.pitch >= 1 ? CellGrid(viewport, ratio).s() : pitch;
    const Box cell{scene.x_of(static_cast<double>(col)), scene.y_of(static_cast<double>(row)), painted, painted};
    const double left = std::max(layout.data.x, scene.x_of(0));
    const double top = std::max(layout.data.y, scene.y_of(0));
    if (spec.crosshair) {
        const Rgb strong = theme[Token::accent];
        const Rgb soft = blend(strong, theme[Token::bg_view], 0.4);
        const auto across = [&](double y) {
            out.emplace_back(RectItem{{left, y, scene.plane_right() - left, 1}, strong, 0, 1, 0});
        };
        const auto down = [&](double x) {
            out.emplace_back(RectItem{{x, top, 1, scene.plane_bottom() - top}, soft, 0, 1, 0});
        };
        if (painted >= 6) {
            for (const double x : {cell.x - 1, cell.right()}) down(x);
            for (const double y : {cell.y - 1, cell.bottom()}) across(y);
        } else {
            down(snap(cell.x + (painted - 1) / 2, ratio));
            across(snap(cell.y + (painted - 1) / 2, ratio));
        }
    }
    const double grow = std::max(0.0, (5 - painted) / 2);
    const Box inner = inset(cell, -grow);
    out.emplace_back(RectItem{inset(inner, -0.5), 0, theme[Token::bg_view], 1, 0});
    out.emplace_back(RectItem{inset(inner, -1.75), 0, theme[Token::text], 1.5, 0});
    out.emplace_back(ClipItem{{}, false});
}

}  // namespace

FigureLayout lay_out(const HeatmapData& data, const FigureSpec& spec) {
    FigureLayout layout;
    const double ratio = spec.device_ratio;
    const auto [rows, cols] = rooms(data, spec);
    const double legend_height = spec.legend ? lay_out_legend(data, spec, spec.width, 0).height : 0;
    const double gutter = spec.gutter ? kToGutter + kGutterWidth : 0;
    const double labels_left = kPadding + (spec.rows.title.empty() ? 0 : kTitleRoom + 4);
    const double labels_top = header_height(spec) + (spec.cols.title.empty() ? 0 : kTitleRoom);
    const double labels_width = rows.total();
    const double labels_height = col_labels_height(cols);
    double x = snap(labels_left + labels_width + kToData, ratio);
    double y = snap(labels_top + labels_height + kToData, ratio);
    double width = std::max(1.0, spec.width - kPadding - gutter - x);
    double height = std::max(1.0, spec.height - legend_height - 12 - gutter - y);
    if (spec.shrink_to_plane) {
        const double pitch = fitting_pitch(data.plane().rows(), data.plane().cols(), device_pixels(width, ratio),
                                           device_pixels(height, ratio), kLargestPitch * ratio);
        const double used_width = std::min(width, std::ceil(static_cast<double>(data.plane().cols()) * pitch) / ratio);
        const double used_height =
            std::min(height, std::ceil(static_cast<double>(data.plane().rows()) * pitch) / ratio);
        // Labels and cells together stand in the middle.
        x = snap(x + (width - used_width) / 2, ratio);
        y = snap(y + (height - used_height) / 2, ratio);
        width = used_width;
        height = used_height;
    }
    layout.data = {x, y, width, height};
    layout.row_labels = {x - kToData - labels_width, y, labels_width, height};
    layout.col_labels = {x, y - kToData - labels_height, width, labels_height};
    if (spec.gutter) {
        layout.row_gutter = {x + width + kToGutter, y, kGutterWidth, height};
        layout.col_gutter = {x, y + height + kToGutter, width, kGutterWidth};
    }
    if (spec.legend) {
        layout.legend = {0, spec.height - legend_height, spec.width, legend_height};
        for (const auto& entry : lay_out_legend(data, spec, spec.width, layout.legend.y).entries) {
            layout.legend_states.emplace_back(entry.state, entry.box);
        }
    }
    return layout;
}

Viewport fit(const HeatmapData& data, const FigureLayout& layout, const FigureSpec& spec) {
    Viewport viewport;
    viewport.width = device_pixels(layout.data.width, spec.device_ratio);
    viewport.height = device_pixels(layout.data.height, spec.device_ratio);
    viewport.pitch = fitting_pitch(data.plane().rows(), data.plane().cols(), viewport.width, viewport.height,
                                   kLargestPitch * spec.device_ratio);
    return viewport;
}

DisplayList draw(const HeatmapData& data, const Pooled& pooled, const Viewport& asked, const FigureLayout& layout,
                 const FigureSpec& spec) {
    const Theme& theme = Theme::get(spec.look.theme);
    const Viewport viewport = snapped(asked);
    const Scene scene{data, pooled, viewport, layout, spec, theme, spec.device_ratio};
    DisplayList list;
    list.width = spec.width;
    list.height = spec.height;
    list.background = theme[Token::bg_view];
    auto& out = list.items;
    draw_header(spec, theme, out);
    draw_axis_titles(layout, spec, theme, out);
    const auto room = rooms(data, spec);
    draw_row_labels(spec.rows, room.rows, axis_view(scene, true), layout.row_labels, theme, out);
    draw_col_labels(spec.cols, room.cols, axis_view(scene, false), layout.col_labels, theme, out);
    draw_data(scene, out);
    if (spec.values_in_cells && pooled.is_cells) {
        add_cell_numbers(data, pooled, CellGrid(viewport, spec.device_ratio), layout.data, spec, out);
    }
    if (spec.gutter) draw_gutter(scene, out);
    if (spec.cursor) draw_cursor(scene, out);
    if (spec.legend) draw_legend(data, spec, layout.legend, out);
    return list;
}

}  // namespace maskscope::render
