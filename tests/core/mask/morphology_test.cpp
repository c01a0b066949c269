// SPDX-License-Identifier: Apache-2.0
// Morphology, holes and islands: against OpenCV, SciPy and scikit-image, and against the definitions cell by cell.
#include "core/mask/morphology.h"
#include "tests/core/mask/mask_goldens.h"

#include <QtTest>

#include <algorithm>
#include <map>

using namespace maskscope;
using namespace maskscope::mask;
using namespace maskscope::test;

namespace {

const std::map<std::string, Morph> kKinds = {
    {"dilate", Morph::dilate}, {"erode", Morph::erode}, {"open", Morph::open}, {"close", Morph::close}};

bool in_element(std::int64_t dr, std::int64_t dc, std::int64_t radius, Element element) {
    return element == Element::square ? std::max(std::abs(dr), std::abs(dc)) <= radius
                                      : dr * dr + dc * dc <= radius * radius;
}

// Whether a cell within the radius holds `value`.
bool near(const Bitmap& mask, std::int64_t row, std::int64_t col, std::int64_t radius, Element element, bool value) {
    for (auto r = std::max<std::int64_t>(0, row - radius); r <= std::min(mask.rows - 1, row + radius); ++r)
        for (auto c = std::max<std::int64_t>(0, col - radius); c <= std::min(mask.cols - 1, col + radius); ++c)
            if (mask.get(r, c) == value && in_element(r - row, c - col, radius, element)) return true;
    return false;
}

Bitmap naive(const Bitmap& mask, Morph how, int radius, Element element) {
    if (how == Morph::open) return naive(naive(mask, Morph::erode, radius, element), Morph::dilate, radius, element);
    if (how == Morph::close) return naive(naive(mask, Morph::dilate, radius, element), Morph::erode, radius, element);
    Bitmap out(mask.rows, mask.cols);
    for (std::int64_t r = 0; r < mask.rows; ++r)
        for (std::int64_t c = 0; c < mask.cols; ++c)
            out.at(r, c) = near(mask, r, c, radius, element, how == Morph::dilate) == (how == Morph::dilate) ? 1 : 0;
    return out;
}

Bitmap naive_holes(const Bitmap& mask, std::int64_t max_cells) {
    Bitmap background = mask;
    for (auto& cell : background.cells) cell = cell == 0 ? 1 : 0;
    Bitmap out = mask;
    for (std::int64_t r = 0; r < mask.rows; ++r)
        for (std::int64_t c = 0; c < mask.cols; ++c) {
            if (mask.get(r, c)) continue;
            const auto part = reached(background, r, c, 4);
            bool open = false;
            for (std::int64_t i = 0; i < mask.rows; ++i) open = open || part.get(i, 0) || part.get(i, mask.cols - 1);
            for (std::int64_t i = 0; i < mask.cols; ++i) open = open || part.get(0, i) || part.get(mask.rows - 1, i);
            const auto size = std::count(part.cells.begin(), part.cells.end(), 1);
            if (!open && (max_cells == 0 || size <= max_cells)) out.at(r, c) = 1;
        }
    return out;
}

std::vector<Region> naive_islands(const Bitmap& mask, int neighbours) {
    std::vector<Region> out;
    Bitmap left = mask;
    for (std::int64_t r = 0; r < mask.rows; ++r)
        for (std::int64_t c = 0; c < mask.cols; ++c) {
            if (!left.get(r, c)) continue;
            const auto part = reached(mask, r, c, neighbours);
            for (std::size_t i = 0; i < part.cells.size(); ++i)
                if (part.cells[i] != 0) left.cells[i] = 0;
            out.push_back(region_of(part));
        }
    std::stable_sort(out.begin(), out.end(), [](const Region& a, const Region& b) { return a.count() > b.count(); });
    return out;
}

// A few discs, as a segmentation has them.
Bitmap discs(std::int64_t rows, std::int64_t cols, int count, std::int64_t radius, std::mt19937& random) {
    Bitmap out(rows, cols);
    for (int i = 0; i < count; ++i) {
        const auto row = std::uniform_int_distribution<std::int64_t>(0, rows - 1)(random);
        const auto col = std::uniform_int_distribution<std::int64_t>(0, cols - 1)(random);
        for (auto r = row - radius; r <= row + radius; ++r)
            for (auto c = col - radius; c <= col + radius; ++c)
                if (out.has(r, c) && in_element(r - row, c - col, radius, Element::disc)) out.at(r, c) = 1;
    }
    return out;
}

JobContext cancelled() {
    std::stop_source stop;
    stop.request_stop();
    return JobContext(stop.get_token());
}

}  // namespace

