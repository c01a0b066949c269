// SPDX-License-Identifier: Apache-2.0
// maskscope-cli ops: which ops there are; of one, its meaning, its signatures, and samples with what they give.
#include "app/cli/layout.h"
#include "app/cli/op_trial.h"
#include "app/cli/output.h"
#include "app/cli/value_json.h"
#include "core/ops/dispatch/schema.h"
#include "core/ops/op_table.h"
#include "core/script/language/evaluate.h"

#include <array>
#include <cctype>
#include <memory>

namespace maskscope::cli {
namespace {

struct FormWords {
    ops::Form form;
    const char* name;
    const char* written;  // around the op's name
};
constexpr std::array<FormWords, 5> kForms = {{
    {ops::Form::function, "function", "torch.{}()"},
    {ops::Form::method, "method", "x.{}()"},
    {ops::Form::in_place, "in_place", "x.{}_()"},
    {ops::Form::functional, "functional", "F.{}()"},
    {ops::Form::property, "property", "x.{}"},
}};

struct TraitWords {
    ops::Trait trait;
    const char* name;
    const char* meaning;
};
constexpr std::array<TraitWords, 8> kTraits = {{
    {ops::kElementwise, "elementwise", "each element depends on the elements at its own place; shapes broadcast"},
    {ops::kUpdates, "updates", "starts from a copy of the first tensor and changes parts of it"},
    {ops::kDataDependent, "data_dependent", "the shape of the result depends on values"},
    {ops::kPythonDefined, "python_defined", "a Python function in PyTorch: wrong arguments are told in Python's words"},
    {ops::kAllowsExpandedSelf, "allows_expanded_self", "may write an expanded tensor in place"},
    {ops::kNoWrite, "no_write", "gives its first argument itself; writes nothing"},
    {ops::kOwnRandom, "own_random", "random with PyTorch's distribution, not its sequence"},
    {ops::kQuery, "query", "costs nothing and is no step of a trace"},
}};

// What the samples speak of.
struct SampleInput {
    const char* name;
    const char* code;
};
constexpr std::array<SampleInput, 6> kInputs = {{
    {"x", "torch.tensor([[0.5, -1.0, 2.0, 0.25], [1.5, 0.0, -0.75, 3.0], [-2.5, 0.125, 1.0, -0.5]])"},
    {"y", "torch.tensor([[1.0, 0.5, -2.0, 0.75], [0.25, 2.5, -1.0, 1.5], [0.5, -0.25, 3.0, 1.25]])"},
    {"m", "torch.tensor([[True, False, True, True], [False, False, True, False], [True, True, False, True]])"},
    {"r", "torch.tensor([0.5, 1.0, -1.5, 2.0])"},
    {"i", "torch.tensor([[0, 2, 1, 0], [1, 1, 0, 2], [2, 0, 2, 1]])"},
    {"s", "torch.tensor(0.75)"},
}};

bool mentions(std::string_view code, std::string_view name) {
    const auto part_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = code.find(name); at != std::string_view::npos; at = code.find(name, at + 1)) {
        const bool begins = at == 0 || (!part_of_word(code[at - 1]) && code[at - 1] != '.');
        const std::size_t end = at + name.size();
        if (begins && (end == code.size() || !part_of_word(code[end]))) return true;
    }
    return false;
}

unsigned forms_of(const ops::OpSpec& spec) {
    unsigned out = 0;
    for (const auto& overload : spec.overloads) out |= overload.forms;
    return out;
}

unsigned traits_of(const ops::OpSpec& spec) {
    unsigned out = 0;
    for (const auto& overload : spec.overloads) out |= overload.traits;
    return out;
}

Json forms_json(unsigned forms) {
    Json out = Json::array();
    for (const auto& words : kForms)
        if ((forms & static_cast<unsigned>(words.form)) != 0) out.push_back(words.name);
    return out;
}

std::string forms_text(const ops::OpSpec& spec, unsigned forms) {
    std::string out;
    for (const auto& words : kForms) {
        if ((forms & static_cast<unsigned>(words.form)) == 0) continue;
        out += (out.empty() ? "" : "  ") + fmt::format(fmt::runtime(words.written), spec.name);
    }
    return out;
}

const char* made_of(const ops::Overload& overload) {
    if (overload.view != nullptr || overload.views != nullptr) return "view";
    return overload.kernel != nullptr ? "kernel" : "composite";
}

// Only what the language calls for x[i] and such has no form that is written.
bool is_shown(const ops::OpSpec& spec) {
    return (forms_of(spec) & ~ops::kInternal) != 0;
}

std::string first_sentence(std::string_view text) {
    const std::size_t end = text.find(". ");
    return std::string(text.substr(0, end == std::string_view::npos ? end : end + 1));
}

Answer list_of_ops() {
    Answer answer;
    Json ops = Json::array();
    const std::size_t width = text_width();
    std::size_t count = 0;
    for (const auto& [name, spec] : ops::op_table().all()) {
        if (!is_shown(spec)) continue;
        ++count;
        ops.push_back({{"name", name},
                       {"forms", forms_json(forms_of(spec))},
                       {"meaning", spec.meaning},
                       {"samples", spec.samples}});
        answer.text += fmt::format("{}  {}\n", name, forms_text(spec, forms_of(spec)));
        if (!spec.meaning.empty()) answer.text += wrapped(first_sentence(spec.meaning), 4, width);
    }
    answer.text += fmt::format("\n{} ops. maskscope-cli ops NAME tells all about one.\n", count);
    Json inputs = Json::object();
    for (const auto& input : kInputs) inputs[input.name] = input.code;
    answer.json = {{"ops", std::move(ops)}, {"inputs", std::move(inputs)}};
    return answer;
}

class OneOp {
public:
    OneOp(const ops::OpSpec& spec, const JobContext& context) : spec_(spec), context_(context) {}

