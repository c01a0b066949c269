// SPDX-License-Identifier: Apache-2.0
// Edits of a plane, compared with edits of single cells, and what they leave for the history.
#include "core/mask/mask_edit.h"

#include "core/mask/brush.h"
#include "core/mask/mask_delta.h"
#include "tests/core/mask/bitmap.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace maskscope;
using namespace maskscope::mask;

namespace {

constexpr std::int64_t kRows = 150;
constexpr std::int64_t kCols = 203;

template <class T>
std::vector<T> cells_of(const Plane& plane) {
    std::vector<T> out(static_cast<std::size_t>(plane.rows() * plane.cols()));
    plane.copy_rect(plane.bounds(), reinterpret_cast<std::byte*>(out.data()),
                    static_cast<std::size_t>(plane.cols()) * sizeof(T));
    return out;
}

Region random_region(std::mt19937& random) {
    std::uniform_int_distribution<std::int32_t> row(-20, kRows + 20);
    std::uniform_int_distribution<std::int32_t> col(-20, kCols + 20);
    std::uniform_int_distribution<int> kind(0, 3);
    switch (kind(random)) {
        case 0:
            return Region::of_rect({row(random), col(random), 90, 130});
        case 1:
            return Region::of_rect({row(random), col(random), 1, 3});
        case 2:
            return stroke({BrushShape::round, 40}, {1.0 * col(random), 1.0 * row(random)},
                          {1.0 * col(random), 1.0 * row(random)});
        default: {
            std::vector<Run> runs;
            for (int i = 0; i < 60; ++i) {
                const auto begin = col(random);
                runs.push_back({row(random), begin, begin + 30});
            }
            return Region::of(std::move(runs));
        }
    }
}

template <class T>
void paint(std::vector<T>& cells, const Region& region, const PaintRule& rule) {
    for (std::int64_t r = 0; r < kRows; ++r) {
        for (std::int64_t c = 0; c < kCols; ++c) {
            T& cell = cells[static_cast<std::size_t>(r * kCols + c)];
            const auto locked = std::any_of(rule.locked.begin(), rule.locked.end(),
                                            [&](Cell one) { return static_cast<T>(one.bits) == cell; });
            if (region.contains(r, c) && !locked && (!rule.empty_only || cell == 0))
                cell = static_cast<T>(rule.value.bits);
        }
    }
}

struct Difference {
    Rect bounds;
    std::int64_t changed = 0;
    std::int64_t gained = 0;
    std::int64_t lost = 0;
};

template <class T>
Difference difference_of(const std::vector<T>& before, const std::vector<T>& after) {
    Difference out;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i] == after[i]) continue;
        ++out.changed;
        out.gained += before[i] == 0 ? 1 : 0;
        out.lost += after[i] == 0 ? 1 : 0;
        out.bounds =
            united(out.bounds, {static_cast<std::int64_t>(i) / kCols, static_cast<std::int64_t>(i) % kCols, 1, 1});
    }
    return out;
}

std::vector<std::byte> bytes_of(const Plane::TileView& tile, std::size_t cell_bytes) {
    std::vector<std::byte> out(cell_bytes * kTileCells);
    for (std::size_t i = 0; i < kTileCells; ++i) {
        const auto* uniform = reinterpret_cast<const std::byte*>(&tile.uniform.bits);
        std::copy_n(tile.cells != nullptr ? tile.cells + i * cell_bytes : uniform, cell_bytes, &out[i * cell_bytes]);
    }
    return out;
}

