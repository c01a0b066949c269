// SPDX-License-Identifier: Apache-2.0
// libFuzzer target for the pickle reader alone: through a zip few inputs would get past the directory.
#include "core/io/pickle.h"
#include "core/io/pickle_tree.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace maskscope::io;

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "violated: %s\n", what);
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::byte> bytes(size);
    if (size > 0) std::memcpy(bytes.data(), data, size);
    const auto pickle = pickle::read(std::move(bytes));
    if (!pickle) {
        require(!pickle.error().message.empty() && pickle.error().where.offset <= size, "an error says what and where");
        return 0;
    }
    for (const auto& tensor : pickle->tensors) {
        require(tensor.storage < pickle->storages.size(), "a tensor has a storage");
        require(tensor.shape.rank() == tensor.strides.rank(), "a stride for each size");
    }
    const auto leaves = pickle::flatten(*pickle);
    if (!leaves) return 0;
    for (const auto& leaf : leaves->tensors) require(leaf.tensor < pickle->tensors.size(), "a leaf is a tensor");
    return 0;
}
