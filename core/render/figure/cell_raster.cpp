// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/cell_raster.h"

#include "core/render/figure/cairo_painter.h"
#include "core/render/figure/cell_glyphs.h"
#include "core/render/figure/mask_outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <unordered_map>

namespace maskscope::render {
namespace {

// How far a dimmed value moves to the background at full opacity.
constexpr double kDimmed = 0.7;

bool is_masked_value(float value, const Plane& plane) {
    return plane.masked_value && value == static_cast<float>(*plane.masked_value);
}

// Where the colour of a masked cell's value goes, and how far.
struct Fade {
    Rgb to = 0;
    double share = 0;
};
Fade masked_fade(GlyphDetail detail, const Look& look) {
    const Theme& theme = Theme::get(look.theme);
    const double opacity = std::clamp(look.mask_opacity, 0.0, 1.0);
    if (look.mask_style == MaskStyle::dim) return {theme[Token::bg_view], kDimmed * opacity};
    return {fill_of(CellState::masked, detail, theme), opacity};
}

constexpr int kStrip = 64;  // rows at a time, so that the copies stay in the cache

class CellPainter {
public:
    CellPainter(const HeatmapData& data, const Pooled& cells, const Viewport& viewport, const Look& look, double ratio)
        : data_(data),
          cells_(cells),
          look_(look),
          theme_(Theme::get(look.theme)),
          grid_(viewport, ratio),
          width_(viewport.width),
          height_(viewport.height),
          detail_(glyph_detail(grid_.s())),
          pixels_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), theme_[Token::bg_view]) {
        for (std::size_t i = 0; i < state_fills_.size(); ++i) {
            const auto state = static_cast<CellState>(i);
            const bool gone = state == CellState::masked && look_.mask_style == MaskStyle::hide;
            state_fills_[i] = gone ? theme_[Token::bg_view] : fill_of(state, detail_, theme_);
        }
    }

