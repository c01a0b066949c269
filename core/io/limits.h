// SPDX-License-Identifier: Apache-2.0
// Sizes beyond which a file is refused rather than believed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace maskscope::io {

inline constexpr std::size_t kMaxHeaderBytes = 100U << 20U;  // safetensors' own cap; npy headers share it
inline constexpr std::size_t kMaxItems = 1U << 20U;          // tensors in one file
inline constexpr std::size_t kMaxPickleBytes = 256U << 20U;
inline constexpr int kMaxPickleDepth = 200;
inline constexpr std::uint64_t kMaxInflatedBytes = 16ULL << 30U;  // one deflated member
inline constexpr std::uint64_t kMaxInflateRatio = 1100;           // deflate itself cannot do better than 1032
inline constexpr std::size_t kMaxTextBytes = 256U << 20U;         // CSV, labels
inline constexpr std::size_t kMaxCocoBytes = 2ULL << 30U;
inline constexpr std::int64_t kMaxImageSide = 1 << 17;

}  // namespace maskscope::io
