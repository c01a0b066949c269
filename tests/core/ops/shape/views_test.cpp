// SPDX-License-Identifier: Apache-2.0
// Views lie on the memory of what they view: writing through them, their bases, and forms that change a tensor's own
// shape.
#include "core/ops/op_table.h"
#include "tests/core/ops/shape/expression.h"

#include <QTest>

#include <numeric>

using namespace maskscope;
using namespace maskscope::ops;

namespace {

Value counted(Run& run, const Shape& shape) {
    auto tensor = Tensor::zeros(shape, DType::f32);
    std::iota(tensor->writable_as<float>(), tensor->writable_as<float>() + tensor->numel(), 0.0F);
    return run.wrap(*tensor);
}

std::vector<float> elements(const Value& value) {
    const Tensor whole = *value.tensor()->tensor.contiguous();
    return {whole.data_as<float>(), whole.data_as<float>() + whole.numel()};
}

struct Fixture {
    Run run{op_table(), {}};
    Names names{{"x", counted(run, {2, 3})}};

    Result<Value> operator()(std::string_view expression) { return evaluate(expression, names, run); }
    QString error(std::string_view expression) {
        const auto result = (*this)(expression);
        return result ? QStringLiteral("no error")
                      : QString::fromStdString(result.error().type + ": " + result.error().message.text());
    }
};

}  // namespace

