// SPDX-License-Identifier: Apache-2.0
#include "core/mask/editable_mask.h"

#include "core/mask/mask_edit.h"
#include "tests/core/mask/bitmap.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace maskscope;
using namespace maskscope::mask;

namespace {

Tensor counted(const Shape& shape) {
    Tensor out = *Tensor::zeros(shape, DType::i32);
    std::iota(out.writable_as<std::int32_t>(), out.writable_as<std::int32_t>() + out.numel(), 1);
    return out;
}

void paint(EditableMask& mask, std::int64_t plane, const Rect& rect, std::uint64_t value) {
    MaskEdit edit(**mask.plane(plane));
    edit.paint(Region::of_rect(rect), {Cell{value}, false, {}});
    edit.commit();
}

std::int32_t at(const Tensor& tensor, std::initializer_list<std::int64_t> index) {
    return static_cast<std::int32_t>(to_double(tensor.at(std::span(index.begin(), index.size()))));
}

}  // namespace

class EditableMaskTest : public QObject {
    Q_OBJECT
private slots:
    void planes_are_the_last_two_dims() {
        const Tensor tensor = counted({2, 3, 70, 5});
        auto mask = *EditableMask::of(tensor);
        QCOMPARE(mask.plane_count(), std::int64_t{6});
        QCOMPARE(mask.rows(), std::int64_t{70});
        QCOMPARE(mask.cols(), std::int64_t{5});
        QVERIFY(mask.shape() == tensor.shape() && mask.dtype() == DType::i32);
        QVERIFY(mask.find(4) == nullptr);
        const Plane* plane = *mask.plane(4);
        QVERIFY(mask.find(4) == plane);
        QCOMPARE(plane->value_at(66, 3), static_cast<double>(at(tensor, {1, 1, 66, 3})));
        QVERIFY(*mask.plane(4) == plane);
        QVERIFY(!mask.plane(6));
        QVERIFY(!mask.plane(-1));
    }

    void what_has_not_changed_is_shared() {
        const Tensor tensor = counted({2, 70, 5});
        auto mask = *EditableMask::of(tensor);
        QCOMPARE(mask.tensor()->data(), tensor.data());
        QVERIFY(mask.plane(1).ok());
        QCOMPARE(mask.tensor()->data(), tensor.data());
    }

    void an_edit_shows_in_a_new_tensor_and_nowhere_else() {
        const Tensor tensor = counted({2, 70, 65});
        auto mask = *EditableMask::of(tensor);
        paint(mask, 1, {60, 60, 10, 4}, 9);
        const Tensor after = *mask.tensor();
        QVERIFY(after.is_contiguous() && after.shape() == tensor.shape());
        for (std::int64_t p = 0; p < 2; ++p)
            for (std::int64_t r = 0; r < 70; ++r)
                for (std::int64_t c = 0; c < 65; ++c) {
                    const bool painted = p == 1 && r >= 60 && c >= 60 && c < 64;
                    QCOMPARE(at(after, {p, r, c}), painted ? 9 : static_cast<std::int32_t>(p * 4550 + r * 65 + c + 1));
                }
        QCOMPARE(at(tensor, {1, 60, 60}), 4550 + 60 * 65 + 60 + 1);
        // A tensor that was given out stays as it was.
        paint(mask, 0, {0, 0, 1, 1}, 5);
        const Tensor later = *mask.tensor();
        QCOMPARE(at(after, {0, 0, 0}), 1);
        QCOMPARE(at(later, {0, 0, 0}), 5);
        QCOMPARE(at(later, {1, 60, 60}), 9);
        QCOMPARE(mask.tensor()->data(), later.data());
    }

    void memory_that_nobody_looks_at_is_written_again() {
        auto mask = *EditableMask::of(counted({300, 300}));
        paint(mask, 0, {0, 0, 10, 10}, 9);
        const std::byte* first = mask.tensor()->data();
        paint(mask, 0, {200, 200, 10, 10}, 8);
        const Tensor second = *mask.tensor();
        QCOMPARE(second.data(), first);
        QCOMPARE(at(second, {9, 9}), 9);
        QCOMPARE(at(second, {205, 205}), 8);
        QCOMPARE(at(second, {100, 100}), 30101);
    }

