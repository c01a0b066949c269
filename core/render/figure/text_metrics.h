// SPDX-License-Identifier: Apache-2.0
// Widths of text in the bundled fonts, without a toolkit, so that a layout is the same on every machine.
#pragma once

#include "core/render/figure/display_list.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace maskscope::render {

double text_width(std::string_view utf8, Face face, double size);
double cap_height(Face face, double size);
// Cuts with an ellipsis to fit.
std::string elide(std::string_view utf8, Face face, double size, double width);
// The font file's bytes, for the window's font database.
std::span<const std::byte> font_bytes(Face face);

}  // namespace maskscope::render
