// SPDX-License-Identifier: Apache-2.0
#include "core/io/safetensors_write.h"

#include "core/base/utf8.h"
#include "core/io/limits.h"
#include "core/io/little_endian.h"
#include "core/io/save.h"
#include "core/io/write_elements.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace maskscope::io {

namespace {

const char* letter_of(DType dtype) {
    switch (dtype) {
        case DType::boolean:
            return "BOOL";
        case DType::u8:
            return "U8";
        case DType::i8:
            return "I8";
        case DType::i16:
            return "I16";
        case DType::i32:
            return "I32";
        case DType::i64:
            return "I64";
        case DType::f16:
            return "F16";
        case DType::bf16:
            return "BF16";
        case DType::f32:
            return "F32";
        case DType::f64:
            return "F64";
        case DType::u16:
            return "U16";
        case DType::u32:
            return "U32";
        case DType::u64:
            return "U64";
        case DType::f8_e4m3:
            return "F8_E4M3";
        case DType::f8_e5m2:
            return "F8_E5M2";
    }
    return "";
}

Result<void> check_keys(std::span<const NamedTensor> tensors, const std::map<std::string, std::string>& metadata) {
    std::set<std::string_view> keys;
    for (const auto& [key, tensor] : tensors) {
        if (key == "__metadata__" || first_invalid_utf8(key)) {
            return usage_error(MS_TEXT("the key {} cannot name a tensor in a safetensors file"), in_quotes(key));
        }
        if (!keys.insert(key).second) return usage_error(MS_TEXT("two tensors have the key {}"), in_quotes(key));
    }
    for (const auto& [key, value] : metadata) {
        if (first_invalid_utf8(key) || first_invalid_utf8(value)) {
            return usage_error(MS_TEXT("the metadata {} are not UTF-8"), in_quotes(key));
        }
    }
    return {};
}

std::string header_text(const std::vector<const NamedTensor*>& order,
                        const std::map<std::string, std::string>& metadata) {
    const auto as_json = [](const std::string& plain) { return nlohmann::json(plain).dump(); };
    std::string text = "{";
    const auto add = [&](std::string_view key, std::string_view value) {
        text += text.size() > 1 ? "," : "";
        text.append(key).append(":").append(value);
    };
    nlohmann::json notes = nlohmann::json::object();
    for (const auto& [key, value] : metadata) {
        if (!key.starts_with(kNotReadPrefix)) notes[key] = value;
    }
    if (!notes.empty()) add("\"__metadata__\"", notes.dump());
    std::size_t at = 0;
    for (const auto* named : order) {
        const auto& shape = named->tensor.shape();
        const std::size_t end = at + named->tensor.byte_size();
        add(as_json(named->key),
            fmt::format(R"({{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", letter_of(named->tensor.dtype()),
                        fmt::join(shape.begin(), shape.end(), ","), at, end));
        at = end;
    }
    text += "}";
    text.resize((text.size() + 7) / 8 * 8, ' ');
    return text;
}

}  // namespace

Result<void> write_safetensors(const std::string& path, std::span<const NamedTensor> tensors,
                               const std::map<std::string, std::string>& metadata) {
    auto good = check_keys(tensors, metadata);
    if (!good) return std::move(good).error().in_file(path);
    std::vector<const NamedTensor*> order;
    order.reserve(tensors.size());
    for (const auto& named : tensors) order.push_back(&named);
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
        return size_of(a->tensor.dtype()) > size_of(b->tensor.dtype());
    });
    const std::string text = header_text(order, metadata);
    if (text.size() > kMaxHeaderBytes) {
        return usage_error(MS_TEXT("names and metadata take {} bytes; the format allows {}"), text.size(),
                           kMaxHeaderBytes)
            .in_file(path);
    }
    std::string head;
    append_le<std::uint64_t>(head, text.size());
    head += text;
    return save_atomically(path, [&](Sink sink) -> Result<void> {
        MS_CHECK(sink(std::as_bytes(std::span(head))));
        for (const auto* named : order) MS_CHECK(write_elements(named->tensor, sink));
        return {};
    });
}

}  // namespace maskscope::io
