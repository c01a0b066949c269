// SPDX-License-Identifier: Apache-2.0
// Coordinates of grids, and all combinations of values.
#include "core/base/checked.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/shape/geometry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace maskscope::ops {
namespace {

using namespace geometry;

constexpr std::int64_t kMostPerRow = 1'000'000;
constexpr std::int64_t kMostValues = std::int64_t{1} << 40U;
constexpr std::int64_t kRowsBetweenLooks = 4096;

// A tensor as PyTorch prints it within an error, where it is a small matrix of whole numbers; else its type alone.
std::string printed(const Tensor& tensor) {
    constexpr std::int64_t kMostCells = 64;
    constexpr double kMostDigits = 1e5;
    std::string rows;
    if (tensor.rank() == 2 && tensor.has_data() && tensor.numel() <= kMostCells) {
        std::vector<double> cells;
        for (std::int64_t row = 0; row < tensor.size(0); ++row)
            for (std::int64_t col = 0; col < tensor.size(1); ++col)
                cells.push_back(to_double(tensor.at(std::array{row, col})));
        const bool whole = std::all_of(cells.begin(), cells.end(), [](double cell) {
            return std::fabs(cell) < kMostDigits && cell == std::trunc(cell);
        });
        std::size_t width = 0;
        for (const auto cell : cells) width = std::max(width, fmt::formatted_size("{:.0f}", cell));
        for (std::size_t i = 0; i < cells.size() && whole; ++i) {
            const bool ends_row = (i + 1) % static_cast<std::size_t>(tensor.size(1)) == 0;
            rows += fmt::format(" {:>{}.0f}{}", cells[i], width, ends_row ? "\n" : " ");
        }
    }
    return fmt::format("{}[ {}{{{}}} ]", rows, old_type_name(tensor.dtype()),
                       fmt::join(tensor.shape().begin(), tensor.shape().end(), ","));
}

Result<void> fit_a_grid(std::span<const VariablePtr> tensors, std::string_view indexing) {
    if (tensors.empty()) return runtime_error("meshgrid expects a non-empty TensorList");
    for (const auto& variable : tensors)
        if (variable->tensor.dtype() != tensors.front()->tensor.dtype())
            return runtime_error("meshgrid expects all tensors to have the same dtype");
    if (indexing != "ij" && indexing != "xy")
        return runtime_error(R"(torch.meshgrid: indexing must be one of "xy" or "ij", but received: {})", indexing);
    for (const auto& variable : tensors)
        if (variable->tensor.rank() > 1)
            return runtime_error("torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {}",
                                 printed(variable->tensor));
    return {};
}

// "xy" exchanges the first two: NumPy's default, where the first tensor runs along columns.
Result<Value> meshgrid(const Args& args, Run& run) {
    auto tensors = args.variables(0);
    const std::string indexing = args.given(1) ? args.text(1) : "ij";
    MS_CHECK(fit_a_grid(tensors, indexing));
    const bool exchanged = indexing == "xy" && tensors.size() > 1;
    if (exchanged) std::swap(tensors[0], tensors[1]);
    std::vector<std::int64_t> sizes;
    sizes.reserve(tensors.size());
    for (const auto& variable : tensors) sizes.push_back(variable->tensor.numel());
    MS_TRY(shape, shape_of(sizes));
    std::vector<Value> grids;
    for (int i = 0; i < shape.rank(); ++i) {
        Shape own = Dims::filled(shape.rank(), 1);
        own[i] = shape[i];
        MS_TRY(line, run.call("view", {tensors[static_cast<std::size_t>(i)], list_of(own)}));
        MS_TRY(grid, run.call("expand", {line, list_of(shape)}));
        grids.push_back(std::move(grid));
    }
    if (exchanged) std::swap(grids[0], grids[1]);
    return make_tuple(std::move(grids));
}

Result<Value> cartesian_prod(const Args& args, Run& run) {
    const auto tensors = args.variables(0);
    for (const auto& variable : tensors)
        if (variable->tensor.rank() != 1)
            return runtime_error("Expect a 1D vector, but got shape {}", text_of(variable->tensor.shape()));
    if (tensors.size() == 1) return Value(tensors.front());
    MS_TRY(grids, run.call("meshgrid", {args[0]}, {{"indexing", "ij"}}));
    std::vector<Value> columns;
    for (const auto& grid : *grids.sequence()) {
        MS_TRY(column, run.call("flatten", {grid}));
        columns.push_back(std::move(column));
    }
    return run.call("stack", {make_list(std::move(columns)), 1});
}

// n over r, or the same with repetition; nullopt beyond 63 bits.
std::optional<std::int64_t> ways(std::int64_t n, std::int64_t r, bool with_replacement) {
    if (with_replacement) {
        if (n == 0) return 0;
        n += r - 1;
    }
    if (r > n) return 0;
    r = std::min(r, n - r);
    std::int64_t count = 1;
    for (std::int64_t i = 1; i <= r; ++i) {
        const auto product = checked_mul(count, n - r + i);
        if (!product) return std::nullopt;
        count = *product / i;
    }
    return count;
}

Result<Outputs> combinations_shape(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    const std::int64_t r = args.integer(1);
    if (tensor.rank() != 1) return runtime_error("Expect a 1D vector, but got shape {}", text_of(tensor.shape()));
    if (r < 0) return runtime_error("Expect a non-negative number, but got {}", r);
    if (r == 0) return Outputs{{Shape{0}, tensor.dtype(), std::nullopt}};
    // Each of them is written down: more of either could not be held.
    const bool thinkable = r <= kMostPerRow && tensor.size(0) <= kMostValues;
    const auto count = thinkable ? ways(tensor.size(0), r, args.flag(2)) : std::nullopt;
    if (!count)
        return input_error(MS_TEXT("{} of {} values have more combinations than can be held"), r, tensor.size(0));
    const Shape shape = {*count, r};
    MS_CHECK(countable(shape));
    return Outputs{{shape, tensor.dtype(), std::nullopt}};
}

Result<void> combinations_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& tensor = args.tensor(0);
    Tensor& out = outputs[0];
    if (out.numel() == 0) return {};
    const std::int64_t n = tensor.size(0);
    const auto r = static_cast<std::size_t>(out.size(1));
    const std::int64_t gap = args.flag(2) ? 0 : 1;
    const std::size_t size = size_of(tensor.dtype());
    std::vector<std::int64_t> chosen(r);
    for (std::size_t i = 0; i < r; ++i) chosen[i] = static_cast<std::int64_t>(i) * gap;
    std::byte* to = out.writable_data();
    for (std::int64_t row = 0; row < out.size(0); ++row) {
        if (row % kRowsBetweenLooks == 0 && run.context().cancelled()) return cancelled_error();
        for (std::size_t i = 0; i < r; ++i, to += size)
            std::memcpy(to, tensor.address_of(std::span(&chosen[i], 1)), size);
        // The next one in order: the last place that can still go up does, those behind it start over.
        for (std::size_t i = r; i-- > 0;) {
            if (chosen[i] >= n - 1 - static_cast<std::int64_t>(r - 1 - i) * gap) continue;
            ++chosen[i];
            for (std::size_t k = i + 1; k < r; ++k) chosen[k] = chosen[k - 1] + gap;
            break;
        }
    }
    return {};
}

}  // namespace

void add_meshgrid(OpTable& table) {
    table.add(
        {"meshgrid",
         "Coordinates of a grid: for each vector a tensor of the grid's shape that varies along its own dim only. "
         "Views with "
         "stride 0. indexing='ij' (the default) puts the first vector along rows, 'xy' along columns, as NumPy does.",
         {composed("(Tensor[...] tensors=(), *, str? indexing=None)", kFunction, meshgrid)},
         {"torch.meshgrid(r, x[:, 0], indexing='ij')", "torch.meshgrid([r, r], indexing='xy')"}});
    table.add({"cartesian_prod",
               "Every choice of one element from each vector, a row each.",
               {composed("(Tensor[...] tensors=())", kFunction, cartesian_prod)},
               {"torch.cartesian_prod(r, x[:, 0])"}});
    table.add({"combinations",
               "Every choice of r elements, in order and each once, or with repetition; a row each.",
               {computed("(Tensor input, int r=2, bool with_replacement=False)", kFunction, combinations_shape,
                         combinations_kernel)},
               {"torch.combinations(r)", "torch.combinations(r, 3, True)"}});
}

}  // namespace maskscope::ops
