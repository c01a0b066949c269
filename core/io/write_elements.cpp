// SPDX-License-Identifier: Apache-2.0
#include "core/io/write_elements.h"

#include "core/io/file_elements.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace maskscope::io {

namespace {

constexpr std::size_t kPiece = 1U << 20U;

class PieceWriter {
public:
    PieceWriter(const Tensor& tensor, Sink sink)
        : tensor_(tensor), sink_(sink), size_(static_cast<std::int64_t>(size_of(tensor.dtype()))) {
        buffer_.reserve(kPiece);
    }

    Result<void> write() {
        MS_CHECK(walk(tensor_.data(), 0));
        return sink_(buffer_);
    }

private:
    Result<void> walk(const std::byte* first, int dim) {
        if (dim == tensor_.rank()) return row(first, 1, 1);
        const std::int64_t step = tensor_.strides()[dim] * size_;
        if (dim + 1 == tensor_.rank()) return row(first, tensor_.size(dim), step);
        for (std::int64_t i = 0; i < tensor_.size(dim); ++i) MS_CHECK(walk(first + i * step, dim + 1));
        return {};
    }

    Result<void> row(const std::byte* first, std::int64_t count, std::int64_t step) {
        const auto size = static_cast<std::size_t>(size_);
        for (std::int64_t i = 0; i < count;) {
            if (buffer_.size() + size > kPiece) {
                MS_CHECK(sink_(buffer_));
                buffer_.clear();
            }
            const auto room = static_cast<std::int64_t>((kPiece - buffer_.size()) / size);
            const std::int64_t some = std::min(room, count - i);
            const std::size_t before = buffer_.size();
            buffer_.resize(before + static_cast<std::size_t>(some) * size);
            std::byte* out = buffer_.data() + before;
            for (std::int64_t k = 0; k < some; ++k) {
                std::memcpy(out + k * size_, first + (i + k) * step, size);
            }
            i += some;
        }
        return {};
    }

    const Tensor& tensor_;
    Sink sink_;
    std::int64_t size_;
    std::vector<std::byte> buffer_;
};

}  // namespace

Result<void> write_elements(const Tensor& tensor, Sink sink) {
    if (tensor.numel() > 0) {
        if (tensor.is_contiguous()) {
            MS_CHECK(sink({tensor.data(), tensor.byte_size()}));
        } else {
            MS_CHECK(PieceWriter(tensor, sink).write());
        }
    }
    if (tensor.storage()->changed_on_disk()) return changed_error(tensor.storage()->file()->path());
    return {};
}

}  // namespace maskscope::io
