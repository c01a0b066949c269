// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/select/element.h"
#include "core/ops/select/expansion.h"
#include "core/ops/select/index_items.h"
#include "core/ops/select/index_plan.h"

#include <algorithm>

namespace maskscope::ops {
namespace {

Result<std::optional<Tensor>> basic_part(const Args& args) {
    if (!is_basic(args[1])) return std::optional<Tensor>();
    MS_TRY(view, basic_view(args.tensor(0), args[1]));
    return std::optional(std::move(view));
}

// What the views of an index leave to be gathered or written.
struct Target {
    VariablePtr view;
    std::vector<Value> indices;
    bool is_advanced = false;
};

Result<Target> target_of(const Args& args, Run& run) {
    MS_TRY(split, split_index(args.tensor(0), args[1], run));
    Target out{args.variable(0), std::move(split.indices), split.is_advanced};
    for (const auto& index : out.indices)
        if (index.is_tensor() && index.tensor()->tensor.dtype() == DType::u8)
            run.note("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.");
    if (split.changes) {
        MS_TRY(view, run.tensor("getitem", {args[0], split.basic}));
        out.view = view;
    }
    return out;
}

// The one index, when there is one only.
VariablePtr lone_index(const std::vector<Value>& indices) {
    VariablePtr found;
    for (const auto& index : indices) {
        if (!index.is_tensor()) continue;
        if (found) return nullptr;
        found = index.tensor();
    }
    return found;
}

Result<Value> getitem(const Args& args, Run& run) {
    MS_TRY(target, target_of(args, run));
    const auto mask = lone_index(target.indices);
    const Tensor& view = target.view->tensor;
    if (mask && mask->tensor.dtype() == DType::boolean && mask->tensor.shape() == view.shape())
        return run.call("masked_select", {target.view, mask});
    return run.call("index", {target.view, make_list(std::move(target.indices))});
}

Result<void> refuse_value(const Args& args) {
    if (args[2].is_tensor() || args[2].is_number()) return {};
    return type_error("can't assign a {} to a torch.{}Tensor", type_name(args[2]),
                      scalar_type_name(args.tensor(0).dtype()));
}

// The value as a tensor; a number gets self's dtype. Where there are several indices PyTorch turns a float that is too
// large into an infinity, else it refuses it.
Result<VariablePtr> value_tensor(const Args& args, bool lets_overflow, Run& run) {
    if (args[2].is_tensor()) return args.variable(2);
    const DType dtype = args.tensor(0).dtype();
    MS_TRY(tensor, run.allocate(Shape{}, dtype));
    if (lets_overflow && is_floating(dtype)) {
        store_number(args[2].to_double(), dtype, tensor.writable_data());
    } else {
        MS_TRY(element, held_element(args[2], dtype));
        std::copy_n(element.begin(), size_of(dtype), tensor.writable_data());
    }
    return run.wrap(std::move(tensor));
}

// The value without the leading dims of 1, which a target of fewer dims has no place for.
Result<VariablePtr> without_leading_ones(const VariablePtr& value, Run& run) {
    std::vector<Value> zeros;
    for (const auto size : value->tensor.shape()) {
        if (size != 1) break;
        zeros.emplace_back(0);
    }
    if (zeros.empty()) return value;
    return run.tensor("getitem", {value, make_tuple(std::move(zeros))});
}

// An element of the tensor itself is read before the tensor changes.
Result<Value> read_first(const Value& number, const VariablePtr& view, Run& run) {
    if (!number.is_tensor() || number.tensor()->tensor.storage() != view->tensor.storage()) return number;
    MS_TRY(apart, run.tensor("clone", {number}));
    return Value(apart);
}

// x[...] = value without index tensors: the view takes a copy, converted.
Result<void> copy_into(const VariablePtr& view, const Value& value, Run& run) {
    if (!value.is_tensor()) {
        MS_CHECK(run.in_place("fill", {view, value}));
        return {};
    }
    VariablePtr source = value.tensor();
    if (source->tensor.shape() != view->tensor.shape()) {
        MS_TRY(plain, without_leading_ones(source, run));
        MS_CHECK(refuse_expansion(plain->tensor, view->tensor.shape()));
        source = plain;
        if (plain->tensor.rank() == 0) {
            MS_TRY(apart, read_first(plain, view, run));
            source = apart.tensor();
        }
    }
    MS_CHECK(run.in_place("copy", {view, source}));
    return {};
}

// The mask with dims of 1 for those of the target that follow it.
Result<VariablePtr> mask_over(const Target& target, const VariablePtr& mask, Run& run) {
    int first = 0;
    while (target.indices[static_cast<std::size_t>(first)].is_none()) ++first;
    MS_CHECK(check_mask(mask->tensor, target.view->tensor, first));
    const int after = target.view->tensor.rank() - first - mask->tensor.rank();
    if (after == 0) return mask;
    std::vector<Value> items{Ellipsis{}};
    items.resize(static_cast<std::size_t>(after) + 1);
    return run.tensor("getitem", {mask, make_tuple(std::move(items))});
}

Result<void> fill_masked(const Target& target, const VariablePtr& mask, const Value& number, Run& run) {
    MS_TRY(spread, mask_over(target, mask, run));
    MS_TRY(apart, read_first(number, target.view, run));
    MS_CHECK(run.in_place("masked_fill", {target.view, spread, apart}));
    return {};
}

Result<Value> setitem(const Args& args, Run& run) {
    MS_CHECK(refuse_value(args));
    // A flag that stands alone is no index tensor here: True takes the whole, False nothing.
    if (const auto* flag = args[1].get_if<bool>()) {
        if (!*flag) return Value();
        MS_TRY(whole, run.tensor("getitem", {args[0], Value()}));
        MS_CHECK(copy_into(whole, args[2], run));
        return Value();
    }
    MS_TRY(target, target_of(args, run));
    if (!target.is_advanced) {
        MS_CHECK(copy_into(target.view, args[2], run));
        return Value();
    }
    const auto lone = lone_index(target.indices);
    const bool is_number = args[2].is_number() || args.tensor(2).rank() == 0;
    if (is_number && lone && is_mask(lone->tensor.dtype())) {
        MS_CHECK(fill_masked(target, lone, args[2], run));
        return Value();
    }
    MS_TRY(value, value_tensor(args, lone == nullptr, run));
    MS_TRY(plain, without_leading_ones(value, run));
    MS_CHECK(run.in_place("_index_put_impl", {target.view, make_list(std::move(target.indices)), plain}));
    return Value();
}

}  // namespace

void add_getitem(OpTable& table) {
    Overload get;
    get.signature = "(Tensor input, Any index)";
    get.forms = kInternal;
    get.view = basic_part;
    get.composite = getitem;
    OpSpec get_item;
    get_item.name = "getitem";
    get_item.meaning =
        "x[index]. Ints, slices, None and ... give a view: writing into it changes x. Masks and index tensors give a "
        "copy, always. A bool mask picks where it is True, but 0 and 1 as int64 are row numbers.";
    get_item.overloads = {std::move(get)};
    get_item.samples = {"x[1]", "x[:, ::2]", "x[..., None]", "x[m]", "x[m[:, 0]]", "x[i[0]]", "x[:, i[0]]"};
    table.add(std::move(get_item));

    OpSpec set_item;
    set_item.name = "setitem";
    set_item.meaning =
        "x[index] = value, in place; the value broadcasts to what x[index] has. Slices convert its dtype, while masks "
        "and index tensors take a number or a tensor of the same dtype.";
    set_item.overloads = {composed("(Tensor input, Any index, Any value)", kInternal, setitem)};
    table.add(std::move(set_item));
}

}  // namespace maskscope::ops
