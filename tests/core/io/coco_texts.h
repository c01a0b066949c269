// SPDX-License-Identifier: Apache-2.0
// COCO files that tests read, edit and break.
#pragma once

#include "core/io/coco.h"

#include <QtGlobal>

#include <string>
#include <utility>

namespace maskscope::test {

using namespace maskscope::io;

// As no single program writes it: odd numbers, odd space, unknown keys, ids out of order.
inline const std::string kInstances = R"({
  "info": {"year": 2024, "about": "say \u0022A\u0022 [}"},
  "categories": [{"id": 7, "name": "coin"}, {"id": 2, "name": "table"}],
  "annotations": [
    {"id":31,"image_id":5,"category_id":7,"iscrowd":0,"area":81.00000,"bbox":[0, 0,9,9],"segmentation":[[0,0,9,0,9,9,0,9]], "x-tool": {"a": [1, {"b": null}]}},
    { "segmentation" : { "counts" : "61X13mN000`0" , "size" : [9, 10] }, "image_id": 6, "id": 12, "category_id": 2, "iscrowd": true, "area": 1.3e1 },
	{"id":40,"image_id":5,"category_id":7,"iscrowd":false,"area":4,"bbox":[0,0,2,2],"segmentation":{"size":[12,12],"counts":[0,2,10,2,130]}}
  ],
  "images": [
    {"file_name": "b.png", "id": 6, "height": 9, "width": 10},
    {"id": 5, "width": 12.0, "height": 12, "file_name": "a\/\u00e9.png", "flickr_url": "none"},
    {"id": 8, "width": 3, "height": 2, "file_name": "empty.png"}
  ]
}
)";

inline const std::string kResults =
    R"([{"image_id":42,"category_id":18,"bbox":[258.15,41.29,348.26,243.78],"score":0.236,
"segmentation":{"size":[9,10],"counts":"61X13mN000`0"}},{"image_id":7,"category_id":1,"score":1e-1,"segmentation":{"size":[2,3],"counts":"123"}}])";

inline std::size_t place_of(const std::string& text, const std::string& part) {
    const auto at = text.find(part);
    return at == std::string::npos ? text.size() : at;
}

inline std::string with(std::string text, const std::string& part, const std::string& other) {
    text.replace(place_of(text, part), part.size(), other);
    return text;
}

inline CocoFile parsed(const std::string& text) {
    auto file = parse_coco(text);
    if (!file) qFatal("%s", file.error().text().c_str());
    return std::move(*file);
}

inline mask::Region rectangle(std::int64_t row, std::int64_t col, std::int64_t rows, std::int64_t cols) {
    return mask::Region::of_rect({row, col, rows, cols});
}

inline std::string bytes_of(const CocoFile& file, std::size_t index) {
    const auto [begin, end] = file.annotation_bytes[index];
    return file.text->substr(begin, end - begin);
}

}  // namespace maskscope::test
