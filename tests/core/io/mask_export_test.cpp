// SPDX-License-Identifier: Apache-2.0
// Masks written and read again, and what is said to be lost, counted by hand or by a naive loop.
#include "core/io/mask_export.h"
#include "core/io/coco.h"
#include "core/io/image_facts.h"
#include "tests/core/io/scratch_files.h"

#include <QtTest>

#include <limits>
#include <random>
#include <set>

using namespace maskscope;
using namespace maskscope::io;
using namespace maskscope::test;

namespace {

template <class T>
Tensor tensor_of(const Shape& shape, DType dtype, const std::vector<T>& values) {
    auto tensor = Tensor::zeros(shape, dtype);
    std::memcpy(tensor->writable_data(), values.data(), values.size() * sizeof(T));
    return *tensor;
}

MaskToSave mask_of(const Tensor& tensor) {
    MaskToSave out;
    out.tensor = tensor;
    out.item.dtype = tensor.dtype();
    out.item.shape = tensor.shape();
    return out;
}

// [n, h, w] bool with rectangles set.
Tensor stack_of(std::int64_t height, std::int64_t width, const std::vector<mask::Rect>& rects) {
    auto tensor = Tensor::zeros({static_cast<std::int64_t>(rects.size()), height, width}, DType::boolean);
    auto* cells = tensor->writable_as<std::uint8_t>();
    for (std::size_t i = 0; i < rects.size(); ++i)
        for (std::int64_t r = rects[i].row; r < rects[i].bottom(); ++r)
            for (std::int64_t c = rects[i].col; c < rects[i].right(); ++c)
                cells[(static_cast<std::int64_t>(i) * height + r) * width + c] = 1;
    return *tensor;
}

std::string losses_text(const Result<std::vector<Loss>>& losses) {
    if (!losses) return "error: " + losses.error().text();
    std::string out;
    for (const auto& loss : *losses)
        out += fmt::format("{}{} {}: {}", out.empty() ? "" : "\n", loss.kind, loss.amount, loss.what);
    return out;
}

// A source with annotations of these ids.
std::shared_ptr<const CocoFile> coco_with(const std::vector<std::int64_t>& ids) {
    auto file = std::make_shared<CocoFile>();
    file->images.push_back({1, "street.jpg", 4, 6, {}});
    file->categories = {{3, "cat"}, {4, "dog"}};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        CocoAnnotation annotation;
        annotation.id = ids[i];
        annotation.category_id = i % 2 == 0 ? 3 : 4;
        file->annotations.push_back(annotation);
        file->images[0].annotations.push_back(i);
    }
    return file;
}

constexpr std::array kPngs = {MaskFormat::png_palette, MaskFormat::png_grey8, MaskFormat::png_grey16};

}  // namespace

class MaskExportTest : public QObject {
    Q_OBJECT

private slots:
    void the_list();
    void chosen_by_name_and_header();
    void labels_come_back();
    void any_strides();
    void palettes();
    void beyond_is_refused();
    void negative_is_refused();
    void soft();
    void floats_of_whole_numbers_are_labels();
    void overlap();
    void overlap_as_a_naive_loop_counts_it();
    void ids_of_annotations();
    void ids_that_do_not_fit();
    void arrays_hold_everything();
    void coco_run_lengths();
    void coco_polygons_fill_holes();
    void coco_keeps_ids_and_names();
    void no_mask();
    void cancelled();

private:
    // Written in this format and read again; the first item.
    Result<Item> again(const MaskToSave& mask, MaskFormat format, const std::string& name);
    Result<Tensor> values_again(const MaskToSave& mask, MaskFormat format, const std::string& name);
    ScratchFolder folder_;
};

Result<Item> MaskExportTest::again(const MaskToSave& mask, MaskFormat format, const std::string& name) {
    MS_CHECK(save_mask(folder_.path(name), mask, format));
    MS_TRY(contents, open_file(folder_.path(name)));
    return contents.items.at(0);
}

Result<Tensor> MaskExportTest::values_again(const MaskToSave& mask, MaskFormat format, const std::string& name) {
    MS_TRY(item, again(mask, format, name));
    return io::tensor_of(item, {});
}

