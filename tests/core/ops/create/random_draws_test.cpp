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
    void init() { calls_ = std::make_unique<Calls>(); }
    void bernoulli_takes_probabilities() {
        const auto thrown = [&](DType dtype) {
            const Value p = calls_->made("full", {ints({10}), 0.3}, {{"dtype", dtype}});
            calls_->seed(42);
            return numbers(calls_->made("bernoulli", {p}));
        };
        QCOMPARE(thrown(DType::f32), (std::vector<double>{0, 0, 0, 0, 0, 0, 1, 0, 0, 1}));
        calls_->seed(42);
        numbers(calls_->made("bernoulli", {calls_->made("full", {ints({10}), 0.3})}));
        const Value p = calls_->made("full", {ints({10}), 0.3}, {{"dtype", DType::f64}});
        QCOMPARE(numbers(calls_->made("bernoulli", {p})), (std::vector<double>{0, 0, 0, 1, 1, 1, 0, 0, 0, 0}));
        const Value x = calls_->made("zeros", {10});
        calls_->in_place("bernoulli", {x, 0.3});
        QCOMPARE(numbers(x), (std::vector<double>{0, 1, 0, 0, 0, 1, 0, 0, 0, 1}));
    }
    void certain_throws_are_certain() {
        QCOMPARE(calls_->function("bernoulli", {calls_->tensor(floats({0, 1}))}), "[0.0, 1.0] float32");
        QCOMPARE(calls_->method("bernoulli", {calls_->tensor(floats({0, 1}))}), "[0.0, 1.0] float32");
        QCOMPARE(calls_->function("bernoulli", {calls_->tensor(ints({0, 5})), 1.0}), "[1, 1] int64");
        const Value mask = calls_->made("zeros", {2, 2}, {{"dtype", DType::boolean}});
        QCOMPARE(calls_->in_place("bernoulli", {mask, calls_->tensor(floats({1, 0}))}),
                 "[[True, False], [True, False]] bool");
    }
    void impossible_probabilities_are_refused() {
        const QString refused =
            "RuntimeError: Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be "
            "improved?  If so, please report an enhancement request to PyTorch.)";
        QCOMPARE(calls_->function("bernoulli", {calls_->tensor(floats({2}))}), refused);
        QCOMPARE(calls_->function("bernoulli", {calls_->tensor(list({NAN}))}), refused);
        QCOMPARE(calls_->function("bernoulli", {calls_->tensor(ints({1}))}),
                 "NotImplementedError: \"bernoulli_tensor_cpu_p_\" not implemented for 'Long'");
        const Value x = calls_->made("zeros", {3});
        QCOMPARE(calls_->in_place("bernoulli", {x, 2.0}),
                 "RuntimeError: bernoulli_ expects p to be in [0, 1], but got p=2");
        QCOMPARE(calls_->in_place("bernoulli", {x, calls_->made("ones", {2})}),
                 "RuntimeError: The expanded size of the tensor (3) must match the existing size (2) at non-singleton "
                 "dimension 0.  Target sizes: [3].  Tensor sizes: [2]");
    }
    void the_share_of_ones_is_the_probability() {
        const Value x = calls_->made("zeros", {100000});
        calls_->in_place("bernoulli", {x, 0.3});
        const auto thrown = numbers(x);
        QVERIFY(std::fabs(static_cast<double>(std::count(thrown.begin(), thrown.end(), 1.0)) / 100000 - 0.3) < 0.01);
    }
    void multinomial_draws_places() {
        const Value weights = calls_->tensor(list({floats({0.1, 0.2, 0.3, 0.4}), floats({1, 0, 2, 0})}));
        calls_->seed(42);
        QCOMPARE(calls_->function("multinomial", {weights, 2}), "[[3, 1], [0, 2]] int64");
        QCOMPARE(calls_->function("multinomial", {weights, 6, true}), "[[0, 1, 1, 2, 3, 3], [2, 2, 0, 2, 2, 2]] int64");
        QCOMPARE(calls_->method("multinomial", {calls_->tensor(floats({0, 3, 0})), 1}), "[1] int64");
        const auto all = numbers(calls_->made("multinomial", {calls_->made("ones", {50}), 50}));
        auto sorted = all;
        std::sort(sorted.begin(), sorted.end());
        QVERIFY(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    }
    void multinomial_of_a_strided_row() {
        const Value weights = calls_->tensor(floats({0, 9, 0, 9, 5, 9}));
        QCOMPARE(calls_->method("multinomial", {calls_->viewed(weights, {3}, {2}), 1}), "[2] int64");
    }
    void multinomial_refuses() {
        const Value x = calls_->tensor(floats({1, 0}));
        const auto told = [&](std::initializer_list<Value> arguments) {
            return calls_->function("multinomial", arguments);
        };
        QCOMPARE(told({x, 3}), "RuntimeError: cannot sample n_sample > prob_dist.size(-1) samples without replacement");
        QCOMPARE(told({x, 0}), "RuntimeError: cannot sample n_sample <= 0 samples");
        QCOMPARE(told({calls_->tensor(1.0), 1}), "RuntimeError: prob_dist must be 1 or 2 dim");
        QCOMPARE(told({calls_->tensor(ints({1})), 1}),
                 "RuntimeError: multinomial only supports floating-point dtypes for input, got: Long");
        QCOMPARE(told({calls_->tensor(floats({0, 0})), 1}),
                 "RuntimeError: invalid multinomial distribution (sum of probabilities <= 0)");
        for (const double bad : {-1.0, static_cast<double>(NAN), HUGE_VAL})
            QCOMPARE(told({calls_->tensor(list({1.0, bad})), 1}),
                     "RuntimeError: probability tensor contains either `inf`, `nan` or element < 0");
        QCOMPARE(told({calls_->made("ones", {0, 2}), 1}), "[] int64");
    }
    void exponential_fills() {
        const Value x = calls_->made("zeros", {5});
        calls_->seed(42);
        calls_->in_place("exponential", {x, 2.0});
        const std::vector<double> expected = {0.0299570076, 0.032488063, 0.0659583881, 0.0270064753, 0.373455346};
        const auto got = numbers(x);
        for (std::size_t i = 0; i < expected.size(); ++i) QVERIFY(std::fabs(got[i] - expected[i]) < 1e-7);
        QCOMPARE(calls_->in_place("exponential", {x, 0.0}),
                 "RuntimeError: exponential_ expects lambda > 0.0, but found lambda=0");
        QVERIFY(calls_->in_place("exponential", {calls_->tensor(ints({1}))}).contains("but you specified Long"));
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
    std::unique_ptr<Calls> calls_;
};

QTEST_APPLESS_MAIN(RandomDrawsTest)
#include "random_draws_test.moc"
