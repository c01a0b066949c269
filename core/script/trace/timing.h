// SPDX-License-Identifier: Apache-2.0
// Times a step by doing it again.
#pragma once

#include "core/ops/dispatch/generator.h"
#include "core/ops/dispatch/observer.h"
#include "core/script/trace/trace.h"

namespace maskscope::script {

// A contiguous copy; undefined when there is no memory for it.
Tensor copy_of(const Tensor& tensor);

// One run to warm up, then runs until 20 ms have passed or there are 50; values, versions and random numbers are
// afterwards as they were. `before` is what an in-place op overwrote (undefined for others): it is put back before each
// run, outside the clock.
Timing time_again(const ops::OpEvent& event, ops::Run& run, const Tensor& before, const ops::Generator& generator);

}  // namespace maskscope::script
