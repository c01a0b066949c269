// SPDX-License-Identifier: Apache-2.0
#include "app/cli/progress_bar.h"

#include <fmt/core.h>

#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>

namespace maskscope::cli {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(200);
constexpr auto kInterval = std::chrono::milliseconds(50);
constexpr int kCells = 30;

}  // namespace

ProgressBar::ProgressBar() {
    if (isatty(STDERR_FILENO) == 1) thread_ = std::jthread([this](const std::stop_token& stop) { draw_until(stop); });
}

ProgressBar::~ProgressBar() = default;

void ProgressBar::draw_until(const std::stop_token& stop) const {
    // Nobody notifies: the condition only makes the sleep end when the bar is no longer wanted.
    std::mutex mutex;
    std::condition_variable_any wake;
    const auto wait = [&](auto time) {
        std::unique_lock lock(mutex);
        wake.wait_for(lock, stop, time, [] { return false; });
    };
    wait(kPatience);
    bool drawn = false;
    while (!stop.stop_requested()) {
        const auto total = progress_.total.load();
        if (total > 0) {
            const double share = std::clamp(static_cast<double>(progress_.done) / static_cast<double>(total), 0.0, 1.0);
            const auto full = static_cast<std::size_t>(share * kCells);
            fmt::print(stderr, "\r[{}{}] {:3.0f} %", std::string(full, '#'), std::string(kCells - full, ' '),
                       share * 100);
            std::fflush(stderr);
            drawn = true;
        }
        wait(kInterval);
    }
    if (drawn) fmt::print(stderr, "\r{}\r", std::string(kCells + 10, ' '));
}

}  // namespace maskscope::cli
