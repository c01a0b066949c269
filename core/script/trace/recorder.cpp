// SPDX-License-Identifier: Apache-2.0
#include "core/script/trace/recorder.h"

#include "core/ops/dispatch/schema.h"
#include "core/script/text/argument_text.h"
#include "core/script/trace/states.h"
#include "core/script/trace/timing.h"
#include "core/tensor/broadcast.h"

#include <algorithm>
#include <utility>

namespace maskscope::script {
namespace {

// Calls `visit(name, variable)` for the tensors among the arguments; items of a list are "tensors[0]".
template <class Visit>
void each_tensor(const ops::OpEvent& event, Visit visit) {
    const auto& parameters = event.overload.schema->parameters;
    for (int i = 0; i < event.args.count(); ++i) {
        const std::string& name = parameters[static_cast<std::size_t>(i)].name;
        const ops::Value& value = event.args[i];
        if (value.is_tensor()) visit(i, name, value.tensor());
        const auto* items = value.sequence();
        if (items == nullptr) continue;
        for (std::size_t k = 0; k < items->size(); ++k)
            if ((*items)[k].is_tensor()) visit(i, fmt::format("{}[{}]", name, k), (*items)[k].tensor());
    }
}

// Ops whose operands are brought to one shape.
bool broadcasts(const ops::OpEvent& event) {
    if ((event.overload.traits & ops::kElementwise) != 0) return true;
    const std::string_view name = event.spec.name;
    return name == "masked_select" || name == "masked_scatter" || name == "masked_fill" || name == "where" ||
           name == "expand" || name == "expand_as" || name == "broadcast_to" || name == "broadcast_tensors";
}

void add_broadcasts(Step& step, const ops::OpEvent& event) {
    Shape target;
    std::vector<const StepInput*> inputs;
    for (const auto& input : step.inputs) {
        auto wider = broadcast_shapes(target, input.shape);
        if (!wider) return;
        target = *wider;
    }
    // An explicit expansion goes to the shape of its result.
    if (event.is_view && !step.outputs.empty()) target = step.outputs.front().shape;
    for (const auto& input : step.inputs) {
        if (input.shape == target || input.shape.rank() > target.rank()) continue;
        StepBroadcast out;
        out.input = input.name;
        out.from = input.shape;
        out.aligned = Dims::filled(target.rank(), 1);
        const int added = target.rank() - input.shape.rank();
        for (int d = 0; d < target.rank(); ++d) {
            if (d >= added) out.aligned[d] = input.shape[d - added];
            if (out.aligned[d] != target[d]) out.stretched.push_back(d);
        }
        step.broadcasts.push_back(std::move(out));
    }
}

}  // namespace

Recorder::Recorder(const Module& module, Recording recording, ops::Run& run)
    : module_(module), recording_(std::move(recording)), run_(run) {
    for (const auto& comment : module.comments) trace_.comments.push_back({comment.line, comment.text});
}

void Recorder::at(Span span, int line, const std::vector<Span>* argument_spans) {
    span_ = span;
    line_ = line;
    argument_spans_.clear();
    if (argument_spans != nullptr) argument_spans_ = *argument_spans;
}

void Recorder::starting(const ops::OpSpec&, const ops::Overload& overload, const ops::Args& args) {
    if (!recording_.time) return;
    generator_ = run_.generator();
    before_ = Tensor();
    const bool writes = args.in_place() && (overload.traits & ops::kNoWrite) == 0;
    if (writes && args.tensor(0).has_data()) before_ = copy_of(args.tensor(0));
}

void Recorder::finished(const ops::OpEvent& event) {
    if (event.depth > 0 || (event.overload.traits & ops::kQuery) != 0) return;
    Step step;
    step.id = static_cast<int>(trace_.steps.size());
    step.line = line_;
    step.span = {static_cast<int>(span_.begin), static_cast<int>(span_.end)};
    step.expr = std::string(module_.source.text(span_));
    step.op = event.args.name();
    step.overload = event.overload.signature;
    step.bytes_allocated = event.bytes_allocated;
    step.bytes_moved = event.bytes_moved;
    step.flops = event.flops;
    step.device = event.device;
    step.seconds = event.seconds;
    step.notes = run_.take_notes();
    if ((event.overload.traits & ops::kOwnRandom) != 0)
        step.notes.emplace_back("random numbers with torch's distribution, not its sequence");
    if (recording_.time) step.timing = time_again(event, run_, before_, generator_);
    add_inputs(step, event);
    add_outputs(step, event);
    is_done_ = recording_.only_step && *recording_.only_step == step.id;
    if (recording_.only_step) keep_only(step, is_done_);
    if (broadcasts(event)) add_broadcasts(step, event);
    trace_.steps.push_back(std::move(step));
    keep_within_share();
}

void Recorder::add_inputs(Step& step, const ops::OpEvent& event) {
    each_tensor(event, [&](int i, const std::string& name, const ops::VariablePtr& variable) {
        StepInput input;
        input.name = name;
        input.id = variable->id;
        input.version = variable->tensor.storage()->version();
        input.shape = variable->tensor.shape();
        input.dtype = variable->tensor.dtype();
        const bool is_method = event.args.form() != ops::Form::function && event.args.form() != ops::Form::functional;
        const int place = is_method ? i - 1 : i;
        if (place >= 0 && static_cast<std::size_t>(place) < argument_spans_.size())
            input.text = std::string(module_.source.text(argument_spans_[static_cast<std::size_t>(place)]));
        step.inputs.push_back(std::move(input));
    });
    const auto& parameters = event.overload.schema->parameters;
    for (int i = 0; i < event.args.count(); ++i) {
        const auto& parameter = parameters[static_cast<std::size_t>(i)];
        const ops::Value& value = event.args[i];
        if (value.is_tensor() || parameter.kind == ops::Kind::tensors) continue;
        if (!parameter.required && argument_text(value) == argument_text(parameter.default_value)) continue;
        step.arguments.push_back(parameter.name + "=" + argument_text(value));
    }
}

void Recorder::add_outputs(Step& step, const ops::OpEvent& event) {
    const auto add = [&](const ops::VariablePtr& variable, std::string name) {
        StepOutput output;
        output.name = std::move(name);
        output.id = variable->id;
        output.version = variable->tensor.storage()->version();
        output.shape = variable->tensor.shape();
        output.strides = variable->tensor.strides();
        output.dtype = variable->tensor.dtype();
        output.is_view = variable->base != nullptr;
        output.requires_grad = variable->requires_grad;
        output.has_data = variable->tensor.has_data();
        output.tensor = variable->tensor;
        if (output.has_data) {
            output.states = count_states(variable->tensor, recording_.context);
            kept_bytes_ += variable->tensor.byte_size();
        }
        step.outputs.push_back(std::move(output));
    };
    if (event.result.is_tensor()) add(event.result.tensor(), "");
    // x[i] = v gives nothing back; what it made is x.
    if (event.spec.name == "setitem") add(event.args.variable(0), "");
    if (const auto* tuple = event.result.get_if<std::shared_ptr<const ops::Tuple>>()) {
        for (std::size_t i = 0; i < (*tuple)->items.size(); ++i)
            if ((*tuple)->items[i].is_tensor())
                add((*tuple)->items[i].tensor(),
                    (*tuple)->fields.empty() ? fmt::format("[{}]", i) : (*tuple)->fields[i]);
    }
}

void Recorder::keep_only(Step& step, bool is_the_one) const {
    for (auto& output : step.outputs)
        if (output.tensor.defined()) output.tensor = is_the_one && output.has_data ? copy_of(output.tensor) : Tensor();
}

void Recorder::keep_within_share() {
    // The oldest go first: the newest are what people look at.
    while (kept_bytes_ > recording_.share && first_kept_ < trace_.steps.size()) {
        for (auto& output : trace_.steps[first_kept_++].outputs) {
            if (!output.tensor.defined() || !output.has_data) continue;
            kept_bytes_ -= std::min(kept_bytes_, output.tensor.byte_size());
            output.tensor = Tensor();
        }
    }
}

Trace Recorder::take() {
    return std::move(trace_);
}

}  // namespace maskscope::script
