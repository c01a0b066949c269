// SPDX-License-Identifier: Apache-2.0
#include "app/cli/engine_rows.h"

#include "core/script/language/interpreter.h"
#include "core/script/syntax/parser.h"

#include <fmt/core.h>

#include <array>
#include <chrono>

namespace maskscope::cli {
namespace {

constexpr double kFloat = 4;

// [32, 512, 768] activations with a padding mask.
constexpr double kHidden = 32.0 * 512 * 768 * kFloat;
// [8, 12, 512, 512] and [4096, 4096] scores.
constexpr double kScores = 8.0 * 12 * 512 * 512 * kFloat;
constexpr double kSquare = 4096.0 * 4096 * kFloat;
// [32, 512, 1000] logits.
constexpr double kLogits = 32.0 * 512 * 1000 * kFloat;
// Two products of [2048, 2048] by 64, in 12 heads.
constexpr double kAttention = 2.0 * 2 * 12 * 2048 * 2048 * 64;

void add_fills(std::vector<EngineRow>& rows) {
    const std::string setup =
        "x = torch.randn(32, 512, 768)\n"
        "drop = torch.rand(32, 512, 1) < 0.3\n";
    rows.push_back({"masked_fill/copy", setup, "x.masked_fill(drop, 0.0)", {kHidden, kHidden, 0}});
    rows.push_back({"masked_fill/in_place_30", setup, "x.masked_fill_(drop, 0.0)", {0, 0.3 * kHidden, 0}});
}

void add_selects(std::vector<EngineRow>& rows) {
    for (const int side : {4096, 1000}) {
        const double cells = static_cast<double>(side) * side;
        for (const int percent : {1, 10, 50, 90}) {
            const double share = percent / 100.0;
            rows.push_back({fmt::format("select/{}/{}", side, percent),
                            fmt::format("x = torch.randn({0}, {0})\nm = torch.rand({0}, {0}) < {1}\n", side, share),
                            "torch.masked_select(x, m)",
                            {cells * (kFloat + 1), cells * kFloat * share, 0}});
        }
    }
    for (const int percent : {1, 50})
        rows.push_back({fmt::format("where_sum/4096/{}", percent),
                        fmt::format("x = torch.randn(4096, 4096)\nm = torch.rand(4096, 4096) < {}\n", percent / 100.0),
                        "torch.where(m, x, 0.0).sum()",
                        {kSquare + kSquare / kFloat, 0, 0}});
}

void add_softmaxes(std::vector<EngineRow>& rows) {
    struct Size {
        const char* name;
        const char* scores;
        const char* padding;
        int side;
        double bytes;
    };
    constexpr std::array<Size, 2> kSizes = {{
        {"8x12x512", "torch.randn(8, 12, 512, 512)",
         "torch.arange(512)[None, :] >= torch.tensor([512, 448, 384, 320, 256, 192, 128, 64])[:, None]", 512, kScores},
        {"4096", "torch.randn(4096, 4096)", "torch.arange(4096)[None, :] >= 3072", 4096, kSquare},
    }};
    for (const auto& size : kSizes) {
        const std::string scores = fmt::format("x = {}\n", size.scores);
        const char* index = size.side == 512 ? "[:, None, None, :]" : "";
        const std::string padding = fmt::format("drop = ({}){}\n", size.padding, index);
        const std::string causal = fmt::format("drop = torch.ones({0}, {0}, dtype=torch.bool).triu(1)\n", size.side);
        const std::string fill = "x = x.masked_fill(drop, float('-inf'))\n";
        const Load load{size.bytes, size.bytes, 0};
        const std::string masked = "torch.softmax(x.masked_fill(drop, float('-inf')), -1)";
        rows.push_back({fmt::format("masked_softmax/{}/padding", size.name), scores + padding, masked, load});
        rows.push_back({fmt::format("masked_softmax/{}/causal", size.name), scores + causal, masked, load});
        rows.push_back(
            {fmt::format("softmax/{}/padding", size.name), scores + padding + fill, "torch.softmax(x, -1)", load});
        rows.push_back(
            {fmt::format("softmax/{}/causal", size.name), scores + causal + fill, "torch.softmax(x, -1)", load});
    }
}

void add_attention(std::vector<EngineRow>& rows) {
    const std::string setup =
        "q = torch.randn(1, 12, 2048, 64)\nk = torch.randn(1, 12, 2048, 64)\nv = torch.randn(1, 12, 2048, 64)\n";
    rows.push_back({"attention/dense", setup, "F.scaled_dot_product_attention(q, k, v)", {0, 0, kAttention}});
    rows.push_back(
        {"attention/causal", setup, "F.scaled_dot_product_attention(q, k, v, is_causal=True)", {0, 0, kAttention / 2}});
    rows.push_back({"attention/half_padded",
                    setup + "keep = (torch.arange(2048) < 1024)[None, None, None, :]\n",
                    "F.scaled_dot_product_attention(q, k, v, attn_mask=keep)",
                    {0, 0, kAttention / 2}});
}

void add_means_and_losses(std::vector<EngineRow>& rows) {
    const std::string pooling =
        "x = torch.randn(32, 512, 768)\n"
        "lengths = torch.arange(16, 528, 16)\n"
        "keep = torch.arange(512)[None, :] < lengths[:, None]\n"
        "w = keep.float()\n"
        "count = w.sum(1, keepdim=True)\n";
    rows.push_back({"masked_mean/multiply", pooling, "(x * w[:, :, None]).sum(1) / count", {kHidden, 0, 0}});
    rows.push_back({"masked_mean/bmm", pooling, "torch.bmm(w[:, None, :], x).squeeze(1) / count", {kHidden, 0, 0}});
    rows.push_back({"cross_entropy/forward",
                    "logits = torch.randn(32 * 512, 1000)\n"
                    "target = torch.randint(0, 1000, (32 * 512,))\n"
                    "target[torch.rand(32 * 512) < 0.3] = -100\n",
                    "F.cross_entropy(logits, target)",
                    {kLogits, 0, 0}});
}

}  // namespace

const std::vector<EngineRow>& engine_rows() {
    static const std::vector<EngineRow> rows = [] {
        std::vector<EngineRow> out;
        add_fills(out);
        add_selects(out);
        add_softmaxes(out);
        add_attention(out);
        add_means_and_losses(out);
        return out;
    }();
    return rows;
}

struct RowRunner::State {
    script::Options options;
    std::shared_ptr<const script::Module> module;
    std::unique_ptr<script::Interpreter> interpreter;
    const script::Expr* expression = nullptr;
};

RowRunner::RowRunner(std::unique_ptr<State> state) : state_(std::move(state)) {}
RowRunner::RowRunner(RowRunner&&) noexcept = default;
RowRunner::~RowRunner() = default;

Result<RowRunner> RowRunner::make(const EngineRow& row, const JobContext& context) {
    auto state = std::make_unique<State>();
    state->options.trace = false;
    state->options.context = context;
    MS_TRY(module, script::parse(row.setup + row.expression));
    state->module = std::move(module);
    const auto* last = state->module->body.back()->as<script::ExprStmt>();
    if (last == nullptr) return usage_error(MS_TEXT("{}: the row ends in no expression"), row.name);
    state->expression = last->value.get();
    state->interpreter = std::make_unique<script::Interpreter>(*state->module, state->options);
    auto run = state->interpreter->run();
    if (run.error) return std::move(*run.error);
    return RowRunner(std::move(state));
}

Result<double> RowRunner::seconds() {
    const auto start = std::chrono::steady_clock::now();
    {
        const auto value = state_->interpreter->eval(*state_->expression);
        if (!value) return value.error();
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace maskscope::cli
