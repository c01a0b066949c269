// SPDX-License-Identifier: Apache-2.0
#include "core/io/mask_coco.h"

#include "core/io/coco_rle.h"
#include "core/io/file_elements.h"
#include "core/mask/contour.h"

#include <limits>
#include <map>
#include <utility>

namespace maskscope::io {
namespace {

constexpr std::size_t kMostLabels = 1U << 20U;

// Adds the row's runs of each value but zero.
template <class Add>
void add_runs(std::span<const double> values, const Add& add) {
    for (std::size_t begin = 0; begin < values.size();) {
        std::size_t end = begin + 1;
        while (end < values.size() && values[end] == values[begin]) ++end;
        if (values[begin] != 0) add(values[begin], static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end));
        begin = end;
    }
}

Result<std::vector<CocoNew::Instance>> instances_of_labels(const MaskPlanes& planes, CocoForm form,
                                                           const JobContext& context) {
    std::map<std::int64_t, std::vector<mask::Run>> found;
    std::vector<double> labels(static_cast<std::size_t>(planes.width()));
    for (std::int64_t row = 0; row < planes.height(); ++row) {
        if (context.cancelled()) return cancelled_error();
        planes.label_row(row, labels);
        add_runs(labels, [&](double label, std::int32_t begin, std::int32_t end) {
            found[static_cast<std::int64_t>(label)].push_back({static_cast<std::int32_t>(row), begin, end});
        });
        if (found.size() > kMostLabels)
            return input_error(MS_TEXT("the mask holds more than {} different labels; it is no mask of instances"),
                               kMostLabels);
    }
    std::vector<CocoNew::Instance> out;
    out.reserve(found.size());
    for (auto& [label, runs] : found) out.push_back({mask::Region::of_sorted(std::move(runs)), label, 0, form});
    return out;
}

Result<std::vector<CocoNew::Instance>> instances_of_stack(const MaskToSave& mask, const MaskPlanes& planes,
                                                          CocoForm form, const JobContext& context) {
    std::vector<CocoNew::Instance> out;
    std::vector<double> values(static_cast<std::size_t>(planes.width()));
    for (std::int64_t plane = 0; plane < planes.count(); ++plane) {
        std::vector<mask::Run> runs;
        for (std::int64_t row = 0; row < planes.height(); ++row) {
            if (context.cancelled()) return cancelled_error();
            planes.values(plane, row, values);
            add_runs(values, [&](double, std::int32_t begin, std::int32_t end) {
                runs.push_back({static_cast<std::int32_t>(row), begin, end});
            });
        }
        CocoNew::Instance instance{mask::Region::of_sorted(std::move(runs)), 1, 0, form};
        if (planes.own_ids) {
            const auto& coco = *mask.item.coco;
            const auto index = coco.images[mask.item.coco_image].annotations[static_cast<std::size_t>(plane)];
            instance.id = coco.annotations[index].id;
            instance.category_id = coco.annotations[index].category_id;
        }
        out.push_back(std::move(instance));
    }
    return out;
}

}  // namespace

Result<CocoNew> coco_of(const MaskToSave& mask, const MaskPlanes& planes, CocoForm form, const JobContext& context) {
    constexpr auto kMostSide = std::numeric_limits<std::int32_t>::max();
    if (planes.height() > kMostSide || planes.width() > kMostSide)
        return usage_error(MS_TEXT("a mask of {} x {} cells is too large for COCO"), planes.height(), planes.width());
    CocoNew out;
    out.file_name = mask.image_file;
    out.height = planes.height();
    out.width = planes.width();
    if (mask.item.coco) {
        out.categories = mask.item.coco->categories;
        if (out.file_name.empty() && mask.item.coco_image < mask.item.coco->images.size())
            out.file_name = mask.item.coco->images[mask.item.coco_image].file_name;
    }
    auto instances =
        planes.stack ? instances_of_stack(mask, planes, form, context) : instances_of_labels(planes, form, context);
    if (!instances) return std::move(instances).error();
    out.instances = std::move(*instances);
    if (planes.tensor.storage()->changed_on_disk()) return changed_error(planes.tensor.storage()->file()->path());
    return out;
}

bool belongs_to_its_file(const MaskToSave& mask, const MaskPlanes& planes) {
    if (!planes.stack || planes.soft || !mask.item.coco || mask.item.coco_image >= mask.item.coco->images.size())
        return false;
    if (mask.item.coco->text == nullptr) return false;
    const auto& image = mask.item.coco->images[mask.item.coco_image];
    return planes.count() == static_cast<std::int64_t>(image.annotations.size());
}

Result<std::string> written_back(const MaskToSave& mask, const MaskPlanes& planes, const JobContext& context) {
    const auto& file = *mask.item.coco;
    const auto& image = file.images[mask.item.coco_image];
    MS_TRY(instances, instances_of_stack(mask, planes, CocoForm::rle_text, context));
    std::vector<CocoChange> changes;
    for (std::size_t plane = 0; plane < instances.size(); ++plane) {
        if (context.cancelled()) return cancelled_error();
        const auto index = image.annotations[plane];
        const auto& annotation = file.annotations[index];
        MS_TRY(before, region_of(annotation));
        if (before == instances[plane].region) continue;
        CocoChange change;
        change.index = index;
        change.region = std::move(instances[plane].region);
        change.form = annotation.form == CocoForm::rle_counts ? CocoForm::rle_counts : CocoForm::rle_text;
        changes.push_back(std::move(change));
    }
    return with_changes(file, changes);
}

Result<PolygonLoss> polygon_loss(const CocoNew& content, const JobContext& context) {
    PolygonLoss out;
    for (const auto& instance : content.instances) {
        if (context.cancelled()) return cancelled_error();
        std::vector<CocoRle> parts;
        std::int64_t holes = 0;
        for (const auto& ring : mask::contours(instance.region)) {
            if (ring.hole) {
                ++holes;
                continue;
            }
            std::vector<double> xy;
            for (const auto& corner : ring.corners) xy.insert(xy.end(), {double(corner.x), double(corner.y)});
            MS_TRY(rle, rle_of_polygon(xy, content.height, content.width));
            parts.push_back(std::move(rle));
        }
        out.holes += holes;
        out.instances += holes > 0 ? 1 : 0;
        out.empty += instance.region.empty() ? 1 : 0;
        const mask::Region back = parts.empty() ? mask::Region() : region_of(unite(parts));
        out.filled += subtract(back, instance.region).count();
        out.dropped += subtract(instance.region, back).count();
    }
    return out;
}

}  // namespace maskscope::io