class MorphologyTest : public QObject {
    Q_OBJECT

private slots:
    void goldens_of_opencv();
    void definition_on_random_masks();
    void definition_for_large_radii();
    void the_largest_radius();
    void planes_that_do_not_start_at_zero();
    void a_radius_too_large_is_refused();
    void goldens_of_holes();
    void holes_by_definition();
    void goldens_of_islands();
    void islands_by_definition();
    void nothing_in_nothing_out();
    void stop_when_cancelled();
};

void MorphologyTest::goldens_of_opencv() {
    QVERIFY(mask_goldens()["morph"].size() > 100);
    for (const auto& golden : mask_goldens()["morph"]) {
        const auto mask = golden_mask(golden["mask"]);
        const auto element = golden["element"] == "disc" ? Element::disc : Element::square;
        const auto out = morph(region_of(mask), mask.bounds(), kKinds.at(golden["how"].get<std::string>()),
                               golden["radius"].get<int>(), element);
        QVERIFY(out.ok());
        QVERIFY2(bitmap_of(*out, mask.bounds()) == bitmap_from(golden["out"]), golden.dump().substr(0, 80).c_str());
    }
}

void MorphologyTest::definition_on_random_masks() {
    std::mt19937 random(11);
    for (const double share : {0.005, 0.1, 0.5, 0.95}) {
        // Noise is grown cell by cell, sparse masks run by run.
        const auto mask = random_bitmap(61, 83, share, random);
        for (const auto& [name, how] : kKinds)
            for (const auto element : {Element::disc, Element::square})
                for (const int radius : {0, 1, 3, 6}) {
                    const auto out = *morph(region_of(mask), mask.bounds(), how, radius, element);
                    QVERIFY(is_well_formed(out));
                    QVERIFY2(bitmap_of(out, mask.bounds()) == naive(mask, how, radius, element),
                             qPrintable(QString("%1 by %2 at %3").arg(name.c_str()).arg(radius).arg(share)));
                }
    }
}

void MorphologyTest::definition_for_large_radii() {
    std::mt19937 random(12);
    const auto few = discs(150, 170, 3, 17, random);
    const auto many = random_bitmap(150, 170, 0.001, random);
    for (const auto& mask : {few, many})
        for (const int radius : {25, 70})
            for (const auto how : {Morph::dilate, Morph::erode}) {
                const auto out = *morph(region_of(mask), mask.bounds(), how, radius);
                QCOMPARE(bitmap_of(out, mask.bounds()), naive(mask, how, radius, Element::disc));
            }
    // An erosion by much needs much.
    Bitmap thick(260, 240, true);
    thick.at(130, 100) = 0;
    QCOMPARE(bitmap_of(*morph(region_of(thick), thick.bounds(), Morph::erode, 90), thick.bounds()),
             naive(thick, Morph::erode, 90, Element::disc));
}

void MorphologyTest::the_largest_radius() {
    const Rect plane{0, 0, 1200, 1300};
    const auto out = *morph(Region::of_rect({600, 650, 1, 1}), plane, Morph::dilate, kMaxMorphRadius);
    // Gauss: the number of whole points in a disc of the radius 512.
    std::int64_t points = 0;
    for (std::int64_t r = -512; r <= 512; ++r)
        for (std::int64_t c = -512; c <= 512; ++c) points += r * r + c * c <= 512 * 512 ? 1 : 0;
    QCOMPARE(out.count(), points);
    QVERIFY(out.contains(600 - 512, 650) && !out.contains(600 - 512, 651));
    QVERIFY(!out.contains(600 + 363, 650 + 363) && out.contains(600 + 362, 650 + 362));
    QCOMPARE(*morph(out, plane, Morph::erode, kMaxMorphRadius), Region::of_rect({600, 650, 1, 1}));
}

