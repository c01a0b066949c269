// SPDX-License-Identifier: Apache-2.0
// TIFF: each page an item, its samples as they are stored, not turned. Headers are read at once, pixels when they are
// asked for, in tiff_pixels.cpp.
#include "core/io/tiff_handle.h"

#include <array>
#include <string>

namespace maskscope::io {
namespace {

constexpr std::array<std::string_view, 3> kExtensions = {".tif", ".tiff", ".btf"};
constexpr int kMostPages = 65535;  // a page number has 16 bits

Result<FileContents> read_tiff(const std::shared_ptr<const MappedFile>& file, const JobContext& context) {
    FileContents out;
    MS_TRY(tiff, TiffHandle::open(file));
    std::vector<TiffPage> pages;
    do {
        if (context.cancelled()) return cancelled_error();
        if (static_cast<int>(pages.size()) == kMostPages) break;
        MS_TRY(page, tiff->page());
        pages.push_back(std::move(page));
    } while (tiff->next_page());
    MS_CHECK(tiff->sound());
    for (std::size_t i = 0; i < pages.size(); ++i) {
        auto& page = pages[i];
        page.facts.page_count = static_cast<int>(pages.size());
        const std::string key = pages.size() > 1 ? fmt::format("page{}", i + 1) : "";
        if (!page.refused.empty()) {
            if (pages.size() == 1) return Error(input_error("{}", page.refused)).at(page.offset);
            out.metadata[kNotReadPrefix + key] = page.refused;
            continue;
        }
        auto made = image_item(page.grid, page.facts);
        if (!made) return std::move(made).error().at(page.offset);
        MS_CHECK(check_claim(page, made->bytes, file->bytes().size()));
        made->key = key;
        if (!page.note.empty()) made->note += "; " + page.note;
        made->load = [file, page](const JobContext& job) { return load_tiff_page(file, page, job); };
        out.items.push_back(std::move(*made));
    }
    return out;
}

bool recognises(std::span<const std::byte> head, std::string_view extension) {
    return is_image(head, extension, "tiff", kExtensions);
}

}  // namespace

Format tiff_format() {
    return {.id = "tiff",
            .title = MS_TEXT("TIFF image"),
            .extensions = {kExtensions.begin(), kExtensions.end()},
            .about = MS_TEXT("pages as stored: grey, palette indices, RGB; 1 to 64 bit, integers and floats"),
            .recognises = recognises,
            .read = read_tiff,
            .write = nullptr};
}

}  // namespace maskscope::io
