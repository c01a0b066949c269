// SPDX-License-Identifier: Apache-2.0
#include "core/ops/select/fill_where.h"

#include "core/ops/loops/iteration.h"
#include "core/ops/select/widths.h"

#include <algorithm>
#include <cstring>

namespace maskscope::ops {
namespace {

// One mask value for the whole run: a mask [B, T, 1] on [B, T, D].
template <class T>
void fill_whole_run(const ElementRun& run, T value) {
    const bool filled = *run.data[2] != std::byte{0};
    if (!filled && run.data[0] == run.data[1] && run.step[0] == run.step[1]) return;
    for (std::int64_t i = 0; i < run.count; ++i)
        put(run.data[0] + i * run.step[0], filled ? value : get<T>(run.data[1] + i * run.step[1]));
}

template <class T>
void fill_dense_run(const ElementRun& run, T value) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    const std::byte* mask = run.data[2];
    if (run.data[0] == run.data[1]) {
        // In place, stretches without a True cost no more than the reading of their mask.
        constexpr std::int64_t kStretch = 64;
        for (std::int64_t begin = 0; begin < run.count; begin += kStretch) {
            const auto end = std::min(run.count, begin + kStretch);
            std::byte any{};
            for (auto i = begin; i < end; ++i) any |= mask[i];
            if (any == std::byte{0}) continue;
            for (auto i = begin; i < end; ++i) {
                const T kept = get<T>(run.data[0] + i * kSize);
                put(run.data[0] + i * kSize, mask[i] != std::byte{0} ? value : kept);
            }
        }
        return;
    }
    for (std::int64_t i = 0; i < run.count; ++i) {
        const T kept = get<T>(run.data[1] + i * kSize);
        put(run.data[0] + i * kSize, mask[i] != std::byte{0} ? value : kept);
    }
}

template <class T>
void fill_run(const ElementRun& run, T value) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    if (run.step[2] == 0) {
        const bool dense = run.step[0] == kSize && run.step[1] == kSize;
        if (!dense) return fill_whole_run(run, value);
        if (*run.data[2] != std::byte{0}) {
            for (std::int64_t i = 0; i < run.count; ++i) put(run.data[0] + i * kSize, value);
        } else if (run.data[0] != run.data[1]) {
            std::memcpy(run.data[0], run.data[1], static_cast<std::size_t>(run.count * kSize));
        }
        return;
    }
    if (run.step[0] == kSize && run.step[1] == kSize && run.step[2] == 1) return fill_dense_run(run, value);
    for (std::int64_t i = 0; i < run.count; ++i) {
        const bool filled = run.data[2][i * run.step[2]] != std::byte{0};
        put(run.data[0] + i * run.step[0], filled ? value : get<T>(run.data[1] + i * run.step[1]));
    }
}

}  // namespace

void fill_where(Tensor& out, const Tensor& self, const Tensor& mask, const Element& element) {
    const Tensor* const operands[] = {&out, &self, &mask};
    with_width(out.dtype(), [&]<class T>(T) {
        const T value = get<T>(element.data());
        for_each_run(operands, [&](const ElementRun& run) { fill_run(run, value); });
    });
}

}  // namespace maskscope::ops
