// SPDX-License-Identifier: Apache-2.0
#include "core/ops/select/index_items.h"

#include "core/base/checked.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/select/element.h"
#include "core/ops/select/index_list.h"
#include "core/ops/select/index_plan.h"

#include <algorithm>

namespace maskscope::ops {
namespace {

using SlicePtr = std::shared_ptr<const Slice>;

const Slice* slice_in(const Value& item) {
    const auto* slice = item.get_if<SlicePtr>();
    return slice != nullptr ? slice->get() : nullptr;
}

bool is_ellipsis(const Value& item) {
    return item.get_if<Ellipsis>() != nullptr;
}

// A 0-dim integer tensor is an int here (a uint8 one is a mask).
bool is_int_tensor(const Value& item) {
    const auto& variable = item.tensor();
    return variable && variable->tensor.rank() == 0 && is_integer(variable->tensor.dtype()) &&
           !is_mask(variable->tensor.dtype());
}

// Up to torch 2.8 and still in 2.15: a short list that holds anything but numbers is taken for a tuple.
bool counts_as_tuple(const Value& index) {
    if (index.get_if<std::shared_ptr<List>>() == nullptr) return false;
    const auto& items = *index.sequence();
    constexpr std::size_t kLongest = 32;
    return items.size() < kLongest && std::any_of(items.begin(), items.end(), [](const Value& item) {
               return item.is_tensor() || item.is_none() || is_ellipsis(item) || slice_in(item) != nullptr ||
                      item.sequence() != nullptr || item.get_if<std::string>() != nullptr;
           });
}

std::vector<Value> items_of(const Value& index) {
    const bool is_tuple = index.get_if<std::shared_ptr<const Tuple>>() != nullptr;
    return is_tuple || counts_as_tuple(index) ? *index.sequence() : std::vector<Value>{index};
}

// How many dims the items take.
int dims_taken(const std::vector<Value>& items) {
    int count = 0;
    for (const auto& item : items) {
        if (item.is_none() || is_ellipsis(item) || item.get_if<bool>() != nullptr) continue;
        const auto& variable = item.tensor();
        count += variable && is_mask(variable->tensor.dtype()) ? variable->tensor.rank() : 1;
    }
    return count;
}

// Refuses more items than there are dims. Something that stands alone has its own words in PyTorch.
Result<void> refuse_too_many(const Tensor& self, const Value& index, const std::vector<Value>& items) {
    if (const auto* number = index.get_if<std::int64_t>(); number != nullptr && self.rank() == 0) {
        if (*number != 0) return index_error("index {} is out of bounds for dimension 0 with size 0", *number);
        return index_error(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a "
            "0-dim tensor to a number");
    }
    if (self.rank() == 0 && slice_in(index) != nullptr)
        return index_error("slice() cannot be applied to a 0-dim tensor.");
    if (dims_taken(items) > self.rank()) return index_error("too many indices for tensor of dimension {}", self.rank());
    return {};
}

Result<std::int64_t> whole_number(const Value& item) {
    const auto& variable = item.tensor();
    if (!variable) return item.to_int();
    if (!variable->tensor.has_data()) return needs_data("a tensor as an index");
    MS_TRY(number, number_in(variable->tensor));
    return number.to_int();
}

// One bound of a slice; nullopt when it is left out.
Result<std::optional<std::int64_t>> bound_of(const Value& value) {
    if (value.is_none()) return std::optional<std::int64_t>();
    if (const auto& variable = value.tensor()) {
        const Tensor& tensor = variable->tensor;
        if (tensor.numel() != 1 || is_floating(tensor.dtype()))
            return type_error("only integer tensors of a single element can be converted to an index");
    } else if (!value.is_int()) {
        return type_error("slice indices must be integers or None or have an __index__ method");
    }
    MS_TRY(number, whole_number(value));
    return std::optional(number);
}

struct Range {
    std::int64_t start = 0;
    std::int64_t length = 0;
    std::int64_t step = 1;
};

Result<Range> range_of(const Slice& slice, std::int64_t size) {
    MS_TRY(start, bound_of(slice.start));
    MS_TRY(stop, bound_of(slice.stop));
    MS_TRY(step, bound_of(slice.step));
    Range range;
    range.step = step.value_or(1);
    if (range.step == 0) return value_error("slice step cannot be zero");
    if (range.step < 0) return value_error("step must be greater than zero");
    const auto inside = [&](std::int64_t bound) {
        return std::clamp<std::int64_t>(bound < 0 ? bound + size : bound, 0, size);
    };
    range.start = inside(start.value_or(0));
    const auto end = std::max(inside(stop.value_or(size)), range.start);
    range.length = end > range.start ? (end - range.start - 1) / range.step + 1 : 0;
    return range;
}

// Applies the items one after the other to `view`.
class Splitter {
public:
    // Without a run only basic items may come.
    Splitter(const Tensor& self, const std::vector<Value>& items, Run* run)
        : run_(run), rest_(self.rank() - dims_taken(items)) {
        out_.view = self;
    }

