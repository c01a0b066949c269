// SPDX-License-Identifier: Apache-2.0
// maskscope-cli eval: runs a mask script; what came out, and what each step did.
#include "app/cli/device.h"
#include "app/cli/layout.h"
#include "app/cli/output.h"
#include "app/cli/script_source.h"
#include "app/cli/trace_json.h"
#include "app/cli/trace_text.h"
#include "app/cli/value_json.h"
#include "core/io/format.h"
#include "core/ops/dispatch/variable.h"

#include <algorithm>
#include <memory>

namespace maskscope::cli {
namespace {

// A result of a few lines is shown whole, a longer one only when it is what was asked for.
constexpr std::size_t kLongestVariable = 400;

struct Options {
    ScriptOptions script;
    std::vector<std::string> grads;
    std::vector<std::string> saves;
    bool time = false;
    bool shapes = false;
    bool no_trace = false;
    std::string device = "auto";
    script::Limits limits;
};

struct Save {
    std::string name;
    std::string file;
};

Result<std::vector<Save>> saves_of(const Options& options) {
    std::vector<Save> out;
    for (const auto& text : options.saves) {
        MS_TRY(binding, split_binding("--save", text));
        out.push_back({binding.first, binding.second});
    }
    return out;
}

Result<Tensor> tensor_to_save(const script::Evaluation& run, const std::string& name) {
    std::string names;
    for (const auto& [known, value] : run.variables) {
        if (known != name) {
            if (value.is_tensor()) names += (names.empty() ? "" : ", ") + known;
            continue;
        }
        if (!value.is_tensor())
            return usage_error(MS_TEXT("--save {}: that is no tensor but {}"), name, ops::type_name(value));
        if (!value.tensor()->tensor.has_data()) return usage_error(MS_TEXT("--save {}: only its shape is known"), name);
        return value.tensor()->tensor;
    }
    return usage_error(MS_TEXT("--save {}: the script binds no such name"), name)
        .with_hint(MS_TEXT("Tensors it binds: {}"), names.empty() ? "none" : names);
}

// All names are looked up before the first file is written; tensors for one file are written together.
Result<void> save_all(const script::Evaluation& run, const std::vector<Save>& saves) {
    std::vector<std::pair<std::string, std::vector<io::NamedTensor>>> files;
    for (const auto& save : saves) {
        MS_TRY(tensor, tensor_to_save(run, save.name));
        auto place =
            std::find_if(files.begin(), files.end(), [&](const auto& entry) { return entry.first == save.file; });
        if (place == files.end()) place = files.insert(files.end(), {save.file, {}});
        place->second.push_back({save.name, std::move(tensor)});
    }
    for (const auto& [file, tensors] : files) MS_CHECK(io::save_file(file, tensors));
    return {};
}

class Report {
public:
    Report(const Options& options, Environment& environment) : options_(options), environment_(environment) {}

    Result<Answer> run() {
        if (!options_.grads.empty())
            return usage_error(MS_TEXT("--grad {}: gradients are not computed yet"), options_.grads.front());
        MS_TRY(saves, saves_of(options_));
        MS_TRY(backend, backend_for(options_.device));
        MS_TRY(source, read_script(options_.script));
        MS_TRY(inputs, load_inputs(options_.script, environment_.context));
        script::Options how;
        how.limits = options_.limits;
        how.context = environment_.context;
        how.shapes_only = options_.shapes;
        how.time = options_.time;
        how.trace = !options_.no_trace;
        how.backend = backend;
        width_ = text_width();
        auto evaluation = script::evaluate(source.text, inputs, how);
        Answer answer;
        answer.json = json_of(evaluation);
        answer.text = text_of_run(evaluation);
        if (evaluation.error) {
            Error error = std::move(*evaluation.error);
            // Running out of a budget is the script's doing, too.
            if (error.kind != ErrorKind::cancelled) error.kind = ErrorKind::input;
            if (!source.name.empty()) error.where.file = source.name;
            if (error.kind != ErrorKind::cancelled)
                answer.failure_text = script_error_text(error, source.text, source.name, width_);
            answer.failure = std::move(error);
            return answer;
        }
        if (auto saved = save_all(evaluation, saves); !saved) {
            answer.failure = std::move(saved).error();
            return answer;
        }
        Json files = Json::array();
        for (const auto& save : saves) {
            files.push_back({{"name", save.name}, {"file", save.file}});
            answer.text += fmt::format("{} is in {}\n", save.name, printable(save.file));
        }
        if (!saves.empty()) answer.json["saved"] = std::move(files);
        return answer;
    }

private:
    Json json_of(const script::Evaluation& run) const {
        Json variables = Json::object();
        for (const auto& [name, value] : run.variables) variables[name] = value_json(value, environment_.context);
        return {{"result", value_json(run.result, environment_.context)},
                {"variables", std::move(variables)},
                {"printed", run.printed},
                {"steps", trace_json(run.trace)},
                {"grads", Json::object()},
                {"findings", Json::array()},
                {"rules", Json::array()},
                {"notes", run.notes}};
    }

