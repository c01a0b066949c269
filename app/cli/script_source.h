// SPDX-License-Identifier: Apache-2.0
// The script of a command: FILE.py, - for stdin, or -c CODE, and the tensors that its names stand for.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/script/language/evaluate.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace maskscope::cli {

struct ScriptSource {
    std::string text;
    std::string name;  // the file's; "<stdin>"; empty for -c
};

struct ScriptOptions {
    std::string file;
    std::optional<std::string> code;
    std::vector<std::string> inputs;  // NAME=TENSOR
};

void add_script_options(CLI::App& command, ScriptOptions& options);
Result<ScriptSource> read_script(const ScriptOptions& options);
Result<std::vector<script::Input>> load_inputs(const ScriptOptions& options, const JobContext& context);

// "NAME=REST" in two; `option` is named when there is no "=" or no name.
Result<std::pair<std::string, std::string>> split_binding(const char* option, const std::string& text);

}  // namespace maskscope::cli
