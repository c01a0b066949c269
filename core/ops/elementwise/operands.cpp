// SPDX-License-Identifier: Apache-2.0
#include "core/ops/elementwise/operands.h"

#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/loops/iteration.h"
#include "core/tensor/broadcast.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace maskscope::ops {
namespace {

DType number_dtype(const Value& number) {
    if (number.get_if<bool>() != nullptr) return DType::boolean;
    return number.is_int() ? DType::i64 : DType::f64;
}

bool has_arithmetic(DType dtype) {
    return dtype <= DType::f64;
}

double lowest_of(DType dtype) {
    if (dtype == DType::u8) return 0;
    return is_floating(dtype) ? -largest_finite(dtype) : -largest_finite(dtype) - 1;
}

DType promoted_dtype(std::span<const Value> operands) {
    std::array<Typed, 4> typed;
    std::size_t count = 0;
    for (const auto& operand : operands) typed[count++] = typed_of(operand);
    return result_type(std::span<const Typed>(typed.data(), count));
}

}  // namespace

Typed typed_of(const Value& value) {
    const auto& variable = value.tensor();
    if (!variable) return {number_dtype(value), Category::python_number};
    return {variable->tensor.dtype(), variable->tensor.rank() == 0 ? Category::zero_dim : Category::dimensioned};
}

Result<Tensor> tensor_of(const Value& value) {
    if (const auto& variable = value.tensor()) return variable->tensor;
    const DType dtype = number_dtype(value);
    MS_TRY(out, Tensor::uninitialised({}, dtype));
    if (is_floating(dtype)) {
        store_number(value.to_double(), dtype, out.writable_data());
    } else {
        store_number(value.to_int(), dtype, out.writable_data());
    }
    return std::move(out);
}

bool is_single(const Value& value) {
    return !value.is_tensor() || value.tensor()->tensor.numel() == 1;
}

Result<DType> compute_dtype(std::span<const Value> operands, Takes takes, std::string_view stub) {
    const DType common = promoted_dtype(operands);
    const bool integer = is_integer(common);
    const bool boolean = common == DType::boolean;
    if (takes == Takes::promoted && (integer || boolean)) return DType::f32;
    const bool taken = takes == Takes::all || (takes == Takes::numbers && !boolean) ||
                       (takes == Takes::bits && (integer || boolean)) || (takes == Takes::integers && integer) ||
                       ((takes == Takes::floating || takes == Takes::promoted) && is_floating(common));
    if (!taken || !has_arithmetic(common)) return not_implemented_for(stub, common);
    return common;
}

Result<Shape> common_shape(std::span<const Value> operands) {
    Shape shape;
    for (const auto& operand : operands) {
        if (!operand.is_tensor()) continue;
        MS_TRY(wider, broadcast_shapes(shape, operand.tensor()->tensor.shape()));
        shape = wider;
    }
    return shape;
}

Result<Outputs> elementwise_output(std::span<const Value> operands, DType common, int kept) {
    MS_TRY(shape, common_shape(operands));
    // A number is a 0-dim operand here: PyTorch's rule for strides asks whether all shapes are the same. An operand of
    // another dtype is converted before, which leaves no gaps and no repeats in it.
    std::array<Tensor, 4> inputs;
    std::array<const Tensor*, 4> pointers{};
    std::size_t count = 0;
    for (const auto& operand : operands) {
        Tensor& input = inputs[count];
        pointers[count] = &input;
        const bool as_it_is = static_cast<int>(count++) == kept;
        if (operand.is_tensor() && (as_it_is || operand.tensor()->tensor.dtype() == common)) {
            input = operand.tensor()->tensor;
            continue;
        }
        const Shape own = operand.is_tensor() ? operand.tensor()->tensor.shape() : Shape();
        const Strides strides = operand.is_tensor() ? preserved_strides(operand.tensor()->tensor) : Strides();
        MS_TRY(converted, Tensor::shapes_only(own, common, &strides));
        input = converted;
    }
    return Outputs{{shape, common, elementwise_strides(shape, std::span<const Tensor* const>(pointers.data(), count))}};
}

Result<Outputs> elementwise_output(const Args& args, std::span<const Value> operands, Takes takes,
                                   std::string_view stub, bool is_test) {
    const auto common = compute_dtype(operands, takes, stub);
    MS_TRY(out, elementwise_output(operands, common ? *common : DType::f32));
    if (!common) {
        const DType promoted = promoted_dtype(operands);
        if (!cannot_be_stored(args, promoted)) return common.error();
        out.front().dtype = promoted;
        return std::move(out);
    }
    if (is_test) out.front().dtype = DType::boolean;
    return std::move(out);
}

bool cannot_be_stored(const Args& args, DType dtype) {
    return args.in_place() && !can_cast(dtype, args.tensor(0).dtype());
}

Result<void> check_bounds(const Value& low, const Value& high, DType dtype) {
    if (is_floating(dtype)) {
        MS_CHECK(refuse_overflow(low, dtype));
        return refuse_overflow(high, dtype);
    }
    if (dtype == DType::i64) return {};
    if (low.is_number() && low.to_double() > largest_finite(dtype))
        return runtime_error("Clamp min value {} is outside the representable range of {}",
                             short_number(low.to_double()), scalar_type_name(dtype));
    if (high.is_number() && high.to_double() < lowest_of(dtype))
        return runtime_error("Clamp max value {} is outside the representable range of {}",
                             short_number(high.to_double()), scalar_type_name(dtype));
    return {};
}

std::int64_t cut_to(DType dtype, const Value& number) {
    const Element element = element_of(number, dtype);
    std::int64_t out = 0;
    load_block(element.data(), dtype, 0, 1, &out);
    return out;
}

}  // namespace maskscope::ops
