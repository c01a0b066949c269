// SPDX-License-Identifier: Apache-2.0
// arange, linspace, logspace, eye, tril_indices and triu_indices: PyTorch 2.15's values.
#include "tests/core/ops/create/calls.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace maskscope;
using namespace maskscope::ops;

class RangesTest : public QObject {
    Q_OBJECT
private slots:
    void arange_counts() {
        Calls torch;
        QCOMPARE(torch.function("arange", {5}), "[0, 1, 2, 3, 4] int64");
        QCOMPARE(torch.function("arange", {1, 10, 3}), "[1, 4, 7] int64");
        QCOMPARE(torch.function("arange", {5, 0, -2}), "[5, 3, 1] int64");
        QCOMPARE(torch.function("arange", {3, 3}), "[] int64");
        QCOMPARE(torch.function("arange", {1.5, 4}), "[1.5, 2.5, 3.5] float32");
        QCOMPARE(torch.function("arange", {3.0}), "[0.0, 1.0, 2.0] float32");
        QCOMPARE(torch.function("arange", {true}), "[0] int64");
        QCOMPARE(torch.function("arange", {torch.tensor(3.5)}), "[0.0, 1.0, 2.0, 3.0] float32");
        QCOMPARE(torch.function("arange", {}, {{"start", 1}, {"end", 6}, {"step", 2}}), "[1, 3, 5] int64");
        QCOMPARE(torch.function("arange", {2.5}, {{"dtype", DType::i64}}), "[0, 1, 2] int64");
        QCOMPARE(torch.function("arange", {0, 4, 0.5}, {{"dtype", DType::i64}}), "[0, 0, 0, 0, 0, 0, 0, 0] int64");
        QCOMPARE(torch.function("arange", {-3, 3}, {{"dtype", DType::u8}}), "[253, 254, 255, 0, 1, 2] uint8");
        QCOMPARE(torch.function("arange", {0, 1, 0.3}, {{"dtype", DType::f64}}),
                 "[0.0, 0.3, 0.6, 0.8999999999999999] float64");
    }
    void arange_rounds_as_pytorch_does() {
        Calls torch;
        // Places whose value is not start + i * step rounded once.
        const auto at = [&](DType dtype, std::size_t i) {
            return numbers(torch.made("arange", {0, 100, 0.1}, {{"dtype", dtype}}))[i];
        };
        QCOMPARE(at(DType::f32, 9), 0.9000000357627869);
        QCOMPARE(at(DType::f32, 993), static_cast<double>(99.3F));
        QCOMPARE(at(DType::f64, 13), 1.3000000000000003);
        QCOMPARE(at(DType::f16, 999), 99.875);
        QCOMPARE(at(DType::bf16, 999), 100.0);
    }
    void arange_refuses() {
        Calls torch;
        QCOMPARE(torch.function("arange", {0, 5, 0}), "RuntimeError: step must be nonzero");
        QCOMPARE(torch.function("arange", {5, 1}),
                 "RuntimeError: upper bound and lower bound inconsistent with step sign");
        QCOMPARE(torch.function("arange", {HUGE_VAL}), "RuntimeError: unsupported range: 0 -> inf");
        QCOMPARE(torch.function("arange", {0, 10, NAN}), "RuntimeError: step must be finite but got nan");
        QCOMPARE(torch.function("arange", {1e20}), "RuntimeError: invalid size, possible overflow?");
        QCOMPARE(torch.function("arange", {2}, {{"dtype", DType::boolean}}),
                 "NotImplementedError: \"arange_cpu\" not implemented for 'Bool'");
        QCOMPARE(torch.function("arange", {"a"}),
                 "TypeError: arange(): argument 'end' (position 1) must be Number, not str");
        const std::int64_t large = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(torch.function("arange", {0, large, std::int64_t{1} << 61}),
                 "RuntimeError: invalid size, possible overflow?");
        QCOMPARE(torch.function("arange", {-large - 1, large, std::int64_t{1} << 62}), "[] int64");
        QCOMPARE(torch.function("arange", {large - 2, large}), "[9223372036854775805, 9223372036854775806] int64");
    }
    void linspace_meets_both_ends() {
        Calls torch;
        QCOMPARE(torch.function("linspace", {0, 1, 5}), "[0.0, 0.25, 0.5, 0.75, 1.0] float32");
        QCOMPARE(torch.function("linspace", {0, 1, 1}), "[0.0] float32");
        QCOMPARE(torch.function("linspace", {0, 1, 0}), "[] float32");
        QCOMPARE(torch.function("linspace", {3, 1, 3}, {{"dtype", DType::f64}}), "[3.0, 2.0, 1.0] float64");
        QCOMPARE(torch.function("linspace", {0, 10, 7}, {{"dtype", DType::i32}}), "[0, 1, 3, 5, 6, 8, 10] int32");
        QCOMPARE(torch.function("linspace", {-3.7, 3.7, 5}, {{"dtype", DType::i64}}), "[-3, -1, 0, 1, 3] int64");
        QCOMPARE(torch.function("linspace", {0, 1, 11}, {{"dtype", DType::bf16}}),
                 "[0.0, 0.10009765625, 0.2001953125, 0.30078125, 0.400390625, 0.5, 0.6015625, 0.69921875, 0.80078125, "
                 "0.8984375, 1.0] bfloat16");
        QCOMPARE(numbers(torch.made("linspace", {0, 1, 100}))[33], 0.3333333432674408);
        QCOMPARE(torch.function("linspace", {0, HUGE_VAL, 3}), "[nan, nan, nan] float32");
        QCOMPARE(torch.function("linspace", {torch.tensor(0.0), torch.tensor(1), 3}), "[0.0, 0.5, 1.0] float32");
        QCOMPARE(torch.function("linspace", {torch.tensor(floats({0})), 1, 3}),
                 "RuntimeError: linspace only supports 0-dimensional start and end tensors, but got start with 1 "
                 "dimension(s).");
        QCOMPARE(torch.function("linspace", {0, 1, -1}), "RuntimeError: number of steps must be non-negative");
        QCOMPARE(torch.function("linspace", {0, 300, 4}, {{"dtype", DType::u8}}),
                 "RuntimeError: value cannot be converted to type uint8_t without overflow");
    }
    void logspace_gives_powers() {
        Calls torch;
        QCOMPARE(torch.function("logspace", {0, 2, 3}), "[1.0, 10.0, 100.0] float32");
        QCOMPARE(torch.function("logspace", {0, 3, 4, 2}, {{"dtype", DType::i64}}), "[1, 2, 4, 8] int64");
        QCOMPARE(torch.function("logspace", {-1, 1, 5}, {{"dtype", DType::f16}}),
                 "[0.0999755859375, 0.316162109375, 1.0, 3.162109375, 10.0] float16");
    }
    void eye_is_the_diagonal() {
        Calls torch;
        QCOMPARE(torch.function("eye", {2}), "[[1.0, 0.0], [0.0, 1.0]] float32");
        QCOMPARE(torch.function("eye", {2, 3}, {{"dtype", DType::boolean}}),
                 "[[True, False, False], [False, True, False]] bool");
        QCOMPARE(torch.function("eye", {}, {{"n", 2}, {"m", 1}}), "[[1.0], [0.0]] float32");
        QCOMPARE(torch.function("eye", {0}), "[] float32");
        QCOMPARE(torch.function("eye", {-1}), "RuntimeError: n must be greater or equal to 0, got -1");
    }
    void triangles_list_their_places() {
        Calls torch;
        QCOMPARE(torch.function("tril_indices", {3, 3}), "[[0, 1, 1, 2, 2, 2], [0, 0, 1, 0, 1, 2]] int64");
        QCOMPARE(torch.function("tril_indices", {3, 4, -1}), "[[1, 2, 2], [0, 0, 1]] int64");
        QCOMPARE(torch.function("tril_indices", {2, 2}, {{"offset", 5}}), "[[0, 0, 1, 1], [0, 1, 0, 1]] int64");
        QCOMPARE(torch.function("tril_indices", {2, 2, -5}), "[[], []] int64");
        QCOMPARE(torch.function("triu_indices", {3, 4, 1}), "[[0, 0, 0, 1, 1, 2], [1, 2, 3, 2, 3, 3]] int64");
        QCOMPARE(torch.function("triu_indices", {4, 2, -1}), "[[0, 0, 1, 1, 2], [0, 1, 0, 1, 1]] int64");
        QCOMPARE(torch.function("triu_indices", {1, 2}, {{"dtype", DType::i32}}), "[[0, 0], [0, 1]] int32");
        QCOMPARE(torch.function("tril_indices", {-1, 2}), "RuntimeError: row must be non-negative, got-1");
        QCOMPARE(torch.function("tril_indices", {2, 2}, {{"dtype", DType::f32}}),
                 "NotImplementedError: \"tril_indices\" not implemented for 'Float'");
        const std::int64_t large = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(torch.function("tril_indices", {std::int64_t{1} << 40, 2, -large}), "[[], []] int64");
        QVERIFY(torch.function("triu_indices", {large, large, large}).startsWith("RuntimeError: Storage size"));
    }
    void every_count_of_a_triangle_is_right() {
        Calls torch;
        for (int rows = 0; rows < 5; ++rows)
            for (int columns = 0; columns < 5; ++columns)
                for (int offset = -6; offset < 7; ++offset) {
                    std::int64_t lower = 0;
                    std::int64_t upper = 0;
                    for (int row = 0; row < rows; ++row)
                        for (int column = 0; column < columns; ++column) {
                            lower += column - row <= offset ? 1 : 0;
                            upper += column - row >= offset ? 1 : 0;
                        }
                    QCOMPARE(tensor_of(torch.made("tril_indices", {rows, columns, offset})).size(1), lower);
                    QCOMPARE(tensor_of(torch.made("triu_indices", {rows, columns, offset})).size(1), upper);
                }
    }
};

QTEST_APPLESS_MAIN(RangesTest)
#include "ranges_test.moc"
