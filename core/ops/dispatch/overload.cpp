// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/overload.h"

namespace maskscope::ops {

Overload computed(std::string_view signature, unsigned forms, ShapeRule shape, Kernel kernel, unsigned traits,
                  FlopsRule flops) {
    Overload out;
    out.signature = signature;
    out.forms = forms;
    out.shape = shape;
    out.kernel = kernel;
    out.traits = traits;
    out.flops = flops;
    return out;
}

Overload composed(std::string_view signature, unsigned forms, Composite composite, unsigned traits) {
    Overload out;
    out.signature = signature;
    out.forms = forms;
    out.composite = composite;
    out.traits = traits;
    return out;
}

Overload viewed(std::string_view signature, unsigned forms, ViewRule view, Composite otherwise) {
    Overload out;
    out.signature = signature;
    out.forms = forms;
    out.view = view;
    out.composite = otherwise;
    return out;
}

Overload viewed_as_many(std::string_view signature, unsigned forms, ViewsRule views) {
    Overload out;
    out.signature = signature;
    out.forms = forms;
    out.views = views;
    return out;
}

}  // namespace maskscope::ops
