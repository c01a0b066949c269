// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/out_argument.h"

#include "core/ops/dispatch/in_place.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/schema.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/loops/promotion.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace maskscope::ops {
namespace {

std::vector<VariablePtr> tensors_of(const Value& value) {
    if (value.is_tensor()) return {value.tensor()};
    std::vector<VariablePtr> out;
    if (const auto* items = value.sequence())
        for (const auto& item : *items)
            if (item.is_tensor()) out.push_back(item.tensor());
    return out;
}

int out_place(const Overload& overload) {
    const auto& parameters = overload.schema->parameters;
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [](const Parameter& p) { return p.name == "out"; });
    return found == parameters.end() ? -1 : static_cast<int>(found - parameters.begin());
}

bool reads_tensors(const Args& args, const Overload& overload) {
    for (int i = 0; i < args.count(); ++i)
        if (i != out_place(overload) && !tensors_of(args[i]).empty()) return true;
    return false;
}

Result<void> refuse_dtype(DType from, DType to, const Args& args, const Overload& overload) {
    // What is made of nothing is made in out's dtype.
    if (from == to || !reads_tensors(args, overload)) return {};
    if ((overload.traits & kElementwise) == 0)
        return runtime_error("Expected out tensor to have dtype {}, but got {} instead", cpp_type_name(from),
                             cpp_type_name(to));
    if (!can_cast(from, to))
        return runtime_error("result type {} can't be cast to the desired output type {}", scalar_type_name(from),
                             scalar_type_name(to));
    return {};
}

Result<void> write(const VariablePtr& out, const Tensor& computed, Run& run) {
    if (out->tensor.shape() != computed.shape()) {
        if (out->tensor.numel() != 0)
            run.note(fmt::format("out was resized from {} to {}: PyTorch warns of it and will refuse it one day",
                                 text_of(out->tensor.shape()), text_of(computed.shape())));
        const DType dtype = out->tensor.dtype();
        MS_TRY(resized, computed.has_data() ? run.allocate(computed.shape(), dtype)
                                            : Tensor::shapes_only(computed.shape(), dtype));
        out->tensor = std::move(resized);
        out->base = nullptr;
    }
    if (computed.has_data() && out->tensor.has_data()) {
        MS_CHECK(out->tensor.storage()->make_writable());
        copy_elements(computed, out->tensor);
    } else {
        out->tensor.storage()->forget();
    }
    out->tensor.storage()->bump_version();
    return {};
}

}  // namespace

Value out_argument(const Args& args, const Overload& overload) {
    const int place = out_place(overload);
    return place < 0 ? Value() : args[place];
}

Result<void> refuse_out(const Value& out, const Args& args, const Overload& overload, bool grad_enabled) {
    bool requires_grad = false;
    for (int i = 0; i < args.count(); ++i)
        for (const auto& tensor : tensors_of(args[i])) requires_grad = requires_grad || tensor->requires_grad;
    if (grad_enabled && requires_grad)
        return runtime_error(
            "{}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
            "requires grad.",
            args.name());
    for (const auto& target : tensors_of(out)) {
        if (has_internal_overlap(target->tensor)) return internal_overlap_error();
        if ((overload.traits & kElementwise) == 0 || !target->tensor.has_data()) continue;
        for (int i = 0; i < args.count(); ++i)
            if (args[i].is_tensor() && args.variable(i) != target &&
                overlap_of(target->tensor, args.tensor(i)) == Overlap::partial)
                return partial_overlap_error();
    }
    return {};
}

Result<Value> write_out(const Value& out, const Value& computed, const Args& args, const Overload& overload, Run& run) {
    const auto targets = tensors_of(out);
    const auto results = tensors_of(computed);
    if (targets.size() != results.size())
        return type_error("{}(): argument 'out' must be {} tensors, not {}", args.name(), results.size(),
                          targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i)
        MS_CHECK(refuse_dtype(results[i]->tensor.dtype(), targets[i]->tensor.dtype(), args, overload));
    for (std::size_t i = 0; i < targets.size(); ++i) MS_CHECK(write(targets[i], results[i]->tensor, run));
    const auto* several = computed.get_if<std::shared_ptr<const Tuple>>();
    if (several == nullptr) return out;
    Tuple tuple = **several;
    if (!tuple.name.empty()) tuple.name += "_out";
    for (std::size_t i = 0; i < targets.size(); ++i) tuple.items[i] = targets[i];
    return Value(std::make_shared<const Tuple>(std::move(tuple)));
}

}  // namespace maskscope::ops
