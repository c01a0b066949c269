// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/label_pool.h"

#include "core/mask/mask_edit.h"
#include "core/tensor/convert.h"
#include "tests/core/render/overlay/made_tensors.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <map>

using namespace maskscope;
using namespace maskscope::render;
using namespace maskscope::test;

namespace {

LabelPixels pooled(LabelPool& pool, const mask::Plane& plane, const Viewport& v, const LabelRule& rule = {}) {
    LabelPixels out;
    pool.pool(plane, rule, v, 0, 0, v.width, v.height, out);
    return out;
}
LabelPixels pooled(const mask::Plane& plane, const Viewport& v, const LabelRule& rule = {}) {
    LabelPool pool;
    return pooled(pool, plane, v, rule);
}

// Blobs of labels on background, with single cells strewn in.
Tensor blobs(std::int64_t rows, std::int64_t cols, unsigned seed) {
    std::mt19937 random(seed);
    Tensor out = *Tensor::zeros(Shape{rows, cols}, DType::u8);
    auto* to = out.writable_as<std::uint8_t>();
    for (int blob = 0; blob < 40; ++blob) {
        const auto row = static_cast<std::int64_t>(random()) % rows;
        const auto col = static_cast<std::int64_t>(random()) % cols;
        const auto radius = static_cast<std::int64_t>(random() % 60);
        for (auto r = std::max<std::int64_t>(row - radius, 0); r < std::min(row + radius + 1, rows); ++r)
            for (auto c = std::max<std::int64_t>(col - radius, 0); c < std::min(col + radius + 1, cols); ++c)
                if ((r - row) * (r - row) + (c - col) * (c - col) <= radius * radius)
                    to[r * cols + c] = static_cast<std::uint8_t>(blob % 7 + (blob % 5 == 0 ? -blob % 7 : 0));
    }
    for (int i = 0; i < 200; ++i)
        to[static_cast<std::int64_t>(random()) % (rows * cols)] = static_cast<std::uint8_t>(random() % 5);
    return out;
}

// The cells whose blocks' centres lie in the pixel, written down anew; unit 1: the pixel's own. A block that the plane
// cuts off has its centre inside.
CellSpan voting_cells(double origin, double pitch, int pixel, std::int64_t cells, std::int64_t unit) {
    const CellSpan own = cells_under(origin, pitch, pixel, cells);
    if (own.begin >= own.end || unit == 1) return own;
    CellSpan out{-1, -1};
    for (std::int64_t begin = 0; begin < cells; begin += unit) {
        const std::int64_t centre = std::min(begin + unit / 2, cells - 1);
        if (centre < own.begin || centre >= own.end) continue;
        if (out.begin < 0) out.begin = begin;
        out.end = std::min(begin + unit, cells);
    }
    // The plane's last pixel may hold no centre: then it shows the block that it lies in.
    if (out.begin < 0) {
        out.begin = own.begin / unit * unit;
        out.end = std::min(out.begin + unit, cells);
    }
    return out;
}

QString first_difference(const Tensor& plane, const LabelPixels& pixels, const Viewport& v, std::int64_t unit) {
    for (int y = 0; y < v.height; ++y) {
        for (int x = 0; x < v.width; ++x) {
            const auto rows = voting_cells(v.row0, v.pitch, y, plane.size(0), unit);
            const auto cols = voting_cells(v.col0, v.pitch, x, plane.size(1), unit);
            std::map<int, int> cells;
            for (auto r = rows.begin; r < rows.end; ++r)
                for (auto c = cols.begin; c < cols.end; ++c)
                    if (const int label = plane.data_as<std::uint8_t>()[r * plane.size(1) + c]; label != 0)
                        ++cells[label];
            int wanted = 0;
            int most = 0;
            for (const auto& [label, count] : cells)
                if (count > most) std::tie(wanted, most) = std::pair(label, count);
            const auto at = static_cast<std::size_t>(y * v.width + x);
            const auto area = static_cast<double>((rows.end - rows.begin) * (cols.end - cols.begin));
            const int share = most == 0 ? 0 : std::max(1, static_cast<int>(std::floor(most * 255 / area + 0.5)));
            if (pixels.label[at] != wanted || pixels.share[at] != share)
                return QString("pixel %1, %2 is %3 (%4) and not %5 (%6)")
                    .arg(x)
                    .arg(y)
                    .arg(pixels.label[at])
                    .arg(pixels.share[at])
                    .arg(wanted)
                    .arg(share);
        }
    }
    return {};
}

// Steps along the axes to the nearest other label, by looking everywhere.
int distance_at(const LabelPixels& wide, int x, int y, int reach) {
    const auto label = [&](int px, int py) { return wide.label[static_cast<std::size_t>(py * wide.width + px)]; };
    if (label(x, y) == 0) return 0;
    int nearest = reach + 1;
    for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx)
            if (label(x + dx, y + dy) != label(x, y)) nearest = std::min(nearest, std::abs(dx) + std::abs(dy));
    return nearest <= reach ? nearest : 0;
}

}  // namespace