void MaskExportTest::the_list() {
    std::set<std::string> names;
    for (const auto& format : mask_formats()) {
        QVERIFY(names.insert(format.name).second);
        QVERIFY(format.extension[0] == '.');
        QVERIFY(std::string(format.about).size() > 5);
    }
    QCOMPARE(names.size(), 7U);
}

void MaskExportTest::chosen_by_name_and_header() {
    Item item;
    item.dtype = DType::u8;
    item.shape = {4, 5};
    const auto chosen = [&](const std::string& path) {
        const auto format = format_for(path, item);
        return format ? static_cast<int>(*format) : -1;
    };
    const auto is = [](MaskFormat format) { return static_cast<int>(format); };
    QCOMPARE(chosen("a.png"), is(MaskFormat::png_palette));
    QCOMPARE(chosen("A.PNG"), is(MaskFormat::png_palette));
    QCOMPARE(chosen("a.npy"), is(MaskFormat::npy));
    QCOMPARE(chosen("a.npz"), is(MaskFormat::npz));
    QCOMPARE(chosen("a.json"), is(MaskFormat::coco_rle));
    QCOMPARE(chosen("a.jpg"), -1);
    QCOMPARE(chosen("a"), -1);
    QVERIFY(format_for("a.jpg", item).error().text().find(".png, .npy, .npz, .json") != std::string::npos);
    ImageFacts grey;
    item.image = std::make_shared<const ImageFacts>(grey);
    QCOMPARE(chosen("a.png"), is(MaskFormat::png_grey8));
    item.dtype = DType::u16;
    QCOMPARE(chosen("a.png"), is(MaskFormat::png_grey16));
    item.image = nullptr;
    item.tensor = ::tensor_of<std::uint16_t>({1, 2}, DType::u16, {3, 255});
    QCOMPARE(chosen("a.png"), is(MaskFormat::png_palette));
    item.tensor = ::tensor_of<std::uint16_t>({1, 2}, DType::u16, {3, 256});
    QCOMPARE(chosen("a.png"), is(MaskFormat::png_grey16));
    item.tensor = {};
    item.dtype = DType::boolean;
    item.shape = {255, 4, 5};
    QCOMPARE(chosen("a.png"), is(MaskFormat::png_palette));
    item.shape = {256, 4, 5};
    QCOMPARE(chosen("a.png"), is(MaskFormat::png_grey16));
}

void MaskExportTest::labels_come_back() {
    const std::vector<std::int32_t> labels = {0, 1, 255, 7, 20, 128};
    const auto mask = mask_of(::tensor_of<std::int32_t>({2, 3}, DType::i32, labels));
    for (const auto format : kPngs) {
        QCOMPARE(losses_text(preview_loss(mask, format)), "");
        const auto tensor = values_again(mask, format, "labels.png");
        QVERIFY2(tensor.ok(), tensor ? "" : tensor.error().text().c_str());
        std::vector<std::int32_t> got;
        if (tensor->dtype() == DType::u16)
            for (const auto value : values_of<std::uint16_t>(*tensor)) got.push_back(value);
        if (tensor->dtype() == DType::u8)
            for (const auto value : values_of<std::uint8_t>(*tensor)) got.push_back(value);
        QCOMPARE(got, labels);
    }
    const auto wide = mask_of(::tensor_of<std::int64_t>({1, 3}, DType::i64, {65535, 256, 0}));
    const auto tensor = values_again(wide, MaskFormat::png_grey16, "wide.png");
    QVERIFY(tensor.ok());
    QCOMPARE(values_of<std::uint16_t>(*tensor), (std::vector<std::uint16_t>{65535, 256, 0}));
    const auto yes_no = mask_of(::tensor_of<std::uint8_t>({2, 2}, DType::boolean, {1, 0, 0, 1}));
    const auto cells = values_again(yes_no, MaskFormat::png_palette, "bool.png");
    QVERIFY(cells.ok());
    QCOMPARE(values_of<std::uint8_t>(*cells), (std::vector<std::uint8_t>{1, 0, 0, 1}));
}

