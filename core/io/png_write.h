// SPDX-License-Identifier: Apache-2.0
// Writing PNGs of one channel: palette indices, or grey of 8 or 16 bit.
#pragma once

#include "core/base/function_ref.h"
#include "core/base/result.h"
#include "core/jobs/job_context.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace maskscope::io {

struct PngPicture {
    std::int64_t height = 0;
    std::int64_t width = 0;
    int bit_depth = 8;                                 // 8 or 16
    std::vector<std::array<std::uint8_t, 4>> palette;  // r, g, b, a; not empty: the pixels are indices, of 8 bit
};

// `row` fills one row: a byte a pixel, or two in the machine's order. It is called once for each row, from the top.
using PngRow = FunctionRef<Result<void>(std::int64_t row, std::byte* out)>;
Result<void> write_png(const std::string& path, const PngPicture& picture, PngRow row, const JobContext& context = {});

}  // namespace maskscope::io
