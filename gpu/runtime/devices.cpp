// SPDX-License-Identifier: Apache-2.0
#include "gpu/runtime/devices.h"

#include <cuda_runtime_api.h>

namespace maskscope::gpu {

DeviceReport list_devices() {
    DeviceReport report;
    report.compiled_in = true;
    cudaDriverGetVersion(&report.driver_version);
    cudaRuntimeGetVersion(&report.runtime_version);
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (report.driver_version == 0) {
        report.reason = "no CUDA driver is installed";
        return report;
    }
    if (status != cudaSuccess) {
        report.reason = cudaGetErrorString(status);
        return report;
    }
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties{};
        if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
        report.devices.push_back({i, properties.name, properties.major, properties.minor, properties.totalGlobalMem});
    }
    if (report.devices.empty()) report.reason = "the driver reports no device";
    return report;
}

}  // namespace maskscope::gpu
