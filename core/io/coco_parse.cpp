// SPDX-License-Identifier: Apache-2.0
#include "core/base/utf8.h"
#include "core/io/coco.h"
#include "core/io/coco_annotation.h"
#include "core/io/json_scanner.h"
#include "core/io/limits.h"

#include <algorithm>
#include <utility>

namespace maskscope::io {

namespace {

constexpr std::size_t kBetweenPolls = 4096;

struct IdPlace {
    std::int64_t id = 0;
    std::size_t index = 0;
    friend bool operator<(const IdPlace& a, const IdPlace& b) { return a.id != b.id ? a.id < b.id : a.index < b.index; }
};

// The first id that stands twice; `ids` becomes sorted.
const IdPlace* second_of_its_kind(std::vector<IdPlace>& ids) {
    std::sort(ids.begin(), ids.end());
    const auto found =
        std::adjacent_find(ids.begin(), ids.end(), [](const auto& a, const auto& b) { return a.id == b.id; });
    return found == ids.end() ? nullptr : &*(found + 1);
}

class Parser {
public:
    Parser(std::string text, const JobContext& context)
        : text_(std::make_shared<const std::string>(std::move(text))), scanner_(*text_), context_(context) {
        file_.text = text_;
        context_.expect(static_cast<std::int64_t>(text_->size()));
    }

    Result<CocoFile> parse() {
        if (!walk()) {
            if (cancelled_) return cancelled_error();
            return scanner_.take_error();
        }
        MS_CHECK(file_.results ? images_of_results() : join_images());
        MS_CHECK(check_annotation_ids());
        MS_CHECK(check_subject());
        return std::move(file_);
    }

private:
    bool walk() {
        scanner_.skip_mark();
        if (scanner_.peek() == '[') {
            file_.results = true;
            return annotation_list() && scanner_.end();
        }
        if (scanner_.peek() != '{') {
            return scanner_.fail(
                input_error(MS_TEXT("a COCO file is an object or a list of results, not {}"), scanner_.kind()));
        }
        const bool done = scanner_.object([&](std::string_view key) {
            if (key == "images") return image_list();
            if (key == "annotations") return annotation_list();
            if (key == "categories") return category_list();
            return scanner_.skip();
        });
        if (!done || !scanner_.end()) return false;
        if (has_images_) return true;
        return scanner_.fail(input_error(MS_TEXT("the file has no list 'images'")));
    }

    bool once(bool& seen, const char* name) {
        if (seen) return scanner_.fail(input_error(MS_TEXT("the file has the key {} twice"), in_quotes(name)));
        seen = true;
        if (scanner_.peek() == '[') return true;
        return scanner_.fail(input_error(MS_TEXT("{} is {}; it has to be a list"), in_quotes(name), scanner_.kind()));
    }

    bool poll(std::size_t index) {
        if (index % kBetweenPolls != 0) return true;
        context_.advance(static_cast<std::int64_t>(scanner_.at() - reported_));
        reported_ = scanner_.at();
        cancelled_ = context_.cancelled();
        return !cancelled_;
    }

    // --- images

    bool image_list() {
        return once(has_images_, "images") && scanner_.array([&](std::size_t index) {
            if (index == kMaxItems) return scanner_.fail(input_error(MS_TEXT("more than {} images"), kMaxItems));
            return poll(index) && image();
        });
    }

    bool side(std::int64_t& out, const char* name) {
        scanner_.peek();
        const std::size_t begin = scanner_.at();
        if (!scanner_.whole(out, name)) return false;
        if (out >= 0 && out <= kMaxImageSide) return true;
        return scanner_.fail_at(
            input_error(MS_TEXT("{} is {}; sides from 0 to {} are read"), in_quotes(name), out, kMaxImageSide), begin);
    }

