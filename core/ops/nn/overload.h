// SPDX-License-Identifier: Apache-2.0
// The two kinds of overload that this family has.
#pragma once

#include "core/ops/dispatch/op_spec.h"

namespace maskscope::ops {

inline Overload computed(std::string_view signature, unsigned forms, ShapeRule shape, Kernel kernel,
                         FlopsRule flops = nullptr, unsigned traits = 0) {
    Overload out;
    out.signature = signature;
    out.forms = forms;
    out.shape = shape;
    out.kernel = kernel;
    out.flops = flops;
    out.traits = traits;
    return out;
}

// Built of other ops.
inline Overload composed(std::string_view signature, unsigned forms, Composite composite, unsigned traits = 0) {
    Overload out;
    out.signature = signature;
    out.forms = forms;
    out.composite = composite;
    out.traits = traits;
    return out;
}

}  // namespace maskscope::ops
