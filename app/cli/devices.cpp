// SPDX-License-Identifier: Apache-2.0
// maskscope-cli devices: what this machine computes with, or why it does not.
#include "gpu/runtime/devices.h"
#include "app/cli/output.h"
#include "core/jobs/parallel.h"

#include <hwy/targets.h>

namespace maskscope::cli {
namespace {

std::string simd_target() {
    // The best target is the lowest bit.
    const auto targets = hwy::SupportedTargets();
    return hwy::TargetName(targets & -targets);
}

std::string version_text(int version) {
    return version == 0 ? "" : fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

Answer devices_answer() {
    const auto report = gpu::list_devices();
    const std::string simd = simd_target();
    Answer answer;
    Json devices = Json::array();
    answer.text = fmt::format("cpu     {} threads, {}\n", thread_count(), simd);
    for (const auto& device : report.devices) {
        const std::string compute = fmt::format("{}.{}", device.compute_major, device.compute_minor);
        devices.push_back({{"index", device.index},
                           {"name", device.name},
                           {"compute", compute},
                           {"memory_bytes", device.memory_bytes}});
        answer.text += fmt::format("cuda:{}  {}, compute {}, {}\n", device.index, device.name, compute,
                                   bytes_text(device.memory_bytes));
    }
    if (devices.empty()) answer.text += fmt::format("cuda    none: {}\n", report.reason);
    answer.json = {{"cpu", {{"threads", thread_count()}, {"simd", simd}}},
                   {"cuda",
                    {{"compiled_in", report.compiled_in},
                     {"devices", std::move(devices)},
                     {"reason", report.reason},
                     {"driver", version_text(report.driver_version)},
                     {"runtime", version_text(report.runtime_version)}}}};
    return answer;
}

}  // namespace

void add_devices(CLI::App& app, Run& chosen) {
    auto* command = app.add_subcommand("devices", "What this machine computes with: CPU threads, SIMD, CUDA");
    command->callback([&chosen] { chosen = [](Environment&) -> Result<Answer> { return devices_answer(); }; });
}

}  // namespace maskscope::cli
