// SPDX-License-Identifier: Apache-2.0
// The kinds of overload, each made of what it needs.
#pragma once

#include "core/ops/dispatch/op_spec.h"

namespace maskscope::ops {

// By a kernel of its own.
Overload computed(std::string_view signature, unsigned forms, ShapeRule shape, Kernel kernel, unsigned traits = 0,
                  FlopsRule flops = nullptr);
// Of other ops.
Overload composed(std::string_view signature, unsigned forms, Composite composite, unsigned traits = 0);
// A view, or what `otherwise` makes where no view can be had.
Overload viewed(std::string_view signature, unsigned forms, ViewRule view, Composite otherwise = nullptr);
Overload viewed_as_many(std::string_view signature, unsigned forms, ViewsRule views);

}  // namespace maskscope::ops
