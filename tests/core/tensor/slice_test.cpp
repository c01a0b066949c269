// SPDX-License-Identifier: Apache-2.0
// Shapes and error texts are those of PyTorch's basic indexing.
#include "core/tensor/slice.h"

#include <QTest>

#include <numeric>

using namespace maskscope;

namespace {
Tensor cells() {
    auto tensor = Tensor::zeros({2, 3, 4}, DType::f32);
    std::iota(tensor->writable_as<float>(), tensor->writable_as<float>() + 24, 0.0F);
    return *tensor;
}

Result<Tensor> sliced(const char* text, std::vector<int>* kept = nullptr) {
    MS_TRY(items, parse_slice(text));
    return apply_slice(cells(), items, kept);
}
}  // namespace

class SliceTest : public QObject {
    Q_OBJECT
private slots:
    void shapes_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shape");
        QTest::addColumn<double>("first");
        QTest::newRow("nothing") << ""
                                 << "[2, 3, 4]" << 0.0;
        QTest::newRow("empty brackets") << "[]"
                                        << "[2, 3, 4]" << 0.0;
        QTest::newRow("index") << "[1]"
                               << "[3, 4]" << 12.0;
        QTest::newRow("negative") << "[-1, -2]"
                                  << "[4]" << 16.0;
        QTest::newRow("ranges") << "[:, 1:, ::2]"
                                << "[2, 2, 2]" << 4.0;
        QTest::newRow("ellipsis") << "[..., 3]"
                                  << "[2, 3]" << 3.0;
        QTest::newRow("ellipsis of nothing") << "[0, 1, ..., 2]"
                                             << "[]" << 6.0;
        QTest::newRow("new axis") << "[:, None, 2]"
                                  << "[2, 1, 4]" << 8.0;
        QTest::newRow("clamped") << "[-9:9]"
                                 << "[2, 3, 4]" << 0.0;
        QTest::newRow("spaces") << "[ 1 , : , 0 : 2 ]"
                                << "[3, 2]" << 12.0;
    }
    void shapes() {
        QFETCH(QString, text);
        QFETCH(QString, shape);
        QFETCH(double, first);
        const auto out = sliced(text.toUtf8().constData());
        QVERIFY(out.ok());
        QCOMPARE(QString::fromStdString(text_of(out->shape())), shape);
        const std::vector<std::int64_t> zeros(static_cast<std::size_t>(out->rank()), 0);
        QCOMPARE(to_double(out->at(zeros)), first);
    }
    void an_empty_range_has_no_elements() { QCOMPARE(sliced("[2:1]")->shape(), (Shape{0, 3, 4})); }
    void tells_which_dims_stay() {
        std::vector<int> kept;
        QVERIFY(sliced("[0, None, :, 1:]", &kept).ok());
        QCOMPARE(kept, (std::vector<int>{-1, 1, 2}));
    }
    void refusals_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("range") << "[2]"
                               << "index 2 is out of bounds for dimension 0 with size 2";
        QTest::newRow("second dim") << "[0, -4]"
                                    << "index -4 is out of bounds for dimension 1 with size 3";
        QTest::newRow("too many") << "[0, 0, 0, 0]"
                                  << "too many indices for tensor of dimension 3";
        QTest::newRow("two ellipses") << "[..., ...]"
                                      << "an index can only have a single ellipsis ('...')";
        QTest::newRow("negative step") << "[::-1]"
                                       << "step must be greater than zero";
        QTest::newRow("a word") << "[a]"
                                << "has a where a whole number belongs";
        QTest::newRow("no bracket") << "0, 1"
                                    << "must stand in brackets";
        QTest::newRow("an empty place") << "[0, , 1]"
                                        << "has an empty place between two commas";
        QTest::newRow("too large") << "[99999999999999999999]"
                                   << "where a whole number belongs";
        QTest::newRow("colons") << "[1:2:1:1]"
                                << "more than two colons";
    }
    void refusals() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const auto out = sliced(text.toUtf8().constData());
        QVERIFY(!out);
        QVERIFY2(QString::fromStdString(out.error().text()).contains(says), out.error().text().c_str());
    }
};

QTEST_APPLESS_MAIN(SliceTest)
#include "slice_test.moc"