    Result<SplitIndex> split(const std::vector<Value>& items) {
        for (std::size_t i = 0; i < items.size(); ++i) MS_CHECK(take(items[i], static_cast<std::int64_t>(i)));
        out_.basic = make_tuple(std::move(basic_));
        return std::move(out_);
    }

private:
    Result<void> take(const Value& item, std::int64_t place) {
        if (item.is_none()) return add_dim();
        if (is_ellipsis(item)) {
            dim_ += rest_;
            basic_.push_back(item);
            return {};
        }
        if (const auto* slice = slice_in(item)) return take_slice(*slice, item);
        if (const auto* flag = item.get_if<bool>()) return take_flag(*flag);
        if (item.get_if<std::int64_t>() != nullptr || is_int_tensor(item)) return take_int(item, place);
        if (item.is_tensor()) return take_tensor(item.tensor());
        if (item.sequence() != nullptr) {
            MS_TRY(list, tensor_of_list(item, *run_));
            return take_tensor(list);
        }
        if (item.get_if<std::string>() != nullptr) return type_error("new(): invalid data type 'str'");
        return index_error(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {})",
            type_name(item));
    }

    Result<void> add_dim() {
        if (out_.view.rank() == kMaxRank)
            return make_error(ErrorKind::unavailable, MS_TEXT("a tensor has at most {} dims here"), kMaxRank);
        if (dim_ > out_.view.rank()) return dimension_out_of_range(out_.view.rank() + 1, dim_);
        out_.view = out_.view.unsqueeze(dim_++);
        basic_.emplace_back();
        out_.changes = true;
        return {};
    }

    Result<void> take_int(const Value& item, std::int64_t place) {
        if (dim_ >= out_.view.rank()) return dimension_out_of_range(out_.view.rank(), dim_);
        MS_TRY(number, whole_number(item));
        const std::int64_t size = out_.view.size(dim_);
        if (number < -size || number >= size)
            return index_error("index {} is out of bounds for dimension {} with size {}", number, place, size);
        out_.view = out_.view.select(dim_, number < 0 ? number + size : number);
        basic_.emplace_back(number);
        out_.changes = true;
        return {};
    }

    Result<void> take_slice(const Slice& slice, const Value& item) {
        if (dim_ >= out_.view.rank()) return dimension_out_of_range(out_.view.rank(), dim_);
        MS_TRY(range, range_of(slice, out_.view.size(dim_)));
        if (range.start != 0 || range.length != out_.view.size(dim_) || range.step != 1) {
            // A step that leaves one element may be larger than any stride can be.
            const bool fits = checked_mul(out_.view.strides()[dim_], range.step).has_value();
            out_.view = out_.view.narrow(dim_, range.start, range.length, fits ? range.step : 0);
            out_.changes = true;
        }
        basic_.push_back(item);
        ++dim_;
        return {};
    }

    // True adds a dim of 1, False one of 0: as indices [0] and [] into a new dim.
    Result<void> take_flag(bool flag) {
        const int dim = dim_;
        MS_CHECK(add_dim());
        MS_TRY(index, run_->allocate(Shape{flag ? 1 : 0}, DType::i64));
        if (flag) *index.writable_as<std::int64_t>() = 0;
        put(dim, 1, run_->wrap(std::move(index)));
        return {};
    }

    Result<void> take_tensor(const VariablePtr& index) {
        const Tensor& tensor = index->tensor;
        if (is_mask(tensor.dtype()) && tensor.rank() == 0) {
            if (!tensor.has_data()) return needs_data("a tensor as an index");
            MS_TRY(flag, number_in(tensor));
            return take_flag(flag.to_int() != 0);
        }
        const int taken = is_mask(tensor.dtype()) ? tensor.rank() : 1;
        put(dim_, taken, index);
        for (int i = 0; i < taken; ++i) basic_.emplace_back(std::make_shared<const Slice>());
        dim_ += taken;
        return {};
    }

    void put(int dim, int taken, const VariablePtr& index) {
        out_.is_advanced = true;
        for (; covered_ < dim; ++covered_) out_.indices.emplace_back();
        out_.indices.emplace_back(index);
        covered_ += taken;
    }

    Run* run_;
    int rest_;  // the dims that an Ellipsis stands for
    int dim_ = 0;
    int covered_ = 0;  // dims that the indices so far speak for
    std::vector<Value> basic_;
    SplitIndex out_;
};

}  // namespace

bool is_basic(const Value& index) {
    const auto items = items_of(index);
    return std::all_of(items.begin(), items.end(), [](const Value& item) {
        if (item.is_tensor()) return is_int_tensor(item);
        return item.sequence() == nullptr && item.get_if<bool>() == nullptr;
    });
}

Result<SplitIndex> split_index(const Tensor& self, const Value& index, Run& run) {
    const auto items = items_of(index);
    if (counts_as_tuple(index))
        run.note(
            "Using a non-tuple sequence for multidimensional indexing is deprecated: x[[a, b]] is taken for x[a, b] "
            "here, and for x[torch.tensor([a, b])] by later versions. Use x[tuple(seq)].");
    MS_CHECK(refuse_too_many(self, index, items));
    return Splitter(self, items, &run).split(items);
}

Result<Tensor> basic_view(const Tensor& self, const Value& index) {
    const auto items = items_of(index);
    MS_CHECK(refuse_too_many(self, index, items));
    MS_TRY(split, Splitter(self, items, nullptr).split(items));
    return std::move(split.view);
}

}  // namespace maskscope::ops
