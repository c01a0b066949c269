// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/select/aliasing.h"
#include "core/ops/select/element.h"
#include "core/ops/select/line_moves.h"
#include "core/ops/select/scatter_mean.h"
#include "core/ops/select/wrap_dim.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace maskscope::ops {
namespace {

Result<void> check_shapes(const Tensor& self, const Tensor& index, const Tensor* source, int dim) {
    const int rank = std::max(self.rank(), 1);
    if (std::max(index.rank(), 1) != rank)
        return runtime_error("Index tensor must have the same number of dimensions as self tensor");
    if (source != nullptr && std::max(source->rank(), 1) != rank)
        return runtime_error("Index tensor must have the same number of dimensions as src tensor");
    const auto size = [](const Tensor& tensor, int d) { return tensor.rank() == 0 ? 1 : tensor.size(d); };
    bool fits = true;
    for (int d = 0; d < rank; ++d) {
        fits = fits && (d == dim || size(index, d) <= size(self, d));
        fits = fits && (source == nullptr || size(index, d) <= size(*source, d));
    }
    if (fits) return {};
    std::string text = fmt::format("Expected index {} to be no larger than self {} apart from dimension {}",
                                   text_of(index.shape()), text_of(self.shape()), dim);
    if (source != nullptr) text += fmt::format(" and to be no larger size than src {}", text_of(source->shape()));
    return runtime_error("{}", text);
}

// "(Tensor input, int dim, Tensor index, Tensor src | Scalar value, ...)"
Result<Outputs> plan(const Args& args) {
    const Tensor& self = args.tensor(0);
    const Tensor& index = args.tensor(2);
    const Tensor* source = args[3].is_tensor() ? &args.tensor(3) : nullptr;
    MS_TRY(dim, wrapped_dim(self.rank(), args.integer(1)));
    if (index.numel() != 0 && index.dtype() != DType::i64 && index.dtype() != DType::i32)
        return runtime_error("scatter(): Expected dtype int32/int64 for index");
    if (source != nullptr && source->dtype() != self.dtype())
        return runtime_error("scatter(): Expected self.dtype to be equal to src.dtype");
    if (index.numel() != 0) MS_CHECK(check_shapes(self, index, source, dim));
    if (source == nullptr) MS_CHECK(held_element(args[3], self.dtype()));
    if (args.in_place()) {
        MS_CHECK(refuse_alias(self, index));
        if (source != nullptr) MS_CHECK(refuse_alias(self, *source));
    }
    return Outputs{{self.shape(), self.dtype(), std::nullopt}};
}

// What a scatter works on; 0-dim tensors have become vectors.
struct Lines {
    Tensor self;
    Tensor index;
    Tensor source;
    int dim = 0;
};

Result<Lines> lines_of(const Args& args, Tensor& out, Run& run) {
    Lines lines;
    lines.self = at_least_1d(out);
    MS_TRY(dim, wrapped_dim(lines.self.rank(), args.integer(1)));
    lines.dim = dim;
    MS_TRY(index, as_int64(args.tensor(2), run));
    lines.index = at_least_1d(index);
    if (args[3].is_tensor()) {
        lines.source = at_least_1d(args.tensor(3));
        return lines;
    }
    MS_TRY(element, held_element(args[3], out.dtype()));
    MS_TRY(source, repeated(element, out.dtype(), lines.index.shape(), run));
    lines.source = std::move(source);
    return lines;
}

Result<void> combine(const Args& args, Tensor& out, Combine how, Run& run) {
    if (args.tensor(2).numel() == 0) return {};
    MS_TRY(lines, lines_of(args, out, run));
    MS_TRY(all_inside, how == Combine::replace
                           ? Result<bool>(scatter_lines(how, lines.self, lines.index, lines.source, lines.dim))
                           : scatter_lines_in_float(how, lines.self, lines.index, lines.source, lines.dim, run));
    if (all_inside) return {};
    const std::int64_t size = lines.self.size(lines.dim);
    return runtime_error("index {} is out of bounds for dimension {} with size {}", first_outside(lines.index, size),
                         lines.dim, size);
}

std::optional<Combine> old_reduce(const std::string& name) {
    if (name == "add") return Combine::add;
    if (name == "multiply") return Combine::multiply;
    return std::nullopt;
}

Result<Outputs> plan_old_reduce(const Args& args) {
    MS_TRY(out, plan(args));
    if (!old_reduce(args.text(4))) return runtime_error("reduce argument must be either add or multiply.");
    return std::move(out);
}

Result<void> scatter(const Args& args, std::span<Tensor> outputs, Run& run) {
    return combine(args, outputs.front(), Combine::replace, run);
}

Result<void> scatter_old_reduce(const Args& args, std::span<Tensor> outputs, Run& run) {
    if (args[3].is_tensor())
        run.note(
            "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future "
            "PyTorch "
            "release. Use torch.scatter_reduce instead for more reduction options.");
    return combine(args, outputs.front(), old_reduce(args.text(4)).value_or(Combine::replace), run);
}

Result<void> scatter_add(const Args& args, std::span<Tensor> outputs, Run& run) {
    return combine(args, outputs.front(), Combine::add, run);
}

struct Reduction {
    std::string_view name;
    Combine how;
};
constexpr std::array<Reduction, 5> kReductions = {{{"sum", Combine::add},
                                                   {"prod", Combine::multiply},
                                                   {"mean", Combine::add},
                                                   {"amax", Combine::amax},
                                                   {"amin", Combine::amin}}};

Result<Outputs> plan_reduce(const Args& args) {
    MS_TRY(out, plan(args));
    const std::string& name = args.text(4);
    if (std::none_of(kReductions.begin(), kReductions.end(), [&](const Reduction& r) { return r.name == name; }))
        return runtime_error("reduce argument must be either sum, prod, mean, amax or amin, got {}", name);
    if (name == "mean" && out.front().dtype == DType::boolean)
        return not_implemented_for("scatter_gather_tensor_cpu_reduce_mean", DType::boolean);
    return std::move(out);
}

Value extreme_of(DType dtype, bool highest) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    using Limits = std::numeric_limits<std::int64_t>;
    if (is_floating(dtype)) return highest ? kInfinity : -kInfinity;
    if (dtype == DType::boolean) return highest;
    if (dtype == DType::i64) return highest ? Limits::max() : Limits::min();
    const auto top = static_cast<std::int64_t>(largest_finite(dtype));
    if (highest) return top;
    return dtype == DType::u8 ? std::int64_t{0} : -top - 1;
}