class LabelPoolTest : public QObject {
    Q_OBJECT

private slots:
    void enlarged_and_shrunk() {
        const Tensor cells = blobs(411, 523, 1);
        const auto plane = *mask::Plane::of(cells);
        LabelPool pool;
        const std::pair<double, int> cases[] = {{9, 1},     {1, 1},       {0.8, 1},    {0.5, 1},  {0.26, 1},
                                                {0.25, 4},  {0.15, 4},    {0.09, 4},   {0.06, 8}, {0.031, 16},
                                                {0.01, 32}, {0.0071, 64}, {0.0019, 64}};
        for (const auto& [pitch, unit] : cases) {
            for (const double origin : {0.0, -20.5, 133.0}) {
                const auto v = view(origin, origin / 3, pitch, 71, 66);
                QCOMPARE(first_difference(cells, pooled(pool, plane, v), v, unit), QString());
            }
        }
    }

    void a_single_cell_is_seen_from_afar() {
        mask::Plane plane(16384, 16384, DType::i32);
        mask::MaskEdit edit(plane);
        edit.paint(mask::Region::of_rect({9001, 12345, 1, 1}),
                   {.value = *mask::cell_of(70000, DType::i32), .locked = {}});
        edit.commit();
        for (const double pitch : {0.0549, 1.0 / 128, 1.0 / 1024, 1.0 / 16384}) {
            const int side = std::max(1, static_cast<int>(std::ceil(16384 * pitch)));
            const auto pixels = pooled(plane, view(0, 0, pitch, side, side));
            const auto seen = std::count(pixels.label.begin(), pixels.label.end(), 70000);
            QCOMPARE(seen, 1);
            const auto at = std::find(pixels.label.begin(), pixels.label.end(), 70000) - pixels.label.begin();
            QCOMPARE(static_cast<int>(pixels.share[static_cast<std::size_t>(at)]), 1);
            QCOMPARE(static_cast<int>(at % side), static_cast<int>((12345 - 12345 % 4) * pitch));
        }
    }

    void ties_go_to_the_smaller_label() {
        const std::int32_t values[] = {5, 3, -2, 9};
        const auto plane = *mask::Plane::of(
            tensor_of<std::int32_t>(Shape{2, 2}, DType::i32, [&](std::int64_t i) { return values[i]; }));
        const auto pixels = pooled(plane, view(0, 0, 0.5, 1, 1));
        QCOMPARE(pixels.label[0], -2);
        QCOMPARE(static_cast<int>(pixels.share[0]), 64);
    }

