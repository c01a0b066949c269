// SPDX-License-Identifier: Apache-2.0
// maskscope-cli render: a heatmap with axes, legend and states, as PNG, SVG or PDF.
#include "app/cli/output.h"
#include "app/cli/plane_source.h"
#include "core/render/figure/cairo_painter.h"
#include "core/render/figure/heatmap_figure.h"
#include "core/render/pool/value_summary.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>

namespace maskscope::cli {
namespace {

using render::MaskConvention;
using render::MaskStyle;
using render::RangeKind;

struct Options {
    PlaneRequest plane;
    std::string convention;
    std::string map = "tide";
    std::string scale = "lin";
    std::string range = "minmax";
    std::string size = "1280x800";
    std::string theme = "light";
    std::string mask_style = "hatch";
    std::optional<std::string> title;
    std::string out;
};

constexpr int kLeastSide = 64;
constexpr int kMostSide = 16384;

template <class T, std::size_t N>
Result<T> choose(const char* option, const std::string& word, const std::array<T, N>& values) {
    std::string names;
    for (const T value : values) {
        if (render::name_of(value) == word) return value;
        names += (names.empty() ? "" : ", ") + std::string(render::name_of(value));
    }
    return usage_error(MS_TEXT("{} is {} here; it can be {}"), option, word, names);
}

template <class T>
std::optional<T> number_of(std::string_view text) {
    T value{};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

struct Size {
    int width = 0;
    int height = 0;
};

Result<Size> parse_size(const std::string& text) {
    const auto cross = text.find('x');
    const auto width = number_of<int>(std::string_view(text).substr(0, cross));
    const auto height =
        cross == std::string::npos ? std::nullopt : number_of<int>(std::string_view(text).substr(cross + 1));
    const auto fits = [](std::optional<int> side) { return side && *side >= kLeastSide && *side <= kMostSide; };
    if (!fits(width) || !fits(height))
        return usage_error(MS_TEXT("--size is {} here; write WxH with sides from {} to {}, as in 1280x800"), text,
                           kLeastSide, kMostSide);
    return Size{*width, *height};
}

struct Range {
    RangeKind kind = RangeKind::minmax;
    double lo = 0;  // of fixed
    double hi = 1;
};

Result<Range> parse_range(const std::string& text) {
    const auto colon = text.find(':');
    if (colon == std::string::npos) {
        constexpr std::array kinds = {RangeKind::minmax, RangeKind::robust, RangeKind::sigma3, RangeKind::unit};
        auto kind = choose("--range", text, kinds);
        if (!kind) return std::move(kind).error().with_hint(MS_TEXT("Or two numbers, LO:HI"));
        return Range{.kind = *kind};
    }
    const auto lo = number_of<double>(std::string_view(text).substr(0, colon));
    const auto hi = number_of<double>(std::string_view(text).substr(colon + 1));
    if (!lo || !hi || !std::isfinite(*lo) || !std::isfinite(*hi) || *lo >= *hi)
        return usage_error(MS_TEXT("--range is {} here; LO:HI takes two numbers, the smaller one first"), text);
    return Range{.kind = RangeKind::fixed, .lo = *lo, .hi = *hi};
}

// Everything that can be said wrong is refused before a byte of the tensor is read.
struct Plan {
    PlaneRequest plane;
    Range range;
    Size size;
    render::ScaleKind scale = render::ScaleKind::linear;
    render::Look look;
    render::PictureFormat format = render::PictureFormat::png;
};

Result<Plan> plan_of(const Options& options) {
    Plan plan;
    plan.plane = options.plane;
    if (options.plane.mask.empty() != options.convention.empty()) {
        return options.convention.empty()
                   ? usage_error(MS_TEXT("a mask can mean three things; say --as keep, drop or additive"))
                   : usage_error(MS_TEXT("--as says what a mask means, and there is no --mask"));
    }
    if (!options.convention.empty()) {
        constexpr std::array conventions = {MaskConvention::keep, MaskConvention::drop, MaskConvention::additive};
        MS_TRY(convention, choose("--as", options.convention, conventions));
        plan.plane.convention = convention;
    }
    constexpr std::array maps = {render::MapId::tide,  render::MapId::shore,   render::MapId::viridis,
                                 render::MapId::magma, render::MapId::cividis, render::MapId::grey};
    MS_TRY(map, choose("--map", options.map, maps));
    plan.look.map = map;
    constexpr std::array scales = {render::ScaleKind::linear, render::ScaleKind::log, render::ScaleKind::symlog,
                                   render::ScaleKind::sqrt};
    MS_TRY(scale, choose("--scale", options.scale, scales));
    plan.scale = scale;
    constexpr std::array styles = {MaskStyle::hatch, MaskStyle::dim, MaskStyle::hide};
    MS_TRY(style, choose("--mask-style", options.mask_style, styles));
    plan.look.mask_style = style;
    if (options.theme != "light" && options.theme != "dark")
        return usage_error(MS_TEXT("--theme is {} here; it can be light, dark"), options.theme);
    plan.look.theme = options.theme == "light" ? render::ThemeId::light : render::ThemeId::dark;
    MS_TRY(range, parse_range(options.range));
    plan.range = range;
    MS_TRY(size, parse_size(options.size));
    plan.size = size;
    const auto format = render::picture_format(options.out);
    if (!format) return usage_error(MS_TEXT("the picture {} must end in .png, .svg or .pdf"), options.out);
    plan.format = *format;
    return plan;
}

Result<Range> ends_of(const Range& range, const render::HeatmapData& data, const JobContext& context) {
    const auto& stats = data.stats();
    if (range.kind == RangeKind::fixed || range.kind == RangeKind::unit || stats.finite == 0) return range;
    if (range.kind == RangeKind::robust) {
        MS_TRY(ends, data.percentiles({0.01, 0.99}, context));
        return Range{range.kind, ends[0], ends[1]};
    }
    if (range.kind == RangeKind::sigma3) {
        MS_TRY(all, render::summarise(data.plane(), data.mask(), context));
        return Range{range.kind, all.mean - 3 * all.deviation(), all.mean + 3 * all.deviation()};
    }
    return Range{range.kind, stats.min, stats.max};
}

Json states_json(const render::PlaneStats& stats) {
    const auto count = [&](render::CellState state) { return stats.counts[static_cast<std::size_t>(state)]; };
    return {{"masked", count(render::CellState::masked)}, {"zero", count(render::CellState::true_zero)},
            {"nan", count(render::CellState::nan)},       {"posinf", count(render::CellState::posinf)},
            {"neginf", count(render::CellState::neginf)}, {"subnormal", stats.subnormal}};
}

Result<Answer> render_picture(const Options& options, Environment& environment) {
    MS_TRY(plan, plan_of(options));
    MS_TRY(source, load_plane(plan.plane, environment));
    render::HeatmapData data(source.plane, source.mask);
    environment.context.expect(data.plane().rows() * data.plane().cols());
    MS_CHECK(data.prepare(environment.context, Lane::ui));
    MS_TRY(range, ends_of(plan.range, data, environment.context));

    const bool diverging = render::is_diverging(plan.look.map);
    render::FigureSpec spec;
    spec.width = plan.size.width;
    spec.height = plan.size.height;
    spec.rows = source.rows;
    spec.cols = source.cols;
    spec.look = plan.look;
    spec.look.scale = render::make_scale(plan.scale, range.lo, range.hi, diverging, data.stats().smallest_positive);
    spec.legend_title = plan.scale == render::ScaleKind::linear
                            ? source.name
                            : fmt::format("{}, {}", source.name, render::name_of(plan.scale));
    spec.title = options.title.value_or(source.name);
    if (!source.mask_text.empty()) spec.subtitle = fmt::format("mask: {}", source.mask_text);
    spec.shrink_to_plane = true;
    spec.vector_cells = plan.format != render::PictureFormat::png;

    const auto layout = render::lay_out(data, spec);
    const auto viewport = render::fit(data, layout, spec);
    const auto rule = diverging ? render::PoolRule::magnitude : render::PoolRule::largest;
    MS_TRY(pooled, data.pool_exact(viewport, rule, environment.context));
    const auto picture = render::draw(data, pooled, viewport, layout, spec);
    if (environment.context.cancelled()) return cancelled_error();
    MS_CHECK(render::write_picture(picture, options.out, plan.format));

    Answer answer;
    answer.json = {{"file", options.out},
                   {"tensor", source.name},
                   {"rows", data.plane().rows()},
                   {"cols", data.plane().cols()},
                   {"width", picture.width},
                   {"height", picture.height},
                   {"data_area", {layout.data.x, layout.data.y, layout.data.width, layout.data.height}},
                   {"map", options.map},
                   {"scale", options.scale},
                   {"range", {json_number(spec.look.scale.lo), json_number(spec.look.scale.hi)}},
                   {"masked_value", source.plane.masked_value ? json_number(*source.plane.masked_value) : Json()},
                   {"mask", source.mask_text.empty() ? Json() : Json(source.mask_text)},
                   {"states", states_json(data.stats())}};
    const auto& counts = data.stats().counts;
    answer.text = fmt::format("{}: {} x {} cells", options.out, data.plane().rows(), data.plane().cols());
    for (const auto state : {render::CellState::masked, render::CellState::true_zero, render::CellState::nan,
                             render::CellState::posinf, render::CellState::neginf}) {
        const auto count = counts[static_cast<std::size_t>(state)];
        if (count > 0) answer.text += fmt::format(", {} {}", count, render::name_of(state));
    }
    return answer;
}

}  // namespace

void add_render(CLI::App& app, Run& chosen) {
    auto* command = app.add_subcommand("render", "A heatmap with axes, legend and states, as PNG, SVG or PDF");
    const auto options = std::make_shared<Options>();
    auto& plane = options->plane;
    command->add_option("TENSOR", plane.tensor, "FILE[::KEY][SLICE], two dimensions of it")->required();
    command->add_option("--mask", plane.mask, "A mask to lay over it, FILE[::KEY][SLICE]");
    command->add_option("--as", options->convention, "What the mask means: keep, drop or additive");
    command->add_option("--tokens", plane.tokens, "Labels for the axes; else those in the tensor's own file");
    command->add_option("--rows", plane.rows, "The dimension drawn as rows, by name or number");
    command->add_option("--cols", plane.cols, "The dimension drawn as columns");
    command->add_option("--map", options->map, "tide, shore, viridis, magma, cividis or grey");
    command->add_option("--scale", options->scale, "lin, log, sym or sqrt");
    command->add_option("--range", options->range, "minmax, robust (1 to 99 %), 3sigma, unit or LO:HI");
    command->add_option("--size", options->size, "WxH in pixels");
    command->add_option("--theme", options->theme, "light or dark");
    command->add_option("--mask-style", options->mask_style, "hatch, dim or hide");
    command->add_option("--title", options->title, "The headline; else the tensor's name");
    command->add_option("-o,--out", options->out, "FILE.png, FILE.svg or FILE.pdf")->required();
    command->callback([options, &chosen] {
        chosen = [options](Environment& environment) { return render_picture(*options, environment); };
    });
}

}  // namespace maskscope::cli
