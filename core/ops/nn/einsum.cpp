// SPDX-License-Identifier: Apache-2.0
// einsum: operands are laid out alike (a dim for each label), then contracted from the left, two at a time.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/nn/einsum_equation.h"
#include "core/ops/nn/product_rules.h"

#include <algorithm>

namespace maskscope::ops {
namespace {

Value list_of(const std::vector<std::int64_t>& numbers) {
    std::vector<Value> items(numbers.begin(), numbers.end());
    return make_list(std::move(items));
}

// Repeated labels become their diagonal; missing ones a dim of size 1.
Result<VariablePtr> laid_out(VariablePtr tensor, std::vector<int> labels, int count, Run& run) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
        for (std::size_t j = i + 1; j < labels.size();) {
            if (labels[j] != labels[i]) {
                ++j;
                continue;
            }
            MS_TRY(diagonal,
                   run.tensor("diagonal", {tensor, 0, static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)}));
            // The diagonal is the last dim now.
            const int rank = diagonal->tensor.rank();
            MS_TRY(moved, run.tensor("movedim", {diagonal, rank - 1, static_cast<std::int64_t>(i)}));
            tensor = moved;
            labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(j));
        }
    }
    std::vector<std::int64_t> order;
    std::int64_t next = tensor->tensor.rank();
    for (int label = 0; label < count; ++label) {
        const auto found = std::find(labels.begin(), labels.end(), label);
        order.push_back(found == labels.end() ? next++ : found - labels.begin());
    }
    for (int rank = tensor->tensor.rank(); rank < next; ++rank) {
        MS_TRY(longer, run.tensor("unsqueeze", {tensor, rank}));
        tensor = longer;
    }
    return run.tensor("permute", {tensor, list_of(order)});
}

Result<VariablePtr> summed(const VariablePtr& tensor, const std::vector<std::int64_t>& dims, Run& run) {
    if (dims.empty()) return tensor;
    return run.tensor("sum", {tensor, list_of(dims), true});
}

// How the dims of two operands meet.
struct Meeting {
    std::vector<std::int64_t> both;   // in both and in the result
    std::vector<std::int64_t> left;   // in the left one only, and dims of size 1
    std::vector<std::int64_t> right;  // in the right one only
    std::vector<std::int64_t> inner;  // in both, summed
};

std::vector<std::int64_t> joined(std::initializer_list<const std::vector<std::int64_t>*> parts) {
    std::vector<std::int64_t> out;
    for (const auto* part : parts) out.insert(out.end(), part->begin(), part->end());
    return out;
}

std::int64_t size_of_dims(const Tensor& tensor, const std::vector<std::int64_t>& dims) {
    std::int64_t out = 1;
    for (const auto dim : dims) out *= tensor.size(static_cast<int>(dim));
    return out;
}

// [both..., rows, columns] for a product of matrices.
Result<VariablePtr> as_matrices(const VariablePtr& tensor, const Meeting& at, const std::vector<std::int64_t>& rows,
                                const std::vector<std::int64_t>& columns, const std::vector<std::int64_t>& rest,
                                Run& run) {
    MS_TRY(turned, run.tensor("permute", {tensor, list_of(joined({&at.both, &rows, &columns, &rest}))}));
    std::vector<std::int64_t> sizes;
    for (const auto dim : at.both) sizes.push_back(tensor->tensor.size(static_cast<int>(dim)));
    sizes.push_back(size_of_dims(tensor->tensor, rows));
    sizes.push_back(size_of_dims(tensor->tensor, columns));
    return run.tensor("reshape", {turned, list_of(sizes)});
}

Result<void> check_dtypes(const Tensor& a, const Tensor& b) {
    if (a.dtype() != b.dtype())
        return runtime_error("expected scalar type {} but found {}", scalar_type_name(a.dtype()),
                             scalar_type_name(b.dtype()));
    if (has_no_products(a.dtype())) return not_implemented_for("bmm", a.dtype());
    return {};
}

// Multiplies and sums the dims of `inner`, keeping them with size 1.
Result<VariablePtr> contracted(const VariablePtr& a, const VariablePtr& b, const Meeting& at, Run& run) {
    MS_CHECK(check_dtypes(a->tensor, b->tensor));
    MS_TRY(left, as_matrices(a, at, at.left, at.inner, at.right, run));
    MS_TRY(right, as_matrices(b, at, at.inner, at.right, at.left, run));
    MS_TRY(product, run.tensor("matmul", {left, right}));
    // As [both, left, ones, right], then every dim back to its place.
    const std::vector<std::int64_t> order = joined({&at.both, &at.left, &at.inner, &at.right});
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto dim = static_cast<int>(order[i]);
        const bool is_inner = std::find(at.inner.begin(), at.inner.end(), dim) != at.inner.end();
        sizes.push_back(is_inner ? 1 : std::max(a->tensor.size(dim), b->tensor.size(dim)));
        if (!is_inner && (a->tensor.size(dim) == 0 || b->tensor.size(dim) == 0)) sizes.back() = 0;
        back[static_cast<std::size_t>(dim)] = static_cast<std::int64_t>(i);
    }
    MS_TRY(shaped, run.tensor("view", {product, list_of(sizes)}));
    return run.tensor("permute", {shaped, list_of(back)});
}