void MorphologyTest::planes_that_do_not_start_at_zero() {
    const auto region = Region::of_rect({10, 20, 2, 3});
    const Rect plane{10, 18, 3, 6};
    QCOMPARE(*morph(region, plane, Morph::dilate, 2, Element::square), Region::of_rect({10, 18, 3, 6}));
    // What lies outside the plane is not there, and the border eats nothing.
    QCOMPARE(*morph(Region::of_rect({0, 0, 100, 100}), plane, Morph::erode, 2), Region::of_rect(plane));
}

void MorphologyTest::a_radius_too_large_is_refused() {
    for (const int radius : {-1, 513, 1 << 30}) {
        const auto out = morph(Region::of_rect({0, 0, 2, 2}), {0, 0, 9, 9}, Morph::dilate, radius);
        QVERIFY(!out);
        QVERIFY(out.error().text().find("512") != std::string::npos);
    }
}

void MorphologyTest::goldens_of_holes() {
    for (const auto& golden : mask_goldens()["fill_holes"]) {
        const auto mask = golden_mask(golden["mask"]);
        QCOMPARE(bitmap_of(*fill_holes(region_of(mask), mask.bounds()), mask.bounds()), bitmap_from(golden["out"]));
    }
}

void MorphologyTest::holes_by_definition() {
    std::mt19937 random(13);
    for (const double share : {0.4, 0.6, 0.75, 0.9}) {
        const auto mask = random_bitmap(27, 31, share, random);
        for (const std::int64_t max_cells : {0, 1, 3}) {
            const auto out = *fill_holes(region_of(mask), mask.bounds(), max_cells);
            QVERIFY(is_well_formed(out));
            QCOMPARE(bitmap_of(out, mask.bounds()), naive_holes(mask, max_cells));
        }
    }
    QVERIFY(!fill_holes(Region(), {0, 0, 4, 4}, -1));
}

void MorphologyTest::goldens_of_islands() {
    for (const auto& golden : mask_goldens()["islands"]) {
        const auto mask = golden_mask(golden["mask"]);
        const auto neighbours = golden["neighbours"] == 4 ? Neighbours::four : Neighbours::eight;
        const auto parts = *islands(region_of(mask), neighbours);
        std::vector<std::int64_t> cells;
        cells.reserve(parts.size());
        for (const auto& part : parts) cells.push_back(part.count());
        QCOMPARE(cells, golden["cells"].get<std::vector<std::int64_t>>());
        const auto kept = *without_small_islands(region_of(mask), golden["at_least"].get<std::int64_t>(), neighbours);
        QCOMPARE(bitmap_of(kept, mask.bounds()), bitmap_from(golden["keep"]));
    }
}

void MorphologyTest::islands_by_definition() {
    std::mt19937 random(14);
    for (const double share : {0.1, 0.4, 0.6, 0.9}) {
        const auto mask = random_bitmap(40, 37, share, random);
        for (const int neighbours : {4, 8}) {
            const auto parts = *islands(region_of(mask), neighbours == 4 ? Neighbours::four : Neighbours::eight);
            const auto wanted = naive_islands(mask, neighbours);
            QCOMPARE(parts.size(), wanted.size());
            for (std::size_t i = 0; i < parts.size(); ++i) {
                QVERIFY(is_well_formed(parts[i]));
                QCOMPARE(parts[i], wanted[i]);
            }
        }
    }
}

void MorphologyTest::nothing_in_nothing_out() {
    const Rect plane{0, 0, 5, 5};
    for (const auto& [name, how] : kKinds) QVERIFY(morph(Region(), plane, how, 3)->empty());
    QVERIFY(fill_holes(Region(), plane)->empty());
    QVERIFY(islands(Region())->empty());
    QVERIFY(without_small_islands(Region(), 4)->empty());
}

void MorphologyTest::stop_when_cancelled() {
    const auto region = Region::of_rect({0, 0, 50, 50});
    const Rect plane{0, 0, 60, 60};
    QCOMPARE(morph(region, plane, Morph::dilate, 3, Element::disc, cancelled()).error().kind, ErrorKind::cancelled);
    QCOMPARE(fill_holes(region, plane, 0, cancelled()).error().kind, ErrorKind::cancelled);
    QCOMPARE(islands(region, Neighbours::four, cancelled()).error().kind, ErrorKind::cancelled);
    QCOMPARE(without_small_islands(region, 4, Neighbours::four, cancelled()).error().kind, ErrorKind::cancelled);
}

QTEST_APPLESS_MAIN(MorphologyTest)
#include "morphology_test.moc"