template <class T>
void random_edits(DType dtype) {
    std::mt19937 random(31);
    Plane plane(kRows, kCols, dtype);
    auto cells = cells_of<T>(plane);
    std::vector<MaskDelta> steps;
    std::vector<std::vector<T>> states = {cells};
    std::map<std::uint64_t, std::vector<std::byte>> by_stamp;
    for (int round = 0; round < 60; ++round) {
        PaintRule rule{Cell{static_cast<std::uint64_t>(round % 5)}, round % 7 == 6, {}};
        if (round % 3 == 2) rule.locked = {Cell{1}, Cell{3}};
        MaskEdit edit(plane);
        for (int part = 0; part < 3; ++part) {
            const Region region = random_region(random);
            edit.paint(region, rule);
            paint(cells, region, rule);
            QVERIFY(cells_of<T>(plane) == cells);
            // Equal stamps mean equal cells, at all times.
            for (std::int64_t tile = 0; tile < 12; ++tile) {
                const auto bytes = bytes_of(plane.tile(tile), sizeof(T));
                QVERIFY(by_stamp.try_emplace(plane.tile_stamp(tile), bytes).first->second == bytes);
            }
        }
        const auto expected = difference_of(states.back(), cells);
        const auto so_far = edit.so_far();
        const auto delta = edit.commit();
        QVERIFY(cells_of<T>(plane) == cells);
        for (const auto* one : {&so_far, &delta}) {
            QVERIFY(one->bounds == expected.bounds);
            QCOMPARE(one->changed, expected.changed);
            QCOMPARE(one->gained, expected.gained);
            QCOMPARE(one->lost, expected.lost);
            QCOMPARE(one->empty(), expected.changed == 0);
        }
        QVERIFY(so_far.serialised() == delta.serialised());
        steps.push_back(*MaskDelta::parse(delta.serialised(), plane));
        QCOMPARE(steps.back().changed, expected.changed);
        QVERIFY(steps.back().bounds == expected.bounds);
        states.push_back(cells);
    }
    for (auto i = steps.size(); i-- > 0;) {
        steps[i].undo(plane);
        QVERIFY(cells_of<T>(plane) == states[i]);
    }
    for (std::int64_t tile = 0; tile < 12; ++tile) QCOMPARE(plane.tile_stamp(tile), std::uint64_t{0});
    for (std::size_t i = 0; i < steps.size(); ++i) {
        steps[i].redo(plane);
        QVERIFY(cells_of<T>(plane) == states[i + 1]);
    }
}

MaskDelta painted(Plane& plane, const Region& region, std::uint64_t value) {
    MaskEdit edit(plane);
    edit.paint(region, {Cell{value}, false, {}});
    return edit.commit();
}

}  // namespace

class MaskEditTest : public QObject {
    Q_OBJECT
private slots:
    void edits_agree_with_those_of_cells_and_go_both_ways() {
        random_edits<std::uint8_t>(DType::u8);
        random_edits<std::uint16_t>(DType::u16);
        random_edits<std::int32_t>(DType::i32);
        random_edits<std::int64_t>(DType::i64);
    }

    void what_is_not_committed_is_taken_back() {
        Plane plane(kRows, kCols, DType::u8);
        painted(plane, Region::of_rect({20, 20, 60, 60}), 5);
        const auto before = cells_of<std::uint8_t>(plane);
        const auto stamp = plane.tile_stamp(0);
        {
            MaskEdit edit(plane);
            edit.paint(Region::of_rect({0, 0, 150, 203}), {Cell{6}, false, {}});
            QCOMPARE(plane.value_at(30, 30), 6.0);
            QCOMPARE(edit.before().value_at(30, 30), 5.0);
        }
        QVERIFY(cells_of<std::uint8_t>(plane) == before);
        QCOMPARE(plane.tile_stamp(0), stamp);
    }

    void a_restart_shows_only_what_comes_after_it() {
        Plane plane(kRows, kCols, DType::u8);
        MaskEdit edit(plane);
        edit.paint(Region::of_rect({0, 0, 10, 10}), {Cell{6}, false, {}});
        QVERIFY((edit.take_dirty() == Rect{0, 0, 10, 10}));
        QVERIFY(edit.take_dirty().empty());
        edit.restart();
        edit.paint(Region::of_rect({5, 100, 1, 100}), {Cell{7}, false, {}});
        // What was taken back has to be drawn anew as well.
        QVERIFY((edit.take_dirty() == Rect{0, 0, 10, 200}));
        QVERIFY((edit.written() == Rect{5, 100, 1, 100}));
        const auto delta = edit.commit();
        QVERIFY((delta.bounds == Rect{5, 100, 1, 100}));
        QCOMPARE(plane.where_not_zero().count(), std::int64_t{100});
    }

