// SPDX-License-Identifier: Apache-2.0
#include "core/ops/select/line_moves.h"

#include "core/ops/loops/copy.h"
#include "core/ops/select/widths.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace maskscope::ops {
namespace {

// One line, with steps that the compiler knows where they are those of dense tensors.
template <class T, class Visit>
void for_each_in_line(const LineBlock& block, std::int64_t line, Visit visit) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    constexpr auto kIndexSize = static_cast<std::int64_t>(sizeof(std::int64_t));
    std::byte* pointed = block.data[0] + line * block.across[0];
    const std::byte* indices = block.data[1] + line * block.across[1];
    std::byte* other = block.data[2] + line * block.across[2];
    if (block.along[1] == kIndexSize && block.along[2] == kSize && block.stride == kSize) {
        for (std::int64_t k = 0; k < block.length; ++k) {
            const auto index = get<std::int64_t>(indices + k * kIndexSize);
            if (block.is_inside(index)) visit(pointed + index * kSize, other + k * kSize);
        }
        return;
    }
    for (std::int64_t k = 0; k < block.length; ++k) {
        const auto index = get<std::int64_t>(indices + k * block.along[1]);
        if (block.is_inside(index)) visit(pointed + index * block.stride, other + k * block.along[2]);
    }
}

// Calls visit(place in operand 0, place in operand 2) for every element, along each line in order.
template <class T, class Visit>
void for_each_element(const LineBlock& block, Visit visit) {
    if (std::abs(block.along[1]) <= std::abs(block.across[1])) {
        for (std::int64_t line = 0; line < block.lines; ++line) for_each_in_line<T>(block, line, visit);
        return;
    }
    for (std::int64_t k = 0; k < block.length; ++k) {
        const std::byte* indices = block.data[1] + k * block.along[1];
        std::byte* other = block.data[2] + k * block.along[2];
        for (std::int64_t line = 0; line < block.lines; ++line) {
            const auto index = get<std::int64_t>(indices + line * block.across[1]);
            if (!block.is_inside(index)) continue;
            visit(block.data[0] + line * block.across[0] + index * block.stride, other + line * block.across[2]);
        }
    }
}

// True when one index moves whole rows: calls visit(row in operand 0, row in operand 2) for each of them.
template <class Visit>
bool for_each_row(const LineBlock& block, std::int64_t size, Visit visit) {
    if (block.across[1] != 0 || block.across[0] != size || block.across[2] != size) return false;
    for (std::int64_t k = 0; k < block.length; ++k) {
        const auto index = get<std::int64_t>(block.data[1] + k * block.along[1]);
        if (block.is_inside(index)) visit(block.data[0] + index * block.stride, block.data[2] + k * block.along[2]);
    }
    return true;
}

template <class T>
void combine_block(const LineBlock& block, Combine how) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    const auto combine = [how](std::byte* at, const std::byte* with) {
        put(at, combined(how, get<T>(at), get<T>(with)));
    };
    const bool rows = for_each_row(block, kSize, [&](std::byte* at, const std::byte* with) {
        if (how == Combine::add) {
            // By far the most frequent: a constant that the loop can be built for.
            for (std::int64_t i = 0; i < block.lines; ++i)
                put(at + i * kSize, combined(Combine::add, get<T>(at + i * kSize), get<T>(with + i * kSize)));
            return;
        }
        for (std::int64_t i = 0; i < block.lines; ++i) combine(at + i * kSize, with + i * kSize);
    });
    if (!rows) for_each_element<T>(block, combine);
}

}  // namespace

bool gather_lines(const Tensor& self, const Tensor& index, const Tensor& out, int dim) {
    return with_width(self.dtype(), [&]<class T>(T) {
        return for_each_line_block(self, index, out, dim, AlongLine::any_order, [](const LineBlock& block) {
            const bool rows = for_each_row(block, sizeof(T), [&](const std::byte* from, std::byte* to) {
                std::memcpy(to, from, static_cast<std::size_t>(block.lines) * sizeof(T));
            });
            if (!rows) for_each_element<T>(block, [](const std::byte* from, std::byte* to) { put(to, get<T>(from)); });
        });
    });
}

bool scatter_lines(Combine how, const Tensor& self, const Tensor& index, const Tensor& source, int dim) {
    if (how == Combine::replace) {
        return with_width(self.dtype(), [&]<class T>(T) {
            return for_each_line_block(self, index, source, dim, AlongLine::in_order, [](const LineBlock& block) {
                const bool rows = for_each_row(block, sizeof(T), [&](std::byte* to, const std::byte* from) {
                    std::memcpy(to, from, static_cast<std::size_t>(block.lines) * sizeof(T));
                });
                if (!rows)
                    for_each_element<T>(block, [](std::byte* to, const std::byte* from) { put(to, get<T>(from)); });
            });
        });
    }
    bool all_inside = true;
    with_element(self.dtype(), [&]<class T>(T) {
        all_inside = for_each_line_block(self, index, source, dim, AlongLine::in_order,
                                         [how](const LineBlock& block) { combine_block<T>(block, how); });
    });
    return all_inside;
}

Result<bool> scatter_lines_in_float(Combine how, Tensor& self, const Tensor& index, const Tensor& source, int dim,
                                    Run& run) {
    if (self.dtype() != DType::f16 && self.dtype() != DType::bf16) return scatter_lines(how, self, index, source, dim);
    MS_TRY(wide_self, run.allocate(self.shape(), DType::f32));
    copy_elements(self, wide_self);
    MS_TRY(wide_source, run.allocate(source.shape(), DType::f32));
    copy_elements(source, wide_source);
    const bool all_inside = scatter_lines(how, wide_self, index, wide_source, dim);
    copy_elements(wide_self, self);
    return all_inside;
}

Result<Tensor> repeated(const std::array<std::byte, 8>& element, DType dtype, const Shape& shape, Run& run) {
    MS_TRY(one, run.allocate(Shape{1}, dtype));
    std::copy_n(element.begin(), size_of(dtype), one.writable_data());
    return Tensor::view_of(one.storage(), dtype, shape, Dims::filled(shape.rank(), 0), 0);
}

}  // namespace maskscope::ops
