// SPDX-License-Identifier: Apache-2.0
// bernoulli, multinomial and exponential_ after torch.manual_seed(42): what PyTorch 2.15 gives on the CPU.
#include "tests/core/ops/create/calls.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace maskscope;
using namespace maskscope::ops;

class RandomDrawsTest : public QObject {
    Q_OBJECT
private slots:
    void init() { calls = std::make_unique<Calls>(); }
    void bernoulli_takes_probabilities() {
        const auto thrown = [&](DType dtype) {
            const Value p = calls->made("full", {ints({10}), 0.3}, {{"dtype", dtype}});
            calls->seed(42);
            return numbers(calls->made("bernoulli", {p}));
        };
        QCOMPARE(thrown(DType::f32), (std::vector<double>{0, 0, 0, 0, 0, 0, 1, 0, 0, 1}));
        calls->seed(42);
        numbers(calls->made("bernoulli", {calls->made("full", {ints({10}), 0.3})}));
        const Value p = calls->made("full", {ints({10}), 0.3}, {{"dtype", DType::f64}});
        QCOMPARE(numbers(calls->made("bernoulli", {p})), (std::vector<double>{0, 0, 0, 1, 1, 1, 0, 0, 0, 0}));
        const Value x = calls->made("zeros", {10});
        calls->in_place("bernoulli", {x, 0.3});
        QCOMPARE(numbers(x), (std::vector<double>{0, 1, 0, 0, 0, 1, 0, 0, 0, 1}));
    }
    void certain_throws_are_certain() {
        QCOMPARE(calls->function("bernoulli", {calls->tensor(floats({0, 1}))}), "[0.0, 1.0] float32");
        QCOMPARE(calls->method("bernoulli", {calls->tensor(floats({0, 1}))}), "[0.0, 1.0] float32");
        QCOMPARE(calls->function("bernoulli", {calls->tensor(ints({0, 5})), 1.0}), "[1, 1] int64");
        const Value mask = calls->made("zeros", {2, 2}, {{"dtype", DType::boolean}});
        QCOMPARE(calls->in_place("bernoulli", {mask, calls->tensor(floats({1, 0}))}),
                 "[[True, False], [True, False]] bool");
    }
    void impossible_probabilities_are_refused() {
        const QString refused =
            "RuntimeError: Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be "
            "improved?  If so, please report an enhancement request to PyTorch.)";
        QCOMPARE(calls->function("bernoulli", {calls->tensor(floats({2}))}), refused);
        QCOMPARE(calls->function("bernoulli", {calls->tensor(list({NAN}))}), refused);
        QCOMPARE(calls->function("bernoulli", {calls->tensor(ints({1}))}),
                 "NotImplementedError: \"bernoulli_tensor_cpu_p_\" not implemented for 'Long'");
        const Value x = calls->made("zeros", {3});
        QCOMPARE(calls->in_place("bernoulli", {x, 2.0}),
                 "RuntimeError: bernoulli_ expects p to be in [0, 1], but got p=2");
        QCOMPARE(calls->in_place("bernoulli", {x, calls->made("ones", {2})}),
                 "RuntimeError: The expanded size of the tensor (3) must match the existing size (2) at non-singleton "
                 "dimension 0.  Target sizes: [3].  Tensor sizes: [2]");
    }
    void the_share_of_ones_is_the_probability() {
        const Value x = calls->made("zeros", {100000});
        calls->in_place("bernoulli", {x, 0.3});
        const auto thrown = numbers(x);
        QVERIFY(std::fabs(static_cast<double>(std::count(thrown.begin(), thrown.end(), 1.0)) / 100000 - 0.3) < 0.01);
    }
    void multinomial_draws_places() {
        const Value weights = calls->tensor(list({floats({0.1, 0.2, 0.3, 0.4}), floats({1, 0, 2, 0})}));
        calls->seed(42);
        QCOMPARE(calls->function("multinomial", {weights, 2}), "[[3, 1], [0, 2]] int64");
        QCOMPARE(calls->function("multinomial", {weights, 6, true}), "[[0, 1, 1, 2, 3, 3], [2, 2, 0, 2, 2, 2]] int64");
        QCOMPARE(calls->method("multinomial", {calls->tensor(floats({0, 3, 0})), 1}), "[1] int64");
        const auto all = numbers(calls->made("multinomial", {calls->made("ones", {50}), 50}));
        auto sorted = all;
        std::sort(sorted.begin(), sorted.end());
        QVERIFY(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    }
    void multinomial_of_a_strided_row() {
        const Value weights = calls->tensor(floats({0, 9, 0, 9, 5, 9}));
        QCOMPARE(calls->method("multinomial", {calls->viewed(weights, {3}, {2}), 1}), "[2] int64");
    }
    void multinomial_refuses() {
        const Value x = calls->tensor(floats({1, 0}));
        const auto told = [&](std::initializer_list<Value> arguments) {
            return calls->function("multinomial", arguments);
        };
        QCOMPARE(told({x, 3}), "RuntimeError: cannot sample n_sample > prob_dist.size(-1) samples without replacement");
        QCOMPARE(told({x, 0}), "RuntimeError: cannot sample n_sample <= 0 samples");
        QCOMPARE(told({calls->tensor(1.0), 1}), "RuntimeError: prob_dist must be 1 or 2 dim");
        QCOMPARE(told({calls->tensor(ints({1})), 1}),
                 "RuntimeError: multinomial only supports floating-point dtypes for input, got: Long");
        QCOMPARE(told({calls->tensor(floats({0, 0})), 1}),
                 "RuntimeError: invalid multinomial distribution (sum of probabilities <= 0)");
        for (const double bad : {-1.0, static_cast<double>(NAN), HUGE_VAL})
            QCOMPARE(told({calls->tensor(list({1.0, bad})), 1}),
                     "RuntimeError: probability tensor contains either `inf`, `nan` or element < 0");
        QCOMPARE(told({calls->made("ones", {0, 2}), 1}), "[] int64");
    }
    void exponential_fills() {
        const Value x = calls->made("zeros", {5});
        calls->seed(42);
        calls->in_place("exponential", {x, 2.0});
        const std::vector<double> expected = {0.0299570076, 0.032488063, 0.0659583881, 0.0270064753, 0.373455346};
        const auto got = numbers(x);
        for (std::size_t i = 0; i < expected.size(); ++i) QVERIFY(std::fabs(got[i] - expected[i]) < 1e-7);
        QCOMPARE(calls->in_place("exponential", {x, 0.0}),
                 "RuntimeError: exponential_ expects lambda > 0.0, but found lambda=0");
        QVERIFY(calls->in_place("exponential", {calls->tensor(ints({1}))}).contains("but you specified Long"));
    }
    void a_cancelled_draw_ends() {
        std::stop_source stop;
        Settings settings;
        settings.context = JobContext(stop.get_token());
        Calls torch(settings);
        const Value x = torch.made("zeros", {10});
        stop.request_stop();
        QCOMPARE(torch.call(Form::in_place, "uniform", {x}).error().kind, ErrorKind::cancelled);
    }

private:
    std::unique_ptr<Calls> calls;
};

QTEST_APPLESS_MAIN(RandomDrawsTest)
#include "random_draws_test.moc"
