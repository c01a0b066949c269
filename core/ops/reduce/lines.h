// SPDX-License-Identifier: Apache-2.0
// The lines of a tensor along one dim, for ops that need a whole line at once (sorting, selecting).
#pragma once

#include "core/base/function_ref.h"
#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/ops/reduce/layout.h"

namespace maskscope::ops {

// Steps are in bytes; those of an output without the dim, or with one element there, are 0.
struct Line {
    const std::byte* in = nullptr;
    std::int64_t in_step = 0;
    std::int64_t size = 0;
    std::array<std::byte*, kMaxOutputs> out{};
    std::array<std::int64_t, kMaxOutputs> out_step{};
};

// `body` takes several lines one after another, so that it makes its buffers once; several threads call it at the same
// time. It stops early where the context is cancelled, which is an error here. A 0-dim tensor is a line of one element.
Result<void> for_each_line(const Tensor& input, int axis, std::span<Tensor> outputs, const JobContext& context,
                           FunctionRef<void(std::span<const Line>)> body);

// Element `from` of the line to element `to` of output 0.
void copy_element(const Line& line, std::int64_t from, std::int64_t to, std::size_t width);
// An int64 as element `to` of output `output`.
void put_index(const Line& line, std::size_t output, std::int64_t to, std::int64_t index);

}  // namespace maskscope::ops