    void a_stroke_reads_anew_what_it_changed() {
        const Tensor cells = blobs(700, 900, 2);
        auto plane = *mask::Plane::of(cells);
        LabelPool pool;
        for (const double pitch : {0.06, 0.4, 3.0}) {
            const auto v = view(0, 0, pitch, 54, 42);
            pooled(pool, plane, v);
            mask::MaskEdit edit(plane);
            edit.paint(mask::Region::of_rect({static_cast<std::int64_t>(100 * pitch), 20, 300, 100}),
                       {.value = *mask::cell_of(6, DType::u8), .locked = {}});
            QCOMPARE(first_difference(*plane.tensor(), pooled(pool, plane, v), v, pitch < 0.25 ? 8 : 1), QString());
            // And taken back.
            edit.restart();
            QCOMPARE(first_difference(cells, pooled(pool, plane, v), v, pitch < 0.25 ? 8 : 1), QString());
        }
    }

    void parts_equal_the_whole() {
        const auto plane = *mask::Plane::of(blobs(500, 640, 3));
        for (const double pitch : {11.0, 2.0, 0.7, 0.18, 0.05}) {
            LabelPool pool;
            const auto v = view(-3, 5.2, pitch, 120, 90);
            const auto whole = pooled(pool, plane, v);
            for (const auto& [x0, y0] : {std::pair{0, 0}, {50, 40}, {79, 59}}) {
                LabelPixels part;
                LabelPool other;
                other.pool(plane, {}, v, x0, y0, 41, 31, part);
                QCOMPARE(part.width, 41);
                QCOMPARE(part.height, 31);
                for (int y = 0; y < 31; ++y) {
                    for (int x = 0; x < 41; ++x) {
                        const auto at = static_cast<std::size_t>(y * 41 + x);
                        const auto in_whole = static_cast<std::size_t>((y0 + y) * 120 + x0 + x);
                        QCOMPARE(part.label[at], whole.label[in_whole]);
                        QCOMPARE(part.share[at], whole.share[in_whole]);
                        QCOMPARE(part.edge[at], whole.edge[in_whole]);
                    }
                }
            }
        }
    }

    void edges_are_distances_to_another_label() {
        const auto plane = *mask::Plane::of(blobs(300, 300, 4));
        for (const double pitch : {6.0, 1.0, 0.3}) {
            const auto v = view(4, 4, pitch, 60, 50);
            const auto pixels = pooled(plane, v);
            LabelPixels wide;
            LabelPool pool;
            pool.pool(plane, {}, v, -kEdgeReach, -kEdgeReach, 60 + 2 * kEdgeReach, 50 + 2 * kEdgeReach, wide);
            for (int y = 0; y < 50; ++y)
                for (int x = 0; x < 60; ++x)
                    QCOMPARE(static_cast<int>(pixels.edge[static_cast<std::size_t>(y * 60 + x)]),
                             distance_at(wide, x + kEdgeReach, y + kEdgeReach, kEdgeReach));
        }
    }

    void an_area_at_the_border_of_the_plane_has_an_edge_and_at_the_views_none() {
        const auto plane = *mask::Plane::of(
            tensor_of<std::uint8_t>(Shape{100, 100}, DType::boolean, [](std::int64_t) { return std::uint8_t{1}; }));
        const auto pixels = pooled(plane, view(0, 0, 1, 50, 50));
        QCOMPARE(static_cast<int>(pixels.edge[0]), 1);
        QCOMPARE(static_cast<int>(pixels.edge[20 * 50]), 1);       // the plane's left column
        QCOMPARE(static_cast<int>(pixels.edge[20 * 50 + 49]), 0);  // the view ends, the plane does not
    }

