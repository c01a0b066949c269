// SPDX-License-Identifier: Apache-2.0
// libFuzzer target for COCO's run lengths and polygons: any text is refused or gives a mask that comes back the same.
#include "core/io/coco_rle.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace maskscope;
using namespace maskscope::io;

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "violated: %s\n", what);
    std::abort();
}

void check_mask(const CocoRle& rle) {
    const auto region = region_of(rle);
    require(region.count() == area(rle), "a region has the mask's cells");
    const auto again = rle_of(region, rle.height, rle.width);
    require(region_of(again) == region, "a region comes back");
    require(area(unite({rle, again})) == area(rle), "a union with itself");
    const auto parsed = parse_rle(rle_text(again), rle.height, rle.width);
    require(parsed.ok() && *parsed == again, "the text comes back");
}

void check_polygon(const std::uint8_t* data, std::size_t size, std::int64_t height, std::int64_t width) {
    std::vector<double> xy(size / sizeof(double));
    if (!xy.empty()) std::memcpy(xy.data(), data, xy.size() * sizeof(double));
    // Most bytes are no sensible coordinates.
    for (auto& value : xy) value = std::abs(value) < 1e9 ? value : std::fmod(value, 3.0 * static_cast<double>(width));
    const auto rle = rle_of_polygon(xy, height, width);
    if (!rle) {
        require(!rle.error().message.empty(), "an error says something");
        return;
    }
    std::int64_t sum = 0;
    for (const auto count : rle->counts) sum += count;
    require(sum == height * width, "a polygon's runs cover the image");
    check_mask(*rle);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) return 0;
    const std::int64_t height = data[0];
    const std::int64_t width = data[1];
    if (data[2] % 2 == 1) {
        check_polygon(data + 3, size - 3, height, width);
        return 0;
    }
    const std::string_view text(reinterpret_cast<const char*>(data + 3), size - 3);
    const auto rle = parse_rle(text, height, width);
    if (!rle) {
        require(!rle.error().message.empty() && rle.error().where.offset <= text.size(),
                "an error says what and where");
        return 0;
    }
    check_mask(*rle);
    return 0;
}
