// SPDX-License-Identifier: Apache-2.0
// Evenly spaced numbers, both ends included: linspace and, as exponents, logspace.
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope::ops {
using namespace create;
namespace {

// (Scalar start, Scalar end, int steps, ScalarType dtype)
Result<Outputs> spaced_shape(const Args& args, std::string_view kernel) {
    const DType dtype = *args.dtype(3);
    if (args.integer(2) < 0) return runtime_error("number of steps must be non-negative");
    if (dtype == DType::boolean) return not_implemented_for(kernel, dtype);
    MS_TRY(shape, new_shape(std::array{args.integer(2)}));
    for (int i = 0; i < 2; ++i) MS_CHECK(refuse_overflow(args[i], dtype));
    return Outputs{{shape, dtype, std::nullopt}};
}

Result<Outputs> linear_shape(const Args& args) {
    return spaced_shape(args, "linspace_cpu");
}

Result<Outputs> powers_shape(const Args& args) {
    return spaced_shape(args, "logspace_cpu");
}

// Both halves count from their own end, so that each end is met exactly. Number: what PyTorch computes the dtype in.
template <class Number>
class Spaced {
public:
    Spaced(const Args& args, DType dtype) : steps_(args.integer(2)) {
        // The ends are elements of the dtype before anything is computed.
        const auto rounded = [&](const Value& number) {
            const Element element = element_of(number, dtype);
            Number value = 0;
            load_block(element.data(), dtype, static_cast<std::int64_t>(size_of(dtype)), 1, &value);
            return value;
        };
        start_ = rounded(args[0]);
        end_ = rounded(args[1]);
        step_ = steps_ > 1 ? (end_ - start_) / static_cast<Number>(steps_ - 1) : Number{0};
    }
    Number at(std::int64_t i) const {
        if (steps_ == 1) return start_;
        if (i < steps_ / 2) return std::fma(step_, static_cast<Number>(i), start_);
        return std::fma(-step_, static_cast<Number>(steps_ - 1 - i), end_);
    }

private:
    std::int64_t steps_;
    Number start_ = 0;
    Number end_ = 0;
    Number step_ = 0;
};

template <class Number, class Compute>
Result<void> fill_each(Tensor& out, Run& run, Compute compute) {
    const auto size = static_cast<std::int64_t>(size_of(out.dtype()));
    std::array<Number, kBlock> block;
    for (std::int64_t begin = 0; begin < out.numel(); begin += kBlock) {
        if (run.context().cancelled()) return cancelled_error();
        const auto count = std::min(kBlock, out.numel() - begin);
        for (std::int64_t i = 0; i < count; ++i) block[static_cast<std::size_t>(i)] = compute(begin + i);
        store_block(block.data(), out.dtype(), size, count, out.writable_data() + begin * size);
    }
    return {};
}

bool in_float(DType dtype) {
    return is_floating(dtype) && dtype != DType::f64;
}

Result<void> fill_linear(const Args& args, std::span<Tensor> outputs, Run& run) {
    Tensor& out = outputs[0];
    if (in_float(out.dtype())) {
        const Spaced<float> spaced(args, out.dtype());
        return fill_each<float>(out, run, [&](std::int64_t i) { return spaced.at(i); });
    }
    const Spaced<double> spaced(args, out.dtype());
    return fill_each<double>(out, run, [&](std::int64_t i) { return spaced.at(i); });
}

Result<void> fill_powers(const Args& args, std::span<Tensor> outputs, Run& run) {
    Tensor& out = outputs[0];
    const Spaced<double> spaced(args, out.dtype());
    const double base = args.number(4);
    return fill_each<double>(out, run, [&](std::int64_t i) { return std::pow(base, spaced.at(i)); });
}

// An end given as a tensor is its one number.
Result<Value> end_of(const Args& args, int index, std::string_view op, std::string_view word) {
    if (!args[index].is_tensor()) return args[index];
    const Tensor& tensor = args.tensor(index);
    if (tensor.rank() != 0)
        return runtime_error("{} only supports 0-dimensional start and end tensors, but got {} with {} dimension(s).",
                             op, word, tensor.rank());
    if (!tensor.has_data()) return needs_data(op);
    return number_at(tensor.data(), tensor.dtype());
}

Result<Value> linspace(const Args& args, Run& run) {
    MS_TRY(start, end_of(args, 0, "linspace", "start"));
    MS_TRY(end, end_of(args, 1, "linspace", "end"));
    MS_TRY(factory, factory_of(args, 4, run.default_dtype, run));
    MS_TRY(made, make_by(run, "linspace", {start, end, args[2], factory.dtype}));
    return finished(std::move(made), factory);
}

Result<Value> logspace(const Args& args, Run& run) {
    MS_TRY(start, end_of(args, 0, "logspace", "start"));
    MS_TRY(end, end_of(args, 1, "logspace", "end"));
    MS_TRY(factory, factory_of(args, 5, run.default_dtype, run));
    MS_TRY(made, make_by(run, "logspace", {start, end, args[2], factory.dtype, args[3]}));
    return finished(std::move(made), factory);
}

}  // namespace

void add_linspace(OpTable& table) {
    table.add(
        {"linspace",
         "The given count of evenly spaced numbers from start to end, both included. float32 unless dtype= says "
         "otherwise, even between whole numbers.",
         {computed("(Scalar start, Scalar end, int steps, ScalarType dtype)", kInternal, linear_shape, fill_linear),
          composed("(Tensor start, Tensor end, int steps, *, " MS_OUT_KEYWORDS ")", kFunction, linspace),
          composed("(Scalar start, Tensor end, int steps, *, " MS_OUT_KEYWORDS ")", kFunction, linspace),
          composed("(Tensor start, Scalar end, int steps, *, " MS_OUT_KEYWORDS ")", kFunction, linspace),
          composed("(Scalar start, Scalar end, int steps, *, " MS_OUT_KEYWORDS ")", kFunction, linspace)},
         {"torch.linspace(s, s, 3)", "torch.linspace(0, s, 3)", "torch.linspace(s, 1, 3)", "torch.linspace(0, 1, 5)"}});
    table.add({"logspace",
               "Powers of base whose exponents are evenly spaced from start to end, both included.",
               {computed("(Scalar start, Scalar end, int steps, ScalarType dtype, float base)", kInternal, powers_shape,
                         fill_powers),
                composed("(Tensor start, Tensor end, int steps, float base=10.0, *, " MS_OUT_KEYWORDS ")", kFunction,
                         logspace),
                composed("(Scalar start, Tensor end, int steps, float base=10.0, *, " MS_OUT_KEYWORDS ")", kFunction,
                         logspace),
                composed("(Tensor start, Scalar end, int steps, float base=10.0, *, " MS_OUT_KEYWORDS ")", kFunction,
                         logspace),
                composed("(Scalar start, Scalar end, int steps, float base=10.0, *, " MS_OUT_KEYWORDS ")", kFunction,
                         logspace)},
               {"torch.logspace(s, s, 3)", "torch.logspace(0, s, 3)", "torch.logspace(s, 1, 3)",
                "torch.logspace(0, 2, 3, base=2)"}});
}

}  // namespace maskscope::ops
