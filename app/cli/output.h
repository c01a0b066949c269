// SPDX-License-Identifier: Apache-2.0
// How numbers, errors and tables come out on the command line.
#pragma once

#include "app/cli/command.h"
#include "core/tensor/convert.h"

#include <string>
#include <string_view>
#include <vector>

namespace maskscope::cli {

// NaN and the infinities are the strings "nan", "inf", "-inf".
Json json_number(double value);
Json json_number(const Scalar& value);
Json json_error(const Error& error);
// Text from files may be ill-formed: it is replaced, never thrown about.
std::string dump(const Json& json);

int exit_code(const Error& error);

// "1.5 MB", in powers of 1024 as the window shows them.
std::string bytes_text(std::size_t bytes);
// Control characters, which could steer the terminal, become \xNN.
std::string printable(std::string_view text);

// Columns padded to their widest cell; the first row is the head. Numbers are set to the right.
struct Table {
    std::vector<std::vector<std::string>> rows;
    std::vector<bool> right;  // by column; missing: left
    std::string text(std::string_view indent) const;
};

}  // namespace maskscope::cli