    std::vector<Rgb> paint(bool outline) {
        find_fills();
        paint_fills();
        if (detail_ == GlyphDetail::flat) {
            if (grid_.pitch < 3) enlarge_rare_states();
        } else {
            paint_glyphs();
        }
        if (outline && grid_.pitch >= 3 * grid_.line) paint_outline();
        return std::move(pixels_);
    }

private:
    std::size_t index(int row, int col) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(cells_.width) + static_cast<std::size_t>(col);
    }
    Rgb* pixel(int x, int y) {
        return pixels_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
               static_cast<std::size_t>(x);
    }
    int x_of(int col) const { return grid_.pixel_from_col(cells_.first_col + col); }
    int y_of(int row) const { return grid_.pixel_from_row(cells_.first_row + row); }

    void find_fills() {
        fills_.resize(cells_.state.size());
        if (shows_masked_values(look_)) {
            for (int row = 0; row < cells_.height; row += kStrip) show_masked_values(row);
        } else {
            colour(cells_, look_, fills_, cells_.width);
            // What colour() paints for a state is the flat fill already.
            for (std::size_t i = 0; detail_ != GlyphDetail::flat && i < fills_.size(); ++i) {
                const CellState state = cells_.state[i];
                if (state != CellState::value) fills_[i] = state_fills_[static_cast<std::size_t>(state)];
            }
        }
        if (detail_ == GlyphDetail::flat && grid_.pitch < 3) find_rare_states();
    }

    // A strip of rows coloured as if nothing were masked, then the masked cells faded.
    void show_masked_values(int first) {
        const int height = std::min(kStrip, cells_.height - first);
        const auto begin = index(first, 0);
        const auto count = index(height, 0);
        strip_.width = cells_.width;
        strip_.height = height;
        strip_.first_row = cells_.first_row + first;
        strip_.first_col = cells_.first_col;
        strip_.value.assign(cells_.value.begin() + static_cast<std::ptrdiff_t>(begin),
                            cells_.value.begin() + static_cast<std::ptrdiff_t>(begin + count));
        strip_.state.assign(cells_.state.begin() + static_cast<std::ptrdiff_t>(begin),
                            cells_.state.begin() + static_cast<std::ptrdiff_t>(begin + count));
        add_masked_values(data_.plane(), strip_);
        // What is masked by its value stays masked; without such a value nothing compares equal to NaN.
        const auto masked_value =
            static_cast<float>(data_.plane().masked_value.value_or(std::numeric_limits<double>::quiet_NaN()));
        for (std::size_t i = 0; i < count; ++i) {
            const bool shown = strip_.state[i] == CellState::masked && strip_.value[i] != masked_value;
            strip_.state[i] = shown ? CellState::value : strip_.state[i];
        }
        const auto out = std::span(fills_).subspan(begin, count);
        colour(strip_, look_, out, strip_.width);
        // Two channels of 8 bits at a time and no branch, so that the compiler takes many cells at once.
        const auto fade = masked_fade(detail_, look_);
        const auto to = static_cast<std::uint32_t>(std::lround(fade.share * 256));
        const std::uint32_t from = 256 - to;
        const std::uint32_t red_blue = (fade.to & 0xff00ffU) * to + 0x800080U;
        const std::uint32_t green = (fade.to & 0x00ff00U) * to + 0x008000U;
        const CellState* before = cells_.state.data() + begin;
        for (std::size_t i = 0; i < count; ++i) {
            const Rgb seen = out[i];
            const Rgb faded = 0xff000000U | (((seen & 0xff00ffU) * from + red_blue) >> 8U & 0xff00ffU) |
                              (((seen & 0x00ff00U) * from + green) >> 8U & 0x00ff00U);
            const bool through = before[i] == CellState::masked && strip_.state[i] == CellState::value;
            out[i] = through ? faded : seen;
        }
        for (std::size_t i = 0; detail_ != GlyphDetail::flat && i < count; ++i) {
            const CellState state = strip_.state[i];
            if (state != CellState::value) out[i] = state_fills_[static_cast<std::size_t>(state)];
        }
    }

    void find_rare_states() {
        const auto rare = [](CellState state) {
            return state == CellState::nan || state == CellState::posinf || state == CellState::neginf;
        };
        const auto width = static_cast<std::size_t>(cells_.width);
        for (std::size_t begin = 0; begin < cells_.state.size(); begin += width) {
            // Most rows have none, and counting runs many cells at once.
            const auto* states = cells_.state.data() + begin;
            int found = 0;
            for (std::size_t i = 0; i < width; ++i) found += rare(states[i]) ? 1 : 0;
            for (std::size_t i = 0; found > 0 && i < width; ++i) {
                if (rare(states[i])) rare_.push_back(begin + i);
            }
        }
    }

    void paint_fills() {
        std::vector<Rgb> line(static_cast<std::size_t>(width_), theme_[Token::bg_view]);
        for (int row = 0; row < cells_.height; ++row) {
            const int y = y_of(row);
            const int top = std::max(y, 0);
            const int bottom = std::min(y + grid_.painted(), height_);
            if (top >= bottom) continue;
            fill_line(row, line);
            for (int at = top; at < bottom; ++at) std::copy(line.begin(), line.end(), pixel(0, at));
        }
    }

    void fill_line(int row, std::vector<Rgb>& line) const {
        const Rgb* fills = fills_.data() + index(row, 0);
        const int painted = grid_.painted();
        int x = x_of(0);
        if (grid_.pitch == 1) {
            const int from = std::clamp(x, 0, width_);
            const int to = std::clamp(x + cells_.width, from, width_);
            std::copy(fills + (from - x), fills + (to - x), line.begin() + from);
            return;
        }
        for (int col = 0; col < cells_.width; ++col, x += grid_.pitch) {
            if (x >= 0 && x + painted <= width_) {
                for (int i = 0; i < painted; ++i) line[static_cast<std::size_t>(x + i)] = fills[col];
            } else {
                const int from = std::clamp(x, 0, width_);
                const int to = std::clamp(x + painted, 0, width_);
                std::fill(line.begin() + from, line.begin() + to, fills[col]);
            }
        }
    }

    // One NaN or infinity among many small cells is seen as 3 x 3 pixels, as when several cells share a pixel.
    void enlarge_rare_states() {
        for (const auto state : {CellState::neginf, CellState::posinf, CellState::nan}) {
            const Rgb fill = flat_colour(state, theme_);
            for (const std::size_t i : rare_) {
                if (cells_.state[i] != state) continue;
                const int x = x_of(static_cast<int>(i % static_cast<std::size_t>(cells_.width))) - 1;
                const int y = y_of(static_cast<int>(i / static_cast<std::size_t>(cells_.width))) - 1;
                for (int at = std::max(y, 0); at < std::min(y + 3, height_); ++at) {
                    std::fill(pixel(std::clamp(x, 0, width_), at), pixel(std::clamp(x + 3, 0, width_), at), fill);
                }
            }
        }
    }

    void paint_glyphs() {
        const bool hatched = look_.mask_style == MaskStyle::hatch;
        const double smallest = smallest_normal(data_.plane().tensor.dtype());
        for (int row = 0; row < cells_.height; ++row) {
            for (int col = 0; col < cells_.width; ++col) {
                const auto i = index(row, col);
                const CellState state = cells_.state[i];
                if (state == CellState::masked) {
                    if (hatched) paint_hatch(x_of(col), y_of(row), fills_[i]);
                } else if (state == CellState::value || state == CellState::subnormal) {
                    const float size = std::abs(cells_.value[i]);
                    if (size > 0 && size < smallest && detail_ == GlyphDetail::full) {
                        paint_subnormal(x_of(col), y_of(row));
                    }
                } else if (state != CellState::outside) {
                    paint_stamp(state, x_of(col), y_of(row));
                }
            }
        }
    }

    // The glyph on its fill, drawn once and copied to every cell of the state.
    void paint_stamp(CellState state, int x, int y) {
        auto& stamp = stamps_[static_cast<std::size_t>(state)];
        if (!stamp) stamp = make_stamp(state);
        if (stamp->empty()) return;
        const int side = grid_.painted();
        const int from = std::max(0, -x);
        const int to = std::min(side, width_ - x);
        if (from >= to) return;
        for (int j = std::max(0, -y); j < std::min(side, height_ - y); ++j) {
            const Rgb* line = stamp->data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(side);
            std::copy(line + from, line + to, pixel(x + from, y + j));
        }
    }

    std::vector<Rgb> make_stamp(CellState state) const {
        DisplayList list;
        list.width = list.height = grid_.s();
        list.background = state_fills_[static_cast<std::size_t>(state)];
        const Box cell{0, 0, grid_.s(), grid_.s()};
        list.items.emplace_back(GlyphItem{cell, state, ink_of(state, theme_), hatch_spacing(grid_.s())});
        auto raster = rasterise(list, grid_.ratio);
        const auto side = static_cast<std::size_t>(grid_.painted());
        if (!raster || raster->pixels.size() != side * side) return {};
        if (state == CellState::true_zero && grid_.s() >= 8) frame(raster->pixels, theme_[Token::st_zero_line]);
        return std::move(raster->pixels);
    }

    void frame(std::vector<Rgb>& stamp, Rgb ink) const {
        const int side = grid_.painted();
        for (int y = 0; y < side; ++y) {
            for (int x = 0; x < side; ++x) {
                if (std::min({x, y, side - 1 - x, side - 1 - y}) < grid_.line) {
                    stamp[static_cast<std::size_t>(y * side + x)] = ink;
                }
            }
        }
    }

    void paint_subnormal(int x, int y) {
        const int legs = std::max(grid_.line, static_cast<int>(std::lround(0.25 * grid_.painted())));
        const Rgb ink = ink_of(CellState::subnormal, theme_);
        const int bottom = y + grid_.painted() - 1;
        for (int j = 0; j < legs; ++j) {
            const int at = bottom - j;
            if (at < 0 || at >= height_) continue;
            std::fill(pixel(std::clamp(x, 0, width_), at), pixel(std::clamp(x + legs - j, 0, width_), at), ink);
        }
    }

    // The same lines as the glyph's, but found per pixel: x + y tells the place across them, anchored to the data area.
    void paint_hatch(int x, int y, Rgb fill) {
        const auto& tile = hatch_on(fill);
        const int period = static_cast<int>(tile.size()) - grid_.painted();
        const int from = std::max(0, -x);
        const int to = std::min(grid_.painted(), width_ - x);
        if (from >= to) return;
        for (int j = std::max(0, -y); j < std::min(grid_.painted(), height_ - y); ++j) {
            const int phase = ((x + y + j) % period + period) % period;
            std::copy(tile.begin() + phase + from, tile.begin() + phase + to, pixel(x + from, y + j));
        }
    }

    // One period and a cell's width of hatch, so that a row of a cell is one copy.
    const std::vector<Rgb>& hatch_on(Rgb fill) {
        auto& tile = hatches_[fill];
        if (!tile.empty()) return tile;
        const int period = std::max(2, static_cast<int>(std::lround(hatch_spacing(grid_.s()) * grid_.ratio)));
        // Less opacity lets the ink fade as the fill does.
        const Rgb ink = blend(fill, ink_of(CellState::masked, theme_), std::clamp(look_.mask_opacity, 0.0, 1.0));
        tile.resize(static_cast<std::size_t>(period + grid_.painted()));
        for (int i = 0; i < static_cast<int>(tile.size()); ++i) {
            const int along = i % period;
            const double distance = std::min(along, period - along) / std::numbers::sqrt2;
            const double covered = std::clamp(0.5 + grid_.ratio / 2 - distance, 0.0, 1.0);
            tile[static_cast<std::size_t>(i)] = blend(fill, ink, covered);
        }
        return tile;
    }

    void paint_outline() {
        const Rgb ink = theme_[Token::text_2];
        trace_mask_outline(data_, cells_, grid_, [&](const PixelRect& edge) {
            const int from = std::clamp(edge.x, 0, width_);
            const int to = std::clamp(edge.x + edge.width, 0, width_);
            for (int y = std::max(edge.y, 0); y < std::min(edge.y + edge.height, height_); ++y) {
                std::fill(pixel(from, y), pixel(to, y), ink);
            }
        });
    }

    const HeatmapData& data_;
    const Pooled& cells_;
    const Look& look_;
    const Theme& theme_;
    CellGrid grid_;
    int width_;
    int height_;
    GlyphDetail detail_;
    std::vector<Rgb> pixels_;
    std::vector<Rgb> fills_;
    Pooled strip_;
    std::vector<std::size_t> rare_;  // cells that are NaN or infinite
    std::array<Rgb, kCellStateCount> state_fills_{};
    std::array<std::optional<std::vector<Rgb>>, kCellStateCount> stamps_;
    std::unordered_map<Rgb, std::vector<Rgb>> hatches_;
};

}  // namespace