    bool image() {
        CocoImage image;
        bool has_id = false;
        image.height = image.width = -1;
        scanner_.peek();
        const std::size_t begin = scanner_.at();
        const bool done = scanner_.object([&](std::string_view key) {
            if (key == "file_name") return scanner_.string(image.file_name);
            if (key == "height") return side(image.height, "height");
            if (key == "width") return side(image.width, "width");
            if (key != "id") return scanner_.skip();
            has_id = true;
            return scanner_.whole(image.id, "id");
        });
        if (!done) return false;
        const char* missing = !has_id ? "id" : image.height < 0 ? "height" : image.width < 0 ? "width" : nullptr;
        if (missing != nullptr) {
            return scanner_.fail_at(input_error(MS_TEXT("the image has no {}"), in_quotes(missing)), begin);
        }
        file_.images.push_back(std::move(image));
        image_places_.push_back(begin);
        return true;
    }

    // --- categories

    bool category_list() {
        return once(has_categories_, "categories") && scanner_.array([&](std::size_t index) {
            if (index == kMaxItems) return scanner_.fail(input_error(MS_TEXT("more than {} categories"), kMaxItems));
            return poll(index) && category();
        });
    }

    bool category() {
        std::int64_t id = 0;
        bool has_id = false;
        std::string name;
        scanner_.peek();
        const std::size_t begin = scanner_.at();
        const bool done = scanner_.object([&](std::string_view key) {
            if (key == "name") return scanner_.string(name);
            if (key != "id") return scanner_.skip();
            has_id = true;
            return scanner_.whole(id, "id");
        });
        if (!done) return false;
        if (!has_id) return scanner_.fail_at(input_error(MS_TEXT("the category has no 'id'")), begin);
        if (file_.categories.emplace(id, std::move(name)).second) return true;
        return scanner_.fail_at(input_error(MS_TEXT("two categories have the id {}"), id), begin);
    }

    // --- annotations

    bool annotation_list() {
        if (!once(has_annotations_, "annotations")) return false;
        file_.list_bytes[0] = scanner_.at();
        const bool done = scanner_.array([&](std::size_t index) { return poll(index) && annotation(); });
        file_.list_bytes[1] = scanner_.at();
        return done;
    }

    bool annotation() {
        AnnotationScan scan;
        if (!scan_annotation(scanner_, scan)) return false;
        const auto [begin, end] = scan.bytes;
        if (!scan.image_id) return scanner_.fail_at(input_error(MS_TEXT("the annotation has no 'image_id'")), begin);
        CocoAnnotation out;
        out.id = scan.id.value_or(0);
        out.image_id = *scan.image_id;
        out.category_id = scan.category_id;
        out.form = scan.form;
        out.crowd = scan.crowd;
        out.score = scan.score;
        if (scan.size) {
            out.height = (*scan.size)[0];
            out.width = (*scan.size)[1];
            if (!fits(*scan.size, begin)) return false;
        }
        out.raw = std::string_view(*text_).substr(begin, end - begin);
        out.text = text_;
        if (scan.id) ids_.push_back({*scan.id, file_.annotations.size()});
        has_masks_ = has_masks_ || scan.subject == CocoSubject::mask;
        if (file_.annotations.empty()) subject_ = scan.subject;
        file_.annotations.push_back(std::move(out));
        file_.annotation_bytes.push_back(scan.bytes);
        return true;
    }

    bool fits(const std::array<std::int64_t, 2>& size, std::size_t begin) {
        const bool good = std::all_of(size.begin(), size.end(), [](auto n) { return n >= 0 && n <= kMaxImageSide; });
        if (good) return true;
        return scanner_.fail_at(input_error(MS_TEXT("the mask's size is {} x {}; sides from 0 to {} are read"), size[0],
                                            size[1], kMaxImageSide),
                                begin);
    }

    // --- the two together

    Result<void> join_images() {
        std::vector<IdPlace> ids;
        ids.reserve(file_.images.size());
        for (std::size_t i = 0; i < file_.images.size(); ++i) ids.push_back({file_.images[i].id, i});
        if (const auto* twice = second_of_its_kind(ids)) {
            return input_error(MS_TEXT("two images have the id {}"), twice->id).at(image_places_[twice->index]);
        }
        for (std::size_t i = 0; i < file_.annotations.size(); ++i) {
            auto& annotation = file_.annotations[i];
            const auto found = std::lower_bound(ids.begin(), ids.end(), IdPlace{annotation.image_id, 0});
            if (found == ids.end() || found->id != annotation.image_id) {
                return input_error(MS_TEXT("the annotation's image {} is not in 'images'"), annotation.image_id)
                    .at(file_.annotation_bytes[i][0]);
            }
            MS_CHECK(put_on(file_.images[found->index], i));
        }
        return {};
    }

