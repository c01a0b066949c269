// SPDX-License-Identifier: Apache-2.0
#include "core/io/coco_annotation.h"

#include "core/base/utf8.h"
#include "core/io/coco_rle.h"

#include <limits>
#include <utility>
#include <vector>

namespace maskscope::io {

namespace {

constexpr std::size_t kMostCounts = std::size_t{1} << 31U;

bool wrong_kind(JsonScanner& scanner, const char* name, const char* wanted) {
    const char* found = scanner.kind();
    return scanner.fail(input_error(MS_TEXT("{} is {}; it has to be {}"), in_quotes(name), found, wanted));
}

// A list for each part, of x and y in turn.
bool scan_polygons(JsonScanner& scanner, CocoForm& form) {
    return scanner.array([&](std::size_t /*part*/) {
        if (scanner.peek() != '[') {
            return wrong_kind(scanner, "segmentation", MS_TEXT("a list with a list of numbers for each polygon"));
        }
        form = CocoForm::polygon;
        const std::size_t begin = scanner.at();
        std::size_t count = 0;
        const bool done = scanner.array([&](std::size_t index) {
            count = index + 1;
            return scanner.skip_number();
        });
        if (!done) return false;
        if (count % 2 == 0) return true;
        return scanner.fail_at(input_error(MS_TEXT("the polygon has {} coordinates; they come in pairs"), count),
                               begin);
    });
}

bool scan_size(JsonScanner& scanner, std::optional<std::array<std::int64_t, 2>>& out) {
    if (scanner.peek() != '[') return wrong_kind(scanner, "size", MS_TEXT("a list of height and width"));
    const std::size_t begin = scanner.at();
    std::array<std::int64_t, 2> size{};
    std::size_t count = 0;
    const bool done = scanner.array([&](std::size_t index) {
        count = index + 1;
        std::int64_t value = 0;
        if (!scanner.whole(value, "size")) return false;
        if (index < 2) size[index] = value;
        return true;
    });
    if (!done) return false;
    if (count != 2) {
        return scanner.fail_at(input_error(MS_TEXT("'size' has {} numbers; it has to be height and width"), count),
                               begin);
    }
    out = size;
    return true;
}

// What a mask's run lengths say before they are decoded.
struct RleScan {
    std::optional<std::array<std::int64_t, 2>> size;
    CocoForm form = CocoForm::none;
    ByteRange counts{};
};

bool scan_rle(JsonScanner& scanner, RleScan& out) {
    const std::size_t begin = scanner.at();
    const bool done = scanner.object([&](std::string_view key) {
        if (key == "size") return scan_size(scanner, out.size);
        if (key != "counts") return scanner.skip();
        const char first = scanner.peek();
        if (first != '"' && first != '[') return wrong_kind(scanner, "counts", MS_TEXT("a string or a list"));
        out.form = first == '"' ? CocoForm::rle_text : CocoForm::rle_counts;
        return scanner.skip(out.counts);
    });
    if (!done) return false;
    if (out.size && out.form != CocoForm::none) return true;
    return scanner.fail_at(
        input_error(MS_TEXT("'segmentation' is an object without {}"), in_quotes(out.size ? "counts" : "size")), begin);
}

bool scan_segmentation(JsonScanner& scanner, AnnotationScan& out) {
    switch (scanner.peek()) {
        case '[':
            return scan_polygons(scanner, out.form);
        case '{': {
            RleScan rle;
            if (!scan_rle(scanner, rle)) return false;
            out.form = rle.form;
            out.size = rle.size;
            return true;
        }
        case 'n':
            return scanner.skip();
        default:
            return wrong_kind(scanner, "segmentation", MS_TEXT("a list of polygons or an object of run lengths"));
    }
}

// Walks a value and notes where it stands.
template <class Walk>
bool noted(JsonScanner& scanner, ByteRange& range, Walk&& walk) {
    scanner.peek();
    range[0] = scanner.at();
    if (!walk()) return false;
    range[1] = scanner.at();
    return true;
}

bool scan_score(JsonScanner& scanner, std::optional<double>& out) {
    if (scanner.peek() == 'n') return scanner.skip();
    double value = 0;
    if (!scanner.number(value)) return false;
    out = value;
    return true;
}

bool scan_whole(JsonScanner& scanner, std::optional<std::int64_t>& out, const char* name) {
    std::int64_t value = 0;
    if (!scanner.whole(value, name)) return false;
    out = value;
    return true;
}

bool once(JsonScanner& scanner, const ByteRange& range, std::string_view key) {
    if (range[1] == 0) return true;
    return scanner.fail(input_error(MS_TEXT("the annotation has the key {} twice"), in_quotes(key)));
}

bool scan_member(JsonScanner& scanner, std::string_view key, AnnotationScan& out) {
    if (key == "id") return scan_whole(scanner, out.id, "id");
    if (key == "image_id") return scan_whole(scanner, out.image_id, "image_id");
    if (key == "category_id") return scanner.whole(out.category_id, "category_id");
    if (key == "iscrowd") return scanner.peek() == 'n' ? scanner.skip() : scanner.flag(out.crowd, "iscrowd");
    if (key == "score") return scan_score(scanner, out.score);
    if (key == "segmentation") {
        out.subject = CocoSubject::mask;
        return once(scanner, out.segmentation, key) &&
               noted(scanner, out.segmentation, [&] { return scan_segmentation(scanner, out); });
    }
    if (key == "area") return once(scanner, out.area, key) && scanner.skip(out.area);
    CocoSubject subject = CocoSubject::unknown;
    if (key == "keypoints") subject = CocoSubject::keypoints;
    if (key == "caption") subject = CocoSubject::caption;
    if (key == "segments_info") subject = CocoSubject::panoptic;
    const bool boxed = key == "bbox";
    if (boxed && out.subject == CocoSubject::unknown) subject = CocoSubject::box;
    if (subject != CocoSubject::unknown && out.subject != CocoSubject::mask) out.subject = subject;
    if (boxed) return once(scanner, out.bbox, key) && scanner.skip(out.bbox);
    return scanner.skip();
}

// --- what an annotation's mask is made of

Result<CocoRle> read_polygons(JsonScanner& scanner, std::int64_t height, std::int64_t width) {
    std::vector<std::vector<double>> parts;
    const bool done = scanner.array([&](std::size_t /*part*/) {
        auto& part = parts.emplace_back();
        return scanner.array([&](std::size_t /*index*/) { return scanner.number(part.emplace_back()); });
    });
    if (!done) return scanner.take_error();
    return rle_of_polygons(parts, height, width);
}

bool read_counts(JsonScanner& scanner, std::vector<std::uint32_t>& counts) {
    return scanner.array([&](std::size_t index) {
        std::int64_t value = 0;
        scanner.peek();
        const std::size_t begin = scanner.at();
        if (!scanner.whole(value, "counts")) return false;
        if (value < 0 || value > std::numeric_limits<std::uint32_t>::max() || index == kMostCounts) {
            return scanner.fail_at(input_error(MS_TEXT("run {} has a length of {}"), index, value), begin);
        }
        counts.push_back(static_cast<std::uint32_t>(value));
        return true;
    });
}

// `begin` is where the value stands, `shift` what lies before the scanner's text.
Result<CocoRle> read_rle(std::string_view text, std::uint64_t shift) {
    JsonScanner scanner(text, shift);
    RleScan scan;
    scanner.peek();
    if (!scan_rle(scanner, scan)) return scanner.take_error();
    const auto [height, width] = *scan.size;
    const std::uint64_t begin = shift + scan.counts[0];
    JsonScanner inner(text.substr(scan.counts[0], scan.counts[1] - scan.counts[0]), begin);
    if (scan.form == CocoForm::rle_counts) {
        std::vector<std::uint32_t> counts;
        if (!read_counts(inner, counts)) return inner.take_error();
        auto rle = checked_rle(std::move(counts), height, width);
        if (!rle) return std::move(rle).error().at(begin);
        return rle;
    }
    std::string counts;
    if (!inner.string(counts)) return inner.take_error();
    auto rle = parse_rle(counts, height, width);
    // Behind the quote; an escaped backslash before the place makes it a little early.
    if (rle) return rle;
    const auto place = rle.error().where.offset.value_or(0);
    return std::move(rle).error().at(begin + 1 + place);
}

}  // namespace

bool scan_annotation(JsonScanner& scanner, AnnotationScan& out) {
    if (scanner.peek() != '{') return wrong_kind(scanner, "annotations", MS_TEXT("a list of objects"));
    return noted(scanner, out.bytes,
                 [&] { return scanner.object([&](std::string_view key) { return scan_member(scanner, key, out); }); });
}

Result<mask::Region> region_of(const CocoAnnotation& annotation) {
    if (annotation.form == CocoForm::none) return mask::Region();
    const std::uint64_t offset =
        annotation.text ? static_cast<std::uint64_t>(annotation.raw.data() - annotation.text->data()) : 0;
    JsonScanner scanner(annotation.raw, offset);
    AnnotationScan scan;
    if (!scan_annotation(scanner, scan)) return scanner.take_error();
    const auto [begin, end] = scan.segmentation;
    const std::string_view value = annotation.raw.substr(begin, end - begin);
    if (scan.form == CocoForm::polygon) {
        JsonScanner polygons(value, offset + begin);
        auto rle = read_polygons(polygons, annotation.height, annotation.width);
        if (rle) return region_of(*rle);
        if (rle.error().where.offset) return std::move(rle).error();
        return std::move(rle).error().at(offset + begin);
    }
    MS_TRY(rle, read_rle(value, offset + begin));
    if (rle.height != annotation.height || rle.width != annotation.width) {
        return input_error(MS_TEXT("the mask is {} x {}, its image {} x {}"), rle.height, rle.width, annotation.height,
                           annotation.width)
            .at(offset + begin);
    }
    return region_of(rle);
}

}  // namespace maskscope::io
