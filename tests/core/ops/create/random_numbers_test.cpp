// SPDX-License-Identifier: Apache-2.0
// Random numbers after torch.manual_seed(42): what PyTorch 2.15 gives on the CPU, bit for bit where it only moves bits,
// to rounding where logarithms are taken.
#include "tests/core/ops/create/calls.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace maskscope;
using namespace maskscope::ops;

namespace {

constexpr std::int64_t kSeed = 42;

// The numbers of float32 randn(16), randn(18) and randn(5).
const std::vector<double> kNormal16 = {
    1.92691529,   1.48728406, 0.900717199,  -2.10552096, 0.678418458,  -1.23454487,  -0.0430674776, -1.60466695,
    -0.752135277, 1.64872301, -0.392478645, -1.40360713, -0.727881312, -0.559430182, -0.768838882,  0.76244539};
const std::vector<double> kNormal18 = {1.92691529,  1.48728406,   -0.497397542, 0.439589262, -0.758131146,
                                       1.07831764,  0.800800562,  1.68062055,   0.355859905, -0.686622977,
                                       0.61046648,  1.33473778,   -0.23162432,  0.041759491, -0.251575291,
                                       0.859858513, -0.309726775, -0.395710498};
const std::vector<double> kNormal5 = {0.336690366, 0.128809407, 0.234462366, 0.23033303, -1.12285638};

void compare(const std::vector<double>& got, const std::vector<double>& expected, double tolerance) {
    QVERIFY(got.size() >= expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (!(std::fabs(got[i] - expected[i]) <= tolerance * std::max(1.0, std::fabs(expected[i]))))
            QFAIL(qPrintable(QStringLiteral("at %1: %2, expected %3").arg(i).arg(got[i]).arg(expected[i])));
}

}  // namespace

class RandomNumbersTest : public QObject {
    Q_OBJECT
private slots:
    void seeds_are_read_as_python_reads_numbers() {
        Calls torch;
        const auto rand_after = [&](const Value& seed) {
            const QString told = torch.function("manual_seed", {seed});
            return told == "None" ? torch.function("rand", {2}) : told;
        };
        QCOMPARE(rand_after(-1), rand_after(-1));
        torch.seed(-1);
        compare(numbers(torch.made("rand", {2})), {0.993799388, 0.571306348}, 1e-8);
        torch.seed((std::int64_t{1} << 40) + 7);
        compare(numbers(torch.made("rand", {2})), {0.53492254, 0.198803186}, 1e-8);
        QCOMPARE(torch.function("initial_seed", {}), "1099511627783");
        QCOMPARE(rand_after("12"), rand_after(12));
        QCOMPARE(rand_after(3.9), rand_after(3));
        QCOMPARE(rand_after(torch.tensor(4)), rand_after(4));
        QCOMPARE(rand_after("a"), "ValueError: invalid literal for int() with base 10: 'a'");
        QCOMPARE(rand_after(Value()),
                 "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'NoneType'");
        QCOMPARE(torch.function("manual_seed", {}),
                 "TypeError: manual_seed() missing 1 required positional argument: 'seed'");
    }
    void without_a_seed_a_script_repeats_itself() {
        Calls first;
        Calls second;
        QCOMPARE(first.function("rand", {3}), second.function("rand", {3}));
        QCOMPARE(first.function("seed", {}), second.function("seed", {}));
        QVERIFY(first.function("rand", {3}) != first.function("rand", {3}));
    }
    void rand_takes_the_bits_of_the_dtype() {
        Calls torch;
        const auto rand = [&](DType dtype) {
            torch.seed(kSeed);
            return numbers(torch.made("rand", {4}, {{"dtype", dtype}}));
        };
        compare(rand(DType::f32), {0.88226926326751709, 0.91500395536422729, 0.38286375999450684, 0.95930564403533936},
                0);
        compare(rand(DType::f64),
                {0.058154485961429692, 0.062910167424577557, 0.12358607277440903, 0.052580164361077042}, 0);
        compare(rand(DType::f16), {0.88232421875, 0.9150390625, 0.3828125, 0.95947265625}, 0);
        compare(rand(DType::bf16), {0.8828125, 0.9140625, 0.3828125, 0.9609375}, 0);
        QCOMPARE(torch.function("rand", {3}, {{"dtype", DType::i64}}),
                 "NotImplementedError: \"check_uniform_bounds\" not implemented for 'Long'");
    }
    void rounding_never_reaches_one() {
        Calls torch;
        for (const DType dtype : {DType::f16, DType::bf16}) {
            const auto drawn = numbers(torch.made("rand", {100000}, {{"dtype", dtype}}));
            QVERIFY(*std::max_element(drawn.begin(), drawn.end()) < 1);
        }
    }
    void randn_has_two_ways() {
        Calls torch;
        const auto randn = [&](std::int64_t count, DType dtype) {
            torch.seed(kSeed);
            return numbers(torch.made("randn", {count}, {{"dtype", dtype}}));
        };
        compare(randn(5, DType::f32), kNormal5, 1e-6);
        compare(randn(5, DType::f64), {0.336690354, 0.128809405, 0.234462363, 0.230333028, -1.12285638}, 1e-8);
        compare(randn(5, DType::f16), {0.336669922, 0.12878418, 0.23449707, 0.23034668, -1.12304688}, 1e-8);
        compare(randn(16, DType::f32), kNormal16, 1e-6);
        compare(randn(16, DType::f64), {0.299556288, 0.242377791, 0.283207394, -0.232942209, 0.671153221}, 1e-8);
        compare(randn(16, DType::bf16), {1.9296875, 1.484375, 0.90234375, -2.109375, 0.6796875}, 0.004);
        // The last 16 are drawn again: after the rest in float32, instead of it in the narrow dtypes.
        compare(randn(18, DType::f32), kNormal18, 1e-6);
        compare(randn(18, DType::f64), {0.299556288, 0.242377791, 1.27159097, 0.618669994}, 1e-8);
        compare(randn(18, DType::f16), {1.92675781, 1.48730469, 1.64257812, -0.159545898, -0.497314453}, 0.001);
        QCOMPARE(torch.function("randn", {0}), "[] float32");
        QCOMPARE(torch.function("randn", {3}, {{"dtype", DType::i64}}),
                 "NotImplementedError: \"normal_kernel_cpu\" not implemented for 'Long'");
    }
    void the_second_of_a_pair_is_kept_between_calls() {
        Calls torch;
        torch.seed(kSeed);
        compare(numbers(torch.made("randn", {3})), {0.336690366, 0.128809407, 0.234462366}, 1e-6);
        compare(numbers(torch.made("rand", {2})), {0.940771461, 0.133185923}, 1e-8);
        compare(numbers(torch.made("randn", {2})), {0.23033303, -2.46605706}, 1e-6);
    }
    void draws_follow_the_order_of_memory() {
        Calls torch;
        const Value x = torch.made("zeros", {24});
        torch.seed(kSeed);
        torch.in_place("normal", {torch.viewed(x, {3, 8}, {1, 3})});
        compare(numbers(x), kNormal5, 1e-6);
        const Value y = torch.made("zeros", {6});
        torch.seed(kSeed);
        torch.in_place("uniform", {torch.viewed(y, {2, 3}, {1, 2})});
        compare(numbers(y), {0.882269263, 0.915003955, 0.38286376, 0.959305644}, 1e-8);
        torch.seed(kSeed);
        const Value turned = torch.made("rand_like", {torch.viewed(y, {2, 3}, {1, 2})});
        compare(numbers(turned), {0.882269263, 0.38286376, 0.390448213, 0.915003955, 0.959305644, 0.600895345}, 1e-8);
        QCOMPARE(tensor_of(turned).strides(), (Strides{1, 2}));
    }
    void intervals_and_moments() {
        Calls torch;
        const Value x = torch.made("zeros", {5});
        torch.seed(kSeed);
        torch.in_place("uniform", {x, -1, 3});
        compare(numbers(x), {2.52907705, 2.66001582, 0.53145504, 2.83722258, 0.56179285}, 1e-7);
        torch.seed(kSeed);
        torch.in_place("normal", {x, 1, 3});
        compare(numbers(x), {2.01007104, 1.38642824, 1.70338714, 1.69099903, -2.36856914}, 1e-6);
        torch.seed(kSeed);
        compare(numbers(torch.made("normal", {2.0, 0.5, ints({18})})),
                {2.96345758, 2.74364209, 1.75130129, 2.21979475, 1.62093449}, 1e-6);
        QCOMPARE(torch.in_place("uniform", {x, 3, 1}),
                 "RuntimeError: uniform_ expects to return a [from, to) range, but found from=3 > to=1");
        QCOMPARE(torch.in_place("uniform", {x, 0, 1e39}), "RuntimeError: to is out of bounds for float");
        QCOMPARE(torch.in_place("normal", {x, 0, -1}), "RuntimeError: normal expects std >= 0.0, but found std -1");
    }
    void randint_widens_at_28_bits() {
        Calls torch;
        const auto after_seed = [&](std::initializer_list<Value> arguments) {
            torch.seed(kSeed);
            return torch.function("randint", arguments);
        };
        const std::int64_t wide = std::int64_t{1} << 28;
        QCOMPARE(after_seed({10, ints({8})}), "[2, 7, 6, 4, 6, 5, 0, 4] int64");
        QCOMPARE(after_seed({-5, 5, ints({8})}), "[-3, 2, 1, -1, 1, 0, -5, -1] int64");
        QCOMPARE(after_seed({wide - 1, ints({3})}), "[266460267, 199900607, 56755051] int64");
        QCOMPARE(after_seed({wide, ints({3})}), "[199900595, 250975502, 127521863] int64");
        QCOMPARE(after_seed({std::int64_t{1} << 40, ints({3})}), "[441507790259, 395924837646, 458615280711] int64");
        torch.seed(kSeed);
        QCOMPARE(torch.function("randint", {}, {{"low", 0}, {"high", 10}, {"size", ints({2})}}), "[2, 7] int64");
        QCOMPARE(torch.function("randint", {0, ints({2})}),
                 "RuntimeError: random_ expects 'from' to be less than 'to', but got from=0 >= to=0");
        QCOMPARE(torch.function("randint", {257, ints({2})}, {{"dtype", DType::u8}}),
                 "RuntimeError: to - 1 is out of bounds for unsigned char");
        QCOMPARE(torch.function("randint", {-1, 5, ints({2})}, {{"dtype", DType::u8}}),
                 "RuntimeError: from is out of bounds for unsigned char");
    }
    void random_fills_what_the_dtype_holds() {
        Calls torch;
        const auto after_seed = [&](DType dtype) {
            const Value x = torch.made("zeros", {3}, {{"dtype", dtype}});
            torch.seed(kSeed);
            return torch.in_place("random", {x});
        };
        QCOMPARE(after_seed(DType::i64), "[6909045637428952499, 8314211556539077902, 4279532810384561223] int64");
        QCOMPARE(after_seed(DType::i32), "[1608637542, 1273642419, 1935803228] int32");
        QCOMPARE(after_seed(DType::i8), "[102, 51, 92] int8");
        QCOMPARE(after_seed(DType::u8), "[102, 179, 92] uint8");
        QCOMPARE(after_seed(DType::boolean), "[False, True, False] bool");
        QCOMPARE(after_seed(DType::f32), "[14801927.0, 15351016.0, 6423145.0] float32");
        QCOMPARE(after_seed(DType::f16), "[426.0, 923.0, 745.0] float16");
        const Value x = torch.made("zeros", {2});
        torch.seed(kSeed);
        QCOMPARE(torch.in_place("random", {x, 10}), "[2.0, 7.0] float32");
        torch.seed(kSeed);
        QCOMPARE(torch.in_place("random", {x, -5, 5}), "[-3.0, 2.0] float32");
    }
    void randperm_is_an_order() {
        Calls torch;
        torch.seed(kSeed);
        QCOMPARE(torch.function("randperm", {10}), "[2, 6, 1, 8, 4, 5, 0, 9, 3, 7] int64");
        QCOMPARE(torch.function("randperm", {0}), "[] int64");
        const auto order = numbers(torch.made("randperm", {1000}, {{"dtype", DType::f32}}));
        QCOMPARE(std::set<double>(order.begin(), order.end()).size(), std::size_t{1000});
        QCOMPARE(torch.function("randperm", {2050}, {{"dtype", DType::f16}}),
                 "RuntimeError: n cannot be greater than 2049 for Half type.");
        QCOMPARE(torch.function("randperm", {300}, {{"dtype", DType::u8}}),
                 "RuntimeError: value cannot be converted to type uint8_t without overflow");
    }
    void only_the_one_generator_draws() {
        Calls torch;
        torch.seed(kSeed);
        compare(numbers(torch.made("rand", {2}, {{"generator", Value()}})), {0.882269263, 0.915003955}, 1e-8);
        QVERIFY(torch.function("rand", {2}, {{"generator", 1}}).startsWith("NotImplementedError: generator="));
    }
};

QTEST_APPLESS_MAIN(RandomNumbersTest)
#include "random_numbers_test.moc"
