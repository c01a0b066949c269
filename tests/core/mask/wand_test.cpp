// SPDX-License-Identifier: Apache-2.0
// The wand against cv2.floodFill, and what OpenCV has no answer for.
#include "core/mask/fill.h"
#include "tests/core/mask/mask_goldens.h"

#include <QtTest>

#include <limits>

using namespace maskscope;
using namespace maskscope::mask;
using namespace maskscope::test;

namespace {

template <class T>
Tensor image_as(const nlohmann::json& values, DType dtype) {
    const bool colour = values[0][0].is_array();
    Shape shape{static_cast<std::int64_t>(values.size()), static_cast<std::int64_t>(values[0].size())};
    if (colour) shape.push_back(static_cast<std::int64_t>(values[0][0].size()));
    auto out = *Tensor::zeros(shape, dtype);
    auto* to = out.writable_as<T>();
    for (const auto& row : values) {
        for (const auto& pixel : row) {
            if (colour)
                for (const auto& value : pixel) *to++ = value.get<T>();
            else
                *to++ = pixel.get<T>();
        }
    }
    return out;
}

Tensor image_of(const nlohmann::json& golden) {
    const auto dtype = *dtype_from_name(golden["dtype"].get<std::string>());
    if (dtype == DType::u8) return image_as<std::uint8_t>(golden["values"], dtype);
    if (dtype == DType::u16) return image_as<std::uint16_t>(golden["values"], dtype);
    return image_as<float>(golden["values"], dtype);
}

// The same numbers with the channels first in memory: other strides.
Tensor channels_first_in_memory(const Tensor& image) {
    const int forth[] = {2, 0, 1};
    const int back[] = {1, 2, 0};
    return image.permute(forth).contiguous()->permute(back);
}

WandOptions options_of(double tolerance, Neighbours neighbours, bool anywhere = false) {
    return {tolerance, neighbours, anywhere};
}

}  // namespace

class WandTest : public QObject {
    Q_OBJECT

private slots:
    void goldens();
    void anywhere();
    void half_types();
    void nan_and_infinity();
    void one_pixel();
    void refusals();
    void stops_when_cancelled();
};

void WandTest::goldens() {
    const auto& goldens = mask_goldens();
    QVERIFY(goldens["wand"].size() > 50);
    for (const auto& golden : goldens["wand"]) {
        const auto image = image_of(goldens["images"][golden["image"].get<std::string>()]);
        const auto neighbours = golden["neighbours"] == 4 ? Neighbours::four : Neighbours::eight;
        const auto options = options_of(golden["tolerance"].get<double>(), neighbours);
        const auto wanted = bitmap_from(golden["out"]);
        const auto row = golden["row"].get<std::int64_t>();
        const auto col = golden["col"].get<std::int64_t>();
        const auto region = wand(image, row, col, options);
        QVERIFY(region.ok());
        QVERIFY2(bitmap_of(*region, wanted.bounds()) == wanted, golden.dump().substr(0, 100).c_str());
        if (image.rank() == 3) QCOMPARE(*wand(channels_first_in_memory(image), row, col, options), *region);
    }
}

void WandTest::anywhere() {
    std::mt19937 random(4);
    std::uniform_int_distribution<int> number(0, 255);
    auto image = *Tensor::zeros({90, 130, 3}, DType::u8);
    for (std::int64_t i = 0; i < image.numel(); ++i)
        image.writable_as<std::uint8_t>()[i] = static_cast<std::uint8_t>(number(random));
    const auto value = [&](std::int64_t r, std::int64_t c, std::int64_t channel) {
        return static_cast<int>(image.data_as<std::uint8_t>()[(r * 130 + c) * 3 + channel]);
    };
    Bitmap wanted(90, 130);
    for (std::int64_t r = 0; r < 90; ++r)
        for (std::int64_t c = 0; c < 130; ++c) {
            bool like = true;
            for (std::int64_t k = 0; k < 3; ++k) like = like && std::abs(value(r, c, k) - value(44, 100, k)) <= 60;
            wanted.at(r, c) = like ? 1 : 0;
        }
    const auto region = wand(image, 44, 100, options_of(60, Neighbours::four, true));
    QVERIFY(is_well_formed(*region));
    QCOMPARE(bitmap_of(*region, wanted.bounds()), wanted);
    QVERIFY(region->count() > wand(image, 44, 100, options_of(60, Neighbours::four))->count());
}

