// SPDX-License-Identifier: Apache-2.0
// Coin throws, and the exponential distribution.
#include "core/ops/create/draw.h"
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/loops/iteration.h"
#include "core/tensor/broadcast.h"

#include <algorithm>
#include <limits>

namespace maskscope::ops {
using namespace create;
namespace {

Result<void> refuse_probability(double p) {
    if (p >= 0 && p <= 1) return {};
    return runtime_error("bernoulli_ expects p to be in [0, 1], but got p={}", short_number(p));
}

Result<void> refuse_probabilities(DType dtype) {
    if (is_floating(dtype) && size_of(dtype) > 1) return {};
    return not_implemented_for("bernoulli_tensor_cpu_p_", dtype);
}

// (Tensor input, *, Generator generator), as a function with out= too: the input holds the probabilities.
Result<Outputs> throws_shape(const Args& args) {
    MS_CHECK(refuse_generator(args, 1));
    const Tensor& input = args.tensor(0);
    MS_CHECK(refuse_probabilities(input.dtype()));
    return Outputs{{input.shape(), input.dtype(), std::nullopt}};
}

// (Tensor input, float p, *, Generator generator)
Result<Outputs> even_shape(const Args& args) {
    MS_CHECK(refuse_generator(args, 2));
    MS_CHECK(refuse_probability(args.number(1)));
    return Outputs{{args.tensor(0).shape(), args.tensor(0).dtype(), std::nullopt}};
}

// (Tensor input, Tensor p, *, Generator generator)
Result<Outputs> each_shape(const Args& args) {
    MS_CHECK(refuse_generator(args, 2));
    const Tensor& input = args.tensor(0);
    MS_CHECK(refuse_probabilities(args.tensor(1).dtype()));
    MS_CHECK(expand(args.tensor(1), input.shape()));
    return Outputs{{input.shape(), input.dtype(), std::nullopt}};
}

// One draw for each element of `out`, compared with the probability at its place: 24 bits of it for what is narrower
// than float64.
template <class Number>
Result<void> fill_throws(const Tensor& probabilities, Tensor& out, Run& run) {
    const Tensor* const operands[] = {&out, &probabilities};
    bool stopped = false;
    bool refused = false;
    const auto fill = [&](const ElementRun& elements) {
        std::array<Number, kBlock> p;
        std::array<std::int64_t, kBlock> thrown;
        for (std::int64_t done = 0; done < elements.count && !stopped && !refused; done += kBlock) {
            const auto count = std::min(kBlock, elements.count - done);
            load_block(elements.data[1] + done * elements.step[1], probabilities.dtype(), elements.step[1], count,
                       p.data());
            for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
                refused = refused || !(p[i] >= 0 && p[i] <= 1);
                thrown[i] = uniform<Number>(run.generator()) < p[i] ? 1 : 0;
            }
            store_block(thrown.data(), out.dtype(), elements.step[0], count,
                        elements.data[0] + done * elements.step[0]);
            stopped = run.context().cancelled();
        }
    };
    for_each_run(operands, fill, std::numeric_limits<std::int64_t>::max());
    if (refused)
        return runtime_error(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If "
            "so, "
            "please report an enhancement request to PyTorch.)");
    if (stopped) return cancelled_error();
    return {};
}

Result<void> fill_by(const Tensor& probabilities, Tensor& out, Run& run) {
    if (probabilities.dtype() == DType::f64) return fill_throws<double>(probabilities, out, run);
    return fill_throws<float>(probabilities, out, run);
}

Result<void> throw_by_input(const Args& args, std::span<Tensor> outputs, Run& run) {
    return fill_by(args.tensor(0), outputs[0], run);
}

Result<void> throw_by_other(const Args& args, std::span<Tensor> outputs, Run& run) {
    return fill_by(args.tensor(1), outputs[0], run);
}

Result<void> throw_evenly(const Args& args, std::span<Tensor> outputs, Run& run) {
    const double p = args.number(1);
    return fill_drawn<std::int64_t>(outputs[0], run, [&](std::span<std::int64_t> block) {
        for (auto& value : block) value = uniform_double(run.generator()) < p ? 1 : 0;
    });
}

// (Tensor input, float lambd, *, Generator generator)
Result<Outputs> exponential_shape(const Args& args) {
    MS_CHECK(refuse_generator(args, 2));
    const Tensor& input = args.tensor(0);
    if (!is_floating(input.dtype()))
        return runtime_error(
            "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you "
            "specified {}",
            scalar_type_name(input.dtype()));
    if (!(args.number(1) > 0))
        return runtime_error("exponential_ expects lambda > 0.0, but found lambda={}", short_number(args.number(1)));
    return Outputs{{input.shape(), input.dtype(), std::nullopt}};
}

Result<void> fill_exponential(const Args& args, std::span<Tensor> outputs, Run& run) {
    const double rate = args.number(1);
    return fill_drawn<double>(outputs[0], run, [&](std::span<double> block) {
        for (auto& value : block) value = exponential(run.generator(), rate);
    });
}

}  // namespace

void add_bernoulli(OpTable& table) {
    table.add(
        {"bernoulli",
         "Throws coins: 1 with the probability that the input holds at that place, else 0. With p= the input gives "
         "only shape and dtype; x.bernoulli_(p) fills x. PyTorch's throws for a seed.",
         {computed("(Tensor input, *, Generator? generator=None, Tensor? out=None)", kFunction, throws_shape,
                   throw_by_input),
          computed("(Tensor input, *, Generator? generator=None)", kMethod, throws_shape, throw_by_input),
          computed("(Tensor input, float p, *, Generator? generator=None)", kFunction | kMethod, even_shape,
                   throw_evenly),
          computed("(Tensor input, Tensor p, *, Generator? generator=None)", kInPlace, each_shape, throw_by_other,
                   kElementwise),
          computed("(Tensor input, float p=0.5, *, Generator? generator=None)", kInPlace, even_shape, throw_evenly,
                   kElementwise)},
         {"torch.bernoulli(x.sigmoid())", "x.sigmoid().bernoulli()", "torch.bernoulli(x, 0.3)",
          "x.clone().bernoulli_(x.sigmoid())", "x.clone().bernoulli_(0.3)"}});
    table.add(
        {"exponential",
         "Fills the tensor with numbers drawn from the exponential distribution of that rate. PyTorch's numbers for "
         "a seed.",
         {computed("(Tensor input, float lambd=1, *, Generator? generator=None)", kInPlace, exponential_shape,
                   fill_exponential, kElementwise)},
         {"x.clone().exponential_()"}});
}

}  // namespace maskscope::ops
