// SPDX-License-Identifier: Apache-2.0
// Sixteen bytes of numbers as one value, and sums of many of them: the compiler may not reorder floating additions by
// itself. Works on every machine (the compilers' vector extension), at the width that all of them have.
#pragma once

#include <cstdint>
#include <cstring>

namespace maskscope::ops {

template <class T>
struct PackOf {
    typedef T Type __attribute__((vector_size(16)));
};
template <class T>
using Pack = typename PackOf<T>::Type;

template <class T>
inline constexpr std::int64_t kPack = 16 / static_cast<std::int64_t>(sizeof(T));

template <class T>
inline Pack<T> load_pack(const T* from) {
    Pack<T> pack;
    std::memcpy(&pack, from, sizeof(pack));
    return pack;
}

// The sum of kCount packs, `step` elements apart, by halves: its error grows with the logarithm of their number. Map
// changes each pack first.
template <int kCount, class Map, class T>
inline Pack<T> sum_of_packs(const T* from, std::int64_t step) {
    if constexpr (kCount == 1)
        return Map::of(load_pack(from));
    else
        return sum_of_packs<kCount / 2, Map>(from, step) +
               sum_of_packs<kCount / 2, Map>(from + step * (kCount / 2), step);
}

// What is added up, for one number and for a pack.
struct Itself {
    template <class V>
    static V of(V value) {
        return value;
    }
};
struct NumberOrZero {
    template <class V>
    static V of(V value) {
        // NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself
        return value == value ? value : V{};
    }
};
struct Square {
    template <class V>
    static V of(V value) {
        return value * value;
    }
};
struct Magnitude {
    template <class V>
    static V of(V value) {
        // Not value < 0: the magnitude of -0 is 0, that of NaN is NaN.
        return value > V{} ? value : V{} - value;
    }
};

}  // namespace maskscope::ops
