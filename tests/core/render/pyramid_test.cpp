// SPDX-License-Identifier: Apache-2.0
#include "tests/core/render/plane_reference.h"

#include "core/render/pool/mask_pyramid.h"
#include "core/render/pool/survey.h"
#include "core/tensor/broadcast.h"

#include <QTest>

#include <string>

using namespace maskscope;
using namespace maskscope::render;

class PyramidTest : public QObject {
    Q_OBJECT
private slots:
    void keys_sort_as_values_do() {
        for (const DType type : reference::kDTypes) {
            const KeyFormat format = key_format(type, std::nullopt);
            const Tensor cells = reference::random_plane(type, 1, 400, reference::Layout::contiguous, 0.2, 3);
            for (int i = 0; i < 400; ++i) {
                for (int j = 0; j < 400; ++j) {
                    const auto key = [&](int at) {
                        return key_from_bits(
                            format, load_bits(cells.data() + static_cast<std::size_t>(at) * size_of(type), type));
                    };
                    const auto number = [&](int at) {
                        return load_scalar(cells.data() + static_cast<std::size_t>(at) * size_of(type), type);
                    };
                    const double a = to_double(number(i));
                    const double b = to_double(number(j));
                    if (std::isnan(a)) QVERIFY(format.is_nan(key(i)));
                    if (std::isinf(a)) QVERIFY(a > 0 ? format.is_posinf(key(i)) : format.is_neginf(key(i)));
                    QCOMPARE(a == 0, format.zero.holds(key(i)));
                    if (!std::isnan(a)) QCOMPARE(double_from_key(format, key(i)), a);
                    if (a < b) QVERIFY(key(i) < key(j));
                }
            }
        }
    }

    void a_masked_value_is_found_exactly() {
        // 2^53 and 2^53 + 1 are one double; 2^53 + 4 is another.
        const KeyFormat wide = key_format(DType::i64, 9007199254740992.0);
        QVERIFY(wide.masked && wide.masked->holds(9007199254740992) && wide.masked->holds(9007199254740993));
        QVERIFY(!wide.masked->holds(9007199254740996));
        QVERIFY(!key_format(DType::f16, -1e9).masked);  // beyond half precision
        QVERIFY(!key_format(DType::u8, 0.5).masked);
        QVERIFY(!key_format(DType::f32, std::nan("")).masked);
        const KeyFormat signless = key_format(DType::f32, -0.0);
        QVERIFY(signless.masked && signless.masked->holds(0) && signless.masked->holds(-1));
    }

    void every_level_holds_the_ends_and_counts_of_its_blocks() {
        unsigned seed = 1;
        constexpr std::array<std::array<std::int64_t, 2>, 4> kSizes = {{{1, 1}, {9, 70}, {250, 33}, {130, 2100}}};
        for (const DType type : {DType::f32, DType::u8, DType::f8_e4m3, DType::i16, DType::f64, DType::bf16}) {
            for (const auto& [rows, cols] : kSizes) {
                for (const auto layout : reference::kLayouts) {
                    Plane plane{reference::random_plane(type, rows, cols, layout, 0.4, ++seed), {}};
                    if (seed % 2 == 0) plane.masked_value = reference::value_of(plane, rows / 2, cols / 2);
                    const auto surveyed = survey(plane, nullptr, nullptr, JobContext(), Lane::background);
                    QVERIFY(surveyed.ok());
                    check(plane, surveyed->pyramid);
                }
            }
        }
    }

    void masks_are_counted_in_blocks() {
        const std::int64_t rows = 75;
        const std::int64_t cols = 141;
        for (int kind = 0; kind < 4; ++kind) {
            Tensor flags =
                reference::random_flags(kind == 1 || kind == 3 ? 1 : rows, kind == 2 || kind == 3 ? 1 : cols, 0.4, 3);
            const MaskPlane mask{*expand(flags, Shape{rows, cols}), MaskConvention::drop};
            const auto pyramid = MaskPyramid::build(mask, JobContext(), Lane::background);
            QVERIFY(pyramid.ok());
            for (int level = 0; level < pyramid->level_count(); ++level) {
                const std::int64_t size = kBlock << level;
                for (std::int64_t r = 0; r * size < rows; ++r) {
                    for (std::int64_t c = 0; c * size < cols; ++c) {
                        std::int64_t hidden = 0;
                        std::int64_t all = 0;
                        for (std::int64_t y = r * size; y < std::min(rows, (r + 1) * size); ++y) {
                            for (std::int64_t x = c * size; x < std::min(cols, (c + 1) * size); ++x) {
                                ++all;
                                if (hides(mask, y, x)) ++hidden;
                            }
                        }
                        QCOMPARE(pyramid->hidden_cells(level, r, c), hidden);
                        const Coverage wanted = hidden == 0     ? Coverage::visible
                                                : hidden == all ? Coverage::hidden
                                                                : Coverage::split;
                        QCOMPARE(pyramid->coverage(level, r, c), wanted);
                    }
                }
            }
        }
    }

    void memory_beyond_the_data_is_small() {
        for (const DType type : reference::kDTypes) {
            for (const bool by_value : {false, true}) {
                Plane plane{*Tensor::zeros(Shape{2048, 2048}, type), {}};
                if (by_value) plane.masked_value = 0.0;
                HeatmapData data(plane, {});
                QVERIFY(data.prepare(JobContext()).ok());
                const double share =
                    static_cast<double>(data.extra_bytes()) / static_cast<double>(plane.tensor.byte_size());
                QVERIFY2(share <= 0.12,
                         qPrintable(QString("%1: %2").arg(std::string(name_of(type)).c_str()).arg(share)));
            }
        }
    }

private:
    static void check(const Plane& plane, const Pyramid& pyramid) {
        const KeyFormat& format = pyramid.format();
        for (int level = 0; level < pyramid.level_count(); ++level) {
            const std::int64_t size = kBlock << level;
            for (std::int64_t r = 0; r * size < plane.rows(); ++r) {
                for (std::int64_t c = 0; c * size < plane.cols(); ++c) {
                    std::int64_t max = format.lowest;
                    std::int64_t min = format.highest;
                    std::int64_t zero = 0;
                    std::int64_t masked = 0;
                    for (std::int64_t y = r * size; y < std::min(plane.rows(), (r + 1) * size); ++y) {
                        for (std::int64_t x = c * size; x < std::min(plane.cols(), (c + 1) * size); ++x) {
                            const CellState state = state_of(plane, nullptr, y, x);
                            if (state == CellState::masked) ++masked;
                            if (state == CellState::true_zero) ++zero;
                            if (state == CellState::masked) continue;
                            const std::array<std::int64_t, 2> index = {y, x};
                            const auto bits = load_bits(plane.tensor.address_of(index), plane.tensor.dtype());
                            max = std::max(max, key_from_bits(format, bits));
                            min = std::min(min, key_from_bits(format, bits));
                        }
                    }
                    const std::int64_t at = r * pyramid.level(level).cols + c;
                    QCOMPARE(pyramid.max_key(level, r, c), max);
                    QCOMPARE(pyramid.min_key(level, r, c), min);
                    QCOMPARE(pyramid.level(level).zero.at(at), zero);
                    if (format.masked) QCOMPARE(pyramid.level(level).masked.at(at), masked);
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(PyramidTest)
#include "pyramid_test.moc"
