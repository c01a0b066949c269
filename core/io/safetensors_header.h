// SPDX-License-Identifier: Apache-2.0
// The header of a .safetensors file: eight bytes of length, then a JSON object.
// Source: the format's description in huggingface/safetensors, and the checks of its tensor.rs.
#pragma once

#include "core/base/result.h"
#include "core/tensor/dims.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace maskscope::io {

struct SafetensorsEntry {
    std::string key;
    std::string dtype;  // as written: "BF16"
    Shape shape;
    std::uint64_t begin = 0;  // in the buffer that follows the header
    std::uint64_t end = 0;
    std::uint64_t stated_at = 0;  // byte in the file behind this entry, for errors
};

struct SafetensorsHeader {
    std::uint64_t buffer_offset = 0;        // of the tensors' bytes, in the file
    std::vector<SafetensorsEntry> entries;  // in the header's order
    std::map<std::string, std::string> metadata;
};

// Checks the form of the header; what it says about the buffer is the reader's to check.
Result<SafetensorsHeader> parse_safetensors_header(std::span<const std::byte> file);

}  // namespace maskscope::io
