// SPDX-License-Identifier: Apache-2.0
#include "core/ops/nn/reduction.h"

#include "core/ops/dispatch/torch_error.h"

namespace maskscope::ops {

Result<Reduction> reduction_of(const Args& args, const ReductionPlaces& places, Run& run, bool admits_batch_mean) {
    std::string name = "None";
    if (const auto* text = args[places.reduction].get_if<std::string>()) name = *text;
    if (places.reduce >= 0 && (args.given(places.size_average) || args.given(places.reduce))) {
        const bool averages = !args.given(places.size_average) || args.flag(places.size_average);
        const bool reduces = !args.given(places.reduce) || args.flag(places.reduce);
        name = !reduces ? "none" : averages ? "mean" : "sum";
        run.note(
            fmt::format("size_average and reduce args will be deprecated, please use reduction='{}' instead.", name));
    }
    if (name == "none") return Reduction::none;
    if (name == "mean") return Reduction::mean;
    if (name == "sum") return Reduction::sum;
    if (name == "batchmean" && admits_batch_mean) return Reduction::batch_mean;
    return value_error("{} is not a valid value for reduction", name);
}

Result<Value> reduced(const VariablePtr& losses, Reduction reduction, Run& run) {
    if (reduction == Reduction::none) return Value(losses);
    MS_TRY(out, run.tensor(reduction == Reduction::mean ? "mean" : "sum", {losses}));
    return Value(out);
}

std::string size_text(const Shape& shape) {
    return "torch.Size(" + text_of(shape) + ")";
}

}  // namespace maskscope::ops
