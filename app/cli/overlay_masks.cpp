// SPDX-License-Identifier: Apache-2.0
#include "app/cli/overlay_masks.h"

#include "core/io/address.h"

#include <array>
#include <filesystem>

namespace maskscope::cli {
namespace {

constexpr std::int64_t kMostInstances = 4096;

bool is_swapped(const ImageSize& mask, const ImageSize& image) {
    return mask.rows == image.cols && mask.cols == image.rows && mask.rows != mask.cols;
}

Error another_size(const std::string& address, const ImageSize& mask, const ImageSize& image) {
    auto error = input_error(MS_TEXT("the mask has {} rows and {} columns, and the image has {} and {}"), mask.rows,
                             mask.cols, image.rows, image.cols)
                     .in_file(address);
    if (is_swapped(mask, image))
        return std::move(error).with_hint(
            MS_TEXT("Rows and columns are swapped: one of the two lies on its side, perhaps by an EXIF orientation"));
    return std::move(error).with_hint(
        MS_TEXT("Say how with --resize nearest, nearest-exact, bilinear or bilinear-corners"));
}

Result<Tensor> check_rank(const io::Loaded& loaded, const std::string& address) {
    const Tensor& tensor = loaded.tensor;
    const bool coloured = loaded.item.image != nullptr && tensor.rank() == 3;
    if (coloured && tensor.size(2) > 1)
        return input_error(MS_TEXT("this picture has {} channels, and a mask has one"), tensor.size(2))
            .in_file(address)
            .with_hint(MS_TEXT("Choose a channel, as in '{}[:, :, 0]'"), address);
    if (coloured) return tensor.select(2, 0);
    if (tensor.rank() != 2 && tensor.rank() != 3)
        return input_error(MS_TEXT("a mask has the shape [h, w], or [n, h, w] for n instances, and this one {}"),
                           text_of(tensor.shape()))
            .in_file(address)
            .with_hint(MS_TEXT("Choose a part of it with a slice, as in '{}[0]'"), address);
    if (tensor.numel() == 0)
        return input_error(MS_TEXT("a mask of the shape {} has no cell"), text_of(tensor.shape())).in_file(address);
    if (tensor.rank() == 3 && tensor.size(0) > kMostInstances)
        return input_error(MS_TEXT("{} instances are more than the {} that are drawn"), tensor.size(0), kMostInstances)
            .in_file(address);
    return tensor;
}

class Loader {
public:
    Loader(const std::string& address, const ImageSize& image, std::optional<render::ResizeRule> rule,
           Environment& environment)
        : address_(address), image_(image), rule_(rule), environment_(environment) {}

    Result<std::vector<MaskPlane>> run() {
        MS_TRY(loaded, io::load_address(io::parse_address(address_), environment_.context));
        MS_TRY(tensor, check_rank(loaded, address_));
        const std::string name = shown_name(address_);
        std::vector<MaskPlane> out;
        if (tensor.rank() == 2) {
            MS_TRY(plane, plane_of(tensor));
            plane.name = name;
            out.push_back(std::move(plane));
            return out;
        }
        for (std::int64_t n = 0; n < tensor.size(0); ++n) {
            MS_TRY(plane, plane_of(tensor.select(0, n)));
            plane.name = fmt::format("{}[{}]", name, n);
            plane.nth = n;
            out.push_back(std::move(plane));
        }
        return out;
    }

private:
    Result<MaskPlane> plane_of(Tensor tensor) {
        MaskPlane out;
        out.soft = is_floating(tensor.dtype());
        const ImageSize size{tensor.size(0), tensor.size(1)};
        if (size.rows != image_.rows || size.cols != image_.cols) {
            if (!rule_) return another_size(address_, size, image_);
            if (is_swapped(size, image_) && !noted_)
                environment_.notes.push_back(
                    fmt::format("{}: rows and columns are swapped against the image ({} x {}); resized all the same",
                                address_, size.rows, size.cols));
            noted_ = true;
            auto fitted = render::resized(tensor, image_.rows, image_.cols, *rule_, environment_.context);
            if (!fitted) return std::move(fitted).error().in_file(address_);
            tensor = *fitted;
            out.before = size;
        }
        auto plane = mask::Plane::of(tensor, environment_.context);
        if (!plane) return std::move(plane).error().in_file(address_);
        out.plane = std::make_shared<const mask::Plane>(*std::move(plane));
        return out;
    }

    const std::string& address_;
    const ImageSize& image_;
    std::optional<render::ResizeRule> rule_;
    Environment& environment_;
    bool noted_ = false;
};

}  // namespace

Result<std::vector<MaskPlane>> load_masks(const std::string& address, const ImageSize& image,
                                          std::optional<render::ResizeRule> rule, Environment& environment) {
    return Loader(address, image, rule, environment).run();
}

Result<render::ResizeRule> resize_rule(const std::string& word) {
    using render::ResizeRule;
    std::string names;
    for (const auto rule :
         {ResizeRule::nearest, ResizeRule::nearest_exact, ResizeRule::bilinear, ResizeRule::bilinear_corners}) {
        if (render::name_of(rule) == word) return rule;
        names += (names.empty() ? "" : ", ") + std::string(render::name_of(rule));
    }
    return usage_error(MS_TEXT("--resize is {} here; it can be {}"), word, names);
}

std::string shown_name(const std::string& address) {
    const auto parsed = io::parse_address(address);
    const std::string file = std::filesystem::path(parsed.file).filename().string();
    return (parsed.key.empty() ? file : parsed.key) + parsed.slice;
}

}  // namespace maskscope::cli
