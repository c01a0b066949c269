// SPDX-License-Identifier: Apache-2.0
#include "app/cli/device.h"

#include "gpu/runtime/devices.h"

namespace maskscope::cli {

Result<ops::Backend*> backend_for(const std::string& device) {
    if (device == "cpu" || device == "auto") return nullptr;
    if (device != "cuda") return usage_error(MS_TEXT("--device is {} here; it can be cpu, cuda or auto"), device);
    const auto report = gpu::list_devices();
    if (report.devices.empty())
        return make_error(ErrorKind::unavailable, MS_TEXT("there is no CUDA device to compute on: {}"), report.reason);
    return make_error(ErrorKind::unavailable,
                      MS_TEXT("{} is there, but this version of Maskscope computes on the CPU only"),
                      report.devices.front().name);
}

}  // namespace maskscope::cli
