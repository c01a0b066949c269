// SPDX-License-Identifier: Apache-2.0
#include "core/script/language/evaluate.h"

#include "core/ops/op_table.h"
#include "core/script/language/interpreter.h"
#include "core/script/language/modules.h"
#include "core/script/syntax/parser.h"
#include "core/script/text/language_error.h"
#include "core/script/trace/recorder.h"

#include <algorithm>
#include <cmath>

namespace maskscope::script {
namespace {

ops::Settings settings_of(const Options& options) {
    ops::Settings out;
    out.shapes_only = options.shapes_only;
    out.shapes_only_limit = options.shapes_only_limit;
    out.byte_budget = options.limits.bytes;
    out.backend = options.backend;
    out.context = options.context;
    if (options.limits.seconds > 0 && std::isfinite(options.limits.seconds))
        out.deadline =
            std::chrono::steady_clock::now() +
            std::chrono::microseconds(static_cast<std::int64_t>(std::min(options.limits.seconds, 1e6) * 1e6));
    return out;
}

// A quarter of the memory that the run may use is for looking back.
Recording recording_of(const Options& options) {
    const std::size_t budget = memory_budget();
    const std::size_t memory = options.limits.bytes > 0 ? std::min(options.limits.bytes, budget) : budget;
    return {options.time, options.only_step, memory / 4, options.context};
}

// Functions and modules are no results.
bool is_data(const Value& value) {
    return value.get_if<std::shared_ptr<ops::Object>>() == nullptr || object_as<Range>(value) != nullptr;
}

}  // namespace

Interpreter::Interpreter(const Module& module, const Options& options)
    : module_(module),
      options_(options),
      run_(ops::op_table(), settings_of(options)),
      module_frame_(std::make_shared<Frame>()),
      frame_(module_frame_),
      self_(std::make_shared<Namespace>("self")) {
    deadline_ = run_.settings().deadline;
    if (options.trace || options.time) {
        recorder_ = std::make_unique<Recorder>(module, recording_of(options), run_);
        run_.observer = recorder_.get();
    }
    for (const auto& [name, target] :
         {std::pair("torch", "torch"), std::pair("nn", "torch.nn"), std::pair("F", "torch.nn.functional"),
          std::pair("math", "math"), std::pair("np", "numpy"), std::pair("functools", "functools")})
        module_frame_->names.emplace(name, module_named(target));
    module_frame_->names.emplace("Tensor", *find_torch_name("Tensor"));
    module_frame_->scope = &module.scope;
}

Interpreter::~Interpreter() {
    // Closures and the frames that hold them own each other.
    module_frame_->names.clear();
    for (const auto& weak : frames_)
        if (const auto frame = weak.lock()) {
            frame->names.clear();
            frame->returned = Value();
        }
}

void Interpreter::bind_inputs(const std::vector<Input>& inputs) {
    for (const auto& input : inputs) {
        // A storage of the run's own, so that writing in place takes a copy and leaves the document's data alone.
        auto view = Tensor::view_of(Storage::borrowed(input.tensor.storage()), input.tensor.dtype(),
                                    input.tensor.shape(), input.tensor.strides(), input.tensor.offset());
        if (!view) continue;
        Value value = run_.wrap(std::move(*view));
        const std::size_t dot = input.name.find('.');
        if (dot == std::string::npos) {
            module_frame_->names[input.name] = std::move(value);
            continue;
        }
        // "self.scale", "config.mask": an attribute of an object of that name.
        const std::string owner = input.name.substr(0, dot);
        std::shared_ptr<Namespace> space = self_;
        if (owner != "self") {
            auto& slot = module_frame_->names[owner];
            space = object_as<Namespace>(slot);
            if (!space) {
                space = std::make_shared<Namespace>(owner);
                slot = std::shared_ptr<ops::Object>(space);
            }
        }
        space->attributes[input.name.substr(dot + 1)] = std::move(value);
    }
}

Evaluation Interpreter::run() {
    Evaluation out;
    stack_begin_ = static_cast<const char*>(__builtin_frame_address(0));
    std::optional<Error> failed;
    for (const auto& statement : module_.body) {
        auto flow = exec(*statement);
        if (!flow) {
            failed = std::move(flow).error();
            break;
        }
        out.result = statement->as<ExprStmt>() != nullptr ? last_ : Value();
    }
    if (failed && ops::is_needs_data(*failed)) {
        out.notes.push_back(fmt::format("line {}: {}; shapes are followed up to there", failed->where.line.value_or(0),
                                        failed->message.text()));
        failed.reset();
    }
    out.error = std::move(failed);
    if (!is_data(out.result)) out.result = Value();
    for (const auto& name : order_) {
        const auto place = module_frame_->names.find(name);
        if (place != module_frame_->names.end() && is_data(place->second))
            out.variables.emplace_back(name, place->second);
    }
    out.printed = std::move(printed_);
    if (recorder_) out.trace = recorder_->take();
    for (auto& note : run_.take_notes()) out.notes.push_back(std::move(note));
    return out;
}

Evaluation evaluate(const std::shared_ptr<const Module>& module, const std::vector<Input>& inputs,
                    const Options& options) {
    Interpreter interpreter(*module, options);
    interpreter.bind_inputs(inputs);
    return interpreter.run();
}

Evaluation evaluate(const std::string& source, const std::vector<Input>& inputs, const Options& options) {
    auto module = parse(source);
    if (module) return evaluate(*module, inputs, options);
    Evaluation out;
    out.error = std::move(module).error();
    return out;
}

}  // namespace maskscope::script
