// SPDX-License-Identifier: Apache-2.0
#include "core/mask/editable_mask.h"

#include "core/jobs/parallel.h"
#include "core/mask/tile_bits.h"

#include <algorithm>
#include <cstring>

namespace maskscope::mask {
namespace {

constexpr std::int64_t kCopyGrain = std::int64_t{4} << 20;  // bytes

std::vector<std::uint64_t> stamps_of(const Plane& plane) {
    std::vector<std::uint64_t> out(static_cast<std::size_t>(plane.tile_rows() * plane.tile_cols()));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = plane.tile_stamp(static_cast<std::int64_t>(i));
    return out;
}

std::int64_t leading_count(const Shape& shape) {
    std::int64_t count = 1;
    for (int dim = 0; dim + 2 < shape.rank(); ++dim) count *= shape[dim];
    return count;
}

// The plane of that number as a tensor of rank 2.
Tensor plane_of(const Tensor& tensor, std::int64_t index) {
    if (tensor.rank() == 1) return tensor.unsqueeze(0);
    Tensor out = tensor;
    auto rest = leading_count(tensor.shape());
    while (out.rank() > 2) {
        rest /= out.size(0);
        out = out.select(0, index / rest);
        index %= rest;
    }
    return out;
}

}  // namespace

Result<EditableMask> EditableMask::of(const Tensor& tensor) {
    if (!tensor.defined() || !tensor.has_data())
        return input_error(MS_TEXT("the mask's values are not there to be edited; load it first"));
    if (tensor.rank() == 0) return usage_error(MS_TEXT("a single number is no mask: it has no rows and columns"));
    EditableMask out;
    out.shape_ = tensor.shape();
    out.dtype_ = tensor.dtype();
    out.elements_ = tensor;
    for (int dim = 0; dim < tensor.rank(); ++dim)
        if (tensor.strides()[dim] == 0 && tensor.size(dim) > 1) out.elements_ = out.elements_.narrow(dim, 0, 1);
    Shape leading;
    for (int dim = 0; dim + 2 < tensor.rank(); ++dim) leading.push_back(out.elements_.size(dim));
    if (!element_count(leading) || out.rows() >= kMaxSide || out.cols() >= kMaxSide)
        return input_error(MS_TEXT("a mask of shape {} is too large to be edited: a side has to stay below 2^31"),
                           text_of(tensor.shape()));
    return out;
}

std::int64_t EditableMask::plane_count() const {
    return leading_count(elements_.shape());
}

std::int64_t EditableMask::rows() const {
    return elements_.rank() < 2 ? 1 : elements_.size(elements_.rank() - 2);
}

std::int64_t EditableMask::cols() const {
    return elements_.size(elements_.rank() - 1);
}

Result<Plane*> EditableMask::plane(std::int64_t index) {
    if (index < 0 || index >= plane_count())
        return usage_error(MS_TEXT("the mask of shape {} has no plane {}: it has {}"), text_of(shape_), index,
                           plane_count());
    const auto place = planes_.find(index);
    if (place != planes_.end()) return &place->second.plane;
    MS_TRY(plane, Plane::of(plane_of(elements_, index)));
    auto stamps = stamps_of(plane);
    return &planes_.emplace(index, Used{std::move(plane), std::move(stamps)}).first->second.plane;
}

const Plane* EditableMask::find(std::int64_t index) const {
    const auto place = planes_.find(index);
    return place == planes_.end() ? nullptr : &place->second.plane;
}

std::vector<EditableMask::Place> EditableMask::changed_tiles() const {
    std::vector<Place> out;
    for (const auto& [number, used] : planes_)
        for (std::size_t i = 0; i < used.written.size(); ++i)
            if (used.plane.tile_stamp(static_cast<std::int64_t>(i)) != used.written[i])
                out.push_back({number, static_cast<std::int64_t>(i)});
    return out;
}

// Makes elements_ contiguous heap memory that nobody else looks at.
Result<void> EditableMask::own_elements() {
    if (elements_.is_contiguous() && elements_.storage().use_count() == 1 && elements_.writable_data() != nullptr) {
        // Giving up a second reference orders the writing after the last read of one that another thread gave up.
        const Tensor order = elements_;
        return {};
    }
    if (!elements_.is_contiguous()) {
        MS_TRY(copy, elements_.contiguous());
        elements_ = copy;
        return {};
    }
    MS_TRY(copy, Tensor::uninitialised(elements_.shape(), dtype_));
    std::byte* target = copy.writable_data();
    const std::byte* source = elements_.data();
    parallel_for(Lane::ui, static_cast<std::int64_t>(elements_.byte_size()), kCopyGrain, [&](const Chunk& chunk) {
        std::memcpy(target + chunk.begin, source + chunk.begin, static_cast<std::size_t>(chunk.end - chunk.begin));
    });
    elements_ = copy;
    return {};
}

void EditableMask::write(const Place& tile) {
    const Plane& plane = planes_.at(tile.plane).plane;
    const Rect rect = TileGrid{plane.rows(), plane.cols()}.rect_of(tile.index);
    const auto first = tile.plane * plane.rows() * plane.cols() + rect.row * plane.cols() + rect.col;
    plane.copy_rect(rect, elements_.writable_data() + static_cast<std::size_t>(first) * plane.cell_bytes(),
                    static_cast<std::size_t>(plane.cols()) * plane.cell_bytes());
}

Result<Tensor> EditableMask::tensor() {
    const auto changed = changed_tiles();
    if (!changed.empty() || !elements_.is_contiguous()) MS_CHECK(own_elements());
    parallel_for(Lane::ui, static_cast<std::int64_t>(changed.size()), 64, [&](const Chunk& chunk) {
        for (auto i = chunk.begin; i < chunk.end; ++i) write(changed[static_cast<std::size_t>(i)]);
    });
    for (auto& [number, used] : planes_) used.written = stamps_of(used.plane);
    return expanded();
}

Result<Tensor> EditableMask::expanded() const {
    Strides strides = elements_.strides();
    for (int dim = 0; dim < shape_.rank(); ++dim)
        if (is_broadcast(dim)) strides[dim] = 0;
    return Tensor::view_of(elements_.storage(), dtype_, shape_, strides, elements_.offset());
}

}  // namespace maskscope::mask
