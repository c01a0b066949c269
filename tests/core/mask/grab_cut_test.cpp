// SPDX-License-Identifier: Apache-2.0
// GrabCut against OpenCV-Python on the same strokes, and what is refused before OpenCV is asked.
#include "core/mask/fill.h"
#include "tests/core/mask/mask_goldens.h"

#include <QtTest>

using namespace maskscope;
using namespace maskscope::mask;
using namespace maskscope::test;

namespace {

Rect rect_of(const nlohmann::json& golden) {
    return {golden[0].get<std::int64_t>(), golden[1].get<std::int64_t>(), golden[2].get<std::int64_t>(),
            golden[3].get<std::int64_t>()};
}

struct Scene {
    Tensor image;
    Rect around;
    Region surely;
    Region not_at_all;
    Region truth;
    Region opencv;
};

Scene scene() {
    const auto& golden = mask_goldens()["grab_cut"];
    Scene out;
    const auto& rows = golden["image"];
    out.image = *Tensor::zeros({static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size()), 3},
                               DType::u8);
    auto* to = out.image.writable_as<std::uint8_t>();
    for (const auto& row : rows)
        for (const auto& pixel : row)
            for (const auto& value : pixel) *to++ = value.get<std::uint8_t>();
    out.around = rect_of(golden["around"]);
    out.surely = Region::of_rect(rect_of(golden["surely"]));
    out.not_at_all = Region::of_rect(rect_of(golden["not_at_all"]));
    out.truth = region_of(bitmap_from(golden["truth"]));
    out.opencv = region_of(bitmap_from(golden["out"]));
    return out;
}

double iou(const Region& a, const Region& b) {
    return static_cast<double>(intersect(a, b).count()) / static_cast<double>(unite(a, b).count());
}

Tensor with_alpha(const Tensor& image) {
    auto out = *Tensor::zeros({image.size(0), image.size(1), 4}, DType::u8);
    for (std::int64_t i = 0; i < image.size(0) * image.size(1); ++i)
        for (std::int64_t c = 0; c < 4; ++c)
            out.writable_as<std::uint8_t>()[4 * i + c] =
                c < 3 ? image.data_as<std::uint8_t>()[3 * i + c] : static_cast<std::uint8_t>(i * 37);
    return out;
}

std::string refusal(const Tensor& image, const Rect& around, const Region& surely = {}, const Region& not_at_all = {},
                    int rounds = 5) {
    GrabCutOptions options;
    options.rounds = rounds;
    const auto region = grab_cut(image, around, surely, not_at_all, options);
    return region.ok() ? "" : region.error().text();
}

}  // namespace

class GrabCutTest : public QObject {
    Q_OBJECT

private slots:
    void agrees_with_opencv();
    void the_same_every_time();
    void strokes_are_obeyed();
    void grey_and_alpha();
    void few_pixels_do_not_throw();
    void refusals();
    void stops_when_cancelled();
};

void GrabCutTest::agrees_with_opencv() {
    const auto s = scene();
    const auto region = grab_cut(s.image, s.around, s.surely, s.not_at_all);
    QVERIFY(region.ok());
    QVERIFY(is_well_formed(*region));
    // Clusters start from random pixels and versions of OpenCV differ in them, so a few pixels may.
    QVERIFY2(iou(*region, s.opencv) > 0.995, qPrintable(QString::number(iou(*region, s.opencv))));
    QVERIFY(iou(*region, s.truth) > 0.97);
}

void GrabCutTest::the_same_every_time() {
    const auto s = scene();
    const auto first = *grab_cut(s.image, s.around, s.surely, s.not_at_all);
    QCOMPARE(*grab_cut(s.image, s.around, s.surely, s.not_at_all), first);
    // What lies far outside the area does not matter.
    auto larger = *Tensor::zeros({400, 500, 3}, DType::u8);
    for (std::int64_t r = 0; r < s.image.size(0); ++r)
        std::copy_n(s.image.data_as<std::uint8_t>() + r * s.image.size(1) * 3, s.image.size(1) * 3,
                    larger.writable_as<std::uint8_t>() + ((r + 100) * 500 + 200) * 3);
    const Rect small_area{24, 30, 24, 40};
    const auto here = *grab_cut(s.image, small_area, s.surely, {});
    const auto moved = *grab_cut(larger, {124, 230, 24, 40}, s.surely.moved(100, 200), {});
    QCOMPARE(moved.moved(-100, -200), here);
}

