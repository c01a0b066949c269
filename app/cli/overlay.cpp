// SPDX-License-Identifier: Apache-2.0
// maskscope-cli overlay: masks over an image, pixel for pixel, as PNG; or a prediction against its ground truth.
#include "app/cli/output.h"
#include "app/cli/overlay_masks.h"
#include "core/io/address.h"
#include "core/io/image_facts.h"
#include "core/mask/fill.h"
#include "core/render/figure/cairo_painter.h"
#include "core/render/overlay/overlay_image.h"

#include <cmath>
#include <memory>

namespace maskscope::cli {
namespace {

struct Options {
    std::string image;
    std::vector<std::string> masks;
    std::string truth;
    double alpha = 0.45;
    bool outline = false;
    double threshold = 0.5;
    std::string resize;
    std::string theme = "light";
    int scale = 1;
    std::string out;
};

constexpr int kMostScale = 64;

struct Plan {
    render::ThemeId theme = render::ThemeId::light;
    std::optional<render::ResizeRule> rule;
};

// Everything that can be said wrong is refused before a byte of the image is read.
Result<Plan> plan_of(const Options& options) {
    Plan plan;
    if (!(options.alpha >= 0 && options.alpha <= 1))
        return usage_error(MS_TEXT("--alpha is {} here; it can be 0 to 1"), options.alpha);
    if (std::isnan(options.threshold)) return usage_error(MS_TEXT("--threshold is not a number here"));
    if (options.scale < 1 || options.scale > kMostScale)
        return usage_error(MS_TEXT("--scale is {} here; it can be a whole number from 1 to {}"), options.scale,
                           kMostScale);
    if (options.theme != "light" && options.theme != "dark")
        return usage_error(MS_TEXT("--theme is {} here; it can be light, dark"), options.theme);
    plan.theme = options.theme == "light" ? render::ThemeId::light : render::ThemeId::dark;
    if (!options.resize.empty()) {
        MS_TRY(rule, resize_rule(options.resize));
        plan.rule = rule;
    }
    if (render::picture_format(options.out) != render::PictureFormat::png)
        return usage_error(MS_TEXT("the picture {} must end in .png"), options.out);
    if (!options.truth.empty() && options.masks.size() != 1)
        return usage_error(MS_TEXT("--compare takes one mask against the other, and there are {}"),
                           options.masks.size());
    return plan;
}

Result<std::shared_ptr<render::ImageData>> load_image(const std::string& address, const JobContext& context) {
    MS_TRY(loaded, io::load_address(io::parse_address(address), context));
    std::span<const std::array<std::uint8_t, 4>> palette;
    if (loaded.item.image && loaded.item.image->kind == io::PixelKind::palette) palette = loaded.item.image->palette;
    auto image = render::ImageData::of(loaded.tensor, palette);
    if (!image) return std::move(image).error().in_file(address);
    return image;
}

class Overlay {
public:
    Overlay(const Options& options, const Plan& plan, Environment& environment)
        : options_(options), plan_(plan), theme_(render::Theme::get(plan.theme)), environment_(environment) {}

    Result<Answer> run() {
        MS_TRY(image, load_image(options_.image, environment_.context));
        MS_TRY(tone, tone_of(*image));
        const ImageSize size{image->rows(), image->cols()};
        for (const auto& address : options_.masks) {
            MS_TRY(planes, load_masks(address, size, plan_.rule, environment_));
            for (auto& plane : planes) masks_.push_back(std::move(plane));
        }
        if (!options_.truth.empty()) return compare(*image, tone);
        add_layers();
        MS_TRY(picture, render::overlay_image(*image, tone, layers_, theme_, options_.scale, environment_.context));
        MS_CHECK(write(std::move(picture)));
        answer_.text = fmt::format("{}: {} x {} pixels, {} {} over {}", options_.out, answer_.json["width"].get<int>(),
                                   answer_.json["height"].get<int>(), masks_.size(),
                                   masks_.size() == 1 ? "mask" : "masks", shown_name(options_.image));
        answer_.json["masks"] = masks_json();
        return std::move(answer_);
    }

private:
    // An image of bytes says it without being read.
    Result<render::Tone> tone_of(render::ImageData& image) const {
        if (image.tensor().dtype() != DType::u8) MS_CHECK(image.prepare(environment_.context));
        return image.natural_tone();
    }

    // Labels have their own colours; what is only there or not gets one for each mask.
    void add_layers() {
        const bool several = masks_.size() > 1;
        for (std::size_t i = 0; i < masks_.size(); ++i) {
            const auto& mask = masks_[i];
            render::OverlayLayer layer{.plane = mask.plane, .rule = {}, .look = {}};
            layer.rule.soft = mask.soft;
            layer.rule.threshold = options_.threshold;
            layer.look.opacity = options_.alpha;
            layer.look.outline = options_.outline;
            const bool is_binary = mask.soft || mask.plane->dtype() == DType::boolean || mask.nth;
            if (several && is_binary)
                layer.look.colour = render::label_colour(static_cast<std::int64_t>(i) + 1, theme_);
            layers_.push_back(std::move(layer));
        }
    }

    Json label_json(const render::OverlayLayer& layer, double label, std::int64_t pixels) const {
        const auto id = static_cast<std::int64_t>(label);
        const render::Rgb colour = layer.look.colour.value_or(render::label_colour(id, theme_));
        return {{"label", id}, {"pixels", pixels}, {"colour", fmt::format("#{:06x}", colour & 0xffffffU)}};
    }

