// SPDX-License-Identifier: Apache-2.0
// "Copy as runnable": the same script for a Python with PyTorch.
#pragma once

#include "core/script/syntax/ast.h"

#include <string>
#include <vector>

namespace maskscope::script {

// A name of the script that a tensor of a file is bound to.
struct Binding {
    std::string name;
    std::string path;
    std::string key;    // inside the file; "" for a nameless one
    std::string slice;  // "[0, 2]", or ""
};

// Imports that the script uses and lacks, a line that loads each bound tensor, and the script as it is.
std::string as_runnable(const Module& module, const std::vector<Binding>& bindings);

}  // namespace maskscope::script
