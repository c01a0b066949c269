// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace_json.h"

#include "app/cli/output.h"
#include "app/cli/value_json.h"

namespace maskscope::cli {
namespace {

Json states_json(const std::optional<script::States>& states) {
    if (!states) return nullptr;
    Json out = {{"nan", states->nan}, {"posinf", states->posinf}, {"neginf", states->neginf}, {"zero", states->zero}};
    if (states->finite > 0) {
        out["min"] = json_number(states->min);
        out["max"] = json_number(states->max);
    }
    if (!states->first_bad.empty()) out["first_bad"] = states->first_bad;
    return out;
}

Json output_json(const script::StepOutput& output) {
    Json out = Json::object();
    if (!output.name.empty()) out["name"] = output.name;
    out["shape"] = dims_json(output.shape);
    out["dtype"] = name_of(output.dtype);
    out["stride"] = dims_json(output.strides);
    out["is_view"] = output.is_view;
    out["states"] = states_json(output.states);
    out["requires_grad"] = output.requires_grad;
    return out;
}

Json time_json(const std::optional<script::Timing>& timing) {
    if (!timing) return nullptr;
    return {{"median", timing->median}, {"p25", timing->p25}, {"p75", timing->p75}, {"runs", timing->runs}};
}

Json step_json(const script::Step& step) {
    Json inputs = Json::array();
    for (const auto& input : step.inputs) {
        inputs.push_back({{"name", input.name}, {"shape", dims_json(input.shape)}, {"dtype", name_of(input.dtype)}});
        if (!input.text.empty()) inputs.back()["text"] = input.text;
    }
    Json broadcast = Json::array();
    for (const auto& one : step.broadcasts)
        broadcast.push_back({{"input", one.input},
                             {"from", dims_json(one.from)},
                             {"aligned", dims_json(one.aligned)},
                             {"stretched", one.stretched}});
    Json out = {{"id", step.id},
                {"line", step.line},
                {"span", step.span},
                {"expr", step.expr},
                {"op", step.op},
                {"inputs", std::move(inputs)},
                {"output", step.outputs.empty() ? Json() : output_json(step.outputs.front())},
                {"broadcast", std::move(broadcast)},
                {"bytes_allocated", step.bytes_allocated},
                {"bytes_moved", step.bytes_moved},
                {"flops", step.flops},
                {"device", step.device},
                {"time_us", time_json(step.timing)},
                {"elapsed_us", step.seconds * 1e6},
                {"arguments", step.arguments},
                {"signature", step.overload}};
    if (step.outputs.size() > 1) {
        Json outputs = Json::array();
        for (const auto& output : step.outputs) outputs.push_back(output_json(output));
        out["outputs"] = std::move(outputs);
    }
    if (!step.notes.empty()) out["notes"] = step.notes;
    return out;
}

}  // namespace

Json trace_json(const script::Trace& trace) {
    Json out = Json::array();
    for (const auto& step : trace.steps) out.push_back(step_json(step));
    return out;
}

}  // namespace maskscope::cli