class ViewsTest : public QObject {
    Q_OBJECT
private slots:
    void writing_to_a_view_is_seen_in_the_base_data() {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QList<float>>("expected");
        const auto row = [](const char* view, const QList<float>& expected) {
            QTest::newRow(view) << view << expected;
        };
        row("x.view(3, 2)", {9, 9, 9, 9, 9, 9});
        row("x.t().narrow(0, 0, 1)", {9, 1, 2, 9, 4, 5});
        row("x.select(1, -1)", {0, 1, 9, 3, 4, 9});
        row("x.diagonal(1)", {0, 9, 2, 3, 4, 9});
        row("x.unsqueeze(0).squeeze(0).select(0, 1)", {0, 1, 2, 9, 9, 9});
        row("x.permute(1, 0).unflatten(0, (3, 1)).select(0, 2)", {0, 1, 9, 3, 4, 9});
        row("x.reshape(6).narrow(0, 2, 2)", {0, 1, 9, 9, 4, 5});
        row("x.flatten().unfold(0, 2, 4)", {9, 9, 2, 3, 9, 9});
        row("x.as_strided((2,), (5,))", {9, 1, 2, 3, 4, 9});
        row("x.movedim(0, 1).mT.T.select(0, 0)", {9, 1, 2, 9, 4, 5});
    }
    void writing_to_a_view_is_seen_in_the_base() {
        QFETCH(QString, view);
        QFETCH(QList<float>, expected);
        Fixture torch;
        const auto written = torch(view.toStdString() + ".fill_(9)");
        QVERIFY(written.ok());
        QVERIFY(written->tensor()->base == torch.names["x"].tensor());
        const auto got = elements(torch.names["x"]);
        QCOMPARE(QList<float>(got.begin(), got.end()), expected);
    }
    void pieces_are_views_too() {
        Fixture torch;
        for (const char* pieces : {"x.split(2, 1)", "x.chunk(2, 1)", "x.tensor_split((1,), 1)", "x.unbind(1)"}) {
            const auto result = torch(pieces);
            QVERIFY(result.ok());
            for (const auto& piece : *result->sequence()) {
                QVERIFY(piece.tensor()->tensor.storage() == torch.names["x"].tensor()->tensor.storage());
                QVERIFY(piece.tensor()->base == torch.names["x"].tensor());
            }
        }
    }
    void what_cannot_be_a_view_is_a_copy() {
        Fixture torch;
        for (const char* copy : {"x.t().reshape(6)", "x.t().flatten()", "x.t().ravel()", "x.repeat(1, 1)", "x.flip(0)",
                                 "x.roll(0)", "torch.cat([x])", "x.tril(9)", "x.diag()", "F.pad(x, (0, 0))",
                                 "x.repeat_interleave(1, 0)", "x.rot90(0)", "F.pixel_shuffle(x.unsqueeze(0), 1)"}) {
            const auto result = torch(copy);
            QVERIFY2(result.ok(), copy);
            QVERIFY2(result->tensor()->tensor.storage() != torch.names["x"].tensor()->tensor.storage(), copy);
            QVERIFY2(result->tensor()->base == nullptr || result->tensor()->base != torch.names["x"].tensor(), copy);
        }
    }
    void expand_costs_no_bytes() {
        Fixture torch;
        const auto wide = torch("x.unsqueeze(0).expand(1000000000, 2, 3)");
        QVERIFY(wide.ok());
        QCOMPARE(wide->tensor()->tensor.strides(), (Strides{0, 3, 1}));
        QCOMPARE(wide->tensor()->tensor.storage()->size(), std::size_t{24});
    }
    void a_tensor_changes_its_own_shape() {
        Fixture torch;
        const Value x = torch.names["x"];
        const auto id = x.tensor()->id;
        const auto version = x.tensor()->tensor.storage()->version();
        for (const char* change : {"x.unsqueeze_(0)", "x.transpose_(0, 2)", "x.squeeze_()", "x.t_()",
                                   "x.swapaxes_(0, 1)", "x.swapdims_(0, 1)", "x.as_strided_((3,), (2,))",
                                   "x.unsqueeze_(1)", "x.squeeze_(1)", "x.squeeze_((0,))"}) {
            const auto result = torch(change);
            QVERIFY2(result.ok(), change);
            QVERIFY2(result->tensor() == x.tensor(), change);
        }
        QCOMPARE(x.tensor()->id, id);
        QCOMPARE(x.tensor()->tensor.storage()->version(), version);
        QCOMPARE(elements(x), (std::vector<float>{0, 2, 4}));
    }
    void a_leaf_does_not_change_its_shape() {
        Fixture torch;
        torch.names["x"].tensor()->requires_grad = true;
        QCOMPARE(torch.error("x.unsqueeze_(0)"),
                 "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.");
        torch.run.grad_enabled = false;
        QCOMPARE(torch.error("x.unsqueeze_(0)"), "no error");
    }
    void more_dims_than_can_be_held_are_refused() {
        Fixture torch;
        torch.names["n"] = counted(torch.run, Dims::filled(kMaxRank, 1));
        const QString refused = "ValueError: a tensor of 13 dimensions is more than Maskscope holds: 12 are the most";
        for (const char* deep :
             {"n.unsqueeze(0)", "n.view(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)", "n.unsqueeze_(3)", "n.unfold(0, 1, 1)",
              "n.expand(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2)", "torch.stack([n, n])", "n.unflatten(0, (1, 1))",
              "n.repeat(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2)", "torch.diag_embed(n)", "n.repeat_interleave(2, 0)",
              "n.as_strided((1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))"})
            QCOMPARE(torch.error(deep), refused);
        QCOMPARE(torch.error("n.transpose(0, 11)"), "no error");
        QCOMPARE(torch.error("torch.cat([n, n], 11)"), "no error");
        QCOMPARE(torch.error("F.pad(n, (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))"),
                 "no error");
    }
    void sizes_beyond_counting_are_refused() {
        Fixture torch;
        QCOMPARE(torch.error("x.repeat(1099511627776, 1099511627776)"),
                 "RuntimeError: Storage size calculation overflowed with sizes=[2199023255552, 3298534883328]");
        QVERIFY(torch.error("x.repeat(9223372036854775807, 1)").contains("63 bits"));
        QVERIFY(torch.error("F.pad(x, (9223372036854775807, 9223372036854775807))").contains("more than can be held"));
        QVERIFY(torch.error("x.tensor_split(9223372036854775807)").contains("views of one tensor"));
        QVERIFY(torch.error("torch.combinations(x.view(-1), 1000000000000)").contains("more combinations"));
        QCOMPARE(torch.error("x.narrow(0, 0, 0).view(4611686018427387904, 4611686018427387904, 0)"),
                 "RuntimeError: shape '[4611686018427387904, 4611686018427387904, 0]' is invalid for input of size 0");
    }
    void shapes_alone_are_enough() {
        Settings settings;
        settings.shapes_only = true;
        settings.shapes_only_limit = 0;
        Run run(op_table(), settings);
        const Names names{{"x", run.wrap(*Tensor::shapes_only({2, 3}, DType::f32))},
                          {"n", run.wrap(*Tensor::shapes_only({}, DType::i64))}};
        const auto shape_of = [&](std::string_view expression) {
            const auto result = evaluate(expression, names, run);
            if (!result) return QString::fromStdString(result.error().message.text());
            return QString::fromStdString(text_of(result->tensor()->tensor.shape()));
        };
        QCOMPARE(shape_of("x.t().reshape(6)"), "[6]");
        QCOMPARE(shape_of("torch.cat([x, x.flip(1)], 1).tril().unsqueeze(0)"), "[1, 2, 6]");
        QCOMPARE(shape_of("F.pad(x, (1, 2)).repeat(2, 1).roll(1)"), "[4, 6]");
        QCOMPARE(shape_of("x.repeat_interleave(3, 1)"), "[2, 9]");
        const auto by_value = evaluate("x.narrow(1, n, 1)", names, run);
        QVERIFY(!by_value && by_value.error().type == "NeedsData");
    }
};

QTEST_APPLESS_MAIN(ViewsTest)
#include "views_test.moc"
