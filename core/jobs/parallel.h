// SPDX-License-Identifier: Apache-2.0
// Data-parallel loops on two arenas, so that background passes never starve the frame being drawn.
// The chunks depend on `grain` alone, never on the number of threads: combine partial results in chunk order and
// the outcome is the same on every machine.
#pragma once

#include "core/base/function_ref.h"

#include <cstdint>

namespace maskscope {

enum class Lane {
    ui,          // high priority: what the user is waiting for
    background,  // low priority: pyramids, statistics; keep a chunk under about 1 ms
};

struct Chunk {
    std::int64_t index = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

// The number of chunks that parallel_for cuts [0, count) into.
std::int64_t chunk_count(std::int64_t count, std::int64_t grain);

// Runs body over [0, count) in chunks of `grain` (the last may be shorter) and returns when all are done.
// The body must not throw.
void parallel_for(Lane lane, std::int64_t count, std::int64_t grain, FunctionRef<void(const Chunk&)> body);

// Threads used by both lanes from now on; 0 means the machine's.
void set_thread_count(int threads);
int thread_count();

}  // namespace maskscope
