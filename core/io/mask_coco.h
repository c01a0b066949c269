// SPDX-License-Identifier: Apache-2.0
// A mask as COCO annotations: an instance for each plane of a stack, or for each label of a plane.
#pragma once

#include "core/io/coco.h"
#include "core/io/mask_rows.h"

#include <cstdint>
#include <string>

namespace maskscope::io {

// The category of a label is the label itself; of an instance, that of the annotation it came from, else 1.
Result<CocoNew> coco_of(const MaskToSave& mask, const MaskPlanes& planes, CocoForm form, const JobContext& context);

// Whether the mask's planes are the annotations of the COCO file that it came from: then it is written back into that
// file's text, with all that the file says beside them.
bool belongs_to_its_file(const MaskToSave& mask, const MaskPlanes& planes);
// That text: annotations whose cells are as before keep their bytes, changed ones become run lengths.
Result<std::string> written_back(const MaskToSave& mask, const MaskPlanes& planes, const JobContext& context);

// What polygons without holes make of the regions, by COCO's own raster.
struct PolygonLoss {
    std::int64_t holes = 0;
    std::int64_t filled = 0;     // cells that would come in
    std::int64_t dropped = 0;    // cells that would go
    std::int64_t instances = 0;  // that have holes
    std::int64_t empty = 0;      // instances without a cell
};
Result<PolygonLoss> polygon_loss(const CocoNew& content, const JobContext& context);

}  // namespace maskscope::io
