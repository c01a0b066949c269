// SPDX-License-Identifier: Apache-2.0
// Runs a mask script: the document's named tensors go in, values and a trace of every step come out.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/ops/dispatch/value.h"
#include "core/script/trace/trace.h"
#include "core/tensor/tensor.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace maskscope::ops {
class Backend;
}

namespace maskscope::script {

struct Module;  // core/script/syntax/ast.h

// Beyond one of these the script ends with an error that names it.
struct Limits {
    std::int64_t steps = 10'000'000;  // statements and expressions evaluated
    std::size_t bytes = 0;            // allocated by the run; 0: the machine's budget
    double seconds = 0;               // 0: no limit
};

struct Input {
    std::string name;  // "scores", or "self.scale" for a pasted method's
    Tensor tensor;
};

struct Options {
    Limits limits;
    JobContext context;
    bool shapes_only = false;
    // Element operations up to which a run of shapes computes all the same: small sizes and lengths stay known.
    std::int64_t shapes_only_limit = 1'000'000;
    bool time = false;  // repeat each step and give its median
    bool trace = true;  // false: values only (goldens, fuzzing)
    // Ends after this step of the trace and keeps a copy of its outputs alone (core/script/language/replay.h).
    std::optional<int> only_step;
    ops::Backend* backend = nullptr;
};

struct Evaluation {
    ops::Value result;  // of the last statement when it is an expression; else None
    // Names bound at the top level to anything but functions, classes and modules, in order of first binding.
    std::vector<std::pair<std::string, ops::Value>> variables;
    std::string printed;
    Trace trace;
    // What ended it, with PyTorch's or Python's type and text, line, span and our hint; what came before is kept.
    std::optional<Error> error;
    std::vector<std::string> notes;
};

// The inputs' storages are never written.
Evaluation evaluate(const std::shared_ptr<const Module>& module, const std::vector<Input>& inputs,
                    const Options& options);
// Parses first; a syntax error is the evaluation's error.
Evaluation evaluate(const std::string& source, const std::vector<Input>& inputs, const Options& options);

}  // namespace maskscope::script
