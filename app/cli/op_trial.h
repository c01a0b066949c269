// SPDX-License-Identifier: Apache-2.0
// Asks an op what it makes of shapes, without data.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/op_spec.h"
#include "core/tensor/dims.h"

#include <optional>
#include <string>
#include <vector>

namespace maskscope::cli {

class OpTrial {
public:
    // "masked_fill", "add_". Finds the overload that takes so many tensors; for other parameters it has values of its
    // own. Refuses a name that is not there and an op that wants other arguments.
    static Result<OpTrial> find(const std::string& name, std::size_t tensors);

    // The shape of the result; nothing where it depends on values. Errors are the op's own.
    Result<std::optional<Shape>> run(const std::vector<Shape>& shapes) const;

    // Of the tensors, as the op calls them.
    const std::vector<std::string>& names() const { return names_; }
    // Are the shapes aligned at the right, as broadcasting does?
    bool broadcasts() const { return broadcasts_; }

private:
    Result<std::optional<Shape>> run(const std::vector<Shape>& shapes, bool with_data) const;

    const ops::OpSpec* spec_ = nullptr;
    const ops::Overload* overload_ = nullptr;
    ops::Form form_ = ops::Form::function;
    std::vector<std::string> names_;
    bool broadcasts_ = false;
};

// An Error for a name that no op has, with near names.
Error unknown_op(const std::string& name);

}  // namespace maskscope::cli
