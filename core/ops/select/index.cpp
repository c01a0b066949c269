// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/loops/iteration.h"
#include "core/ops/select/aliasing.h"
#include "core/ops/select/fill_where.h"
#include "core/ops/select/index_plan.h"
#include "core/ops/select/seen_as.h"
#include "core/tensor/broadcast.h"

namespace maskscope::ops {
namespace {

std::span<const Value> indices_in(const Args& args) {
    const auto* items = args[1].sequence();
    return items != nullptr ? std::span<const Value>(*items) : std::span<const Value>();
}

Result<Outputs> plan_gather(const Args& args) {
    MS_TRY(plan, plan_index(args.tensor(0), indices_in(args)));
    return Outputs{{plan.result, args.tensor(0).dtype(), index_strides(plan)}};
}

Result<void> gather(const Args& args, std::span<Tensor> outputs, Run& run) {
    if (outputs.front().numel() == 0) return {};
    MS_TRY(plan, plan_index(args.tensor(0), indices_in(args)));
    MS_TRY(offsets, offsets_of(plan, run));
    gather_offsets(outputs.front(), plan.self, offsets);
    return {};
}

// One mask and one number: PyTorch fills by the mask then, and converts the number as a fill does.
const Tensor* lone_mask(const Args& args) {
    if (args.tensor(2).numel() != 1 || args.flag(3)) return nullptr;
    const Tensor* mask = nullptr;
    for (const auto& item : indices_in(args)) {
        if (!item.is_tensor()) continue;
        if (mask != nullptr) return nullptr;
        mask = &item.tensor()->tensor;
    }
    return mask != nullptr && is_mask(mask->dtype()) ? mask : nullptr;
}

Result<Outputs> plan_put(const Args& args) {
    const Tensor& self = args.tensor(0);
    const Tensor& values = args.tensor(2);
    MS_TRY(plan, plan_index(self, indices_in(args)));
    if (plan.parts.empty()) return runtime_error("index_put() needs at least one tensor of indices");
    if (const Tensor* mask = lone_mask(args)) {
        if (mask->dtype() != DType::boolean)
            return runtime_error("masked_fill_ only supports boolean masks, but got mask with dtype unsigned char");
    } else {
        if (args.in_place()) {
            for (const auto& part : plan.parts) MS_CHECK(refuse_alias(self, part.index));
            MS_CHECK(refuse_alias(self, values));
        }
        if (!broadcasts_to(values.shape(), plan.result))
            return runtime_error(
                "shape mismatch: value tensor of shape {} cannot be broadcast to indexing result of shape {}",
                text_of(values.shape()), text_of(plan.result));
        if (values.dtype() != self.dtype())
            return runtime_error(
                "Index put requires the source and destination dtypes match, got {} for the destination and {} for the "
                "source.",
                scalar_type_name(self.dtype()), scalar_type_name(values.dtype()));
    }
    return Outputs{{self.shape(), self.dtype(), preserved_strides(self)}};
}

// The mask over the dims of self that follow the Nones before it.
Tensor spread(const Tensor& mask, const Args& args) {
    int dims = 0;
    for (const auto& item : indices_in(args)) {
        if (item.is_tensor()) break;
        ++dims;
    }
    Shape shape = mask.shape();
    Strides strides = mask.strides();
    for (int d = dims + mask.rank(); d < args.tensor(0).rank(); ++d) {
        shape.push_back(1);
        strides.push_back(1);
    }
    return seen_as(mask, shape, strides);
}

Result<void> put(const Args& args, std::span<Tensor> outputs, Run& run) {
    Tensor& out = outputs.front();
    if (args.in_place() && has_internal_overlap(out))
        run.note(
            "Use of index_put_ on expanded tensors is deprecated. Please clone() the tensor before performing this "
            "operation. This also applies to advanced indexing e.g. tensor[indices] = tensor");
    if (const Tensor* mask = lone_mask(args)) {
        MS_TRY(element, held_element(args.tensor(2), out.dtype()));
        fill_where(out, out, spread(*mask, args), element);
        return {};
    }
    MS_TRY(plan, plan_index(out, indices_in(args)));
    if (plan.self.numel() == 0) return {};
    MS_TRY(offsets, offsets_of(plan, run));
    scatter_offsets(plan.self, offsets, args.tensor(2), args.flag(3), plan.is_unique && !has_internal_overlap(out));
    return {};
}

}  // namespace

void add_index(OpTable& table) {
    constexpr unsigned kPutTraits = kUpdates | kAllowsExpandedSelf;
    OpSpec index;
    index.name = "index";
    index.meaning =
        "What x[...] does with index tensors and masks after the slices: gathers a copy. Neighbouring index dims "
        "become one group in place; when others lie between them, the group comes first.";
    index.overloads = {computed("(Tensor input, Any indices)", kInternal, plan_gather, gather)};
    index.samples = {"x[:, i[0]]"};
    table.add(std::move(index));

    OpSpec index_put;
    index_put.name = "index_put";
    index_put.meaning =
        "Writes the values at the places that the index tensors name, as x[indices] = values does. Of several writes "
        "to one place the last stays; with accumulate=True they add up.";
    index_put.overloads = {computed("(Tensor input, Tensor[] indices, Tensor values, bool accumulate=False)",
                                    kFunction | kMethod | kInPlace, plan_put, put, kPutTraits)};
    index_put.samples = {"torch.index_put(x, (m,), torch.tensor(0.0))", "x.index_put((i[:, 0],), r)",
                         "x.clone().index_put_((i[:, 0],), r, accumulate=True)"};
    table.add(std::move(index_put));

    // The same for x[...] = v, where some dims may stay whole (None). Out of place for the gradient's sake.
    OpSpec assign;
    assign.name = "_index_put_impl";
    assign.meaning = "What x[...] = v does with index tensors and masks after the slices.";
    assign.overloads = {computed("(Tensor input, Any indices, Tensor values, bool accumulate=False)",
                                 kInternal | kInPlace, plan_put, put, kPutTraits)};
    table.add(std::move(assign));
}

}  // namespace maskscope::ops
