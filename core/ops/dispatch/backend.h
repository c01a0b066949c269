// SPDX-License-Identifier: Apache-2.0
// Where kernels run. The CPU's are in the op table itself; another device answers for the ops that it has.
#pragma once

#include "core/ops/dispatch/op_spec.h"

namespace maskscope::ops {

class Backend {
public:
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    virtual ~Backend() = default;
    virtual std::string_view device() const = 0;  // "cuda:0"
    virtual bool supports(const OpSpec& spec, const Overload& overload, const Args& args) const = 0;
    virtual Result<void> run(const OpSpec& spec, const Overload& overload, const Args& args, std::span<Tensor> outputs,
                             Run& run) = 0;
};

}  // namespace maskscope::ops
