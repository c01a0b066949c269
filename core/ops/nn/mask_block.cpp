// SPDX-License-Identifier: Apache-2.0
#include "core/ops/nn/mask_block.h"

#include "core/ops/loops/blocks.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace maskscope::ops {
namespace {

constexpr std::int64_t kMost = 128;

struct Found {
    bool kept = false;    // True or 0
    bool hidden = false;  // False or -inf
    bool other = false;   // a number between
};

template <class T>
Found look_at_numbers(const std::byte* row, DType dtype, std::int64_t step, std::int64_t count) {
    std::array<T, kMost> values;
    load_block(row, dtype, step, count, values.data());
    constexpr T kHidden = -std::numeric_limits<T>::infinity();
    Found out;
    for (std::int64_t i = 0; i < count; ++i) {
        const T value = values[static_cast<std::size_t>(i)];
        const bool is_kept = dtype == DType::boolean ? value != 0 : value == 0;
        const bool is_hidden = dtype == DType::boolean ? value == 0 : value == kHidden;
        out.kept |= is_kept;
        out.hidden |= is_hidden;
        out.other |= !is_kept && !is_hidden;
    }
    return out;
}

Found look(const std::byte* row, DType dtype, std::int64_t step, std::int64_t count) {
    Found out;
    if (dtype == DType::boolean && step == 1) {
        std::uint8_t any = 0;
        std::uint8_t all = 1;
        for (std::int64_t i = 0; i < count; ++i) {
            const auto value = static_cast<std::uint8_t>(row[i] != std::byte{0});
            any |= value;
            all &= value;
        }
        out.kept = any != 0;
        out.hidden = all == 0;
        return out;
    }
    // In the mask's own precision: -1e300 hides nothing.
    return dtype == DType::f64 ? look_at_numbers<double>(row, dtype, step, count)
                               : look_at_numbers<float>(row, dtype, step, count);
}

}  // namespace

MaskKind kind_of(const MatrixView& mask, std::int64_t queries, std::int64_t keys) {
    Found all;
    // One row stands for all of a mask that is repeated along the queries.
    const std::int64_t rows = mask.row_step == 0 ? 1 : queries;
    for (std::int64_t i = 0; i < rows; ++i) {
        const Found found = look(mask.at(i, 0).data, mask.dtype, mask.column_step, keys);
        all.kept |= found.kept;
        all.hidden |= found.hidden;
        if (found.other || (all.kept && all.hidden)) return MaskKind::mixed;
    }
    return all.hidden ? MaskKind::hides_all : MaskKind::keeps_all;
}

template <class T>
void pack_additive(const MatrixView& mask, std::int64_t keys, std::int64_t queries, std::int64_t panel, T* to) {
    pack_panels(mask.transposed(), keys, queries, panel, to);
    if (mask.dtype != DType::boolean) return;
    constexpr T kHidden = -std::numeric_limits<T>::infinity();
    const std::int64_t count = (queries + panel - 1) / panel * panel * keys;
    for (std::int64_t i = 0; i < count; ++i) to[i] = to[i] == T{} ? kHidden : T{};
}

template void pack_additive(const MatrixView&, std::int64_t, std::int64_t, std::int64_t, float*);
template void pack_additive(const MatrixView&, std::int64_t, std::int64_t, std::int64_t, double*);

}  // namespace maskscope::ops
