// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace maskscope::script {

// The code points of a UTF-8 text, each as text.
std::vector<std::string> characters(const std::string& text);

}  // namespace maskscope::script
