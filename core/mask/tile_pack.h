// SPDX-License-Identifier: Apache-2.0
// A tile's cells as a few bytes: runs of equal cells, and stretches of unequal ones as they are. All zero is no byte.
#pragma once

#include "core/mask/plane.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace maskscope::mask {

std::vector<std::byte> pack(const Plane::TileView& tile, std::size_t cell_bytes);
// kTileCells cells into `out`. False, for bytes that do not say exactly so many; `out` is then of no use.
bool unpack(std::span<const std::byte> packed, std::size_t cell_bytes, std::byte* out);

// Whole numbers of seven bits a byte, the lowest first.
void put_number(std::vector<std::byte>& out, std::uint64_t value);
// Takes it off the front; nothing when the bytes end too early or it has more than 64 bits.
std::optional<std::uint64_t> take_number(std::span<const std::byte>& bytes);

}  // namespace maskscope::mask
