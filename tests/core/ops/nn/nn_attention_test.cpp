// SPDX-License-Identifier: Apache-2.0
// Attention over several blocks of queries and keys, against the formula in double, and what NaN behind a mask does.
#include "core/jobs/parallel.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/op_table.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

using namespace maskscope;
using namespace maskscope::ops;

namespace {

constexpr double kHidden = -std::numeric_limits<double>::infinity();
using Additive = std::function<double(std::int64_t query, std::int64_t key)>;

Tensor numbers(const Shape& shape, std::int64_t seed) {
    auto out = Tensor::zeros(shape, DType::f32);
    for (std::int64_t i = 0; i < out->numel(); ++i)
        out->writable_as<float>()[i] = static_cast<float>((i * 7919 + seed * 104729) % 257 - 128) / 64;
    return *out;
}

Tensor bool_mask(std::int64_t rows, std::int64_t columns, const Additive& additive) {
    auto out = Tensor::zeros({rows, columns}, DType::boolean);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            out->writable_as<std::uint8_t>()[i * columns + j] = additive(i, j) == 0 ? 1 : 0;
    return *out;
}

Tensor additive_mask(std::int64_t rows, std::int64_t columns, const Additive& additive) {
    auto out = Tensor::zeros({rows, columns}, DType::f32);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            out->writable_as<float>()[i * columns + j] = static_cast<float>(additive(i, j));
    return *out;
}

double at(const Tensor& tensor, std::int64_t row, std::int64_t column) {
    const std::int64_t index[] = {0, 0, row, column};
    return to_double(tensor.at(index));
}

void compare(const Tensor& q, const Tensor& k, const Tensor& v, const Additive& additive, const Tensor& out) {
    const std::int64_t keys = k.size(2);
    const double scale = 1 / std::sqrt(static_cast<double>(q.size(3)));
    for (std::int64_t i = 0; i < q.size(2); ++i) {
        std::vector<double> weights(static_cast<std::size_t>(keys));
        double sum = 0;
        for (std::int64_t j = 0; j < keys; ++j) {
            double score = 0;
            for (std::int64_t d = 0; d < q.size(3); ++d) score += at(q, i, d) * at(k, j, d);
            sum += weights[static_cast<std::size_t>(j)] = std::exp(score * scale + additive(i, j));
        }
        for (std::int64_t d = 0; d < v.size(3); ++d) {
            double wanted = 0;
            for (std::int64_t j = 0; j < keys; ++j) wanted += weights[static_cast<std::size_t>(j)] * at(v, j, d);
            wanted = sum == 0 ? 0 : wanted / sum;
            if (std::abs(at(out, i, d) - wanted) > 2e-5)
                QFAIL(qPrintable(QString("[%1, %2] is %3 and not %4").arg(i).arg(d).arg(at(out, i, d)).arg(wanted)));
        }
    }
}

std::int64_t rows_with_nan(const Tensor& out) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < out.size(2); ++i) {
        bool any = false;
        for (std::int64_t d = 0; d < out.size(3); ++d) any = any || std::isnan(at(out, i, d));
        count += any ? 1 : 0;
    }
    return count;
}

double none(std::int64_t /*query*/, std::int64_t /*key*/) {
    return 0;
}
double causal(std::int64_t query, std::int64_t key) {
    return key <= query ? 0 : kHidden;
}
double padded(std::int64_t /*query*/, std::int64_t key) {
    return key < 150 ? 0 : kHidden;
}
double window(std::int64_t query, std::int64_t key) {
    return std::abs(query - key) < 20 ? 0 : kHidden;
}
double empty_rows(std::int64_t query, std::int64_t key) {
    return query % 50 == 7 ? kHidden : causal(query, key);
}
double slope(std::int64_t query, std::int64_t key) {
    return -static_cast<double>(std::abs(query - key)) / 32;
}

}  // namespace

class NnAttentionTest : public QObject {
    Q_OBJECT

private slots:
    void formula_data();
    void formula();
    void causal_flag();
    void nan_values_behind_causality();
    void nan_keys_behind_causality();
    void nan_behind_a_mask();
    void shared_heads();
    void threads_do_not_matter();
    void gradient_path_gives_the_same();
    void cancelled();
    void counts_operations();
};