// What a place starts from when its own value does not count.
Value neutral_of(Combine how, DType dtype) {
    if (how == Combine::amax || how == Combine::amin) return extreme_of(dtype, how == Combine::amin);
    return how == Combine::multiply ? 1 : 0;
}

Result<void> scatter_reduce(const Args& args, std::span<Tensor> outputs, Run& run) {
    const std::string& name = args.text(4);
    const auto* found =
        std::find_if(kReductions.begin(), kReductions.end(), [&](const Reduction& r) { return r.name == name; });
    Tensor& out = outputs.front();
    const bool include_self = args.flag(5);
    if (args.tensor(2).numel() == 0) return {};
    if (!include_self) {
        MS_TRY(lines, lines_of(args, out, run));
        MS_TRY(element, held_element(neutral_of(found->how, out.dtype()), out.dtype()));
        MS_TRY(neutral, repeated(element, out.dtype(), lines.index.shape(), run));
        scatter_lines(Combine::replace, lines.self, lines.index, neutral, lines.dim);
    }
    MS_CHECK(combine(args, out, found->how, run));
    if (name != "mean") return {};
    MS_TRY(lines, lines_of(args, out, run));
    return divide_by_counts(lines.self, lines.index, lines.dim, include_self, run);
}

}  // namespace

void add_scatter(OpTable& table) {
    constexpr unsigned kForms = kFunction | kMethod | kInPlace;
    OpSpec spec;
    spec.name = "scatter";
    spec.meaning =
        "Writes each element of src, or one value, to the place that the index names along dim: the way back from "
        "gather. Of several writes to one place the last stays. Nothing broadcasts, and src keeps the dtype of the "
        "input.";
    spec.overloads = {
        computed("(Tensor input, int dim, Tensor index, Tensor src)", kForms, plan, scatter, kUpdates),
        computed("(Tensor input, int dim, Tensor index, Tensor src, *, str reduce)", kForms, plan_old_reduce,
                 scatter_old_reduce, kUpdates),
        computed("(Tensor input, int dim, Tensor index, Scalar value)", kForms, plan, scatter, kUpdates),
        computed("(Tensor input, int dim, Tensor index, Scalar value, *, str reduce)", kForms, plan_old_reduce,
                 scatter_old_reduce, kUpdates),
    };
    spec.samples = {"torch.scatter(x, 1, i, y)", "x.scatter(1, i, 1.0)", "x.scatter(0, i, y, reduce='add')",
                    "x.scatter(1, i, 2.0, reduce='multiply')"};
    table.add(std::move(spec));

    OpSpec add;
    add.name = "scatter_add";
    add.meaning =
        "Adds each element of src to the place that the index names along dim, in the order of the index: sums by "
        "segment, counts, one-hot sums.";
    add.overloads = {
        computed("(Tensor input, int dim, Tensor index, Tensor src)", kForms, plan, scatter_add, kUpdates)};
    add.samples = {"torch.scatter_add(x, 1, i, y)", "x.clone().scatter_add_(0, i, y)"};
    table.add(std::move(add));

    OpSpec reduce;
    reduce.name = "scatter_reduce";
    reduce.meaning =
        "Reduces the elements of src that go to one place: sum, prod, mean, amax or amin. With include_self=False the "
        "old value of a place that is hit does not count; places that are not hit keep theirs.";
    reduce.overloads = {
        computed("(Tensor input, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True)", kForms,
                 plan_reduce, scatter_reduce, kUpdates)};
    reduce.samples = {"torch.scatter_reduce(x, 1, i, y, 'amax')",
                      "x.scatter_reduce(0, i, y, 'mean', include_self=False)"};
    table.add(std::move(reduce));
}

}  // namespace maskscope::ops
