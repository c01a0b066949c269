// SPDX-License-Identifier: Apache-2.0
#include "core/ops/loops/promotion.h"

#include <QTest>

namespace maskscope::ops {

class PromotionTest : public QObject {
    Q_OBJECT

private slots:
    // torch.promote_types.
    void pairs() {
        QCOMPARE(promote_types(DType::u8, DType::i8), DType::i16);
        QCOMPARE(promote_types(DType::i32, DType::u8), DType::i32);
        QCOMPARE(promote_types(DType::boolean, DType::u8), DType::u8);
        QCOMPARE(promote_types(DType::i64, DType::f16), DType::f16);
        QCOMPARE(promote_types(DType::f16, DType::bf16), DType::f32);
        QCOMPARE(promote_types(DType::bf16, DType::f64), DType::f64);
    }
    // torch.result_type: tensors with dims before 0-dim ones before numbers, within one kind of number.
    void categories() {
        constexpr auto kDims = Category::dimensioned;
        constexpr auto kNone = Category::zero_dim;
        constexpr auto kNumber = Category::python_number;
        QCOMPARE(result_type({{DType::f16, kDims}, {DType::f64, kNone}}), DType::f16);
        QCOMPARE(result_type({{DType::i32, kDims}, {DType::f64, kNone}}), DType::f64);
        QCOMPARE(result_type({{DType::i32, kDims}, {DType::f64, kNumber}}), DType::f32);
        QCOMPARE(result_type({{DType::u8, kDims}, {DType::i64, kNumber}}), DType::u8);
        QCOMPARE(result_type({{DType::boolean, kDims}, {DType::i64, kNumber}}), DType::i64);
        QCOMPARE(result_type({{DType::boolean, kNone}, {DType::boolean, kNumber}}), DType::boolean);
        QCOMPARE(result_type({{DType::i64, kNumber}, {DType::f64, kNumber}}), DType::f32);
        QCOMPARE(result_type({{DType::f16, kNone}, {DType::i64, kDims}}), DType::f16);
    }
    void casts() {
        QVERIFY(!can_cast(DType::f32, DType::i64));
        QVERIFY(can_cast(DType::f64, DType::f16));
        QVERIFY(!can_cast(DType::u8, DType::boolean));
        QVERIFY(!can_cast(DType::f32, DType::boolean));
        QVERIFY(can_cast(DType::boolean, DType::f32));
    }
};

}  // namespace maskscope::ops

QTEST_APPLESS_MAIN(maskscope::ops::PromotionTest)
#include "promotion_test.moc"