    void soft_masks_by_threshold() {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float values[] = {0.2F, 0.5F, 0.9F, nan};
        const auto plane =
            *mask::Plane::of(tensor_of<float>(Shape{1, 4}, DType::f32, [&](std::int64_t i) { return values[i]; }));
        const auto v = view(0, 0, 1, 4, 1);
        using Labels = std::vector<std::int32_t>;
        LabelPool pool;
        QCOMPARE(pooled(pool, plane, v, {.soft = true, .threshold = 0.5}).label, (Labels{0, 1, 1, 0}));
        QCOMPARE(pooled(pool, plane, v, {.soft = true, .threshold = 0.1}).label, (Labels{1, 1, 1, 0}));
        QCOMPARE(pooled(pool, plane, v, {.soft = true, .threshold = 0.5, .inverted = true}).label,
                 (Labels{1, 0, 0, 1}));
        // Not soft: labels stored as floats.
        QCOMPARE(pooled(pool, plane, v).label, (Labels{1, 1, 1, 0}));
    }

    void labels_of_all_kinds() {
        const auto v = view(0, 0, 1, 3, 1);
        using Labels = std::vector<std::int32_t>;
        const auto labels = [&]<class T>(DType dtype, std::vector<T> values) {
            return pooled(*mask::Plane::of(tensor_of<T>(
                              Shape{1, 3}, dtype, [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; })),
                          v)
                .label;
        };
        QCOMPARE(labels(DType::u16, std::vector<std::uint16_t>{0, 65535, 300}), (Labels{0, 65535, 300}));
        QCOMPARE(labels(DType::i8, std::vector<std::int8_t>{-1, 0, 127}), (Labels{-1, 0, 127}));
        QCOMPARE(labels(DType::i32, std::vector<std::int32_t>{-70000, 0, 16777217}), (Labels{-70000, 0, 16777217}));
        constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
        QCOMPARE(labels(DType::u32, std::vector<std::uint32_t>{4000000000U, 0, 7}), (Labels{kMost, 0, 7}));
        QCOMPARE(labels(DType::i64, std::vector<std::int64_t>{1LL << 40, -(1LL << 40), 2}),
                 (Labels{kMost, std::numeric_limits<std::int32_t>::min(), 2}));
        QCOMPARE(labels(DType::f64, std::vector<double>{3.0, -0.2, 2.6}), (Labels{3, -1, 3}));
        QCOMPARE(labels(DType::f16, std::vector<std::uint16_t>{f16_from_float(4), 0, f16_from_float(0.1F)}),
                 (Labels{4, 0, 1}));
        QCOMPARE(labels(DType::boolean, std::vector<std::uint8_t>{1, 0, 1}), (Labels{1, 0, 1}));
    }

    void inverted_ends_at_the_plane() {
        const mask::Plane plane(70, 70, DType::boolean);  // no cell kept, and a tile that reaches beyond the plane
        for (const double pitch : {1.0, 0.5, 0.1}) {
            const auto side = static_cast<int>(70 * pitch);
            const auto pixels = pooled(plane, view(0, 0, pitch, side + 3, side), {.inverted = true});
            for (int x = 0; x < side + 3; ++x) QCOMPARE(pixels.label[static_cast<std::size_t>(x)], x < side ? 1 : 0);
            QCOMPARE(static_cast<int>(pixels.share[static_cast<std::size_t>(side - 1)]), 255);
        }
    }

    void another_plane_in_the_same_pool() {
        LabelPool pool;
        const auto v = view(0, 0, 0.1, 30, 30);
        const Tensor first = blobs(300, 300, 5);
        const Tensor second = blobs(290, 301, 6);
        pooled(pool, *mask::Plane::of(first), v);
        QCOMPARE(first_difference(second, pooled(pool, *mask::Plane::of(second), v), v, 4), QString());
    }

    // Ids that differ from cell to cell must neither hang nor lose a pixel.
    void as_many_labels_as_cells() {
        const auto plane = *mask::Plane::of(tensor_of<std::int32_t>(
            Shape{300, 300}, DType::i32, [](std::int64_t i) { return static_cast<std::int32_t>(i + 1); }));
        const auto pixels = pooled(plane, view(0, 0, 0.01, 3, 3));
        for (const auto label : pixels.label) QVERIFY(label > 0);
    }
};

QTEST_APPLESS_MAIN(LabelPoolTest)
#include "label_pool_test.moc"
