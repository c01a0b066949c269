// SPDX-License-Identifier: Apache-2.0
// full, zeros, ones, empty, *_like and new_*: PyTorch 2.15's results and words.
#include "tests/core/ops/create/calls.h"

#include <QTest>

#include <cmath>

using namespace maskscope;
using namespace maskscope::ops;

class FactoriesTest : public QObject {
    Q_OBJECT
private slots:
    void sizes_come_as_numbers_lists_and_keywords() {
        Calls torch;
        QCOMPARE(torch.function("zeros", {2, 3}), "[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] float32");
        QCOMPARE(torch.function("zeros", {ints({2})}), "[0.0, 0.0] float32");
        QCOMPARE(torch.function("ones", {}, {{"size", ints({1, 2})}}), "[[1.0, 1.0]] float32");
        QCOMPARE(torch.function("zeros", {make_tuple({})}), "0.0 float32");
        QCOMPARE(torch.function("zeros", {2, 0}), "[[], []] float32");
        QCOMPARE(torch.function("zeros", {torch.tensor(2), 1}), "[[0.0], [0.0]] float32");
        QCOMPARE(torch.function("ones", {2}, {{"dtype", DType::boolean}}), "[True, True] bool");
        QCOMPARE(torch.function("empty", {2}, {{"dtype", DType::i64}}), "[0, 0] int64");
    }
    void impossible_sizes_are_refused() {
        Calls torch;
        QCOMPARE(torch.function("zeros", {2, -3}), "RuntimeError: zeros: Dimension size must be non-negative.");
        QCOMPARE(torch.function("ones", {2, -3}),
                 "RuntimeError: Trying to create tensor with negative dimension -3: [2, -3]");
        QCOMPARE(torch.function("full", {ints({-1}), 2}),
                 "RuntimeError: Trying to create tensor with negative dimension -1: [-1]");
        const std::int64_t large = std::int64_t{1} << 40;
        QCOMPARE(torch.function("zeros", {large, large}),
                 "RuntimeError: Storage size calculation overflowed with sizes=[1099511627776, 1099511627776]");
        QVERIFY(torch.function("zeros", {ints({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})}).contains("12 dimensions"));
        QCOMPARE(torch.function("full", {3, 1}),
                 "TypeError: full(): argument 'size' (position 1) must be tuple of ints, not int");
    }
    void the_number_decides_the_dtype_of_full() {
        Calls torch;
        QCOMPARE(torch.function("full", {ints({2}), 3}), "[3, 3] int64");
        QCOMPARE(torch.function("full", {ints({2}), true}), "[True, True] bool");
        QCOMPARE(torch.function("full", {ints({2}), 0.5}), "[0.5, 0.5] float32");
        QCOMPARE(torch.function("full", {ints({}), torch.tensor(4.5)}), "4.5 float32");
        QCOMPARE(torch.function("full", {ints({2}), 2.7}, {{"dtype", DType::i64}}), "[2, 2] int64");
        torch.run.default_dtype = DType::f64;
        QCOMPARE(torch.function("full", {ints({1}), 0.1}), "[0.1] float64");
        QCOMPARE(torch.function("full", {ints({1}), 3}), "[3] int64");
    }
    void numbers_beyond_the_dtype_are_refused_data() {
        QTest::addColumn<double>("number");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, double number, DType dtype, const char* expected) {
            QTest::newRow(name) << number << static_cast<int>(dtype) << QString::fromUtf8(expected);
        };
        row("just below 128", 127.9, DType::i8, "127 int8");
        row("128", 128.0, DType::i8, "value cannot be converted to type int8_t without overflow");
        row("below -128", -128.1, DType::i8, "value cannot be converted to type int8_t without overflow");
        row("255.9", 255.9, DType::u8, "255 uint8");
        row("-0.5", -0.5, DType::u8, "value cannot be converted to type uint8_t without overflow");
        row("int32", 2147483648.0, DType::i32, "value cannot be converted to type int without overflow");
        row("int64", 9223372036854775807.0, DType::i64, "value cannot be converted to type int64_t without overflow");
        row("lowest int64", -9223372036854775808.0, DType::i64, "-9223372036854775808 int64");
        row("NaN", NAN, DType::i64, "value cannot be converted to type int64_t without overflow");
        row("half", 65504, DType::f16, "65504.0 float16");
        row("beyond half", 65505, DType::f16, "value cannot be converted to type c10::Half without overflow");
        row("bfloat16", 3.4e38, DType::bf16, "value cannot be converted to type c10::BFloat16 without overflow");
        row("float", 1e39, DType::f32, "value cannot be converted to type float without overflow");
        row("infinity", -HUGE_VAL, DType::f16, "-inf float16");
        row("NaN as bool", NAN, DType::boolean, "True bool");
        row("large as bool", 1e300, DType::boolean, "True bool");
    }
    void numbers_beyond_the_dtype_are_refused() {
        QFETCH(double, number);
        QFETCH(int, dtype);
        QFETCH(QString, expected);
        Calls torch;
        const QString got = torch.function("full", {ints({}), number}, {{"dtype", static_cast<DType>(dtype)}});
        QCOMPARE(got.startsWith("RuntimeError: ") ? got.mid(14) : got, expected);
    }
    void negative_whole_numbers_wrap_in_unsigned_dtypes() {
        Calls torch;
        QCOMPARE(torch.function("full", {ints({}), -255}, {{"dtype", DType::u8}}), "1 uint8");
        QCOMPARE(torch.function("full", {ints({}), -256}, {{"dtype", DType::u8}}),
                 "RuntimeError: value cannot be converted to type uint8_t without overflow");
        QCOMPARE(torch.function("full", {ints({}), -1}, {{"dtype", DType::u64}}), "18446744073709551615 uint64");
    }
    void scalar_tensor_takes_what_full_refuses() {
        Calls torch;
        QCOMPARE(torch.function("scalar_tensor", {3}), "3.0 float32");
        QCOMPARE(torch.function("scalar_tensor", {1e6}, {{"dtype", DType::f16}}), "inf float16");
        QCOMPARE(torch.function("scalar_tensor", {65505}, {{"dtype", DType::f16}}), "65504.0 float16");
        QCOMPARE(torch.function("scalar_tensor", {NAN}, {{"dtype", DType::i64}}),
                 "RuntimeError: value cannot be converted to type int64_t without overflow");
    }
    void requires_grad_makes_a_leaf() {
        Calls torch;
        const Value ones = torch.made("ones", {2}, {{"requires_grad", true}});
        QVERIFY(ones.tensor()->requires_grad && ones.tensor()->is_leaf);
        QCOMPARE(torch.function("full", {ints({2}), 1}, {{"requires_grad", true}}),
                 "RuntimeError: Only Tensors of floating point and complex dtype can require gradients");
        QCOMPARE(tensor_of(torch.made("zeros_like", {ones})).dtype(), DType::f32);
        QVERIFY(!torch.made("zeros_like", {ones}).tensor()->requires_grad);
    }
    void devices_are_names() {
        Calls torch;
        QCOMPARE(torch.function("zeros", {1}, {{"device", "cpu"}}), "[0.0] float32");
        QVERIFY(torch.run.take_notes().empty());
        QCOMPARE(torch.function("zeros", {1}, {{"device", "cuda:1"}}), "[0.0] float32");
        QCOMPARE(torch.run.take_notes().size(), std::size_t{1});
        QCOMPARE(torch.function("zeros", {1}, {{"device", "float32"}}),
                 "RuntimeError: Invalid device string: 'float32'");
        QVERIFY(torch.function("zeros", {1}, {{"device", "gpu"}})
                    .endsWith("privateuseone device type at start of device string: gpu"));
    }
    void likeness_is_shape_dtype_and_order_of_memory() {
        Calls torch;
        const Value x = torch.made("ones", {2, 3});
        const Value turned = torch.viewed(x, {3, 2}, {1, 3});
        QCOMPARE(torch.function("zeros_like", {turned}), "[[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]] float32");
        QCOMPARE(tensor_of(torch.made("zeros_like", {turned})).strides(), (Strides{1, 3}));
        QCOMPARE(
            tensor_of(torch.made("zeros_like", {turned}, {{"memory_format", "torch.contiguous_format"}})).strides(),
            (Strides{2, 1}));
        const Value expanded = torch.viewed(x, {2, 4, 3}, {3, 0, 1});
        QCOMPARE(tensor_of(torch.made("ones_like", {expanded})).strides(), (Strides{12, 3, 1}));
        QCOMPARE(torch.function("full_like", {torch.tensor(ints({1, 2})), 2.9}), "[2, 2] int64");
        QCOMPARE(torch.function("full_like", {torch.tensor(ints({1, 2})), HUGE_VAL}),
                 "RuntimeError: value cannot be converted to type int64_t without overflow");
        QCOMPARE(torch.function("ones_like", {x}, {{"dtype", DType::boolean}}),
                 "[[True, True, True], [True, True, True]] bool");
        QCOMPARE(torch.function("zeros_like", {ints({1})}),
                 "TypeError: zeros_like(): argument 'input' (position 1) must be Tensor, not list");
    }
    void new_tensors_take_the_dtype() {
        Calls torch;
        const Value whole = torch.tensor(ints({1, 2}));
        QCOMPARE(torch.method("new_zeros", {whole, 2}), "[0, 0] int64");
        QCOMPARE(torch.method("new_ones", {whole, ints({1, 2})}), "[[1, 1]] int64");
        QCOMPARE(torch.method("new_full", {whole, ints({2}), 2.9}), "[2, 2] int64");
        QCOMPARE(torch.method("new_full", {torch.tensor(true), ints({1}), 7}), "[True] bool");
        QCOMPARE(torch.method("new_empty", {whole, ints({0})}), "[] int64");
        QCOMPARE(torch.method("new_zeros", {whole}),
                 "TypeError: new_zeros() missing 1 required positional arguments: \"size\"");
    }
};

QTEST_APPLESS_MAIN(FactoriesTest)
#include "factories_test.moc"
