// SPDX-License-Identifier: Apache-2.0
// isin.
#include "core/jobs/parallel.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/loops/copy.h"
#include "core/ops/loops/promotion.h"
#include "core/ops/reduce/axes.h"
#include "core/ops/reduce/keys.h"

#include <algorithm>
#include <vector>

namespace maskscope::ops {
namespace {

DType dtype_of(const Value& value) {
    if (value.is_tensor()) return value.tensor()->tensor.dtype();
    if (value.get_if<bool>() != nullptr) return DType::boolean;
    return value.get_if<double>() != nullptr ? DType::f32 : DType::i64;
}

Typed typed(const Value& value) {
    if (!value.is_tensor()) return {dtype_of(value), Category::python_number};
    return {dtype_of(value), value.tensor()->tensor.rank() == 0 ? Category::zero_dim : Category::dimensioned};
}

Result<void> refuse(DType dtype) {
    if (dtype == DType::boolean)
        return torch_error("NotImplementedError", "Unsupported input type encountered for isin(): {}",
                           scalar_type_name(dtype));
    return refuse_storage_only("isin_default_cpu", dtype);
}

Result<Outputs> shape(const Args& args) {
    MS_CHECK(refuse(dtype_of(args[0])));
    MS_CHECK(refuse(dtype_of(args[1])));
    const Shape shape = args[0].is_tensor() ? args.tensor(0).shape() : Shape();
    return Outputs{{shape, DType::boolean, std::nullopt}};
}

// The elements of a tensor or number, contiguous, in the dtype that both sides are compared in.
Result<Tensor> in_dtype(const Value& value, DType dtype, Run& run) {
    if (value.is_tensor()) {
        const Tensor& tensor = value.tensor()->tensor;
        if (tensor.dtype() == dtype) return tensor.contiguous();
        MS_TRY(copy, run.allocate(tensor.shape(), dtype));
        copy_elements(tensor, copy);
        return std::move(copy);
    }
    MS_TRY(single, run.allocate(Shape(), dtype));
    if (value.get_if<double>() != nullptr)
        store_number(value.to_double(), dtype, single.writable_data());
    else
        store_number(value.to_int(), dtype, single.writable_data());
    return std::move(single);
}

std::vector<std::int64_t> keys_of(const Tensor& contiguous) {
    std::vector<std::int64_t> keys(static_cast<std::size_t>(contiguous.numel()));
    if (!keys.empty())
        load_keys(contiguous.data(), contiguous.dtype(), static_cast<std::int64_t>(size_of(contiguous.dtype())),
                  contiguous.numel(), keys.data());
    return keys;
}

Result<void> kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const DType dtype = result_type({typed(args[0]), typed(args[1])}, run.default_dtype);
    MS_TRY(elements, in_dtype(args[0], dtype, run));
    MS_TRY(members, in_dtype(args[1], dtype, run));
    std::vector<std::int64_t> sorted = keys_of(members);
    // NaN is a member of nothing.
    if (is_floating(dtype)) std::erase(sorted, kNanKey);
    std::sort(sorted.begin(), sorted.end());
    const bool invert = args.flag(3);
    const auto width = static_cast<std::int64_t>(size_of(dtype));
    auto* out = outputs[0].writable_as<std::uint8_t>();
    parallel_for(Lane::ui, elements.numel(), 8192, [&](const Chunk& chunk) {
        std::vector<std::int64_t> keys(static_cast<std::size_t>(chunk.end - chunk.begin));
        load_keys(elements.data() + chunk.begin * width, dtype, width, chunk.end - chunk.begin, keys.data());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const bool found = std::binary_search(sorted.begin(), sorted.end(), keys[i]);
            out[chunk.begin + static_cast<std::int64_t>(i)] = found != invert ? 1 : 0;
        }
    });
    return {};
}

double flops(const Args& args, std::span<const OutSpec> outputs) {
    const double members = args[1].is_tensor() ? static_cast<double>(args.tensor(1).numel()) : 1;
    return static_cast<double>(element_count(outputs[0].shape).value_or(0)) + members;
}

Overload overload_of(std::string_view signature) {
    Overload overload;
    overload.signature = signature;
    overload.forms = kFunction;
    overload.shape = shape;
    overload.kernel = kernel;
    overload.flops = flops;
    return overload;
}

}  // namespace

void add_membership(OpTable& table) {
    table.add(
        {"isin",
         "Which elements occur among the test elements; NaN never does. Bools are refused.",
         {overload_of("(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False, Tensor? "
                      "out=None)"),
          overload_of("(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False, Tensor? "
                      "out=None)"),
          overload_of("(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False, Tensor? "
                      "out=None)")},
         {"torch.isin(i, torch.tensor([0, 2]))", "torch.isin(1, i)", "torch.isin(i, 1, invert=True)"}});
}

}  // namespace maskscope::ops
