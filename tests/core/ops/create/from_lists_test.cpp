// SPDX-License-Identifier: Apache-2.0
// tensor, as_tensor, asarray, new_tensor: PyTorch 2.15's results and words.
#include "tests/core/ops/create/calls.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace maskscope;
using namespace maskscope::ops;

class FromListsTest : public QObject {
    Q_OBJECT
private slots:
    void the_widest_kind_of_number_decides_the_dtype() {
        Calls torch;
        QCOMPARE(torch.function("tensor", {7}), "7 int64");
        QCOMPARE(torch.function("tensor", {list({true, false})}), "[True, False] bool");
        QCOMPARE(torch.function("tensor", {list({true, 2})}), "[1, 2] int64");
        QCOMPARE(torch.function("tensor", {list({true, 0, 2.5})}), "[1.0, 0.0, 2.5] float32");
        QCOMPARE(torch.function("tensor", {list({ints({1, 2}), make_tuple({3, 4})})}), "[[1, 2], [3, 4]] int64");
        QCOMPARE(torch.function("tensor", {list({})}), "[] float32");
        QCOMPARE(torch.function("tensor", {list({list({}), list({})})}), "[[], []] float32");
        torch.run.default_dtype = DType::f64;
        QCOMPARE(torch.function("tensor", {floats({0.1})}), "[0.1] float64");
    }
    void a_dtype_converts_or_refuses() {
        Calls torch;
        const auto tensor = [&](const Value& data, DType dtype) {
            return torch.function("tensor", {data}, {{"dtype", dtype}});
        };
        QCOMPARE(tensor(floats({1.9, -1.9}), DType::i64), "[1, -1] int64");
        QCOMPARE(tensor(ints({5, 0, -1}), DType::boolean), "[True, False, True] bool");
        QCOMPARE(tensor(list({NAN}), DType::boolean), "[True] bool");
        QCOMPARE(tensor(list({1e5}), DType::f16), "[inf] float16");
        QCOMPARE(tensor(list({-255}), DType::u8), "[1] uint8");
        QCOMPARE(tensor(list({300}), DType::u8),
                 "RuntimeError: value cannot be converted to type uint8 without overflow");
        QCOMPARE(tensor(list({-1.0}), DType::u8),
                 "RuntimeError: value cannot be converted to type uint8 without overflow");
        QCOMPARE(tensor(list({NAN}), DType::i64),
                 "RuntimeError: value cannot be converted to type int64 without overflow");
        QCOMPARE(torch.function("tensor", {ints({1}), DType::f32}),
                 "TypeError: tensor() takes 1 positional argument but 2 were given");
    }
    void lists_that_are_no_blocks_are_refused() {
        Calls torch;
        const auto tensor = [&](const Value& data) { return torch.function("tensor", {data}); };
        QCOMPARE(tensor(list({ints({1, 2}), ints({3, 4, 5})})),
                 "ValueError: expected sequence of length 2 at dim 1 (got 3)");
        QCOMPARE(tensor(list({list({ints({1, 2}), ints({3})})})),
                 "ValueError: expected sequence of length 2 at dim 2 (got 1)");
        QCOMPARE(tensor(list({list({}), ints({1})})), "[[], []] float32");
        QCOMPARE(tensor(list({ints({1, 2}), 3})), "TypeError: not a sequence");
        QCOMPARE(tensor(list({1, ints({2})})), "TypeError: 'list' object cannot be interpreted as an integer");
        QCOMPARE(tensor(list({1.0, ints({2})})), "TypeError: must be real number, not list");
        QCOMPARE(tensor(Value()), "RuntimeError: Could not infer dtype of NoneType");
        QCOMPARE(tensor(list({1, Value()})), "RuntimeError: Could not infer dtype of NoneType");
        QCOMPARE(tensor(list({DType::f32})), "RuntimeError: Could not infer dtype of torch.dtype");
        QCOMPARE(tensor("a"), "TypeError: new(): invalid data type 'str'");
        QCOMPARE(tensor(list({"a"})), "ValueError: too many dimensions 'str'");
        QCOMPARE(tensor(list({1, "a"})), "TypeError: new(): invalid data type 'str'");
    }
    void a_list_that_holds_itself_ends() {
        Calls torch;
        const auto self = std::make_shared<List>();
        self->items = {1, self};
        QCOMPARE(torch.function("tensor", {self}), "TypeError: new(): self-referential lists are incompatible");
        QCOMPARE(torch.function("tensor", {self}, {{"dtype", DType::i64}}),
                 "TypeError: 'list' object cannot be interpreted as an integer");
        self->items = {self};
        QVERIFY(torch.function("tensor", {self}).contains("12 dimensions"));
        self->items.clear();
    }
    void tensors_inside_are_single_elements() {
        Calls torch;
        const auto tensor = [&](const Value& data) { return torch.function("tensor", {data}); };
        const Value half = torch.tensor(1.5, {{"dtype", DType::f16}});
        QCOMPARE(tensor(list({torch.tensor(1.5), 2})), "[1.5, 2.0] float32");
        QCOMPARE(tensor(list({half})), "[1.5] float16");
        QCOMPARE(tensor(list({half, 1.0})), "[1.5, 1.0] float32");
        QCOMPARE(tensor(list({torch.tensor(1), torch.tensor(ints({2}))})), "[1, 2] int64");
        QCOMPARE(tensor(list({ints({3, 4}), torch.tensor(floats({1.5, 2}))})), "[[3.0, 4.0], [1.5, 2.0]] float32");
        QCOMPARE(tensor(list({torch.tensor(ints({1, 2})), torch.tensor(ints({3, 4}))})),
                 "TypeError: only integer tensors of a single element can be converted to an index");
        QCOMPARE(tensor(list({1.5, torch.tensor(ints({3, 4}))})),
                 "ValueError: only one element tensors can be converted to Python scalars");
        QCOMPARE(tensor(list({ints({1, 2}), torch.tensor(3)})), "TypeError: not a sequence");
        QCOMPARE(torch.function("tensor", {list({torch.tensor(1.5)})}, {{"dtype", DType::i64}}),
                 "TypeError: only integer tensors of a single element can be converted to an index");
    }
    void a_tensor_is_copied_with_a_warning() {
        Calls torch;
        const Value x = torch.tensor(floats({1, 2}), {{"requires_grad", true}});
        const Value copy = torch.made("tensor", {x});
        QCOMPARE(torch.run.take_notes().size(), std::size_t{1});
        QVERIFY(tensor_of(copy).storage() != tensor_of(x).storage());
        QVERIFY(!copy.tensor()->requires_grad);
        QCOMPARE(torch.function("tensor", {x}, {{"dtype", DType::i64}}), "[1, 2] int64");
        QCOMPARE(torch.method("new_tensor", {torch.tensor(ints({1})), x}), "[1, 2] int64");
        QCOMPARE(torch.method("new_tensor", {torch.tensor(ints({1})), floats({3.7})}), "[3] int64");
        QVERIFY(torch.method("new_tensor", {x, ints({1})}, {{"requires_grad", true}}) == "[1.0] float32");
    }
    void as_tensor_gives_the_tensor_itself() {
        Calls torch;
        const Value x = torch.tensor(floats({1, 2}), {{"requires_grad", true}});
        QVERIFY(torch.made("as_tensor", {x}).tensor() == x.tensor());
        QVERIFY(torch.made("as_tensor", {x}, {{"dtype", DType::f32}}).tensor() == x.tensor());
        QVERIFY(torch.made("as_tensor", {x}, {{"dtype", DType::f64}}).tensor()->requires_grad);
        QVERIFY(torch.made("from_numpy", {x}).tensor() == x.tensor());
        QCOMPARE(torch.function("as_tensor", {ints({1})}), "[1] int64");
    }
    void asarray_shares_when_it_may() {
        Calls torch;
        const Value x = torch.tensor(floats({1, 2}));
        QVERIFY(torch.made("asarray", {x}).tensor() == x.tensor());
        QVERIFY(torch.made("asarray", {x}, {{"copy", true}}).tensor() != x.tensor());
        QCOMPARE(torch.function("asarray", {x}, {{"copy", false}, {"dtype", DType::i64}}),
                 "ValueError: can't alias tensor with dtype 'Float' into dtype 'Long'.");
        QCOMPARE(torch.function("asarray", {ints({1})}, {{"copy", false}}),
                 "ValueError: can't alias arbitrary sequence into a tensor.");
        QVERIFY(torch.made("asarray", {x}, {{"requires_grad", true}}).tensor()->requires_grad);
    }
    void complex_numbers_are_refused() {
        Calls torch;
        const Value x = torch.tensor(1.0);
        QVERIFY(torch.function("complex", {x, x}).startsWith("NotImplementedError: complex numbers"));
    }
};

QTEST_APPLESS_MAIN(FromListsTest)
#include "from_lists_test.moc"
