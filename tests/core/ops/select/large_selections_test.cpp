// SPDX-License-Identifier: Apache-2.0
// Tensors of more than one chunk, against plain loops; views, notes and runs of shapes alone.
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/op_table.h"

#include <QTest>

#include <array>
#include <random>

using namespace maskscope;
using namespace maskscope::ops;

namespace {

constexpr std::int64_t kRows = 300;
constexpr std::int64_t kCols = 401;  // three chunks of places, no multiple of 8

struct Data {
    explicit Data(double share, Settings settings = {}) : run(op_table(), std::move(settings)) {
        std::mt19937 random(7);
        std::uniform_real_distribution<double> real(0, 1);
        auto values = *Tensor::zeros({kRows, kCols}, DType::f32);
        auto mask = *Tensor::zeros({kRows, kCols}, DType::boolean);
        auto index = *Tensor::zeros({kRows, kCols}, DType::i64);
        for (std::int64_t at = 0; at < values.numel(); ++at) {
            values.writable_as<float>()[at] = static_cast<float>(real(random));
            mask.writable_as<std::uint8_t>()[at] = real(random) < share;
            index.writable_as<std::int64_t>()[at] = static_cast<std::int64_t>(real(random) * kRows);
        }
        x = run.wrap(values);
        m = run.wrap(mask);
        i = run.wrap(index);
    }

    float value(std::int64_t row, std::int64_t col) const { return x->tensor.data_as<float>()[row * kCols + col]; }
    bool masked(std::int64_t row, std::int64_t col) const {
        return m->tensor.data_as<std::uint8_t>()[row * kCols + col] != 0;
    }
    // The transposed tensor in row-major order, as a view.
    VariablePtr transposed(const VariablePtr& variable) { return run.wrap(variable->tensor.transpose(0, 1)); }

    Run run;
    VariablePtr x;
    VariablePtr m;
    VariablePtr i;
};

std::vector<float> floats_of(const Result<Value>& result) {
    if (!result || !result->is_tensor()) return {};
    auto dense = result->tensor()->tensor.contiguous();
    const auto* first = dense->data_as<float>();
    return {first, first + dense->numel()};
}

}  // namespace

class LargeSelectionsTest : public QObject {
    Q_OBJECT
private slots:
    void masked_select_keeps_the_order_of_rows_data() {
        QTest::addColumn<double>("share");
        for (const double share : {0.0, 0.01, 0.5, 0.99, 1.0}) QTest::addRow("%g", share) << share;
    }
    void masked_select_keeps_the_order_of_rows() {
        QFETCH(double, share);
        Data data(share);
        std::vector<float> by_rows;
        std::vector<float> by_cols;
        for (std::int64_t row = 0; row < kRows; ++row)
            for (std::int64_t col = 0; col < kCols; ++col)
                if (data.masked(row, col)) by_rows.push_back(data.value(row, col));
        for (std::int64_t col = 0; col < kCols; ++col)
            for (std::int64_t row = 0; row < kRows; ++row)
                if (data.masked(row, col)) by_cols.push_back(data.value(row, col));
        QVERIFY(floats_of(data.run.call("masked_select", {data.x, data.m})) == by_rows);
        QVERIFY(floats_of(data.run.call("getitem", {data.x, data.m})) == by_rows);
        QVERIFY(floats_of(data.run.call("masked_select", {data.transposed(data.x), data.transposed(data.m)})) ==
                by_cols);
        // There and back.
        const auto taken = data.run.tensor("masked_select", {data.x, data.m});
        const auto empty = data.run.wrap(*Tensor::zeros({kRows, kCols}, DType::f32));
        const auto back = data.run.tensor("masked_scatter", {empty, data.m, *taken});
        QVERIFY(floats_of(data.run.call("masked_select", {*back, data.m})) == by_rows);
    }