    void a_plane_first_used_after_an_edit_of_another_holds_its_own_values() {
        auto mask = *EditableMask::of(counted({3, 4, 4}));
        paint(mask, 0, {0, 0, 4, 4}, 99);
        QVERIFY(mask.tensor().ok());
        QCOMPARE((*mask.plane(2))->value_at(1, 1), 2 * 16 + 6.0);
    }

    void a_row_alone_is_a_plane() {
        auto mask = *EditableMask::of(counted({100}));
        QCOMPARE(mask.rows(), std::int64_t{1});
        QCOMPARE(mask.cols(), std::int64_t{100});
        QCOMPARE(mask.plane_count(), std::int64_t{1});
        paint(mask, 0, {0, 64, 1, 2}, 7);
        const Tensor after = *mask.tensor();
        QCOMPARE(after.rank(), 1);
        QCOMPARE(at(after, {63}), 64);
        QCOMPARE(at(after, {64}), 7);
        QCOMPARE(at(after, {66}), 67);
    }

    void a_stroke_on_a_broadcast_dim_shows_everywhere() {
        // [2, 8, 3, 4] of 2 x 1 x 1 x 4 elements.
        const Tensor base = counted({2, 4});
        const Tensor tensor = *Tensor::view_of(base.storage(), DType::i32, {2, 8, 3, 4}, {4, 0, 0, 1}, 0);
        auto mask = *EditableMask::of(tensor);
        QCOMPARE(mask.plane_count(), std::int64_t{2});
        QCOMPARE(mask.rows(), std::int64_t{1});
        QCOMPARE(mask.cols(), std::int64_t{4});
        QVERIFY(!mask.is_broadcast(0) && mask.is_broadcast(1) && mask.is_broadcast(2) && !mask.is_broadcast(3));
        paint(mask, 1, {0, 2, 1, 1}, 50);
        const Tensor after = *mask.tensor();
        QVERIFY(after.shape() == tensor.shape());
        QVERIFY((after.strides() == Strides{4, 0, 0, 1}));
        for (std::int64_t h = 0; h < 8; ++h)
            for (std::int64_t r = 0; r < 3; ++r) {
                QCOMPARE(at(after, {1, h, r, 2}), 50);
                QCOMPARE(at(after, {1, h, r, 3}), 8);
                QCOMPARE(at(after, {0, h, r, 2}), 3);
            }
        QCOMPARE(at(tensor, {1, 0, 0, 2}), 7);
    }

    void a_turned_tensor_keeps_its_shape() {
        const Tensor base = counted({3, 70});
        auto mask = *EditableMask::of(base.transpose(0, 1));
        paint(mask, 0, {69, 2, 1, 1}, 1000);
        const Tensor after = *mask.tensor();
        QVERIFY(after.is_contiguous());
        QVERIFY((after.shape() == Shape{70, 3}));
        QCOMPARE(at(after, {69, 2}), 1000);
        QCOMPARE(at(after, {68, 1}), 70 + 69);
        QCOMPARE(at(base, {2, 69}), 210);
        QVERIFY(EditableMask::of(base.transpose(0, 1))->tensor()->is_contiguous());
    }

    void a_copy_goes_its_own_way() {
        auto mask = *EditableMask::of(counted({64, 64}));
        paint(mask, 0, {0, 0, 1, 1}, 7);
        auto copy = mask;
        paint(mask, 0, {0, 0, 1, 1}, 8);
        QCOMPARE(at(*copy.tensor(), {0, 0}), 7);
        QCOMPARE(at(*mask.tensor(), {0, 0}), 8);
    }

    void what_has_no_cells_is_refused() {
        QVERIFY(!EditableMask::of(Tensor()));
        QVERIFY(!EditableMask::of(*Tensor::zeros({}, DType::u8)));
        QVERIFY(!EditableMask::of(*Tensor::shapes_only({3, 3}, DType::u8)));
        auto empty = *EditableMask::of(*Tensor::zeros({0, 5}, DType::u8));
        QVERIFY(empty.plane(0).ok());
        QVERIFY((empty.tensor()->shape() == Shape{0, 5}));
        QCOMPARE(EditableMask::of(*Tensor::zeros({0, 5, 5}, DType::u8))->plane_count(), std::int64_t{0});
    }
};

QTEST_APPLESS_MAIN(EditableMaskTest)
#include "editable_mask_test.moc"
