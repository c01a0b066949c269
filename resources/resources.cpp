// SPDX-License-Identifier: Apache-2.0
#include "resources/resources.h"

namespace maskscope {
namespace {

struct Row {
    std::string_view name;
    const std::byte* begin;
    const std::byte* end;
};
}  // namespace
#include "resources/resource_table.inc"

std::span<const std::byte> resource(std::string_view name) {
    for (const Row& row : kRows) {
        if (row.name == name) return {row.begin, static_cast<std::size_t>(row.end - row.begin)};
    }
    return {};
}

std::string_view resource_text(std::string_view name) {
    const auto bytes = resource(name);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::string_view> resource_names(std::string_view prefix) {
    std::vector<std::string_view> names;
    for (const Row& row : kRows) {
        if (row.name.starts_with(prefix)) names.push_back(row.name);
    }
    return names;
}

}  // namespace maskscope
