// SPDX-License-Identifier: Apache-2.0
// One evaluation: the state that ops share (grad mode, random numbers, budget) and the way to call them. Every call
// goes through bind, shape rule, in-place refusals, make writable, backend, kernel, version, observers, in this order.
#pragma once

#include "core/jobs/job_context.h"
#include "core/ops/dispatch/generator.h"
#include "core/ops/dispatch/observer.h"
#include "core/ops/dispatch/op_spec.h"

#include <chrono>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace maskscope::ops {

class Backend;

using Named = std::pair<std::string, Value>;

struct Settings {
    bool shapes_only = false;
    std::int64_t shapes_only_limit = 1'000'000;  // element operations up to which an op runs on data all the same
    std::size_t byte_budget = 0;                 // what the run may hold at one time; 0: only the machine's budget
    std::optional<std::chrono::steady_clock::time_point> deadline;
    Backend* backend = nullptr;  // null: the CPU
    JobContext context;
};

class Run {
public:
    Run(const OpTable& table, Settings settings);

    // A call as the script writes it. For methods, in-place forms and properties positional[0] is the tensor.
    Result<Value> call(const OpSpec& spec, Form form, std::span<const Value> positional,
                       std::span<const Named> named = {});
    // From composites and the language: function form where there is one, else functional, method, internal. The op
    // exists.
    Result<Value> call(std::string_view op, std::initializer_list<Value> positional,
                       std::initializer_list<Named> named = {});
    // The same where one tensor comes out.
    Result<VariablePtr> tensor(std::string_view op, std::initializer_list<Value> positional,
                               std::initializer_list<Named> named = {});
    Result<VariablePtr> in_place(std::string_view op, std::initializer_list<Value> positional);

    // A new Variable with an id of its own.
    VariablePtr wrap(Tensor tensor);
    // For kernels and composites that need room: counted against the budget. Uninitialised.
    Result<Tensor> allocate(const Shape& shape, DType dtype);
    // Told with the step being computed ("cuda is not here: ran on the CPU").
    void note(std::string text);
    std::vector<std::string> take_notes();

    const OpTable& table() const { return table_; }
    const Settings& settings() const { return settings_; }
    const JobContext& context() const { return settings_.context; }
    Generator& generator() { return generator_; }

    bool grad_enabled = true;
    DType default_dtype = DType::f32;
    Observer* observer = nullptr;

private:
    friend class Dispatch;
    Result<void> admit(std::size_t bytes);

    const OpTable& table_;
    Settings settings_;
    Generator generator_;
    std::vector<std::string> notes_;
    std::uint64_t next_id_ = 1;
    int depth_ = 0;
    std::size_t held_before_ = 0;
    std::size_t bytes_allocated_ = 0;
    std::size_t bytes_moved_ = 0;
    double flops_ = 0;
};

// Bytes that a read or write of the tensor touches: repeated elements (stride 0) count once.
std::size_t distinct_bytes(const Tensor& tensor);

}  // namespace maskscope::ops
