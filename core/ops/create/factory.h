// SPDX-License-Identifier: Apache-2.0
// What functions that make tensors have in common: torch's trailing keywords, sizes, devices and layouts in memory.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/args.h"
#include "core/ops/dispatch/overload.h"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The keywords at the end of such a function, as torch lists them.
#define MS_FACTORY_KEYWORDS                                                                     \
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool pin_memory=False, " \
    "bool requires_grad=False"
#define MS_OUT_KEYWORDS "Tensor? out=None, " MS_FACTORY_KEYWORDS
#define MS_LIKE_KEYWORDS "MemoryFormat? memory_format=None, " MS_FACTORY_KEYWORDS

namespace maskscope::ops::create {

struct Factory {
    DType dtype = DType::f32;
    bool requires_grad = false;
};

// Reads the keywords, whose first (dtype) has the index `first`; `fallback` is the dtype where none is given. A device
// that is not the CPU is noted; requires_grad is refused for what cannot have a gradient.
Result<Factory> factory_of(const Args& args, int first, DType fallback, Run& run);
Result<void> refuse_generator(const Args& args, int index);
// A device by name or number: refuses what torch does not know, notes what is not the CPU.
Result<void> note_device(const Value& device, Run& run);

// What PyTorch has and a script has not: NotImplementedError with a sentence of ours.
Error not_in_scripts(std::string pattern);

// Sizes of a tensor to be made: none negative, not too many, and of a size that can be counted.
Result<Shape> new_shape(std::span<const std::int64_t> sizes);

// The overload of an op that is not part of torch's interface.
Result<VariablePtr> make_by(Run& run, std::string_view op, std::initializer_list<Value> arguments);
// What an internal overload "(int[] size, int[]? stride, ScalarType dtype, ...)" makes; contiguous without strides.
Outputs new_outputs(const Args& args);
// A new tensor with one value in every element; contiguous without strides.
Result<VariablePtr> make_filled(Run& run, const Shape& shape, const Value& value, DType dtype,
                                const Strides* strides = nullptr);
// Sets the flag of a tensor just made.
Value finished(VariablePtr made, const Factory& factory);

// Strides of a tensor that is made after another, as `memory_format=` asks: None and preserve_format follow its order
// of memory.
Result<Strides> strides_like(const Tensor& tensor, const Value& memory_format);
// As strides_like, None standing for row-major order.
Result<Strides> strides_in(const Shape& shape, const Value& memory_format);

// Whether the elements lie as `memory_format=` asks; None and preserve_format mean row-major order.
Result<bool> is_contiguous_in(const Tensor& tensor, const Value& memory_format);

Value value_of(const Dims& dims);
// None for a tensor in row-major order, else its strides: an argument of internal overloads.
Value value_of(const Strides* strides);

}  // namespace maskscope::ops::create
