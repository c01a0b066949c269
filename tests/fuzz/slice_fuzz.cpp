// SPDX-License-Identifier: Apache-2.0
// libFuzzer target for what people type: addresses and slices. A slice that is accepted reads inside its tensor.
#include "core/io/address.h"
#include "core/tensor/slice.h"
#include "core/tensor/stats.h"

#include <cstdio>
#include <cstdlib>

using namespace maskscope;

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "violated: %s\n", what);
    std::abort();
}

const Tensor& cube() {
    static const Tensor tensor = [] {
        auto made = Tensor::zeros({3, 4, 5}, DType::u8);
        for (std::int64_t i = 0; i < 60; ++i) made->writable_as<std::uint8_t>()[i] = 1;
        return *made;
    }();
    return tensor;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (text.find('\0') != std::string_view::npos) return 0;
    const auto address = io::parse_address(text);
    require(address.file.size() + address.key.size() + address.slice.size() <= text.size(), "an address adds no text");
    for (const auto part : {std::string_view(address.slice), text}) {
        const auto items = parse_slice(part);
        if (!items) {
            require(!items.error().message.empty(), "an error says something");
            continue;
        }
        std::vector<int> kept;
        const auto sliced = apply_slice(cube(), *items, &kept);
        if (!sliced) continue;
        require(static_cast<int>(kept.size()) == sliced->rank(), "every dim has a source");
        require(sliced->numel() <= cube().numel(), "a slice repeats nothing");
        const auto stats = compute_stats(*sliced, {});
        require(stats.ok() && stats->zero == 0, "a slice reads its tensor's elements");
    }
    return 0;
}
