// SPDX-License-Identifier: Apache-2.0
// The rows of the engine's benchmark table: what masks cost in practice. A row is a script, so that PyTorch can run
// the very same.
#pragma once

#include "app/cli/machine_limit.h"
#include "core/jobs/job_context.h"

#include <memory>
#include <string>
#include <vector>

namespace maskscope::cli {

struct EngineRow {
    std::string name;        // "select/4096/10": rows of one work differ after the slash
    std::string setup;       // statements
    std::string expression;  // what is timed
    Load load;
};

const std::vector<EngineRow>& engine_rows();

// A row that is set up and can be timed again and again, its result freed inside the clock as in a loop of a script.
class RowRunner {
public:
    static Result<RowRunner> make(const EngineRow& row, const JobContext& context);
    RowRunner(RowRunner&&) noexcept;
    ~RowRunner();
    Result<double> seconds();

private:
    struct State;
    explicit RowRunner(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace maskscope::cli