    std::string text_of_run(const script::Evaluation& run) const {
        std::string out = printable_lines(run.printed);
        const auto part = [&](const std::string& text) {
            if (text.empty()) return;
            if (!out.empty()) out += out.ends_with('\n') ? "\n" : "\n\n";
            out += text;
        };
        part(trace_text(run.trace, width_));
        std::string notes;
        for (const auto& note : run.notes) notes += wrapped(printable("note: " + note), 0, width_);
        part(notes);
        if (run.error) return out;
        part(run.result.is_none() ? variables_text(run) : printable_lines(repr_of(run.result)) + "\n");
        return out;
    }

    // Of a script that ends in no expression.
    static std::string variables_text(const script::Evaluation& run) {
        std::string out;
        for (const auto& [name, value] : run.variables) {
            std::string text = printable_lines(value_text(value));
            const std::string indent(width_of(name) + 3, ' ');
            for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
                if (at + 1 < text.size() && text[at + 1] != '\n') text.insert(at + 1, indent);
            out += name + " = " + text + "\n";
        }
        return out;
    }

    static std::string value_text(const ops::Value& value) {
        const auto shape_of = [](const Tensor& tensor) {
            return fmt::format("tensor of shape {}, {}", text_of(tensor.shape()), name_of(tensor.dtype()));
        };
        if (value.is_tensor() && value.tensor()->tensor.numel() > 200) return shape_of(value.tensor()->tensor);
        std::string text = repr_of(value);
        if (text.size() <= kLongestVariable) return text;
        return value.is_tensor() ? shape_of(value.tensor()->tensor) : shortened(one_line(text), kLongestVariable);
    }

    const Options& options_;
    Environment& environment_;
    std::size_t width_ = 0;
};

}  // namespace

void add_eval(CLI::App& app, Run& chosen) {
    auto* command = app.add_subcommand("eval", "Runs a mask script with PyTorch's semantics and shows every step");
    const auto options = std::make_shared<Options>();
    add_script_options(*command, options->script);
    command->add_option("--grad", options->grads, "NAME: its gradient")->allow_extra_args(false);
    command->add_option("--save", options->saves, "NAME=FILE: writes what the script bound; may be repeated")
        ->allow_extra_args(false);
    command->add_flag("--time", options->time, "Repeats each step and gives the median");
    command->add_flag("--shapes", options->shapes, "Follows shapes only where computing is long");
    command->add_flag("--no-trace", options->no_trace, "Values only, no steps");
    command->add_option("--device", options->device, "cpu, cuda or auto");
    command->add_option("--max-steps", options->limits.steps, "Statements and expressions that may be evaluated")
        ->check(CLI::PositiveNumber);
    command->add_option("--max-bytes", options->limits.bytes, "Bytes that its tensors may hold at one time (or 512MB)")
        ->transform(CLI::AsSizeValue(false));
    command->add_option("--max-seconds", options->limits.seconds, "Seconds that it may take")
        ->check(CLI::PositiveNumber);
    command->callback([options, &chosen] {
        chosen = [options](Environment& environment) { return Report(*options, environment).run(); };
    });
}

}  // namespace maskscope::cli
