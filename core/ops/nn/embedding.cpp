// SPDX-License-Identifier: Apache-2.0
// one_hot and embedding: indices become rows.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/nn/gradient.h"

namespace maskscope::ops {
namespace {

Value list_of(const Shape& shape) {
    std::vector<Value> items;
    for (const auto size : shape) items.emplace_back(size);
    return make_list(std::move(items));
}

// --- one_hot ---

Result<std::int64_t> extreme(const VariablePtr& input, const char* op, Run& run) {
    MS_TRY(found, run.tensor(op, {input}));
    if (!found->tensor.has_data()) return needs_data("one_hot()");
    return static_cast<std::int64_t>(to_double(found->tensor.at({})));
}

Result<std::int64_t> class_count(const VariablePtr& input, std::int64_t wanted, Run& run) {
    if (input->tensor.numel() == 0) {
        if (wanted <= 0) return runtime_error("Can not infer total number of classes from empty tensor.");
        return wanted;
    }
    auto lowest = extreme(input, "min", run);
    // Of shapes alone a given number is believed.
    if (!lowest && is_needs_data(lowest.error()) && wanted > 0) return wanted;
    if (!lowest) return std::move(lowest).error();
    if (*lowest < 0) return runtime_error("Class values must be non-negative.");
    MS_TRY(highest, extreme(input, "max", run));
    if (wanted == -1) return highest + 1;
    if (highest >= wanted) return runtime_error("Class values must be smaller than num_classes.");
    return wanted;
}

Result<Value> one_hot(const Args& args, Run& run) {
    const VariablePtr& input = args.variable(0);
    if (input->tensor.dtype() != DType::i64)
        return runtime_error("one_hot is only applicable to index tensor of type LongTensor.");
    MS_TRY(classes, class_count(input, args.integer(1), run));
    Shape shape = input->tensor.shape();
    shape.push_back(classes);
    MS_TRY(out, run.tensor("zeros", {list_of(shape)}, {{"dtype", DType::i64}}));
    if (input->tensor.numel() == 0) return Value(out);
    MS_TRY(index, run.tensor("unsqueeze", {input, -1}));
    MS_TRY(filled, run.tensor("scatter", {out, -1, index, 1}));
    return Value(filled);
}

// --- embedding ---

Result<void> check_embedding(const Tensor& indices, const Tensor& weight) {
    if (weight.rank() != 2) return runtime_error("'weight' must be 2-D");
    if (indices.dtype() == DType::i64 || indices.dtype() == DType::i32) return {};
    const std::string found = indices.dtype() == DType::boolean
                                  ? "CPUBoolType"
                                  : fmt::format("torch.{}Tensor", scalar_type_name(indices.dtype()));
    return runtime_error(
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got {} "
        "instead (while checking arguments for embedding)",
        found);
}

// padding: the row that learns nothing; -1 for none.
Result<Value> rows_of(const VariablePtr& weight, const VariablePtr& indices, std::int64_t padding, Run& run) {
    MS_CHECK(check_embedding(indices->tensor, weight->tensor));
    MS_TRY(flat, run.tensor("reshape", {indices, make_list({-1})}));
    MS_TRY(rows, run.tensor("index_select", {weight, 0, flat}));
    Shape shape = indices->tensor.shape();
    shape.push_back(weight->tensor.size(1));
    MS_TRY(out, run.tensor("view", {rows, list_of(shape)}));
    out->base = nullptr;  // nobody else sees the rows
    if (padding < 0 || !wants_gradient(run, {weight})) return Value(out);
    MS_TRY(is_padding, run.tensor("eq", {indices, padding}));
    MS_TRY(column, run.tensor("unsqueeze", {is_padding, -1}));
    MS_TRY(constant, run.tensor("detach", {out}));
    MS_TRY(mixed, run.tensor("where", {column, constant, out}));
    return Value(mixed);
}

// F.embedding(input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
Result<Value> embedding(const Args& args, Run& run) {
    std::int64_t padding = -1;
    if (args.given(2)) {
        const Tensor& weight = args.tensor(1);
        const std::int64_t rows = weight.rank() == 0 ? 0 : weight.size(0);
        padding = args.integer(2);
        if (weight.rank() != 2) return runtime_error("'weight' must be 2-D");
        if (padding >= rows || padding < -rows)
            return torch_error("AssertionError", "Padding_idx must be within num_embeddings");
        if (padding < 0) padding += rows;
    }
    if (args.given(3))
        return make_error(ErrorKind::input,
                          MS_TEXT("embedding(max_norm=...) changes the weight while reading it; that is not here"));
    return rows_of(args.variable(1), args.variable(0), padding, run);
}

// torch.embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse)
Result<Value> embedding_of(const Args& args, Run& run) {
    return rows_of(args.variable(0), args.variable(1), args.integer(2), run);
}

}  // namespace

void add_embedding(OpTable& table) {
    table.add({"one_hot",
               "One more dim, with 1 at the class and 0 elsewhere, as int64. Without num_classes it is the largest "
               "value plus "
               "one, so the shape depends on the data. Negative values such as an ignore index are refused.",
               {composed("(Tensor input, int num_classes=-1)", kFunctional, one_hot)},
               {"F.one_hot(i)", "F.one_hot(i, num_classes=5)"}});
    table.add(
        {"embedding",
         "The rows of weight that the indices name. padding_idx changes no value: it only keeps that row from "
         "learning.",
         {composed("(Tensor input, Tensor weight, int? padding_idx=None, float? max_norm=None, float norm_type=2.0, "
                   "bool scale_grad_by_freq=False, bool sparse=False)",
                   kFunctional, embedding, kPythonDefined),
          composed("(Tensor weight, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False, bool "
                   "sparse=False)",
                   kFunction, embedding_of)},
         {"F.embedding(i, x)", "torch.embedding(x, i)"}});
}

}  // namespace maskscope::ops
