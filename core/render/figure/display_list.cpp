// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/display_list.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace maskscope::render {
namespace {

// At most two decimals, without trailing zeros, and never "-0".
std::string number(double value) {
    double rounded = std::round(value * 100) / 100;
    if (rounded == 0) rounded = 0;
    return fmt::format("{:.10g}", rounded);
}

std::string point(const Point& p) {
    return number(p.x) + "," + number(p.y);
}
std::string box(const Box& b) {
    return number(b.x) + "," + number(b.y) + " " + number(b.width) + "x" + number(b.height);
}
std::string colour(Rgb rgb) {
    return rgb == 0 ? "none" : fmt::format("{:06x}", rgb & 0xffffffU);
}

constexpr std::string_view kFaces[] = {"ui", "ui_medium", "ui_semibold", "mono", "mono_bold"};
constexpr std::string_view kAligns[] = {"left", "centre", "right"};

// FNV-1a over the pixels: a golden sees that a picture changed, the pixel tests see how.
std::uint32_t digest(const ImageItem& image) {
    std::uint32_t hash = 2166136261U;
    if (image.pixels == nullptr) return hash;
    for (const Rgb pixel : *image.pixels) hash = (hash ^ pixel) * 16777619U;
    return hash;
}

struct Printer {
    std::string operator()(const ImageItem& i) const {
        return fmt::format("image {} {}x{} digest {:08x}", box(i.box), i.width, i.height, digest(i));
    }
    std::string operator()(const RectItem& r) const {
        std::string out = fmt::format("rect {} fill {} stroke {}", box(r.box), colour(r.fill), colour(r.stroke));
        if (r.stroke != 0) out += " width " + number(r.stroke_width);
        if (r.radius > 0) out += " radius " + number(r.radius);
        return out;
    }
    std::string operator()(const LineItem& l) const {
        return fmt::format("line {} {} {} width {}{}", point(l.from), point(l.to), colour(l.colour), number(l.width),
                           l.dashed ? " dashed" : "");
    }
    std::string operator()(const PolylineItem& p) const {
        std::string out = p.closed ? "polygon" : "polyline";
        for (const auto& corner : p.points) out += " " + point(corner);
        out += " fill " + colour(p.fill) + " stroke " + colour(p.stroke);
        if (p.stroke != 0) out += " width " + number(p.width);
        return out;
    }
    std::string operator()(const TextItem& t) const {
        return fmt::format("text {} {} {} {} {}{} \"{}\"", point(t.baseline),
                           kAligns[static_cast<std::size_t>(t.align)], kFaces[static_cast<std::size_t>(t.face)],
                           number(t.size), colour(t.colour), t.upwards ? " upwards" : "", t.text);
    }
    std::string operator()(const GlyphItem& g) const {
        std::string out = fmt::format("glyph {} {} {}", box(g.cell), name_of(g.state), colour(g.ink));
        if (g.state == CellState::masked) out += " every " + number(g.hatch_spacing);
        return out;
    }
    std::string operator()(const ClipItem& c) const { return c.begin ? "clip " + box(c.box) : "end clip"; }
};

}  // namespace

std::string to_text(const DisplayList& list) {
    std::string out =
        fmt::format("list {}x{} background {}\n", number(list.width), number(list.height), colour(list.background));
    for (const auto& item : list.items) {
        out += std::visit(Printer{}, item);
        out += '\n';
    }
    return out;
}

}  // namespace maskscope::render