    void nonzero_lists_every_place_in_order() {
        Data data(0.3);
        const auto places = data.run.tensor("nonzero", {data.transposed(data.m)});
        QVERIFY(places.ok());
        std::int64_t at = 0;
        for (std::int64_t col = 0; col < kCols; ++col) {
            for (std::int64_t row = 0; row < kRows; ++row) {
                if (!data.masked(row, col)) continue;
                QCOMPARE(std::get<std::int64_t>((*places)->tensor.at(std::array{at, std::int64_t{0}})), col);
                QCOMPARE(std::get<std::int64_t>((*places)->tensor.at(std::array{at, std::int64_t{1}})), row);
                ++at;
            }
        }
        QCOMPARE((*places)->tensor.size(0), at);
    }

    void masked_fill_spreads_masks_of_every_shape_data() {
        QTest::addColumn<int>("repeated");
        QTest::addColumn<bool>("in_place");
        for (const int repeated : {-1, 0, 1})
            for (const bool in_place : {false, true})
                QTest::addRow("%d %d", repeated, int(in_place)) << repeated << in_place;
    }
    void masked_fill_spreads_masks_of_every_shape() {
        QFETCH(int, repeated);
        QFETCH(bool, in_place);
        Data data(0.4);
        std::vector<float> expected;
        for (std::int64_t row = 0; row < kRows; ++row)
            for (std::int64_t col = 0; col < kCols; ++col)
                expected.push_back(
                    data.masked(repeated == 0 ? 0 : row, repeated == 1 ? 0 : col) ? -1 : data.value(row, col));
        VariablePtr mask = data.m;
        if (repeated >= 0) mask = data.run.wrap(mask->tensor.narrow(repeated, 0, 1));
        if (in_place) {
            QVERIFY(data.run.in_place("masked_fill", {data.x, mask, -1}).ok());
            QVERIFY(floats_of(Value(data.x)) == expected);
        } else {
            QVERIFY(floats_of(data.run.call("masked_fill", {data.x, mask, -1})) == expected);
        }
    }

    void gather_and_scatter_follow_the_index_along_both_dims() {
        Data data(0);
        const auto* index = data.i->tensor.data_as<std::int64_t>();
        std::vector<float> gathered(kRows * kCols);
        std::vector<float> last(kRows * kCols, 0);
        std::vector<float> sums(kRows * kCols, 0);
        for (std::int64_t row = 0; row < kRows; ++row) {
            for (std::int64_t col = 0; col < kCols; ++col) {
                const auto at = static_cast<std::size_t>(row * kCols + col);
                const auto there = static_cast<std::size_t>(index[at] * kCols + col);
                gathered[at] = data.value(index[at], col);
                last[there] = data.value(row, col);
                sums[there] += data.value(row, col);
            }
        }
        const auto zeros = data.run.wrap(*Tensor::zeros({kRows, kCols}, DType::f32));
        QVERIFY(floats_of(data.run.call("gather", {data.x, 0, data.i})) == gathered);
        QVERIFY(floats_of(data.run.call("scatter", {zeros, 0, data.i, data.x})) == last);
        QVERIFY(floats_of(data.run.call("scatter_add", {zeros, 0, data.i, data.x})) == sums);
        // The same along the last dim.
        const auto turned = [&](std::string_view op, std::initializer_list<Value> arguments) {
            const auto result = data.run.tensor(op, arguments);
            return floats_of(Value(data.transposed(*result)));
        };
        const auto x = data.transposed(data.x);
        const auto i = data.transposed(data.i);
        QVERIFY(turned("gather", {x, 1, i}) == gathered);
        QVERIFY(turned("scatter", {data.transposed(zeros), 1, i, x}) == last);
        QVERIFY(turned("scatter_add", {data.transposed(zeros), 1, i, x}) == sums);
    }