    void what_changes_nothing_is_no_step_and_draws_nothing() {
        Plane plane(kRows, kCols, DType::u8);
        painted(plane, stamp({BrushShape::round, 100}, {70, 70}), 5);
        const auto stamps = plane.tile_stamp(0);
        MaskEdit again(plane);
        again.paint(stamp({BrushShape::round, 100}, {70, 70}), {Cell{5}, false, {}});
        QVERIFY(again.take_dirty().empty());
        QVERIFY(again.commit().empty());
        QCOMPARE(plane.tile_stamp(0), stamps);
        // There and back again is nothing either, and gives the old tile back.
        MaskEdit back(plane);
        back.paint(Region::of_rect({60, 60, 2, 2}), {Cell{9}, false, {}});
        QVERIFY(plane.tile_stamp(0) != stamps);
        back.paint(Region::of_rect({60, 60, 2, 2}), {Cell{5}, false, {}});
        QVERIFY(!back.written().empty());
        QVERIFY(back.commit().empty());
        QCOMPARE(plane.tile_stamp(0), stamps);
        MaskEdit outside(plane);
        outside.paint(Region::of_rect({-50, -50, 20, 20}), {Cell{9}, false, {}});
        outside.paint(Region::of_rect({150, 0, 20, 20}), {Cell{9}, false, {}});
        outside.paint(Region(), {Cell{9}, false, {}});
        QVERIFY(outside.commit().empty());
    }

    void rectangles_of_cells_are_written_as_they_are() {
        Plane plane(kRows, kCols, DType::i32);
        const auto before = cells_of<std::int32_t>(plane);
        const Rect rect{30, 50, 100, 153};
        constexpr std::size_t kStride = 160;
        std::vector<std::int32_t> source(100 * kStride);
        for (std::size_t i = 0; i < source.size(); ++i)
            source[i] = i / kStride < 40 && i % kStride < 90 ? 3 : static_cast<std::int32_t>(i % 5);
        MaskEdit edit(plane);
        edit.write_rect(rect, reinterpret_cast<const std::byte*>(source.data()), kStride * 4);
        auto expected = before;
        for (std::size_t r = 0; r < 100; ++r)
            for (std::size_t c = 0; c < 153; ++c)
                expected[(30 + r) * static_cast<std::size_t>(kCols) + 50 + c] = source[r * kStride + c];
        QVERIFY(cells_of<std::int32_t>(plane) == expected);
        QVERIFY(edit.take_dirty() == rect);
        edit.write_rect(rect, reinterpret_cast<const std::byte*>(source.data()), kStride * 4);
        QVERIFY(edit.take_dirty().empty());
        const auto delta = edit.commit();
        QCOMPARE(delta.changed, difference_of(before, expected).changed);
        delta.undo(plane);
        QVERIFY(cells_of<std::int32_t>(plane) == before);
    }

    void whole_tiles_take_no_memory() {
        Plane plane(6400, 6400, DType::u8);
        const auto empty = plane.bytes();
        const auto delta = painted(plane, Region::of_rect({0, 0, 6400, 6400}), 200);
        QCOMPARE(delta.changed, std::int64_t{6400} * 6400);
        QCOMPARE(delta.gained, delta.changed);
        QVERIFY(plane.bytes() - empty < 10000 * 100);
        QVERIFY(delta.bytes() < 10000 * 150);
        QVERIFY(plane.tile(17).cells == nullptr);
        // Dense tiles that come to hold one value give their memory back.
        painted(plane, Region::of_rect({10, 10, 20, 20}), 3);
        QVERIFY(plane.tile(0).cells != nullptr);
        painted(plane, Region::of_rect({10, 10, 20, 20}), 200);
        QVERIFY(plane.tile(0).cells == nullptr);
        painted(plane, Region::of_rect({0, 0, 64, 63}), 0);
        painted(plane, Region::of_rect({0, 0, 64, 64}), 0);
        QCOMPARE(plane.tile_stamp(0), std::uint64_t{0});
    }

