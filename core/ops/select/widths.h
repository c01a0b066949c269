// SPDX-License-Identifier: Apache-2.0
// For kernels that only move elements: what counts is how many bytes they have. Reads and writes go through memcpy,
// since a mapped file may put an element at any address.
#pragma once

#include "core/tensor/dtype.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace maskscope::ops {

template <class T>
T get(const std::byte* element) {
    T value;
    std::memcpy(&value, element, sizeof(T));
    return value;
}

template <class T>
void put(std::byte* element, T value) {
    std::memcpy(element, &value, sizeof(T));
}

// Calls `run` with a zero of the unsigned integer as wide as the dtype.
template <class Run>
decltype(auto) with_width(DType dtype, Run run) {
    switch (size_of(dtype)) {
        case 1:
            return run(std::uint8_t{});
        case 2:
            return run(std::uint16_t{});
        case 4:
            return run(std::uint32_t{});
        default:
            return run(std::uint64_t{});
    }
}

}  // namespace maskscope::ops
