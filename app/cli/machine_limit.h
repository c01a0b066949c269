// SPDX-License-Identifier: Apache-2.0
// The least time that this machine needs for work of a size: it is measured beside the work itself, since other
// processes and clock rates change it from minute to minute.
#pragma once

#include "core/base/result.h"
#include "core/tensor/tensor.h"

#include <cstdint>
#include <string_view>

namespace maskscope::cli {

// What the work cannot do without.
struct Load {
    double read_bytes = 0;
    double write_bytes = 0;
    double flops = 0;  // where given, the multiply-add rate is the limit, else memory
};

class MachineLimit {
public:
    static Result<MachineLimit> make(const Load& load);

    // One measurement, in seconds: a pass over memory that reads and writes so many bytes and does nothing else, or
    // the flops at the rate of independent float32 multiply-adds. Runs on the threads that ops have.
    double seconds();
    // "read", "copy", "fill", "fma"
    std::string_view name() const;

private:
    Load load_;
    Tensor from_;
    Tensor to_;
};

}  // namespace maskscope::cli
