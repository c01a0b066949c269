// SPDX-License-Identifier: Apache-2.0
// Elements as Python numbers: item, tolist, and what bool(), int(), float(), len() and an index make of a tensor.
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"

#include <cmath>

namespace maskscope::ops {
using namespace create;
namespace {

Result<void> require_data(const Args& args, std::string_view what) {
    if (args.tensor(0).has_data()) return {};
    return needs_data(what);
}

Result<Value> only_number(const Tensor& tensor) {
    return number_at(tensor.data(), tensor.dtype());
}

Result<Value> item(const Args& args, Run& /*run*/) {
    const Tensor& input = args.tensor(0);
    if (input.numel() != 1)
        return runtime_error("a Tensor with {} elements cannot be converted to Scalar", input.numel());
    MS_CHECK(require_data(args, "item()"));
    return only_number(input);
}

Result<Value> nested_list(const Tensor& tensor) {
    if (tensor.rank() == 0) return only_number(tensor);
    std::vector<Value> items;
    items.reserve(static_cast<std::size_t>(tensor.size(0)));
    for (std::int64_t i = 0; i < tensor.size(0); ++i) {
        MS_TRY(value, nested_list(tensor.select(0, i)));
        items.push_back(std::move(value));
    }
    return make_list(std::move(items));
}

Result<Value> tolist(const Args& args, Run& run) {
    MS_CHECK(require_data(args, "tolist()"));
    // A Python number takes many times the room of an element: what would fill the memory is refused before it does.
    const auto bytes = static_cast<std::size_t>(args.tensor(0).numel()) * sizeof(Value);
    const std::size_t budget = run.settings().byte_budget;
    if (budget != 0 && bytes > budget)
        return make_error(ErrorKind::unavailable,
                          MS_TEXT("tolist() of {} elements needs {} bytes, and the script may hold {}"),
                          args.tensor(0).numel(), bytes, budget);
    return nested_list(args.tensor(0));
}

Result<Value> truth(const Args& args, Run& /*run*/) {
    const Tensor& input = args.tensor(0);
    if (input.numel() == 0) return runtime_error("Boolean value of Tensor with no values is ambiguous");
    if (input.numel() > 1) return runtime_error("Boolean value of Tensor with more than one value is ambiguous");
    MS_CHECK(require_data(args, "a condition"));
    return Value(to_double(load_scalar(input.data(), input.dtype())) != 0);
}

Result<Value> one_number(const Args& args, std::string_view what) {
    if (args.tensor(0).numel() != 1) return value_error("only one element tensors can be converted to Python scalars");
    MS_CHECK(require_data(args, what));
    return only_number(args.tensor(0));
}

Result<Value> as_float(const Args& args, Run& /*run*/) {
    MS_TRY(number, one_number(args, "float()"));
    return Value(number.to_double());
}

Result<Value> as_int(const Args& args, Run& /*run*/) {
    MS_TRY(number, one_number(args, "int()"));
    if (number.is_int()) return Value(number.to_int());
    const double value = number.to_double();
    if (std::isnan(value)) return value_error("cannot convert float NaN to integer");
    if (std::isinf(value)) return torch_error("OverflowError", "cannot convert float infinity to integer");
    if (overflows(value, DType::i64)) {
        Error error = input_error(MS_TEXT("{} is beyond the 64-bit integers of a mask script"), value);
        error.type = "OverflowError";
        return error;
    }
    return Value(static_cast<std::int64_t>(value));
}

Result<Value> as_index(const Args& args, Run& /*run*/) {
    const Tensor& input = args.tensor(0);
    if (input.numel() != 1 || is_floating(input.dtype()))
        return type_error("only integer tensors of a single element can be converted to an index");
    MS_CHECK(require_data(args, "an index"));
    MS_TRY(number, only_number(input));
    return Value(number.to_int());
}

Result<Value> length(const Args& args, Run& /*run*/) {
    const Tensor& input = args.tensor(0);
    if (input.rank() == 0) return type_error("len() of a 0-d tensor");
    return Value(input.size(0));
}

Overload internal(Composite composite) {
    return composed("(Tensor input)", kInternal, composite, kQuery);
}

}  // namespace

void add_item(OpTable& table) {
    table.add({"item",
               "The one element as a Python number. A tensor of more elements, or none, is refused.",
               {composed("(Tensor input)", kMethod, item)},
               {"x.sum().item()", "s.item()"}});
    table.add({"tolist",
               "The elements as Python numbers, in lists nested as the dimensions are.",
               {composed("(Tensor input)", kMethod, tolist)},
               {"x.tolist()", "s.tolist()"}});
    // Ahead of the methods of the same names: an internal call takes the first overload that fits.
    table.add({"bool", "", {internal(truth)}, {}});
    table.add({"int", "", {internal(as_int)}, {}});
    table.add({"float", "", {internal(as_float)}, {}});
    table.add({"index", "The one integer of a tensor, where Python wants an index.", {internal(as_index)}, {}});
    table.add({"len", "The size of the first dimension.", {internal(length)}, {}});
}

}  // namespace maskscope::ops
