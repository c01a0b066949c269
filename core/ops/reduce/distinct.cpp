// SPDX-License-Identifier: Apache-2.0
// unique and unique_consecutive: how many elements come out only the data shows.
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/reduce/axes.h"
#include "core/ops/reduce/keys.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

namespace maskscope::ops {
namespace {

struct Wanted {
    bool inverse = false;
    bool counts = false;
    bool consecutive = false;
};

// `rows` rows of `width` keys, in the order of the input.
struct Rows {
    std::vector<std::int64_t> keys;
    std::int64_t rows = 0;
    std::int64_t width = 1;
    bool floating = false;

    std::span<const std::int64_t> row(std::int64_t i) const {
        return {keys.data() + i * width, static_cast<std::size_t>(width)};
    }
    // As == has it: NaN equals nothing.
    bool equal(std::int64_t a, std::int64_t b) const {
        const auto one = row(a);
        const auto two = row(b);
        if (!std::equal(one.begin(), one.end(), two.begin())) return false;
        return !floating || std::find(one.begin(), one.end(), kNanKey) == one.end();
    }
};

struct Distinct {
    std::vector<std::int64_t> representatives;  // rows of the input
    std::vector<std::int64_t> inverse;
    std::vector<std::int64_t> counts;
};

// The rows in ascending order; single keys as torch's sort has them.
std::vector<std::int64_t> sorted_order(const Rows& rows) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(rows.rows));
    if (rows.width == 1) {
        std::vector<Ranked> ranked(order.size());
        for (std::size_t i = 0; i < ranked.size(); ++i) ranked[i] = {rows.keys[i], static_cast<std::int64_t>(i)};
        std::sort(ranked.begin(), ranked.end(), by_key);
        for (std::size_t i = 0; i < ranked.size(); ++i) order[i] = ranked[i].index;
        return order;
    }
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        const auto one = rows.row(a);
        const auto two = rows.row(b);
        return std::lexicographical_compare(one.begin(), one.end(), two.begin(), two.end());
    });
    return order;
}

Distinct distinct_rows(const Rows& rows, bool consecutive) {
    std::vector<std::int64_t> order;
    if (consecutive) {
        order.resize(static_cast<std::size_t>(rows.rows));
        std::iota(order.begin(), order.end(), 0);
    } else {
        order = sorted_order(rows);
    }
    Distinct out;
    out.inverse.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || !rows.equal(order[i - 1], order[i])) {
            out.representatives.push_back(order[i]);
            out.counts.push_back(0);
        }
        ++out.counts.back();
        out.inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(out.counts.size()) - 1;
    }
    return out;
}

Rows rows_of(const Tensor& contiguous, std::int64_t rows) {
    Rows out;
    out.rows = rows;
    const std::int64_t count = contiguous.numel();
    out.width = rows == 0 ? 1 : count / rows;
    out.floating = is_floating(contiguous.dtype());
    out.keys.resize(static_cast<std::size_t>(count));
    if (count > 0)
        load_keys(contiguous.data(), contiguous.dtype(), static_cast<std::int64_t>(size_of(contiguous.dtype())), count,
                  out.keys.data());
    return out;
}

Result<Value> int64_tensor(const std::vector<std::int64_t>& values, const Shape& shape, Run& run) {
    MS_TRY(out, run.allocate(shape, DType::i64));
    if (!values.empty()) std::memcpy(out.writable_data(), values.data(), values.size() * sizeof(std::int64_t));
    return Value(run.wrap(std::move(out)));
}

// The tensor alone, or a tuple with what was asked for.
Result<Value> packed(Tensor values, const Distinct& found, const Shape& inverse_shape, Wanted wanted, Run& run) {
    const VariablePtr first = run.wrap(std::move(values));
    if (!wanted.inverse && !wanted.counts) return Value(first);
    std::vector<Value> items{first};
    if (wanted.inverse) {
        MS_TRY(inverse, int64_tensor(found.inverse, inverse_shape, run));
        items.push_back(std::move(inverse));
    }
    if (wanted.counts) {
        const auto count = static_cast<std::int64_t>(found.counts.size());
        MS_TRY(counts, int64_tensor(found.counts, Shape{count}, run));
        items.push_back(std::move(counts));
    }
    return make_tuple(std::move(items));
}

// Rows of `source`, contiguous with them first, one after another.
Result<Tensor> gathered(const Tensor& source, const std::vector<std::int64_t>& rows, const Shape& shape, Run& run) {
    MS_TRY(out, run.allocate(shape, source.dtype()));
    const std::size_t width = rows.empty() ? 0 : out.byte_size() / rows.size();
    for (std::size_t i = 0; width > 0 && i < rows.size(); ++i)
        std::memcpy(out.writable_data() + i * width, source.data() + static_cast<std::size_t>(rows[i]) * width, width);
    return std::move(out);
}