void NnAttentionTest::formula_data() {
    QTest::addColumn<int>("rule");
    QTest::addColumn<int>("queries");
    QTest::addColumn<int>("keys");
    const char* names[] = {"none", "causal", "padded", "window", "empty rows", "slope"};
    for (int rule = 0; rule < 6; ++rule)
        for (const auto& [queries, keys] : {std::pair{1, 1}, {1, 300}, {47, 128}, {300, 200}, {530, 270}})
            QTest::addRow("%s %d %d", names[rule], queries, keys) << rule << queries << keys;
}

void NnAttentionTest::formula() {
    QFETCH(int, rule);
    QFETCH(int, queries);
    QFETCH(int, keys);
    constexpr double (*kRules[])(std::int64_t, std::int64_t) = {none, causal, padded, window, empty_rows, slope};
    const Additive additive = kRules[rule];
    Run run(op_table(), {});
    const Tensor q = numbers({1, 1, queries, 20}, 1);
    const Tensor k = numbers({1, 1, keys, 20}, 2);
    const Tensor v = numbers({1, 1, keys, 13}, 3);
    std::vector<Tensor> masks = {additive_mask(queries, keys, additive)};
    if (additive(0, 0) == 0 && rule != 5) masks.push_back(bool_mask(queries, keys, additive));
    for (const auto& mask : masks) {
        for (const bool turned : {false, true}) {
            // The same mask with the other order of memory.
            Tensor shown = mask;
            if (turned) shown = mask.transpose(0, 1).contiguous()->transpose(0, 1);
            const auto out =
                run.tensor("scaled_dot_product_attention", {run.wrap(q), run.wrap(k), run.wrap(v), run.wrap(shown)});
            QVERIFY(out);
            compare(q, k, v, additive, (*out)->tensor);
        }
    }
}

void NnAttentionTest::causal_flag() {
    Run run(op_table(), {});
    for (const auto& [queries, keys] : {std::pair{600, 600}, {100, 300}, {300, 100}, {1, 50}}) {
        const Tensor q = numbers({1, 1, queries, 16}, 4);
        const Tensor k = numbers({1, 1, keys, 16}, 5);
        const Tensor v = numbers({1, 1, keys, 16}, 6);
        const auto out =
            run.tensor("scaled_dot_product_attention", {run.wrap(q), run.wrap(k), run.wrap(v)}, {{"is_causal", true}});
        QVERIFY(out);
        compare(q, k, v, causal, (*out)->tensor);
    }
}

// Counts seen in PyTorch 2.15: its fused kernel reads values to the end of the last visible block of 512.
void NnAttentionTest::nan_values_behind_causality() {
    for (const auto& [length, wanted] : {std::pair{4, 4}, {64, 64}, {600, 88}, {1100, 76}}) {
        Run run(op_table(), {});
        const Tensor q = numbers({1, 1, length, 8}, 7);
        Tensor v = numbers({1, 1, length, 8}, 8);
        v.writable_as<float>()[v.numel() - 1] = std::numeric_limits<float>::quiet_NaN();
        const auto out =
            run.tensor("scaled_dot_product_attention", {run.wrap(q), run.wrap(q), run.wrap(v)}, {{"is_causal", true}});
        QVERIFY(out);
        QCOMPARE(rows_with_nan((*out)->tensor), wanted);
    }
}

// A hidden score is replaced, whatever it was: only the last query sees the last key. Values of another width take
// PyTorch's plain path, which adds -inf to it.
void NnAttentionTest::nan_keys_behind_causality() {
    for (const auto& [width, wanted] : {std::pair{8, 1}, {6, 600}}) {
        Run run(op_table(), {});
        const Tensor q = numbers({1, 1, 600, 8}, 7);
        Tensor k = numbers({1, 1, 600, 8}, 9);
        k.writable_as<float>()[k.numel() - 1] = std::numeric_limits<float>::quiet_NaN();
        const Tensor v = numbers({1, 1, 600, width}, 8);
        const auto out =
            run.tensor("scaled_dot_product_attention", {run.wrap(q), run.wrap(k), run.wrap(v)}, {{"is_causal", true}});
        QVERIFY(out);
        QCOMPARE(rows_with_nan((*out)->tensor), wanted);
    }
}

