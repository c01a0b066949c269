// SPDX-License-Identifier: Apache-2.0
#include "core/document/mask_link.h"

#include <QTest>

#include <array>

using namespace maskscope;
using namespace maskscope::document;

namespace {
using Names = std::vector<std::string>;
const Names kAttention = {"batch", "head", "query", "key"};
}  // namespace

class MaskLinkTest : public QObject {
    Q_OBJECT
private slots:
    void names_win_over_positions() {
        // By the bare broadcasting rule [2, 3] would lie on (query, key) and fail; the names say batch and key.
        const auto map = map_axes(Shape{2, 4, 5, 3}, kAttention, Shape{2, 3}, {"batch", "key"});
        QCOMPARE(map->mask_dim, (std::vector<int>{0, -1, -1, 1}));
        QVERIFY(map->by_name);
        QCOMPARE(map->text, std::string("batch → batch, key → key; repeated along head, query"));
    }
    void without_names_shapes_align_at_the_right() {
        const auto map = map_axes(Shape{2, 4, 5, 3}, kAttention, Shape{5, 3}, {"row", "column"});
        QCOMPARE(map->mask_dim, (std::vector<int>{-1, -1, 0, 1}));
        QVERIFY(!map->by_name);
    }
    void a_name_with_another_size_does_not_count() {
        const auto map = map_axes(Shape{2, 4, 3, 3}, kAttention, Shape{3, 3}, {"batch", "key"});
        QVERIFY(map.ok() && !map->by_name);
        QCOMPARE(map->mask_dim, (std::vector<int>{-1, -1, 0, 1}));
    }
    void a_size_of_one_repeats() {
        const auto map = map_axes(Shape{2, 4, 5, 3}, kAttention, Shape{2, 1, 1, 3}, kAttention);
        QCOMPARE(map->mask_dim, (std::vector<int>{0, -1, -1, 3}));
    }
    void what_does_not_fit_is_refused_with_the_forms_that_do() {
        const auto map = map_axes(Shape{2, 4, 5, 3}, {}, Shape{2, 3}, {});
        QCOMPARE(
            map.error().message.text(),
            std::string("The size of tensor a (2) must match the size of tensor b (5) at non-singleton dimension 2"));
        QCOMPARE(map.error().hint.text(), std::string("These forms fit: mask[:, None, None, :]"));
    }
    void a_mask_larger_than_the_tensor_is_refused() { QVERIFY(!map_axes(Shape{1, 3}, {}, Shape{2, 3}, {})); }
    void the_laid_mask_reads_the_right_cells() {
        Tensor mask = *Tensor::zeros({2, 3}, DType::boolean);
        mask.writable_as<std::uint8_t>()[1 * 3 + 2] = 1;  // batch 1, key 2
        const Tensor weights = *Tensor::zeros({2, 4, 5, 3}, DType::f32);
        const auto map = map_axes(weights, kAttention, mask, {"batch", "key"});
        const auto laid = lay_over(weights, mask, *map);
        QCOMPARE(laid->shape(), weights.shape());
        const auto at = [&](std::array<std::int64_t, 4> index) { return std::get<bool>(laid->at(index)); };
        QVERIFY(at({1, 0, 0, 2}) && at({1, 3, 4, 2}));
        QVERIFY(!at({0, 3, 4, 2}) && !at({1, 3, 4, 1}));
    }
};

QTEST_APPLESS_MAIN(MaskLinkTest)
#include "mask_link_test.moc"
