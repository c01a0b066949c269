// SPDX-License-Identifier: Apache-2.0
// COCO annotations as tensors: an item for each image, a plane for each of its annotations.
#include "core/io/coco.h"

#include "core/base/checked.h"
#include "core/io/file_elements.h"
#include "core/io/format.h"
#include "core/io/limits.h"
#include "core/jobs/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <initializer_list>
#include <mutex>
#include <set>
#include <utility>

namespace maskscope::io {

namespace {

using CocoPointer = std::shared_ptr<const CocoFile>;

constexpr std::size_t kMostCategories = 100;  // in the metadata

bool contains_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](auto word) { return text.find(word) != std::string_view::npos; });
}

std::string_view without_space(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

// Lists of labels and of numbers are JSON as well: here an object with COCO's lists begins, or a list of objects that
// name an image.
bool recognises(std::span<const std::byte> head, std::string_view extension) {
    if (extension != ".json") return false;
    std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    text = without_space(text);
    if (text.starts_with('{')) {
        const auto first_key = without_space(text.substr(1));
        for (const std::string_view key : {"\"info\"", "\"licenses\"", "\"categories\""}) {
            if (first_key.starts_with(key)) return true;
        }
        return contains_any(text, {"\"images\"", "\"annotations\""});
    }
    if (!text.starts_with('[')) return false;
    text = without_space(text.substr(1));
    return text.starts_with('{') && contains_any(text, {"\"image_id\"", "\"segmentation\"", "\"category_id\""});
}

std::string counted(std::size_t count, const char* one, const char* several) {
    return fmt::format("{} {}", count, count == 1 ? one : several);
}

// "12 annotations: 10 polygons, 2 RLE"
std::string note_of(const CocoFile& file, const CocoImage& image) {
    if (image.annotations.empty()) return "no annotations";
    std::size_t polygons = 0;
    std::size_t none = 0;
    std::size_t crowds = 0;
    for (const auto index : image.annotations) {
        const auto& annotation = file.annotations[index];
        polygons += annotation.form == CocoForm::polygon ? 1 : 0;
        none += annotation.form == CocoForm::none ? 1 : 0;
        crowds += annotation.crowd ? 1 : 0;
    }
    const std::size_t all = image.annotations.size();
    std::string parts;
    const auto add = [&](const std::string& part) { parts += parts.empty() ? part : ", " + part; };
    if (polygons > 0) add(counted(polygons, "polygon", "polygons"));
    if (all > polygons + none) add(fmt::format("{} RLE", all - polygons - none));
    if (none > 0) add(fmt::format("{} without a mask", none));
    const std::string crowd = crowds == 0 ? "" : fmt::format("; {}", counted(crowds, "crowd", "crowds"));
    return fmt::format("{}: {}{}", counted(all, "annotation", "annotations"), parts, crowd);
}

Result<void> fill_plane(const CocoAnnotation& annotation, std::uint8_t* plane) {
    MS_TRY(region, region_of(annotation));
    for (const auto& run : region.runs()) {
        std::memset(plane + run.row * annotation.width + run.begin, 1, static_cast<std::size_t>(run.end - run.begin));
    }
    return {};
}

Result<Tensor> load_image(const CocoFile& file, const CocoImage& image, const Shape& shape, const JobContext& context) {
    MS_TRY(tensor, Tensor::zeros(shape, DType::boolean));
    auto* cells = tensor.writable_as<std::uint8_t>();
    const std::int64_t plane = image.height * image.width;
    // The error of the first annotation that has one, however the work is shared.
    std::mutex mutex;
    std::int64_t failed = shape[0];
    std::optional<Error> error;
    parallel_for(Lane::background, shape[0], 1, [&](const Chunk& chunk) {
        if (context.cancelled()) return;
        const auto index = image.annotations[static_cast<std::size_t>(chunk.begin)];
        auto filled = fill_plane(file.annotations[index], cells + chunk.begin * plane);
        if (filled) return;
        const std::lock_guard lock(mutex);
        if (chunk.begin > failed) return;
        failed = chunk.begin;
        error = std::move(filled).error();
    });
    if (context.cancelled()) return cancelled_error();
    if (error) return std::move(*error);
    return tensor;
}

// Keys name one item each: files of one name are told apart by their id, as are images without a name.
std::string key_of(const CocoImage& image, std::set<std::string>& taken) {
    std::string key = image.file_name.empty() ? fmt::format("{}", image.id) : image.file_name;
    if (!taken.insert(key).second) {
        key += fmt::format(" (id {})", image.id);
        taken.insert(key);
    }
    return key;
}

Result<Item> item_of(const CocoPointer& file, std::size_t index, std::string key) {
    const CocoImage& image = file->images[index];
    Item item;
    item.key = std::move(key);
    item.dtype = DType::boolean;
    item.shape = {static_cast<std::int64_t>(image.annotations.size()), image.height, image.width};
    item.dim_names = {"instance", "height", "width"};
    const auto bytes = checked_byte_size(item.shape, 1);
    if (!bytes) return bytes.error();
    item.bytes = static_cast<std::size_t>(*bytes);
    item.note = note_of(*file, image);
    item.coco = file;
    item.coco_image = index;
    item.load = [file, index, shape = item.shape](const JobContext& context) {
        return load_image(*file, file->images[index], shape, context);
    };
    return item;
}

// Polygons in a list of results do not say how large the image is.
bool has_no_size(const CocoFile& file, const CocoImage& image) {
    return file.results && image.height == 0 && image.width == 0 &&
           std::any_of(image.annotations.begin(), image.annotations.end(),
                       [&](auto index) { return file.annotations[index].form == CocoForm::polygon; });
}

std::string categories_text(const CocoFile& file) {
    std::string out;
    std::size_t count = 0;
    for (const auto& [id, name] : file.categories) {
        if (count == kMostCategories) return out + fmt::format(", and {} more", file.categories.size() - count);
        out += fmt::format("{}{} {}", count++ == 0 ? "" : ", ", id, name);
    }
    return out;
}

Result<FileContents> read_coco(const std::shared_ptr<const MappedFile>& file, const JobContext& context) {
    const auto bytes = file->bytes();
    if (bytes.size() > kMaxCocoBytes) {
        return input_error(MS_TEXT("the text has {} bytes; at most {} are read"), bytes.size(), kMaxCocoBytes);
    }
    MS_TRY(parsed, parse_coco(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), context));
    if (file->changed()) return changed_error(file->path());
    const auto coco = std::make_shared<const CocoFile>(std::move(parsed));
    FileContents out;
    if (!coco->categories.empty()) out.metadata["categories"] = categories_text(*coco);
    std::set<std::string> taken;
    for (std::size_t i = 0; i < coco->images.size(); ++i) {
        std::string key = key_of(coco->images[i], taken);
        if (has_no_size(*coco, coco->images[i])) {
            out.metadata[kNotReadPrefix + key] = "its polygons do not say the image's size";
            continue;
        }
        MS_TRY(item, item_of(coco, i, std::move(key)));
        out.items.push_back(std::move(item));
    }
    if (!out.items.empty()) return out;
    if (!coco->images.empty()) {
        return input_error(MS_TEXT("the results are polygons, which do not say the image's size"));
    }
    return input_error(MS_TEXT("the file lists no images"));
}

}  // namespace

Format coco_format() {
    return {.id = "coco",
            .title = MS_TEXT("COCO annotations"),
            .extensions = {".json"},
            .about = MS_TEXT("instances and results: run lengths and polygons, a mask for each annotation of an image"),
            .recognises = recognises,
            .read = read_coco,
            .write = nullptr};
}

}  // namespace maskscope::io
