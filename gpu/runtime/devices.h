// SPDX-License-Identifier: Apache-2.0
// Which CUDA devices this machine has, or why there is none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace maskscope::gpu {

struct Device {
    int index = 0;
    std::string name;
    int compute_major = 0;
    int compute_minor = 0;
    std::uint64_t memory_bytes = 0;
};

struct DeviceReport {
    bool compiled_in = false;  // was this build made with the CUDA toolkit?
    std::vector<Device> devices;
    std::string reason;      // why there is no device; empty when there is one
    int driver_version = 0;  // 12040 is 12.4; 0 without a driver
    int runtime_version = 0;
};

DeviceReport list_devices();

}  // namespace maskscope::gpu
