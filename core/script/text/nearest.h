// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace maskscope::script {

// The word that a misspelt one was probably meant to be; "" when none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& words);

}  // namespace maskscope::script
