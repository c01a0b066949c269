// SPDX-License-Identifier: Apache-2.0
#include "core/io/address.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <filesystem>

namespace maskscope::io {

namespace {

bool exists(std::string_view path) {
    std::error_code failed;
    return !path.empty() && std::filesystem::exists(std::filesystem::path(path), failed) && !failed;
}

struct Split {
    std::string_view rest;
    std::string_view slice;
};

// "name [0, 2]" into "name" and "[0, 2]".
Split split_slice(std::string_view text) {
    const std::size_t open = text.rfind('[');
    if (!text.ends_with(']') || open == std::string_view::npos) return {text, {}};
    std::string_view rest = text.substr(0, open);
    while (rest.ends_with(' ')) rest.remove_suffix(1);
    return {rest, text.substr(open)};
}

Address with_key(std::string_view text, std::size_t colons) {
    const auto [key, slice] = split_slice(text.substr(colons + 2));
    return {std::string(text.substr(0, colons)), std::string(key), std::string(slice)};
}

std::string keys_of(const std::vector<Item>& items) {
    constexpr std::size_t kMost = 20;
    std::string out;
    for (std::size_t i = 0; i < std::min(items.size(), kMost); ++i) {
        out += i > 0 ? ", " : "";
        out += in_quotes(items[i].key);
    }
    if (items.size() > kMost) out += fmt::format(" and {} more", items.size() - kMost);
    return out;
}

Result<const Item*> sole_item(const FileContents& contents) {
    // Labels beside one tensor do not make the name ambiguous.
    const Item* tensor = nullptr;
    std::size_t tensors = 0;
    for (const auto& item : contents.items) {
        if (item.labels) continue;
        tensor = &item;
        ++tensors;
    }
    if (tensors == 1) return tensor;
    if (contents.items.empty()) {
        for (const auto& [key, value] : contents.metadata) {
            if (key.starts_with(kNotReadPrefix)) {
                return input_error(MS_TEXT("the file holds no tensor that is read: {}"), value);
            }
        }
        return input_error(MS_TEXT("the file holds no tensor"));
    }
    if (contents.items.size() == 1) return &contents.items.front();
    return usage_error(MS_TEXT("the file holds several tensors; name one as FILE::KEY, the keys are {}"),
                       keys_of(contents.items));
}

// A key may itself end in brackets: then the whole is looked up before the slice is believed.
Result<const Item*> find_item(const FileContents& contents, const Address& address, std::string& slice) {
    slice = address.slice;
    if (address.key.empty()) return sole_item(contents);
    const auto named = [&](const std::string& key) {
        return std::find_if(contents.items.begin(), contents.items.end(), [&](const auto& i) { return i.key == key; });
    };
    auto found = named(address.key + address.slice);
    if (found != contents.items.end()) {
        slice.clear();
        return &*found;
    }
    found = named(address.key);
    if (found != contents.items.end()) return &*found;
    const auto left_out = contents.metadata.find(kNotReadPrefix + address.key);
    if (left_out != contents.metadata.end()) {
        return input_error(MS_TEXT("{} cannot be read: {}"), in_quotes(address.key), left_out->second);
    }
    Error error = usage_error(MS_TEXT("the file has no {}; its keys are {}"), in_quotes(address.key),
                              contents.items.empty() ? "none" : keys_of(contents.items));
    error.type = "KeyError";
    return error;
}

Result<Loaded> load_item(const FileContents& contents, const Address& address, const JobContext& context) {
    std::string slice;
    MS_TRY(item, find_item(contents, address, slice));
    MS_TRY(items, parse_slice(slice));
    MS_TRY(tensor, tensor_of(*item, context));
    std::vector<int> kept;
    MS_TRY(sliced, apply_slice(tensor, items, &kept));
    Loaded loaded{sliced, *item, {}};
    if (item->dim_names.empty()) return loaded;
    for (const int dim : kept) {
        loaded.dim_names.push_back(dim < 0 ? std::string() : item->dim_names[static_cast<std::size_t>(dim)]);
    }
    return loaded;
}

}  // namespace

Address parse_address(std::string_view text) {
    if (exists(text)) return {std::string(text), {}, {}};
    const auto [file, slice] = split_slice(text);
    if (exists(file)) return {std::string(file), {}, std::string(slice)};
    // A file whose own name holds "::" wins over a shorter one only where the shorter does not exist.
    for (std::size_t at = text.find("::"); at != std::string_view::npos; at = text.find("::", at + 1)) {
        if (exists(text.substr(0, at))) return with_key(text, at);
    }
    // No such file: taken apart at the first "::", so that the error names the file that was meant.
    const std::size_t at = text.find("::");
    if (at != std::string_view::npos) return with_key(text, at);
    return {std::string(file), {}, std::string(slice)};
}

Result<Loaded> load_address(const Address& address, const JobContext& context) {
    MS_TRY(contents, open_file(address.file, context));
    auto loaded = load_item(contents, address, context);
    if (!loaded) return std::move(loaded).error().in_file(address.file);
    return loaded;
}

}  // namespace maskscope::io
