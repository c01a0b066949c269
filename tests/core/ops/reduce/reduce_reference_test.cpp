// SPDX-License-Identifier: Apache-2.0
// Thousands of small random tensors in every layout, against loops over indices that know no strides.
#include "core/ops/dispatch/run.h"
#include "core/ops/op_table.h"
#include "tests/core/ops/reduce/random_tensors.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

using namespace maskscope;
using namespace maskscope::ops;

namespace {

double fold(const Numbers& group, double start, const std::function<double(double, double)>& join) {
    return std::accumulate(group.begin(), group.end(), start, join);
}
// NaN wins.
std::size_t place_of_extreme(const Numbers& group, bool largest) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (std::isnan(group[i])) return i;
        if (largest ? group[i] > group[best] : group[i] < group[best]) best = i;
    }
    return best;
}
double mean_of(const Numbers& group) {
    return fold(group, 0, std::plus<>()) / static_cast<double>(group.size());
}
double variance_of(const Numbers& group) {
    if (group.empty()) return kNan;
    const double mean = mean_of(group);
    const double squares = fold(group, 0, [&](double sum, double v) { return sum + (v - mean) * (v - mean); });
    return squares / (static_cast<double>(group.size()) - 1);
}
// The order of a stable sort, NaN last.
std::vector<std::size_t> sorted_places(const Numbers& group) {
    std::vector<std::size_t> places(group.size());
    std::iota(places.begin(), places.end(), 0);
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
        return group[a] < group[b] || (std::isnan(group[b]) && !std::isnan(group[a]));
    });
    return places;
}

bool near(double got, double wanted, double tolerance) {
    if (std::isnan(wanted)) return std::isnan(got);
    if (got == wanted) return true;
    return std::abs(got - wanted) <= tolerance * std::max(1.0, std::abs(wanted));
}
double tolerance_of(DType dtype) {
    switch (dtype) {
        case DType::bf16:
            return 1e-2;
        case DType::f16:
            return 2e-3;
        case DType::f32:
            return 1e-6;
        case DType::f64:
            return 1e-13;
        default:
            return 0;
    }
}

Numbers numbers_of(const Tensor& tensor) {
    Numbers out;
    Maker::collect(tensor, out);
    return out;
}

