// SPDX-License-Identifier: Apache-2.0
// Stands in for the CUDA backend in a build without the toolkit.
#include "gpu/runtime/devices.h"

namespace maskscope::gpu {

DeviceReport list_devices() {
    DeviceReport report;
    report.reason = "this build has no CUDA backend: it was made without the CUDA toolkit";
    return report;
}

}  // namespace maskscope::gpu
