// SPDX-License-Identifier: Apache-2.0
// A trace as JSON, with the keys that scripts rely on.
#pragma once

#include "app/cli/command.h"
#include "core/script/trace/trace.h"

namespace maskscope::cli {

Json trace_json(const script::Trace& trace);

}  // namespace maskscope::cli
