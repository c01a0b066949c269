// SPDX-License-Identifier: Apache-2.0
// New tensors with one value in every element.
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"

#include <algorithm>

namespace maskscope::ops {
using namespace create;
namespace {

// (int[] size, int[]? stride, ScalarType dtype, Scalar value)
Result<Outputs> filled_shape(const Args& args) {
    const DType dtype = *args.dtype(2);
    MS_CHECK(refuse_overflow(args[3], dtype));
    return new_outputs(args);
}

Result<void> fill_new(const Args& args, std::span<Tensor> outputs, Run& /*run*/) {
    const Element element = element_of(args[3], outputs[0].dtype());
    fill_elements(outputs[0], element.data());
    return {};
}

// (int[] size, Scalar fill_value, *, out, dtype ...)
Result<Value> full(const Args& args, Run& run) {
    MS_TRY(shape, new_shape(args.integers(0)));
    MS_TRY(factory, factory_of(args, 3, dtype_of_number(args[1], run.default_dtype), run));
    MS_TRY(made, make_filled(run, shape, args[1], factory.dtype));
    return finished(std::move(made), factory);
}

// (int[] size, *, out, dtype ...)
template <int kValue>
Result<Value> constant(const Args& args, Run& run) {
    const auto sizes = args.integers(0);
    // zeros alone words it in its own way.
    if (kValue == 0 && std::any_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size < 0; }))
        return runtime_error("zeros: Dimension size must be non-negative.");
    MS_TRY(shape, new_shape(sizes));
    MS_TRY(factory, factory_of(args, 2, run.default_dtype, run));
    MS_TRY(made, make_filled(run, shape, kValue, factory.dtype));
    return finished(std::move(made), factory);
}

void note_empty(Run& run) {
    run.note("empty gives zeros here; in PyTorch it holds whatever was in that memory");
}

// (int[] size, *, memory_format, out, dtype ...)
Result<Value> empty(const Args& args, Run& run) {
    MS_TRY(shape, new_shape(args.integers(0)));
    MS_TRY(factory, factory_of(args, 2, run.default_dtype, run));
    MS_TRY(strides, strides_in(shape, args[7]));
    MS_TRY(made, make_filled(run, shape, 0, factory.dtype, &strides));
    note_empty(run);
    return finished(std::move(made), factory);
}

// (Scalar s, *, dtype ...)
Result<Value> scalar_tensor(const Args& args, Run& run) {
    MS_TRY(factory, factory_of(args, 1, run.default_dtype, run));
    if (!is_floating(factory.dtype)) MS_CHECK(refuse_overflow(args[0], factory.dtype));
    // What is too large for a float becomes infinite, where full() refuses.
    MS_TRY(value, number_at(element_of(args[0], factory.dtype).data(), factory.dtype));
    MS_TRY(made, make_filled(run, {}, value, factory.dtype));
    return finished(std::move(made), factory);
}

// (Tensor input, *, memory_format, dtype ...)
Result<VariablePtr> filled_like(const Args& args, const Value& value, int first, Factory& factory, Run& run) {
    const Tensor& like = args.tensor(0);
    MS_TRY(read, factory_of(args, first + 1, like.dtype(), run));
    factory = read;
    MS_TRY(strides, strides_like(like, args[first]));
    return make_filled(run, like.shape(), value, factory.dtype, &strides);
}

template <int kValue>
Result<Value> constant_like(const Args& args, Run& run) {
    Factory factory;
    MS_TRY(made, filled_like(args, kValue, 1, factory, run));
    return finished(std::move(made), factory);
}

Result<Value> empty_like(const Args& args, Run& run) {
    note_empty(run);
    return constant_like<0>(args, run);
}

Result<Value> full_like(const Args& args, Run& run) {
    Factory factory;
    MS_TRY(made, filled_like(args, args[1], 2, factory, run));
    return finished(std::move(made), factory);
}

// (Tensor input, int[] size, *, dtype ...) and, with a value, one later.
Result<Value> new_filled(const Args& args, const Value& value, int first, Run& run) {
    MS_TRY(shape, new_shape(args.integers(1)));
    MS_TRY(factory, factory_of(args, first, args.tensor(0).dtype(), run));
    MS_TRY(made, make_filled(run, shape, value, factory.dtype));
    return finished(std::move(made), factory);
}

template <int kValue>
Result<Value> new_constant(const Args& args, Run& run) {
    return new_filled(args, kValue, 2, run);
}

