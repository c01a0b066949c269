// SPDX-License-Identifier: Apache-2.0
// Who wants to know what was computed: the trace, timings, later the gradient's graph.
#pragma once

#include "core/ops/dispatch/args.h"
#include "core/ops/dispatch/op_spec.h"

namespace maskscope::ops {

struct OpEvent {
    const OpSpec& spec;
    const Overload& overload;
    const Args& args;
    const Value& result;
    int depth = 0;  // 0: written in the script; above: inside a composite
    bool is_view = false;
    double seconds = 0;               // of the whole op, allocation included
    std::size_t bytes_allocated = 0;  // by it and all that it called
    std::size_t bytes_moved = 0;      // distinct bytes of inputs read and outputs written, composites: of their parts
    double flops = 0;
    std::string_view device = "cpu";
};

class Observer {
public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;
    // Before an op written in the script (depth 0) does anything.
    virtual void starting(const OpSpec& /*spec*/, const Overload& /*overload*/, const Args& /*args*/) {}
    virtual void finished(const OpEvent& event) = 0;
};

}  // namespace maskscope::ops
