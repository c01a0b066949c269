// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/parallel.h"
#include "core/ops/loops/iteration.h"
#include "core/ops/select/combine.h"
#include "core/ops/select/index_plan.h"
#include "core/ops/select/row_major.h"
#include "core/ops/select/widths.h"

#include <cstring>

namespace maskscope::ops {
namespace {

template <class T>
void gather_run(const ElementRun& run) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    const auto [out, self, offsets] = std::array{run.data[0], run.data[1], run.data[2]};
    if (run.step[2] == 0) {
        const std::byte* from = self + get<std::int64_t>(offsets);
        if (run.step[0] == kSize && run.step[1] == kSize) {
            std::memcpy(out, from, static_cast<std::size_t>(run.count * kSize));
            return;
        }
        for (std::int64_t i = 0; i < run.count; ++i) put(out + i * run.step[0], get<T>(from + i * run.step[1]));
        return;
    }
    for (std::int64_t i = 0; i < run.count; ++i)
        put(out + i * run.step[0], get<T>(self + i * run.step[1] + get<std::int64_t>(offsets + i * run.step[2])));
}

template <class T>
void scatter_run(const ElementRun& run) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    const auto [self, offsets, values] = std::array{run.data[0], run.data[1], run.data[2]};
    if (run.step[1] == 0 && run.step[0] == kSize && run.step[2] == kSize) {
        std::memcpy(self + get<std::int64_t>(offsets), values, static_cast<std::size_t>(run.count * kSize));
        return;
    }
    for (std::int64_t i = 0; i < run.count; ++i)
        put(self + i * run.step[0] + get<std::int64_t>(offsets + i * run.step[1]), get<T>(values + i * run.step[2]));
}

template <class T>
void add_run(const ElementRun& run) {
    for (std::int64_t i = 0; i < run.count; ++i) {
        std::byte* at = run.data[0] + i * run.step[0] + get<std::int64_t>(run.data[1] + i * run.step[1]);
        put(at, combined(Combine::add, get<T>(at), get<T>(run.data[2] + i * run.step[2])));
    }
}

}  // namespace

void gather_offsets(Tensor& out, const Tensor& self, const Tensor& offsets) {
    const Tensor* const operands[] = {&out, &self, &offsets};
    with_width(out.dtype(),
               [&]<class T>(T) { for_each_run(operands, [](const ElementRun& run) { gather_run<T>(run); }); });
}

void scatter_offsets(const Tensor& self, const Tensor& offsets, const Tensor& values, bool accumulate, bool is_unique) {
    const Tensor* const operands[] = {&self, &offsets, &values};
    const RowMajor places(self.shape(), operands);
    if (accumulate) {
        with_element(self.dtype(), [&]<class T>(T) {
            places.walk(0, places.count(), [](const ElementRun& run) { add_run<T>(run); });
        });
        return;
    }
    with_width(self.dtype(), [&]<class T>(T) {
        const auto scatter = [](const ElementRun& run) { scatter_run<T>(run); };
        if (!is_unique) return places.walk(0, places.count(), scatter);
        parallel_for(Lane::ui, places.count(), kPlaces,
                     [&](const Chunk& chunk) { places.walk(chunk.begin, chunk.end, scatter); });
    });
}

}  // namespace maskscope::ops
