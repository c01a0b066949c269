// SPDX-License-Identifier: Apache-2.0
#include "core/mask/plane.h"

#include "core/mask/mask_edit.h"
#include "tests/core/mask/bitmap.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <stop_token>
#include <thread>

using namespace maskscope;
using namespace maskscope::mask;
using test::region_of;

namespace {

// Labels in blocks with some noise, so that there are tiles of all kinds.
template <class T>
Tensor blocks(std::int64_t rows, std::int64_t cols, DType dtype) {
    return test::tensor_of<T>(rows, cols, dtype, [](std::int64_t r, std::int64_t c) {
        if (r >= 64 && r < 128 && c < 64) return static_cast<T>(9);
        return static_cast<T>(r < 64 ? 0 : ((r / 30 * 7 + c / 40 * 3) % 5 + (r * 31 + c * 17) % 97 / 96));
    });
}

template <class T>
void there_and_back(DType dtype) {
    const Tensor tensor = blocks<T>(150, 203, dtype);
    const Plane plane = *Plane::of(tensor);
    QCOMPARE(plane.tile_rows(), std::int64_t{3});
    QCOMPARE(plane.tile_cols(), std::int64_t{4});
    const Tensor back = *plane.tensor();
    QVERIFY(back.shape() == tensor.shape() && back.dtype() == dtype && back.is_contiguous());
    QVERIFY(std::equal(tensor.data(), tensor.data() + tensor.byte_size(), back.data()));
    for (const auto& [r, c] : {std::pair{0, 0}, {63, 64}, {64, 63}, {149, 202}, {100, 190}}) {
        const auto value = static_cast<double>(tensor.data_as<T>()[r * 203 + c]);
        QCOMPARE(plane.value_at(r, c), dtype == DType::boolean ? std::min(value, 1.0) : value);
    }
}

QString words(const Result<Cell>& cell) {
    return cell ? "fits" : QString::fromStdString(cell.error().text());
}

}  // namespace

class PlaneTest : public QObject {
    Q_OBJECT
private slots:
    void a_tensor_comes_back_as_it_was() {
        there_and_back<std::uint8_t>(DType::boolean);
        there_and_back<std::uint8_t>(DType::u8);
        there_and_back<std::int16_t>(DType::i16);
        there_and_back<std::int32_t>(DType::i32);
        there_and_back<float>(DType::f32);
        there_and_back<std::int64_t>(DType::i64);
        there_and_back<double>(DType::f64);
    }

    void strides_of_any_kind_are_followed() {
        const Tensor tensor = blocks<std::uint16_t>(150, 203, DType::u16);
        const Plane turned = *Plane::of(tensor.transpose(0, 1));
        const Plane thinned = *Plane::of(tensor.narrow(0, 3, 40, 3).narrow(1, 1, 100, 2));
        const auto value = [&](std::int64_t r, std::int64_t c) { return tensor.data_as<std::uint16_t>()[r * 203 + c]; };
        for (std::int64_t r = 0; r < 40; ++r) {
            for (std::int64_t c = 0; c < 100; ++c) {
                QCOMPARE(turned.value_at(c, r), static_cast<double>(value(r, c)));
                QCOMPARE(thinned.value_at(r, c), static_cast<double>(value(3 + 3 * r, 1 + 2 * c)));
            }
        }
    }

    void tiles_of_one_value_take_no_memory_and_the_edge_is_padded_with_zeros() {
        const Plane plane = *Plane::of(blocks<std::uint8_t>(150, 203, DType::u8));
        for (std::int64_t tile = 0; tile < 4; ++tile) {
            QCOMPARE(plane.tile_stamp(tile), std::uint64_t{0});
            QVERIFY(plane.tile(tile).cells == nullptr && plane.tile(tile).uniform == Cell{});
        }
        QVERIFY(plane.tile(4).cells == nullptr);
        QCOMPARE(plane.tile(4).uniform.bits, std::uint64_t{9});
        QVERIFY(plane.tile_stamp(4) != 0);
        const auto corner = plane.tile(11);
        QVERIFY(corner.cells != nullptr);
        for (int r = 0; r < kTileSide; ++r)
            for (int c = 0; c < kTileSide; ++c)
                if (r >= 150 - 128 || c >= 203 - 192) QCOMPARE(corner.cells[r * kTileSide + c], std::byte{0});
        const Plane empty(100000, 100000, DType::u8);
        QVERIFY(empty.bytes() < std::size_t{64} << 20U);
    }

