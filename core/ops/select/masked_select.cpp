// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/parallel.h"
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/select/row_major.h"
#include "core/ops/select/widths.h"
#include "core/tensor/broadcast.h"

namespace maskscope::ops {
namespace {

Result<Outputs> plan(const Args& args) {
    const Tensor& self = args.tensor(0);
    const Tensor& mask = args.tensor(1);
    if (mask.dtype() != DType::boolean) return runtime_error("masked_select: expected BoolTensor for mask");
    MS_TRY(shape, broadcast_shapes(mask.shape(), self.shape()));
    if (self.dtype() == DType::u16 || self.dtype() == DType::u32 || self.dtype() == DType::u64)
        return not_implemented_for("masked_select", self.dtype());
    return Outputs{{Shape{true_counts(mask, shape).back()}, self.dtype(), std::nullopt}};
}

// The chosen elements of one run, one after the other; at most `room`. Returns their number.
template <class T>
std::int64_t select_run(const ElementRun& run, std::byte* out, std::int64_t room) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    const auto [mask, self] = std::array{run.data[0], run.data[1]};
    const auto [mask_step, self_step] = std::array{run.step[0], run.step[1]};
    if (mask_step == 0) {
        if (*mask == std::byte{0}) return 0;
        for (std::int64_t i = 0; i < run.count; ++i) put(out + i * kSize, get<T>(self + i * self_step));
        return run.count;
    }
    std::int64_t found = 0;
    std::int64_t i = 0;
    if (mask_step == 1) {
        // Eight at once where they agree, as masks mostly do; else a write that only counts when it was wanted, which
        // no branch predictor can miss.
        for (; i + 8 <= run.count && found < room; i += 8) {
            const auto eight = get<std::uint64_t>(mask + i);
            if (eight == 0) continue;
            if (eight == 0x0101010101010101U) {
                for (int k = 0; k < 8; ++k) put(out + (found + k) * kSize, get<T>(self + (i + k) * self_step));
                found += 8;
                continue;
            }
            for (std::int64_t k = i; k < i + 8 && found < room; ++k) {
                put(out + found * kSize, get<T>(self + k * self_step));
                found += mask[k] != std::byte{0};
            }
        }
    }
    for (; i < run.count && found < room; ++i) {
        put(out + found * kSize, get<T>(self + i * self_step));
        found += mask[i * mask_step] != std::byte{0};
    }
    return found;
}

Result<void> select(const Args& args, std::span<Tensor> outputs, Run&) {
    const Tensor& self = args.tensor(0);
    const Tensor& mask = args.tensor(1);
    Tensor& out = outputs.front();
    MS_TRY(shape, broadcast_shapes(mask.shape(), self.shape()));
    const auto before = true_counts(mask, shape);
    const Tensor* const operands[] = {&mask, &self};
    const RowMajor places(shape, operands);
    with_width(self.dtype(), [&]<class T>(T) {
        std::byte* first = out.writable_data();
        parallel_for(Lane::ui, places.count(), kPlaces, [&](const Chunk& chunk) {
            const auto k = static_cast<std::size_t>(chunk.index);
            auto at = before[k];
            places.walk(chunk.begin, chunk.end, [&](const ElementRun& run) {
                if (at == before[k + 1]) return;
                at += select_run<T>(run, first + at * static_cast<std::int64_t>(sizeof(T)), before[k + 1] - at);
            });
        });
    });
    return {};
}

}  // namespace

void add_masked_select(OpTable& table) {
    OpSpec spec;
    spec.name = "masked_select";
    spec.meaning =
        "The elements where the mask is True, row by row, as a flat copy. Both sides broadcast, so an element can come "
        "more than once. The size of the result depends on the values of the mask.";
    spec.overloads = {
        computed("(Tensor input, Tensor mask, *, Tensor? out=None)", kFunction | kMethod, plan, select, kDataDependent),
    };
    spec.samples = {"torch.masked_select(x, m)", "x.masked_select(m[:, :1])", "r.masked_select(m)"};
    table.add(std::move(spec));
}

}  // namespace maskscope::ops
