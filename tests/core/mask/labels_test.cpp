// SPDX-License-Identifier: Apache-2.0
// Whole labels: replaced, merged, inverted, found free, taken apart.
#include "core/mask/labels.h"
#include "tests/core/mask/bitmap.h"

#include <QtTest>

#include <functional>
#include <map>

using namespace maskscope;
using namespace maskscope::mask;
using namespace maskscope::test;

namespace {

// Patches of labels over uniform and mixed tiles.
Plane patches(DType dtype = DType::u16) {
    return *Plane::of(tensor_of<std::uint16_t>(140, 150, dtype, [](auto r, auto c) {
        if (r < 64) return static_cast<std::uint16_t>(3);
        return static_cast<std::uint16_t>((r / 5 + c / 7) % 6);
    }));
}

// The plane cell by cell after an edit, and the edit's own count.
struct After {
    std::vector<std::uint64_t> cells;
    std::int64_t changed = 0;
};

std::vector<std::uint64_t> cells_of(const Plane& plane) {
    std::vector<std::uint64_t> out;
    for (std::int64_t r = 0; r < plane.rows(); ++r)
        for (std::int64_t c = 0; c < plane.cols(); ++c) out.push_back(plane.at(r, c).bits);
    return out;
}

After edited(Plane& plane, const std::function<void(MaskEdit&)>& work) {
    MaskEdit edit(plane);
    work(edit);
    const auto delta = edit.commit();
    return {cells_of(plane), delta.changed};
}

void expect_map(const std::function<void(MaskEdit&)>& work, const std::function<std::uint64_t(std::uint64_t)>& map) {
    auto plane = patches();
    auto wanted = cells_of(plane);
    std::int64_t changed = 0;
    for (auto& cell : wanted) {
        const auto mapped = map(cell);
        changed += mapped != cell ? 1 : 0;
        cell = mapped;
    }
    const auto after = edited(plane, work);
    QCOMPARE(after.cells, wanted);
    QCOMPARE(after.changed, changed);
}

Plane numbers(std::int64_t count, DType dtype, std::int64_t first = 0) {
    return *Plane::of(
        tensor_of<std::uint16_t>(1, count, dtype, [&](auto, auto c) { return static_cast<std::uint16_t>(first + c); }));
}

}  // namespace

class LabelsTest : public QObject {
    Q_OBJECT

private slots:
    void relabels();
    void merges();
    void inverts();
    void finds_a_free_label();
    void has_no_free_label();
    void takes_a_map_apart();
    void orders_negative_labels();
};

void LabelsTest::relabels() {
    expect_map([](MaskEdit& edit) { relabel(edit, {3}, {9}); }, [](auto cell) { return cell == 3 ? 9 : cell; });
    expect_map([](MaskEdit& edit) { relabel(edit, {3}, {4}); }, [](auto cell) { return cell == 3 ? 4 : cell; });
    expect_map([](MaskEdit& edit) { relabel(edit, {0}, {7}); }, [](auto cell) { return cell == 0 ? 7 : cell; });
    expect_map([](MaskEdit& edit) { relabel(edit, {2}, {0}); }, [](auto cell) { return cell == 2 ? 0 : cell; });
    expect_map([](MaskEdit& edit) { relabel(edit, {3}, {3}); }, [](auto cell) { return cell; });
    expect_map([](MaskEdit& edit) { relabel(edit, {77}, {5}); }, [](auto cell) { return cell; });
}

void LabelsTest::merges() {
    expect_map(
        [](MaskEdit& edit) {
            merge_labels(edit, {{5}, {3}, {1}, {99}}, {2});
        },
        [](auto cell) { return cell == 5 || cell == 3 || cell == 1 ? 2 : cell; });
    // Zero is a label like the others here; the target may be among them.
    expect_map(
        [](MaskEdit& edit) {
            merge_labels(edit, {{0}, {4}}, {4});
        },
        [](auto cell) { return cell == 0 ? 4 : cell; });
    expect_map([](MaskEdit& edit) { merge_labels(edit, {}, {4}); }, [](auto cell) { return cell; });
}

