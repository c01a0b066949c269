// SPDX-License-Identifier: Apache-2.0
#include "core/io/mask_export.h"

#include "core/io/coco.h"
#include "core/io/image_facts.h"
#include "core/io/mask_coco.h"
#include "core/io/mask_rows.h"
#include "core/io/npz_write.h"
#include "core/io/png_write.h"
#include "core/io/save.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>

namespace maskscope::io {
namespace {

std::int64_t most_label(MaskFormat format) {
    return format == MaskFormat::png_grey16 ? 65535 : 255;
}

std::string extensions() {
    std::string out;
    for (const auto& format : mask_formats())
        if (out.find(format.extension) == std::string::npos)
            out.append(out.empty() ? "" : ", ").append(format.extension);
    return out;
}

std::string extension_of(const std::string& path) {
    std::string out = std::filesystem::path(path).extension().string();
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

// Ids of annotations that a picture could hold are its labels.
std::int64_t most_instance(const Item& item) {
    if (item.dtype != DType::boolean || item.shape.rank() != 3) return 0;
    std::int64_t out = item.shape[0];
    if (!item.coco || item.coco_image >= item.coco->images.size()) return out;
    for (const auto index : item.coco->images[item.coco_image].annotations)
        out = std::max(out, std::min<std::int64_t>(item.coco->annotations[index].id, 65535));
    return out;
}

// Whether all labels fit 8 bit: by the dtype, or by a look at the elements where they are at hand and few.
bool fits_byte(const Item& item) {
    constexpr std::int64_t kMostCells = 1 << 24;
    if (item.dtype == DType::boolean || item.dtype == DType::u8 || is_floating(item.dtype)) return true;
    if (!item.tensor.defined() || item.tensor.numel() > kMostCells) return false;
    const auto planes = mask_planes({item.tensor, item, ""}, 255, {});
    if (!planes) return false;
    const auto scan = scan_labels(*planes, 255, {});
    return scan.ok() && scan->fits();
}

MaskFormat png_for(const Item& item) {
    if (most_instance(item) > 255 || !fits_byte(item)) return MaskFormat::png_grey16;
    // A grey picture stays one: others know it as that.
    const bool grey = item.image && item.image->kind == PixelKind::grey;
    return grey ? MaskFormat::png_grey8 : MaskFormat::png_palette;
}

std::vector<std::array<std::uint8_t, 4>> palette_for(const Item& item, double highest) {
    auto voc = voc_palette();
    if (!item.image || item.image->palette.empty()) return voc;
    auto own = item.image->palette;
    own.resize(std::min(own.size(), voc.size()));
    // A label that the palette has no colour for would be no valid picture.
    while (static_cast<double>(own.size()) <= highest) own.push_back(voc[own.size()]);
    return own;
}

Error label_does_not_fit(const LabelScan& scan, std::int64_t most) {
    if (scan.negative_at) {
        const auto [row, col] = *scan.negative_at;
        return input_error(MS_TEXT("labels down to {} are negative, which this format cannot hold; the first of them "
                                   "lies at row {}, column {}"),
                           fmt::format("{:.0f}", scan.lowest), row, col)
            .with_hint(MS_TEXT("Save it as .npy, which holds any label"));
    }
    const auto [row, col] = *scan.beyond_at;
    return input_error(MS_TEXT("the label {} does not fit: this format holds 0 to {}, and the first label beyond lies "
                               "at row {}, column {}"),
                       fmt::format("{:.0f}", scan.first_beyond), most, row, col)
        .with_hint(MS_TEXT("Save it as {}"), most < 65535 ? "a 16-bit grey PNG or as .npy" : ".npy");
}

Result<void> save_png(const std::string& path, const MaskToSave& mask, MaskFormat format, const JobContext& context) {
    const std::int64_t most = most_label(format);
    MS_TRY(planes, mask_planes(mask, most, context));
    MS_TRY(scan, scan_labels(planes, static_cast<double>(most), context));
    if (!scan.fits()) return label_does_not_fit(scan, most);
    PngPicture picture{planes.height(), planes.width(), format == MaskFormat::png_grey16 ? 16 : 8, {}};
    if (format == MaskFormat::png_palette) picture.palette = palette_for(mask.item, scan.highest);
    std::vector<double> labels(static_cast<std::size_t>(picture.width));
    const auto row = [&](std::int64_t r, std::byte* out) -> Result<void> {
        planes.label_row(r, labels);
        for (std::size_t c = 0; c < labels.size(); ++c) {
            const auto label = static_cast<std::uint16_t>(labels[c]);
            if (picture.bit_depth == 16) {
                std::memcpy(out + 2 * c, &label, 2);
            } else {
                out[c] = static_cast<std::byte>(label);
            }
        }
        return {};
    };
    return write_png(path, picture, row, context);
}

Result<void> save_arrays(const std::string& path, const MaskToSave& mask, MaskFormat format) {
    const std::string key = format == MaskFormat::npz && !mask.item.key.empty() ? mask.item.key : "mask";
    const std::vector<NamedTensor> tensors = {{key, mask.tensor}};
    if (format == MaskFormat::npz) return write_npz(path, tensors, {});
    return find_format("npy")->write(path, tensors, {});
}

Result<void> save_coco(const std::string& path, const MaskToSave& mask, MaskFormat format, const JobContext& context) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    MS_TRY(planes, mask_planes(mask, kMost, context));
    if (!planes.stack) {
        MS_TRY(scan, scan_labels(planes, static_cast<double>(kMost), context));
        if (!scan.fits()) return label_does_not_fit(scan, kMost);
    }
    if (format == MaskFormat::coco_rle && belongs_to_its_file(mask, planes)) {
        MS_TRY(text, written_back(mask, planes, context));
        return save_atomically(path, [&](Sink sink) { return sink(std::as_bytes(std::span(text))); });
    }
    const auto form = format == MaskFormat::coco_polygon ? CocoForm::polygon : CocoForm::rle_text;
    MS_TRY(content, coco_of(mask, planes, form, context));
    const std::string text = coco_text(content);
    return save_atomically(path, [&](Sink sink) { return sink(std::as_bytes(std::span(text))); });
}

}  // namespace

const std::vector<MaskFormatInfo>& mask_formats() {
    static const std::vector<MaskFormatInfo> all = {
        {MaskFormat::png_palette, "png-palette", MS_TEXT("PNG, palette indices"), ".png",
         MS_TEXT("labels 0 to 255 with a colour for each, VOC's unless the mask brought its own")},
        {MaskFormat::png_grey8, "png-grey8", MS_TEXT("PNG, 8-bit grey"), ".png", MS_TEXT("labels 0 to 255")},
        {MaskFormat::png_grey16, "png-grey16", MS_TEXT("PNG, 16-bit grey"), ".png", MS_TEXT("labels 0 to 65,535")},
        {MaskFormat::npy, "npy", MS_TEXT("NumPy array"), ".npy",
         MS_TEXT("any labels, soft values, overlapping instances; no names")},
        {MaskFormat::npz, "npz", MS_TEXT("NumPy archive"), ".npz",
         MS_TEXT("any labels, soft values, overlapping instances; no names")},
        {MaskFormat::coco_rle, "coco-rle", MS_TEXT("COCO, run lengths"), ".json",
         MS_TEXT("instances with ids and categories, holes and overlaps; no soft values")},
        {MaskFormat::coco_polygon, "coco-polygon", MS_TEXT("COCO, polygons"), ".json",
         MS_TEXT("instances with ids and categories, overlaps; no holes, no soft values")},
    };
    return all;
}

Result<MaskFormat> format_for(const std::string& path, const Item& item) {
    const std::string extension = extension_of(path);
    if (extension == ".png") return png_for(item);
    for (const auto& format : mask_formats())
        if (extension == format.extension) return format.id;
    return usage_error(MS_TEXT("the name says no format for masks; end it with one of {}"), extensions()).in_file(path);
}

Result<void> save_mask(const std::string& path, const MaskToSave& mask, MaskFormat format, const JobContext& context) {
    auto saved = [&]() -> Result<void> {
        switch (format) {
            case MaskFormat::png_palette:
            case MaskFormat::png_grey8:
            case MaskFormat::png_grey16:
                return save_png(path, mask, format, context);
            case MaskFormat::npy:
            case MaskFormat::npz:
                return save_arrays(path, mask, format);
            case MaskFormat::coco_rle:
            case MaskFormat::coco_polygon:
                break;
        }
        return save_coco(path, mask, format, context);
    }();
    if (!saved) return std::move(saved).error().in_file(path);
    return {};
}

}  // namespace maskscope::io