// 0 * NaN and NaN - inf are NaN: a mask given as a tensor stops neither, in no row.
void NnAttentionTest::nan_behind_a_mask() {
    for (const bool in_keys : {false, true}) {
        Run run(op_table(), {});
        const Tensor q = numbers({1, 1, 300, 8}, 1);
        Tensor k = numbers({1, 1, 300, 8}, 2);
        Tensor v = numbers({1, 1, 300, 8}, 3);
        Tensor& poisoned = in_keys ? k : v;
        poisoned.writable_as<float>()[poisoned.numel() - 1] = std::numeric_limits<float>::quiet_NaN();
        const Tensor mask = bool_mask(300, 300, padded);
        const auto out =
            run.tensor("scaled_dot_product_attention", {run.wrap(q), run.wrap(k), run.wrap(v), run.wrap(mask)});
        QVERIFY(out);
        QCOMPARE(rows_with_nan((*out)->tensor), 300);
    }
}

void NnAttentionTest::shared_heads() {
    Run run(op_table(), {});
    const Tensor q = numbers({1, 6, 60, 8}, 1);
    const Tensor k = numbers({1, 2, 130, 8}, 2);
    const Tensor v = numbers({1, 2, 130, 8}, 3);
    const auto out =
        run.tensor("scaled_dot_product_attention", {run.wrap(q), run.wrap(k), run.wrap(v)}, {{"enable_gqa", true}});
    QVERIFY(out);
    for (std::int64_t head = 0; head < 6; ++head)
        compare(q.narrow(1, head, 1), k.narrow(1, head / 3, 1), v.narrow(1, head / 3, 1), none,
                (*out)->tensor.narrow(1, head, 1));
}

void NnAttentionTest::threads_do_not_matter() {
    Run run(op_table(), {});
    const auto q = run.wrap(numbers({1, 3, 300, 16}, 1));
    const auto k = run.wrap(numbers({1, 3, 300, 16}, 2));
    std::vector<Tensor> results;
    for (const int threads : {1, 4}) {
        set_thread_count(threads);
        const auto out = run.tensor("scaled_dot_product_attention", {q, k, k}, {{"is_causal", true}});
        QVERIFY(out);
        results.push_back((*out)->tensor);
    }
    set_thread_count(0);
    QCOMPARE(std::memcmp(results[0].data(), results[1].data(), results[0].byte_size()), 0);
}

void NnAttentionTest::gradient_path_gives_the_same() {
    Run run(op_table(), {});
    const Tensor q = numbers({1, 1, 40, 8}, 1);
    const Tensor k = numbers({1, 1, 40, 8}, 2);
    const auto learning = run.wrap(q);
    learning->requires_grad = true;
    const auto mask = run.wrap(bool_mask(40, 40, empty_rows));
    const auto out = run.tensor("scaled_dot_product_attention", {learning, run.wrap(k), run.wrap(k), mask});
    QVERIFY(out);
    compare(q, k, k, empty_rows, (*out)->tensor);
}

void NnAttentionTest::cancelled() {
    std::stop_source stop;
    stop.request_stop();
    Settings settings;
    settings.context = JobContext(stop.get_token());
    Run run(op_table(), settings);
    const auto q = run.wrap(numbers({1, 1, 8, 4}, 1));
    const auto out = run.tensor("scaled_dot_product_attention", {q, q, q});
    QVERIFY(!out);
    QVERIFY(out.error().kind == ErrorKind::cancelled);
}

void NnAttentionTest::counts_operations() {
    struct Counter : Observer {
        double flops = 0;
        void finished(const OpEvent& event) override { flops = event.flops; }
    } counter;
    Run run(op_table(), {});
    run.observer = &counter;
    const auto q = run.wrap(numbers({1, 2, 4, 8}, 1));
    QVERIFY(run.tensor("scaled_dot_product_attention", {q, q, q}));
    QCOMPARE(counter.flops, 2.0 * 2 * (4 * 4) * (8 + 8));
    QVERIFY(run.tensor("scaled_dot_product_attention", {q, q, q}, {{"is_causal", true}}));
    QCOMPARE(counter.flops, 2.0 * 2 * 10 * (8 + 8));
}

QTEST_APPLESS_MAIN(NnAttentionTest)
#include "nn_attention_test.moc"
