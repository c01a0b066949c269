// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/image_data.h"

#include "core/tensor/convert.h"
#include "tests/core/render/overlay/made_tensors.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace maskscope;
using namespace maskscope::render;
using namespace maskscope::test;

namespace {

constexpr Rgb kBackground = 0xff101216;  // of the dark theme
constexpr Tone kBytes{};

struct Picture {
    int width = 0;
    std::vector<Rgb> pixels;
    Rgb at(int x, int y) const {
        return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
};

Picture pooled(const ImageData& image, const Viewport& viewport, const Tone& tone = kBytes,
               Rgb background = kBackground) {
    Picture out{viewport.width, {}};
    out.pixels.assign(static_cast<std::size_t>(viewport.width) * static_cast<std::size_t>(viewport.height),
                      0xdeadbeefU);
    image.pool(viewport, 0, 0, viewport.width, viewport.height, tone, background, out.pixels.data(), viewport.width);
    return out;
}

Rgb grey(int value) {
    return 0xff000000U | static_cast<Rgb>(value) * 0x010101U;
}

// The image when each cell counts as the rounded mean of its block (unit 1: itself).
class BlockMeans {
public:
    BlockMeans(const Tensor& image, std::int64_t unit)
        : channels_(image.rank() == 3 ? image.size(2) : 1), unit_(unit), across_((image.size(1) + unit - 1) / unit) {
        const auto* cells = image.data_as<std::uint8_t>();
        for (std::int64_t top = 0; top < image.size(0); top += unit) {
            for (std::int64_t left = 0; left < image.size(1); left += unit) {
                for (std::int64_t channel = 0; channel < channels_; ++channel) {
                    double sum = 0;
                    double count = 0;
                    for (std::int64_t r = top; r < std::min(top + unit, image.size(0)); ++r)
                        for (std::int64_t c = left; c < std::min(left + unit, image.size(1)); ++c, ++count)
                            sum += cells[(r * image.size(1) + c) * channels_ + channel];
                    means_.push_back(std::floor(sum / count + 0.5));
                }
            }
        }
    }
    double at(std::int64_t channel, std::int64_t row, std::int64_t col) const {
        return means_[static_cast<std::size_t>((row / unit_ * across_ + col / unit_) * channels_ + channel)];
    }

private:
    std::int64_t channels_;
    std::int64_t unit_;
    std::int64_t across_;
    std::vector<double> means_;
};

// Every pixel against a mean computed cell by cell. The first pixel that differs, or an empty text.
QString first_difference(const Tensor& image, const Picture& picture, const Viewport& v, std::int64_t unit) {
    const int channels = image.rank() == 3 ? static_cast<int>(image.size(2)) : 1;
    const BlockMeans blocks(image, unit);
    for (int y = 0; y < v.height; ++y) {
        for (int x = 0; x < v.width; ++x) {
            const auto rows = cells_under(v.row0, v.pitch, y, image.size(0));
            const auto cols = cells_under(v.col0, v.pitch, x, image.size(1));
            Rgb wanted = kBackground;
            if (rows.begin < rows.end && cols.begin < cols.end) {
                std::array<int, 3> mean{};
                for (int c = 0; c < channels; ++c) {
                    double sum = 0;
                    for (auto row = rows.begin; row < rows.end; ++row)
                        for (auto col = cols.begin; col < cols.end; ++col) sum += blocks.at(c, row, col);
                    const auto area = static_cast<double>((rows.end - rows.begin) * (cols.end - cols.begin));
                    mean[static_cast<std::size_t>(c)] = static_cast<int>(std::floor(sum / area + 0.5));
                }
                wanted = channels == 1 ? grey(mean[0])
                                       : 0xff000000U | static_cast<Rgb>(mean[0] << 16 | mean[1] << 8 | mean[2]);
            }
            if (picture.at(x, y) != wanted)
                return QString("pixel %1, %2 is %3 and not %4")
                    .arg(x)
                    .arg(y)
                    .arg(picture.at(x, y), 8, 16)
                    .arg(wanted, 8, 16);
        }
    }
    return {};
}

std::shared_ptr<ImageData> ready(const Tensor& image, std::span<const std::array<std::uint8_t, 4>> palette = {}) {
    auto data = *ImageData::of(image, palette);
    if (!data->prepare(JobContext{})) return nullptr;
    return data;
}

}  // namespace

class ImageDataTest : public QObject {
    Q_OBJECT

private slots:
    void enlarged_pixels_are_the_cells() {
        for (const Shape& shape : {Shape{37, 53}, Shape{37, 53, 3}, Shape{37, 53, 1}}) {
            const Tensor image = random_bytes(shape, 1);
            const auto data = ready(image);
            for (const double pitch : {1.0, 2.0, 7.0, 40.0}) {
                for (const double origin : {0.0, 3.5, -4.25, 30.0}) {
                    const auto v = view(origin, origin / 2, pitch, 131, 97);
                    QCOMPARE(first_difference(image, pooled(*data, v), v, 1), QString());
                }
            }
        }
    }