    // Joins an annotation to its image; run lengths bring a size of their own.
    Result<void> put_on(CocoImage& image, std::size_t index) {
        auto& annotation = file_.annotations[index];
        const bool has_size = annotation.form == CocoForm::rle_text || annotation.form == CocoForm::rle_counts;
        if (has_size && (annotation.height != image.height || annotation.width != image.width)) {
            return input_error(MS_TEXT("the mask's size is {} x {}, but image {} is {} x {}"), annotation.height,
                               annotation.width, image.id, image.height, image.width)
                .at(file_.annotation_bytes[index][0]);
        }
        annotation.height = image.height;
        annotation.width = image.width;
        image.annotations.push_back(index);
        return {};
    }

    // Results name no images: there is one for each id, in the order of the first annotation, as large as its run
    // lengths say.
    Result<void> images_of_results() {
        std::vector<IdPlace> order;
        order.reserve(file_.annotations.size());
        for (std::size_t i = 0; i < file_.annotations.size(); ++i) order.push_back({file_.annotations[i].image_id, i});
        std::sort(order.begin(), order.end());
        std::vector<std::size_t> firsts;
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i == 0 || order[i].id != order[i - 1].id) firsts.push_back(i);
        }
        if (firsts.size() > kMaxItems) return input_error(MS_TEXT("more than {} images"), kMaxItems);
        std::sort(firsts.begin(), firsts.end(),
                  [&](std::size_t a, std::size_t b) { return order[a].index < order[b].index; });
        for (const std::size_t first : firsts) {
            std::size_t last = first;
            while (last < order.size() && order[last].id == order[first].id) ++last;
            MS_CHECK(add_result_image(std::span(order).subspan(first, last - first)));
        }
        return {};
    }

    Result<void> add_result_image(std::span<const IdPlace> places) {
        CocoImage image;
        image.id = places.front().id;
        for (const auto& place : places) {
            const auto& annotation = file_.annotations[place.index];
            if (annotation.form != CocoForm::rle_text && annotation.form != CocoForm::rle_counts) continue;
            image.height = annotation.height;
            image.width = annotation.width;
            break;
        }
        for (const auto& place : places) MS_CHECK(put_on(image, place.index));
        file_.images.push_back(std::move(image));
        return {};
    }

    Result<void> check_annotation_ids() {
        if (const auto* twice = second_of_its_kind(ids_)) {
            return input_error(MS_TEXT("two annotations have the id {}"), twice->id)
                .at(file_.annotation_bytes[twice->index][0]);
        }
        return {};
    }

    Result<void> check_subject() const {
        if (has_masks_ || file_.annotations.empty()) return {};
        const char* what = MS_TEXT("none of the annotations has a 'segmentation', so there is no mask to show");
        if (subject_ == CocoSubject::caption) what = MS_TEXT("these annotations are captions; they have no masks");
        if (subject_ == CocoSubject::keypoints) what = MS_TEXT("these annotations are keypoints; they have no masks");
        if (subject_ == CocoSubject::box) what = MS_TEXT("these annotations are boxes; they have no masks");
        if (subject_ == CocoSubject::panoptic) {
            what = MS_TEXT("these are panoptic annotations; their masks are the PNG files beside them");
        }
        return input_error(what).at(file_.annotation_bytes.front()[0]);
    }

    std::shared_ptr<const std::string> text_;
    JsonScanner scanner_;
    const JobContext& context_;
    CocoFile file_;
    std::vector<std::size_t> image_places_;
    std::vector<IdPlace> ids_;
    std::size_t reported_ = 0;
    CocoSubject subject_ = CocoSubject::unknown;  // of the first annotation
    bool has_images_ = false;
    bool has_annotations_ = false;
    bool has_categories_ = false;
    bool has_masks_ = false;
    bool cancelled_ = false;
};

}  // namespace

Result<CocoFile> parse_coco(std::string text, const JobContext& context) {
    return Parser(std::move(text), context).parse();
}

}  // namespace maskscope::io
