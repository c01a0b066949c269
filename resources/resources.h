// SPDX-License-Identifier: Apache-2.0
// The files of this folder, inside the binary.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace maskscope {

// "icons/brush.svg", "themes/light.theme"; empty when there is no such file.
std::span<const std::byte> resource(std::string_view name);
std::string_view resource_text(std::string_view name);
std::vector<std::string_view> resource_names(std::string_view prefix);

}  // namespace maskscope
