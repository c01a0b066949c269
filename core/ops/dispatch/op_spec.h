// SPDX-License-Identifier: Apache-2.0
// One op: what it means, PyTorch's signatures for it, and for each of them the rule for shapes and the way to compute.
// Everything else (binding, in-place forms, allocation, refusals, trace) is derived by the dispatcher.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/args.h"
#include "core/ops/dispatch/value.h"
#include "core/tensor/tensor.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope::ops {

class Run;
struct Schema;

struct OutSpec {
    Shape shape;
    DType dtype = DType::f32;
    std::optional<Strides> strides;  // missing: contiguous
};
using Outputs = std::vector<OutSpec>;

// Says what comes out, or refuses in PyTorch's words, before anything is allocated. It may read the data of its inputs
// only in a data-dependent overload (nonzero): there the dispatcher has made sure that they have data.
using ShapeRule = Result<Outputs> (*)(const Args& args);
// Writes every element of the outputs, which have the planned shapes and dtypes and *any* strides (in place, an output
// is the user's tensor). Errors only for what data alone shows (an index out of range).
using Kernel = Result<void> (*)(const Args& args, std::span<Tensor> outputs, Run& run);
// A tensor on the storage of the first tensor argument; nullopt when no view can do it (reshape) and the kernel or
// composite must. A view equal to its input in every respect is still a view (x.view_as(x)).
using ViewRule = Result<std::optional<Tensor>> (*)(const Args& args);
// Several views at once (split, unbind, chunk).
using ViewsRule = Result<std::vector<Tensor>> (*)(const Args& args);
// Built of other ops; also for what gives no tensor (item, size) or returns its input itself (contiguous, to).
using Composite = Result<Value> (*)(const Args& args, Run& run);
// Floating-point operations; without a rule one for each output element.
using FlopsRule = double (*)(const Args& args, std::span<const OutSpec> outputs);

enum Trait : unsigned {
    // Each output element depends on the input elements at its own (broadcast) place only: the kernel may write into
    // its
    // own input, so that in-place forms need no temporary.
    kElementwise = 1,
    // The output starts as a copy of the first tensor argument (in place: is it) and the kernel changes parts: scatter.
    // The shape rule must give the first argument's shape and dtype.
    kUpdates = 2,
    // The output's shape depends on values.
    kDataDependent = 4,
    // A plain Python function in PyTorch: wrong arguments are told in Python's words, not the argument parser's.
    kPythonDefined = 8,
    // x += y may enlarge nothing but may write an expanded x with a warning only (masked_fill_).
    kAllowsExpandedSelf = 16,
    // Gives its first argument itself, changed in flags or metadata only (requires_grad_, squeeze_): never a write.
    kNoWrite = 32,
    // Numbers drawn at random with torch's distribution, not its sequence; the trace says so.
    kOwnRandom = 64,
    // Costs nothing, is no step of the trace (size, dim, dtype, is_contiguous).
    kQuery = 128,
    // torch has an old form beside this one which it does not list: its parser then speaks as for several overloads.
    kHasDeprecatedForm = 256,
};

struct Overload {
    // PyTorch's parameters: "(Tensor input, Tensor mask, Scalar value)", "(Tensor input, int dim, bool keepdim=False)",
    // "(Tensor input, int[1]? dim=None, *, ScalarType? dtype=None)". Types: Tensor, Tensor?, Tensor[], Scalar, int,
    // float, bool, str, TensorOrScalar (torch wraps a Python number given for a Tensor of add, mul ...), int[] (int[1]:
    // one int will do; int[...]: the numbers may be written out, x.view(2, 3)), ScalarType, Device, Any; a ? after the
    // type admits None. The first parameter is `self` of methods.
    std::string_view signature;
    unsigned forms = 0;  // Form, or-ed
    ViewRule view = nullptr;
    ViewsRule views = nullptr;
    ShapeRule shape = nullptr;  // with kernel
    Kernel kernel = nullptr;
    Composite composite = nullptr;
    unsigned traits = 0;
    FlopsRule flops = nullptr;
    // Field names of several outputs: {"values", "indices"}; empty: a plain tuple.
    std::vector<std::string_view> returns;
    // Parsed from the signature by OpTable::add.
    std::shared_ptr<const Schema> schema = nullptr;
};

struct OpSpec {
    std::string_view name;     // torch's, without the underscore: "masked_fill"
    std::string_view meaning;  // one to three sentences for help, in the user's words; says what surprises people
    std::vector<Overload> overloads;
    // Runnable expressions over x, y (float32 [3, 4], finite), m (bool [3, 4]), r (float32 [4]), i (int64 [3, 4],
    // values 0..2), s (0-dim float32): what help shows and what the registry tests run contiguous, strided, empty and
    // non-finite.
    std::vector<std::string_view> samples;
};

constexpr unsigned kFunction = static_cast<unsigned>(Form::function);
constexpr unsigned kMethod = static_cast<unsigned>(Form::method);
constexpr unsigned kInPlace = static_cast<unsigned>(Form::in_place);
constexpr unsigned kFunctional = static_cast<unsigned>(Form::functional);
constexpr unsigned kProperty = static_cast<unsigned>(Form::property);
constexpr unsigned kInternal = static_cast<unsigned>(Form::internal);

class OpTable {
public:
    // A name added twice gets the overloads of both, in order (a second family may add the functional form).
    void add(OpSpec spec);
    const OpSpec* find(std::string_view name) const;
    // With an overload of that form ("softmax" as functional).
    const OpSpec* find(std::string_view name, Form form) const;
    // By name.
    const std::map<std::string_view, OpSpec>& all() const { return specs_; }

private:
    std::map<std::string_view, OpSpec> specs_;
};

}  // namespace maskscope::ops