Rgb cell_fill(CellState state, float value, double s, const Plane& plane, const Look& look) {
    const Theme& theme = Theme::get(look.theme);
    const auto detail = glyph_detail(s);
    if (state == CellState::value || state == CellState::subnormal) return colour_of(value, look);
    if (state == CellState::masked) {
        if (look.mask_style == MaskStyle::hide) return theme[Token::bg_view];
        if (shows_masked_values(look) && !is_masked_value(value, plane)) {
            const auto fade = masked_fade(detail, look);
            return blend(colour_of(value, look), fade.to, fade.share);
        }
    }
    return fill_of(state, detail, theme);
}

bool shows_masked_values(const Look& look) {
    return look.mask_style == MaskStyle::dim || (look.mask_style == MaskStyle::hatch && look.mask_opacity < 1);
}

void add_masked_values(const Plane& plane, Pooled& cells) {
    const auto width = static_cast<std::size_t>(cells.width);
    std::vector<float> line(width);
    for (int row = 0; row < cells.height; ++row) {
        const auto begin = static_cast<std::size_t>(row) * width;
        const auto* states = cells.state.data() + begin;
        if (std::find(states, states + width, CellState::masked) == states + width) continue;
        const std::array<std::int64_t, 2> first = {cells.first_row + row, cells.first_col};
        convert_to_f32(plane.tensor.address_of(first), plane.tensor.dtype(), plane.tensor.strides()[1], cells.width,
                       line.data());
        float* values = cells.value.data() + begin;
        for (std::size_t i = 0; i < width; ++i) {
            values[i] = states[i] == CellState::masked ? line[i] : values[i];
        }
    }
}

std::vector<Rgb> raster_cells(const HeatmapData& data, const Pooled& cells, const Viewport& viewport, const Look& look,
                              double device_ratio, bool mask_outline) {
    return CellPainter(data, cells, viewport, look, device_ratio).paint(mask_outline);
}

}  // namespace maskscope::render
