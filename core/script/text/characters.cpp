// SPDX-License-Identifier: Apache-2.0
#include "core/script/text/characters.h"

#include <algorithm>

namespace maskscope::script {

std::vector<std::string> characters(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        std::size_t size = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
        size = std::min(size, text.size() - i);
        out.push_back(text.substr(i, size));
        i += size;
    }
    return out;
}

}  // namespace maskscope::script