void WandTest::half_types() {
    struct Numbers {
        DType dtype;
        std::array<std::uint16_t, 4> bits;  // 1.0, 1.5, 2.0, 4.0
    };
    for (const auto& numbers : {Numbers{DType::f16, {0x3c00, 0x3e00, 0x4000, 0x4400}},
                                Numbers{DType::bf16, {0x3f80, 0x3fc0, 0x4000, 0x4080}}}) {
        const auto image = tensor_of<std::uint16_t>(
            1, 4, numbers.dtype, [&](auto, auto c) { return numbers.bits[static_cast<std::size_t>(c)]; });
        QCOMPARE(wand(image, 0, 0, options_of(0.5, Neighbours::four))->count(), 2);
        QCOMPARE(wand(image, 0, 0, options_of(1.0, Neighbours::four))->count(), 3);
        QCOMPARE(wand(image, 0, 0, options_of(3.0, Neighbours::four))->count(), 4);
    }
}

void WandTest::nan_and_infinity() {
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    const auto inf = std::numeric_limits<double>::infinity();
    const std::vector<double> values = {inf, inf, -inf, nan, 1, 2};
    const auto image =
        tensor_of<double>(1, 6, DType::f64, [&](auto, auto c) { return values[static_cast<std::size_t>(c)]; });
    const auto all = options_of(5, Neighbours::four, true);
    QCOMPARE(*wand(image, 0, 0, all), Region::of({{0, 0, 2}}));
    QCOMPARE(*wand(image, 0, 2, all), Region::of({{0, 2, 3}}));
    QCOMPARE(*wand(image, 0, 4, all), Region::of({{0, 4, 6}}));
    // NaN is like nothing, not even like itself.
    QVERIFY(wand(image, 0, 3, all)->empty());
    QVERIFY(wand(image, 0, 3, options_of(5, Neighbours::four))->empty());
}

void WandTest::one_pixel() {
    QCOMPARE(*wand(*Tensor::zeros({1, 1, 4}, DType::u8), 0, 0), Region::of_rect({0, 0, 1, 1}));
}

void WandTest::refusals() {
    const auto refused = [](const Tensor& image, std::int64_t row, std::int64_t col, double tolerance,
                            const char* word) {
        const auto region = wand(image, row, col, options_of(tolerance, Neighbours::four));
        return !region.ok() && region.error().text().find(word) != std::string::npos;
    };
    const auto grey = *Tensor::zeros({4, 6}, DType::u8);
    QVERIFY(refused(grey, 4, 0, 1, "4 rows and 6 columns"));
    QVERIFY(refused(grey, 0, -1, 1, "4 rows and 6 columns"));
    QVERIFY(refused(grey, 0, 0, -1, "tolerance"));
    QVERIFY(refused(grey, 0, 0, std::nan(""), "tolerance"));
    QVERIFY(refused(*Tensor::zeros({4, 6}, DType::i32), 0, 0, 1, "int32"));
    QVERIFY(refused(*Tensor::zeros({4}, DType::u8), 0, 0, 1, "[4]"));
    QVERIFY(refused(*Tensor::zeros({1, 4, 6, 3}, DType::u8), 0, 0, 1, "[1, 4, 6, 3]"));
    QVERIFY(refused(*Tensor::zeros({4, 6, 0}, DType::u8), 0, 0, 1, "no channels"));
    QVERIFY(refused(Tensor(), 0, 0, 1, "none"));
}

void WandTest::stops_when_cancelled() {
    std::stop_source stop;
    stop.request_stop();
    const auto image = *Tensor::zeros({300, 300}, DType::u8);
    for (const bool anywhere : {false, true}) {
        const auto region = wand(image, 0, 0, options_of(1, Neighbours::four, anywhere), JobContext(stop.get_token()));
        QVERIFY(!region);
        QCOMPARE(region.error().kind, ErrorKind::cancelled);
    }
}

QTEST_APPLESS_MAIN(WandTest)
#include "wand_test.moc"
