// SPDX-License-Identifier: Apache-2.0
// fill, zero_ and copy_: PyTorch 2.15's results and words.
#include "tests/core/ops/create/calls.h"

#include <QTest>

#include <cmath>

using namespace maskscope;
using namespace maskscope::ops;

class OverwritingTest : public QObject {
    Q_OBJECT
private slots:
    void fill_writes_the_tensor_and_its_views() {
        Calls torch;
        const Value x = torch.made("zeros", {2, 3});
        const Value column = torch.viewed(x, {2}, {3}, 1);
        QCOMPARE(torch.in_place("fill", {column, 7}), "[7.0, 7.0] float32");
        QCOMPARE(text_of(x), "[[0.0, 7.0, 0.0], [0.0, 7.0, 0.0]] float32");
        QCOMPARE(torch.in_place("zero", {x}), "[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] float32");
        QCOMPARE(text_of(column), "[0.0, 0.0] float32");
        QCOMPARE(tensor_of(x).storage()->version(), std::uint64_t{2});
        QCOMPARE(torch.function("fill", {x, 2.5}), "[[2.5, 2.5, 2.5], [2.5, 2.5, 2.5]] float32");
        QCOMPARE(text_of(column), "[0.0, 0.0] float32");
        QCOMPARE(torch.in_place("fill", {torch.made("zeros", {0, 2}), 1}), "[] float32");
    }
    void fill_converts_to_the_dtype() {
        Calls torch;
        const Value whole = torch.tensor(ints({1, 2}));
        QCOMPARE(torch.in_place("fill", {whole, 2.9}), "[2, 2] int64");
        QCOMPARE(torch.in_place("fill", {whole, NAN}),
                 "RuntimeError: value cannot be converted to type int64_t without overflow");
        QCOMPARE(torch.in_place("fill", {torch.tensor(true), NAN}), "True bool");
        // A tensor's number is converted as an element, not refused.
        QCOMPARE(torch.in_place("fill", {whole, torch.tensor(NAN)}),
                 "[-9223372036854775808, -9223372036854775808] int64");
        QCOMPARE(torch.in_place("fill", {torch.made("zeros", {1}, {{"dtype", DType::f16}}), torch.tensor(1e5)}),
                 "[inf] float16");
        QCOMPARE(torch.in_place("fill", {whole, torch.tensor(floats({2}))}),
                 "RuntimeError: fill_ only supports 0-dimension value tensor but got tensor with 1 dimensions.");
        QCOMPARE(torch.function("fill", {whole, torch.tensor(2.9)}), "[2, 2] int64");
        QCOMPARE(torch.function("fill", {"a"}),
                 "TypeError: fill() received an invalid combination of arguments - got (str), but expected one of:\n"
                 " * (Tensor input, Tensor value)\n * (Tensor input, Number value)\n");
    }
    void the_value_may_lie_inside() {
        Calls torch;
        const Value x = torch.made("arange", {5.0});
        QCOMPARE(torch.in_place("fill", {x, torch.viewed(x, {}, {}, 2)}), "[2.0, 2.0, 2.0, 2.0, 2.0] float32");
    }
    void expanded_tensors_are_filled_and_not_copied_to() {
        Calls torch;
        const Value x = torch.made("zeros", {1});
        const Value expanded = torch.viewed(x, {3}, {0});
        QCOMPARE(torch.in_place("fill", {expanded, 2}), "[2.0, 2.0, 2.0] float32");
        QCOMPARE(torch.in_place("zero", {expanded}), "[0.0, 0.0, 0.0] float32");
        QCOMPARE(torch.in_place("copy", {expanded, torch.made("ones", {3})}),
                 "RuntimeError: unsupported operation: more than one element of the written-to tensor refers to a "
                 "single memory location. Please clone() the tensor before performing the operation.");
    }
    void leaves_that_require_grad_are_not_written() {
        Calls torch;
        const Value x = torch.made("ones", {2}, {{"requires_grad", true}});
        const QString refused =
            "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.";
        QCOMPARE(torch.in_place("fill", {x, 2}), refused);
        QCOMPARE(torch.in_place("fill", {x, torch.tensor(2.0)}), refused);
        QCOMPARE(torch.in_place("zero", {x}), refused);
        QCOMPARE(torch.in_place("copy", {x, x}), refused);
        torch.run.grad_enabled = false;
        QCOMPARE(torch.in_place("fill", {x, 2}), "[2.0, 2.0] float32");
    }
    void the_value_can_bring_a_gradient() {
        Calls torch;
        const Value source = torch.tensor(2.0, {{"requires_grad", true}});
        for (const char* op : {"fill", "copy"}) {
            const Value x = torch.made("zeros", {2});
            QCOMPARE(torch.in_place(op, {x, source}), "[2.0, 2.0] float32");
            QVERIFY(x.tensor()->requires_grad && !x.tensor()->is_leaf);
        }
    }
    void copy_broadcasts_and_converts() {
        Calls torch;
        const Value x = torch.made("zeros", {2, 2});
        QCOMPARE(torch.in_place("copy", {x, torch.tensor(ints({1, 2}))}), "[[1.0, 2.0], [1.0, 2.0]] float32");
        QCOMPARE(torch.in_place("copy", {x, 5}), "[[5.0, 5.0], [5.0, 5.0]] float32");
        QCOMPARE(torch.in_place("copy", {torch.viewed(x, {2}, {2}), torch.tensor(ints({7, 8}))}), "[7.0, 8.0] float32");
        QCOMPARE(text_of(x), "[[7.0, 5.0], [8.0, 5.0]] float32");
        QCOMPARE(torch.in_place("copy", {torch.tensor(ints({0, 0})), torch.tensor(list({1.5, NAN}))}),
                 "[1, -9223372036854775808] int64");
        QCOMPARE(torch.in_place("copy", {x, x}), "[[7.0, 5.0], [8.0, 5.0]] float32");
        QCOMPARE(
            torch.in_place("copy", {x, torch.made("ones", {3})}),
            "RuntimeError: The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension "
            "1");
        QCOMPARE(torch.in_place("copy", {x, torch.made("ones", {1, 1, 2})}),
                 "RuntimeError: output with shape [2, 2] doesn't match the broadcast shape [1, 2, 2]");
        QCOMPARE(torch.in_place("copy", {x, ints({1})}),
                 "TypeError: copy_(): argument 'other' (position 1) must be Tensor, not list");
    }
    void overlapping_copies_are_refused() {
        Calls torch;
        const Value x = torch.made("arange", {5.0});
        QCOMPARE(
            torch.in_place("copy", {torch.viewed(x, {4}, {1}, 1), torch.viewed(x, {4}, {1})}),
            "RuntimeError: unsupported operation: some elements of the input tensor and the written-to tensor refer "
            "to a single memory location. Please clone() the tensor before performing the operation.");
    }
    void what_is_not_known_is_forgotten() {
        Settings settings;
        settings.shapes_only = true;
        settings.shapes_only_limit = 5;
        Calls torch(settings);
        const Value known = torch.made("zeros", {1, 2});
        QCOMPARE(torch.in_place("copy", {known, torch.made("zeros", {2})}), "[[0.0, 0.0]] float32");
        const Value row = torch.viewed(torch.made("zeros", {9}), {2}, {1});
        QCOMPARE(torch.in_place("copy", {known, row}), "[1, 2] float32");
        QVERIFY(!tensor_of(known).has_data());
    }
};

QTEST_APPLESS_MAIN(OverwritingTest)
#include "overwriting_test.moc"
