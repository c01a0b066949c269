// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/parallel.h"
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/loops/copy.h"
#include "core/ops/nn/attention_passes.h"
#include "core/ops/nn/matrix_batch.h"
#include "core/ops/nn/rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace maskscope::ops {
namespace {

constexpr std::int64_t kGrain = 32768;

// max, exp, scale; x may be out. A row of -inf alone is -inf minus -inf: NaN, as in PyTorch.
template <class T>
void softmax_row(const T* x, T* out, std::int64_t count, bool is_log) {
    const RowPasses<T>& pass = row_passes<T>();
    const T largest = pass.largest(x, count);
    if (is_log) {
        const T sum = pass.exponential_sum(x, largest, nullptr, count);
        pass.affine(x, T{1}, -largest, out, count);
        pass.affine(out, T{1}, -std::log(sum), out, count);
        return;
    }
    const T sum = pass.exponentials(x, largest, out, count);
    pass.affine(out, T{1} / sum, T{0}, out, count);
}

// The rows of a tensor along one dim, in row-major order of the other dims.
struct RowWalk {
    const Tensor& tensor;
    int dim;

    std::byte* at(std::int64_t row) const {
        auto* data = const_cast<std::byte*>(tensor.data());
        for (int i = tensor.rank() - 1; i >= 0; --i) {
            if (i == dim) continue;
            data += row % tensor.size(i) * step_of(tensor, i);
            row /= tensor.size(i);
        }
        return data;
    }
};

template <class T>
void run_rows(const Tensor& input, Tensor& out, int dim, bool is_log, Run& run) {
    const std::int64_t count = input.size(dim);
    const std::int64_t in_step = step_of(input, dim);
    const std::int64_t out_step = step_of(out, dim);
    const DType plain = std::is_same_v<T, float> ? DType::f32 : DType::f64;
    const bool in_place_in = input.dtype() == plain && in_step == sizeof(T);
    const bool in_place_out = out.dtype() == plain && out_step == sizeof(T);
    const RowWalk from{input, dim};
    const RowWalk to{out, dim};
    const auto one_row = [&](std::int64_t row, std::vector<T>& buffer) {
        const std::byte* source = from.at(row);
        std::byte* target = to.at(row);
        T* result = in_place_out ? reinterpret_cast<T*>(target) : buffer.data();
        if (!in_place_in) load_block(source, input.dtype(), in_step, count, result);
        softmax_row(in_place_in ? reinterpret_cast<const T*>(source) : result, result, count, is_log);
        if (!in_place_out) store_block(result, out.dtype(), out_step, count, target);
    };
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / count);
    parallel_for(Lane::ui, input.numel() / count, grain, [&](const Chunk& chunk) {
        std::vector<T> buffer(static_cast<std::size_t>(in_place_out ? 0 : count));
        for (std::int64_t row = chunk.begin; row < chunk.end && !run.context().cancelled(); ++row) one_row(row, buffer);
    });
}

// Rows across memory: neighbours side by side, one in each lane, so that each piece of memory is fetched once.
template <class T>
class Columns {
public:
    Columns(const Tensor& input, Tensor& out, int dim, bool is_log)
        : input_(input), out_(out), from_{input, dim}, to_{out, dim}, dim_(dim), is_log_(is_log) {
        count_ = input.size(dim);
        last_ = input.rank() - 1;
        width_ = count_ <= kShort ? kWide : kNarrow;
        pieces_ = chunk_count(input.size(last_), width_);
    }

    std::int64_t tasks() const { return input_.numel() / count_ / input_.size(last_) * pieces_; }
    std::int64_t grain() const { return std::max<std::int64_t>(1, kGrain / (count_ * width_)); }

    void run(std::int64_t piece, std::vector<T>& buffer) const {
        const std::int64_t column = piece % pieces_ * width_;
        const std::int64_t used = std::min(width_, input_.size(last_) - column);
        const std::int64_t row = piece / pieces_ * input_.size(last_) + column;
        buffer.assign(static_cast<std::size_t>(count_ * width_), T{});
        load(from_.at(row), used, buffer.data());
        std::array<T, kWide> largest;
        largest.fill(-std::numeric_limits<T>::infinity());
        std::array<T, kWide> sums{};
        ScorePanel<T> panel;
        panel.scores = buffer.data();
        panel.keys = count_;
        panel.width = width_;
        panel.largest = largest.data();
        panel.sums = sums.data();
        soften(panel);
        if (is_log_) load(from_.at(row), used, buffer.data());
        for (std::int64_t j = 0; j < used; ++j) {
            auto& sum = sums[static_cast<std::size_t>(j)];
            sum = is_log_ ? std::log(sum) : T{1} / sum;
        }
        std::byte* target = to_.at(row);
        for (std::int64_t k = 0; k < count_; ++k, target += step_of(out_, dim_)) {
            T* values = buffer.data() + k * width_;
            for (std::int64_t j = 0; j < used; ++j) {
                const auto lane = static_cast<std::size_t>(j);
                values[j] = is_log_ ? (values[j] - largest[lane]) - sums[lane] : values[j] * sums[lane];
            }
            store_block(values, out_.dtype(), step_of(out_, last_), used, target);
        }
    }

private:
    // Wider while the piece stays in the cache; both are whole vectors.
    static constexpr std::int64_t kShort = 1024;
    static constexpr std::int64_t kWide = 64;
    static constexpr std::int64_t kNarrow = 16;

    void load(const std::byte* source, std::int64_t used, T* to) const {
        for (std::int64_t k = 0; k < count_; ++k, source += step_of(input_, dim_), to += width_)
            load_block(source, input_.dtype(), step_of(input_, last_), used, to);
    }

