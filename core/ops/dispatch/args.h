// SPDX-License-Identifier: Apache-2.0
// The arguments of one call after binding: one Value for each parameter of the signature, in its order, defaults filled
// in, each already of the parameter's type. Accessors therefore cannot fail.
#pragma once

#include "core/ops/dispatch/value.h"
#include "core/ops/dispatch/variable.h"
#include "core/tensor/dims.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope::ops {

// How an op was written.
enum class Form : std::uint8_t {
    function = 1,    // torch.f(x)
    method = 2,      // x.f()
    in_place = 4,    // x.f_()
    functional = 8,  // torch.nn.functional.f(x)
    property = 16,   // x.f
    internal = 32,   // by the language or another op only (x[i], x[i] = v)
};

class Args {
public:
    Args(std::vector<Value> values, std::string name, Form form)
        : values_(std::move(values)), name_(std::move(name)), form_(form) {}

    int count() const { return static_cast<int>(values_.size()); }
    const Value& operator[](int i) const { return values_[static_cast<std::size_t>(i)]; }
    // Not None.
    bool given(int i) const { return !(*this)[i].is_none(); }

    const VariablePtr& variable(int i) const { return (*this)[i].tensor(); }
    const Tensor& tensor(int i) const { return variable(i)->tensor; }
    // Tensor[] parameters.
    std::vector<VariablePtr> variables(int i) const;
    std::int64_t integer(int i) const { return (*this)[i].to_int(); }
    double number(int i) const { return (*this)[i].to_double(); }
    bool flag(int i) const { return (*this)[i].to_int() != 0; }
    const std::string& text(int i) const;
    // int[] parameters; an int counts as a list of one where the signature allows it.
    Dims dims(int i) const;
    std::vector<std::int64_t> integers(int i) const;
    std::optional<DType> dtype(int i) const;

    // As the user wrote it: "masked_fill_", "add". For error texts.
    const std::string& name() const { return name_; }
    Form form() const { return form_; }
    bool in_place() const { return form_ == Form::in_place; }

private:
    std::vector<Value> values_;
    std::string name_;
    Form form_;
};

}  // namespace maskscope::ops