    void noise_takes_little_more_than_itself() {
        std::mt19937 random(37);
        for (const auto dtype : {DType::u8, DType::u16, DType::i64}) {
            Plane plane(64, 64, dtype);
            std::vector<std::byte> noise(size_of(dtype) * kTileCells);
            for (auto& byte : noise) byte = static_cast<std::byte>(random());
            MaskEdit edit(plane);
            edit.write_rect(plane.bounds(), noise.data(), size_of(dtype) * 64);
            const auto delta = edit.commit();
            QCOMPARE(delta.tiles.size(), std::size_t{1});
            QVERIFY(delta.tiles[0].before.empty());
            QVERIFY(delta.tiles[0].after.size() < noise.size() * 9 / 8);
            delta.undo(plane);
            delta.redo(plane);
            std::vector<std::byte> back(noise.size());
            plane.copy_rect(plane.bounds(), back.data(), size_of(dtype) * 64);
            QVERIFY(back == noise);
        }
    }

    void a_step_fits_only_its_own_kind_of_plane() {
        Plane plane(kRows, kCols, DType::u8);
        const auto bytes = painted(plane, stamp({BrushShape::round, 100}, {150, 100}), 5).serialised();
        QVERIFY(MaskDelta::parse(bytes, plane).ok());
        QVERIFY(!MaskDelta::parse(bytes, Plane(kRows, kCols + 1, DType::u8)));
        QVERIFY(!MaskDelta::parse(bytes, Plane(kCols, kRows, DType::u8)));
        QCOMPARE(QString::fromStdString(MaskDelta::parse(bytes, Plane(kRows, kCols, DType::i8)).error().text()),
                 QString("a step of the history does not belong to this mask of 150 x 203 cells of int8"));
        const auto nothing = MaskDelta().serialised();
        QVERIFY(!MaskDelta::parse(nothing, plane));
    }

    void hostile_bytes_are_refused_or_harmless() {
        std::mt19937 random(41);
        Plane plane(kRows, kCols, DType::u16);
        const auto delta = painted(plane, stamp({BrushShape::round, 90}, {160, 100}), 0x1234);
        const auto good = delta.serialised();
        const auto before = cells_of<std::uint16_t>(plane);
        for (std::size_t length = 0; length < good.size(); ++length)
            QVERIFY(!MaskDelta::parse(std::span(good).first(length), plane));
        auto longer = good;
        longer.push_back(std::byte{0});
        QVERIFY(!MaskDelta::parse(longer, plane));
        int refused = 0;
        for (int round = 0; round < 6000; ++round) {
            auto bytes = good;
            for (int i = 0; i <= round % 3; ++i) bytes[random() % bytes.size()] = static_cast<std::byte>(random());
            const auto parsed = MaskDelta::parse(bytes, plane);
            if (!parsed) {
                ++refused;
                continue;
            }
            Plane copy = plane;
            parsed->undo(copy);
            parsed->redo(copy);
            // Nothing ever stands beyond the edges.
            for (const auto& tile : parsed->tiles)
                QVERIFY(tile.index % 4 != 3 || copy.tile(tile.index).cells != nullptr ||
                        copy.tile(tile.index).uniform == Cell{});
            QVERIFY(intersection(parsed->bounds, plane.bounds()) == parsed->bounds);
        }
        QVERIFY(refused > 300);
        QVERIFY(cells_of<std::uint16_t>(plane) == before);
        for (int round = 0; round < 2000; ++round) {
            std::vector<std::byte> noise(random() % 60);
            for (auto& byte : noise) byte = static_cast<std::byte>(random());
            QVERIFY(!MaskDelta::parse(noise, plane));
        }
    }
};

QTEST_APPLESS_MAIN(MaskEditTest)
#include "mask_edit_test.moc"
