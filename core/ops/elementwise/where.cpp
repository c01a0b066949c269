// SPDX-License-Identifier: Apache-2.0
// where(condition, input, other): an element is moved, never multiplied, so that NaN and inf on the other side do no
// harm.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/elementwise/pointwise.h"
#include "core/ops/loops/iteration.h"

#include <algorithm>
#include <cstring>

namespace maskscope::ops {
namespace {

struct Choice {
    Value condition;
    Value input;
    Value other;
};

// The method x.where(condition, other) has its tensor first.
Choice choice_of(const Args& args) {
    if (args.form() == Form::method) return {args[1], args[0], args[2]};
    return {args[0], args[1], args[2]};
}

Result<Outputs> where_output(const Args& args) {
    const Choice choice = choice_of(args);
    const DType condition = choice.condition.tensor()->tensor.dtype();
    if (condition != DType::boolean && condition != DType::u8)
        return runtime_error("where expected condition to be a boolean tensor, but got a tensor with dtype {}",
                             scalar_type_name(condition));
    const DType dtype = result_type({typed_of(choice.input), typed_of(choice.other)});
    const std::array operands = {choice.condition, choice.input, choice.other};
    MS_TRY(out, elementwise_output(operands, dtype, 0));
    // PyTorch lets the 16-bit types overflow to inf here.
    if (!is_floating(dtype) || size_of(dtype) > 2) {
        MS_CHECK(refuse_overflow(choice.input, dtype));
        MS_CHECK(refuse_overflow(choice.other, dtype));
    }
    return std::move(out);
}

// One side of the choice, block by block in the output's dtype.
template <class T>
class Side {
public:
    Side(DType from, DType to) : from_(from), to_(to) {}

    const T* block(const std::byte* first, std::int64_t step, std::int64_t count) {
        constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
        if (from_ == to_ && step == kSize) return reinterpret_cast<const T*>(first);
        const auto distinct = step == 0 ? 1 : count;
        if (from_ == to_) {
            for (std::int64_t i = 0; i < distinct; ++i) std::memcpy(&block_[i], first + i * step, sizeof(T));
        } else if (compute_of(from_) == Compute::i64) {
            convert<std::int64_t>(first, step, distinct);
        } else {
            convert<double>(first, step, distinct);
        }
        if (step == 0) std::fill_n(block_.data() + 1, count - 1, block_[0]);
        return block_.data();
    }

private:
    // A double holds every floating-point number whole, so that there is one rounding only.
    template <class Carrier>
    void convert(const std::byte* first, std::int64_t step, std::int64_t count) {
        std::array<Carrier, kBlock> carried;
        load_block(first, from_, step, count, carried.data());
        store_block(carried.data(), to_, static_cast<std::int64_t>(sizeof(T)), count,
                    reinterpret_cast<std::byte*>(block_.data()));
    }

    DType from_;
    DType to_;
    std::array<T, kBlock> block_;
};

template <class T>
void choose(const ElementRun& run, DType dtype, DType input_dtype, DType other_dtype) {
    Side<T> input(input_dtype, dtype);
    Side<T> other(other_dtype, dtype);
    std::array<T, kBlock> result;
    for (std::int64_t done = 0; done < run.count; done += kBlock) {
        const auto count = std::min(kBlock, run.count - done);
        const auto at = [&](std::size_t k) { return run.data[k] + done * run.step[k]; };
        const T* const yes = input.block(at(2), run.step[2], count);
        const T* const no = other.block(at(3), run.step[3], count);
        const bool straight = run.step[0] == static_cast<std::int64_t>(sizeof(T));
        T* const out = straight ? reinterpret_cast<T*>(at(0)) : result.data();
        const std::byte* const condition = at(1);
        if (run.step[1] == 0) {
            std::copy_n(*condition != std::byte{0} ? yes : no, count, out);
        } else if (run.step[1] == 1) {
            MS_INDEPENDENT
            for (std::int64_t i = 0; i < count; ++i) out[i] = condition[i] != std::byte{0} ? yes[i] : no[i];
        } else {
            for (std::int64_t i = 0; i < count; ++i)
                out[i] = condition[i * run.step[1]] != std::byte{0} ? yes[i] : no[i];
        }
        if (straight) continue;
        for (std::int64_t i = 0; i < count; ++i) std::memcpy(at(0) + i * run.step[0], &out[i], sizeof(T));
    }
}

Result<void> where_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Choice choice = choice_of(args);
    const Tensor& condition = choice.condition.tensor()->tensor;
    if (condition.dtype() == DType::u8)
        run.note(
            "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future "
            "version "
            "of PyTorch. Use a boolean condition instead.");
    MS_TRY(input, tensor_of(choice.input));
    MS_TRY(other, tensor_of(choice.other));
    Tensor& out = outputs[0];
    const Tensor* const operands[] = {&out, &condition, &input, &other};
    for_each_run(operands, [&](const ElementRun& elements) {
        if (run.context().cancelled()) return;
        switch (size_of(out.dtype())) {
            case 1:
                return choose<std::uint8_t>(elements, out.dtype(), input.dtype(), other.dtype());
            case 2:
                return choose<std::uint16_t>(elements, out.dtype(), input.dtype(), other.dtype());
            case 4:
                return choose<std::uint32_t>(elements, out.dtype(), input.dtype(), other.dtype());
            default:
                return choose<std::uint64_t>(elements, out.dtype(), input.dtype(), other.dtype());
        }
    });
    if (run.context().cancelled()) return cancelled_error();
    return {};
}

Overload where(std::string_view signature, unsigned form) {
    Overload out;
    out.signature = signature;
    out.forms = form;
    out.shape = &where_output;
    out.kernel = &where_kernel;
    out.traits = kElementwise;
    return out;
}

}  // namespace

void add_where(OpTable& table) {
    OpSpec spec;
    spec.name = "where";
    spec.meaning =
        "input where the condition is True, else other; all three broadcast and the dtype is promoted. What is not "
        "chosen "
        "does not leak into the result, but a NaN made before it still reaches the gradient.";
    spec.overloads = {where("(Tensor condition, Tensor input, Tensor other, *, Tensor? out=None)", kFunction),
                      where("(Tensor condition, Scalar self, Tensor other)", kFunction),
                      where("(Tensor condition, Tensor input, Scalar other)", kFunction),
                      where("(Tensor condition, Scalar self, Scalar other)", kFunction),
                      where("(Tensor input, Tensor condition, Tensor other)", kMethod),
                      where("(Tensor input, Tensor condition, Scalar other)", kMethod)};
    spec.samples = {"torch.where(m, x, 0.0)",   "torch.where(m, x, y)", "torch.where(m, 1, x)",
                    "torch.where(m, 1.0, 0.0)", "x.where(m, y)",        "x.where(m, -1)"};
    table.add(std::move(spec));
}

}  // namespace maskscope::ops
