// SPDX-License-Identifier: Apache-2.0
// The Python dict literal in an npy header: three known keys and nothing else.
#pragma once

#include "core/base/result.h"
#include "core/tensor/dims.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace maskscope::io {

struct NpyDict {
    std::string descr;
    bool structured = false;  // descr was a list of fields; what is in it is skipped
    bool fortran_order = false;
    Shape shape;
    std::uint64_t descr_at = 0;  // bytes in the file, for errors
    std::uint64_t shape_at = 0;
};

// `text` stands at byte `offset` of the file.
Result<NpyDict> parse_npy_dict(std::string_view text, std::uint64_t offset);

}  // namespace maskscope::io