    void a_plane_has_two_dims_and_values() {
        QVERIFY(!Plane::of(Tensor()));
        QVERIFY(!Plane::of(*Tensor::shapes_only({3, 3}, DType::u8)));
        QCOMPARE(QString::fromStdString(Plane::of(*Tensor::zeros({2, 3, 4}, DType::u8)).error().text()),
                 QString("a plane has 2 dims, and this mask has 3: [2, 3, 4]"));
        QCOMPARE(Plane::of(*Tensor::zeros({0, 4}, DType::u8))->where_not_zero().count(), std::int64_t{0});
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(Plane::of(*Tensor::zeros({3, 4}, DType::u8), JobContext(stop.get_token())).error().kind ==
                ErrorKind::cancelled);
    }

    void rectangles_are_copied_into_rows_of_any_length() {
        const Tensor tensor = blocks<std::int32_t>(150, 203, DType::i32);
        const Plane plane = *Plane::of(tensor);
        const Rect rect{50, 60, 90, 140};
        constexpr std::size_t kStride = 150;  // cells
        std::vector<std::int32_t> out(90 * kStride, -7);
        plane.copy_rect(rect, reinterpret_cast<std::byte*>(out.data()), kStride * 4);
        for (std::size_t r = 0; r < 90; ++r)
            for (std::size_t c = 0; c < kStride; ++c)
                QCOMPARE(out[r * kStride + c], c < 140 ? tensor.data_as<std::int32_t>()[(50 + r) * 203 + 60 + c] : -7);
        plane.copy_rect({}, nullptr, 0);
    }

    void where_finds_the_cells_of_a_value() {
        const Tensor tensor = blocks<std::int16_t>(150, 203, DType::i16);
        const Plane plane = *Plane::of(tensor);
        for (std::uint64_t label = 0; label < 11; ++label) {
            test::Bitmap expected(150, 203);
            for (std::int64_t i = 0; i < 150 * 203; ++i)
                expected.cells[static_cast<std::size_t>(i)] =
                    tensor.data_as<std::int16_t>()[i] == static_cast<int>(label) ? 1 : 0;
            QVERIFY(plane.where({label}) == region_of(expected));
            if (label != 0) continue;
            QVERIFY(plane.where_not_zero() == subtract(Region::of_rect(plane.bounds()), region_of(expected)));
        }
    }

    void counts_are_those_of_the_cells_by_ascending_value() {
        const Tensor tensor = test::tensor_of<std::int16_t>(150, 203, DType::i16, [](std::int64_t r, std::int64_t c) {
            return static_cast<std::int16_t>(r < 70 ? 0 : (r / 3 * 5 + c / 7) % 9 - 4);
        });
        std::map<int, std::pair<std::int64_t, Rect>> expected;
        for (std::int64_t i = 0; i < 150 * 203; ++i) {
            auto& [cells, bounds] = expected[tensor.data_as<std::int16_t>()[i]];
            ++cells;
            bounds = united(bounds, {i / 203, i % 203, 1, 1});
        }
        const auto counts = Plane::of(tensor)->counts();
        QCOMPARE(counts.size(), expected.size());
        auto wanted = expected.begin();
        for (const auto& count : counts) {
            QCOMPARE(value_of(count.cell, DType::i16), static_cast<double>(wanted->first));
            QCOMPARE(count.cells, wanted->second.first);
            QVERIFY(count.bounds == wanted->second.second);
            ++wanted;
        }
        QVERIFY(Plane(5, 5, DType::f32).counts().empty());
        QVERIFY(Plane(0, 5, DType::u8).counts().empty());
    }

    void counts_stop_at_a_million_values() {
        const Tensor tensor = test::tensor_of<std::int32_t>(1100, 1100, DType::i32, [](std::int64_t r, std::int64_t c) {
            return static_cast<std::int32_t>(r * 1100 + c);
        });
        const auto counts = Plane::of(tensor)->counts();
        QCOMPARE(counts.size(), std::size_t{1} << 20);
        QVERIFY(std::all_of(counts.begin(), counts.end(), [](const auto& count) { return count.cells == 1; }));
    }

    void a_copy_stays_as_it_was() {
        Plane plane = *Plane::of(blocks<std::uint8_t>(150, 203, DType::u8));
        const Plane copy = plane;
        const Tensor before = *plane.tensor();
        MaskEdit edit(plane);
        edit.paint(Region::of_rect({10, 10, 100, 100}), {Cell{77}, false, {}});
        const Plane between = plane;
        edit.paint(Region::of_rect({10, 10, 120, 150}), {Cell{78}, false, {}});
        QVERIFY(!edit.commit().empty());
        const Tensor after = *copy.tensor();
        QVERIFY(std::equal(before.data(), before.data() + before.byte_size(), after.data()));
        QCOMPARE(between.value_at(50, 50), 77.0);
        QCOMPARE(plane.value_at(50, 50), 78.0);
        for (std::int64_t tile = 0; tile < 12; ++tile)
            QVERIFY(plane.tile_stamp(tile) != between.tile_stamp(tile) ||
                    plane.tile_stamp(tile) == copy.tile_stamp(tile));
    }

