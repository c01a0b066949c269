// SPDX-License-Identifier: Apache-2.0
// Turns the ops of a run into the steps of a trace.
#pragma once

#include "core/jobs/job_context.h"
#include "core/ops/dispatch/observer.h"
#include "core/ops/dispatch/run.h"
#include "core/script/syntax/ast.h"
#include "core/script/trace/trace.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace maskscope::script {

// What a trace is to hold.
struct Recording {
    bool time = false;             // repeat each step and give its median
    std::optional<int> only_step;  // keep a copy of this step's outputs alone, and be done after it
    std::size_t share = 0;         // bytes that all outputs together may hold
    JobContext context;
};

class Recorder : public ops::Observer {
public:
    Recorder(const Module& module, Recording recording, ops::Run& run);

    // The op that comes next stands at this expression; the spans are those of its positional arguments as written
    // (without self; may be fewer, or null).
    void at(Span span, int line, const std::vector<Span>* argument_spans);
    void starting(const ops::OpSpec& spec, const ops::Overload& overload, const ops::Args& args) override;
    void finished(const ops::OpEvent& event) override;
    // The step that Recording::only_step asks for is there.
    bool is_done() const { return is_done_; }
    Trace take();

private:
    void add_inputs(Step& step, const ops::OpEvent& event);
    void add_outputs(Step& step, const ops::OpEvent& event);
    // A copy, since later steps may write over it.
    void keep_only(Step& step, bool is_the_one) const;
    void keep_within_share();

    const Module& module_;
    Recording recording_;
    ops::Run& run_;
    Trace trace_;
    Span span_;
    int line_ = 0;
    std::vector<Span> argument_spans_;
    // With Recording::time: what an in-place op is about to overwrite.
    Tensor before_;
    ops::Generator generator_;
    bool is_done_ = false;
    std::size_t kept_bytes_ = 0;
    std::size_t first_kept_ = 0;  // steps before this one have lost their outputs
};

}  // namespace maskscope::script
