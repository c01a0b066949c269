// SPDX-License-Identifier: Apache-2.0
// What a run tells about each step: shapes, broadcasts, views, states, budgets, shapes without data.
#include "core/ops/dispatch/variable.h"
#include "core/script/language/evaluate.h"
#include "core/script/language/replay.h"
#include "core/script/language/runnable.h"
#include "core/script/syntax/parser.h"

#include <QTest>

using namespace maskscope;
using namespace maskscope::script;

namespace {

Evaluation run(const std::string& code, const Options& options = {}) {
    return evaluate(code, {}, options);
}

std::vector<std::string> ops_of(const Evaluation& evaluation) {
    std::vector<std::string> out;
    for (const auto& step : evaluation.trace.steps) out.push_back(step.op);
    return out;
}

}  // namespace

class TraceTest : public QObject {
    Q_OBJECT
private slots:
    // [32, 100] over [32, 100, 512]: the index adds an axis without a byte, the fill stretches it along the features.
    void a_padding_mask_is_stretched_without_bytes() {
        const auto out =
            run("value = torch.ones(32, 100, 512)\n"
                "mask = torch.zeros(32, 100, dtype=torch.bool)\n"
                "out = value.masked_fill(mask[..., None], float(0))\n");
        QVERIFY(!out.error);
        const std::vector<std::string> expected = {"ones", "zeros", "getitem", "masked_fill"};
        QCOMPARE(ops_of(out), expected);
        const auto& index = out.trace.steps[2];
        QCOMPARE(index.expr, std::string("mask[..., None]"));
        QCOMPARE(text_of(index.outputs[0].shape), std::string("[32, 100, 1]"));
        QVERIFY(index.outputs[0].is_view);
        QCOMPARE(index.bytes_allocated, std::size_t{0});
        const auto& fill = out.trace.steps[3];
        QCOMPARE(fill.broadcasts.size(), std::size_t{1});
        QCOMPARE(fill.broadcasts[0].input, std::string("mask"));
        QCOMPARE(text_of(fill.broadcasts[0].from), std::string("[32, 100, 1]"));
        QCOMPARE(fill.broadcasts[0].stretched, std::vector<int>{2});
        QCOMPARE(fill.bytes_allocated, std::size_t{32} * 100 * 512 * 4);
        QCOMPARE(fill.line, 3);
    }

    void a_composite_is_one_step() {
        const auto out = run("x = torch.ones(2, 3)\ny = F.mse_loss(x, x + 1)\n");
        QVERIFY(!out.error);
        const std::vector<std::string> expected = {"ones", "add", "mse_loss"};
        QCOMPARE(ops_of(out), expected);
    }

    void an_assignment_shows_what_it_wrote_to() {
        const auto out = run("x = torch.zeros(2, 3)\nx[0] = float('nan')\n");
        QVERIFY(!out.error);
        const auto& step = out.trace.steps[1];
        QCOMPARE(step.op, std::string("setitem"));
        QCOMPARE(step.expr, std::string("x[0]"));
        QCOMPARE(step.outputs.size(), std::size_t{1});
        QCOMPARE(text_of(step.outputs[0].shape), std::string("[2, 3]"));
        QCOMPARE(step.outputs[0].states->nan, 3);
    }

    void states_are_counted_with_the_first_bad_cell() {
        const auto out = run("x = torch.tensor([[1., 0.], [float('nan'), float('-inf')]])\n");
        QVERIFY(!out.error);
        const auto& states = out.trace.steps[0].outputs[0].states;
        QVERIFY(states.has_value());
        QCOMPARE(states->nan, 1);
        QCOMPARE(states->neginf, 1);
        QCOMPARE(states->posinf, 0);
        QCOMPARE(states->zero, 1);
        const std::vector<std::int64_t> first = {1, 0};
        QCOMPARE(states->first_bad, first);
    }

    void what_came_before_an_error_is_kept() {
        const auto out = run("x = torch.ones(2, 3)\nm = torch.ones(2, dtype=torch.bool)\ny = x.masked_fill(m, 0)\n");
        QVERIFY(out.error.has_value());
        QCOMPARE(out.error->type, std::string("RuntimeError"));
        QCOMPARE(
            out.error->message.text(),
            std::string("The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1"));
        QCOMPARE(out.error->where.line.value_or(0), 3);
        const std::array<int, 2> span = {61, 80};
        QCOMPARE(*out.error->where.span, span);
        // Tried, and it fits: the mask's axis is the rows'.
        QVERIFY2(out.error->hint.text().find("m[:, None] of shape [2, 1]") != std::string::npos,
                 out.error->hint.text().c_str());
        QCOMPARE(out.trace.steps.size(), std::size_t{2});
    }

    void the_document_is_not_written() {
        auto mask = Tensor::zeros({2, 2}, DType::f32);
        QVERIFY(mask.ok());
        const auto out = evaluate("m[0, :1].fill_(1)\nr = m.sum().item()\n", {{"m", *mask}}, {});
        QVERIFY(!out.error);
        QCOMPARE(out.variables.back().second.to_double(), 1.0);
        QCOMPARE(mask->data_as<float>()[0], 0.0F);
    }

