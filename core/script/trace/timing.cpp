// SPDX-License-Identifier: Apache-2.0
#include "core/script/trace/timing.h"

#include "core/ops/dispatch/dispatch.h"
#include "core/ops/loops/copy.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace maskscope::script {
namespace {

constexpr int kMostRuns = 50;
constexpr double kEnoughSeconds = 0.02;

double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(place);
    const std::size_t high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (sorted[high] - sorted[low]) * (place - static_cast<double>(low));
}

}  // namespace

Tensor copy_of(const Tensor& tensor) {
    auto copy = Tensor::uninitialised(tensor.shape(), tensor.dtype());
    if (!copy) return {};
    ops::copy_elements(tensor, *copy);
    return *copy;
}

Timing time_again(const ops::OpEvent& event, ops::Run& run, const Tensor& before, const ops::Generator& generator) {
    using Clock = std::chrono::steady_clock;
    Timing out;
    // Without data nothing was computed, and an op that enlarges its input's metadata must not do so again.
    const bool is_change = event.args.in_place() && !before.defined();
    if (is_change || (event.result.is_tensor() && !event.result.tensor()->tensor.has_data())) return out;
    Tensor after;
    if (before.defined()) after = copy_of(event.args.tensor(0));
    const ops::Generator generator_after = run.generator();
    ops::Observer* const observer = std::exchange(run.observer, nullptr);
    std::vector<double> seconds;
    double total = 0;
    for (int i = 0; i <= kMostRuns && (i <= 1 || total < kEnoughSeconds); ++i) {
        if (before.defined()) {
            Tensor self = event.args.tensor(0);
            ops::copy_elements(before, self);
        }
        run.generator() = generator;
        const auto started = Clock::now();
        const auto result = ops::Dispatch(run, event.spec, event.overload, event.args).go();
        const std::chrono::duration<double> taken = Clock::now() - started;
        if (!result) break;
        if (i == 0) continue;
        seconds.push_back(taken.count() * 1e6);
        total += taken.count();
    }
    run.observer = observer;
    run.generator() = generator_after;
    if (after.defined()) {
        Tensor self = event.args.tensor(0);
        ops::copy_elements(after, self);
    }
    if (seconds.empty()) return out;
    std::sort(seconds.begin(), seconds.end());
    out.median = quantile(seconds, 0.5);
    out.p25 = quantile(seconds, 0.25);
    out.p75 = quantile(seconds, 0.75);
    out.runs = static_cast<int>(seconds.size());
    return out;
}

}  // namespace maskscope::script
