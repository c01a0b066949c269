// SPDX-License-Identifier: Apache-2.0
#include "core/io/mask_rows.h"

#include "core/io/coco.h"
#include "core/io/file_elements.h"
#include "core/jobs/parallel.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace maskscope::io {
namespace {

constexpr std::int64_t kRowsAtOnce = 16;

bool whole(double value) {
    return std::isfinite(value) && value == std::floor(value);
}

// Runs `body(row, partial)` over all rows and adds the partial results in the rows' order.
template <class Partial, class Body, class Add>
Result<Partial> over_rows(const MaskPlanes& planes, const JobContext& context, const Body& body, const Add& add) {
    const std::int64_t rows = planes.height();
    std::vector<Partial> partial(static_cast<std::size_t>(chunk_count(rows, kRowsAtOnce)));
    parallel_for(Lane::background, rows, kRowsAtOnce, [&](const Chunk& chunk) {
        std::vector<double> buffer(static_cast<std::size_t>(planes.width()));
        for (std::int64_t row = chunk.begin; row < chunk.end && !context.cancelled(); ++row)
            body(row, std::span(buffer), partial[static_cast<std::size_t>(chunk.index)]);
    });
    if (context.cancelled()) return cancelled_error();
    if (planes.tensor.storage()->changed_on_disk()) return changed_error(planes.tensor.storage()->file()->path());
    Partial out;
    for (const auto& part : partial) add(out, part);
    return out;
}

struct Softness {
    std::int64_t between = 0;  // no whole number, NaN among them
    std::int64_t others = 0;   // neither 0 nor 1
};

Result<Softness> softness(const MaskPlanes& planes, const JobContext& context) {
    return over_rows<Softness>(
        planes, context,
        [&](std::int64_t row, std::span<double> buffer, Softness& part) {
            for (std::int64_t plane = 0; plane < planes.count(); ++plane) {
                planes.values(plane, row, buffer);
                for (const double value : buffer) {
                    part.between += whole(value) ? 0 : 1;
                    part.others += value == 0 || value == 1 ? 0 : 1;
                }
            }
        },
        [](Softness& sum, const Softness& part) {
            sum.between += part.between;
            sum.others += part.others;
        });
}

// The ids of the annotations that the stack was made of; empty where it was sliced or some cannot be labels.
std::vector<std::int64_t> annotation_ids(const Item& item, std::int64_t count, std::int64_t most_label) {
    std::vector<std::int64_t> out;
    if (!item.coco || item.coco_image >= item.coco->images.size()) return out;
    const auto& annotations = item.coco->images[item.coco_image].annotations;
    if (static_cast<std::int64_t>(annotations.size()) != count) return out;
    std::set<std::int64_t> seen;
    for (const auto index : annotations) {
        const std::int64_t id = item.coco->annotations[index].id;
        if (id < 1 || id > most_label || !seen.insert(id).second) return {};
        out.push_back(id);
    }
    return out;
}

Error no_mask(const Tensor& tensor) {
    return usage_error(MS_TEXT("a tensor of {} {} is no mask: a mask has [height, width] of labels or soft values, or "
                               "[instances, height, width] of bool"),
                       name_of(tensor.dtype()), text_of(tensor.shape()))
        .with_hint(MS_TEXT("Choose a slice of it, or save it as .npy or .npz, which hold any tensor"));
}

void add_scan(LabelScan& sum, const LabelScan& part) {
    sum.overlap += part.overlap;
    if (part.negative > 0) sum.lowest = sum.negative > 0 ? std::min(sum.lowest, part.lowest) : part.lowest;
    if (part.beyond > 0)
        sum.first_beyond = sum.beyond > 0 ? std::min(sum.first_beyond, part.first_beyond) : part.first_beyond;
    sum.negative += part.negative;
    sum.beyond += part.beyond;
    sum.highest = std::max(sum.highest, part.highest);
    if (!sum.beyond_at) sum.beyond_at = part.beyond_at;
    if (!sum.negative_at) sum.negative_at = part.negative_at;
}

}  // namespace

void MaskPlanes::values(std::int64_t plane, std::int64_t row, std::span<double> out) const {
    const std::array<std::int64_t, 3> first = {plane, row, 0};
    convert_to_f64(tensor.address_of(first), tensor.dtype(), tensor.strides()[2], width(), out.data());
}

void MaskPlanes::label_row(std::int64_t row, std::span<double> out, std::int64_t* overlap) const {
    if (!stack) {
        values(0, row, out);
        if (soft)
            for (double& value : out) value = value >= kSoftThreshold ? 1 : 0;
        return;
    }
    std::fill(out.begin(), out.end(), 0.0);
    std::vector<double> one(out.size());
    std::vector<bool> twice(out.size(), false);
    for (std::int64_t plane = 0; plane < count(); ++plane) {
        values(plane, row, one);
        for (std::size_t c = 0; c < out.size(); ++c) {
            if (one[c] == 0) continue;
            if (overlap != nullptr && out[c] != 0 && !twice[c]) {
                twice[c] = true;
                ++*overlap;
            }
            out[c] = static_cast<double>(labels[static_cast<std::size_t>(plane)]);
        }
    }
}

Result<MaskPlanes> mask_planes(const MaskToSave& mask, std::int64_t most_label, const JobContext& context) {
    MaskPlanes out;
    out.tensor = mask.tensor;
    if (!out.tensor.defined() || out.tensor.rank() < 2) return no_mask(mask.tensor);
    out.stack = out.tensor.rank() == 3 && out.tensor.dtype() == DType::boolean;
    while (!out.stack && out.tensor.rank() > 2 && out.tensor.size(0) == 1) out.tensor = out.tensor.select(0, 0);
    if (!out.stack && out.tensor.rank() != 2) return no_mask(mask.tensor);
    if (!out.stack) out.tensor = out.tensor.unsqueeze(0);
    if (out.height() < 1 || out.width() < 1) return no_mask(mask.tensor);
    if (out.stack) {
        out.labels = annotation_ids(mask.item, out.count(), most_label);
        out.own_ids = !out.labels.empty();
        while (static_cast<std::int64_t>(out.labels.size()) < out.count())
            out.labels.push_back(static_cast<std::int64_t>(out.labels.size()) + 1);
    }
    if (!is_floating(out.tensor.dtype())) return out;
    MS_TRY(found, softness(out, context));
    out.soft = found.between > 0;
    out.soft_cells = out.soft ? found.others : 0;
    return out;
}

Result<LabelScan> scan_labels(const MaskPlanes& planes, double most, const JobContext& context) {
    return over_rows<LabelScan>(
        planes, context,
        [&](std::int64_t row, std::span<double> buffer, LabelScan& part) {
            LabelScan here;
            planes.label_row(row, buffer, &here.overlap);
            for (std::size_t c = 0; c < buffer.size(); ++c) {
                const double label = buffer[c];
                here.highest = std::max(here.highest, label);
                if (label >= 0 && label <= most) continue;
                const std::array<std::int64_t, 2> place = {row, static_cast<std::int64_t>(c)};
                if (label < 0) {
                    if (!here.negative_at) here.negative_at = place;
                    here.lowest = std::min(here.lowest, label);
                    ++here.negative;
                } else {
                    if (!here.beyond_at) here.beyond_at = place;
                    here.first_beyond = here.beyond > 0 ? std::min(here.first_beyond, label) : label;
                    ++here.beyond;
                }
            }
            add_scan(part, here);
        },
        add_scan);
}

}  // namespace maskscope::io
