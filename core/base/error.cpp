// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"

#include <system_error>

namespace maskscope {

std::string Error::text() const {
    std::string out;
    if (!where.file.empty()) out += where.file + ": ";
    out += message.text();
    if (where.offset) out += fmt::format(" (at byte {})", *where.offset);
    if (where.line) out += fmt::format(" (line {})", *where.line);
    if (!hint.empty()) out += ". " + hint.text();
    return out;
}

Error Error::in_file(std::string path) && {
    if (where.file.empty()) where.file = std::move(path);
    return std::move(*this);
}

Error Error::at(std::uint64_t offset) && {
    where.offset = offset;
    return std::move(*this);
}

Error Error::at_line(int line) && {
    where.line = line;
    return std::move(*this);
}

Error cancelled_error() {
    return make_error(ErrorKind::cancelled, MS_TEXT("cancelled"));
}

Error system_error(const char* doing, int errno_value) {
    return input_error("{}: {}", doing, std::generic_category().message(errno_value));
}

}  // namespace maskscope