    void rows_by_mask_and_by_index() {
        Data data(0.3);
        const auto rows = data.run.wrap(data.m->tensor.select(1, 5));
        const auto index = data.run.wrap(data.i->tensor.select(1, 5));
        std::vector<float> by_mask;
        std::vector<float> by_index;
        for (std::int64_t row = 0; row < kRows; ++row) {
            const auto from = std::get<std::int64_t>(index->tensor.at(std::array{row}));
            for (std::int64_t col = 0; col < kCols; ++col) {
                if (data.masked(row, 5)) by_mask.push_back(data.value(row, col));
                by_index.push_back(data.value(from, col));
            }
        }
        QVERIFY(floats_of(data.run.call("getitem", {data.x, rows})) == by_mask);
        QVERIFY(floats_of(data.run.call("getitem", {data.x, index})) == by_index);
        QVERIFY(floats_of(data.run.call("index_select", {data.x, 0, index})) == by_index);
    }

    void writing_through_a_view_reaches_the_tensor_and_a_selection_does_not() {
        Data data(0.5);
        const auto row = data.run.tensor("getitem", {data.x, 3});
        QVERIFY((*row)->base == data.x);
        QVERIFY(data.run.call("setitem", {*row, Value(make_tuple({0})), 9.0}).ok());
        QCOMPARE(data.value(3, 0), 9.0F);
        const auto copy = data.run.tensor("getitem", {data.x, data.m});
        QVERIFY((*copy)->base == nullptr);
        QVERIFY((*copy)->tensor.storage() != data.x->tensor.storage());
        QVERIFY(data.run.call("setitem", {*copy, 0, -5.0}).ok());
        const auto again = data.run.tensor("getitem", {data.x, data.m});
        QVERIFY((*again)->tensor.data_as<float>()[0] != -5.0F);
    }

    void an_expanded_tensor_is_written_through_with_a_note() {
        Data data(0);
        auto one = *Tensor::zeros({3, 1}, DType::f32);
        const auto wide = data.run.wrap(*Tensor::view_of(one.storage(), DType::f32, {3, 4}, {1, 0}, 0));
        auto mask = *Tensor::zeros({3, 4}, DType::boolean);
        mask.writable_as<std::uint8_t>()[6] = 1;
        QVERIFY(data.run.in_place("masked_fill", {wide, data.run.wrap(mask), 7}).ok());
        QCOMPARE(one.data_as<float>()[0], 0.0F);
        QCOMPARE(one.data_as<float>()[1], 7.0F);
        const auto notes = data.run.take_notes();
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY(notes.front().starts_with("Use of masked_fill_ on expanded tensors is deprecated."));
    }

    void without_data_shapes_are_told_unless_they_depend_on_it() {
        Settings settings;
        settings.shapes_only = true;
        Data data(0.5, settings);
        const auto x = data.run.wrap(*Tensor::shapes_only({4, 5}, DType::f32));
        const auto mask = data.run.wrap(*Tensor::shapes_only({4, 1}, DType::boolean));
        const auto index = data.run.wrap(*Tensor::shapes_only({2, 3}, DType::i64));
        const auto shape = [](const Result<VariablePtr>& result) {
            return QString::fromStdString(result ? text_of((*result)->tensor.shape()) : result.error().text());
        };
        QCOMPARE(shape(data.run.tensor("masked_fill", {x, mask, 0})), QStringLiteral("[4, 5]"));
        QCOMPARE(shape(data.run.tensor("getitem", {x, index})), QStringLiteral("[2, 3, 5]"));
        QCOMPARE(shape(data.run.tensor("getitem", {x, make_tuple({1, Value()})})), QStringLiteral("[1, 5]"));
        for (const auto& result : {data.run.tensor("masked_select", {x, mask}), data.run.tensor("nonzero", {x}),
                                   data.run.tensor("getitem", {x, data.run.wrap(mask->tensor.select(1, 0))})})
            QVERIFY(!result && is_needs_data(result.error()));
    }
};

QTEST_APPLESS_MAIN(LargeSelectionsTest)
#include "large_selections_test.moc"
