// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/select/places.h"

namespace maskscope::ops {
namespace {

Result<Outputs> plan(const Args& args) {
    const Tensor& self = args.tensor(0);
    if (self.dtype() > DType::f64) return not_implemented_for("nonzero_count_cpu", self.dtype());
    const auto found = nonzero_counts(self).back();
    // PyTorch writes the coordinates of one dim side by side.
    return Outputs{{Shape{found, self.rank()}, DType::i64, Strides{1, found}}};
}

Result<void> list_places(const Args& args, std::span<Tensor> outputs, Run&) {
    const Tensor& self = args.tensor(0);
    Tensor& out = outputs.front();
    if (out.numel() == 0) return {};
    const auto counts = nonzero_counts(self);
    auto* first = out.writable_as<std::int64_t>();
    const auto [row_step, dim_step] = std::array{out.strides()[0], out.strides()[1]};
    for_each_truth(self, counts, [&, rows = row_step, dims = dim_step](const TruthRun& run) {
        const auto last = static_cast<std::int64_t>(run.index.size()) - 1;
        std::int64_t at = run.before;
        for (std::size_t i = 0; i < run.truth.size(); ++i) {
            if (run.truth[i] == 0) continue;
            std::int64_t* row = first + at * rows;
            for (std::int64_t d = 0; d < last; ++d) row[d * dims] = run.index[static_cast<std::size_t>(d)];
            row[last * dims] = run.index[static_cast<std::size_t>(last)] + static_cast<std::int64_t>(i);
            ++at;
        }
    });
    return {};
}

// One tensor of coordinates for each dim; a number counts as a vector of one.
Result<Value> columns(const VariablePtr& self, Run& run) {
    VariablePtr source = self;
    if (source->tensor.rank() == 0) source = run.wrap(source->tensor.unsqueeze(0));
    MS_TRY(places, run.tensor("nonzero", {source}));
    return run.call("unbind", {places, 1});
}

Result<Value> nonzero_as_tuple(const Args& args, Run& run) {
    if (args.flag(1)) return columns(args.variable(0), run);
    return run.call("nonzero", {args[0]});
}

Result<Value> argwhere(const Args& args, Run& run) {
    return run.call("nonzero", {args[0]});
}

Result<Value> where_true(const Args& args, Run& run) {
    return columns(args.variable(0), run);
}

}  // namespace

void add_nonzero(OpTable& table) {
    OpSpec nonzero;
    nonzero.name = "nonzero";
    nonzero.meaning =
        "The coordinates of all elements that are not zero, one row each, in row-major order; NaN is not zero. With "
        "as_tuple=True one vector for each dim, ready for indexing. The size depends on the values.";
    nonzero.overloads = {
        computed("(Tensor input)", kFunction | kMethod, plan, list_places, kDataDependent),
        composed("(Tensor input, *, bool as_tuple)", kFunction | kMethod, nonzero_as_tuple),
    };
    nonzero.samples = {"torch.nonzero(m)", "x.nonzero()", "m.nonzero(as_tuple=True)"};
    table.add(std::move(nonzero));

    OpSpec arg_where;
    arg_where.name = "argwhere";
    arg_where.meaning = "NumPy's name for nonzero: the coordinates of all elements that are not zero, one row each.";
    arg_where.overloads = {composed("(Tensor input)", kFunction | kMethod, argwhere)};
    arg_where.samples = {"torch.argwhere(m)"};
    table.add(std::move(arg_where));

    OpSpec where;
    where.name = "where";
    where.meaning =
        "With a condition alone: where it is not zero, one vector of coordinates for each dim, the same as "
        "nonzero(as_tuple=True).";
    where.overloads = {composed("(Tensor condition)", kFunction, where_true)};
    where.samples = {"torch.where(m)"};
    table.add(std::move(where));
}

}  // namespace maskscope::ops
