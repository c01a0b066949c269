// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

namespace maskscope {
namespace {

struct Arenas {
    explicit Arenas(int threads)
        : ui(threads, 1, tbb::task_arena::priority::high), background(threads, 1, tbb::task_arena::priority::low) {}
    tbb::task_arena ui;
    tbb::task_arena background;
};

std::mutex arenas_mutex;
std::shared_ptr<Arenas> arenas;  // replaced when the thread count changes; running loops keep theirs
std::atomic<int> wanted_threads{0};

std::shared_ptr<Arenas> current_arenas() {
    const std::lock_guard lock(arenas_mutex);
    if (!arenas) arenas = std::make_shared<Arenas>(thread_count());
    return arenas;
}

}  // namespace

std::int64_t chunk_count(std::int64_t count, std::int64_t grain) {
    return count <= 0 ? 0 : (count - 1) / std::max<std::int64_t>(grain, 1) + 1;
}

void parallel_for(Lane lane, std::int64_t count, std::int64_t grain, FunctionRef<void(const Chunk&)> body) {
    grain = std::max<std::int64_t>(grain, 1);
    const std::int64_t chunks = chunk_count(count, grain);
    const auto run = [&](std::int64_t index) {
        body(Chunk{index, index * grain, std::min(count, (index + 1) * grain)});
    };
    if (chunks <= 1 || thread_count() == 1) {
        for (std::int64_t i = 0; i < chunks; ++i) run(i);
        return;
    }
    const auto hold = current_arenas();
    // TBB orders the chunks after what came before the loop and before what follows it, by means that ThreadSanitizer
    // does not see; this one atomic says the same in words that it does.
    std::atomic<std::int64_t> hand_over{0};
    hand_over.store(1, std::memory_order_release);
    (lane == Lane::ui ? hold->ui : hold->background).execute([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::int64_t>(0, chunks, 1),
            [&](const tbb::blocked_range<std::int64_t>& range) {
                for (auto i = range.begin(); i != range.end(); ++i) {
                    hand_over.load(std::memory_order_acquire);
                    run(i);
                    hand_over.fetch_add(1, std::memory_order_release);
                }
            },
            tbb::simple_partitioner());
    });
    hand_over.load(std::memory_order_acquire);
}

void set_thread_count(int threads) {
    const std::lock_guard lock(arenas_mutex);
    wanted_threads = std::max(threads, 0);
    arenas.reset();
}

int thread_count() {
    const int wanted = wanted_threads;
    return wanted > 0 ? wanted : tbb::this_task_arena::max_concurrency();
}

}  // namespace maskscope