// Integers and bools are their own keys: without an inverse nobody asks where they were.
Result<Value> of_integers(const Tensor& contiguous, Wanted wanted, Run& run) {
    auto keys = rows_of(contiguous, contiguous.numel()).keys;
    std::sort(keys.begin(), keys.end());
    Distinct found;
    std::vector<std::int64_t> values;
    for (const auto key : keys) {
        if (values.empty() || values.back() != key) {
            values.push_back(key);
            found.counts.push_back(0);
        }
        ++found.counts.back();
    }
    const auto count = static_cast<std::int64_t>(values.size());
    const DType dtype = contiguous.dtype();
    MS_TRY(out, run.allocate(Shape{count}, dtype));
    store_block(values.data(), dtype, static_cast<std::int64_t>(size_of(dtype)), count, out.writable_data());
    return packed(std::move(out), found, Shape(), wanted, run);
}

Result<Value> of_all(const Tensor& input, Wanted wanted, Run& run) {
    MS_TRY(flat, input.contiguous());
    if (!is_floating(input.dtype()) && !wanted.inverse && !wanted.consecutive) return of_integers(flat, wanted, run);
    const Distinct found = distinct_rows(rows_of(flat, flat.numel()), wanted.consecutive);
    const auto count = static_cast<std::int64_t>(found.representatives.size());
    MS_TRY(values, gathered(flat, found.representatives, Shape{count}, run));
    return packed(std::move(values), found, input.shape(), wanted, run);
}

// Whole slices along a dim are compared.
Result<Value> along(const Tensor& input, std::int64_t dim, Wanted wanted, Run& run) {
    if (input.rank() == 0) return index_error("Dimension specified as {} but tensor has no dimensions", dim);
    MS_TRY(axis, axis_of(input.rank(), dim));
    const std::int64_t rows = input.size(axis);
    if (input.numel() == 0 && rows != 0)
        return runtime_error("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
    if (rows == 0) {
        MS_TRY(nothing, run.allocate(input.shape(), input.dtype()));
        return packed(std::move(nothing), {}, Shape{0}, wanted, run);
    }
    std::vector<int> to_front{axis};
    for (int i = 0; i < input.rank(); ++i)
        if (i != axis) to_front.push_back(i);
    MS_TRY(source, input.permute(to_front).contiguous());
    const Distinct found = distinct_rows(rows_of(source, rows), wanted.consecutive);
    Shape shape = source.shape();
    shape[0] = static_cast<std::int64_t>(found.representatives.size());
    MS_TRY(values, gathered(source, found.representatives, shape, run));
    std::vector<int> back(to_front.size());
    for (std::size_t i = 0; i < to_front.size(); ++i) back[static_cast<std::size_t>(to_front[i])] = static_cast<int>(i);
    return packed(values.permute(back), found, Shape{rows}, wanted, run);
}

Result<Value> distinct(const Tensor& input, const Value& dim, Wanted wanted, Run& run) {
    if (!input.has_data()) return needs_data(wanted.consecutive ? "unique_consecutive()" : "unique()");
    MS_CHECK(refuse_storage_only("unique", input.dtype()));
    if (dim.is_none()) return of_all(input, wanted, run);
    return along(input, dim.to_int(), wanted, run);
}

// input, sorted, return_inverse, return_counts, dim. torch sorts whatever `sorted` says.
Result<Value> unique(const Args& args, Run& run) {
    return distinct(args.tensor(0), args[4], {args.flag(2), args.flag(3), false}, run);
}

// input, return_inverse, return_counts, dim.
Result<Value> unique_consecutive(const Args& args, Run& run) {
    return distinct(args.tensor(0), args[3], {args.flag(1), args.flag(2), true}, run);
}

Overload overload_of(std::string_view signature, Composite composite) {
    Overload overload;
    overload.signature = signature;
    overload.forms = kFunction | kMethod;
    overload.composite = composite;
    overload.traits = kPythonDefined | kDataDependent;
    return overload;
}

}  // namespace

void add_distinct(OpTable& table) {
    table.add(
        {"unique",
         "The distinct elements in ascending order, of all or, with dim, the distinct slices; on request where each "
         "element went (return_inverse) and how often it occurs (return_counts). Every NaN counts as distinct.",
         {overload_of("(Tensor input, bool sorted=True, bool return_inverse=False, bool return_counts=False, int? "
                      "dim=None)",
                      unique)},
         {"i.unique()", "torch.unique(i, return_inverse=True, return_counts=True)", "i.unique(dim=0)"}});
    table.add({"unique_consecutive",
               "The elements (or, with dim, slices) with repetitions of the one before left out; nothing is sorted.",
               {overload_of("(Tensor input, bool return_inverse=False, bool return_counts=False, int? dim=None)",
                            unique_consecutive)},
               {"i.unique_consecutive()", "torch.unique_consecutive(i, return_inverse=True, return_counts=True)",
                "i.unique_consecutive(dim=0)"}});
}

}  // namespace maskscope::ops