Result<Value> new_empty(const Args& args, Run& run) {
    note_empty(run);
    return new_filled(args, 0, 2, run);
}

Result<Value> new_full(const Args& args, Run& run) {
    return new_filled(args, args[2], 3, run);
}

}  // namespace

void add_full(OpTable& table) {
    table.add(
        {"full",
         "A new tensor with one number everywhere. Without dtype= the number decides: an int gives int64, a bool "
         "gives bool. A number outside the dtype's range is refused.",
         {computed("(int[] size, int[]? stride, ScalarType dtype, Scalar value)", kInternal, filled_shape, fill_new),
          composed("(int[] size, Scalar fill_value, *, " MS_OUT_KEYWORDS ")", kFunction, full)},
         {"torch.full((2, 3), 0.5)", "torch.full((2,), float('-inf'))", "torch.full((), 7)"}});
    table.add({"zeros",
               "A new tensor of zeros, float32 unless dtype= says otherwise.",
               {composed("(int[] size, *, " MS_OUT_KEYWORDS ")", kFunction, constant<0>)},
               {"torch.zeros(2, 3)", "torch.zeros((2, 0), dtype=torch.bool)"}});
    table.add({"ones",
               "A new tensor of ones, float32 unless dtype= says otherwise; with dtype=torch.bool all True.",
               {composed("(int[] size, *, " MS_OUT_KEYWORDS ")", kFunction, constant<1>)},
               {"torch.ones(2, 3)", "torch.ones(3, dtype=torch.bool)"}});
    table.add({"empty",
               "A new tensor whose values are not set. Here they are zeros; in PyTorch they are whatever was in that "
               "memory, so a script must not read them before it writes them.",
               {composed("(int[] size, *, " MS_OUT_KEYWORDS ", MemoryFormat? memory_format=None)", kFunction, empty)},
               {"torch.empty(2, 3)"}});
    table.add({"scalar_tensor",
               "A tensor without dimensions that holds one number, float32 unless dtype= says otherwise.",
               {composed("(Scalar s, *, " MS_FACTORY_KEYWORDS ")", kFunction, scalar_tensor)},
               {"torch.scalar_tensor(3)"}});
    table.add({"zeros_like",
               "Zeros of the shape and dtype of another tensor, in its order of memory.",
               {composed("(Tensor input, *, " MS_LIKE_KEYWORDS ")", kFunction, constant_like<0>)},
               {"torch.zeros_like(x)", "torch.zeros_like(m)"}});
    table.add({"ones_like",
               "Ones of the shape and dtype of another tensor, in its order of memory.",
               {composed("(Tensor input, *, " MS_LIKE_KEYWORDS ")", kFunction, constant_like<1>)},
               {"torch.ones_like(x, dtype=torch.bool)"}});
    table.add({"empty_like",
               "As empty, with the shape, dtype and order of memory of another tensor.",
               {composed("(Tensor input, *, " MS_LIKE_KEYWORDS ")", kFunction, empty_like)},
               {"torch.empty_like(x)"}});
    table.add({"full_like",
               "One number everywhere, with the shape and dtype of another tensor: for an int64 tensor 2.9 becomes 2, "
               "and -inf is refused.",
               {composed("(Tensor input, Scalar fill_value, *, " MS_LIKE_KEYWORDS ")", kFunction, full_like)},
               {"torch.full_like(x, -1e9)"}});
    table.add({"new_zeros",
               "Zeros of the given size with the dtype of the tensor.",
               {composed("(Tensor input, int[] size, *, " MS_FACTORY_KEYWORDS ")", kMethod, new_constant<0>)},
               {"x.new_zeros(2, 3)"}});
    table.add({"new_ones",
               "Ones of the given size with the dtype of the tensor.",
               {composed("(Tensor input, int[] size, *, " MS_FACTORY_KEYWORDS ")", kMethod, new_constant<1>)},
               {"m.new_ones((2, 3))"}});
    table.add({"new_empty",
               "As empty, with the dtype of the tensor.",
               {composed("(Tensor input, int[] size, *, " MS_FACTORY_KEYWORDS ")", kMethod, new_empty)},
               {"x.new_empty(2)"}});
    table.add(
        {"new_full",
         "One number everywhere, of the given size, with the dtype of the tensor.",
         {composed("(Tensor input, int[] size, Scalar fill_value, *, " MS_FACTORY_KEYWORDS ")", kMethod, new_full)},
         {"x.new_full((2, 3), -1e9)"}});
}

}  // namespace maskscope::ops
