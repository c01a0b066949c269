// SPDX-License-Identifier: Apache-2.0
// Stored elements as signed integers of the same width that sort as their values do: the pyramid keeps them, and the
// pooling kernels compare them, so that no dtype loses a bit and a maximum costs one instruction.
//
// Floats: key = bits ^ ((bits >> sign) & 0x7ff..f), which leads -0 to -1 and +0 to 0. Unsigned integers: the top bit
// flipped. NaNs lie outside the infinities on the side of their sign, so the largest and the smallest key of a block
// tell whether it holds a NaN or an infinity.
#pragma once

#include "core/tensor/dtype.h"

#include <cstdint>
#include <optional>

namespace maskscope::render {

// Keys from lo to lo + span.
struct KeyRange {
    std::int64_t lo = 0;
    std::uint64_t span = 0;
    bool holds(std::int64_t key) const {
        return static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(lo) <= span;
    }
};

struct KeyFormat {
    DType dtype = DType::f32;
    int width = 4;  // bytes
    bool is_float = true;
    std::int64_t flip = 0;  // xor of integers
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
    // +inf where the dtype has one, else the first NaN; the negative side starts at ~special_from. Floats only.
    std::int64_t special_from = 0;
    bool has_inf = false;
    KeyRange finite;
    KeyRange zero;
    KeyRange tiny;                   // zeros and subnormals; floats only
    std::optional<KeyRange> masked;  // cells that are masked by their value

    bool is_special(std::int64_t key) const { return is_float && !finite.holds(key); }
    bool is_posinf(std::int64_t key) const { return has_inf && key == special_from; }
    bool is_neginf(std::int64_t key) const { return has_inf && key == ~special_from; }
    bool is_nan(std::int64_t key) const { return is_special(key) && !is_posinf(key) && !is_neginf(key); }
};

KeyFormat key_format(DType dtype, std::optional<double> masked_value);

// The keys of the numbers at or below `value`; nullopt when there are none.
std::optional<KeyRange> keys_at_most(const KeyFormat& format, double value);

std::int64_t key_from_bits(const KeyFormat& format, std::uint64_t bits);
double double_from_key(const KeyFormat& format, std::int64_t key);
// Stays finite and stays away from zero where the double does.
float float_from_double(double value);
// The dtype's own conversion in a loop; Key is the signed integer of the format's width.
template <class Key>
void floats_from_keys(const KeyFormat& format, const Key* keys, std::int64_t count, float* out);

extern template void floats_from_keys(const KeyFormat&, const std::int8_t*, std::int64_t, float*);
extern template void floats_from_keys(const KeyFormat&, const std::int16_t*, std::int64_t, float*);
extern template void floats_from_keys(const KeyFormat&, const std::int32_t*, std::int64_t, float*);
extern template void floats_from_keys(const KeyFormat&, const std::int64_t*, std::int64_t, float*);

}  // namespace maskscope::render
