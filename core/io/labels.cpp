// SPDX-License-Identifier: Apache-2.0
// Token labels as text (one a line) or JSON; a JSON of nested number lists is a tensor.
#include "core/base/utf8.h"
#include "core/io/file_elements.h"
#include "core/io/format.h"
#include "core/io/labels_json.h"
#include "core/io/limits.h"

namespace maskscope::io {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool recognises_labels(std::span<const std::byte> /*head*/, std::string_view extension) {
    return extension == ".txt" || extension == ".json";
}

Result<Labels> labels_from_lines(std::string_view text, std::uint64_t offset) {
    Labels labels;
    auto& row = labels.rows.emplace_back();
    std::size_t at = 0;
    while (at < text.size()) {
        std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = text.substr(at, end - at);
        if (line.ends_with('\r')) line.remove_suffix(1);
        const auto bad = std::min(first_invalid_utf8(line).value_or(line.size()), line.find('\0'));
        if (bad < line.size()) {
            return input_error(MS_TEXT("line {} is not UTF-8 text"), row.size() + 1).at(offset + at + bad);
        }
        if (row.size() == kMaxItems) return input_error(MS_TEXT("more than {} lines"), kMaxItems).at(offset + at);
        row.emplace_back(line);
        at = end + 1;
    }
    return labels;
}

bool is_json(const MappedFile& file) {
    return std::string_view(file.path()).ends_with(".json") || std::string_view(file.path()).ends_with(".JSON");
}

Result<FileContents> read_labels(const std::shared_ptr<const MappedFile>& file, const JobContext& /*context*/) {
    const auto bytes = file->bytes();
    if (bytes.size() > kMaxTextBytes) {
        return input_error(MS_TEXT("the text has {} bytes; at most {} are read"), bytes.size(), kMaxTextBytes);
    }
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::uint64_t offset = 0;
    if (text.starts_with(kByteOrderMark)) {
        offset = kByteOrderMark.size();
        text.remove_prefix(offset);
    }
    if (text.empty()) return input_error(MS_TEXT("the file is empty")).at(offset);
    Item item;
    if (!is_json(*file)) {
        MS_TRY(labels, labels_from_lines(text, offset));
        item = label_item("", std::move(labels));
    } else {
        MS_TRY(list, list_from_json(text, offset));
        if (auto* labels = std::get_if<Labels>(&list)) {
            item = label_item("", std::move(*labels));
        } else {
            item.tensor = std::get<Tensor>(list);
            item.dtype = item.tensor.dtype();
            item.shape = item.tensor.shape();
            item.bytes = item.tensor.byte_size();
        }
    }
    if (file->changed()) return changed_error(file->path());
    FileContents out;
    out.items.push_back(std::move(item));
    return out;
}

}  // namespace

Format labels_format() {
    return {.id = "labels",
            .title = MS_TEXT("token labels, JSON lists"),
            .extensions = {".txt", ".json"},
            .about = MS_TEXT(
                "text with one label a line, a JSON list of labels (or one for each row), or nested lists of numbers"),
            .recognises = recognises_labels,
            .read = read_labels,
            .write = nullptr};
}

}  // namespace maskscope::io
