// SPDX-License-Identifier: Apache-2.0
#include "core/ops/select/index_plan.h"

#include "core/jobs/parallel.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/iteration.h"
#include "core/ops/select/places.h"
#include "core/ops/select/row_major.h"
#include "core/ops/select/seen_as.h"
#include "core/ops/select/widths.h"
#include "core/tensor/broadcast.h"

#include <atomic>
#include <limits>

namespace maskscope::ops {
namespace {

using Part = IndexPlan::Part;

// "[2], [3]": as PyTorch lists them, a mask once for each of its dims.
std::string shapes_text(const std::vector<Part>& parts) {
    std::string text;
    for (const auto& part : parts)
        for (int i = 0; i < (part.is_mask ? part.index.rank() : 1); ++i)
            text += (text.empty() ? "" : ", ") + text_of(part.list);
    return text;
}

// Which dims of self are indexed, and by what.
struct Parts {
    std::vector<Part> parts;
    std::vector<bool> indexed;  // for each dim of self
};

Result<Parts> parts_of(const Tensor& self, std::span<const Value> indices) {
    if (static_cast<int>(indices.size()) > self.rank())
        return index_error("too many indices for tensor of dimension {} (got {})", self.rank(), indices.size());
    Parts out;
    out.indexed.assign(static_cast<std::size_t>(self.rank()), false);
    int dim = 0;
    int ordinal = 0;
    for (const auto& item : indices) {
        const auto& variable = item.tensor();
        if (!variable) {
            ++dim;
            continue;
        }
        Part part;
        part.index = variable->tensor;
        part.ordinal = ordinal;
        const DType dtype = part.index.dtype();
        if (!is_mask(dtype) && dtype != DType::i64 && dtype != DType::i32)
            return index_error("tensors used as indices must be long, int, byte or bool tensors");
        part.is_mask = is_mask(dtype);
        const int taken = part.is_mask ? part.index.rank() : 1;
        if (part.is_mask) {
            MS_CHECK(check_mask(part.index, self, dim));
            if (!part.index.has_data()) return needs_data("indexing with a mask");
            part.list = Shape{nonzero_counts(part.index).back()};
        } else {
            if (dim >= self.rank()) return dimension_out_of_range(self.rank(), dim);
            part.list = part.index.shape();
            part.size = self.size(dim);
            part.stride = self.strides()[dim];
        }
        for (int j = 0; j < taken; ++j) {
            out.indexed[static_cast<std::size_t>(dim + j)] = true;
            if (part.is_mask) part.mask_strides.push_back(self.strides()[dim + j]);
        }
        dim += taken;
        ordinal += taken;
        out.parts.push_back(std::move(part));
    }
    return out;
}

// The dims that are indexed become one group where the first of them stood, or in front when others lie between.
Result<void> arrange(const Tensor& self, const std::vector<bool>& indexed, IndexPlan& plan) {
    const auto is_indexed = [&](int d) { return indexed[static_cast<std::size_t>(d)]; };
    int begin = 0;
    while (begin < self.rank() && !is_indexed(begin)) ++begin;
    int end = begin;
    while (end < self.rank() && is_indexed(end)) ++end;
    bool together = true;
    for (int d = end; d < self.rank(); ++d) together = together && !is_indexed(d);
    plan.first = together ? begin : 0;

    int rank = plan.indexed.rank();
    for (int d = 0; d < self.rank(); ++d) rank += is_indexed(d) ? 0 : 1;
    if (rank > kMaxRank)
        return make_error(ErrorKind::unavailable, MS_TEXT("a tensor has at most {} dims here"), kMaxRank);

    Strides strides;
    const auto add_indexed = [&] {
        for (const auto size : plan.indexed) {
            plan.result.push_back(size);
            strides.push_back(0);
        }
    };
    if (!together) add_indexed();
    for (int d = 0; d < self.rank(); ++d) {
        if (together && d == begin) add_indexed();
        if (is_indexed(d)) continue;
        plan.result.push_back(self.size(d));
        strides.push_back(self.strides()[d]);
    }
    if (together && begin == self.rank()) add_indexed();
    const bool is_empty = element_count(plan.result) == 0;
    MS_TRY(seen, Tensor::view_of(self.storage(), self.dtype(), plan.result, strides, is_empty ? 0 : self.offset()));
    plan.self = std::move(seen);
    return {};
}

// A tensor over the indexed dims, placed among those of the result.
Tensor placed(const Tensor& list, const IndexPlan& plan) {
    Shape shape = list.shape();
    Strides strides = list.strides();
    for (int d = plan.first + plan.indexed.rank(); d < plan.result.rank(); ++d) {
        shape.push_back(1);
        strides.push_back(1);
    }
    return seen_as(list, shape, strides);
}

// Shape and strides alone.
Tensor unread(const Shape& shape, const Strides& strides) {
    constexpr std::size_t kRoom = std::numeric_limits<std::size_t>::max() / 2;
    const auto out = Tensor::view_of(Storage::shapes_only(kRoom), DType::i64, shape, strides, 0);
    return out ? *out : Tensor();
}

// A list of indices over the whole of the result's dims, with the strides that a view gets which adds dims of 1 on both
// sides: PyTorch lets even these decide about the order of memory.
Tensor over_result(const Part& part, const IndexPlan& plan) {
    const int rank = plan.indexed.rank();
    const int after = plan.result.rank() - plan.first - rank;
    Strides own = Dims::filled(rank, 0);
    for (int d = rank - 1, from = part.list.rank() - 1; from >= 0; --d, --from)
        if (part.list[from] == plan.indexed[d]) own[d] = part.is_mask ? 1 : part.index.strides()[from];
    // int32 becomes int64 once it has been broadcast, and loses its repeats.
    if (part.index.dtype() == DType::i32) own = preserved_strides(unread(plan.indexed, own));
    std::int64_t base = rank > 0 ? own[rank - 1] : 1;
    std::int64_t span = 1;  // elements of the dims so far that lie in memory without a break
    Strides seen = Dims::filled(plan.result.rank(), base);
    Shape shape = Dims::filled(plan.result.rank(), 1);
    for (int d = rank - 1; d >= 0; --d) {
        shape[plan.first + d] = plan.indexed[d];
        seen[plan.first + d] = span * base;
        span *= plan.indexed[d];
        if (d == 0 || plan.indexed[d - 1] == 1 || own[d - 1] == span * base) continue;
        base = own[d - 1];
        span = 1;
    }
    for (int d = 0; d < plan.first; ++d) seen[d] = span * base;
    if (after == 0 && plan.first == 0) seen = own;
    return unread(shape, seen);
}

// A mask as the offsets of its places.
Result<Tensor> mask_offsets(const Part& part, std::int64_t size, Run& run) {
    const auto counts = nonzero_counts(part.index);
    MS_TRY(list, run.allocate(Shape{counts.back()}, DType::i64));
    auto* first = list.writable_as<std::int64_t>();
    for_each_truth(part.index, counts, [&](const TruthRun& places) {
        std::int64_t start = 0;
        for (std::size_t d = 0; d < places.index.size(); ++d)
            start += places.index[d] * part.mask_strides[static_cast<int>(d)];
        const std::int64_t step = part.mask_strides[part.mask_strides.rank() - 1];
        std::int64_t* at = first + places.before;
        for (std::size_t i = 0; i < places.truth.size(); ++i)
            if (places.truth[i] != 0) *at++ = (start + static_cast<std::int64_t>(i) * step) * size;
    });
    return list;
}

// What one index contributes along a run of places, added to what the indices before it gave. Returns the first place
// that is out of range, or the count.
template <class T>
std::int64_t add_index(const ElementRun& run, const Part& part, std::int64_t size, bool is_first) {
    const auto contribute = [&](std::int64_t step, std::int64_t index_step) {
        for (std::int64_t i = 0; i < run.count; ++i) {
            auto index = static_cast<std::int64_t>(get<T>(run.data[1] + i * index_step));
            if (index < 0) index += part.size;
            if (index < 0 || index >= part.size) return i;
            std::byte* at = run.data[0] + i * step;
            put(at, (is_first ? 0 : get<std::int64_t>(at)) + index * part.stride * size);
        }
        return run.count;
    };
    constexpr std::int64_t kOffset = sizeof(std::int64_t);
    const bool is_dense = run.step[0] == kOffset && run.step[1] == static_cast<std::int64_t>(sizeof(T));
    return is_dense ? contribute(kOffset, sizeof(T)) : contribute(run.step[0], run.step[1]);
}

void add_offsets(const ElementRun& run, bool is_first) {
    for (std::int64_t i = 0; i < run.count; ++i) {
        std::byte* at = run.data[0] + i * run.step[0];
        put(at, (is_first ? 0 : get<std::int64_t>(at)) + get<std::int64_t>(run.data[1] + i * run.step[1]));
    }
}

}  // namespace

Result<void> check_mask(const Tensor& mask, const Tensor& self, int dim) {
    for (int j = 0; j < mask.rank(); ++j) {
        if (dim + j >= self.rank()) return dimension_out_of_range(self.rank(), dim + j);
        if (mask.size(j) != self.size(dim + j))
            return index_error(
                "The shape of the mask {} at index {} does not match the shape of the indexed tensor {} at index {}",
                text_of(mask.shape()), j, text_of(self.shape()), dim + j);
    }
    return {};
}

Result<IndexPlan> plan_index(const Tensor& self, std::span<const Value> indices) {
    IndexPlan plan;
    MS_TRY(found, parts_of(self, indices));
    for (const auto& part : found.parts) {
        auto both = broadcast_shapes(plan.indexed, part.list);
        if (!both)
            return index_error("shape mismatch: indexing tensors could not be broadcast together with shapes {}",
                               shapes_text(found.parts));
        plan.indexed = *both;
    }
    for (const auto& part : found.parts)
        if (!part.is_mask && part.size == 0 && element_count(plan.indexed).value_or(0) != 0)
            return index_error("index is out of bounds for dimension with size 0");
    plan.parts = std::move(found.parts);
    plan.is_unique = plan.parts.size() == 1 && plan.parts.front().is_mask;
    MS_CHECK(arrange(self, found.indexed, plan));
    return plan;
}

Strides index_strides(const IndexPlan& plan) {
    std::vector<Tensor> lists;
    for (const auto& part : plan.parts) lists.push_back(over_result(part, plan));
    std::vector<const Tensor*> inputs{&plan.self};
    for (const auto& list : lists) inputs.push_back(&list);
    return elementwise_strides(plan.result, inputs);
}

Result<Tensor> offsets_of(const IndexPlan& plan, Run& run) {
    const auto size = static_cast<std::int64_t>(size_of(plan.self.dtype()));
    if (plan.is_unique) {
        MS_TRY(list, mask_offsets(plan.parts.front(), size, run));
        return placed(list, plan);
    }
    MS_TRY(offsets, run.allocate(plan.indexed, DType::i64));
    std::vector<Tensor> lists;
    for (const auto& part : plan.parts) {
        if (!part.is_mask) {
            lists.push_back(part.index);
            continue;
        }
        MS_TRY(list, mask_offsets(part, size, run));
        lists.push_back(std::move(list));
    }
    // The first place with an index out of range, and the part it belongs to.
    constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
    std::atomic<std::int64_t> bad{kNone};
    parallel_for(Lane::ui, offsets.numel(), kPlaces, [&](const Chunk& chunk) {
        for (std::size_t p = 0; p < plan.parts.size(); ++p) {
            const Part& part = plan.parts[p];
            const Tensor* const operands[] = {&offsets, &lists[p]};
            std::int64_t at = chunk.begin;
            RowMajor(plan.indexed, operands).walk(chunk.begin, chunk.end, [&](const ElementRun& places) {
                if (part.is_mask) return add_offsets(places, p == 0);
                const auto good = part.index.dtype() == DType::i64
                                      ? add_index<std::int64_t>(places, part, size, p == 0)
                                      : add_index<std::int32_t>(places, part, size, p == 0);
                if (good < places.count) {
                    const std::int64_t mine = (at + good) * (kMaxRank + 1) + static_cast<std::int64_t>(p);
                    std::int64_t known = bad;
                    while (mine < known && !bad.compare_exchange_weak(known, mine)) continue;
                }
                at += places.count;
            });
        }
    });
    if (bad != kNone) {
        const auto place = bad / (kMaxRank + 1);
        const auto p = static_cast<std::size_t>(bad % (kMaxRank + 1));
        const Tensor* const operands[] = {&lists[p]};
        std::int64_t index = 0;
        RowMajor(plan.indexed, operands).walk(place, place + 1, [&](const ElementRun& places) {
            index =
                lists[p].dtype() == DType::i64 ? get<std::int64_t>(places.data[0]) : get<std::int32_t>(places.data[0]);
        });
        return index_error("index {} is out of bounds for dimension {} with size {}", index, plan.parts[p].ordinal,
                           plan.parts[p].size);
    }
    return placed(offsets, plan);
}

}  // namespace maskscope::ops
