// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/parallel.h"
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/iteration.h"
#include "core/ops/select/aliasing.h"
#include "core/ops/select/index_plan.h"
#include "core/ops/select/row_major.h"
#include "core/ops/select/seen_as.h"
#include "core/ops/select/widths.h"

#include <atomic>

namespace maskscope::ops {
namespace {

Result<void> check_index(const Tensor& index, std::string_view name) {
    if (index.dtype() == DType::i64) return {};
    return runtime_error("{}(): Expected a long tensor for index, but got {}", name, scalar_type_name(index.dtype()));
}

// The byte offsets of elements counted in row-major order, whatever the strides; int64 in the shape of the index.
Result<Tensor> flat_offsets(const Tensor& self, const Tensor& index, Run& run) {
    MS_TRY(offsets, run.allocate(index.shape(), DType::i64));
    const std::int64_t count = self.numel();
    const auto size = static_cast<std::int64_t>(size_of(self.dtype()));
    const bool is_dense = self.is_contiguous();
    const Tensor* const operands[] = {&offsets, &index};
    const RowMajor places(index.shape(), operands);
    std::atomic<bool> is_bad{false};
    const auto offset_of = [&](std::int64_t place) {
        if (place < 0) place += count;
        if (place < 0 || place >= count) {
            is_bad = true;
            return std::int64_t{0};
        }
        if (is_dense) return place * size;
        std::int64_t offset = 0;
        for (int d = self.rank() - 1; d >= 0; --d) {
            offset += place % self.size(d) * self.strides()[d];
            place /= self.size(d);
        }
        return offset * size;
    };
    parallel_for(Lane::ui, places.count(), kPlaces, [&](const Chunk& chunk) {
        places.walk(chunk.begin, chunk.end, [&](const ElementRun& chosen) {
            for (std::int64_t i = 0; i < chosen.count; ++i)
                put(chosen.data[0] + i * chosen.step[0],
                    offset_of(get<std::int64_t>(chosen.data[1] + i * chosen.step[1])));
        });
    });
    if (!is_bad) return offsets;
    std::int64_t bad = 0;
    const auto is_inside = [&](std::int64_t place) { return place >= -count && place < count; };
    places.walk(0, places.count(), [&](const ElementRun& chosen) {
        for (std::int64_t i = 0; i < chosen.count && is_inside(bad); ++i)
            bad = get<std::int64_t>(chosen.data[1] + i * chosen.step[1]);
    });
    return index_error("out of range: tried to access index {} on a tensor of {} elements.", bad, count);
}

// The first element of self, repeated in the shape of the index: the place that the offsets count from.
Tensor first_element(const Tensor& self, const Shape& shape) {
    return seen_as(self, shape, Dims::filled(shape.rank(), 0));
}

Result<Outputs> plan_take(const Args& args) {
    const Tensor& index = args.tensor(1);
    MS_CHECK(check_index(index, "take"));
    if (args.tensor(0).numel() == 0 && index.numel() > 0)
        return index_error("take(): tried to take from an empty tensor");
    return Outputs{{index.shape(), args.tensor(0).dtype(), std::nullopt}};
}

Result<void> take(const Args& args, std::span<Tensor> outputs, Run& run) {
    if (outputs.front().numel() == 0) return {};
    MS_TRY(offsets, flat_offsets(args.tensor(0), args.tensor(1), run));
    gather_offsets(outputs.front(), first_element(args.tensor(0), offsets.shape()), offsets);
    return {};
}

Result<Outputs> plan_put(const Args& args) {
    const Tensor& self = args.tensor(0);
    const Tensor& index = args.tensor(1);
    const Tensor& source = args.tensor(2);
    MS_CHECK(check_index(index, "put_"));
    if (self.dtype() != source.dtype())
        return runtime_error(
            "put_(): self and source expected to have the same dtype, but got self.dtype = {} and source.dtype = {}",
            scalar_type_name(self.dtype()), scalar_type_name(source.dtype()));
    if (index.numel() != source.numel())
        return index_error(
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = {}, "
            "index.numel() = {}",
            source.numel(), index.numel());
    if (self.numel() == 0 && index.numel() > 0)
        return index_error("put_(): Tried to put elements into an empty tensor");
    if (args.in_place()) {
        MS_CHECK(refuse_alias(self, index));
        MS_CHECK(refuse_alias(self, source));
    }
    return Outputs{{self.shape(), self.dtype(), preserved_strides(self)}};
}

Result<void> put_elements(const Args& args, std::span<Tensor> outputs, Run& run) {
    Tensor& out = outputs.front();
    const Tensor& source = args.tensor(2);
    if (source.numel() == 0) return {};
    MS_TRY(offsets, flat_offsets(out, args.tensor(1), run));
    // Index and source only need to have the same number of elements: each is read in its own order.
    const Tensor flat = seen_as(offsets, source.shape(), contiguous_strides(source.shape()));
    scatter_offsets(first_element(out, source.shape()), flat, source, args.flag(3), false);
    return {};
}

}  // namespace

void add_take(OpTable& table) {
    OpSpec take_spec;
    take_spec.name = "take";
    take_spec.meaning =
        "The elements that the index names, counted through the whole tensor row by row as if it were flat; negative "
        "indices count from the end.";
    take_spec.overloads = {
        computed("(Tensor input, Tensor index, *, Tensor? out=None)", kFunction | kMethod, plan_take, take)};
    take_spec.samples = {"torch.take(x, i)", "x.take(i[0])"};
    table.add(std::move(take_spec));

    OpSpec put_spec;
    put_spec.name = "put";
    put_spec.meaning =
        "Writes the elements of the source to the places that the index names, counted as if the tensor were flat. "
        "With accumulate=True they are added.";
    put_spec.overloads = {computed("(Tensor input, Tensor index, Tensor source, bool accumulate=False)",
                                   kFunction | kMethod | kInPlace, plan_put, put_elements, kUpdates)};
    put_spec.samples = {"torch.put(x, i, y)", "x.clone().put_(i[0], r, accumulate=True)"};
    table.add(std::move(put_spec));
}

}  // namespace maskscope::ops