    const Tensor& input_;
    const Tensor& out_;
    RowWalk from_;
    RowWalk to_;
    int dim_;
    bool is_log_;
    std::int64_t count_ = 0;
    std::int64_t width_ = 0;
    std::int64_t pieces_ = 0;
    int last_ = 0;
};

template <class T>
void run_columns(const Tensor& input, Tensor& out, int dim, bool is_log, Run& run) {
    const Columns<T> columns(input, out, dim, is_log);
    parallel_for(Lane::ui, columns.tasks(), columns.grain(), [&](const Chunk& chunk) {
        std::vector<T> buffer;
        for (std::int64_t i = chunk.begin; i < chunk.end && !run.context().cancelled(); ++i) columns.run(i, buffer);
    });
}

template <class T>
void run_softmax(const Tensor& input, Tensor& out, int dim, bool is_log, Run& run) {
    const int last = input.rank() - 1;
    if (dim != last && std::abs(input.strides()[last]) < std::abs(input.strides()[dim]))
        return run_columns<T>(input, out, dim, is_log, run);
    run_rows<T>(input, out, dim, is_log, run);
}

bool is_log(const Args& args) {
    return args.name() == "log_softmax";
}

Result<int> dim_of(const Args& args) {
    const int rank = std::max(args.tensor(0).rank(), 1);
    const std::int64_t dim = args.integer(1);
    if (dim < -rank || dim >= rank) return dimension_out_of_range(args.tensor(0).rank(), dim);
    return static_cast<int>(dim < 0 ? dim + rank : dim);
}

Result<Outputs> shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    MS_TRY(dim, dim_of(args));
    const DType dtype = args.dtype(2).value_or(input.dtype());
    const bool known = dtype == DType::f16 || dtype == DType::bf16 || dtype == DType::f32 || dtype == DType::f64;
    if (!known) {
        const bool is_last = dim == std::max(input.rank(), 1) - 1;
        return not_implemented_for(
            fmt::format("{}softmax_{}kernel_impl", is_log(args) ? "log_" : "", is_last ? "lastdim_" : ""), dtype);
    }
    return Outputs{{input.shape(), dtype, {}}};
}

Result<void> kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor input = args.tensor(0).rank() == 0 ? args.tensor(0).unsqueeze(0) : args.tensor(0);
    Tensor out = outputs[0].rank() == 0 ? outputs[0].unsqueeze(0) : outputs[0];
    MS_TRY(dim, dim_of(args));
    if (out.numel() == 0) return {};
    if (input.dtype() != out.dtype() && size_of(out.dtype()) == 2) {
        // PyTorch rounds to the dtype first.
        MS_TRY(rounded, run.allocate(input.shape(), out.dtype()));
        copy_elements(input, rounded);
        run_softmax<float>(rounded, out, dim, is_log(args), run);
    } else if (out.dtype() == DType::f64) {
        run_softmax<double>(input, out, dim, is_log(args), run);
    } else {
        run_softmax<float>(input, out, dim, is_log(args), run);
    }
    if (run.context().cancelled()) return cancelled_error();
    return {};
}

// Subtract, exp, two sums, divide.
double flops(const Args& args, std::span<const OutSpec>) {
    return 5.0 * static_cast<double>(args.tensor(0).numel());
}

// F.softmax and kin, which may leave the dim out.
Result<Value> with_implicit_dim(const Args& args, Run& run, const char* op, const VariablePtr& input) {
    Value dim = args[1];
    if (dim.is_none()) {
        run.note(
            fmt::format("Implicit dimension choice for {} has been deprecated. Change the call to include dim=X as an "
                        "argument.",
                        args.name()));
        const int rank = input->tensor.rank();
        dim = rank == 0 || rank == 1 || rank == 3 ? 0 : 1;
    }
    MS_TRY(out, run.tensor(op, {input, dim}, {{"dtype", args[3]}}));
    return Value(out);
}

Result<Value> functional(const Args& args, Run& run) {
    return with_implicit_dim(args, run, is_log(args) ? "log_softmax" : "softmax", args.variable(0));
}

Result<Value> softmin(const Args& args, Run& run) {
    MS_TRY(negative, run.tensor("neg", {args[0]}));
    return with_implicit_dim(args, run, "softmax", negative);
}

constexpr std::string_view kSignature = "(Tensor input, int dim, ScalarType? dtype=None)";
constexpr std::string_view kFunctionalSignature = "(Tensor input, int? dim=None, int _stacklevel=3, Any dtype=None)";

}  // namespace

void add_softmax(OpTable& table) {
    const Overload plain = computed(kSignature, kFunction | kMethod, shape, kernel, 0, flops);
    const Overload loose = composed(kFunctionalSignature, kFunctional, functional, kPythonDefined);
    table.add(
        {"softmax",
         "exp(x) divided by its sum along dim, computed without overflow. A row that is -inf everywhere (every key "
         "masked) has nothing to share out and becomes NaN; a row filled whole with -1e9 becomes uniform instead.",
         {plain, loose},
         {"torch.softmax(x, -1)", "x.masked_fill(m, -math.inf).softmax(dim=-1)",
          "F.softmax(x, dim=0, dtype=torch.float64)"}});
    table.add(
        {"log_softmax",
         "The logarithm of softmax along dim, without the overflow of taking both. A masked entry (-inf) stays -inf; a "
         "row of -inf alone becomes NaN.",
         {plain, loose},
         {"torch.log_softmax(x, -1)", "x.log_softmax(0)", "F.log_softmax(x, dim=-1)"}});
    table.add({"softmin",
               "softmax of -x: the smallest value gets the largest weight. Masking needs +inf here.",
               {composed(kFunctionalSignature, kFunctional, softmin, kPythonDefined)},
               {"F.softmin(x, dim=-1)"}});
}

}  // namespace maskscope::ops
