// SPDX-License-Identifier: Apache-2.0
// What a format would not keep of a mask, counted.
#include "core/io/mask_coco.h"
#include "core/io/mask_export.h"
#include "core/io/mask_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace maskscope::io {
namespace {

// "1,204"
std::string grouped(std::int64_t number) {
    std::string out = std::to_string(number);
    const std::size_t first = out.starts_with('-') ? 1 : 0;
    for (std::size_t at = out.size(); at > first + 3;) {
        at -= 3;
        out.insert(at, ",");
    }
    return out;
}

std::string counted(std::int64_t count, const char* one, const char* several) {
    return grouped(count) + " " + (count == 1 ? one : several);
}

class Losses {
public:
    void add(const char* kind, std::int64_t amount, std::string what) {
        if (amount > 0) all_.push_back({kind, amount, std::move(what)});
    }
    std::vector<Loss> take() { return std::move(all_); }

private:
    std::vector<Loss> all_;
};

void add_soft(Losses& losses, const MaskPlanes& planes) {
    losses.add("soft", planes.soft_cells,
               fmt::format("{} neither 0 nor 1; they would become 0 or 1, cut at {}",
                           counted(planes.soft_cells, "value is", "values are"), kSoftThreshold));
}

void add_labels(Losses& losses, const LabelScan& scan, std::int64_t most) {
    const auto number = [](double label) { return grouped(static_cast<std::int64_t>(label)); };
    losses.add("labels", scan.beyond,
               fmt::format("{} labels above {}, from {} to {}, which this format cannot hold: saving is refused",
                           counted(scan.beyond, "cell holds", "cells hold"), grouped(most), number(scan.first_beyond),
                           number(scan.highest)));
    losses.add("labels", scan.negative,
               fmt::format("{} negative labels, the lowest {}, which this format cannot hold: saving is refused",
                           counted(scan.negative, "cell holds", "cells hold"), number(scan.lowest)));
}

const CocoImage* image_of(const Item& item) {
    if (!item.coco || item.coco_image >= item.coco->images.size()) return nullptr;
    return &item.coco->images[item.coco_image];
}

// What only annotations have.
void add_annotations(Losses& losses, const Item& item, bool keeps_names) {
    const auto* image = image_of(item);
    if (image == nullptr) return;
    constexpr std::size_t kMostNames = 5;
    std::int64_t scores = 0;
    std::int64_t crowds = 0;
    std::vector<std::string> names;
    for (const auto index : image->annotations) {
        const auto& annotation = item.coco->annotations[index];
        scores += annotation.score ? 1 : 0;
        crowds += annotation.crowd ? 1 : 0;
        const auto category = item.coco->categories.find(annotation.category_id);
        if (category == item.coco->categories.end()) continue;
        if (std::find(names.begin(), names.end(), category->second) == names.end()) names.push_back(category->second);
    }
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) list += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kMostNames) list += fmt::format(" and {} more", names.size() - kMostNames);
    if (!keeps_names) {
        const auto count = static_cast<std::int64_t>(image->annotations.size());
        losses.add("names", count,
                   fmt::format("the categories of {} would not be kept{}", counted(count, "annotation", "annotations"),
                               list.empty() ? "" : ": " + list));
    }
    losses.add("scores", scores, fmt::format("{} would not be kept", counted(scores, "score", "scores")));
    losses.add("crowd", crowds,
               fmt::format("{} would not be told from single ones", counted(crowds, "crowd", "crowds")));
}

void add_ids(Losses& losses, const Item& item, const char* become) {
    const auto* image = image_of(item);
    if (image == nullptr) return;
    std::int64_t highest = 0;
    std::int64_t count = 0;
    for (const auto index : image->annotations) {
        const auto id = item.coco->annotations[index].id;
        highest = std::max(highest, id);
        count += id != 0 ? 1 : 0;
    }
    losses.add("ids", count,
               fmt::format("the ids of {}, up to {}, {}", counted(count, "annotation", "annotations"), grouped(highest),
                           become));
}

Result<std::vector<Loss>> png_losses(const MaskToSave& mask, std::int64_t most, const JobContext& context) {
    Losses losses;
    MS_TRY(planes, mask_planes(mask, most, context));
    MS_TRY(scan, scan_labels(planes, static_cast<double>(most), context));
    add_labels(losses, scan, most);
    add_soft(losses, planes);
    losses.add("overlap", scan.overlap,
               fmt::format("{} to two or more instances; only the last of them would keep {}",
                           counted(scan.overlap, "cell belongs", "cells belong"), scan.overlap == 1 ? "it" : "them"));
    if (planes.stack && !planes.own_ids) add_ids(losses, mask.item, "would become numbers from 1");
    if (planes.stack) add_annotations(losses, mask.item, false);
    return losses.take();
}

Result<std::vector<Loss>> coco_losses(const MaskToSave& mask, bool polygons, const JobContext& context) {
    Losses losses;
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    MS_TRY(planes, mask_planes(mask, kMost, context));
    if (!planes.stack) {
        MS_TRY(scan, scan_labels(planes, static_cast<double>(kMost), context));
        add_labels(losses, scan, kMost);
    }
    add_soft(losses, planes);
    if (!polygons && belongs_to_its_file(mask, planes)) return losses.take();
    if (planes.stack && !planes.own_ids) add_ids(losses, mask.item, "would become numbers from 1");
    if (planes.stack) add_annotations(losses, mask.item, planes.own_ids);
    if (!polygons) return losses.take();
    MS_TRY(content, coco_of(mask, planes, CocoForm::polygon, context));
    MS_TRY(found, polygon_loss(content, context));
    if (found.holes > 0) {
        losses.add(
            "holes", found.holes,
            fmt::format("{} of {} px would be filled", counted(found.holes, "hole", "holes"), grouped(found.filled)));
    } else {
        losses.add("outline", found.filled,
                   fmt::format("{} px beside the outline would come in", grouped(found.filled)));
    }
    losses.add("outline", found.dropped, fmt::format("{} px at the outline would go", grouped(found.dropped)));
    losses.add("empty", found.empty,
               fmt::format("{} without a pixel would have no polygon", counted(found.empty, "instance", "instances")));
    return losses.take();
}

}  // namespace

Result<std::vector<Loss>> preview_loss(const MaskToSave& mask, MaskFormat format, const JobContext& context) {
    switch (format) {
        case MaskFormat::png_palette:
        case MaskFormat::png_grey8:
            return png_losses(mask, 255, context);
        case MaskFormat::png_grey16:
            return png_losses(mask, 65535, context);
        case MaskFormat::coco_rle:
        case MaskFormat::coco_polygon:
            return coco_losses(mask, format == MaskFormat::coco_polygon, context);
        case MaskFormat::npy:
        case MaskFormat::npz:
            break;
    }
    // Arrays hold every cell; only what the annotations say beside them goes.
    Losses losses;
    add_ids(losses, mask.item, "would not be kept");
    add_annotations(losses, mask.item, false);
    return losses.take();
}

}  // namespace maskscope::io
