// SPDX-License-Identifier: Apache-2.0
// The three kinds of overload, each with what it needs.
#pragma once

#include "core/ops/dispatch/op_spec.h"

namespace maskscope::ops {

inline Overload computed(std::string_view signature, unsigned forms, ShapeRule shape, Kernel kernel,
                         unsigned traits = 0) {
    Overload out;
    out.signature = signature;
    out.forms = forms;
    out.shape = shape;
    out.kernel = kernel;
    out.traits = traits;
    return out;
}

inline Overload composed(std::string_view signature, unsigned forms, Composite composite, unsigned traits = 0) {
    Overload out;
    out.signature = signature;
    out.forms = forms;
    out.composite = composite;
    out.traits = traits;
    return out;
}

}  // namespace maskscope::ops
