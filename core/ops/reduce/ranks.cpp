// SPDX-License-Identifier: Apache-2.0
// median, nanmedian, kthvalue, mode.
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/reduce/axes.h"
#include "core/ops/reduce/keys.h"
#include "core/ops/reduce/lines.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace maskscope::ops {
namespace {

// The place of the wanted element in a line that is not empty; may reorder it.
using Pick = FunctionRef<std::int64_t(std::span<Ranked>)>;

Result<void> pick_from_lines(const Tensor& input, int axis, std::span<Tensor> outputs, Run& run, Pick pick) {
    const auto& context = run.context();
    return for_each_line(input, axis, outputs, context, [&](std::span<const Line> lines) {
        std::vector<Ranked> ranked(static_cast<std::size_t>(lines.front().size));
        for (const auto& line : lines) {
            if (context.cancelled()) return;
            load_ranked(line.in, input.dtype(), line.in_step, line.size, false, ranked.data());
            const std::int64_t index = pick(ranked);
            copy_element(line, index, 0, size_of(input.dtype()));
            if (outputs.size() > 1) put_index(line, 1, 0, index);
        }
    });
}

bool is_nan(const Ranked& element, DType dtype) {
    return is_floating(dtype) && element.key == kNanKey;
}

// The lower of the two in the middle, the first of equal ones as a stable sort leaves them.
std::int64_t median_of(std::span<Ranked> line, DType dtype, bool ignore_nan) {
    std::size_t count = line.size();
    if (ignore_nan) {
        const auto numbers =
            std::count_if(line.begin(), line.end(), [&](const Ranked& e) { return !is_nan(e, dtype); });
        count = numbers == 0 ? 1 : static_cast<std::size_t>(numbers);
    } else if (is_floating(dtype)) {
        const auto nan = std::find_if(line.begin(), line.end(), [&](const Ranked& e) { return is_nan(e, dtype); });
        if (nan != line.end()) return nan->index;
    }
    const auto middle = line.begin() + static_cast<std::ptrdiff_t>((count - 1) / 2);
    std::nth_element(line.begin(), middle, line.end(), by_key_and_index);
    return middle->index;
}

// Hoare's selection with the median of three as pivot: which of equal elements lands at `k` is torch's choice.
std::int64_t select_kth(std::span<Ranked> line, std::int64_t k) {
    const auto at = [&](std::int64_t i) -> Ranked& { return line[static_cast<std::size_t>(i)]; };
    const auto order = [&](std::int64_t a, std::int64_t b) {
        if (at(b).key < at(a).key) std::swap(at(a), at(b));
    };
    std::int64_t left = 0;
    std::int64_t right = static_cast<std::int64_t>(line.size()) - 1;
    while (right - left > 1) {
        std::swap(at(left + (right - left) / 2), at(left + 1));
        order(left + 1, right);
        order(left, right);
        order(left + 1, left);
        const std::int64_t pivot = at(left).key;
        std::int64_t low = left + 1;
        std::int64_t high = right;
        while (true) {
            do ++low;
            while (at(low).key < pivot);
            do --high;
            while (pivot < at(high).key);
            if (high < low) break;
            std::swap(at(low), at(high));
        }
        std::swap(at(left), at(high));
        if (high <= k) left = low;
        if (high >= k) right = high - 1;
    }
    if (right - left == 1) order(left, right);
    return at(k).index;
}

// Short lines as torch sorts them there: by insertion, where NaN is neither before nor behind anything.
void insert_sorted(std::span<Ranked> line, DType dtype) {
    const auto before = [&](const Ranked& a, const Ranked& b) {
        return a.key < b.key && !is_nan(a, dtype) && !is_nan(b, dtype);
    };
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Ranked moved = line[i];
        std::size_t to = i;
        if (before(moved, line[0]))
            to = 0;
        else
            while (before(moved, line[to - 1])) --to;
        std::move_backward(line.begin() + static_cast<std::ptrdiff_t>(to),
                           line.begin() + static_cast<std::ptrdiff_t>(i),
                           line.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        line[to] = moved;
    }
}

// The most frequent element, the smallest of those, the last of its places; no NaN equals another.
std::int64_t mode_of(std::span<Ranked> line, DType dtype) {
    constexpr std::size_t kShort = 16;
    if (line.size() <= kShort)
        insert_sorted(line, dtype);
    else
        std::sort(line.begin(), line.end(), by_key);
    std::size_t best = 0;
    std::int64_t index = 0;
    for (std::size_t begin = 0; begin < line.size();) {
        std::size_t end = begin + 1;
        while (end < line.size() && line[end].key == line[begin].key && !is_nan(line[begin], dtype)) ++end;
        if (end - begin > best) {
            best = end - begin;
            index = line[end - 1].index;
        }
        begin = end;
    }
    return index;
}

// For ops along one dim: input, ..., dim at `place`, keepdim behind it, out.
Result<Outputs> pair_shape(const Args& args, int place, const char* name) {
    const Tensor& input = args.tensor(0);
    MS_TRY(axis, axis_of(input.rank(), args.integer(place)));
    if (input.rank() > 0 && input.size(axis) == 0)
        return index_error("{}(): Expected reduction dim {} to have non-zero size.", name, axis);
    const Shape shape = reduced_shape(input.shape(), one_axis(input.rank(), axis), args.flag(place + 1));
    return Outputs{{shape, input.dtype(), std::nullopt}, {shape, DType::i64, std::nullopt}};
}

Result<void> refuse_bool(const char* kernel, DType dtype) {
    if (dtype == DType::boolean) return not_implemented_for(kernel, dtype);
    return refuse_storage_only(kernel, dtype);
}

Result<Outputs> median_shape(const Args& args) {
    MS_TRY(planned, pair_shape(args, 1, "median"));
    MS_CHECK(refuse_bool("median_out", args.tensor(0).dtype()));
    return std::move(planned);
}

template <bool kIgnoreNan>
Result<void> median_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& input = args.tensor(0);
    MS_TRY(axis, axis_of(input.rank(), args.integer(1)));
    return pick_from_lines(input, axis, outputs, run,
                           [&](std::span<Ranked> line) { return median_of(line, input.dtype(), kIgnoreNan); });
}

