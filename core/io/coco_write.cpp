// SPDX-License-Identifier: Apache-2.0
#include "core/io/coco.h"
#include "core/io/coco_annotation.h"
#include "core/io/coco_rle.h"
#include "core/io/json_scanner.h"
#include "core/mask/contour.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace maskscope::io {

namespace {

std::string json_string(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The outer rings; COCO's polygons know no holes.
std::string polygons_json(const mask::Region& region) {
    std::string out = "[";
    for (const auto& ring : mask::contours(region)) {
        if (ring.hole) continue;
        out += out.size() == 1 ? "[" : ", [";
        for (std::size_t i = 0; i < ring.corners.size(); ++i) {
            fmt::format_to(std::back_inserter(out), "{}{}, {}", i == 0 ? "" : ", ", ring.corners[i].x,
                           ring.corners[i].y);
        }
        out += ']';
    }
    return out + "]";
}

std::string segmentation_json(const mask::Region& region, CocoForm form, std::int64_t height, std::int64_t width) {
    if (form == CocoForm::none) return "[]";
    if (form == CocoForm::polygon) return polygons_json(region);
    const CocoRle rle = rle_of(region, height, width);
    std::string out = fmt::format("{{\"size\": [{}, {}], \"counts\": ", height, width);
    if (form == CocoForm::rle_text) {
        out += json_string(rle_text(rle));
    } else {
        out += '[';
        for (std::size_t i = 0; i < rle.counts.size(); ++i) {
            fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ", ", rle.counts[i]);
        }
        out += ']';
    }
    return out + "}";
}

// The values that follow from a mask.
struct MaskValues {
    std::string segmentation;
    std::string area;
    std::string bbox;
};

MaskValues values_of(const mask::Region& region, CocoForm form, std::int64_t height, std::int64_t width) {
    const mask::Region inside = region.clipped({0, 0, height, width});
    const mask::Rect box = inside.bounds();
    return {segmentation_json(inside, form, height, width), fmt::format("{}", inside.count()),
            fmt::format("[{}, {}, {}, {}]", box.col, box.row, box.cols, box.rows)};
}

// The annotation with the values of its new mask; all else as it is. A segmentation that was not there is added.
Result<std::string> rewritten(const CocoAnnotation& annotation, const MaskValues& values) {
    JsonScanner scanner(annotation.raw);
    AnnotationScan scan;
    if (!scan_annotation(scanner, scan)) return scanner.take_error();
    struct Piece {
        ByteRange bytes;
        const std::string* text;
    };
    std::vector<Piece> pieces{
        {scan.segmentation, &values.segmentation}, {scan.area, &values.area}, {scan.bbox, &values.bbox}};
    std::sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
    std::string out;
    std::size_t at = 0;
    for (const auto& [bytes, text] : pieces) {
        if (bytes[1] == 0) continue;
        out += annotation.raw.substr(at, bytes[0] - at);
        out += *text;
        at = bytes[1];
    }
    out += annotation.raw.substr(at);
    if (scan.segmentation[1] == 0) out.insert(out.size() - 1, ", \"segmentation\": " + values.segmentation);
    return out;
}

// Ids that no annotation has: behind the largest, or what is free below it.
class FreeIds {
public:
    void take(std::int64_t id) { taken_.insert(id); }
    std::int64_t next() {
        std::int64_t id = 1;
        if (!taken_.empty() && *taken_.rbegin() > 0) {
            if (*taken_.rbegin() < std::numeric_limits<std::int64_t>::max()) {
                id = *taken_.rbegin() + 1;
            } else {
                while (taken_.count(id) > 0) ++id;
            }
        }
        taken_.insert(id);
        return id;
    }

private:
    std::set<std::int64_t> taken_;
};

std::string new_annotation(const CocoChange& change, const CocoImage& image, bool result, FreeIds& ids) {
    const auto values = values_of(*change.region, change.form, image.height, image.width);
    if (result) {
        return fmt::format(R"({{"image_id": {}, "category_id": {}, "segmentation": {}, "score": 1.0}})", image.id,
                           change.category_id, values.segmentation);
    }
    return fmt::format(
        R"({{"id": {}, "image_id": {}, "category_id": {}, "segmentation": {}, "area": {}, "bbox": {}, "iscrowd": 0}})",
        ids.next(), image.id, change.category_id, values.segmentation, values.area, values.bbox);
}

// What stands between two annotations: as between the last two of the file, or as before its only one.
std::string separator_of(const CocoFile& file) {
    const auto& places = file.annotation_bytes;
    const std::string& text = *file.text;
    if (places.size() >= 2) {
        const auto begin = places[places.size() - 2][1];
        return text.substr(begin, places.back()[0] - begin);
    }
    const std::string space =
        places.empty() ? "" : text.substr(file.list_bytes[0] + 1, places.front()[0] - file.list_bytes[0] - 1);
    return space.empty() ? ", " : "," + space;
}

class Editor {
public:
    explicit Editor(const CocoFile& file) : file_(file) {
        kept_.resize(file.annotations.size(), true);
        texts_.resize(file.annotations.size());
    }

