// SPDX-License-Identifier: Apache-2.0
// A block of an attention mask: does it hide anything, and what does it add to the scores?
#pragma once

#include "core/ops/nn/tile.h"

#include <cstdint>

namespace maskscope::ops {

enum class MaskKind : std::uint8_t { keeps_all, hides_all, mixed };

// mask [queries, keys]; bool keeps where True, a floating mask is added. Only all -inf hides and only all 0 keeps.
MaskKind kind_of(const MatrixView& mask, std::int64_t queries, std::int64_t keys);

// What is added to the scores, transposed: panels of `panel` queries, each [keys, panel].
template <class T>
void pack_additive(const MatrixView& mask, std::int64_t keys, std::int64_t queries, std::int64_t panel, T* to);

}  // namespace maskscope::ops