Result<Outputs> whole_shape(const Args& args) {
    const DType dtype = args.tensor(0).dtype();
    MS_CHECK(refuse_bool("median_cpu", dtype));
    return Outputs{{Shape(), dtype, std::nullopt}};
}

template <bool kIgnoreNan>
Result<void> whole_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& input = args.tensor(0);
    if (input.numel() == 0) {
        // NaN, which integers hold as their lowest.
        store_number(std::nan(""), outputs[0].dtype(), outputs[0].writable_data());
        return {};
    }
    MS_TRY(flat, input.contiguous());
    MS_TRY(line, Tensor::view_of(flat.storage(), flat.dtype(), Shape{flat.numel()}, Strides{1}, flat.offset()));
    return pick_from_lines(line, 0, outputs, run,
                           [&](std::span<Ranked> found) { return median_of(found, input.dtype(), kIgnoreNan); });
}

Result<Outputs> kth_shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    MS_TRY(planned, pair_shape(args, 2, "kthvalue"));
    MS_TRY(axis, axis_of(input.rank(), args.integer(2)));
    const std::int64_t k = args.integer(1);
    if (k < 1 || k > (input.rank() > 0 ? input.size(axis) : 1))
        return runtime_error("kthvalue(): selected number k out of range for dimension {}", axis);
    // A 0-dim tensor is given back before anybody asks for its dtype.
    if (input.rank() > 0) MS_CHECK(refuse_bool("kthvalue_cpu", input.dtype()));
    return std::move(planned);
}

Result<void> kth_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& input = args.tensor(0);
    MS_TRY(axis, axis_of(input.rank(), args.integer(2)));
    const std::int64_t k = args.integer(1) - 1;
    return pick_from_lines(input, axis, outputs, run, [&](std::span<Ranked> line) { return select_kth(line, k); });
}

Result<Outputs> mode_shape(const Args& args) {
    MS_TRY(planned, pair_shape(args, 1, "mode"));
    MS_CHECK(refuse_storage_only("mode_cpu", args.tensor(0).dtype()));
    return std::move(planned);
}

Result<void> mode_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& input = args.tensor(0);
    MS_TRY(axis, axis_of(input.rank(), args.integer(1)));
    return pick_from_lines(input, axis, outputs, run,
                           [&](std::span<Ranked> line) { return mode_of(line, input.dtype()); });
}

Overload overload_of(std::string_view signature, ShapeRule shape, Kernel kernel, bool with_index) {
    Overload overload;
    overload.signature = signature;
    overload.forms = kFunction | kMethod;
    overload.shape = shape;
    overload.kernel = kernel;
    overload.flops = input_flops;
    if (with_index) overload.returns = {"values", "indices"};
    return overload;
}

constexpr std::string_view kAlongDim = "(Tensor input, int dim, bool keepdim=False, *, Tensor[]? out=None)";

}  // namespace

void add_ranks(OpTable& table) {
    table.add(
        {"median",
         "The element in the middle, the lower of two: torch does not average. Along a dim also its index. NaN where "
         "there is one; of nothing NaN.",
         {overload_of("(Tensor input)", whole_shape, whole_kernel<false>, false),
          overload_of(kAlongDim, median_shape, median_kernel<false>, true)},
         {"x.median()", "x.median(1)", "torch.median(i, dim=0, keepdim=True)"}});
    table.add({"nanmedian",
               "The element in the middle of those that are not NaN, the lower of two; NaN where there are none.",
               {overload_of("(Tensor input)", whole_shape, whole_kernel<true>, false),
                overload_of(kAlongDim, median_shape, median_kernel<true>, true)},
               {"x.nanmedian()", "x.nanmedian(1)", "torch.nanmedian(i, dim=0, keepdim=True)"}});
    table.add({"kthvalue",
               "The k-th smallest element along a dim (k counts from 1) and its index. NaN counts as largest.",
               {overload_of("(Tensor input, int k, int dim=-1, bool keepdim=False, *, Tensor[]? out=None)", kth_shape,
                            kth_kernel, true)},
               {"x.kthvalue(2)", "torch.kthvalue(x, 1, dim=0, keepdim=True)"}});
    table.add({"mode",
               "The most frequent element along a dim (the smallest of several) and one of its indices.",
               {overload_of("(Tensor input, int dim=-1, bool keepdim=False, *, Tensor[]? out=None)", mode_shape,
                            mode_kernel, true)},
               {"i.mode()", "torch.mode(i, dim=0, keepdim=True)", "m.mode(1)"}});
}

}  // namespace maskscope::ops