std::string differences(const Numbers& got, const Numbers& wanted, double tolerance) {
    if (got.size() != wanted.size()) return fmt::format("{} elements for {}", got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        if (!near(got[i], wanted[i], tolerance)) return fmt::format("[{}] {} for {}", i, got[i], wanted[i]);
    return {};
}

using Expected = std::function<double(const Numbers&)>;

struct ReducingOp {
    const char* name;
    std::vector<DType> dtypes;
    bool many_dims = true;
    bool needs_elements = false;
    std::vector<Value> before_dims;
    Expected expected;
};

const std::vector<ReducingOp>& reducing_ops() {
    static const std::vector<ReducingOp> ops = {
        {"sum", kAll, true, false, {}, [](const Numbers& g) { return fold(g, 0, std::plus<>()); }},
        {"nansum",
         kAll,
         true,
         false,
         {},
         [](const Numbers& g) {
             return fold(g, 0, [](double sum, double v) { return std::isnan(v) ? sum : sum + v; });
         }},
        {"mean", kFloating, true, false, {}, mean_of},
        {"prod", kAll, false, false, {}, [](const Numbers& g) { return fold(g, 1, std::multiplies<>()); }},
        {"count_nonzero",
         kAll,
         true,
         false,
         {},
         [](const Numbers& g) { return fold(g, 0, [](double sum, double v) { return sum + (v != 0 ? 1 : 0); }); }},
        {"any",
         kAll,
         true,
         false,
         {},
         [](const Numbers& g) { return std::any_of(g.begin(), g.end(), [](double v) { return v != 0; }) ? 1.0 : 0.0; }},
        {"all",
         kAll,
         true,
         false,
         {},
         [](const Numbers& g) { return std::all_of(g.begin(), g.end(), [](double v) { return v != 0; }) ? 1.0 : 0.0; }},
        {"amax", kAll, true, true, {}, [](const Numbers& g) { return g[place_of_extreme(g, true)]; }},
        {"amin", kAll, true, true, {}, [](const Numbers& g) { return g[place_of_extreme(g, false)]; }},
        {"var", kFloating, true, false, {}, variance_of},
        {"std", kFloating, true, false, {}, [](const Numbers& g) { return std::sqrt(variance_of(g)); }},
        {"norm",
         kFloating,
         true,
         false,
         {2},
         [](const Numbers& g) { return std::sqrt(fold(g, 0, [](double sum, double v) { return sum + v * v; })); }},
        {"norm",
         kFloating,
         true,
         false,
         {1},
         [](const Numbers& g) { return fold(g, 0, [](double sum, double v) { return sum + std::abs(v); }); }},
        {"norm",
         kFloating,
         true,
         true,
         {kInf},
         [](const Numbers& g) {
             return fold(g, 0, [](double most, double v) {
                 return std::isnan(most) || std::abs(v) <= most ? most : std::abs(v);
             });
         }},
        {"logsumexp",
         kFloating,
         true,
         true,
         {},
         [](const Numbers& g) {
             const double most = g[place_of_extreme(g, true)];
             if (std::isinf(most) || std::isnan(most)) return most;
             return most + std::log(fold(g, 0, [&](double sum, double v) { return sum + std::exp(v - most); }));
         }},
    };
    return ops;
}

struct Case {
    Made made;
    std::vector<bool> reduced;
    Value dims;
    bool keepdim = false;
};

Case random_case(Maker& maker, const std::vector<DType>& dtypes, bool odd_ones, bool many_dims, bool needs_elements) {
    Case out;
    out.made = maker.tensor(maker.one_of(dtypes), odd_ones, needs_elements ? 1 : 0);
    const int rank = out.made.tensor.rank();
    out.reduced.assign(static_cast<std::size_t>(rank), false);
    out.keepdim = maker.chance(0.4);
    if (rank == 0) {
        out.dims = many_dims ? make_list({-1}) : Value(0);
        return out;
    }
    const auto written = [&](int dim) { return Value(maker.chance(0.5) ? dim : dim - rank); };
    if (!many_dims || maker.chance(0.4)) {
        const int dim = maker.below(rank);
        out.reduced[static_cast<std::size_t>(dim)] = true;
        out.dims = written(dim);
        return out;
    }
    std::vector<Value> dims;
    for (int i = 0; i < rank; ++i) {
        if (maker.chance(0.5)) continue;
        out.reduced[static_cast<std::size_t>(i)] = true;
        dims.insert(dims.begin(), written(i));
    }
    if (dims.empty()) {
        out.reduced.assign(out.reduced.size(), true);
        out.dims = Value();
    } else {
        out.dims = make_tuple(std::move(dims));
    }
    return out;
}

Result<Value> call(Run& run, const char* name, std::vector<Value> args) {
    const OpSpec* spec = run.table().find(name);
    return run.call(*spec, Form::method, args);
}

}  // namespace

class ReduceReferenceTest : public QObject {
    Q_OBJECT
private slots:
    void reductions_agree_with_a_loop_over_indices_data() {
        QTest::addColumn<int>("op");
        for (int i = 0; i < static_cast<int>(reducing_ops().size()); ++i)
            QTest::addRow("%s %d", reducing_ops()[static_cast<std::size_t>(i)].name, i) << i;
    }
    void reductions_agree_with_a_loop_over_indices() {
        QFETCH(int, op);
        const ReducingOp& reducing = reducing_ops()[static_cast<std::size_t>(op)];
        Run run(op_table(), {});
        for (unsigned seed = 0; seed < 400; ++seed) {
            Maker maker(seed * 31 + static_cast<unsigned>(op));
            const bool odd_ones = seed % 2 == 1;
            const Case given =
                random_case(maker, reducing.dtypes, odd_ones, reducing.many_dims, reducing.needs_elements);
            std::vector<Value> args{run.wrap(given.made.tensor)};
            args.insert(args.end(), reducing.before_dims.begin(), reducing.before_dims.end());
            args.push_back(given.dims);
            const bool takes_keepdim = std::string_view(reducing.name) != "count_nonzero";
            if (given.dims.is_none() && !takes_keepdim) continue;
            // std and var have `unbiased` before keepdim; logsumexp needs dims.
            const std::string_view name = reducing.name;
            if (name == "std" || name == "var") args.emplace_back(true);
            if (name == "logsumexp" && given.dims.is_none()) continue;
            if (takes_keepdim) args.emplace_back(given.keepdim);
            const auto result = call(run, reducing.name, args);
            QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
            const Tensor& out = result->tensor()->tensor;
            Numbers wanted;
            for (const auto& group : groups(given.made, given.reduced)) wanted.push_back(reducing.expected(group));
            const std::string wrong = differences(numbers_of(out), wanted, 4 * tolerance_of(out.dtype()));
            QVERIFY2(wrong.empty(), qPrintable(QString::fromStdString(
                                        fmt::format("seed {} {} {}: {}", seed, name_of(given.made.tensor.dtype()),
                                                    text_of(given.made.tensor.shape()), wrong))));
        }
    }

