// SPDX-License-Identifier: Apache-2.0
#include "core/script/language/interpreter.h"
#include "core/script/text/language_error.h"
#include "core/script/trace/recorder.h"

#include <cstdlib>

namespace maskscope::script {
namespace {

// Half of the smallest stack that a thread of ours has.
constexpr std::ptrdiff_t kStackBytes = std::ptrdiff_t{4} << 20U;
// Lists and strings of a script, together; tensors are counted by the engine.
constexpr std::size_t kObjectBytes = std::size_t{1} << 30U;

Error out_of(const char* what, const std::string& limit) {
    Error error = make_error(ErrorKind::unavailable, MS_TEXT("the script used up its {}: {}"), what, limit);
    error.type = "BudgetError";
    return error;
}

}  // namespace

Result<void> Interpreter::tick(std::int64_t steps) {
    if (recorder_ && recorder_->is_done()) return cancelled_error();
    steps_ += steps;
    if (steps_ > options_.limits.steps) return out_of("steps", fmt::format("{}", options_.limits.steps));
    // A look at the clock costs more than a step.
    if ((steps_ & 255) >= steps) return {};
    if (options_.context.cancelled()) return cancelled_error();
    if (deadline_ && std::chrono::steady_clock::now() > *deadline_)
        return out_of("time", fmt::format("{:g} s", options_.limits.seconds));
    return {};
}

Result<void> Interpreter::grow(std::size_t bytes) {
    grown_ += bytes;
    if (grown_ > kObjectBytes) return out_of("memory for lists and strings", "1 GiB");
    return {};
}

Result<void> Interpreter::check_stack() const {
    const char* here = static_cast<const char*>(__builtin_frame_address(0));
    if (std::abs(stack_begin_ - here) > kStackBytes)
        return ops::torch_error("RecursionError", "maximum recursion depth exceeded");
    return {};
}

}  // namespace maskscope::script