void MaskExportTest::any_strides() {
    const Tensor tensor = ::tensor_of<std::uint8_t>({2, 3}, DType::u8, {1, 2, 3, 4, 5, 6});
    const auto turned = values_again(mask_of(tensor.transpose(0, 1)), MaskFormat::png_grey8, "turned.png");
    QVERIFY(turned.ok());
    QVERIFY(turned->shape() == Dims({3, 2}));
    QCOMPARE(values_of<std::uint8_t>(*turned), (std::vector<std::uint8_t>{1, 4, 2, 5, 3, 6}));
    const auto every_other = values_again(mask_of(tensor.narrow(1, 0, 2, 2)), MaskFormat::png_grey8, "step.png");
    QVERIFY(every_other.ok());
    QCOMPARE(values_of<std::uint8_t>(*every_other), (std::vector<std::uint8_t>{1, 3, 4, 6}));
    // Leading dims of size 1 are no stack.
    const auto lifted = values_again(mask_of(tensor.unsqueeze(0)), MaskFormat::png_grey8, "lifted.png");
    QVERIFY(lifted.ok());
    QCOMPARE(values_of<std::uint8_t>(*lifted), (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}));
}

void MaskExportTest::palettes() {
    auto mask = mask_of(::tensor_of<std::uint8_t>({1, 3}, DType::u8, {0, 1, 3}));
    const auto voc = again(mask, MaskFormat::png_palette, "voc.png");
    QVERIFY(voc.ok());
    QVERIFY(voc->image->palette == voc_palette());
    ImageFacts facts;
    facts.kind = PixelKind::palette;
    facts.palette = {{9, 8, 7, 255}, {6, 5, 4, 100}};
    mask.item.image = std::make_shared<const ImageFacts>(facts);
    const auto own = again(mask, MaskFormat::png_palette, "own.png");
    QVERIFY(own.ok());
    // Label 3 has no colour there: VOC's are added up to it.
    auto wanted = facts.palette;
    wanted.push_back({0, 128, 0, 255});
    wanted.push_back({128, 128, 0, 255});
    QVERIFY(own->image->palette == wanted);
}