    void shrunk_pixels_are_means_of_cells() {
        for (const Shape& shape : {Shape{201, 333}, Shape{201, 333, 3}}) {
            const Tensor image = random_bytes(shape, 2);
            const auto data = ready(image);
            for (const double pitch : {0.97, 0.5, 0.3333333, 0.2501}) {
                const auto v = view(-5, 11.3, pitch, 90, 70);
                QCOMPARE(first_difference(image, pooled(*data, v), v, 1), QString());
            }
        }
    }

    // From four cells a pixel up each cell counts as its block; which blocks, says the header.
    void small_zooms_are_means_of_blocks() {
        for (const Shape& shape : {Shape{611, 903}, Shape{611, 903, 3}}) {
            const Tensor image = random_bytes(shape, 3);
            const auto data = ready(image);
            const std::pair<double, int> cases[] = {{0.25, 4},   {0.11, 4},  {0.0625, 8},
                                                    {0.0501, 8}, {0.03, 16}, {0.004, 64}};
            for (const auto& [pitch, unit] : cases) {
                const auto v = view(-9, 17, pitch, 40, 33);
                QCOMPARE(first_difference(image, pooled(*data, v), v, unit), QString());
            }
        }
    }

    void before_levels_all_cells_are_read() {
        const Tensor image = random_bytes(Shape{500, 700, 3}, 4);
        const auto data = *ImageData::of(image);
        QVERIFY(!data->prepared());
        for (const double pitch : {0.1, 0.0025}) {  // the second: sums that need more than 16 bits
            const auto v = view(0, 0, pitch, 70, 50);
            QCOMPARE(first_difference(image, pooled(*data, v), v, 1), QString());
        }
    }

    void levels_stay_near_the_true_mean() {
        const Tensor image = random_bytes(Shape{1024, 1024}, 5);
        const auto data = ready(image);
        for (const double pitch : {1.0 / 4, 1.0 / 8, 1.0 / 64, 1.0 / 1024}) {
            const auto v = view(0, 0, pitch, static_cast<int>(1024 * pitch), static_cast<int>(1024 * pitch));
            const Picture picture = pooled(*data, v);
            const auto side = static_cast<std::int64_t>(1 / pitch);
            for (int y = 0; y < v.height; y += 7) {
                for (int x = 0; x < v.width; x += 5) {
                    double sum = 0;
                    for (std::int64_t i = 0; i < side * side; ++i)
                        sum += image.data_as<std::uint8_t>()[(y * side + i / side) * 1024 + x * side + i % side];
                    const double mean = sum / static_cast<double>(side * side);
                    QVERIFY(std::abs(static_cast<double>(picture.at(x, y) & 0xffU) - mean) <= 1.0);
                }
            }
        }
    }

    void a_part_equals_that_part_of_the_whole() {
        const Tensor image = random_bytes(Shape{300, 401, 3}, 6);
        const auto data = ready(image);
        for (const double pitch : {5.0, 1.0, 0.61, 0.2, 0.07}) {
            const auto v = view(-3, 2.5, pitch, 160, 120);
            const Picture whole = pooled(*data, v);
            std::vector<Rgb> part(static_cast<std::size_t>(50 * 31), 0);
            data->pool(v, 37, 19, 43, 31, kBytes, kBackground, part.data(), 50);
            for (int y = 0; y < 31; ++y) {
                for (int x = 0; x < 43; ++x)
                    QCOMPARE(part[static_cast<std::size_t>(y * 50 + x)], whole.at(37 + x, 19 + y));
                QCOMPARE(part[static_cast<std::size_t>(y * 50 + 43)], Rgb{0});  // beyond the width nothing is written
            }
        }
    }

