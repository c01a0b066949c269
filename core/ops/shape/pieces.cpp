// SPDX-License-Identifier: Apache-2.0
#include "core/ops/shape/pieces.h"

#include "core/ops/loops/copy.h"
#include "core/ops/shape/geometry.h"

namespace maskscope::ops::geometry {
namespace {

struct Assembly {
    const std::vector<Pieces>& pieces;
    const std::byte* fill;
    const JobContext& context;

    // `from` and `to` are narrowed to one piece in the dims before `dim`.
    Result<void> go(const Tensor& from, Tensor to, int dim) const {
        if (context.cancelled()) return cancelled_error();
        if (dim == to.rank()) {
            copy_elements(from, to);
            return {};
        }
        std::int64_t start = 0;
        for (const Piece& piece : pieces[static_cast<std::size_t>(dim)]) {
            if (piece.length == 0) continue;
            Tensor place = to.narrow(dim, start, piece.length);
            start += piece.length;
            if (piece.filled) {
                fill_elements(place, fill);
                continue;
            }
            Shape shape = from.shape();
            Strides strides = from.strides();
            const std::int64_t offset = from.offset() + piece.from * strides[dim];
            shape[dim] = piece.length;
            strides[dim] *= piece.step;
            MS_TRY(source, restrided(from, shape, strides, offset));
            MS_CHECK(go(source, std::move(place), dim + 1));
        }
        return {};
    }
};

}  // namespace

Pieces whole(std::int64_t size) {
    return {{size, 0, 1, false}};
}

Result<void> assemble(const Tensor& from, Tensor& to, const std::vector<Pieces>& pieces, const std::byte* fill,
                      const JobContext& context) {
    if (to.numel() == 0) return {};
    return Assembly{pieces, fill, context}.go(from, to, 0);
}

}  // namespace maskscope::ops::geometry
