// SPDX-License-Identifier: Apache-2.0
// libFuzzer target for one file format (MS_FUZZ_FORMAT): any bytes give a sentence or tensors whose every element can
// be read.
#include "core/io/format.h"
#include "core/tensor/stats.h"

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace maskscope;

namespace {

constexpr std::int64_t kMostElements = 1 << 20;
constexpr std::size_t kMemory = std::size_t{256} << 20U;

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "violated: %s\n", what);
    std::abort();
}

// A sentence must be there, and no shorter than a word.
void check(const Error& error) {
    require(error.message.text().size() > 3, "an error says something");
}

void touch(const Tensor& tensor) {
    if (tensor.numel() == 0) return;
    if (tensor.numel() <= kMostElements) {
        const auto stats = compute_stats(tensor, {});
        require(stats.ok(), "statistics of a tensor that was read");
        require(stats->count == tensor.numel(), "statistics count every element");
        return;
    }
    // Too many to read for each input: the corners reach as far as any element.
    std::vector<std::int64_t> index(static_cast<std::size_t>(tensor.rank()), 0);
    static_cast<void>(tensor.at(index));
    for (int d = 0; d < tensor.rank(); ++d) index[static_cast<std::size_t>(d)] = tensor.size(d) - 1;
    static_cast<void>(tensor.at(index));
}

void read_items(const io::FileContents& contents) {
    int loaded = 0;
    for (const auto& item : contents.items) {
        if (item.labels) {
            require(!item.tensor.defined() && !item.load, "labels are nothing else");
            continue;
        }
        require(item.tensor.defined() != static_cast<bool>(item.load), "an item is a tensor or a way to load one");
        // Each load may unpack megabytes from a few bytes.
        if (item.load && ++loaded > 4) continue;
        const auto tensor = io::tensor_of(item, {});
        if (!tensor) {
            check(tensor.error());
            continue;
        }
        require(tensor->dtype() == item.dtype, "the dtype is the header's");
        require(tensor->shape() == item.shape, "the shape is the header's");
        require(tensor->byte_size() == item.bytes, "the bytes are the header's");
        touch(*tensor);
    }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    set_memory_budget(kMemory);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const io::Format* const format = io::find_format(MS_FUZZ_FORMAT);
    require(format != nullptr, "the format is in the table");
    const int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    require(descriptor >= 0, "a file in memory");
    const auto written = write(descriptor, data, size);
    require(written == static_cast<ssize_t>(size), "the input is written");
    {
        const auto file = MappedFile::open("/proc/self/fd/" + std::to_string(descriptor));
        require(file.ok(), "the file is mapped");
        const auto bytes = (*file)->bytes();
        if (!bytes.empty()) {
            static_cast<void>(format->recognises(bytes.first(std::min<std::size_t>(bytes.size(), 512)), ".bin"));
            const auto contents = format->read(*file, {});
            if (contents) {
                read_items(*contents);
            } else {
                check(contents.error());
            }
        }
    }
    close(descriptor);
    return 0;
}