    void strides_do_not_matter() {
        const Tensor image = random_bytes(Shape{3, 80, 90}, 7);  // planes of channels
        const std::array<int, 3> order{1, 2, 0};
        const Tensor turned = image.permute(order);
        const auto a = ready(turned);
        const auto b = ready(*turned.contiguous());
        const Tensor flat = image.select(0, 0);
        const auto c = ready(flat.narrow(1, 1, 40, 2).transpose(0, 1));
        const auto d = ready(*flat.narrow(1, 1, 40, 2).transpose(0, 1).contiguous());
        for (const double pitch : {3.0, 0.7, 0.19}) {
            const auto v = view(1, 2, pitch, 60, 50);
            QCOMPARE(pooled(*a, v).pixels, pooled(*b, v).pixels);
            QCOMPARE(pooled(*c, v).pixels, pooled(*d, v).pixels);
        }
    }

    void sixteen_bit_by_its_range() {
        const Tensor image = tensor_of<std::uint16_t>(
            Shape{8, 8}, DType::u16, [](std::int64_t i) { return static_cast<std::uint16_t>(1000 + i * 100); });
        auto data = *ImageData::of(image);
        QCOMPARE(data->natural_tone(), (Tone{0, 65535, 1}));
        QVERIFY(data->prepare(JobContext{}).ok());
        QCOMPARE(data->natural_tone(), (Tone{1000, 1000 + 63 * 100, 1}));
        const auto picture = pooled(*data, view(0, 0, 1, 8, 8), data->natural_tone());
        QCOMPARE(picture.at(0, 0), grey(0));
        QCOMPARE(picture.at(7, 7), grey(255));
        QCOMPARE(picture.at(3, 2), grey(static_cast<int>(std::floor(19.0 / 63 * 255 + 0.5))));
        // The mean of a quarter is rounded to a whole number, then looked up.
        const auto shrunk = pooled(*data, view(0, 0, 0.5, 4, 4), data->natural_tone());
        const double mean = 1000 + (0 + 1 + 8 + 9) / 4.0 * 100;
        QCOMPARE(shrunk.at(0, 0), grey(static_cast<int>(std::floor((mean - 1000) / 6300 * 255 + 0.5))));
    }

    void floats_with_gamma_and_nan() {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float inf = std::numeric_limits<float>::infinity();
        const std::vector<float> values = {0, 0.25F, 0.5F, 1, nan, inf, -inf, 2};
        const Tensor image = tensor_of<float>(Shape{1, 8}, DType::f32,
                                              [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; });
        const auto data = ready(image);
        QCOMPARE(data->natural_tone(), (Tone{0, 2, 1}));
        const auto picture = pooled(*data, view(0, 0, 1, 8, 1), Tone{0, 1, 2.2});
        const auto byte = [](double t) { return static_cast<int>(std::floor(std::pow(t, 1 / 2.2) * 255 + 0.5)); };
        QCOMPARE(picture.at(0, 0), grey(0));
        QCOMPARE(picture.at(1, 0), grey(byte(0.25)));
        QCOMPARE(picture.at(2, 0), grey(byte(0.5)));
        QCOMPARE(picture.at(3, 0), grey(255));
        QCOMPARE(picture.at(4, 0), Theme::get(ThemeId::dark)[Token::st_nan]);
        QCOMPARE(picture.at(5, 0), grey(255));
        QCOMPARE(picture.at(6, 0), grey(0));
        QCOMPARE(picture.at(7, 0), grey(255));
        const auto light = pooled(*data, view(0, 0, 1, 8, 1), Tone{0, 1, 1}, 0xffffffffU);
        QCOMPARE(light.at(4, 0), Theme::get(ThemeId::light)[Token::st_nan]);
        // One NaN under a pixel is still seen.
        QCOMPARE(pooled(*data, view(0, 0, 0.125, 1, 1)).at(0, 0), Theme::get(ThemeId::dark)[Token::st_nan]);
    }

