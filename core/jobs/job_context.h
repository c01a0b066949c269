// SPDX-License-Identifier: Apache-2.0
// What a long computation needs from its caller: whether to stop, and where to say how far it is.
#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>

namespace maskscope {

// Written by the job, read by the window's progress bar; done of total in any unit.
struct Progress {
    std::atomic<std::int64_t> done{0};
    std::atomic<std::int64_t> total{0};
};

class JobContext {
public:
    JobContext() = default;
    explicit JobContext(std::stop_token stop, Progress* progress = nullptr)
        : stop_(std::move(stop)), progress_(progress) {}

    bool cancelled() const { return stop_.stop_requested(); }
    void expect(std::int64_t total) const {
        if (progress_ != nullptr) progress_->total = total;
    }
    void advance(std::int64_t amount) const {
        if (progress_ != nullptr) progress_->done += amount;
    }

private:
    std::stop_token stop_;
    Progress* progress_ = nullptr;
};

}  // namespace maskscope
