// SPDX-License-Identifier: Apache-2.0
// Numbers in the byte order that zip, npy and safetensors keep theirs in.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string>

namespace maskscope::io {

// The caller has checked that bytes [at, at + sizeof(T)) exist.
template <std::unsigned_integral T>
T load_le(std::span<const std::byte> bytes, std::size_t at) {
    T out = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        out = static_cast<T>(out | static_cast<T>(static_cast<T>(bytes[at + i]) << (8 * i)));
    }
    return out;
}

template <std::unsigned_integral T>
void append_le(std::string& out, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xFFU));
}

}  // namespace maskscope::io