    Answer answer() {
        Answer out;
        text_ = std::string(spec_.name) + "\n" + wrapped(spec_.meaning, 2, width_);
        Json overloads = overloads_json();
        Json traits = traits_json();
        Json samples = samples_json();
        out.json = {{"name", spec_.name},           {"forms", forms_json(forms_of(spec_))},
                    {"meaning", spec_.meaning},     {"overloads", std::move(overloads)},
                    {"traits", std::move(traits)},  {"inputs", std::move(inputs_)},
                    {"samples", std::move(samples)}};
        out.text = std::move(text_);
        return out;
    }

private:
    Json overloads_json() {
        Json out = Json::array();
        text_ += "\nSignatures\n";
        for (const auto& overload : spec_.overloads) {
            const std::string listing = std::string(spec_.name) + overload.schema->listing(false);
            out.push_back({{"signature", listing},
                           {"forms", forms_json(overload.forms)},
                           {"returns", overload.returns},
                           {"made_of", made_of(overload)}});
            if ((overload.forms & ~ops::kInternal) == 0) continue;
            text_ += wrapped(listing, 2, width_) + wrapped(forms_text(spec_, overload.forms), 6, width_);
        }
        return out;
    }

    Json traits_json() {
        Json out = Json::array();
        for (const auto& words : kTraits) {
            if ((traits_of(spec_) & words.trait) == 0) continue;
            if (out.empty()) text_ += "\nTraits\n";
            out.push_back({{"name", words.name}, {"meaning", words.meaning}});
            text_ += wrapped(words.meaning, 2, width_);
        }
        return out;
    }

    Json samples_json() {
        Json out = Json::array();
        std::string setup;
        inputs_ = Json::object();
        if (!spec_.samples.empty()) text_ += "\nSamples\n";
        for (const auto& input : kInputs) {
            bool used = false;
            for (const auto sample : spec_.samples) used = used || mentions(sample, input.name);
            if (!used) continue;
            inputs_[input.name] = input.code;
            setup += fmt::format("{} = {}\n", input.name, input.code);
            text_ += wrapped(fmt::format("{} = {}", input.name, input.code), 2, width_);
        }
        for (const auto sample : spec_.samples) out.push_back(run_sample(setup, sample));
        return out;
    }

    Json run_sample(const std::string& setup, std::string_view sample) {
        script::Options options;
        options.trace = false;
        options.context = context_;
        const auto run = script::evaluate(setup + std::string(sample), {}, options);
        text_ += fmt::format("\n  >>> {}\n", sample);
        Json out = {{"code", sample}};
        if (run.error) {
            const std::string error = run.error->type + ": " + run.error->message.text();
            out["error"] = error;
            text_ += wrapped(error, 2, width_);
            return out;
        }
        out["result"] = value_json(run.result, context_);
        std::string shown = printable_lines(repr_of(run.result));
        for (std::size_t at = shown.find('\n'); at != std::string::npos; at = shown.find('\n', at + 1))
            shown.insert(at + 1, "  ");
        text_ += "  " + shown + "\n";
        return out;
    }

    const ops::OpSpec& spec_;
    const JobContext& context_;
    std::size_t width_ = text_width();
    std::string text_;
    Json inputs_;
};

Result<Answer> answer_of(const std::string& name, const Environment& environment) {
    if (name.empty()) return list_of_ops();
    const auto& table = ops::op_table();
    std::string bare = name;
    for (const char* prefix : {"torch.nn.functional.", "torch.Tensor.", "torch.", "F."})
        if (bare.starts_with(prefix)) {
            bare.erase(0, std::string_view(prefix).size());
            break;
        }
    const auto* spec = table.find(bare);
    if (spec == nullptr && bare.ends_with('_')) spec = table.find(bare.substr(0, bare.size() - 1), ops::Form::in_place);
    if (spec == nullptr) return unknown_op(name);
    return OneOp(*spec, environment.context).answer();
}

}  // namespace

void add_ops(CLI::App& app, Run& chosen) {
    auto* command = app.add_subcommand("ops", "Which ops there are, or all about one");
    const auto name = std::make_shared<std::string>();
    command->add_option("NAME", *name, "masked_fill");
    command->callback(
        [name, &chosen] { chosen = [name](Environment& environment) { return answer_of(*name, environment); }; });
}

}  // namespace maskscope::cli
