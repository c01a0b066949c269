// SPDX-License-Identifier: Apache-2.0
// maskscope-cli broadcast: how shapes align, where they do not fit, and what would.
#include "core/tensor/broadcast.h"
#include "app/cli/layout.h"
#include "app/cli/op_trial.h"
#include "app/cli/output.h"
#include "app/cli/shape_text.h"
#include "app/cli/value_json.h"
#include "core/script/language/hints.h"

#include <algorithm>
#include <array>
#include <memory>

namespace maskscope::cli {
namespace {

constexpr std::size_t kMostFixes = 6;
constexpr std::size_t kMostShapes = 16;

struct Options {
    std::array<std::optional<std::string>, kMostShapes> shapes;
    std::string op;
};

struct Column {
    std::vector<std::optional<std::int64_t>> sizes;  // by shape; missing where the shape has no such dim
    const char* verdict = "equal";
};

struct Fix {
    std::size_t input = 0;
    std::string index;
    Shape shape;
    std::optional<Shape> result;
};

const char* verdict_of(const Column& column) {
    std::optional<std::int64_t> wide;
    bool missing = false;
    bool repeats = false;
    for (const auto& size : column.sizes) {
        if (!size) {
            missing = true;
        } else if (*size == 1) {
            repeats = true;
        } else {
            if (wide && *wide != *size) return "mismatch";
            wide = *size;
        }
    }
    if (wide && repeats) return "stretch";
    return missing ? "missing" : "equal";
}

std::vector<Column> columns_of(const std::vector<Shape>& shapes) {
    int rank = 0;
    for (const auto& shape : shapes) rank = std::max(rank, shape.rank());
    std::vector<Column> out(static_cast<std::size_t>(rank));
    for (int d = 0; d < rank; ++d) {
        auto& column = out[static_cast<std::size_t>(d)];
        for (const auto& shape : shapes) {
            const int own = d - (rank - shape.rank());
            column.sizes.push_back(own < 0 ? std::nullopt : std::optional(shape[own]));
        }
        column.verdict = verdict_of(column);
    }
    return out;
}

Result<Shape> broadcast_all(const std::vector<Shape>& shapes) {
    Shape out = shapes.front();
    for (std::size_t i = 1; i < shapes.size(); ++i) {
        MS_TRY(wider, broadcast_shapes(out, shapes[i]));
        out = wider;
    }
    return out;
}

class Question {
public:
    explicit Question(std::vector<Shape> shapes) : shapes_(std::move(shapes)) {}

    Result<Answer> answer(const std::string& op) {
        if (op.empty()) {
            for (std::size_t i = 0; i < shapes_.size(); ++i) names_.push_back(fmt::format("shape {}", i + 1));
        } else {
            MS_TRY(trial, OpTrial::find(op, shapes_.size()));
            names_ = trial.names();
            trial_ = std::move(trial);
        }
        if (!trial_ || trial_->broadcasts()) columns_ = columns_of(shapes_);
        outcome_ = attempt(shapes_);
        if (!outcome_) find_fixes();
        return Answer{json(), text(op), std::nullopt, "", !outcome_.ok()};
    }

private:
    Result<std::optional<Shape>> attempt(const std::vector<Shape>& shapes) const {
        if (trial_) return trial_->run(shapes);
        MS_TRY(shape, broadcast_all(shapes));
        return std::optional(shape);
    }

    void find_fixes() {
        for (std::size_t i = 0; i < shapes_.size(); ++i) {
            for (std::size_t j = 0; j < shapes_.size(); ++j) {
                if (i == j) continue;
                for (const auto& form : script::index_forms_that_fit(shapes_[i], shapes_[j]))
                    try_fix({i, form.text, form.shape, {}});
            }
        }
        for (std::size_t i = 0; i < shapes_.size(); ++i) {
            Shape turned = shapes_[i];
            const int rank = turned.rank();
            if (rank < 2 || turned[rank - 1] == turned[rank - 2]) continue;
            std::swap(turned[rank - 1], turned[rank - 2]);
            try_fix({i, ".mT", turned, {}});
        }
    }

    void try_fix(Fix fix) {
        const bool known = std::any_of(fixes_.begin(), fixes_.end(), [&](const Fix& other) {
            return other.input == fix.input && other.index == fix.index;
        });
        if (known || fixes_.size() == kMostFixes) return;
        auto shapes = shapes_;
        shapes[fix.input] = fix.shape;
        auto fits = attempt(shapes);
        if (!fits) return;
        fix.result = *fits;
        fixes_.push_back(std::move(fix));
    }

    static Json shape_json(const std::optional<Shape>& shape) { return shape ? dims_json(*shape) : Json(); }