// `is_last`: labels that no later operand and not the output needs.
Result<VariablePtr> met(const VariablePtr& a, const VariablePtr& b, const std::vector<bool>& is_last, Run& run) {
    Meeting at;
    std::vector<std::int64_t> alone_a;
    std::vector<std::int64_t> alone_b;
    for (int dim = 0; dim < a->tensor.rank(); ++dim) {
        const bool in_a = a->tensor.size(dim) != 1;
        const bool in_b = b->tensor.size(dim) != 1;
        const bool is_summed = is_last[static_cast<std::size_t>(dim)];
        if (is_summed && in_a && in_b) {
            at.inner.push_back(dim);
        } else if (is_summed) {
            (in_a ? alone_a : alone_b).push_back(dim);
            at.left.push_back(dim);
        } else {
            (in_a && in_b ? at.both : in_b ? at.right : at.left).push_back(dim);
        }
    }
    // What stands on one side only is summed before the product.
    MS_TRY(left, summed(a, alone_a, run));
    MS_TRY(right, summed(b, alone_b, run));
    if (at.inner.empty()) return run.tensor("mul", {left, right});
    // The side whose dims come first in the result goes first, so that the product lies in the result's order.
    const auto is_wide = [&](std::int64_t dim) { return left->tensor.size(static_cast<int>(dim)) != 1; };
    const auto first_left = std::find_if(at.left.begin(), at.left.end(), is_wide);
    if (!at.right.empty() && first_left != at.left.end() && at.right.back() < *first_left) {
        std::swap(at.left, at.right);
        return contracted(right, left, at, run);
    }
    return contracted(left, right, at, run);
}

Result<Value> contract_all(const std::vector<VariablePtr>& operands, const Labels& labels, Run& run) {
    // The last operand that has each label; the output's are never done.
    std::vector<std::size_t> last(static_cast<std::size_t>(labels.count), 0);
    for (std::size_t i = 0; i < operands.size(); ++i)
        for (const int label : labels.operands[i]) last[static_cast<std::size_t>(label)] = i;
    const auto done_at = [&](std::size_t operand) {
        std::vector<bool> out(last.size());
        for (int label = labels.output_count; label < labels.count; ++label)
            out[static_cast<std::size_t>(label)] = last[static_cast<std::size_t>(label)] == operand;
        return out;
    };
    VariablePtr out = operands.front();
    std::vector<std::int64_t> alone;
    const std::vector<bool> first_done = done_at(0);
    for (int label = labels.output_count; label < labels.count; ++label)
        if (first_done[static_cast<std::size_t>(label)]) alone.push_back(label);
    MS_TRY(first, summed(out, alone, run));
    out = first;
    for (std::size_t i = 1; i < operands.size(); ++i) {
        MS_TRY(next, met(out, operands[i], done_at(i), run));
        out = next;
    }
    // The labels that were summed have left dims of size 1 at the end.
    while (out->tensor.rank() > labels.output_count) {
        MS_TRY(shorter, run.tensor("squeeze", {out, -1}));
        out = shorter;
    }
    return Value(out);
}

// (equation, operands)
Result<Value> einsum(const Args& args, Run& run) {
    std::vector<VariablePtr> operands = args.variables(1);
    if (operands.empty())
        return value_error(
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its "
            "subscripts "
            "list");
    MS_TRY(equation, parse_equation(args.text(0), operands.size()));
    std::vector<Shape> shapes;
    shapes.reserve(operands.size());
    for (const auto& operand : operands) shapes.push_back(operand->tensor.shape());
    MS_TRY(labels, label_dims(equation, shapes));
    if (labels.count > kMaxRank)
        return make_error(ErrorKind::input, MS_TEXT("an einsum of more than {} labels is not here"), kMaxRank);
    for (std::size_t i = 0; i < operands.size(); ++i) {
        MS_TRY(whole, laid_out(operands[i], labels.operands[i], labels.count, run));
        operands[i] = whole;
    }
    return contract_all(operands, labels, run);
}

}  // namespace

void add_einsum(OpTable& table) {
    table.add(
        {"einsum",
         "Products and sums written with a letter for each dim: letters that the output leaves out are summed. A "
         "letter "
         "twice in one operand is its diagonal, ... stands for leading dims that are broadcast. Without -> the output "
         "is every letter that stands once, in alphabetical order.",
         {composed("(str equation, Tensor[...] operands=())", kFunction, einsum)},
         {"torch.einsum('ij,kj->ik', x, y)", "torch.einsum('ij->ji', x)", "torch.einsum('...i,i->...', x, r)",
          "torch.einsum('ij,ij->', x, y)"}});
}

}  // namespace maskscope::ops
