// SPDX-License-Identifier: Apache-2.0
// to and its kin, clone, contiguous, detach: what is the tensor itself, what shares memory, what is a copy.
#include "tests/core/ops/create/calls.h"

#include <QTest>

#include <cmath>

using namespace maskscope;
using namespace maskscope::ops;

class ConversionsTest : public QObject {
    Q_OBJECT
private slots:
    void nothing_to_change_gives_the_tensor_itself() {
        Calls torch;
        const Value x = torch.made("ones", {2, 3});
        const auto is_self = [&](std::string_view op, std::initializer_list<Value> arguments,
                                 std::initializer_list<Named> named = {}) {
            const auto result = torch.call(Form::method, op, arguments, named);
            return result && result->tensor() == x.tensor();
        };
        QVERIFY(is_self("to", {x}));
        QVERIFY(is_self("to", {x, DType::f32}));
        QVERIFY(is_self("to", {x, "cpu"}));
        QVERIFY(is_self("to", {x, Device{"cpu"}, DType::f32}));
        QVERIFY(is_self("to", {x, x}));
        QVERIFY(is_self("to", {x, Value()}));
        QVERIFY(!is_self("to", {x, DType::f32}, {{"copy", true}}));
        QVERIFY(!is_self("to", {x, "cpu", DType::f32, false, true}));
        QVERIFY(is_self("float", {x}));
        QVERIFY(is_self("type", {x, DType::f32}));
        QVERIFY(is_self("type_as", {x, x}));
        QVERIFY(is_self("cpu", {x}));
        QVERIFY(is_self("numpy", {x}));
        QVERIFY(is_self("contiguous", {x}));
        QVERIFY(torch.run.take_notes().empty());
        QVERIFY(is_self("cuda", {x}));
        QVERIFY(is_self("to", {x, "cuda"}));
        QCOMPARE(torch.run.take_notes().size(), std::size_t{2});
    }
    void dtypes_convert_as_in_pytorch() {
        Calls torch;
        const Value x = torch.tensor(list({1.5, NAN, -1.5, 1e20, HUGE_VAL, 0.0}));
        QCOMPARE(torch.method("long", {x}),
                 "[1, -9223372036854775808, -1, -9223372036854775808, -9223372036854775808, 0] int64");
        QCOMPARE(torch.method("int", {x}), "[1, -2147483648, -1, -2147483648, -2147483648, 0] int32");
        QCOMPARE(torch.method("byte", {x}), "[1, 0, 255, 0, 0, 0] uint8");
        QCOMPARE(torch.method("bool", {x}), "[True, True, True, True, True, False] bool");
        QCOMPARE(torch.method("half", {x}), "[1.5, nan, -1.5, inf, inf, 0.0] float16");
        const Value m = torch.tensor(list({true, false}));
        QCOMPARE(torch.method("float", {m}), "[1.0, 0.0] float32");
        QCOMPARE(torch.method("double", {m}), "[1.0, 0.0] float64");
        QCOMPARE(torch.method("bfloat16", {m}), "[1.0, 0.0] bfloat16");
        QCOMPARE(torch.method("short", {m}), "[1, 0] int16");
        QCOMPARE(torch.method("char", {torch.tensor(ints({200}))}), "[-56] int8");
        QCOMPARE(torch.method("to", {m, torch.tensor(ints({1}))}), "[1, 0] int64");
        QCOMPARE(torch.method("to", {m}, {{"device", "cpu"}, {"dtype", DType::f16}}), "[1.0, 0.0] float16");
    }
    void types_have_old_names() {
        Calls torch;
        const Value x = torch.tensor(floats({1.5}));
        QCOMPARE(torch.method("type", {x}), "torch.FloatTensor");
        QCOMPARE(torch.method("type", {torch.tensor(true)}), "torch.BoolTensor");
        QCOMPARE(torch.method("type", {x, "torch.LongTensor"}), "[1] int64");
        QCOMPARE(torch.method("type", {x, "torch.cuda.HalfTensor"}), "[1.5] float16");
        QCOMPARE(torch.method("type", {x, "LongTensor"}), "ValueError: invalid type: 'LongTensor'");
        QCOMPARE(torch.method("type", {x, 3}), "TypeError: dtype must be a type, str, or dtype object");
        QCOMPARE(torch.method("to", {x, "float32"}), "RuntimeError: Invalid device string: 'float32'");
        QVERIFY(torch.method("to", {x, list({})})
                    .startsWith("TypeError: to() received an invalid combination of arguments - got (list), but "
                                "expected one of:\n * (torch.device device = None, torch.dtype dtype = None, bool "
                                "non_blocking = False, bool copy = False, *, torch.memory_format memory_format = "
                                "None)\n * (torch.dtype dtype, bool non_blocking"));
    }
    void the_order_of_memory_is_kept() {
        Calls torch;
        const Value x = torch.made("arange", {6.0});
        const Value turned = torch.viewed(x, {3, 2}, {1, 3});
        const auto strides = [&](std::string_view op, std::initializer_list<Value> arguments,
                                 std::initializer_list<Named> named = {}) {
            return tensor_of(*torch.call(Form::method, op, arguments, named)).strides();
        };
        QCOMPARE(torch.method("double", {turned}), "[[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]] float64");
        QCOMPARE(strides("double", {turned}), (Strides{1, 3}));
        QCOMPARE(strides("clone", {turned}), (Strides{1, 3}));
        QCOMPARE(strides("clone", {turned}, {{"memory_format", "torch.contiguous_format"}}), (Strides{2, 1}));
        QCOMPARE(strides("to", {turned, DType::f64}, {{"memory_format", "torch.contiguous_format"}}), (Strides{2, 1}));
        QCOMPARE(strides("contiguous", {turned}), (Strides{2, 1}));
        QCOMPARE(torch.method("contiguous", {turned}), "[[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]] float32");
        QCOMPARE(strides("clone", {torch.viewed(x, {2, 3}, {1, 0})}), (Strides{3, 1}));
        QCOMPARE(strides("clone", {torch.viewed(x, {2, 2}, {3, 2})}), (Strides{2, 1}));
        const Value image = torch.made("zeros", {1, 2, 3, 3});
        QCOMPARE(strides("clone", {image}, {{"memory_format", "torch.channels_last"}}), (Strides{18, 1, 6, 2}));
        QCOMPARE(torch.method("clone", {x}, {{"memory_format", "torch.channels_last"}}),
                 "RuntimeError: required rank 4 tensor to use channels_last format");
    }
    void gradients_flow_through_copies_only() {
        Calls torch;
        const Value x = torch.made("ones", {2}, {{"requires_grad", true}});
        const auto of = [&](std::string_view op) { return torch.call(Form::method, op, {x})->tensor(); };
        QVERIFY(of("clone")->requires_grad && !of("clone")->is_leaf);
        QVERIFY(of("half")->requires_grad);
        QVERIFY(!of("long")->requires_grad);
        const auto detached = of("detach");
        QVERIFY(!detached->requires_grad && detached->is_leaf && detached->base == nullptr);
        QVERIFY(detached->tensor.storage() == tensor_of(x).storage());
        QVERIFY(torch.call(Form::property, "data", {x})->tensor()->tensor.storage() == tensor_of(x).storage());
        QCOMPARE(torch.method("numpy", {x}),
                 "RuntimeError: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.");
        QCOMPARE(torch.method("numpy", {x}, {{"force", true}}), "[1.0, 1.0] float32");
        QCOMPARE(torch.method("numpy", {torch.made("ones", {1}, {{"dtype", DType::bf16}})}),
                 "TypeError: Got unsupported ScalarType BFloat16");
    }
    void detach_in_place_forgets_the_history() {
        Calls torch;
        const Value x = torch.made("ones", {2}, {{"requires_grad", true}});
        const Value copy = *torch.call(Form::method, "clone", {x});
        QCOMPARE(torch.in_place("detach", {copy}), "[1.0, 1.0] float32");
        QVERIFY(!copy.tensor()->requires_grad && copy.tensor()->is_leaf);
        QVERIFY(torch.in_place("detach", {torch.viewed(x, {1}, {1})}).contains("Can't detach views in-place."));
    }
    void shapes_alone_convert_to_shapes() {
        Settings settings;
        settings.shapes_only = true;
        settings.shapes_only_limit = 5;
        Calls torch(settings);
        const Value x = torch.made("zeros", {2, 3});
        QVERIFY(!tensor_of(x).has_data());
        QCOMPARE(torch.method("double", {x}), "[2, 3] float64");
        QCOMPARE(torch.method("clone", {x}), "[2, 3] float32");
        QCOMPARE(torch.method("contiguous", {x}), "[2, 3] float32");
        QCOMPARE(torch.function("zeros_like", {torch.made("zeros", {2})}), "[0.0, 0.0] float32");
    }
};

QTEST_APPLESS_MAIN(ConversionsTest)
#include "conversions_test.moc"
