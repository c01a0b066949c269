// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

#include <pthread.h>
#include <unistd.h>
#include <csignal>
#include <thread>

namespace maskscope::cli {

std::stop_token watch_interrupts() {
    // A signal handler may not take the lock inside request_stop(); a thread that waits for the signal may.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);

    std::stop_source stop;
    auto token = stop.get_token();
    std::thread([signals, stop]() mutable {
        int signal = 0;
        sigwait(&signals, &signal);
        stop.request_stop();
        sigwait(&signals, &signal);
        _exit(130);
    }).detach();
    return token;
}

}  // namespace maskscope::cli