    void a_dropped_or_overwritten_output_is_made_again() {
        const std::string code = "x = torch.zeros(3)\ny = x + 1\ny.mul_(5)\ny.add_(1)\n";
        auto module = parse(code);
        QVERIFY(module.ok());
        const auto whole = evaluate(*module, {}, {});
        // The trace holds y by reference: it is what the last step made of it.
        QCOMPARE(whole.trace.steps[1].outputs[0].tensor.data_as<float>()[0], 6.0F);
        const auto again = replay(*module, {}, {}, 1, 0);
        QVERIFY(again.ok());
        QCOMPARE(again->data_as<float>()[0], 1.0F);
        QVERIFY(!replay(*module, {}, {}, 9, 0).ok());
    }

    void timing_leaves_values_alone() {
        Options options;
        options.time = true;
        const auto out =
            run("torch.manual_seed(0)\nx = torch.zeros(4)\nx.add_(1)\ny = torch.rand(2)\nz = torch.rand(2)\n", options);
        QVERIFY(!out.error);
        const auto& steps = out.trace.steps;
        bool timed = false;
        for (const auto& step : steps) timed = timed || (step.op == "add_" && step.timing && step.timing->runs > 0);
        QVERIFY(timed);
        QCOMPARE(out.variables[0].second.tensor()->tensor.data_as<float>()[0], 1.0F);
        // torch.manual_seed(0): torch.rand(2) gives [0.4963, 0.7682], the next two [0.0885, 0.1320].
        QVERIFY(std::abs(out.variables[1].second.tensor()->tensor.data_as<float>()[0] - 0.49625659F) < 1e-6F);
        QVERIFY(std::abs(out.variables[2].second.tensor()->tensor.data_as<float>()[0] - 0.08847743F) < 1e-6F);
    }

    void shapes_are_followed_without_data() {
        Options options;
        options.shapes_only = true;
        const auto out =
            run("q = torch.zeros(8, 12, 4096, 64)\n"
                "k = torch.zeros(8, 12, 4096, 64)\n"
                "w = (q @ k.transpose(-2, -1) / 8.0).softmax(-1)\n"
                "n = torch.zeros(5000, 5000).nonzero()\n"
                "after = 1\n",
                options);
        QVERIFY(!out.error);
        QCOMPARE(text_of(out.variables[2].second.tensor()->tensor.shape()), std::string("[8, 12, 4096, 4096]"));
        QVERIFY(!out.variables[2].second.tensor()->tensor.has_data());
        // nonzero needs values: evaluation stops there and says so.
        QCOMPARE(out.notes.size(), std::size_t{1});
        QVERIFY(out.notes[0].starts_with("line 4"));
        QCOMPARE(out.variables.back().first, std::string("w"));
    }

    void budgets_end_a_script() {
        Options options;
        options.limits.steps = 1000;
        QCOMPARE(run("while True:\n    pass\n", options).error->type, std::string("BudgetError"));
        options.limits = {};
        options.limits.seconds = 0.05;
        QVERIFY(run("while True:\n    pass\n", options).error.has_value());
        options.limits = {};
        options.limits.bytes = 1 << 20;
        const auto large = run("x = torch.zeros(1024, 1024)\n", options);
        QVERIFY(large.error.has_value());
        QVERIFY(large.error->message.text().find("1048576 bytes") != std::string::npos);
        // What is freed may be used again.
        QVERIFY(!run("for i in range(100):\n    x = torch.zeros(64, 1024)\n", options).error);
        QVERIFY(run("x = 'a' * 10 ** 12\n").error.has_value());
        QCOMPARE(run("def f():\n    return f()\nf()\n").error->type, std::string("RecursionError"));
    }

    void a_cancelled_run_says_so() {
        std::stop_source stop;
        stop.request_stop();
        Options options;
        options.context = JobContext(stop.get_token());
        const auto out = run("x = torch.zeros(2)\nfor i in range(1000):\n    y = i\n", options);
        QVERIFY(out.error.has_value());
        QVERIFY(out.error->kind == ErrorKind::cancelled);
    }

    void runnable_adds_what_is_missing() {
        auto module = parse("p = F.softmax(scores.masked_fill(~m, -1e9), dim=-1)\n");
        QVERIFY(module.ok());
        const std::string text = as_runnable(**module, {{"scores", "a.npy", "", ""}, {"m", "w.npz", "mask", "[0]"}});
        QCOMPARE(text, std::string("import torch\nimport torch.nn.functional as F\nimport numpy as np\n\n"
                                   "scores = torch.from_numpy(np.load(\"a.npy\"))\n"
                                   "m = torch.from_numpy(np.load(\"w.npz\")[\"mask\"])[0]\n\n"
                                   "p = F.softmax(scores.masked_fill(~m, -1e9), dim=-1)\n"));
    }
};

QTEST_APPLESS_MAIN(TraceTest)
#include "trace_test.moc"
