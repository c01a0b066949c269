// SPDX-License-Identifier: Apache-2.0
// Values of the short floating types come from PyTorch (tests/golden/files/floats.json).
#include "core/tensor/convert.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>
#include <limits>

using namespace maskscope;

namespace {

double number(const QJsonValue& value) {
    if (!value.isString()) return value.toDouble();
    if (value.toString() == "nan") return std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    return value.toString() == "inf" ? inf : value.toString() == "-inf" ? -inf : -0.0;
}

// JSON readers lose the sign of zero, so the sign is taken from the pattern's top bit.
bool same(double ours, double expected, bool negative) {
    if (std::isnan(expected)) return std::isnan(ours);
    return ours == expected && std::signbit(ours) == negative;
}

QJsonObject floats() {
    QFile file(MS_SOURCE_DIR "/tests/golden/files/floats.json");
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

}  // namespace

class DtypeTest : public QObject {
    Q_OBJECT
private slots:
    void every_8_bit_pattern_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<int>("dtype");
        QTest::newRow("e4m3") << "float8_e4m3fn" << static_cast<int>(DType::f8_e4m3);
        QTest::newRow("e5m2") << "float8_e5m2" << static_cast<int>(DType::f8_e5m2);
    }
    void every_8_bit_pattern() {
        QFETCH(QString, key);
        QFETCH(int, dtype);
        const auto values = floats()[key].toArray();
        QCOMPARE(values.size(), 256);
        for (int bits = 0; bits < 256; ++bits) {
            const auto byte = static_cast<std::byte>(bits);
            const double ours = to_double(load_scalar(&byte, static_cast<DType>(dtype)));
            QVERIFY2(same(ours, number(values[bits]), bits >= 0x80),
                     qPrintable(QString("pattern %1: %2").arg(bits).arg(ours)));
        }
    }
    void half_patterns_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<int>("dtype");
        QTest::newRow("f16") << "float16" << static_cast<int>(DType::f16);
        QTest::newRow("bf16") << "bfloat16" << static_cast<int>(DType::bf16);
    }
    void half_patterns() {
        QFETCH(QString, key);
        QFETCH(int, dtype);
        const auto pairs = floats()[key].toArray();
        QVERIFY(pairs.size() > 300);
        for (const auto& pair : pairs) {
            const auto bits = static_cast<std::uint16_t>(pair.toArray()[0].toInt());
            const double expected = number(pair.toArray()[1]);
            float ours = 0;
            convert_to_f32(reinterpret_cast<const std::byte*>(&bits), static_cast<DType>(dtype), 1, 1, &ours);
            QVERIFY2(same(ours, expected, bits >= 0x8000), qPrintable(QString("pattern %1: %2").arg(bits).arg(ours)));
            if (std::isnan(expected)) continue;
            const auto back = dtype == static_cast<int>(DType::f16) ? f16_from_float(ours) : bf16_from_float(ours);
            QCOMPARE(back, bits);
        }
    }
    void names_are_torchs() {
        QCOMPARE(QString::fromUtf8(name_of(DType::bf16).data()), QString("bfloat16"));
        QCOMPARE(dtype_from_name("float8_e4m3fn").value(), DType::f8_e4m3);
        QVERIFY(!dtype_from_name("complex64"));
    }
    void limits_are_finfo() {
        // torch.finfo: float16 65504 and 6.1035e-05, bfloat16 3.3895e38, float32 3.4028e38.
        QCOMPARE(largest_finite(DType::f16), 65504.0);
        QCOMPARE(smallest_normal(DType::f16), 6.103515625e-05);
        QCOMPARE(largest_finite(DType::bf16), 3.3895313892515355e38);
        QCOMPARE(largest_finite(DType::f32), static_cast<double>(std::numeric_limits<float>::max()));
        QCOMPARE(largest_finite(DType::f8_e4m3), 448.0);
    }
    void strides_may_repeat_and_run_backwards() {
        const std::int16_t cells[4] = {1, 2, 3, 4};
        double out[3];
        convert_to_f64(reinterpret_cast<const std::byte*>(cells + 3), DType::i16, -1, 3, out);
        QCOMPARE(out[0], 4.0);
        QCOMPARE(out[2], 2.0);
        convert_to_f64(reinterpret_cast<const std::byte*>(cells + 1), DType::i16, 0, 3, out);
        QCOMPARE(out[2], 2.0);
    }
    void text_reads_back_as_the_same_value() {
        // As NumPy prints float16; bfloat16 stores -1e9 as -998244352.
        QCOMPARE(text_of(Scalar{double{float_from_f16(0x388F)}}, DType::f16), std::string("0.57"));
        QCOMPARE(text_of(Scalar{-998244352.0}, DType::bf16), std::string("-1e+09"));
        QCOMPARE(text_of(Scalar{double{0.1F}}, DType::f32), std::string("0.1"));
        QCOMPARE(text_of(Scalar{true}, DType::boolean), std::string("True"));
        QCOMPARE(text_of(Scalar{std::numeric_limits<double>::infinity()}, DType::f32), std::string("inf"));
        QCOMPARE(text_of(Scalar{std::uint64_t{18446744073709551615U}}, DType::u64),
                 std::string("18446744073709551615"));
    }
    void short_text_keeps_four_digits() {
        QCOMPARE(short_text_of(0.56982), std::string("0.5698"));
        QCOMPARE(short_text_of(123456), std::string("123456"));
        QCOMPARE(short_text_of(6.1e-5), std::string("6.10e-05"));
        QCOMPARE(short_text_of(-0.25), std::string("-0.25"));
    }
};

QTEST_APPLESS_MAIN(DtypeTest)
#include "dtype_test.moc"
