// SPDX-License-Identifier: Apache-2.0
// A tensor as a stack of planes that can be edited: the last two dims are a plane's rows and cols, the leading ones
// count planes in row-major order. A tensor of rank 1 is one row. Where a dim is broadcast (stride 0) there is one
// plane, row or column for all of it, so a stroke shows everywhere that it really stands: plane_count(), rows(), cols()
// and all positions are those of the tensor with its broadcast dims narrowed to 1; shape() is the tensor's own.
#pragma once

#include "core/base/result.h"
#include "core/mask/plane.h"
#include "core/tensor/tensor.h"

#include <cstdint>
#include <map>
#include <vector>

namespace maskscope::mask {

class EditableMask {
public:
    // Shares the tensor's elements until a plane is first edited. Refuses rank 0 and dtypes without cells (complex).
    static Result<EditableMask> of(const Tensor& tensor);

    const Shape& shape() const { return shape_; }
    DType dtype() const { return dtype_; }
    std::int64_t plane_count() const;
    std::int64_t rows() const;
    std::int64_t cols() const;
    bool is_broadcast(int dim) const { return elements_.size(dim) != shape_[dim]; }
    // The plane, made of the tensor's elements at its first use.
    Result<Plane*> plane(std::int64_t index);
    const Plane* find(std::int64_t index) const;  // null: never used, so unchanged

    // The tensor as it stands now, contiguous but for broadcast dims. Only tiles that changed since the last call are
    // written anew. What an earlier call gave stays as it was: as long as somebody holds it, a copy is made.
    Result<Tensor> tensor();

private:
    struct Used {
        Plane plane;
        std::vector<std::uint64_t> written;  // stamps of the tiles that elements_ holds
    };
    struct Place {
        std::int64_t plane = 0;
        std::int64_t index = 0;
    };
    std::vector<Place> changed_tiles() const;
    Result<void> own_elements();
    void write(const Place& tile);
    Result<Tensor> expanded() const;

    Shape shape_;
    DType dtype_ = DType::u8;
    Tensor elements_;  // with broadcast dims narrowed to 1; as it was at the last call of tensor()
    std::map<std::int64_t, Used> planes_;
};

}  // namespace maskscope::mask
