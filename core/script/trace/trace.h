// SPDX-License-Identifier: Apache-2.0
// What a script did, step by step: one step for each op written in it.
#pragma once

#include "core/base/error.h"
#include "core/ops/dispatch/value.h"
#include "core/tensor/tensor.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope::script {

struct StepInput {
    std::string name;  // the parameter's name: "mask"
    std::string text;  // what stands in the script there, when it can be told
    std::uint64_t id = 0;
    std::uint64_t version = 0;
    Shape shape;
    DType dtype = DType::f32;
};

// How an input was aligned with the output.
struct StepBroadcast {
    std::string input;
    Shape from;
    Shape aligned;               // with 1 in front
    std::vector<int> stretched;  // dims of the output along which it repeats
};

struct States {
    std::int64_t nan = 0;
    std::int64_t posinf = 0;
    std::int64_t neginf = 0;
    std::int64_t zero = 0;
    double min = 0;  // over finite values; meaningless when there are none
    double max = 0;
    std::int64_t finite = 0;
    // The first NaN or infinity, as an index; empty when there is none.
    std::vector<std::int64_t> first_bad;
};

struct StepOutput {
    std::string name;  // of a named tuple's field; else empty
    std::uint64_t id = 0;
    std::uint64_t version = 0;
    Shape shape;
    Strides strides;
    DType dtype = DType::f32;
    bool is_view = false;
    bool has_data = true;
    bool requires_grad = false;
    std::optional<States> states;  // missing without data
    // By reference while all outputs together stay under the trace's share of memory; undefined: replay() makes it
    // again.
    Tensor tensor;
};

struct Timing {
    double median = 0;  // microseconds
    double p25 = 0;
    double p75 = 0;
    int runs = 0;
};

struct Step {
    int id = 0;
    int line = 0;                        // 1-based
    std::array<int, 2> span{};           // byte offsets in the source
    std::string expr;                    // the source text of the span
    std::string op;                      // "masked_fill_"
    std::string overload;                // its signature
    std::vector<StepInput> inputs;       // the tensors among its arguments
    std::vector<std::string> arguments;  // the others, as "value=-inf"
    std::vector<StepOutput> outputs;
    std::vector<StepBroadcast> broadcasts;
    std::size_t bytes_allocated = 0;
    std::size_t bytes_moved = 0;
    double flops = 0;
    std::string device = "cpu";
    double seconds = 0;
    std::optional<Timing> timing;  // with Options::time
    std::vector<std::string> notes;
};

// `# maskscope: ignore[rule]` and other comments, so that whoever reads the trace needs no source.
struct TraceComment {
    int line = 0;
    std::string text;
};

struct Trace {
    std::vector<Step> steps;
    std::vector<TraceComment> comments;
};

}  // namespace maskscope::script