void LabelsTest::inverts() {
    expect_map([](MaskEdit& edit) { invert(edit, {1}); }, [](auto cell) { return cell == 0 ? 1 : 0; });
    expect_map([](MaskEdit& edit) { invert(edit, {255}); }, [](auto cell) { return cell == 0 ? 255 : 0; });
    Plane empty(100, 3, DType::boolean);
    const auto after = edited(empty, [](MaskEdit& edit) { invert(edit, {1}); });
    QCOMPARE(after.changed, 300);
    QCOMPARE(after.cells, std::vector<std::uint64_t>(300, 1));
}

void LabelsTest::finds_a_free_label() {
    QCOMPARE(free_label(Plane(5, 5, DType::u8))->bits, 1U);
    QCOMPARE(free_label(patches())->bits, 6U);
    QCOMPARE(free_label(numbers(4, DType::u16, 2))->bits, 1U);
    // Negative labels are in nobody's way.
    const auto negative = *Plane::of(tensor_of<std::int16_t>(
        1, 3, DType::i16, [](auto, auto c) { return static_cast<std::int16_t>(c == 2 ? 1 : -2); }));
    QCOMPARE(free_label(negative)->bits, 2U);
    // The last label of a dtype, and one beyond the first look of 65,536.
    const auto most_bytes = *Plane::of(
        tensor_of<std::uint8_t>(1, 255, DType::u8, [](auto, auto c) { return static_cast<std::uint8_t>(c); }));
    QCOMPARE(free_label(most_bytes)->bits, 255U);
    const auto many = *Plane::of(tensor_of<std::int32_t>(
        2, 50'000, DType::i32, [](auto r, auto c) { return static_cast<std::int32_t>(r * 50'000 + c); }));
    QCOMPARE(free_label(many)->bits, 100'000U);
}

void LabelsTest::has_no_free_label() {
    const auto full = *Plane::of(tensor_of<std::uint8_t>(
        16, 16, DType::u8, [](auto r, auto c) { return static_cast<std::uint8_t>(r * 16 + c); }));
    const auto none = free_label(full);
    QVERIFY(!none);
    QVERIFY(none.error().text().find("uint8") != std::string::npos);
    Plane yes(2, 2, DType::boolean);
    edited(yes, [](MaskEdit& edit) { invert(edit, {1}); });
    QVERIFY(!free_label(yes));
    const auto soft = free_label(Plane(2, 2, DType::f32));
    QVERIFY(!soft);
    QVERIFY(soft.error().hint.text().find("Threshold") != std::string::npos);
    QVERIFY(!split_labels(Plane(2, 2, DType::bf16)));
}

void LabelsTest::takes_a_map_apart() {
    const auto plane = patches();
    const auto labels = *split_labels(plane);
    std::map<std::uint64_t, Bitmap> wanted;
    for (std::int64_t r = 0; r < plane.rows(); ++r)
        for (std::int64_t c = 0; c < plane.cols(); ++c) {
            const auto bits = plane.at(r, c).bits;
            if (bits != 0) wanted.try_emplace(bits, plane.rows(), plane.cols()).first->second.at(r, c) = 1;
        }
    QCOMPARE(labels.size(), wanted.size());
    std::size_t i = 0;
    for (const auto& [bits, bitmap] : wanted) {
        QCOMPARE(labels[i].label.bits, bits);
        QVERIFY(is_well_formed(labels[i].region));
        QCOMPARE(bitmap_of(labels[i].region, plane.bounds()), bitmap);
        ++i;
    }
    QVERIFY(split_labels(Plane(9, 9, DType::u8))->empty());
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(split_labels(plane, JobContext(stop.get_token())).error().kind, ErrorKind::cancelled);
}

void LabelsTest::orders_negative_labels() {
    const auto plane = *Plane::of(tensor_of<std::int32_t>(1, 5, DType::i32, [](auto, auto c) {
        return std::array<std::int32_t, 5>{7, -1, 0, -30, 7}[static_cast<std::size_t>(c)];
    }));
    const auto labels = *split_labels(plane);
    QCOMPARE(labels.size(), 3U);
    QCOMPARE(value_of(labels[0].label, DType::i32), -30.0);
    QCOMPARE(value_of(labels[1].label, DType::i32), -1.0);
    QCOMPARE(labels[2].region, Region::of({{0, 0, 1}, {0, 4, 5}}));
}

QTEST_APPLESS_MAIN(LabelsTest)
#include "labels_test.moc"
