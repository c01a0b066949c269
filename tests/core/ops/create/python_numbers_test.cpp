// SPDX-License-Identifier: Apache-2.0
// item, tolist, bool(), int(), float(), len(), an index, and what a tensor says about itself.
#include "core/ops/dispatch/torch_error.h"
#include "tests/core/ops/create/calls.h"

#include <QTest>

#include <cmath>

using namespace maskscope;
using namespace maskscope::ops;

class PythonNumbersTest : public QObject {
    Q_OBJECT
private slots:
    void one_element_becomes_a_number() {
        Calls torch;
        QCOMPARE(torch.method("item", {torch.tensor(list({ints({3})}))}), "3");
        QCOMPARE(torch.method("item", {torch.tensor(true)}), "True");
        QCOMPARE(torch.method("item", {torch.tensor(0.1, {{"dtype", DType::f16}})}), "0.0999755859375");
        QCOMPARE(torch.method("item", {torch.tensor(ints({1, 2}))}),
                 "RuntimeError: a Tensor with 2 elements cannot be converted to Scalar");
        QCOMPARE(torch.method("item", {torch.tensor(list({}))}),
                 "RuntimeError: a Tensor with 0 elements cannot be converted to Scalar");
        const Value large = torch.made("full", {ints({}), -1}, {{"dtype", DType::u64}});
        QVERIFY(torch.method("item", {large}).startsWith("OverflowError: 18446744073709551615"));
    }
    void lists_nest_as_dimensions_do() {
        Calls torch;
        const Value x = torch.made("arange", {6});
        QCOMPARE(torch.method("tolist", {torch.viewed(x, {3, 2}, {1, 3})}), "[[0, 3], [1, 4], [2, 5]]");
        QCOMPARE(torch.method("tolist", {torch.tensor(0.5)}), "0.5");
        QCOMPARE(torch.method("tolist", {torch.made("zeros", {2, 0})}), "[[], []]");
        QCOMPARE(torch.method("tolist", {torch.tensor(list({false}))}), "[False]");
    }
    void conditions_ask_one_element() {
        Calls torch;
        QCOMPARE(torch.internal("bool", torch.tensor(ints({0}))), "False");
        QCOMPARE(torch.internal("bool", torch.tensor(NAN)), "True");
        QCOMPARE(torch.internal("bool", torch.tensor(ints({1, 1}))),
                 "RuntimeError: Boolean value of Tensor with more than one value is ambiguous");
        QCOMPARE(torch.internal("bool", torch.tensor(list({}))),
                 "RuntimeError: Boolean value of Tensor with no values is ambiguous");
    }
    void python_conversions_ask_one_element() {
        Calls torch;
        QCOMPARE(torch.internal("int", torch.tensor(floats({-2.7}))), "-2");
        QCOMPARE(torch.internal("int", torch.tensor(true)), "1");
        QCOMPARE(torch.internal("int", torch.tensor(NAN)), "ValueError: cannot convert float NaN to integer");
        QCOMPARE(torch.internal("int", torch.tensor(HUGE_VAL)),
                 "OverflowError: cannot convert float infinity to integer");
        QVERIFY(torch.internal("int", torch.tensor(1e20)).startsWith("OverflowError: "));
        QCOMPARE(torch.internal("float", torch.tensor(ints({2}))), "2.0");
        QCOMPARE(torch.internal("float", torch.tensor(ints({2, 3}))),
                 "ValueError: only one element tensors can be converted to Python scalars");
        QCOMPARE(torch.internal("index", torch.tensor(ints({2}))), "2");
        QCOMPARE(torch.internal("index", torch.tensor(true)), "1");
        const QString refused = "TypeError: only integer tensors of a single element can be converted to an index";
        QCOMPARE(torch.internal("index", torch.tensor(1.0)), refused);
        QCOMPARE(torch.internal("index", torch.tensor(ints({1, 2}))), refused);
        QCOMPARE(torch.internal("len", torch.made("zeros", {3, 2})), "3");
        QCOMPARE(torch.internal("len", torch.tensor(1)), "TypeError: len() of a 0-d tensor");
    }
    void the_methods_of_those_names_convert_tensors() {
        Calls torch;
        QCOMPARE(torch.method("bool", {torch.tensor(ints({0, 2}))}), "[False, True] bool");
        QCOMPARE(torch.method("float", {torch.tensor(ints({0, 2}))}), "[0.0, 2.0] float32");
        QCOMPARE(torch.method("int", {torch.tensor(ints({0, 2}))}), "[0, 2] int32");
    }
    void without_data_there_is_no_number() {
        Settings settings;
        settings.shapes_only = true;
        settings.shapes_only_limit = 0;
        Calls torch(settings);
        const Value x = torch.made("zeros", {1});
        for (const char* op : {"item", "tolist"}) QVERIFY(is_needs_data(torch.call(Form::method, op, {x}).error()));
        for (const char* op : {"bool", "int", "float"})
            QVERIFY(is_needs_data(torch.call(Form::internal, op, {x}).error()));
        const Value whole = torch.made("zeros", {1}, {{"dtype", DType::i64}});
        QVERIFY(is_needs_data(torch.call(Form::internal, "index", {whole}).error()));
        QCOMPARE(torch.internal("len", x), "1");
        QVERIFY(is_needs_data(torch.call(Form::function, "tensor", {list({x})}).error()));
    }
    void a_tensor_tells_its_shape() {
        Calls torch;
        const Value x = torch.made("zeros", {2, 3});
        QCOMPARE(torch.method("size", {x}), "(2, 3)");
        QCOMPARE(torch.method("size", {x, -1}), "3");
        QCOMPARE(torch.property("shape", x), "(2, 3)");
        QVERIFY((*torch.call(Form::property, "shape", {x})).get_if<std::shared_ptr<const Tuple>>()->get()->is_size);
        QCOMPARE(torch.method("stride", {x}), "(3, 1)");
        QCOMPARE(torch.method("stride", {x, 0}), "3");
        QCOMPARE(torch.method("size", {x, 5}),
                 "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 5)");
        QCOMPARE(torch.method("size", {torch.tensor(3), 0}),
                 "IndexError: Dimension specified as 0 but tensor has no dimensions");
        QCOMPARE(torch.method("dim", {x}), "2");
        QCOMPARE(torch.property("ndim", x), "2");
        QCOMPARE(torch.function("numel", {x}), "6");
        QCOMPARE(torch.method("nelement", {x}), "6");
        QCOMPARE(torch.method("dim", {x, 3}), "TypeError: TensorBase.dim() takes no arguments (1 given)");
    }
    void a_tensor_tells_its_memory() {
        Calls torch;
        const Value x = torch.made("zeros", {2, 3});
        const Value turned = torch.viewed(x, {3, 2}, {1, 3});
        const Value row = torch.viewed(x, {3}, {1}, 3);
        QCOMPARE(torch.method("is_contiguous", {x}), "True");
        QCOMPARE(torch.method("is_contiguous", {turned}), "False");
        QCOMPARE(torch.method("is_contiguous", {torch.made("zeros", {0, 3})}), "True");
        QCOMPARE(torch.method("element_size", {x}), "4");
        QCOMPARE(torch.property("itemsize", x), "4");
        QCOMPARE(torch.property("nbytes", torch.viewed(x, {9, 3}, {0, 1})), "108");
        QCOMPARE(torch.method("storage_offset", {row}), "3");
        QCOMPARE(torch.method("data_ptr", {x}), torch.method("data_ptr", {turned}));
        QCOMPARE(torch.call(Form::method, "data_ptr", {row})->to_int(),
                 torch.call(Form::method, "data_ptr", {x})->to_int() + 12);
        QCOMPARE(torch.property("dtype", x), "float32");
        QCOMPARE(torch.property("device", x), "cpu");
        QCOMPARE(torch.property("is_cuda", x), "False");
        QCOMPARE(torch.method("_is_view", {x}), "False");
        QCOMPARE(torch.method("_is_view", {row}), "True");
        QVERIFY(torch.call(Form::property, "_base", {row})->tensor() == x.tensor());
        QCOMPARE(torch.property("_base", x), "None");
        QCOMPARE(torch.property("_version", x), "0");
        torch.in_place("fill", {row, 1});
        QCOMPARE(torch.property("_version", x), "1");
    }
    void gradients_are_asked_for_by_flag() {
        Calls torch;
        const Value x = torch.made("ones", {2});
        QCOMPARE(torch.property("requires_grad", x), "False");
        QVERIFY(torch.call(Form::in_place, "requires_grad", {x})->tensor() == x.tensor());
        QCOMPARE(torch.property("requires_grad", x), "True");
        QCOMPARE(torch.property("is_leaf", x), "True");
        QCOMPARE(torch.property("grad", x), "None");
        QCOMPARE(torch.property("_version", x), "0");
        const Value copy = *torch.call(Form::method, "clone", {x});
        QCOMPARE(torch.property("is_leaf", copy), "False");
        QVERIFY(torch.in_place("requires_grad", {copy, false})
                    .startsWith("RuntimeError: you can only change requires_grad flags of leaf variables."));
        QCOMPARE(torch.in_place("requires_grad", {torch.tensor(1)}),
                 "RuntimeError: only Tensors of floating point dtype can require gradients");
        QCOMPARE(torch.in_place("requires_grad", {torch.tensor(1), false}), "1 int64");
        QCOMPARE(torch.in_place("requires_grad", {x, 1}),
                 "TypeError: requires_grad_(): argument 'requires_grad' (position 1) must be bool, not int");
    }
};

QTEST_APPLESS_MAIN(PythonNumbersTest)
#include "python_numbers_test.moc"