    Result<void> apply(const CocoChange& change) {
        if (change.index > kept_.size()) {
            return usage_error(MS_TEXT("there is no annotation {}; the file has {}"), change.index, kept_.size());
        }
        if (change.index == kept_.size()) return add(change);
        if (!kept_[change.index] || texts_[change.index]) {
            return usage_error(MS_TEXT("annotation {} is changed twice"), change.index);
        }
        if (!change.region) {
            kept_[change.index] = false;
            return {};
        }
        const auto& annotation = file_.annotations[change.index];
        const auto values = values_of(*change.region, change.form, annotation.height, annotation.width);
        MS_TRY(text, rewritten(annotation, values));
        texts_[change.index] = std::move(text);
        return {};
    }

    std::string text() const {
        std::string list;
        const std::string& before = *file_.text;
        const auto& places = file_.annotation_bytes;
        bool first = true;
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            if (!kept_[i]) continue;
            if (!first) list.append(before, places[i - 1][1], places[i][0] - places[i - 1][1]);
            first = false;
            if (texts_[i]) {
                list += *texts_[i];
            } else {
                list.append(before, places[i][0], places[i][1] - places[i][0]);
            }
        }
        const std::string separator = separator_of(file_);
        for (const auto& added : added_) {
            if (!first) list += separator;
            first = false;
            list += added;
        }
        return placed(list);
    }

private:
    Result<void> add(const CocoChange& change) {
        if (!change.region) return usage_error(MS_TEXT("a new annotation needs a mask"));
        const auto image = std::find_if(file_.images.begin(), file_.images.end(),
                                        [&](const auto& candidate) { return candidate.id == change.image_id; });
        if (image == file_.images.end()) {
            return usage_error(MS_TEXT("there is no image {} for the new annotation"), change.image_id);
        }
        if (added_.empty()) {
            for (const auto& annotation : file_.annotations) ids_.take(annotation.id);
        }
        added_.push_back(new_annotation(change, *image, file_.results, ids_));
        return {};
    }

    // The file with `list` where its annotations stood.
    std::string placed(const std::string& list) const {
        const std::string& text = *file_.text;
        const auto& places = file_.annotation_bytes;
        if (!places.empty()) return spliced(places.front()[0], places.back()[1], list);
        if (file_.list_bytes[1] != 0) {
            if (list.empty()) return text;
            return spliced(file_.list_bytes[0], file_.list_bytes[1], "[" + list + "]");
        }
        if (list.empty()) return text;
        // `images` is there, so the object is not empty.
        const auto end = text.find_last_of('}');
        return spliced(end, end, ", \"annotations\": [" + list + "]");
    }
    std::string spliced(std::size_t begin, std::size_t end, const std::string& list) const {
        const std::string& text = *file_.text;
        std::string out;
        out.reserve(text.size() - (end - begin) + list.size());
        out.append(text, 0, begin).append(list).append(text, end, std::string::npos);
        return out;
    }

    const CocoFile& file_;
    std::vector<bool> kept_;
    std::vector<std::optional<std::string>> texts_;  // of changed ones
    std::vector<std::string> added_;
    FreeIds ids_;
};

std::map<std::int64_t, std::string> categories_of(const CocoNew& content) {
    auto categories = content.categories;
    for (const auto& instance : content.instances) {
        categories.emplace(instance.category_id, fmt::format("category {}", instance.category_id));
    }
    return categories;
}

}  // namespace

Result<std::string> with_changes(const CocoFile& file, const std::vector<CocoChange>& changes) {
    Editor editor(file);
    for (const auto& change : changes) MS_CHECK(editor.apply(change));
    return editor.text();
}

std::string coco_text(const CocoNew& content) {
    std::string out =
        fmt::format("{{\"images\": [\n{{\"id\": 1, \"file_name\": {}, \"height\": {}, \"width\": {}}}\n],\n",
                    json_string(content.file_name), content.height, content.width);
    FreeIds ids;
    for (const auto& instance : content.instances) {
        if (instance.id != 0) ids.take(instance.id);
    }
    out += "\"annotations\": [";
    for (const auto& instance : content.instances) {
        const auto values = values_of(instance.region, instance.form, content.height, content.width);
        fmt::format_to(
            std::back_inserter(out),
            "{}\n{{\"id\": {}, \"image_id\": 1, \"category_id\": {}, \"segmentation\": {}, \"area\": {}, \"bbox\": {}, "
            "\"iscrowd\": 0}}",
            &instance == content.instances.data() ? "" : ",", instance.id != 0 ? instance.id : ids.next(),
            instance.category_id, values.segmentation, values.area, values.bbox);
    }
    out += "\n],\n\"categories\": [";
    const char* separator = "";
    for (const auto& [id, name] : categories_of(content)) {
        fmt::format_to(std::back_inserter(out), "{}\n{{\"id\": {}, \"name\": {}}}", separator, id, json_string(name));
        separator = ",";
    }
    return out + "\n]}\n";
}

}  // namespace maskscope::io