    void a_snapshot_is_read_elsewhere_while_painting_goes_on() {
        Plane plane(256, 256, DType::u8);
        MaskEdit edit(plane);
        for (std::uint64_t value = 1; value <= 100; ++value) {
            // Not whole tiles, so that cells are written in place.
            edit.paint(Region::of_rect({1, 1, 200, 200}), {Cell{value}, false, {}});
            std::int64_t cells = 0;
            std::thread reader([&cells, value, snapshot = plane] { cells = snapshot.where({value}).count(); });
            edit.paint(Region::of_rect({1, 1, 150, 150}), {Cell{value + 101}, false, {}});
            reader.join();
            QCOMPARE(cells, std::int64_t{40000});
        }
        std::thread late;
        for (std::uint64_t value = 1; value <= 100; ++value) {
            if (late.joinable()) late.join();
            late = std::thread([snapshot = plane] { static_cast<void>(snapshot.where_not_zero()); });
            edit.paint(Region::of_rect({1, 1, 200, 200}), {Cell{value}, false, {}});
        }
        late.join();
        QCOMPARE(plane.where({100}).count(), std::int64_t{40000});
    }

    void labels_are_never_rounded() {
        QCOMPARE(words(cell_of(300, DType::u8)), QString("the label 300 does not fit uint8: 0 to 255"));
        QCOMPARE(words(cell_of(-1, DType::u16)), QString("the label -1 does not fit uint16: 0 to 65535"));
        QCOMPARE(words(cell_of(128, DType::i8)), QString("the label 128 does not fit int8: -128 to 127"));
        QCOMPARE(words(cell_of(2.5, DType::i32)),
                 QString("the label 2.5 does not fit int32, which holds whole numbers"));
        QCOMPARE(words(cell_of(2, DType::boolean)), QString("the label 2 does not fit bool: 0 or 1"));
        QCOMPARE(words(cell_of(std::nan(""), DType::u8)), QString("the label nan does not fit uint8: 0 to 255"));
        QVERIFY(!cell_of(0x1p63, DType::i64));
        QVERIFY(!cell_of(0x1p64, DType::u64));
        QVERIFY(!cell_of(-1, DType::u64));
        QCOMPARE(cell_of(-0x1p63, DType::i64)->bits, std::uint64_t{1} << 63);
        QCOMPARE(cell_of(-2, DType::i16)->bits, std::uint64_t{0xfffe});
        QCOMPARE(cell_of(-0.0, DType::u8)->bits, std::uint64_t{0});
        QCOMPARE(cell_of(255, DType::u8)->bits, std::uint64_t{255});
        QCOMPARE(cell_of(1, DType::boolean)->bits, std::uint64_t{1});
    }

    void floating_values_are_rounded_and_never_become_infinite() {
        QCOMPARE(cell_of(0.1, DType::f32)->bits, std::uint64_t{0x3dcccccd});
        QCOMPARE(cell_of(0.1, DType::f16)->bits, std::uint64_t{0x2e66});
        QCOMPARE(cell_of(0.1, DType::bf16)->bits, std::uint64_t{0x3dcd});
        QCOMPARE(cell_of(1.0, DType::f64)->bits, std::uint64_t{0x3ff0000000000000});
        QCOMPARE(cell_of(448, DType::f8_e4m3)->bits, std::uint64_t{0x7e});
        QCOMPARE(cell_of(1.06, DType::f8_e4m3)->bits, std::uint64_t{0x38});  // 1 and 1.125 around it
        QCOMPARE(cell_of(-1.07, DType::f8_e4m3)->bits, std::uint64_t{0xb9});
        QCOMPARE(cell_of(-std::numeric_limits<double>::infinity(), DType::f16)->bits, std::uint64_t{0xfc00});
        QCOMPARE(words(cell_of(70000, DType::f16)), QString("the value 70000 does not fit float16: at most 65504"));
        for (const auto dtype : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::f8_e4m3})
            QVERIFY(std::isnan(value_of(*cell_of(std::nan(""), dtype), dtype)));
        for (const double value : {-3.0, 0.0, 1.0, 100.0})
            for (const auto dtype : {DType::i8, DType::i16, DType::i32, DType::i64, DType::f16, DType::f32, DType::f64})
                QCOMPARE(value_of(*cell_of(value, dtype), dtype), value);
    }
};

QTEST_APPLESS_MAIN(PlaneTest)
#include "plane_test.moc"
