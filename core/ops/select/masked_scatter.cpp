// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/parallel.h"
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/select/expansion.h"
#include "core/ops/select/row_major.h"
#include "core/ops/select/widths.h"
#include "core/tensor/broadcast.h"

namespace maskscope::ops {
namespace {

Result<Shape> shape_of(const Args& args) {
    const Shape& self = args.tensor(0).shape();
    const Shape& mask = args.tensor(1).shape();
    if (!args.in_place()) return broadcast_shapes(mask, self);
    MS_CHECK(refuse_expansion(args.tensor(1), self));
    return self;
}

Result<Outputs> plan(const Args& args) {
    const Tensor& self = args.tensor(0);
    MS_TRY(shape, shape_of(args));
    const DType source = args.tensor(2).dtype();
    if (source != self.dtype())
        return runtime_error("masked_scatter: expected self and source to have same dtypes but got{} and {}",
                             scalar_type_name(self.dtype()), scalar_type_name(source));
    const DType mask = args.tensor(1).dtype();
    if (mask != DType::boolean)
        return runtime_error("masked_scatter_ only supports boolean masks, but got mask with dtype {}",
                             scalar_type_name(mask));
    return Outputs{{shape, self.dtype(), std::nullopt}};
}

// Returns how many were taken from the source.
template <class T>
std::int64_t scatter_run(const ElementRun& run, const std::byte* source) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    std::int64_t taken = 0;
    for (std::int64_t i = 0; i < run.count; ++i) {
        if (run.data[1][i * run.step[1]] == std::byte{0}) continue;
        put(run.data[0] + i * run.step[0], get<T>(source + taken * kSize));
        ++taken;
    }
    return taken;
}

Result<void> scatter(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& mask = args.tensor(1);
    Tensor& out = outputs.front();
    const auto before = true_counts(mask, out.shape());
    if (args.tensor(2).numel() < before.back())
        return runtime_error("Number of elements of source < number of ones in mask");
    Tensor source = args.tensor(2);
    if (!source.is_contiguous()) {
        MS_TRY(dense, run.allocate(source.shape(), source.dtype()));
        copy_elements(source, dense);
        source = std::move(dense);
    }
    if (!args.in_place()) copy_elements(args.tensor(0), out);
    const Tensor* const operands[] = {&out, &mask};
    const RowMajor places(out.shape(), operands);
    // A source that is the tensor itself is read while it changes, in order.
    const bool in_order = overlap_of(out, source) != Overlap::none;
    with_width(out.dtype(), [&]<class T>(T) {
        const auto scatter_chunk = [&](const Chunk& chunk) {
            auto at = before[static_cast<std::size_t>(chunk.index)];
            places.walk(chunk.begin, chunk.end, [&](const ElementRun& elements) {
                at += scatter_run<T>(elements, source.data() + at * static_cast<std::int64_t>(sizeof(T)));
            });
        };
        if (in_order) {
            scatter_chunk(Chunk{0, 0, places.count()});
        } else {
            parallel_for(Lane::ui, places.count(), kPlaces, scatter_chunk);
        }
    });
    return {};
}

}  // namespace

void add_masked_scatter(OpTable& table) {
    OpSpec spec;
    spec.name = "masked_scatter";
    spec.meaning =
        "Puts the elements of the source, one after the other, where the mask is True: the way back from "
        "masked_select. The source needs no shape, only enough elements, and the order is row by row.";
    spec.overloads = {
        computed("(Tensor input, Tensor mask, Tensor source)", kFunction | kMethod | kInPlace, plan, scatter,
                 kElementwise),
    };
    spec.samples = {"torch.masked_scatter(x, m, y)", "x.masked_scatter(m[:, :1], y * 10)",
                    "x.clone().masked_scatter_(m, x[m] * 2)"};
    table.add(std::move(spec));
}

}  // namespace maskscope::ops