    Json masks_json() const {
        Json out = Json::array();
        for (std::size_t i = 0; i < masks_.size(); ++i) {
            const auto& mask = masks_[i];
            Json labels = Json::array();
            if (mask.soft) {
                const auto pixels = mask::threshold(*mask.plane, options_.threshold).count();
                if (pixels > 0) labels.push_back(label_json(layers_[i], 1, pixels));
            } else {
                for (const auto& count : mask.plane->counts()) {
                    if (count.cell.bits == 0) continue;
                    labels.push_back(
                        label_json(layers_[i], mask::value_of(count.cell, mask.plane->dtype()), count.cells));
                }
            }
            Json json = {{"mask", mask.name}, {"dtype", name_of(mask.plane->dtype())}};
            json["threshold"] = mask.soft ? json_number(options_.threshold) : Json();
            json["resized_from"] = mask.before ? Json{mask.before->rows, mask.before->cols} : Json();
            json["labels"] = std::move(labels);
            out.push_back(std::move(json));
        }
        return out;
    }

    // Soft masks are compared by the threshold.
    Result<mask::Plane> as_binary(const MaskPlane& mask) const {
        if (!mask.soft) return *mask.plane;
        MS_TRY(cells, Tensor::zeros(Shape{mask.plane->rows(), mask.plane->cols()}, DType::boolean));
        auto* const to = cells.writable_as<std::uint8_t>();
        const auto region = mask::threshold(*mask.plane, options_.threshold);
        for (const auto& run : region.runs())
            std::fill_n(to + run.row * mask.plane->cols() + run.begin, run.end - run.begin, std::uint8_t{1});
        return mask::Plane::of(cells, environment_.context);
    }

    Result<Answer> compare(const render::ImageData& image, const render::Tone& tone) {
        MS_TRY(truths, load_masks(options_.truth, {image.rows(), image.cols()}, plan_.rule, environment_));
        if (masks_.size() != 1 || truths.size() != 1)
            return usage_error(MS_TEXT("--compare takes one plane against the other, and there are {} and {}"),
                               masks_.size(), truths.size())
                .with_hint(MS_TEXT("Choose one of a stack, as in '{}[0]'"), options_.masks.front());
        MS_TRY(prediction, as_binary(masks_.front()));
        MS_TRY(truth, as_binary(truths.front()));
        render::Agreement counts;
        MS_TRY(picture, render::compare_image(image, tone, prediction, truth, options_.alpha, theme_, &counts,
                                              environment_.context, options_.scale));
        MS_CHECK(write(std::move(picture)));
        answer_.json["mask"] = masks_.front().name;
        answer_.json["truth"] = truths.front().name;
        answer_.json["compare"] = {{"tp", counts.tp}, {"fp", counts.fp}, {"fn", counts.fn}, {"tn", counts.tn}};
        answer_.text =
            fmt::format("{}: {} against {}: {} true positive, {} false positive, {} false negative pixels",
                        options_.out, masks_.front().name, truths.front().name, counts.tp, counts.fp, counts.fn);
        return std::move(answer_);
    }

    Result<void> write(render::OverlayImage picture) {
        answer_.json = {{"file", options_.out},
                        {"image", shown_name(options_.image)},
                        {"width", picture.width},
                        {"height", picture.height},
                        {"scale", options_.scale}};
        render::DisplayList list;
        list.width = picture.width;
        list.height = picture.height;
        list.background = theme_[render::Token::bg_view];
        list.items.push_back(
            render::ImageItem{{0, 0, list.width, list.height},
                              picture.width,
                              picture.height,
                              std::make_shared<const std::vector<render::Rgb>>(std::move(picture.pixels))});
        return render::write_picture(list, options_.out, render::PictureFormat::png);
    }

    const Options& options_;
    const Plan& plan_;
    const render::Theme& theme_;
    Environment& environment_;
    std::vector<MaskPlane> masks_;
    std::vector<render::OverlayLayer> layers_;
    Answer answer_;
};

Result<Answer> draw_overlay(const Options& options, Environment& environment) {
    MS_TRY(plan, plan_of(options));
    return Overlay(options, plan, environment).run();
}

}  // namespace

void add_overlay(CLI::App& app, Run& chosen) {
    auto* command = app.add_subcommand("overlay", "Masks over an image, pixel for pixel, as PNG");
    const auto options = std::make_shared<Options>();
    command->add_option("IMAGE", options->image, "FILE[::KEY][SLICE] of [h, w] or [h, w, channels]")->required();
    command->add_option("--mask", options->masks, "Masks, FILE[::KEY][SLICE] of [h, w], or [n, h, w] for n instances")
        ->required();
    command->add_option("--compare", options->truth, "The ground truth: colours hits, false and missed pixels");
    command->add_option("--alpha", options->alpha, "Opacity of the fill, 0 to 1");
    command->add_flag("--outline", options->outline, "Outlines along the masks' edges too");
    command->add_option("--threshold", options->threshold, "From where on a soft mask is there");
    command->add_option("--resize", options->resize,
                        "For masks of another size: nearest, nearest-exact, bilinear or bilinear-corners");
    command->add_option("--theme", options->theme, "light or dark");
    command->add_option("--scale", options->scale, "Picture pixels an image pixel, a whole number");
    command->add_option("-o,--out", options->out, "FILE.png")->required();
    command->callback([options, &chosen] {
        chosen = [options](Environment& environment) { return draw_overlay(*options, environment); };
    });
}

}  // namespace maskscope::cli
