// SPDX-License-Identifier: Apache-2.0
// One bound call, from its shape rule to its observers.
#pragma once

#include "core/ops/dispatch/run.h"

namespace maskscope::ops {

class Dispatch {
public:
    Dispatch(Run& run, const OpSpec& spec, const Overload& overload, const Args& args)
        : run_(run), spec_(spec), overload_(overload), args_(args) {}

    Result<Value> go();

private:
    bool has(Trait trait) const { return (overload_.traits & trait) != 0; }
    bool writes_self() const;
    bool any_requires_grad() const;
    bool inputs_have_data() const;

    Result<Value> compute();
    Result<Value> compute_view(Tensor view);
    Result<Value> compute_kernel();
    Result<Value> compute_in_place(const OutSpec& planned, bool with_data);
    Result<Value> compute_composite();
    Result<std::vector<Tensor>> allocate(const Outputs& planned, bool with_data);
    Result<void> run_kernel(const Args& args, std::span<Tensor> outputs);
    // self[...] = computed, with the refusals of in-place writing.
    Result<Value> write_back(const VariablePtr& computed);
    Value finished_self();
    Value packed(std::vector<Tensor> tensors);
    VariablePtr result_of(Tensor tensor);
    void tell(const Value& result, double seconds, std::size_t allocated, std::size_t moved, double flops);

    Run& run_;
    const OpSpec& spec_;
    const Overload& overload_;
    const Args& args_;
    bool is_view_ = false;
    std::string_view device_ = "cpu";
};

}  // namespace maskscope::ops
