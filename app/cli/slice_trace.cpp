// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slice_trace.h"

#include <algorithm>

namespace maskscope::cli {

SliceTrace trace_slice(const Shape& whole, const std::vector<SliceItem>& items) {
    using Kind = SliceItem::Kind;
    SliceTrace trace;
    trace.chosen.resize(static_cast<std::size_t>(whole.rank()));
    const auto taken = std::count_if(items.begin(), items.end(), [](const SliceItem& item) {
        return item.kind == Kind::index || item.kind == Kind::range;
    });
    int source = 0;
    const auto keep = [&](std::int64_t count) {
        for (; count > 0; --count) trace.dims.push_back({.source = source++, .start = 0, .step = 1});
    };
    for (const SliceItem& item : items) {
        const std::int64_t size = source < whole.rank() ? whole[source] : 0;
        const std::int64_t start = item.start ? *item.start + (*item.start < 0 ? size : 0) : 0;
        switch (item.kind) {
            case Kind::new_axis:
                trace.dims.push_back({});
                break;
            case Kind::ellipsis:
                keep(whole.rank() - taken);
                break;
            case Kind::index:
                trace.chosen[static_cast<std::size_t>(source++)] = start;
                break;
            case Kind::range:
                trace.dims.push_back(
                    {.source = source++, .start = std::clamp<std::int64_t>(start, 0, size), .step = item.step});
                break;
        }
    }
    keep(whole.rank() - source);
    return trace;
}

}  // namespace maskscope::cli
