// SPDX-License-Identifier: Apache-2.0
// Polygons against pycocotools: stored ones, and twenty thousand of which the digests are stored.
#include "core/io/coco_rle.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <limits>

using namespace maskscope;
using namespace maskscope::io;
using nlohmann::json;

namespace {

const json& goldens() {
    static const json all = [] {
        std::ifstream in(MS_SOURCE_DIR "/tests/golden/coco/polygons.json");
        return json::parse(in);
    }();
    return all;
}

// The generator and the polygons of make_coco.py.
class Numbers {
public:
    explicit Numbers(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return state_ >> 33U;
    }
    std::int64_t below(std::uint64_t bound) { return static_cast<std::int64_t>(next() % bound); }

private:
    std::uint64_t state_;
};

struct Polygon {
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<double> xy;
};

Polygon draw(Numbers& numbers) {
    Polygon out;
    out.height = 1 + numbers.below(40);
    out.width = 1 + numbers.below(40);
    const auto points = 1 + numbers.below(9);
    const auto kind = numbers.below(4);
    for (int i = 0; i < 2 * points; ++i) {
        switch (kind) {
            case 0:
                out.xy.push_back(static_cast<double>(numbers.below(320)) / 8.0);
                break;
            case 1:
                out.xy.push_back(static_cast<double>(numbers.below(960) - 320) / 8.0);
                break;
            case 2:
                out.xy.push_back(static_cast<double>(numbers.next()) / 2147483648.0 * 60.0 - 10.0);
                break;
            default:
                out.xy.push_back(static_cast<double>(numbers.next()) / 2147483648.0 * 4000.0 - 2000.0);
        }
    }
    return out;
}

std::uint64_t fnv(std::uint64_t value, const std::string& text) {
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return value;
}

std::int64_t cells(const std::vector<double>& xy, std::int64_t height, std::int64_t width) {
    const auto rle = rle_of_polygon(xy, height, width);
    return rle ? area(*rle) : -1;
}

}  // namespace

class CocoPolygonTest : public QObject {
    Q_OBJECT

private slots:
    void known_squares();
    void stored_polygons();
    void many_polygons();
    void parts_are_united();
    void rectangles_by_hand();
    void refused();
    void far_corners_cost_nothing();
};

void CocoPolygonTest::known_squares() {
    QCOMPARE(cells({0, 0, 9, 0, 9, 9, 0, 9}, 20, 20), std::int64_t{81});
    QCOMPARE(cells({0, 0, 10, 0, 10, 10, 0, 10}, 20, 20), std::int64_t{100});
    // Turned round, and begun at another corner.
    QCOMPARE(cells({0, 10, 10, 10, 10, 0, 0, 0}, 20, 20), std::int64_t{100});
    QCOMPARE(cells({10, 10, 0, 10, 0, 0, 10, 0}, 20, 20), std::int64_t{100});
}

void CocoPolygonTest::stored_polygons() {
    int seen = 0;
    for (const auto& row : goldens()["polygons"]) {
        const auto rle = rle_of_polygon(row["xy"].get<std::vector<double>>(), row["size"][0], row["size"][1]);
        QVERIFY(rle.ok());
        QCOMPARE(rle_text(*rle), row["text"].get<std::string>());
        ++seen;
    }
    QCOMPARE(seen, 166);
}

void CocoPolygonTest::many_polygons() {
    Numbers numbers(20140508);
    const int block = goldens()["block"];
    int blocks = 0;
    std::int64_t covered = 0;
    for (const auto& digest : goldens()["digests"]) {
        std::uint64_t value = 14695981039346656037U;
        for (int i = 0; i < block; ++i) {
            const auto polygon = draw(numbers);
            const auto rle = rle_of_polygon(polygon.xy, polygon.height, polygon.width);
            QVERIFY(rle.ok());
            covered += area(*rle);
            value = fnv(value, rle_text(*rle) + "\n");
        }
        QCOMPARE(QString::asprintf("%016llx", static_cast<unsigned long long>(value)),
                 QString::fromStdString(digest.get<std::string>()));
        ++blocks;
    }
    QCOMPARE(blocks, 200);
    QVERIFY(covered > 1'000'000);
}

void CocoPolygonTest::parts_are_united() {
    // An inner ring cuts no hole.
    const std::vector<double> outer{0, 0, 10, 0, 10, 10, 0, 10};
    const auto both = rle_of_polygons({outer, {3, 3, 3, 6, 6, 6, 6, 3}}, 12, 12);
    QVERIFY(both.ok());
    QCOMPARE(area(*both), std::int64_t{100});
    const auto apart = rle_of_polygons({{0, 0, 2, 0, 2, 2, 0, 2}, {5, 5, 8, 5, 8, 8, 5, 8}}, 12, 12);
    QVERIFY(apart.ok());
    QCOMPARE(area(*apart), std::int64_t{4 + 9});
    const auto none = rle_of_polygons({}, 5, 6);
    QVERIFY(none.ok());
    QVERIFY(none->counts == std::vector<std::uint32_t>{30});
}

void CocoPolygonTest::rectangles_by_hand() {
    // Corners on pixel edges give the pixels between them, clipped to the image.
    for (int left = -3; left < 9; ++left) {
        for (int right = left; right < 12; ++right) {
            const double x0 = left;
            const double x1 = right;
            const auto rle = rle_of_polygon({x0, -4, x1, -4, x1, 3, x0, 3}, 7, 8);
            QVERIFY(rle.ok());
            const auto want = mask::Region::of_rect({0, std::max(left, 0), 3, std::min(right, 8) - std::max(left, 0)});
            QVERIFY2(region_of(*rle) == want, qPrintable(QString("%1 to %2").arg(left).arg(right)));
        }
    }
}

void CocoPolygonTest::refused() {
    const auto sentence = [](const std::vector<double>& xy, std::int64_t height, std::int64_t width) {
        const auto rle = rle_of_polygon(xy, height, width);
        return rle ? QString() : QString::fromStdString(rle.error().message.text());
    };
    QVERIFY(sentence({1, 2, 3}, 5, 5).contains("3 coordinates; they come in pairs"));
    QVERIFY(sentence({1, 2, std::nan(""), 4, 5, 6}, 5, 5).contains("nan"));
    QVERIFY(sentence({1, 2, std::numeric_limits<double>::infinity(), 4}, 5, 5).contains("inf"));
    QVERIFY(sentence({1, 2, 1e9, 4}, 5, 5).contains("1000000000"));
    QVERIFY(sentence({1, 2, 3, 4}, -1, 5).contains("-1 x 5"));
    QVERIFY(sentence({1, 2, 3, 4}, 5, std::int64_t{1} << 40U).contains("sides from 0 to 131072"));
    // A zigzag that would take gigabytes.
    std::vector<double> zigzag;
    for (int i = 0; i < 400; ++i) zigzag.insert(zigzag.end(), {i % 2 == 0 ? 0.0 : 131072.0, static_cast<double>(i)});
    QVERIFY(sentence(zigzag, 131072, 131072).contains("crosses more than 16777216 pixel columns"));
}

void CocoPolygonTest::far_corners_cost_nothing() {
    // pycocotools walks a billion steps here.
    QCOMPARE(cells({-1e8, -1e8, 1e8, -1e8, 1e8, 1e8, -1e8, 1e8}, 30, 40), std::int64_t{30 * 40});
    QCOMPARE(cells({-1e8, -1e8, 1e8, 1e8, -1e8, 1e8}, 10, 10), std::int64_t{55});
}

QTEST_APPLESS_MAIN(CocoPolygonTest)
#include "coco_polygon_test.moc"
