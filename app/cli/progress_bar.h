// SPDX-License-Identifier: Apache-2.0
// A bar on stderr while a computation runs: only on a terminal, and only for what takes longer than 200 ms.
#pragma once

#include "core/jobs/job_context.h"

#include <stop_token>
#include <thread>

namespace maskscope::cli {

class ProgressBar {
public:
    ProgressBar();
    // Wipes the bar.
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    Progress* progress() { return &progress_; }

private:
    void draw_until(const std::stop_token& stop) const;

    Progress progress_;
    std::jthread thread_;
};

}  // namespace maskscope::cli