void MaskExportTest::beyond_is_refused() {
    const auto path = folder_.write("kept.png", "what stood there");
    const auto mask = mask_of(::tensor_of<std::int32_t>({2, 3}, DType::i32, {0, 255, 256, 70'000, 1, 300}));
    for (const auto format : {MaskFormat::png_palette, MaskFormat::png_grey8}) {
        QCOMPARE(
            losses_text(preview_loss(mask, format)),
            "labels 3: 3 cells hold labels above 255, from 256 to 70,000, which this format cannot hold: saving is "
            "refused");
        const auto saved = save_mask(path, mask, format);
        QVERIFY(!saved.ok());
        QVERIFY2(saved.error().text().find("the label 256 does not fit") != std::string::npos,
                 saved.error().text().c_str());
        QVERIFY(saved.error().text().find("row 0, column 2") != std::string::npos);
    }
    const auto saved = save_mask(path, mask, MaskFormat::png_grey16);
    QVERIFY(!saved.ok());
    QVERIFY2(saved.error().text().find("the label 70000 does not fit") != std::string::npos,
             saved.error().text().c_str());
    QCOMPARE(read_bytes(path), "what stood there");
}

void MaskExportTest::negative_is_refused() {
    const auto mask = mask_of(::tensor_of<std::int16_t>({2, 2}, DType::i16, {0, -1, 5, -7}));
    for (const auto format : kPngs) {
        QCOMPARE(losses_text(preview_loss(mask, format)),
                 "labels 2: 2 cells hold negative labels, the lowest -7, which this format cannot hold: saving is "
                 "refused");
        const auto saved = save_mask(folder_.path("negative.png"), mask, format);
        QVERIFY(!saved.ok());
        QVERIFY(saved.error().text().find("-7") != std::string::npos);
    }
    QVERIFY(!save_mask(folder_.path("negative.json"), mask, MaskFormat::coco_rle).ok());
    QVERIFY(!QFile::exists(QString::fromStdString(folder_.path("negative.png"))));
}

void MaskExportTest::soft() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto mask = mask_of(::tensor_of<float>({2, 4}, DType::f32, {0, 1, 0.5F, 0.49F, nan, 0.75F, 2, 0}));
    QCOMPARE(losses_text(preview_loss(mask, MaskFormat::png_palette)),
             "soft 5: 5 values are neither 0 nor 1; they would become 0 or 1, cut at 0.5");
    const auto tensor = values_again(mask, MaskFormat::png_palette, "soft.png");
    QVERIFY(tensor.ok());
    QCOMPARE(values_of<std::uint8_t>(*tensor), (std::vector<std::uint8_t>{0, 1, 1, 0, 0, 1, 1, 0}));
    QCOMPARE(losses_text(preview_loss(mask, MaskFormat::npy)), "");
}

void MaskExportTest::floats_of_whole_numbers_are_labels() {
    const auto mask = mask_of(::tensor_of<float>({1, 3}, DType::f32, {0, 7, 200}));
    QCOMPARE(losses_text(preview_loss(mask, MaskFormat::png_palette)), "");
    const auto tensor = values_again(mask, MaskFormat::png_palette, "floats.png");
    QVERIFY(tensor.ok());
    QCOMPARE(values_of<std::uint8_t>(*tensor), (std::vector<std::uint8_t>{0, 7, 200}));
}

void MaskExportTest::overlap() {
    const auto mask = mask_of(stack_of(3, 4, {{0, 0, 2, 3}, {1, 1, 2, 3}, {1, 2, 1, 1}}));
    // Rows 1: columns 1 and 2 lie under two and three instances.
    QCOMPARE(losses_text(preview_loss(mask, MaskFormat::png_palette)),
             "overlap 2: 2 cells belong to two or more instances; only the last of them would keep them");
    const auto tensor = values_again(mask, MaskFormat::png_palette, "stack.png");
    QVERIFY(tensor.ok());
    QCOMPARE(values_of<std::uint8_t>(*tensor), (std::vector<std::uint8_t>{1, 1, 1, 0, 1, 2, 3, 2, 0, 2, 2, 2}));
}

void MaskExportTest::overlap_as_a_naive_loop_counts_it() {
    std::mt19937 random(5);
    constexpr std::int64_t kSide = 130;
    std::vector<mask::Rect> rects;
    for (int i = 0; i < 9; ++i) {
        const auto row = static_cast<std::int64_t>(random() % 100);
        const auto col = static_cast<std::int64_t>(random() % 100);
        rects.push_back({row, col, static_cast<std::int64_t>(random() % 30) + 1, 20});
    }
    std::int64_t wanted = 0;
    std::vector<std::uint8_t> flat;
    for (std::int64_t r = 0; r < kSide; ++r) {
        for (std::int64_t c = 0; c < kSide; ++c) {
            int over = 0;
            std::uint8_t last = 0;
            for (std::size_t i = 0; i < rects.size(); ++i) {
                if (!rects[i].contains(r, c)) continue;
                ++over;
                last = static_cast<std::uint8_t>(i + 1);
            }
            wanted += over > 1 ? 1 : 0;
            flat.push_back(last);
        }
    }
    QVERIFY(wanted > 100);
    const auto mask = mask_of(stack_of(kSide, kSide, rects));
    const auto losses = preview_loss(mask, MaskFormat::png_grey8);
    QVERIFY(losses.ok());
    QCOMPARE(losses->size(), 1U);
    QCOMPARE(losses->front().amount, wanted);
    const auto tensor = values_again(mask, MaskFormat::png_grey8, "random.png");
    QVERIFY(tensor.ok());
    QCOMPARE(values_of<std::uint8_t>(*tensor), flat);
}

void MaskExportTest::ids_of_annotations() {
    auto mask = mask_of(stack_of(2, 3, {{0, 0, 1, 2}, {1, 0, 1, 3}}));
    mask.item.coco = coco_with({42, 7});
    QCOMPARE(losses_text(preview_loss(mask, MaskFormat::png_palette)),
             "names 2: the categories of 2 annotations would not be kept: cat, dog");
    const auto tensor = values_again(mask, MaskFormat::png_palette, "ids.png");
    QVERIFY(tensor.ok());
    QCOMPARE(values_of<std::uint8_t>(*tensor), (std::vector<std::uint8_t>{42, 42, 0, 7, 7, 7}));
}

void MaskExportTest::ids_that_do_not_fit() {
    auto mask = mask_of(stack_of(2, 3, {{0, 0, 1, 2}, {1, 0, 1, 3}}));
    mask.item.coco = coco_with({42, 90'001});
    const auto losses = losses_text(preview_loss(mask, MaskFormat::png_palette));
    QVERIFY2(losses.starts_with("ids 2: the ids of 2 annotations, up to 90,001, would become numbers from 1"),
             losses.c_str());
    const auto tensor = values_again(mask, MaskFormat::png_palette, "ids.png");
    QVERIFY(tensor.ok());
    QCOMPARE(values_of<std::uint8_t>(*tensor), (std::vector<std::uint8_t>{1, 1, 0, 2, 2, 2}));
    // Two annotations with one id cannot be told apart by it.
    mask.item.coco = coco_with({42, 42});
    QVERIFY(losses_text(preview_loss(mask, MaskFormat::png_palette)).starts_with("ids 2: "));
}

void MaskExportTest::arrays_hold_everything() {
    const std::vector<std::int64_t> labels = {-5, std::numeric_limits<std::int64_t>::max(), 0, 1};
    const auto mask = mask_of(::tensor_of<std::int64_t>({2, 2}, DType::i64, labels));
    for (const auto format : {MaskFormat::npy, MaskFormat::npz}) {
        const auto name = format == MaskFormat::npy ? "all.npy" : "all.npz";
        QCOMPARE(losses_text(preview_loss(mask, format)), "");
        const auto tensor = values_again(mask, format, name);
        QVERIFY(tensor.ok());
        QCOMPARE(values_of<std::int64_t>(*tensor), labels);
    }
    const auto stack = mask_of(stack_of(3, 4, {{0, 0, 2, 3}, {1, 1, 2, 3}}));
    const auto tensor = values_again(stack, MaskFormat::npz, "stack.npz");
    QVERIFY(tensor.ok());
    QCOMPARE(tensor->dtype(), DType::boolean);
    QCOMPARE(values_of<std::uint8_t>(*tensor), values_of<std::uint8_t>(stack.tensor));
}

void MaskExportTest::coco_run_lengths() {
    // Two labels, one of them with a hole.
    const std::vector<std::uint8_t> labels = {5, 5, 5, 0, 5, 0, 5, 9, 5, 5, 5, 9};
    const auto mask = mask_of(::tensor_of<std::uint8_t>({3, 4}, DType::u8, labels));
    QCOMPARE(losses_text(preview_loss(mask, MaskFormat::coco_rle)), "");
    const auto item = again(mask, MaskFormat::coco_rle, "rle.json");
    QVERIFY2(item.ok(), item ? "" : item.error().text().c_str());
    QVERIFY(item->shape == Dims({2, 3, 4}));
    QCOMPARE(item->coco->annotations[0].category_id, 5);
    QCOMPARE(item->coco->annotations[1].category_id, 9);
    const auto tensor = io::tensor_of(*item, {});
    QVERIFY(tensor.ok());
    std::vector<std::uint8_t> wanted;
    for (const int label : {5, 9})
        for (const auto value : labels) wanted.push_back(value == label ? 1 : 0);
    QCOMPARE(values_of<std::uint8_t>(*tensor), wanted);
}

void MaskExportTest::coco_polygons_fill_holes() {
    std::vector<std::uint8_t> labels(100, 0);
    for (std::size_t r = 1; r < 8; ++r)
        for (std::size_t c = 2; c < 9; ++c) labels[r * 10 + c] = 4;
    labels[33] = labels[34] = labels[55] = 0;  // holes of 2 and of 1
    const auto mask = mask_of(::tensor_of<std::uint8_t>({10, 10}, DType::u8, labels));
    QCOMPARE(losses_text(preview_loss(mask, MaskFormat::coco_polygon)), "holes 2: 2 holes of 3 px would be filled");
    const auto tensor = values_again(mask, MaskFormat::coco_polygon, "polygon.json");
    QVERIFY(tensor.ok());
    labels[33] = labels[34] = labels[55] = 4;
    for (auto& label : labels) label = label == 4 ? 1 : 0;
    QCOMPARE(values_of<std::uint8_t>(*tensor), labels);
    // Without holes, and in parts that touch at a corner: nothing is lost.
    const std::vector<std::uint8_t> parts = {1, 0, 0, 0, 1, 0, 1, 0, 0};
    const auto plain = mask_of(::tensor_of<std::uint8_t>({3, 3}, DType::u8, parts));
    QCOMPARE(losses_text(preview_loss(plain, MaskFormat::coco_polygon)), "");
    const auto back = values_again(plain, MaskFormat::coco_polygon, "parts.json");
    QVERIFY(back.ok());
    QCOMPARE(values_of<std::uint8_t>(*back), parts);
}

void MaskExportTest::coco_keeps_ids_and_names() {
    auto mask = mask_of(stack_of(4, 6, {{0, 0, 1, 2}, {1, 0, 1, 3}}));
    mask.item.coco = coco_with({42, 90'001});
    QCOMPARE(losses_text(preview_loss(mask, MaskFormat::coco_rle)), "");
    const auto item = again(mask, MaskFormat::coco_rle, "kept.json");
    QVERIFY(item.ok());
    QCOMPARE(item->key, "street.jpg");
    QCOMPARE(item->coco->annotations[1].id, 90'001);
    QCOMPARE(item->coco->annotations[1].category_id, 4);
    QCOMPARE(item->coco->categories.at(3), "cat");
    // An instance without a cell has no polygon.
    const auto empty = mask_of(stack_of(4, 6, {{0, 0, 1, 2}, {}}));
    QCOMPARE(losses_text(preview_loss(empty, MaskFormat::coco_polygon)),
             "empty 1: 1 instance without a pixel would have no polygon");
}

void MaskExportTest::no_mask() {
    const auto picture = mask_of(::tensor_of<std::uint8_t>({2, 2, 3}, DType::u8, std::vector<std::uint8_t>(12, 1)));
    const auto row = mask_of(::tensor_of<std::uint8_t>({3}, DType::u8, {1, 2, 3}));
    const auto none = mask_of(*Tensor::zeros({0, 5}, DType::u8));
    for (const auto* mask : {&picture, &row, &none}) {
        for (const auto& format : mask_formats()) {
            if (format.id == MaskFormat::npy || format.id == MaskFormat::npz) continue;
            QVERIFY(!preview_loss(*mask, format.id).ok());
            const auto saved = save_mask(folder_.path("none.x"), *mask, format.id);
            QVERIFY(!saved.ok());
            QVERIFY(saved.error().text().find("is no mask") != std::string::npos);
        }
    }
    QVERIFY(!save_mask(folder_.path("none.x"), MaskToSave{}, MaskFormat::png_grey8).ok());
}

void MaskExportTest::cancelled() {
    std::stop_source stop;
    stop.request_stop();
    const JobContext context(stop.get_token());
    const auto mask = mask_of(::tensor_of<std::uint8_t>({1, 3}, DType::u8, {1, 2, 3}));
    for (const auto format : {MaskFormat::png_grey8, MaskFormat::coco_polygon}) {
        const auto losses = preview_loss(mask, format, context);
        QVERIFY(!losses.ok());
        QCOMPARE(losses.error().kind, ErrorKind::cancelled);
        const auto saved = save_mask(folder_.path("cancelled.x"), mask, format, context);
        QVERIFY(!saved.ok());
        QCOMPARE(saved.error().kind, ErrorKind::cancelled);
    }
    QVERIFY(!QFile::exists(QString::fromStdString(folder_.path("cancelled.x"))));
}

QTEST_APPLESS_MAIN(MaskExportTest)
#include "mask_export_test.moc"