void GrabCutTest::strokes_are_obeyed() {
    const auto s = scene();
    const auto wrong = Region::of_rect({20, 22, 3, 4});  // background, said to be foreground
    const auto hole = Region::of_rect({30, 60, 4, 4});   // foreground, said to be background
    const auto region = *grab_cut(s.image, s.around, unite(s.surely, wrong), hole);
    QCOMPARE(intersect(region, wrong), wrong);
    QVERIFY(intersect(region, hole).empty());
    QVERIFY(subtract(region, Region::of_rect(s.around)).empty());
}

void GrabCutTest::grey_and_alpha() {
    const auto s = scene();
    const auto colour = *grab_cut(s.image, s.around, s.surely, s.not_at_all);
    QCOMPARE(*grab_cut(with_alpha(s.image), s.around, s.surely, s.not_at_all), colour);
    const auto grey = s.image.select(2, 0);  // strided, without channels
    QVERIFY(iou(*grab_cut(grey, s.around, s.surely, s.not_at_all), s.truth) > 0.95);
}

void GrabCutTest::few_pixels_do_not_throw() {
    const auto image = *Tensor::zeros({3, 3}, DType::u8);
    const auto region = grab_cut(image, {1, 1, 1, 1}, {}, {});
    if (region.ok())
        QVERIFY(subtract(*region, Region::of_rect({1, 1, 1, 1})).empty());
    else
        QCOMPARE(region.error().kind, ErrorKind::unavailable);
    // All pixels equal: nothing tells foreground from background, but it answers.
    QVERIFY(grab_cut(*Tensor::zeros({60, 60, 3}, DType::u8), {20, 20, 10, 10}, {}, {}).ok());
}

void GrabCutTest::refusals() {
    const auto image = *Tensor::zeros({40, 50, 3}, DType::u8);
    const auto says = [](const std::string& text, const char* word) { return text.find(word) != std::string::npos; };
    QVERIFY(says(refusal(*Tensor::zeros({40, 50}, DType::u16), {5, 5, 9, 9}), "uint16"));
    QVERIFY(says(refusal(*Tensor::zeros({40, 50, 2}, DType::u8), {5, 5, 9, 9}), "[40, 50, 2]"));
    QVERIFY(says(refusal(Tensor(), {5, 5, 9, 9}), "none"));
    QVERIFY(says(refusal(image, {40, 0, 9, 9}), "outside the image"));
    QVERIFY(says(refusal(image, {5, 5, 0, 9}), "outside the image"));
    QVERIFY(says(refusal(image, {0, 0, 40, 50}), "no background"));
    QVERIFY(says(refusal(image, {-9, -9, 400, 500}), "no background"));
    QVERIFY(says(refusal(image, {5, 5, 9, 9}, Region::of_rect({5, 5, 9, 9})), "nothing to decide"));
    QVERIFY(says(refusal(image, {5, 5, 9, 9}, {}, {}, 0), "rounds"));
    const auto large = *Tensor::zeros({5000, 5000}, DType::u8);
    QVERIFY(says(refusal(large, {10, 10, 4090, 4090}), "16777216"));
}

void GrabCutTest::stops_when_cancelled() {
    std::stop_source stop;
    stop.request_stop();
    const auto s = scene();
    const auto region = grab_cut(s.image, s.around, s.surely, {}, {}, JobContext(stop.get_token()));
    QVERIFY(!region);
    QCOMPARE(region.error().kind, ErrorKind::cancelled);
}

QTEST_APPLESS_MAIN(GrabCutTest)
#include "grab_cut_test.moc"