    void extremes_tell_the_first_place() {
        Run run(op_table(), {});
        for (unsigned seed = 0; seed < 1500; ++seed) {
            Maker maker(seed);
            const bool largest = maker.chance(0.5);
            const Case given = random_case(maker, kAll, maker.chance(0.5), false, true);
            const auto result =
                call(run, largest ? "max" : "min", {run.wrap(given.made.tensor), given.dims, given.keepdim});
            QVERIFY(result.ok());
            Numbers values;
            Numbers indices;
            for (const auto& group : groups(given.made, given.reduced)) {
                const std::size_t place = place_of_extreme(group, largest);
                values.push_back(group[place]);
                indices.push_back(static_cast<double>(place));
            }
            const auto& items = *result->sequence();
            QCOMPARE(differences(numbers_of(items[0].tensor()->tensor), values, 0), std::string());
            QCOMPARE(differences(numbers_of(items[1].tensor()->tensor), indices, 0), std::string());
        }
    }

    void running_reductions_agree_with_a_loop() {
        Run run(op_table(), {});
        for (unsigned seed = 0; seed < 1500; ++seed) {
            Maker maker(seed);
            const Case given = random_case(maker, kAll, false, false, false);
            const Tensor& input = given.made.tensor;
            const auto sums = call(run, "cumsum", {run.wrap(input), given.dims});
            const auto most = call(run, "cummax", {run.wrap(input), given.dims});
            QVERIFY(sums.ok() && most.ok());
            const auto lines = groups(given.made, given.reduced);
            const auto summed = groups({sums->tensor()->tensor, numbers_of(sums->tensor()->tensor)}, given.reduced);
            const Tensor& indices = (*most->sequence())[1].tensor()->tensor;
            const auto places = groups({indices, numbers_of(indices)}, given.reduced);
            for (std::size_t l = 0; l < lines.size(); ++l) {
                double sum = 0;
                std::size_t best = 0;
                for (std::size_t i = 0; i < lines[l].size(); ++i) {
                    sum += lines[l][i];
                    if (lines[l][i] >= lines[l][best]) best = i;
                    QVERIFY(near(summed[l][i], sum, tolerance_of(sums->tensor()->tensor.dtype())));
                    QCOMPARE(places[l][i], static_cast<double>(best));
                }
            }
        }
    }

    void sorting_and_selecting_agree_with_a_stable_sort() {
        Run run(op_table(), {});
        const auto ordered = [](const std::vector<DType>& dtypes) {
            std::vector<DType> out = dtypes;
            std::erase(out, DType::boolean);
            return out;
        }(kAll);
        for (unsigned seed = 0; seed < 1500; ++seed) {
            Maker maker(seed);
            const Case given = random_case(maker, ordered, maker.chance(0.5), false, true);
            const auto x = run.wrap(given.made.tensor);
            const OpSpec* sort = run.table().find("sort");
            const std::vector<Value> self{x};
            const std::vector<Named> named{{"stable", true}, {"dim", given.dims}};
            const auto sorted = run.call(*sort, Form::method, self, named);
            const auto median = call(run, "nanmedian", {x, given.dims});
            QVERIFY(sorted.ok() && median.ok());
            const Tensor& indices = (*sorted->sequence())[1].tensor()->tensor;
            const auto places = groups({indices, numbers_of(indices)}, given.reduced);
            const Numbers middles = numbers_of((*median->sequence())[1].tensor()->tensor);
            const auto lines = groups(given.made, given.reduced);
            for (std::size_t l = 0; l < lines.size(); ++l) {
                const auto wanted = sorted_places(lines[l]);
                for (std::size_t i = 0; i < wanted.size(); ++i) QCOMPARE(places[l][i], static_cast<double>(wanted[i]));
                // NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself
                const auto numbers = std::count_if(lines[l].begin(), lines[l].end(), [](double v) { return v == v; });
                QCOMPARE(middles[l],
                         static_cast<double>(
                             wanted[static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, (numbers - 1) / 2))]));
            }
        }
    }
};

QTEST_APPLESS_MAIN(ReduceReferenceTest)
#include "reduce_reference_test.moc"
