// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/slice.h"

#include <algorithm>
#include <charconv>

namespace maskscope {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

Error index_error(std::string text) {
    Error error = make_error(ErrorKind::input, std::move(text));
    error.type = "IndexError";
    error.message.verbatim = true;
    return error;
}

Result<std::int64_t> parse_integer(std::string_view part, std::string_view whole) {
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (status != std::errc() || end != part.data() + part.size()) {
        return usage_error(MS_TEXT("the slice {} has {} where a whole number belongs"), whole, part);
    }
    return value;
}

Result<SliceItem> parse_item(std::string_view item, std::string_view whole) {
    if (item == "...") return SliceItem{SliceItem::Kind::ellipsis, {}, {}, 1};
    if (item == "None") return SliceItem{SliceItem::Kind::new_axis, {}, {}, 1};
    if (item.empty()) return usage_error(MS_TEXT("the slice {} has an empty place between two commas"), whole);
    SliceItem out;
    if (item.find(':') == std::string_view::npos) {
        MS_TRY(index, parse_integer(item, whole));
        out.kind = SliceItem::Kind::index;
        out.start = index;
        return out;
    }
    for (int part = 0; part < 3; ++part) {
        const auto colon = item.find(':');
        const std::string_view text = trimmed(item.substr(0, colon));
        if (!text.empty()) {
            MS_TRY(value, parse_integer(text, whole));
            if (part == 0) out.start = value;
            if (part == 1) out.stop = value;
            if (part == 2) out.step = value;
        }
        if (colon == std::string_view::npos) return out;
        item.remove_prefix(colon + 1);
    }
    return usage_error(MS_TEXT("the slice {} has more than two colons in one place"), whole);
}

std::int64_t clamped(std::int64_t value, std::int64_t size) {
    if (value < 0) value += size;
    return std::clamp<std::int64_t>(value, 0, size);
}

}  // namespace

Result<std::vector<SliceItem>> parse_slice(std::string_view text) {
    std::vector<SliceItem> items;
    std::string_view rest = trimmed(text);
    if (rest.empty()) return items;
    if (rest.size() < 2 || rest.front() != '[' || rest.back() != ']') {
        return usage_error(MS_TEXT("the slice {} must stand in brackets, as in [0, 2]"), text);
    }
    rest = trimmed(rest.substr(1, rest.size() - 2));
    while (!rest.empty()) {
        const auto comma = rest.find(',');
        MS_TRY(item, parse_item(trimmed(rest.substr(0, comma)), text));
        items.push_back(item);
        if (comma == std::string_view::npos) break;
        rest = trimmed(rest.substr(comma + 1));
    }
    return items;
}

Result<Tensor> apply_slice(const Tensor& tensor, const std::vector<SliceItem>& items, std::vector<int>* kept) {
    using Kind = SliceItem::Kind;
    const auto takes_dim = [](const SliceItem& item) { return item.kind == Kind::index || item.kind == Kind::range; };
    const auto taken = static_cast<int>(std::count_if(items.begin(), items.end(), takes_dim));
    const auto ellipses =
        std::count_if(items.begin(), items.end(), [](const auto& item) { return item.kind == Kind::ellipsis; });
    if (ellipses > 1) return index_error("an index can only have a single ellipsis ('...')");
    if (taken > tensor.rank()) {
        return index_error(fmt::format("too many indices for tensor of dimension {}", tensor.rank()));
    }
    const auto axes = std::count_if(items.begin(), items.end(), [](const auto& i) { return i.kind == Kind::new_axis; });
    if (tensor.rank() + axes > kMaxRank) {
        return index_error(fmt::format("the slice makes more than {} dimensions", kMaxRank));
    }
    Tensor out = tensor;
    int dim = 0;     // of `out`
    int source = 0;  // of `tensor`
    std::vector<int> map;
    const auto keep = [&](int count) {
        for (int i = 0; i < count; ++i) map.push_back(source++);
        dim += count;
    };
    for (const SliceItem& item : items) {
        switch (item.kind) {
            case Kind::ellipsis:
                keep(tensor.rank() - taken);
                break;
            case Kind::new_axis:
                out = out.unsqueeze(dim++);
                map.push_back(-1);
                break;
            case Kind::index: {
                const std::int64_t size = out.size(dim);
                const std::int64_t index = *item.start < 0 ? *item.start + size : *item.start;
                if (index < 0 || index >= size) {
                    return index_error(fmt::format("index {} is out of bounds for dimension {} with size {}",
                                                   *item.start, source, size));
                }
                out = out.select(dim, index);
                ++source;
                break;
            }
            case Kind::range: {
                if (item.step <= 0) {
                    Error error = index_error("step must be greater than zero");
                    error.type = "ValueError";
                    return error;
                }
                const std::int64_t size = out.size(dim);
                const std::int64_t start = item.start ? clamped(*item.start, size) : 0;
                const std::int64_t stop = item.stop ? clamped(*item.stop, size) : size;
                const std::int64_t length = stop > start ? (stop - start - 1) / item.step + 1 : 0;
                out = out.narrow(dim, start, length, item.step);
                keep(1);
                break;
            }
        }
    }
    keep(out.rank() - dim);
    if (kept != nullptr) *kept = std::move(map);
    return out;
}

}  // namespace maskscope
