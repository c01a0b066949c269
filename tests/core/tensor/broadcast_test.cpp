// SPDX-License-Identifier: Apache-2.0
// Error texts are PyTorch 2.x's.
#include "core/tensor/broadcast.h"

#include <QTest>

using namespace maskscope;

class BroadcastTest : public QObject {
    Q_OBJECT
private slots:
    void aligns_at_the_right() {
        QCOMPARE(*broadcast_shapes({2, 1, 4}, {3, 1}), (Shape{2, 3, 4}));
        QCOMPARE(*broadcast_shapes({}, {5}), (Shape{5}));
        QCOMPARE(*broadcast_shapes({0, 3}, {1, 3}), (Shape{0, 3}));
        QCOMPARE(*broadcast_shapes({1}, {0}), (Shape{0}));
    }
    void refuses_in_pytorchs_words() {
        const auto refused = broadcast_shapes({2, 2}, {2, 3});
        QCOMPARE(
            refused.error().text(),
            std::string("The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1"));
        QCOMPARE(refused.error().type, std::string("RuntimeError"));
        QVERIFY(!broadcast_shapes({0}, {2}));
    }
    void expanding_repeats_without_bytes() {
        Tensor row = *Tensor::zeros({3}, DType::i32);
        row.writable_as<std::int32_t>()[1] = 7;
        const auto wide = expand(row, {2, 3});
        QCOMPARE(wide->strides(), (Strides{0, 1}));
        QCOMPARE(std::get<std::int64_t>(wide->at(std::array<std::int64_t, 2>{1, 1})), std::int64_t{7});
        QCOMPARE(wide->storage().get(), row.storage().get());
    }
    void expand_refuses_in_pytorchs_words() {
        const auto refused = expand(*Tensor::zeros({2, 3}, DType::f32), {2, 4});
        QCOMPARE(refused.error().text(),
                 std::string("The expanded size of the tensor (4) must match the existing size (3) at non-singleton "
                             "dimension 1.  Target sizes: [2, 4].  Tensor sizes: [2, 3]"));
    }
    void a_mask_may_not_enlarge() {
        QVERIFY(broadcasts_to({1, 3}, {2, 3}));
        QVERIFY(broadcasts_to({}, {2, 3}));
        QVERIFY(!broadcasts_to({2, 3}, {1, 3}));
        QVERIFY(!broadcasts_to({4, 2, 3}, {2, 3}));
    }
};

QTEST_APPLESS_MAIN(BroadcastTest)
#include "broadcast_test.moc"
