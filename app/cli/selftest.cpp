// SPDX-License-Identifier: Apache-2.0
// maskscope-cli selftest: every op on this machine against the numbers that PyTorch gave, which the binary holds.
#include "app/cli/device.h"
#include "app/cli/layout.h"
#include "app/cli/output.h"
#include "app/cli/reference_value.h"
#include "app/cli/value_json.h"
#include "core/ops/op_table.h"
#include "core/script/language/evaluate.h"
#include "resources/resources.h"

#include <map>
#include <memory>
#include <set>

namespace maskscope::cli {
namespace {

struct Outcome {
    int cases = 0;
    int agreed = 0;
    std::set<std::string> devices;
    std::vector<std::pair<std::string, std::string>> differences;  // code, what differs
};

std::string error_text(const Json& error) {
    return error.value("type", "") + ": " + error.value("text", "");
}

std::string what_differs(const Json& expected, const script::Evaluation& run) {
    if (run.error || expected.contains("error")) {
        const std::string raised =
            run.error ? error_text({{"type", run.error->type}, {"text", run.error->message.text()}}) : "nothing";
        const std::string wanted = expected.contains("error") ? error_text(expected["error"]) : "nothing";
        return raised == wanted ? "" : fmt::format("raised {}, not {}", raised, wanted);
    }
    const std::string to_print = expected.value("printed", "");
    if (run.printed != to_print)
        return fmt::format("printed {}, not {}", Json(run.printed).dump(), Json(to_print).dump());
    for (const auto& [name, value] : run.variables)
        if (name == "out")
            return difference(expected["out"], reference_form(value),
                              {expected.value("rtol", 0.0), expected.value("atol", 0.0)});
    return "gave nothing";
}

class Selftest {
public:
    Selftest(ops::Backend* backend, const JobContext& context) : backend_(backend), context_(context) {}

    Result<Answer> run() {
        const Json reference = Json::parse(resource_text("selftest/cases.json"), nullptr, false);
        if (!reference.is_object()) return make_error(ErrorKind::unavailable, MS_TEXT("this build holds no reference"));
        const auto& cases = reference["cases"];
        context_.expect(static_cast<std::int64_t>(cases.size()));
        for (const auto& one : cases) {
            if (context_.cancelled()) return cancelled_error();
            run_case(one);
            context_.advance(1);
        }
        return answer(reference["made_with"]);
    }

private:
    void run_case(const Json& expected) {
        const auto code = expected.value("code", "");
        script::Options options;
        options.backend = backend_;
        options.context = context_;
        options.limits.seconds = 20;
        const auto run = script::evaluate(code, {}, options);
        auto& outcome = outcomes_[expected.value("op", "")];
        ++outcome.cases;
        for (const auto& step : run.trace.steps) outcome.devices.insert(step.device);
        std::string differs = what_differs(expected, run);
        if (differs.empty())
            ++outcome.agreed;
        else
            outcome.differences.emplace_back(code, std::move(differs));
    }

    Answer answer(const Json& made_with) const {
        Answer out;
        Json per_op = Json::array();
        int cases = 0;
        int agreed = 0;
        std::size_t good = 0;
        std::string agreeing;
        std::string differing;
        std::map<std::string, int> ran_on;
        for (const auto& [op, outcome] : outcomes_) {
            cases += outcome.cases;
            agreed += outcome.agreed;
            Json differences = Json::array();
            for (const auto& [code, what] : outcome.differences)
                differences.push_back({{"code", code}, {"difference", what}});
            per_op.push_back({{"op", op},
                              {"cases", outcome.cases},
                              {"agreed", outcome.agreed},
                              {"devices", outcome.devices},
                              {"differences", std::move(differences)}});
            for (const auto& device : outcome.devices) ++ran_on[device];
            if (outcome.differences.empty()) {
                ++good;
                agreeing += fmt::format("{}{} {}", agreeing.empty() ? "" : ", ", op, outcome.cases);
            } else {
                differing += differing_text(op, outcome);
            }
        }
        Json without = Json::array();
        for (const auto& [name, spec] : ops::op_table().all())
            if (!outcomes_.contains(std::string(name)) && has_written_form(spec)) without.push_back(name);
        out.text = text_of(agreeing, differing);
        out.text += fmt::format("\n{} of {} ops agree with PyTorch {} in all of their cases ({} of {} cases).\n", good,
                                outcomes_.size(), made_with.value("torch", "?"), agreed, cases);
        for (const auto& [device, count] : ran_on) out.text += fmt::format("{}: {} ops ran there.\n", device, count);
        if (!without.empty()) {
            std::string names;
            for (const auto& name : without) names += (names.empty() ? "" : ", ") + name.get<std::string>();
            out.text += wrapped("Without a case: " + names + ".", 0, text_width());
        }
        out.json = {{"ops", std::move(per_op)}, {"cases", cases},
                    {"agreed", agreed},         {"without_cases", std::move(without)},
                    {"reference", made_with},   {"ran_on", ran_on}};
        out.bad = agreed != cases;
        return out;
    }

    // Ops that only the language calls are tested by those that call them.
    static bool has_written_form(const ops::OpSpec& spec) {
        for (const auto& overload : spec.overloads)
            if ((overload.forms & ~ops::kInternal) != 0) return true;
        return false;
    }

    static std::string differing_text(const std::string& op, const Outcome& outcome) {
        std::string out = fmt::format("{}: {} of {} cases agree\n", op, outcome.agreed, outcome.cases);
        for (const auto& [code, what] : outcome.differences) {
            for (std::size_t begin = 0; begin < code.size();) {
                const std::size_t end = std::min(code.find('\n', begin), code.size());
                out += "    " + printable(std::string_view(code).substr(begin, end - begin)) + "\n";
                begin = end + 1;
            }
            out += wrapped("out " + printable(shortened(what, 400)), 2, text_width());
        }
        return out;
    }

    std::string text_of(const std::string& agreeing, const std::string& differing) const {
        std::string out;
        if (!agreeing.empty())
            out += "Ops that agree, with the number of cases:\n" + wrapped(agreeing, 2, text_width());
        if (!differing.empty()) out += "\nOps that differ:\n" + differing;
        return out;
    }

    ops::Backend* backend_;
    JobContext context_;
    std::map<std::string, Outcome> outcomes_;
};

}  // namespace

void add_selftest(CLI::App& app, Run& chosen) {
    auto* command = app.add_subcommand("selftest", "Every op on this machine against PyTorch's own numbers");
    const auto device = std::make_shared<std::string>("auto");
    command->add_option("--device", *device, "cpu, cuda or auto");
    command->callback([device, &chosen] {
        chosen = [device](Environment& environment) -> Result<Answer> {
            MS_TRY(backend, backend_for(*device));
            return Selftest(backend, environment.context).run();
        };
    });
}

}  // namespace maskscope::cli
