// SPDX-License-Identifier: Apache-2.0
// Writing masks to files, with what a format cannot hold said in numbers before anything is written.
#pragma once

#include "core/base/result.h"
#include "core/io/format.h"
#include "core/jobs/job_context.h"

#include <cstdint>
#include <string>
#include <vector>

namespace maskscope::io {

enum class MaskFormat : std::uint8_t { png_palette, png_grey8, png_grey16, npy, npz, coco_rle, coco_polygon };
struct MaskFormatInfo {
    MaskFormat id;
    const char* name;       // "png-palette", as `convert --to` takes it
    const char* title;      // "PNG, palette indices"
    const char* extension;  // ".png"
    const char* about;      // what it holds and what it does not
};
// One row for each; the save dialog, `convert` and `formats` read it.
const std::vector<MaskFormatInfo>& mask_formats();
// By the path's extension; the first that holds all that the mask has, as far as its header tells (and its elements,
// where they are at hand). An error names the extensions.
Result<MaskFormat> format_for(const std::string& path, const Item& item);

// What would not survive. `what` is one sentence with its numbers: "3 holes of 1,204 px would be filled".
struct Loss {
    // "holes", "outline", "empty" (of polygons), "soft", "labels", "overlap", "ids", "names", "scores", "crowd". Of
    // "labels" nothing can be written: save_mask refuses them.
    std::string kind;
    std::int64_t amount = 0;
    std::string what;
};

struct MaskToSave {
    Tensor tensor;           // [h, w] of labels or soft values, or [n, h, w] of instances (bool)
    Item item;               // where it came from: facts, annotations
    std::string image_file;  // COCO's file_name; may be empty
};

// Reads the mask, writes nothing.
Result<std::vector<Loss>> preview_loss(const MaskToSave& mask, MaskFormat format, const JobContext& context = {});
// Through a temporary file, fsync and rename. Writes also what would lose: asking first is the caller's duty. Labels
// that the format cannot hold are refused with the label named.
Result<void> save_mask(const std::string& path, const MaskToSave& mask, MaskFormat format,
                       const JobContext& context = {});

}  // namespace maskscope::io
