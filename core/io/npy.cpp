// SPDX-License-Identifier: Apache-2.0
// One NumPy array in a file of its own.
#include "core/io/file_elements.h"
#include "core/io/format.h"
#include "core/io/npy_header.h"
#include "core/io/save.h"
#include "core/io/write_elements.h"

namespace maskscope::io {

namespace {

bool recognises_npy(std::span<const std::byte> head, std::string_view extension) {
    return has_npy_magic(head) || extension == ".npy";
}

Result<FileContents> read_npy(const std::shared_ptr<const MappedFile>& file, const JobContext& /*context*/) {
    const auto bytes = file->bytes();
    MS_TRY(header, parse_npy_header(bytes, 0));
    if (header.elements == NpyHeader::Elements::unread) return npy_unread_error(header, 0);
    MS_CHECK(check_npy_size(header, bytes.size(), 0));
    Item item = npy_item(header, "");
    if (header.elements == NpyHeader::Elements::numbers) {
        const auto strides = header.fortran_order ? fortran_strides(header.shape) : contiguous_strides(header.shape);
        MS_CHECK(attach_elements(item, file, {header.header_bytes, strides, header.big_endian}));
    } else {
        MS_TRY(labels, npy_labels(header, bytes.subspan(header.header_bytes, header.data_bytes), header.header_bytes));
        item.labels = std::move(labels);
    }
    const std::size_t beyond = bytes.size() - header.header_bytes - header.data_bytes;
    if (beyond > 0)
        item.note += fmt::format("{}{} bytes after the array are left alone", item.note.empty() ? "" : "; ", beyond);
    FileContents out;
    out.items.push_back(std::move(item));
    return out;
}

Result<void> write_npy(const std::string& path, std::span<const NamedTensor> tensors,
                       const std::map<std::string, std::string>& /*metadata*/) {
    if (tensors.size() != 1) {
        return usage_error(MS_TEXT("an .npy file holds one tensor, not {}; save as .npz or .safetensors"),
                           tensors.size())
            .in_file(path);
    }
    const Tensor& tensor = tensors.front().tensor;
    MS_TRY(header, npy_header_text(tensor.shape(), tensor.dtype()));
    return save_atomically(path, [&](Sink sink) -> Result<void> {
        MS_CHECK(sink(std::as_bytes(std::span(header))));
        return write_elements(tensor, sink);
    });
}

}  // namespace

Format npy_format() {
    return {
        .id = "npy",
        .title = MS_TEXT("NumPy array"),
        .extensions = {".npy"},
        .about = MS_TEXT("one array, versions 1.0 to 3.0; bool, integers, float16/32/64; U and S arrays are labels"),
        .recognises = recognises_npy,
        .read = read_npy,
        .write = write_npy};
}

}  // namespace maskscope::io
