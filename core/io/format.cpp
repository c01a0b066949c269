// SPDX-License-Identifier: Apache-2.0
#include "core/io/format.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <filesystem>
#include <new>
#include <stdexcept>

namespace maskscope::io {

#include "core/io/format_list.inc"

namespace {

constexpr std::size_t kHeadBytes = 512;

std::string extension_of(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return extension;
}

std::string writable_extensions() {
    std::string out;
    for (const auto& format : formats()) {
        if (format.write == nullptr) continue;
        for (const auto extension : format.extensions) out.append(out.empty() ? "" : ", ").append(extension);
    }
    return out;
}

// The containers of a reader may run out of memory on a file that only claims to be reasonable.
Result<FileContents> read_guarded(const Format& format, const std::shared_ptr<const MappedFile>& file,
                                  const JobContext& context) {
    try {
        return format.read(file, context);
    } catch (const std::bad_alloc&) {
        return make_error(ErrorKind::unavailable, MS_TEXT("there is not enough memory to read the file"));
    } catch (const std::length_error&) {
        return make_error(ErrorKind::unavailable, MS_TEXT("there is not enough memory to read the file"));
    }
}

}  // namespace

const std::vector<Format>& formats() {
    static const std::vector<Format> all{MS_FORMAT_LIST};
    return all;
}

const Format* find_format(std::string_view id) {
    const auto& all = formats();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& format) { return format.id == id; });
    return found == all.end() ? nullptr : &*found;
}

Result<Tensor> tensor_of(const Item& item, const JobContext& context) {
    if (item.tensor.defined()) return item.tensor;
    if (item.load) return item.load(context);
    const std::string name = item.key.empty() ? "the file" : in_quotes(item.key);
    return input_error(MS_TEXT("{} holds text labels, not numbers"), name);
}

Result<FileContents> open_file(const std::string& path, const JobContext& context) {
    MS_TRY(file, MappedFile::open(path));
    const auto bytes = file->bytes();
    if (bytes.empty()) return input_error(MS_TEXT("the file is empty")).in_file(path);
    const auto head = bytes.first(std::min(bytes.size(), kHeadBytes));
    const std::string extension = extension_of(path);
    for (const auto& format : formats()) {
        if (!format.recognises(head, extension)) continue;
        auto contents = read_guarded(format, file, context);
        if (!contents) return std::move(contents).error().in_file(path);
        contents->path = path;
        contents->format_id = format.id;
        return contents;
    }
    return input_error(MS_TEXT("this is none of the formats that Maskscope reads; see `maskscope-cli formats`"))
        .in_file(path);
}

Result<void> save_file(const std::string& path, std::span<const NamedTensor> tensors,
                       const std::map<std::string, std::string>& metadata) {
    const std::string extension = extension_of(path);
    for (const auto& format : formats()) {
        const auto& own = format.extensions;
        if (std::find(own.begin(), own.end(), extension) == own.end()) continue;
        if (format.write == nullptr) {
            return usage_error(MS_TEXT("{} files are only read; save as one of {}"), extension, writable_extensions())
                .in_file(path);
        }
        auto saved = format.write(path, tensors, metadata);
        if (!saved) return std::move(saved).error().in_file(path);
        return {};
    }
    return usage_error(MS_TEXT("the name says no format; end it with one of {}"), writable_extensions()).in_file(path);
}

}  // namespace maskscope::io
