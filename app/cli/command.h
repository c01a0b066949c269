// SPDX-License-Identifier: Apache-2.0
// What every subcommand gets and gives. One file for each: it adds its options and leaves a function to run.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace maskscope::cli {

// Keys keep the order in which they were written.
using Json = nlohmann::ordered_json;

// What a command has to say: one JSON document, and the same for people.
struct Answer {
    Json json;
    std::string text;
    // Some of what was asked for failed (one file of several); the rest is answered.
    std::optional<Error> failure;
    // For people in place of failure->text(), where more than a line is to be said.
    std::string failure_text;
    // It ran and the answer is bad: exit code 1.
    bool bad = false;
};

struct Environment {
    JobContext context;
    std::vector<std::string> notes;  // for stderr
};

using Run = std::function<Result<Answer>(Environment&)>;

// Each adds its subcommand to the app and sets `chosen` when it is the one given.
void add_info(CLI::App& app, Run& chosen);
void add_render(CLI::App& app, Run& chosen);
void add_devices(CLI::App& app, Run& chosen);
void add_formats(CLI::App& app, Run& chosen);
void add_eval(CLI::App& app, Run& chosen);
void add_broadcast(CLI::App& app, Run& chosen);
void add_ops(CLI::App& app, Run& chosen);
void add_overlay(CLI::App& app, Run& chosen);
void add_edit(CLI::App& app, Run& chosen);
void add_convert(CLI::App& app, Run& chosen);
void add_bench(CLI::App& app, Run& chosen);
void add_selftest(CLI::App& app, Run& chosen);

}  // namespace maskscope::cli
