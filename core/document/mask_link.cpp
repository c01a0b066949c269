// SPDX-License-Identifier: Apache-2.0
#include "core/document/mask_link.h"

#include "core/tensor/broadcast.h"

#include <algorithm>

namespace maskscope::document {
namespace {

std::string name_or_number(const std::vector<std::string>& names, int dim) {
    const auto i = static_cast<std::size_t>(dim);
    return i < names.size() && !names[i].empty() ? names[i] : "dim " + std::to_string(dim);
}

std::string describe(const AxisMap& map, const std::vector<std::string>& tensor_dims,
                     const std::vector<std::string>& mask_dims) {
    std::string on;
    std::string repeated;
    for (int dim = 0; dim < static_cast<int>(map.mask_dim.size()); ++dim) {
        const int source = map.mask_dim[static_cast<std::size_t>(dim)];
        const std::string target = name_or_number(tensor_dims, dim);
        if (source < 0) {
            repeated += (repeated.empty() ? "" : ", ") + target;
        } else {
            on += (on.empty() ? "" : ", ") + name_or_number(mask_dims, source) + " → " + target;
        }
    }
    if (on.empty()) on = "one cell for all";
    return repeated.empty() ? on : on + "; repeated along " + repeated;
}

// Every dim of the mask that is larger than 1 finds a dim of the tensor of its name and size, in the same order.
bool map_by_name(const Shape& shape, const std::vector<std::string>& dims, const Shape& mask,
                 const std::vector<std::string>& mask_dims, AxisMap& out) {
    if (static_cast<int>(dims.size()) != shape.rank() || static_cast<int>(mask_dims.size()) != mask.rank())
        return false;
    out.mask_dim.assign(dims.size(), -1);
    for (int m = 0; m < mask.rank(); ++m) {
        if (mask[m] == 1) continue;
        const auto found = std::find(dims.begin(), dims.end(), mask_dims[static_cast<std::size_t>(m)]);
        if (found == dims.end()) return false;
        const auto target = static_cast<int>(found - dims.begin());
        if (shape[target] != mask[m] || out.mask_dim[static_cast<std::size_t>(target)] >= 0) return false;
        out.mask_dim[static_cast<std::size_t>(target)] = m;
    }
    out.by_name = true;
    return true;
}

// Index forms that were tried and fit: the mask's dims in order, with new axes of size 1 between them.
std::string forms_that_fit(const Shape& mask, const Shape& shape) {
    std::string forms;
    const int missing = shape.rank() - mask.rank();
    if (missing <= 0) return forms;
    int found = 0;
    for (unsigned places = 0; places < (1U << static_cast<unsigned>(shape.rank())) && found < 3; ++places) {
        if (__builtin_popcount(places) != mask.rank()) continue;
        std::string form;
        bool fits = true;
        int m = 0;
        for (int dim = 0; dim < shape.rank(); ++dim) {
            const bool real = (places >> static_cast<unsigned>(dim) & 1U) != 0;
            form += (dim == 0 ? "" : ", ") + std::string(real ? ":" : "None");
            if (real && mask[m] != 1 && mask[m] != shape[dim]) fits = false;
            if (real) ++m;
        }
        if (!fits) continue;
        forms += (found == 0 ? "mask[" : " or mask[") + form + "]";
        ++found;
    }
    return forms;
}

}  // namespace

Result<AxisMap> map_axes(const Shape& tensor, const std::vector<std::string>& tensor_dims, const Shape& mask,
                         const std::vector<std::string>& mask_dims) {
    AxisMap map;
    if (map_by_name(tensor, tensor_dims, mask, mask_dims, map)) {
        map.text = describe(map, tensor_dims, mask_dims);
        return map;
    }
    map = {};
    if (!broadcasts_to(mask, tensor)) {
        auto both = broadcast_shapes(mask, tensor);
        Error error =
            both ? input_error(MS_TEXT("the mask {} is larger than the tensor {}"), text_of(mask), text_of(tensor))
                 : both.error();
        const std::string forms = forms_that_fit(mask, tensor);
        if (!forms.empty()) error.hint = message(MS_TEXT("These forms fit: {}"), forms);
        return error;
    }
    const int missing = tensor.rank() - mask.rank();
    map.mask_dim.assign(static_cast<std::size_t>(tensor.rank()), -1);
    for (int m = 0; m < mask.rank(); ++m) {
        if (mask[m] == tensor[m + missing]) map.mask_dim[static_cast<std::size_t>(m + missing)] = m;
    }
    map.text = describe(map, tensor_dims, mask_dims);
    return map;
}

Result<Tensor> lay_over(const Tensor& tensor, const Tensor& mask, const AxisMap& map) {
    Strides strides = Dims::filled(tensor.rank(), 0);
    for (int dim = 0; dim < tensor.rank(); ++dim) {
        const int source = map.mask_dim[static_cast<std::size_t>(dim)];
        if (source >= 0) strides[dim] = mask.strides()[source];
    }
    return Tensor::view_of(mask.storage(), mask.dtype(), tensor.shape(), strides, mask.offset());
}

}  // namespace maskscope::document
