// SPDX-License-Identifier: Apache-2.0
// COCO annotation files. Each image becomes an Item of shape [annotations, height, width], bool, decoded on demand; a
// results list (scores, no `images`) is one too, where its masks say their size. What was not touched is written back
// byte for byte.
#pragma once

#include "core/base/result.h"
#include "core/io/format.h"
#include "core/mask/region.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope::io {

enum class CocoForm : std::uint8_t { polygon, rle_text, rle_counts, none };

struct CocoAnnotation {
    std::int64_t id = 0;  // 0: the file gives none (results)
    std::int64_t image_id = 0;
    std::int64_t category_id = 0;
    CocoForm form = CocoForm::none;
    bool crowd = false;
    std::optional<double> score;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::string_view raw;                     // the annotation's own bytes in the file, for as long as ...
    std::shared_ptr<const std::string> text;  // ... the file's text is kept
};
struct CocoImage {
    std::int64_t id = 0;
    std::string file_name;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<std::size_t> annotations;  // indices, in the file's order
};
struct CocoFile {
    std::vector<CocoImage> images;
    std::vector<CocoAnnotation> annotations;
    std::map<std::int64_t, std::string> categories;
    bool results = false;
    // The whole text and where each annotation stands in it, so that the rest is kept as it is.
    std::shared_ptr<const std::string> text;
    std::vector<std::array<std::size_t, 2>> annotation_bytes;  // begin, end
    std::array<std::size_t, 2> list_bytes{};                   // of the list around them; empty: there is none
};

// Checks the whole text but for the run lengths themselves. Errors carry the byte.
Result<CocoFile> parse_coco(std::string text, const JobContext& context = {});
// The cells of an annotation, polygons by pycocotools' raster.
Result<mask::Region> region_of(const CocoAnnotation& annotation);

// A new mask for an annotation, or a new annotation (index == annotations.size()), or none: deleted.
struct CocoChange {
    std::size_t index = 0;
    std::optional<mask::Region> region;
    std::int64_t image_id = 0;     // of a new one
    std::int64_t category_id = 0;  // of a new one
    CocoForm form = CocoForm::rle_text;
};
// The file's text with the changes: other annotations keep their bytes, ids, order, unknown keys and form; a changed
// one keeps its keys but segmentation, area and bbox.
Result<std::string> with_changes(const CocoFile& file, const std::vector<CocoChange>& changes);

// A file of its own: one image, an annotation for each region.
struct CocoNew {
    std::string file_name;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::map<std::int64_t, std::string> categories;
    struct Instance {
        mask::Region region;
        std::int64_t category_id = 1;
        std::int64_t id = 0;  // 0: numbered from 1
        CocoForm form = CocoForm::rle_text;
    };
    std::vector<Instance> instances;
};
std::string coco_text(const CocoNew& content);

}  // namespace maskscope::io
