// SPDX-License-Identifier: Apache-2.0
// linear, inner, outer, tensordot: products that other products do.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/nn/product_rules.h"

#include <algorithm>

namespace maskscope::ops {
namespace {

std::int64_t last_size(const Tensor& tensor) {
    return tensor.size(tensor.rank() - 1);
}

// --- linear: (input, weight, bias) ---

// One product with the bias in it, over all leading dims as rows.
Result<Value> with_bias(const Args& args, const VariablePtr& weight, Run& run) {
    const Tensor& input = args.tensor(0);
    if (input.rank() == 2) {
        MS_TRY(out, run.tensor("addmm", {args[2], args[0], weight}));
        return Value(out);
    }
    const std::int64_t width = last_size(input);
    std::int64_t rows = 1;
    std::vector<Value> sizes;
    for (int i = 0; i + 1 < input.rank(); ++i) {
        rows *= input.size(i);
        sizes.emplace_back(input.size(i));
    }
    MS_TRY(flat, run.tensor("reshape", {args[0], make_list({rows, width})}));
    MS_TRY(product, run.tensor("addmm", {args[2], flat, weight}));
    sizes.emplace_back(last_size(product->tensor));
    MS_TRY(out, run.tensor("view", {product, make_list(sizes)}));
    out->base = nullptr;  // nobody else sees the product
    return Value(out);
}

Result<Value> linear(const Args& args, Run& run) {
    const Tensor& input = args.tensor(0);
    const Tensor& weight = args.tensor(1);
    if (input.rank() == 0 || weight.rank() == 0)
        return runtime_error("both arguments to linear need to be at least 1D, but they are {}D and {}D", input.rank(),
                             weight.rank());
    MS_TRY(turned, run.tensor("t", {args[1]}));
    const bool is_joined =
        args.given(2) && (input.rank() > 1 || weight.rank() > 1) && (input.rank() == 2 || args.tensor(2).rank() == 1);
    if (is_joined) return with_bias(args, turned, run);
    MS_TRY(product, run.tensor("matmul", {args[0], turned}));
    if (!args.given(2)) return Value(product);
    MS_TRY(out, run.tensor("add", {product, args[2]}));
    return Value(out);
}

// --- outer: (input, vec2) ---

Result<Value> outer(const Args& args, Run& run) {
    const char* names[] = {"self", "vec2"};
    for (const int place : {0, 1})
        if (args.tensor(place).rank() != 1)
            return runtime_error("outer: Expected 1-D argument {}, but got {}-D", names[place],
                                 args.tensor(place).rank());
    MS_TRY(column, run.tensor("unsqueeze", {args[0], 1}));
    MS_TRY(out, run.tensor("mul", {column, args[1]}));
    return Value(out);
}

// --- tensordot ---

struct Pairing {
    std::vector<int> a;
    std::vector<int> b;
};

bool contains(const std::vector<int>& dims, int dim) {
    return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

Result<std::vector<int>> in_range(const std::vector<std::int64_t>& dims, int rank) {
    std::vector<int> out;
    for (const auto dim : dims) {
        if (dim < -std::max(rank, 1) || dim >= std::max(rank, 1)) return dimension_out_of_range(rank, dim);
        const int place = static_cast<int>(dim < 0 ? dim + rank : dim);
        if (contains(out, place)) return runtime_error("dim {} appears multiple times in the list of dims", place);
        out.push_back(place);
    }
    return out;
}

// The rows that stay and the columns that are summed, as one matrix; or the other way round.
Result<VariablePtr> as_matrix(const Value& tensor, const std::vector<int>& summed, bool sums_columns,
                              std::vector<Value>& kept, Run& run) {
    const Tensor& t = tensor.tensor()->tensor;
    std::vector<Value> order;
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    for (int i = 0; i < t.rank(); ++i) {
        if (contains(summed, i)) continue;
        order.emplace_back(i);
        kept.emplace_back(t.size(i));
        rows *= t.size(i);
    }
    std::vector<Value> last;
    for (const int dim : summed) {
        last.emplace_back(dim);
        columns *= t.size(dim);
    }
    order.insert(sums_columns ? order.end() : order.begin(), last.begin(), last.end());
    MS_TRY(turned, run.tensor("permute", {tensor, make_list(order)}));
    const Value sizes = sums_columns ? make_list({rows, columns}) : make_list({columns, rows});
    return run.tensor("reshape", {turned, sizes});
}

Result<Value> contracted(const Value& a, const Value& b, const Pairing& pairing, Run& run) {
    std::vector<Value> sizes;
    MS_TRY(left, as_matrix(a, pairing.a, true, sizes, run));
    MS_TRY(right, as_matrix(b, pairing.b, false, sizes, run));
    MS_TRY(product, run.tensor("mm", {left, right}));
    MS_TRY(out, run.tensor("reshape", {product, make_list(sizes)}));
    return Value(out);
}

// The sizes of paired dims must agree; one of size 1 is summed with the other side's sum.
Result<Value> tensordot_of(Value a, Value b, const std::vector<std::int64_t>& dims_a,
                           const std::vector<std::int64_t>& dims_b, Run& run) {
    if (dims_a.size() != dims_b.size()) return runtime_error("both dimension lists should have same length");
    if (a.tensor()->tensor.dtype() != b.tensor()->tensor.dtype())
        return runtime_error("both inputs should have same dtype");
    Pairing pairing;
    MS_TRY(places_a, in_range(dims_a, a.tensor()->tensor.rank()));
    MS_TRY(places_b, in_range(dims_b, b.tensor()->tensor.rank()));
    for (std::size_t i = 0; i < places_a.size(); ++i) {
        const std::int64_t size_a = a.tensor()->tensor.size(places_a[i]);
        const std::int64_t size_b = b.tensor()->tensor.size(places_b[i]);
        if (size_a == size_b) continue;
        if (size_a == 1) {
            MS_TRY(sum, run.tensor("sum", {b, places_b[i], true}));
            b = sum;
        } else if (size_b == 1) {
            MS_TRY(sum, run.tensor("sum", {a, places_a[i], true}));
            a = sum;
        } else {
            return runtime_error(
                "contracted dimensions need to match, but first has size {} in dim {} and second has size {} in dim {}",
                size_a, dims_a[i], size_b, dims_b[i]);
        }
    }
    pairing.a = places_a;
    pairing.b = places_b;
    return contracted(a, b, pairing, run);
}

// Numbers of a list, tuple or tensor of ints.
Result<std::vector<std::int64_t>> numbers(const Value& value) {
    std::vector<std::int64_t> out;
    const auto* items = value.sequence();
    if (items == nullptr && value.is_tensor()) {
        const Tensor& tensor = value.tensor()->tensor;
        if (!tensor.has_data()) return needs_data("tensordot(dims=tensor)");
        for (std::int64_t i = 0; i < tensor.numel(); ++i) {
            const std::int64_t index[] = {i};
            out.push_back(
                static_cast<std::int64_t>(to_double(tensor.at(std::span(index, tensor.rank() == 0 ? 0 : 1)))));
        }
        return out;
    }
    if (items == nullptr)
        return type_error("tensordot(): argument 'dims_self' (position 3) must be tuple of ints, not {}",
                          type_name(value));
    for (const auto& item : *items) out.push_back(item.to_int());
    return out;
}

Result<Value> by_count(const Args& args, std::int64_t count, Run& run) {
    if (count < 0) return runtime_error("tensordot expects dims >= 0, but got dims={}", count);
    if (count > std::min(args.tensor(0).rank(), args.tensor(1).rank()))
        return runtime_error("tensordot expects dims < ndim_a or ndim_b, but got dims={}", count);
    std::vector<std::int64_t> dims_a;
    std::vector<std::int64_t> dims_b;
    for (std::int64_t i = 0; i < count; ++i) {
        dims_a.push_back(i - count);
        dims_b.push_back(i);
    }
    return tensordot_of(args[0], args[1], dims_a, dims_b, run);
}

// (a, b, dims)
Result<Value> tensordot(const Args& args, Run& run) {
    const Value& dims = args[2];
    if (dims.is_int()) return by_count(args, dims.to_int(), run);
    if (dims.is_tensor() && dims.tensor()->tensor.numel() == 1) {
        MS_TRY(count, numbers(dims));
        return by_count(args, count.front(), run);
    }
    std::vector<Value> pair;
    if (dims.is_tensor() && dims.tensor()->tensor.rank() == 2 && dims.tensor()->tensor.size(0) == 2) {
        for (const int row : {0, 1}) {
            MS_TRY(part, run.tensor("select", {dims, 0, row}));
            pair.emplace_back(part);
        }
    } else if (const auto* items = dims.sequence()) {
        pair = *items;
    } else {
        return runtime_error(
            "tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] containing two lists, "
            "but "
            "got dims={}",
            dims.get_if<std::string>() != nullptr ? *dims.get_if<std::string>() : std::string(type_name(dims)));
    }
    if (pair.size() < 2) return value_error("not enough values to unpack (expected 2, got {})", pair.size());
    if (pair.size() > 2) return value_error("too many values to unpack (expected 2)");
    MS_TRY(dims_a, numbers(pair[0]));
    MS_TRY(dims_b, numbers(pair[1]));
    return tensordot_of(args[0], args[1], dims_a, dims_b, run);
}

// --- inner: (input, other) ---

Result<Value> inner(const Args& args, Run& run) {
    const Tensor& a = args.tensor(0);
    const Tensor& b = args.tensor(1);
    if (a.rank() == 0 || b.rank() == 0) {
        MS_TRY(out, run.tensor("mul", {args[0], args[1]}));
        return Value(out);
    }
    if (last_size(a) != last_size(b))
        return runtime_error("inner() the last dimension must match on both input tensors but got shapes {} and {}",
                             text_of(a.shape()), text_of(b.shape()));
    if (a.rank() == 1 && b.rank() == 1) {
        // PyTorch reshapes the product, which makes it a view.
        MS_TRY(out, run.tensor("dot", {args[0], args[1]}));
        return run.call("reshape", {out, make_list({})});
    }
    return tensordot_of(args[0], args[1], {-1}, {-1}, run);
}

}  // namespace

void add_linear(OpTable& table) {
    table.add({"linear",
               "input @ weight.t() + bias over the last dim; weight is [out, in].",
               {composed("(Tensor input, Tensor weight, Tensor? bias=None)", kFunctional, linear)},
               {"F.linear(x, y)", "F.linear(x, y, r[:3])"}});
    table.add(
        {"inner",
         "The sum of products over the last dims of both, for every pair of rows; of two vectors the dot product.",
         {composed("(Tensor input, Tensor other, *, Tensor? out=None)", kFunction | kMethod, inner)},
         {"torch.inner(x, y)", "torch.inner(r, r)"}});
    const std::vector<Overload> outer_forms = {
        composed("(Tensor input, Tensor vec2, *, Tensor? out=None)", kFunction | kMethod, outer)};
    table.add({"outer",
               "Every element of one vector times every element of the other, [n] and [m] to [n, m]; of two boolean "
               "masks the "
               "block that both keep.",
               outer_forms,
               {"torch.outer(r, r)"}});
    table.add({"ger", "The old name of outer.", outer_forms, {"torch.ger(r, r)"}});
    table.add({"tensordot",
               "The product of two tensors summed over several dims: over the last dims of a and the first of b when "
               "dims is a "
               "number, over pairs of dims when it is two lists.",
               {composed("(Tensor a, Tensor b, Any dims=2, Tensor? out=None)", kFunction, tensordot, kPythonDefined)},
               {"torch.tensordot(x, y, dims=([1], [1]))", "torch.tensordot(x, r, dims=1)"}});
}

}  // namespace maskscope::ops
