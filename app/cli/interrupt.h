// SPDX-License-Identifier: Apache-2.0
// Ctrl+C asks the running computation to stop; a second Ctrl+C ends the process at once.
#pragma once

#include <stop_token>

namespace maskscope::cli {

// Call once, before any other thread is made: the threads inherit that SIGINT and SIGTERM are not theirs.
std::stop_token watch_interrupts();

}  // namespace maskscope::cli
