// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/overlay_image.h"

#include "tests/core/render/overlay/made_tensors.h"

#include <QTest>

using namespace maskscope;
using namespace maskscope::render;
using namespace maskscope::test;

namespace {

std::shared_ptr<const mask::Plane> plane_of(const Shape& shape,
                                            const std::function<std::uint8_t(std::int64_t)>& value) {
    return std::make_shared<const mask::Plane>(*mask::Plane::of(tensor_of<std::uint8_t>(shape, DType::u8, value)));
}

Rgb pixel(const OverlayImage& image, int x, int y) {
    return image
        .pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)];
}

}  // namespace

class OverlayImageTest : public QObject {
    Q_OBJECT

private slots:
    void pixel_for_pixel_and_scaled() {
        const Tensor tensor = random_bytes(Shape{300, 41, 3}, 1);  // more than one band of lines
        const auto image = *ImageData::of(tensor);
        OverlayLayer layer{
            .plane = plane_of(Shape{300, 41}, [](auto i) { return static_cast<std::uint8_t>(i % 41 > 20); }),
            .rule = {},
            .look = {}};
        layer.look.opacity = 1;
        layer.look.colour = 0xff00ff00U;
        const Theme& theme = Theme::get(ThemeId::light);
        for (const int scale : {1, 3}) {
            const auto picture = *overlay_image(*image, {}, {layer}, theme, scale);
            QCOMPARE(picture.width, 41 * scale);
            QCOMPARE(picture.height, 300 * scale);
            for (int y = 0; y < picture.height; ++y) {
                for (int x = 0; x < picture.width; ++x) {
                    const auto* from = tensor.data_as<std::uint8_t>() + (y / scale * 41 + x / scale) * 3;
                    const Rgb stored = 0xff000000U | static_cast<Rgb>(from[0] << 16 | from[1] << 8 | from[2]);
                    QCOMPARE(pixel(picture, x, y), x / scale > 20 ? Rgb{0xff00ff00} : stored);
                }
            }
        }
    }

    void counts_of_a_comparison() {
        const auto image = *ImageData::of(random_bytes(Shape{100, 90}, 2));
        const auto prediction =
            plane_of(Shape{100, 90}, [](auto i) { return static_cast<std::uint8_t>(i % 90 < 50 ? 7 : 0); });
        const auto truth =
            plane_of(Shape{100, 90}, [](auto i) { return static_cast<std::uint8_t>(i / 90 < 30 ? 2 : 0); });
        Agreement counts;
        const Theme& theme = Theme::get(ThemeId::dark);
        const auto picture = *compare_image(*image, {}, *prediction, *truth, 1, theme, &counts);
        QCOMPARE(counts.tp, 30 * 50);
        QCOMPARE(counts.fp, 70 * 50);
        QCOMPARE(counts.fn, 30 * 40);
        QCOMPARE(counts.tn, 70 * 40);
        QCOMPARE(pixel(picture, 10, 10), theme[Token::cmp_tp]);
        QCOMPARE(pixel(picture, 10, 60), theme[Token::cmp_fp]);
        QCOMPARE(pixel(picture, 70, 10), theme[Token::cmp_fn]);
        const auto under = image->tensor().data_as<std::uint8_t>()[60 * 90 + 70];
        QCOMPARE(pixel(picture, 70, 60), 0xff000000U | under * 0x010101U);
        // Colour is not the only sign: false pixels are hatched, hits are not.
        const auto thin = *compare_image(*image, {}, *prediction, *truth, 0, theme, nullptr);
        int rising = 0;
        for (int x = 5; x < 45; ++x)
            rising += pixel(thin, x, 60) != pixel(*overlay_image(*image, {}, {}, theme), x, 60);
        QVERIFY(rising > 5 && rising < 35);
        QCOMPARE(pixel(thin, 10, 10), 0xff000000U | image->tensor().data_as<std::uint8_t>()[10 * 90 + 10] * 0x010101U);
    }

    void refusals() {
        const auto image = *ImageData::of(random_bytes(Shape{20, 30}, 3));
        const Theme& theme = Theme::get(ThemeId::dark);
        const auto layer = [](const Shape& shape) {
            return OverlayLayer{.plane = plane_of(shape, [](auto) { return std::uint8_t{1}; }), .rule = {}, .look = {}};
        };
        const auto swapped = overlay_image(*image, {}, {layer(Shape{30, 20})}, theme);
        QVERIFY(!swapped.ok());
        QVERIFY(swapped.error().hint.text().find("swapped") != std::string::npos);
        const auto other = overlay_image(*image, {}, {layer(Shape{20, 31})}, theme);
        QVERIFY(!other.ok());
        QVERIFY(other.error().hint.empty());
        QVERIFY(!overlay_image(*image, {}, {}, theme, 0).ok());
        QVERIFY(!overlay_image(*image, {}, {}, theme, 2000).ok());
        const auto plane = plane_of(Shape{30, 20}, [](auto) { return std::uint8_t{1}; });
        const auto fitting = plane_of(Shape{20, 30}, [](auto) { return std::uint8_t{1}; });
        QVERIFY(!compare_image(*image, {}, *plane, *fitting, 1, theme, nullptr).ok());
        QVERIFY(!compare_image(*image, {}, *fitting, *plane, 1, theme, nullptr).ok());
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!overlay_image(*image, {}, {}, theme, 1, JobContext(stop.get_token())).ok());
    }
};

QTEST_APPLESS_MAIN(OverlayImageTest)
#include "overlay_image_test.moc"