    Json json() const {
        Json columns = Json::array();
        for (const auto& column : columns_) {
            Json sizes = Json::array();
            for (const auto& size : column.sizes) sizes.push_back(size ? Json(*size) : Json());
            columns.push_back({{"sizes", std::move(sizes)}, {"verdict", column.verdict}});
        }
        Json fixes = Json::array();
        for (const auto& fix : fixes_)
            fixes.push_back({{"input", fix.input},
                             {"name", names_[fix.input]},
                             {"index", fix.index},
                             {"shape", dims_json(fix.shape)},
                             {"result", shape_json(fix.result)}});
        return {{"ok", outcome_.ok()},
                {"result", outcome_ ? shape_json(*outcome_) : Json()},
                {"error", outcome_ ? Json() : Json(outcome_.error().message.text())},
                {"columns", std::move(columns)},
                {"fixes", std::move(fixes)}};
    }

    std::string text(const std::string& op) const {
        std::string out = columns_.empty() ? shapes_text() : columns_text();
        if (outcome_) {
            const std::string result = *outcome_ ? text_of(**outcome_) : "depends on the values";
            return out + fmt::format("{}: {}\n", op.empty() ? "result" : printable(op) + " gives", result);
        }
        const auto& error = outcome_.error();
        out += wrapped(error.type + ": " + printable(error.message.text()), 0, text_width());
        if (fixes_.empty()) return out + "No index with None and no transpose makes them fit.\n";
        out += "These fit:\n";
        for (const auto& fix : fixes_)
            out += fmt::format("  {}{} is {}{}\n", names_[fix.input], fix.index, text_of(fix.shape),
                               fix.result ? ", and the result " + text_of(*fix.result) : "");
        return out;
    }

    std::string shapes_text() const {
        Table table;
        for (std::size_t i = 0; i < shapes_.size(); ++i) table.rows.push_back({names_[i], text_of(shapes_[i])});
        return table.text("");
    }

    // The shapes one below the other, aligned at the right, with a verdict below each column.
    std::string columns_text() const {
        Table table;
        table.rows.push_back({"dim"});
        table.right = {false};
        const int rank = static_cast<int>(columns_.size());
        for (int d = 0; d < rank; ++d) {
            table.rows[0].push_back(std::to_string(d - rank));
            table.right.push_back(true);
        }
        for (std::size_t i = 0; i < shapes_.size(); ++i) {
            table.rows.push_back({names_[i]});
            for (const auto& column : columns_)
                table.rows.back().push_back(column.sizes[i] ? std::to_string(*column.sizes[i]) : ".");
        }
        table.rows.push_back({""});
        for (const auto& column : columns_) table.rows.back().emplace_back(column.verdict);
        return table.text("");
    }

    std::vector<Shape> shapes_;
    std::vector<std::string> names_;
    std::optional<OpTrial> trial_;
    std::vector<Column> columns_;
    Result<std::optional<Shape>> outcome_ = std::optional<Shape>();
    std::vector<Fix> fixes_;
};

// The hidden options have no name to show.
class UsageOfShapes : public CLI::Formatter {
public:
    std::string make_usage(const CLI::App* /*app*/, std::string name) const override {
        return "Usage: " + name + " [OPTIONS] SHAPE SHAPE...\n";
    }
};

Result<Answer> answer_of(const Options& options) {
    std::vector<Shape> shapes;
    for (const auto& text : options.shapes) {
        if (!text) break;
        MS_TRY(shape, shape_from(*text));
        shapes.push_back(shape);
    }
    if (shapes.size() < 2 && options.op.empty())
        return usage_error(MS_TEXT("one shape broadcasts with itself: give two or more, or --op"));
    return Question(std::move(shapes)).answer(options.op);
}

}  // namespace

void add_broadcast(CLI::App& app, Run& chosen) {
    auto* command = app.add_subcommand("broadcast", "How shapes align, where they do not fit, and what would");
    const auto options = std::make_shared<Options>();
    // One option for each: CLI11 would take a shape in brackets for a list of several.
    command->add_option("SHAPE", options->shapes[0], "2,3 or 2x3 or \"[2, 3]\"; () has no dims; up to 16 of them")
        ->required();
    for (std::size_t i = 1; i < options->shapes.size(); ++i)
        command->add_option(fmt::format("SHAPE{}", i + 1), options->shapes[i])->group("");
    command->formatter(std::make_shared<UsageOfShapes>());
    command->add_option("--op", options->op, "Asks this op, with the shapes as its tensors in their order");
    command->callback([options, &chosen] { chosen = [options](Environment&) { return answer_of(*options); }; });
}

}  // namespace maskscope::cli
