// SPDX-License-Identifier: Apache-2.0
// Values of a script in the form of the reference cases (tests/golden/engine/make_cases.py tells it), and their
// comparison within the tolerance of the dtype.
#pragma once

#include "app/cli/command.h"
#include "core/ops/dispatch/value.h"

#include <optional>
#include <string>

namespace maskscope::cli {

Json reference_form(const ops::Value& value);

// What a case asks for beyond the defaults of the dtypes.
struct Tolerance {
    double relative = 0;
    double absolute = 0;
};

// Where the two part, in words; empty when they agree.
std::string difference(const Json& expected, const Json& got, const Tolerance& asked);

}  // namespace maskscope::cli
