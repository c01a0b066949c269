// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/compose.h"

#include "core/jobs/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope::render {
namespace {

constexpr double kHatchPeriod = 7;  // logical pixels along a row
constexpr double kHatchWidth = 2;
constexpr double kHatchOpacity = 0.85;
constexpr double kEmphasised = 2;  // logical pixels of an emphasised outline

// Of 256.
std::uint32_t share_of_256(double share) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(share, 0.0, 1.0) * 256));
}

Rgb mixed(Rgb under, Rgb over, std::uint32_t share) {
    const std::uint32_t rest = 256 - share;
    const std::uint32_t red_blue =
        ((under & 0xff00ffU) * rest + (over & 0xff00ffU) * share + 0x800080U) >> 8U & 0xff00ffU;
    const std::uint32_t green = ((under & 0xff00U) * rest + (over & 0xff00U) * share + 0x8000U) >> 8U & 0xff00U;
    return 0xff000000U | red_blue | green;
}

// The outline's share, of 256, at each distance from the border.
using OutlineShares = std::array<std::uint32_t, kEdgeReach + 1>;

OutlineShares outline_of(double width) {
    OutlineShares out{};
    for (std::size_t steps = 1; steps < out.size(); ++steps)
        out[steps] = share_of_256(width - static_cast<double>(steps - 1));
    return out;
}

// How a label is drawn.
struct Ink {
    Rgb colour = 0;
    const OutlineShares* outline = nullptr;  // null: none
};

class LayerPainter {
public:
    LayerPainter(const LabelPixels& labels, const LayerLook& look, const Theme& theme, double ratio)
        : labels_(labels),
          look_(look),
          theme_(theme),
          outline_(outline_of(look.outline_width * ratio)),
          emphasised_(outline_of(std::max(kEmphasised, look.outline_width) * ratio)),
          fill_(share_of_256(look.fill ? look.opacity : 0)),
          hatch_(share_of_256(kHatchOpacity)),
          period_(std::max(4, static_cast<int>(std::lround(kHatchPeriod * ratio)))),
          line_(std::max(1, static_cast<int>(std::lround(kHatchWidth * ratio)))) {}

    void run(int origin_x, int origin_y, Rgb* pixels, int stride) const {
        const std::int64_t grain = std::max<std::int64_t>(1, 65536 / std::max(1, labels_.width));
        parallel_for(Lane::ui, labels_.height, grain, [&](const Chunk& chunk) {
            for (std::int64_t y = chunk.begin; y < chunk.end; ++y)
                paint_line(y, origin_x, origin_y + y, pixels + y * stride);
        });
    }

private:
    std::optional<Ink> ink_of(std::int32_t label) const {
        if (label == 0 || look_.hidden.contains(label)) return std::nullopt;
        const bool emphasised = look_.emphasised == label;
        const OutlineShares* usual = look_.outline ? &outline_ : nullptr;
        return Ink{look_.colour.value_or(label_colour(label, theme_)), emphasised ? &emphasised_ : usual};
    }

    // Runs of one label at a time.
    void paint_line(std::int64_t y, std::int64_t view_x, std::int64_t view_y, Rgb* to) const {
        const auto begin = static_cast<std::size_t>(y) * static_cast<std::size_t>(labels_.width);
        const std::int32_t* label = labels_.label.data() + begin;
        const std::uint8_t* edge = labels_.edge.data() + begin;
        for (int x = 0; x < labels_.width;) {
            int end = x + 1;
            while (end < labels_.width && label[end] == label[x]) ++end;
            if (const auto ink = ink_of(label[x])) paint_run(*ink, edge, x, end, view_x, view_y, to);
            x = end;
        }
    }

    void paint_run(const Ink& ink, const std::uint8_t* edge, int begin, int end, std::int64_t view_x,
                   std::int64_t view_y, Rgb* to) const {
        if (fill_ > 0)
            for (int x = begin; x < end; ++x) to[x] = mixed(to[x], ink.colour, fill_);
        if (look_.hatch != Hatch::none) {
            for (int x = begin; x < end; ++x)
                if (is_hatched(view_x + x, view_y)) to[x] = mixed(to[x], ink.colour, hatch_);
        }
        if (ink.outline == nullptr) return;
        for (int x = begin; x < end; ++x)
            if (const std::uint32_t share = (*ink.outline)[edge[x]]; share > 0) to[x] = mixed(to[x], ink.colour, share);
    }

    bool is_hatched(std::int64_t x, std::int64_t y) const {
        const std::int64_t at = (look_.hatch == Hatch::rising ? x + y : x - y) % period_;
        return (at < 0 ? at + period_ : at) < line_;
    }

    const LabelPixels& labels_;
    const LayerLook& look_;
    const Theme& theme_;
    OutlineShares outline_;
    OutlineShares emphasised_;
    std::uint32_t fill_;
    std::uint32_t hatch_;
    int period_;
    int line_;
};

}  // namespace

Rgb label_colour(std::int64_t label, const Theme& theme) {
    return theme.label(label);
}

void lay_over(const LabelPixels& labels, const LayerLook& look, const Theme& theme, double ratio, int origin_x,
              int origin_y, Rgb* pixels, int stride) {
    if (labels.edge.size() != labels.label.size()) return;  // not from a pool
    LayerPainter(labels, look, theme, ratio > 0 ? ratio : 1).run(origin_x, origin_y, pixels, stride);
}

}  // namespace maskscope::render
