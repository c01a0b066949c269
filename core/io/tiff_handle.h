// SPDX-License-Identifier: Apache-2.0
// libtiff over the bytes of a mapped file: what a page says of itself, and its pixels.
#pragma once

#include "core/io/image_reader.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>

struct tiff;  // libtiff's handle

namespace maskscope::io {

struct TiffPage {
    PixelGrid grid;
    ImageFacts facts;
    std::string note;              // beyond the facts
    std::string refused;           // why the page is not read; empty: it is
    std::uint64_t offset = 0;      // of its directory
    int bits = 8;                  // of a sample
    bool separate = false;         // a plane for each channel
    bool fax = false;              // compressed as fax: rows of one colour take a bit
    std::uint64_t most_ratio = 1;  // bytes that a byte of the file may become
};

class TiffHandle {
public:
    static Result<std::unique_ptr<TiffHandle>> open(std::shared_ptr<const MappedFile> file);
    ~TiffHandle();
    TiffHandle(const TiffHandle&) = delete;
    TiffHandle& operator=(const TiffHandle&) = delete;

    // The page that stands first, or that next_page() found.
    Result<TiffPage> page() const;
    bool next_page();
    Result<void> go_to(std::uint64_t offset);
    // All pixels of the page, rows first, channels last.
    Result<void> pixels(const TiffPage& page, std::byte* out, const JobContext& context);
    // What libtiff complained about last.
    Result<void> sound() const;

private:
    struct Client;
    explicit TiffHandle(std::shared_ptr<const MappedFile> file);
    Result<void> read_block(const TiffPage& page, std::uint32_t block, std::span<std::byte> buffer);
    Error problem() const;

    std::shared_ptr<const MappedFile> file_;
    std::uint64_t position_ = 0;
    std::array<char, 240> message_{};
    bool warned_ = false;
    struct tiff* tiff_ = nullptr;
};

// Refuses a page that claims more pixels than the file can hold.
Result<void> check_claim(const TiffPage& page, std::size_t bytes, std::size_t file_bytes);
Result<Tensor> load_tiff_page(const std::shared_ptr<const MappedFile>& file, const TiffPage& page,
                              const JobContext& context);

}  // namespace maskscope::io
