// SPDX-License-Identifier: Apache-2.0
// searchsorted and bucketize.
#include "core/jobs/parallel.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/loops/promotion.h"
#include "core/ops/reduce/axes.h"

#include <algorithm>
#include <vector>

namespace maskscope::ops {
namespace {

// What is looked for: a tensor or a number.
struct Sought {
    Shape shape;
    Typed type;
};

Sought sought_in(const Value& value) {
    if (!value.is_tensor()) {
        const DType dtype = value.get_if<double>() != nullptr ? DType::f32
                            : value.get_if<bool>() != nullptr ? DType::boolean
                                                              : DType::i64;
        return {Shape(), {dtype, Category::python_number}};
    }
    const Tensor& tensor = value.tensor()->tensor;
    return {tensor.shape(), {tensor.dtype(), tensor.rank() == 0 ? Category::zero_dim : Category::dimensioned}};
}

DType common_dtype(const Tensor& sequence, const Sought& sought) {
    return result_type({{sequence.dtype(), Category::dimensioned}, sought.type});
}

Result<void> check_shapes(const Shape& sequence, const Shape& values) {
    if (values.rank() == 0 && sequence.rank() != 1)
        return runtime_error(
            "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is "
            "1, but we got boundaries tensor dim({}) and input value's dim(0) numel(1)",
            sequence.rank());
    if (sequence.rank() == 0)
        return runtime_error(
            "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension");
    bool matches = sequence.rank() == values.rank();
    for (int i = 0; matches && i + 1 < sequence.rank(); ++i) matches = sequence[i] == values[i];
    if (sequence.rank() != 1 && !matches)
        return runtime_error(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of "
            "boundaries tensor and input value tensor must match, but we got boundaries tensor {} and "
            "input value tensor {}",
            text_of(sequence), text_of(values));
    return {};
}

Result<Outputs> planned(const Tensor& sequence, const Sought& sought, bool small) {
    const DType common = common_dtype(sequence, sought);
    if (common == DType::boolean) return not_implemented_for("searchsorted_out_cpu", common);
    MS_CHECK(refuse_storage_only("searchsorted_out_cpu", common));
    return Outputs{{sought.shape, small ? DType::i32 : DType::i64, std::nullopt}};
}

template <class T>
std::vector<T> elements_of(const Tensor& tensor) {
    std::vector<T> out(static_cast<std::size_t>(tensor.numel()));
    const auto flat = tensor.contiguous();
    if (flat && !out.empty())
        load_block(flat->data(), flat->dtype(), static_cast<std::int64_t>(size_of(flat->dtype())), flat->numel(),
                   out.data());
    return out;
}

// How many of the sequence come before the value. The comparisons are torch's: NaN goes behind everything.
template <class T>
std::int64_t place_of(T value, const T* sequence, const std::int64_t* sorter, std::int64_t count, bool right) {
    std::int64_t begin = 0;
    std::int64_t end = count;
    while (begin < end) {
        const std::int64_t middle = begin + (end - begin) / 2;
        const T there = sequence[sorter != nullptr ? sorter[middle] : middle];
        if (right ? !(there > value) : !(there >= value))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

template <class T>
void search(const Tensor& sequence, const Value& sought, const Tensor* sorter, bool right, Tensor& out) {
    const auto ascending = elements_of<T>(sequence);
    const auto order = sorter != nullptr ? elements_of<std::int64_t>(*sorter) : std::vector<std::int64_t>();
    std::vector<T> values;
    if (sought.is_tensor())
        values = elements_of<T>(sought.tensor()->tensor);
    else
        values.push_back(sought.get_if<double>() != nullptr ? static_cast<T>(sought.to_double())
                                                            : static_cast<T>(sought.to_int()));
    const std::int64_t count = sequence.size(sequence.rank() - 1);
    // With one sequence for each row of values.
    const bool batched = sequence.rank() > 1;
    const std::int64_t row = batched ? std::max<std::int64_t>(1, out.size(out.rank() - 1)) : 1;
    const auto out_width = static_cast<std::int64_t>(size_of(out.dtype()));
    parallel_for(Lane::ui, static_cast<std::int64_t>(values.size()), 4096, [&](const Chunk& chunk) {
        for (std::int64_t i = chunk.begin; i < chunk.end; ++i) {
            const std::int64_t start = batched ? i / row * count : 0;
            const std::int64_t place = place_of(values[static_cast<std::size_t>(i)], ascending.data() + start,
                                                sorter != nullptr ? order.data() + start : nullptr, count, right);
            store_number(place, out.dtype(), out.writable_data() + i * out_width);
        }
    });
}

void search_in(DType common, const Tensor& sequence, const Value& sought, const Tensor* sorter, bool right,
               Tensor& out) {
    switch (compute_of(common)) {
        case Compute::f32:
            return search<float>(sequence, sought, sorter, right, out);
        case Compute::f64:
            return search<double>(sequence, sought, sorter, right, out);
        case Compute::i64:
            return search<std::int64_t>(sequence, sought, sorter, right, out);
    }
}

// searchsorted: sequence, values, out_int32, right, side, sorter, out.
Result<Outputs> search_shape(const Args& args) {
    const Tensor& sequence = args.tensor(0);
    const std::string& side = args.text(4);
    if (args.given(4) && side != "left" && side != "right")
        return runtime_error("torch.searchsorted(): side can only be 'left' or 'right' but got {}", side);
    if (side == "left" && args.flag(3))
        return runtime_error(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left while right "
            "was True");
    if (args.given(5)) {
        const Tensor& sorter = args.tensor(5);
        if (!(sorter.shape() == sequence.shape()))
            return runtime_error(
                "torch.searchsorted(): boundary and sorter must have the same size, but got boundary "
                "tensor {}and got sorter tensor {}",
                text_of(sequence.shape()), text_of(sorter.shape()));
        if (sorter.dtype() != DType::i64)
            return runtime_error("torch.searchsorted(): sorter must be a tensor of long dtype but got dtype {}",
                                 scalar_type_name(sorter.dtype()));
    }
    const Sought sought = sought_in(args[1]);
    MS_CHECK(check_shapes(sequence.shape(), sought.shape));
    return planned(sequence, sought, args.flag(2));
}

Result<void> search_kernel(const Args& args, std::span<Tensor> outputs, Run& /*run*/) {
    const Tensor& sequence = args.tensor(0);
    const Tensor* sorter = args.given(5) ? &args.tensor(5) : nullptr;
    if (sorter != nullptr) {
        const std::int64_t count = sequence.size(sequence.rank() - 1);
        for (const auto index : elements_of<std::int64_t>(*sorter))
            if (index < 0 || index >= count) return runtime_error("torch.searchsorted(): sorter index out of range");
    }
    const bool right = args.flag(3) || args.text(4) == "right";
    search_in(common_dtype(sequence, sought_in(args[1])), sequence, args[1], sorter, right, outputs[0]);
    return {};
}

// bucketize: values, boundaries, out_int32, right.
Result<Outputs> bucket_shape(const Args& args) {
    const Tensor& boundaries = args.tensor(1);
    if (boundaries.rank() != 1)
        return runtime_error("boundaries tensor must be 1 dimension, but got dim({})", boundaries.rank());
    return planned(boundaries, sought_in(args[0]), args.flag(2));
}

Result<void> bucket_kernel(const Args& args, std::span<Tensor> outputs, Run& /*run*/) {
    const Tensor& boundaries = args.tensor(1);
    search_in(common_dtype(boundaries, sought_in(args[0])), boundaries, args[0], nullptr, args.flag(3), outputs[0]);
    return {};
}

Overload overload_of(std::string_view signature, ShapeRule shape, Kernel kernel) {
    Overload overload;
    overload.signature = signature;
    overload.forms = kFunction;
    overload.shape = shape;
    overload.kernel = kernel;
    return overload;
}

}  // namespace

void add_search(OpTable& table) {
    table.add({"searchsorted",
               "Where each value would go in an ascending sequence: in front of equal ones, with right=True or "
               "side='right' behind them. One sequence for all values or one for each row.",
               {overload_of("(Tensor sorted_sequence, Tensor input, *, bool out_int32=False, bool right=False, str? "
                            "side=None, Tensor? sorter=None, Tensor? out=None)",
                            search_shape, search_kernel),
                overload_of("(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? "
                            "side=None, Tensor? sorter=None, Tensor? out=None)",
                            search_shape, search_kernel)},
               {"torch.searchsorted(r.sort()[0], x)", "torch.searchsorted(r.sort()[0], 0.5)",
                "torch.searchsorted(x.sort()[0], y, right=True)"}});
    table.add(
        {"bucketize",
         "The index of the bucket between ascending boundaries that each value falls in: right=False puts a value "
         "equal to a boundary below it.",
         {overload_of("(Tensor input, Tensor boundaries, *, bool out_int32=False, bool right=False, Tensor? "
                      "out=None)",
                      bucket_shape, bucket_kernel),
          overload_of("(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False)", bucket_shape,
                      bucket_kernel)},
         {"torch.bucketize(x, r.sort()[0])", "torch.bucketize(i, torch.tensor([1, 2]), right=True)",
          "torch.bucketize(1, torch.tensor([0, 1, 2]))"}});
}

}  // namespace maskscope::ops
