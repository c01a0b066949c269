// SPDX-License-Identifier: Apache-2.0
#include "core/ops/loops/blocks.h"
#include "core/ops/loops/halves.h"
#include "core/tensor/convert.h"

#include <QTest>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace maskscope::ops {

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
}  // namespace

class BlocksTest : public QObject {
    Q_OBJECT

    template <class Source>
    static std::int64_t stored(Source value, DType dtype) {
        std::array<std::byte, 8> element{};
        store_block(&value, dtype, static_cast<std::int64_t>(size_of(dtype)), 1, element.data());
        std::int64_t out = 0;
        load_block(element.data(), dtype, 0, 1, &out);
        return out;
    }
    static unsigned f8_bits(float value, DType dtype) {
        std::byte element{};
        store_block(&value, dtype, 1, 1, &element);
        return static_cast<unsigned>(element);
    }

private slots:
    // torch.tensor(value, dtype=torch.float64).to(dtype) with PyTorch 2.15 on x86.
    void doublesToIntegers_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<qint64>("u8");
        QTest::addColumn<qint64>("i8");
        QTest::addColumn<qint64>("i16");
        QTest::addColumn<qint64>("i32");
        QTest::addColumn<qint64>("i64");
        const auto row = [](double value, qint64 u8, qint64 i8, qint64 i16, qint64 i32, qint64 i64) {
            QTest::addRow("%g", value) << value << u8 << i8 << i16 << i32 << i64;
        };
        constexpr qint64 kMin32 = std::numeric_limits<std::int32_t>::min();
        row(-0.5, 0, 0, 0, 0, 0);
        row(1.9, 1, 1, 1, 1, 1);
        row(-1.9, 255, -1, -1, -1, -1);
        row(128, 128, -128, 128, 128, 128);
        row(-129, 127, 127, -129, -129, -129);
        row(300, 44, 44, 300, 300, 300);
        row(32768, 0, 0, -32768, 32768, 32768);
        row(2147483648.0, 0, 0, 0, kMin32, 2147483648);
        row(-2147483649.0, 255, 0, 0, kMin32, -2147483649);
        row(3000000001.0, 1, 0, 0, kMin32, 3000000001);
        row(1e20, 0, 0, 0, kMin32, kMin);
        row(-1e20, 0, 0, 0, kMin32, kMin);
        row(kInf, 0, 0, 0, kMin32, kMin);
        row(kNan, 0, 0, 0, kMin32, kMin);
    }
    void doublesToIntegers() {
        QFETCH(double, value);
        QFETCH(qint64, u8);
        QFETCH(qint64, i8);
        QFETCH(qint64, i16);
        QFETCH(qint64, i32);
        QFETCH(qint64, i64);
        QCOMPARE(stored(value, DType::u8), u8);
        QCOMPARE(stored(value, DType::i8), i8);
        QCOMPARE(stored(value, DType::i16), i16);
        QCOMPARE(stored(value, DType::i32), i32);
        QCOMPARE(stored(value, DType::i64), i64);
        QCOMPARE(stored(value, DType::boolean), qint64{value != 0});
    }
    void integersWrap() {
        QCOMPARE(stored(std::int64_t{300}, DType::u8), 44);
        QCOMPARE(stored(std::int64_t{-1}, DType::u8), 255);
        QCOMPARE(stored(std::int64_t{200}, DType::i8), -56);
        QCOMPARE(stored(std::int64_t{1} << 40, DType::i32), 0);
        QCOMPARE(stored(std::int64_t{256}, DType::boolean), 1);
    }
    void unsigned64() {
        std::uint64_t bits = 0;
        const auto store = [&](double value) {
            store_number(value, DType::u64, reinterpret_cast<std::byte*>(&bits));
            return bits;
        };
        QCOMPARE(store(9.3e18), 9300000000000000000ULL);
        QCOMPARE(store(-1.0), 18446744073709551615ULL);
        QCOMPARE(store(kNan), 9223372036854775808ULL);
        QCOMPARE(store(kInf), 0ULL);
    }
    // As Eigen's conversions (core/tensor/convert.h) make them.
    void halves() {
        for (unsigned bits = 0; bits < 65536; ++bits) {
            const auto half = static_cast<std::uint16_t>(bits);
            const float one = single_from_half(half);
            const float other = float_from_f16(half);
            QVERIFY(std::isnan(other) ? std::isnan(one)
                                      : std::bit_cast<unsigned>(one) == std::bit_cast<unsigned>(other));
            QCOMPARE(std::bit_cast<unsigned>(single_from_brain(half)), std::bit_cast<unsigned>(float_from_bf16(half)));
        }
        for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32U); bits += 4099) {
            const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
            const auto half = half_from_single(single);
            const auto brain = brain_from_single(single);
            const bool is_nan = std::isnan(single);
            QVERIFY(is_nan ? std::isnan(float_from_f16(half)) : half == f16_from_float(single));
            QVERIFY(is_nan ? std::isnan(float_from_bf16(brain)) : brain == bf16_from_float(single));
        }
    }
    // torch.tensor(value).to(torch.float8_e4m3fn), .to(torch.float8_e5m2).
    void eightBits() {
        struct Row {
            float value;
            unsigned e4m3;
            unsigned e5m2;
        };
        for (const auto& row :
             {Row{0.0F, 0x00, 0x00}, Row{-0.0F, 0x80, 0x80}, Row{1.0F, 0x38, 0x3C}, Row{1.0625F, 0x38, 0x3C},
              Row{1.1875F, 0x3A, 0x3D}, Row{0.001F, 0x01, 0x14}, Row{0.0009765625F, 0x00, 0x14},
              Row{448.0F, 0x7E, 0x5F}, Row{464.0F, 0x7E, 0x5F}, Row{465.0F, 0x7E, 0x5F}, Row{-500.0F, 0xFE, 0xE0},
              Row{57344.0F, 0x7E, 0x7B}, Row{61439.0F, 0x7E, 0x7B}, Row{61440.0F, 0x7E, 0x7C},
              Row{HUGE_VALF, 0x7E, 0x7C}, Row{1e-9F, 0x00, 0x00}, Row{0.0146484375F, 0x08, 0x24},
              Row{7.62939453125e-06F, 0, 0}}) {
            QCOMPARE(f8_bits(row.value, DType::f8_e4m3), row.e4m3);
            QCOMPARE(f8_bits(row.value, DType::f8_e5m2), row.e5m2);
        }
        for (unsigned bits = 0; bits < 256; ++bits) {
            const auto code = static_cast<std::uint8_t>(bits);
            if (std::isfinite(float_from_f8_e4m3(code)))
                QCOMPARE(f8_bits(float_from_f8_e4m3(code), DType::f8_e4m3), bits);
            if (!std::isnan(float_from_f8_e5m2(code)))
                QCOMPARE(f8_bits(float_from_f8_e5m2(code), DType::f8_e5m2), bits);
        }
    }
    void strided() {
        const std::vector<std::int16_t> source = {1, 2, 3, 4, 5, 6};
        std::array<float, 3> block{};
        const auto* first = reinterpret_cast<const std::byte*>(source.data());
        load_block(first, DType::i16, 4, 3, block.data());
        QCOMPARE(block, (std::array<float, 3>{1, 3, 5}));
        load_block(first + 10, DType::i16, -4, 3, block.data());
        QCOMPARE(block, (std::array<float, 3>{6, 4, 2}));
        std::vector<double> target(6, -1.0);
        store_block(block.data(), DType::f64, 16, 3, reinterpret_cast<std::byte*>(target.data()));
        QCOMPARE(target, (std::vector<double>{6, -1, 4, -1, 2, -1}));
    }
    void computeTypes() {
        QCOMPARE(compute_of(DType::boolean), Compute::i64);
        QCOMPARE(compute_of(DType::u8), Compute::i64);
        QCOMPARE(compute_of(DType::bf16), Compute::f32);
        QCOMPARE(compute_of(DType::f64), Compute::f64);
    }
};

}  // namespace maskscope::ops

QTEST_APPLESS_MAIN(maskscope::ops::BlocksTest)
#include "blocks_test.moc"
