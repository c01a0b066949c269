// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/resize.h"

#include "tests/core/render/overlay/made_tensors.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace maskscope;
using namespace maskscope::render;
using namespace maskscope::test;

namespace {

constexpr ResizeRule kRules[] = {ResizeRule::nearest, ResizeRule::nearest_exact, ResizeRule::bilinear,
                                 ResizeRule::bilinear_corners};

std::vector<int> row_of(const Tensor& tensor) {
    return {tensor.data_as<std::uint8_t>(), tensor.data_as<std::uint8_t>() + tensor.size(1)};
}
Tensor counting(std::int64_t count) {
    return tensor_of<std::uint8_t>(Shape{1, count}, DType::u8,
                                   [](std::int64_t i) { return static_cast<std::uint8_t>(i); });
}

}  // namespace

class ResizeTest : public QObject {
    Q_OBJECT

private slots:
    void ten_to_four() {
        QCOMPARE(row_of(*resized(counting(10), 1, 4, ResizeRule::nearest)), (std::vector<int>{0, 2, 5, 7}));
        QCOMPARE(row_of(*resized(counting(10), 1, 4, ResizeRule::nearest_exact)), (std::vector<int>{1, 3, 6, 8}));
    }

    void as_pytorch_does() {
        std::ifstream file(MS_SOURCE_DIR "/tests/golden/overlay/resize.json");
        const auto golden = nlohmann::json::parse(file);
        QVERIFY(golden["cases"].size() >= 8);
        for (const auto& one : golden["cases"]) {
            const auto plane = one["plane"].get<std::vector<double>>();
            const Shape shape{one["from"][0].get<std::int64_t>(), one["from"][1].get<std::int64_t>()};
            const auto rows = one["to"][0].get<std::int64_t>();
            const auto cols = one["to"][1].get<std::int64_t>();
            const auto value = [&](std::int64_t i) { return plane[static_cast<std::size_t>(i)]; };
            const Tensor f64 = tensor_of<double>(shape, DType::f64, value);
            const Tensor f32 =
                tensor_of<float>(shape, DType::f32, [&](auto i) { return static_cast<float>(value(i)); });
            for (const ResizeRule rule : kRules) {
                const auto wanted = one["results"][std::string(name_of(rule))].get<std::vector<double>>();
                const Tensor made = *resized(f64, rows, cols, rule);
                const Tensor narrow = *resized(f32, rows, cols, rule);
                QCOMPARE(made.dtype(), DType::f64);
                QCOMPARE(narrow.dtype(), DType::f32);
                QCOMPARE(made.numel(), static_cast<std::int64_t>(wanted.size()));
                for (std::size_t i = 0; i < wanted.size(); ++i) {
                    QVERIFY(std::abs(made.data_as<double>()[i] - wanted[i]) <= 1e-15);
                    QVERIFY(std::abs(static_cast<double>(narrow.data_as<float>()[i]) - wanted[i]) <= 6e-8);
                }
            }
        }
    }

    // floor(d * from / to) and floor((d + 0.5) * from / to) as fractions of whole numbers, for every pair of sizes.
    void nearest_is_exact_at_any_size() {
        for (std::int64_t from = 1; from <= 60; ++from) {
            for (std::int64_t to = 1; to <= 60; ++to) {
                const auto plain = row_of(*resized(counting(from), 1, to, ResizeRule::nearest));
                const auto exact = row_of(*resized(counting(from), 1, to, ResizeRule::nearest_exact));
                for (std::int64_t d = 0; d < to; ++d) {
                    const auto i = static_cast<std::size_t>(d);
                    // source <= d * from / to < source + 1, without a division
                    QVERIFY(plain[i] * to <= d * from && d * from < (plain[i] + 1) * to);
                    QVERIFY(2 * exact[i] * to <= (2 * d + 1) * from && (2 * d + 1) * from < 2 * (exact[i] + 1) * to);
                }
            }
        }
    }

    void every_element_size_and_stride() {
        const auto check = [](const Tensor& plane) {
            const Tensor turned = plane.transpose(0, 1);
            const Tensor made = *resized(turned, 9, 4, ResizeRule::nearest);
            QCOMPARE(made.dtype(), plane.dtype());
            for (std::int64_t r = 0; r < 9; ++r) {
                for (std::int64_t c = 0; c < 4; ++c) {
                    const std::int64_t to[] = {r, c};
                    const std::int64_t from[] = {r * turned.size(0) / 9, c * turned.size(1) / 4};
                    QCOMPARE(to_double(made.at(to)), to_double(turned.at(from)));
                }
            }
        };
        check(tensor_of<std::uint8_t>(Shape{3, 5}, DType::boolean,
                                      [](auto i) { return static_cast<std::uint8_t>(i % 2); }));
        check(tensor_of<std::uint16_t>(Shape{3, 5}, DType::u16,
                                       [](auto i) { return static_cast<std::uint16_t>(i * 4001); }));
        check(tensor_of<std::int32_t>(Shape{3, 5}, DType::i32,
                                      [](auto i) { return static_cast<std::int32_t>(i - 70000); }));
        check(tensor_of<std::int64_t>(Shape{3, 5}, DType::i64, [](auto i) { return i << 40; }));
    }

    void halves_become_floats() {
        const Tensor halves = tensor_of<std::uint16_t>(Shape{1, 2}, DType::f16,
                                                       [](auto i) { return f16_from_float(static_cast<float>(i)); });
        const Tensor made = *resized(halves, 1, 4, ResizeRule::bilinear);
        QCOMPARE(made.dtype(), DType::f32);
        const float wanted[] = {0, 0.25F, 0.75F, 1};
        for (int i = 0; i < 4; ++i) QCOMPARE(made.data_as<float>()[i], wanted[i]);
    }

    void refusals() {
        const auto labels = resized(counting(4), 1, 8, ResizeRule::bilinear);
        QVERIFY(!labels.ok());
        QVERIFY(labels.error().text().find("never interpolated") != std::string::npos);
        QVERIFY(!resized(counting(4), 0, 8, ResizeRule::nearest).ok());
        QVERIFY(!resized(counting(4), 1, -1, ResizeRule::nearest).ok());
        QVERIFY(!resized(counting(4).select(0, 0), 1, 1, ResizeRule::nearest).ok());
        QVERIFY(!resized(random_bytes(Shape{0, 3}, 1), 2, 2, ResizeRule::nearest).ok());
        QVERIFY(!resized(counting(4), 2147483647, 2147483647, ResizeRule::nearest).ok());
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(resized(counting(4), 2, 2, ResizeRule::nearest, JobContext(stop.get_token())).error().kind,
                 ErrorKind::cancelled);
    }

    void names_say_who_does_so() {
        for (const ResizeRule rule : kRules) QVERIFY(about(rule).find("PyTorch") != std::string_view::npos);
    }
};

QTEST_APPLESS_MAIN(ResizeTest)
#include "resize_test.moc"
