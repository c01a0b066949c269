// SPDX-License-Identifier: Apache-2.0
// One annotation's JSON object: what it says, and where the values stand that an edit replaces.
#pragma once

#include "core/base/result.h"
#include "core/io/coco.h"
#include "core/io/json_scanner.h"

#include <array>
#include <cstddef>
#include <optional>

namespace maskscope::io {

// What an annotation without a mask is about, for the sentence that refuses such files.
enum class CocoSubject : std::uint8_t { mask, keypoints, caption, panoptic, box, unknown };

using ByteRange = std::array<std::size_t, 2>;  // begin, end in the scanner's text

struct AnnotationScan {
    std::optional<std::int64_t> id;
    std::optional<std::int64_t> image_id;
    std::int64_t category_id = 0;
    CocoForm form = CocoForm::none;
    bool crowd = false;
    std::optional<double> score;
    std::optional<std::array<std::int64_t, 2>> size;  // [height, width] of run lengths
    CocoSubject subject = CocoSubject::unknown;
    ByteRange bytes{};
    ByteRange segmentation{};  // empty: the key is not there
    ByteRange area{};
    ByteRange bbox{};
};

// Walks over the object. False: the scanner has the error.
bool scan_annotation(JsonScanner& scanner, AnnotationScan& out);

}  // namespace maskscope::io
