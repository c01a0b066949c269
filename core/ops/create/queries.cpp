// SPDX-License-Identifier: Apache-2.0
// What a tensor says about itself, without touching its elements.
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"

#include <array>

namespace maskscope::ops {
using namespace create;
namespace {

Value as_tuple(const Dims& dims) {
    std::vector<Value> items;
    for (const auto stride : dims) items.emplace_back(stride);
    return make_tuple(std::move(items));
}

Value as_size(const Shape& shape) {
    return make_size({shape.begin(), shape.end()});
}

Result<int> dim_of(const Tensor& tensor, std::int64_t dim) {
    const int rank = tensor.rank();
    if (rank == 0) return index_error("Dimension specified as {} but tensor has no dimensions", dim);
    if (dim < -rank || dim >= rank) return dimension_out_of_range(rank, dim);
    return static_cast<int>(dim < 0 ? dim + rank : dim);
}

Result<Value> size(const Args& args, Run& /*run*/) {
    if (!args.given(1)) return as_size(args.tensor(0).shape());
    MS_TRY(dim, dim_of(args.tensor(0), args.integer(1)));
    return Value(args.tensor(0).size(dim));
}

Result<Value> stride(const Args& args, Run& /*run*/) {
    if (!args.given(1)) return as_tuple(args.tensor(0).strides());
    MS_TRY(dim, dim_of(args.tensor(0), args.integer(1)));
    return Value(args.tensor(0).strides()[dim]);
}

Result<Value> is_contiguous(const Args& args, Run& /*run*/) {
    MS_TRY(answer, is_contiguous_in(args.tensor(0), args[1]));
    return Value(answer);
}

Value shape(const Variable& v) {
    return as_size(v.tensor.shape());
}
Value rank(const Variable& v) {
    return v.tensor.rank();
}
Value count(const Variable& v) {
    return v.tensor.numel();
}
Value item_size(const Variable& v) {
    return static_cast<std::int64_t>(size_of(v.tensor.dtype()));
}
Value bytes(const Variable& v) {
    return static_cast<std::int64_t>(v.tensor.byte_size());
}
Value offset(const Variable& v) {
    return v.tensor.offset();
}
// Stands for the address of the first element: equal for tensors that begin at the same place.
Value address(const Variable& v) {
    const auto storage = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(v.tensor.storage().get()));
    return storage + v.tensor.offset() * static_cast<std::int64_t>(size_of(v.tensor.dtype()));
}
Value dtype(const Variable& v) {
    return v.tensor.dtype();
}
Value device(const Variable& /*v*/) {
    return Device{"cpu"};
}
Value layout(const Variable& /*v*/) {
    return "torch.strided";
}
Value device_index(const Variable& /*v*/) {
    return -1;
}
Value yes(const Variable& /*v*/) {
    return true;
}
Value no(const Variable& /*v*/) {
    return false;
}
Value is_view(const Variable& v) {
    return v.base != nullptr;
}
Value base(const Variable& v) {
    return v.base ? Value(v.base) : Value();
}
Value version(const Variable& v) {
    return static_cast<std::int64_t>(v.tensor.storage()->version());
}

template <Value (*kAsk)(const Variable&)>
Result<Value> answer(const Args& args, Run& /*run*/) {
    return kAsk(*args.variable(0));
}

struct Query {
    std::string_view name;
    unsigned forms;
    Composite composite;
    std::string_view sample;
    std::string_view meaning;
};

constexpr std::array<Query, 21> kQueries = {{
    {"shape", kProperty, answer<shape>, "x.shape", "The sizes of the dimensions, outermost first."},
    {"ndim", kProperty, answer<rank>, "x.ndim", "The number of dimensions."},
    {"dim", kMethod, answer<rank>, "x.dim()", "The number of dimensions."},
    {"ndimension", kMethod, answer<rank>, "x.ndimension()", "The number of dimensions."},
    {"numel", kFunction | kMethod, answer<count>, "x.numel()", "The number of elements."},
    {"nelement", kMethod, answer<count>, "x.nelement()", "The number of elements."},
    {"element_size", kMethod, answer<item_size>, "x.element_size()", "The bytes of one element."},
    {"itemsize", kProperty, answer<item_size>, "x.itemsize", "The bytes of one element."},
    {"nbytes", kProperty, answer<bytes>, "x.nbytes",
     "The bytes of all elements, as if none were shared: an expanded tensor takes less memory than it says."},
    {"storage_offset", kMethod, answer<offset>, "x[1].storage_offset()",
     "How many elements of the memory lie before the first one: views start later than what they view."},
    {"data_ptr", kMethod, answer<address>, "x.data_ptr() == x.view(-1).data_ptr()",
     "A number that is equal for tensors whose first elements are the same place in memory."},
    {"dtype", kProperty, answer<dtype>, "x.dtype", "The type of the elements."},
    {"device", kProperty, answer<device>, "x.device", "Where the tensor lies: the CPU."},
    {"layout", kProperty, answer<layout>, "x.layout", "torch.strided: sparse layouts are not part of the mask script."},
    {"get_device", kMethod, answer<device_index>, "x.get_device()", "The number of the GPU, -1 for the CPU."},
    {"is_cuda", kProperty, answer<no>, "x.is_cuda", "False: everything lies in the memory of the CPU."},
    {"is_cpu", kProperty, answer<yes>, "x.is_cpu", "True: everything lies in the memory of the CPU."},
    {"_is_view", kMethod, answer<is_view>, "x[0]._is_view()", "Whether the tensor was made as a view of another."},
    {"_base", kProperty, answer<base>, "x.t()._base", "The tensor that owns the memory of this view; None for others."},
    {"_version", kProperty, answer<version>, "x._version",
     "How often this memory was written in place, through any tensor that shares it."},
    {"is_sparse", kProperty, answer<no>, "x.is_sparse", "False: sparse tensors are not part of the mask script."},
}};

}  // namespace

void add_queries(OpTable& table) {
    for (const auto& query : kQueries)
        table.add({query.name,
                   query.meaning,
                   {composed("(Tensor input)", query.forms, query.composite, kQuery)},
                   {query.sample}});
    table.add({"size",
               "The sizes of all dimensions, or of one.",
               {composed("(Tensor input, int? dim=None)", kMethod, size, kQuery)},
               {"x.size()", "x.size(-1)"}});
    table.add(
        {"stride",
         "How many elements apart in memory two neighbours along a dimension lie; 0 where one element is repeated.",
         {composed("(Tensor input, int? dim=None)", kMethod, stride, kQuery)},
         {"x.stride()", "x.t().stride(0)"}});
    table.add({"is_contiguous",
               "Whether the elements lie in row-major order without gaps.",
               {composed("(Tensor input, *, MemoryFormat? memory_format=None)", kMethod, is_contiguous, kQuery)},
               {"x.is_contiguous()", "x.t().is_contiguous()"}});
}

}  // namespace maskscope::ops
