// SPDX-License-Identifier: Apache-2.0
// What every file format gives: a list of named items, found by reading the header only. Adding a format is one
// file here plus its stem in format_list.cmake.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/tensor/mapped_file.h"
#include "core/tensor/tensor.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope::io {

// Token labels: one row for all batches, or a row for each.
struct Labels {
    std::vector<std::vector<std::string>> rows;
};

struct ImageFacts;  // image_facts.h
struct CocoFile;    // coco.h

struct Item {
    std::string key;  // "" when the file holds one nameless thing
    DType dtype = DType::f32;
    Shape shape;
    std::size_t bytes = 0;                    // of the elements
    bool mapped = false;                      // its bytes are the file's, not a copy
    bool fortran_order = false;               // as the file says; strides already follow it
    std::vector<std::string> dim_names;       // from the file, else empty
    std::string note;                         // what the reader found worth telling ("palette indices, 8 bit")
    std::shared_ptr<const ImageFacts> image;  // of image files
    std::shared_ptr<const CocoFile> coco;     // of annotation files, and which of its images this is
    std::size_t coco_image = 0;

    // Exactly one of the three: ready at once, made on demand (deflate), or labels.
    Tensor tensor;
    std::function<Result<Tensor>(const JobContext&)> load;
    std::optional<Labels> labels;
};

// The tensor of an item, loading it when it must be. An error for labels.
Result<Tensor> tensor_of(const Item& item, const JobContext& context);

struct FileContents {
    std::string path;
    std::string format_id;
    std::vector<Item> items;  // in the file's order
    std::map<std::string, std::string> metadata;
};

struct NamedTensor {
    std::string key;
    Tensor tensor;
};

struct Format {
    const char* id;                            // "npy"
    const char* title;                         // "NumPy array"
    std::vector<std::string_view> extensions;  // lower case with the dot: {".npy"}
    const char* about;                         // one line for `formats`
    // Looks at the first bytes (up to 512) and the lower-case extension.
    bool (*recognises)(std::span<const std::byte> head, std::string_view extension);
    // Validates the whole header before it allocates anything.
    Result<FileContents> (*read)(const std::shared_ptr<const MappedFile>& file, const JobContext& context);
    // Null where the format is only read. Writes through save_atomically().
    Result<void> (*write)(const std::string& path, std::span<const NamedTensor> tensors,
                          const std::map<std::string, std::string>& metadata);
};

// In the order of format_list.cmake; the first that recognises a file reads it.
const std::vector<Format>& formats();
const Format* find_format(std::string_view id);

// FileContents::metadata has "not read: KEY" with the reason for an array that the reader had to leave out.
inline constexpr const char* kNotReadPrefix = "not read: ";

// Opens a file with the format that recognises it. Errors name the file.
Result<FileContents> open_file(const std::string& path, const JobContext& context = {});
// The format is chosen by the extension of the path.
Result<void> save_file(const std::string& path, std::span<const NamedTensor> tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace maskscope::io