    void every_dtype_is_drawn() {
        const auto check = [](const Tensor& image, const Tone& tone, int left, int right) {
            const auto data = ready(image);
            QVERIFY(data != nullptr);
            QCOMPARE(data->natural_tone(), tone);
            const auto picture = pooled(*data, view(0, 0, 1, 2, 1), tone);
            QCOMPARE(picture.at(0, 0), grey(left));
            QCOMPARE(picture.at(1, 0), grey(right));
        };
        const Shape shape{1, 2};
        check(tensor_of<std::uint8_t>(shape, DType::boolean, [](auto i) { return static_cast<std::uint8_t>(i); }),
              Tone{0, 1, 1}, 0, 255);
        check(tensor_of<std::int16_t>(shape, DType::i16, [](auto i) { return static_cast<std::int16_t>(i * 10 - 5); }),
              Tone{-5, 5, 1}, 0, 255);
        check(tensor_of<std::int64_t>(shape, DType::i64, [](auto i) { return i * 1000; }), Tone{0, 1000, 1}, 0, 255);
        check(tensor_of<double>(shape, DType::f64, [](auto i) { return static_cast<double>(i) / 4; }), Tone{0, 0.25, 1},
              0, 255);
        check(tensor_of<std::uint16_t>(shape, DType::f16, [](auto i) { return f16_from_float(i == 0 ? -1.0F : 3.0F); }),
              Tone{-1, 3, 1}, 0, 255);
    }

    void alpha_lies_over_the_background() {
        const std::vector<std::uint8_t> values = {255, 0, 0, 255, 0, 255, 0, 0, 0, 0, 255, 128, 10, 20, 30, 64};
        const Tensor image = tensor_of<std::uint8_t>(
            Shape{1, 4, 4}, DType::u8, [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; });
        const auto data = ready(image);
        const auto picture = pooled(*data, view(0, 0, 1, 4, 1));
        QCOMPARE(picture.at(0, 0), Rgb{0xffff0000});
        QCOMPARE(picture.at(1, 0), kBackground);
        QCOMPARE(picture.at(2, 0), blend(kBackground, 0xff0000ffU, 128.0 / 255));
        QCOMPARE(picture.at(3, 0), blend(kBackground, 0xff0a141eU, 64.0 / 255));
        // Colours of pixels that no one sees do not bleed: half covered by red, and no green.
        QCOMPARE(pooled(*data, view(0, 0, 0.5, 1, 1)).at(0, 0), blend(kBackground, 0xffff0000U, 0.5));
    }

    void palette_indices_are_colours() {
        const std::vector<std::array<std::uint8_t, 4>> palette = {
            {0, 0, 0, 255}, {200, 100, 50, 255}, {0, 0, 250, 255}};
        const Tensor image = tensor_of<std::uint8_t>(
            Shape{2, 2}, DType::u8, [](std::int64_t i) { return static_cast<std::uint8_t>(i == 3 ? 77 : i); });
        const auto data = ready(image, palette);
        const auto picture = pooled(*data, view(0, 0, 1, 2, 2));
        QCOMPARE(picture.at(0, 0), Rgb{0xff000000});
        QCOMPARE(picture.at(1, 0), Rgb{0xffc86432});
        QCOMPARE(picture.at(0, 1), Rgb{0xff0000fa});
        QCOMPARE(picture.at(1, 1), Rgb{0xff000000});  // beyond the palette
        // Means are of colours, never of indices.
        QCOMPARE(pooled(*data, view(0, 0, 0.5, 1, 1)).at(0, 0), Rgb{0xff00'00'00U | 50U << 16U | 25U << 8U | 75U});
        QCOMPARE(data->channels(), 1);
    }

    void refusals() {
        QVERIFY(!ImageData::of(random_bytes(Shape{4}, 1)).ok());
        QVERIFY(!ImageData::of(random_bytes(Shape{4, 4, 5}, 1)).ok());
        QVERIFY(!ImageData::of(random_bytes(Shape{0, 4}, 1)).ok());
        QVERIFY(!ImageData::of(Tensor()).ok());
        const std::vector<std::array<std::uint8_t, 4>> palette = {{0, 0, 0, 255}};
        QVERIFY(!ImageData::of(random_bytes(Shape{4, 4, 3}, 1), palette).ok());
        std::stop_source stop;
        stop.request_stop();
        const auto data = *ImageData::of(random_bytes(Shape{400, 400}, 1));
        QVERIFY(!data->prepare(JobContext(stop.get_token())).ok());
        QVERIFY(!data->prepared());
    }

    void odd_viewports_show_background() {
        const auto data = ready(random_bytes(Shape{5, 5}, 1));
        for (const double origin : {1e18, -1e18, std::numeric_limits<double>::quiet_NaN()}) {
            const auto picture = pooled(*data, view(origin, 0, 2, 3, 3));
            if (!std::isnan(origin)) QCOMPARE(picture.at(1, 1), kBackground);
        }
        QCOMPARE(pooled(*data, view(0, 0, 0, 3, 3)).at(1, 1), kBackground);
    }
};

QTEST_APPLESS_MAIN(ImageDataTest)
#include "image_data_test.moc"
