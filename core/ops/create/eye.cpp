// SPDX-License-Identifier: Apache-2.0
// The identity matrix, and the places of a triangle.
#include "core/base/checked.h"
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/loops/copy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>

namespace maskscope::ops {
using namespace create;
namespace {

// (int n, int m, ScalarType dtype)
Result<Outputs> eye_shape(const Args& args) {
    if (args.integer(0) < 0) return runtime_error("n must be greater or equal to 0, got {}", args.integer(0));
    if (args.integer(1) < 0) return runtime_error("m must be greater or equal to 0, got {}", args.integer(1));
    MS_TRY(shape, new_shape(std::array{args.integer(0), args.integer(1)}));
    return Outputs{{shape, *args.dtype(2), std::nullopt}};
}

Result<void> fill_eye(const Args& /*args*/, std::span<Tensor> outputs, Run& /*run*/) {
    Tensor& out = outputs[0];
    fill_elements(out, Element{}.data());
    const Element one = element_of(1, out.dtype());
    const auto size = static_cast<std::int64_t>(size_of(out.dtype()));
    const std::int64_t step = (out.strides()[0] + out.strides()[1]) * size;
    for (std::int64_t i = 0; i < std::min(out.size(0), out.size(1)); ++i)
        std::memcpy(out.writable_data() + i * step, one.data(), static_cast<std::size_t>(size));
    return {};
}

Result<Value> identity(const Args& args, const Value& columns, int out, Run& run) {
    MS_TRY(factory, factory_of(args, out + 1, run.default_dtype, run));
    MS_TRY(made, make_by(run, "eye", {args[0], columns, factory.dtype}));
    return finished(std::move(made), factory);
}

Result<Value> square(const Args& args, Run& run) {
    return identity(args, args[0], 1, run);
}

Result<Value> rectangle(const Args& args, Run& run) {
    return identity(args, args[1], 2, run);
}

struct Triangle {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t offset = 0;

    // Columns 0 to width(row) lie in or below the diagonal.
    std::int64_t width(std::int64_t row) const { return std::clamp<std::int64_t>(row + offset + 1, 0, columns); }

    // Of the lower part; nothing when it does not fit 63 bits.
    std::optional<std::int64_t> count() const {
        const std::int64_t first = std::clamp<std::int64_t>(-offset, 0, rows);
        const std::int64_t whole = std::clamp<std::int64_t>(columns - offset - 1, first, rows);
        const auto full = checked_mul(rows - whole, columns);
        // Rows that grow by one: 1, 2, ... or from the width of row 0 on.
        const std::int64_t growing = whole - first;
        const auto ends = growing > 0 ? checked_add(width(first), width(whole - 1)) : std::int64_t{0};
        const auto twice = ends ? checked_mul(*ends, growing) : std::nullopt;
        return full && twice ? checked_add(*full, *twice / 2) : std::nullopt;
    }
};

// Beyond any matrix; sums of two stay in range.
constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;

// (int row, int col, int offset, ScalarType dtype)
Triangle triangle_of(const Args& args) {
    return {args.integer(0), args.integer(1), std::clamp(args.integer(2), -kFar, kFar)};
}

Result<Outputs> triangle_shape(const Args& args, std::string_view name, bool upper) {
    const DType dtype = *args.dtype(3);
    Triangle triangle = triangle_of(args);
    if (triangle.rows < 0) return runtime_error("row must be non-negative, got{}", triangle.rows);
    if (triangle.columns < 0) return runtime_error("col must be non-negative, got{}", triangle.columns);
    if (dtype != DType::i64 && dtype != DType::i32) return not_implemented_for(name, dtype);
    const auto all = checked_mul(triangle.rows, triangle.columns);
    if (upper) --triangle.offset;
    const bool countable = all && triangle.rows < kFar && triangle.columns < kFar;
    const auto lower = countable ? triangle.count() : std::nullopt;
    if (!lower)
        return runtime_error("Storage size calculation overflowed with sizes=[{}, {}]", triangle.rows,
                             triangle.columns);
    MS_TRY(shape, new_shape(std::array<std::int64_t, 2>{2, upper ? *all - *lower : *lower}));
    return Outputs{{shape, dtype, std::nullopt}};
}

Result<Outputs> lower_shape(const Args& args) {
    return triangle_shape(args, "tril_indices", false);
}

Result<Outputs> upper_shape(const Args& args) {
    return triangle_shape(args, "triu_indices", true);
}

Result<void> fill_triangle(const Args& args, Tensor& out, bool upper, Run& run) {
    Triangle triangle = triangle_of(args);
    if (upper) --triangle.offset;
    const auto size = static_cast<std::int64_t>(size_of(out.dtype()));
    const std::int64_t count = out.size(1);
    std::byte* rows = out.writable_data();
    std::byte* columns = rows + count * size;
    // Rows without a place are not walked through: there can be very many.
    std::int64_t row = upper ? 0 : std::clamp<std::int64_t>(-triangle.offset, 0, triangle.rows);
    for (std::int64_t done = 0; done < count; ++row) {
        if (run.context().cancelled()) return cancelled_error();
        const std::int64_t begin = upper ? triangle.width(row) : 0;
        const std::int64_t end = upper ? triangle.columns : triangle.width(row);
        for (std::int64_t column = begin; column < end; ++column, ++done) {
            store_number(row, out.dtype(), rows + done * size);
            store_number(column, out.dtype(), columns + done * size);
        }
    }
    return {};
}

Result<void> fill_lower(const Args& args, std::span<Tensor> outputs, Run& run) {
    return fill_triangle(args, outputs[0], false, run);
}

Result<void> fill_upper(const Args& args, std::span<Tensor> outputs, Run& run) {
    return fill_triangle(args, outputs[0], true, run);
}

Result<Value> places(const Args& args, std::string_view op, Run& run) {
    MS_TRY(factory, factory_of(args, 3, DType::i64, run));
    MS_TRY(made, make_by(run, op, {args[0], args[1], args[2], factory.dtype}));
    return finished(std::move(made), factory);
}

Result<Value> lower_places(const Args& args, Run& run) {
    return places(args, "tril_indices", run);
}

Result<Value> upper_places(const Args& args, Run& run) {
    return places(args, "triu_indices", run);
}

}  // namespace

void add_eye(OpTable& table) {
    table.add({"eye",
               "A matrix with ones on the diagonal and zeros elsewhere.",
               {computed("(int n, int m, ScalarType dtype)", kInternal, eye_shape, fill_eye),
                composed("(int n, *, " MS_OUT_KEYWORDS ")", kFunction, square),
                composed("(int n, int m, *, " MS_OUT_KEYWORDS ")", kFunction, rectangle)},
               {"torch.eye(3)", "torch.eye(2, 3, dtype=torch.bool)"}});
    table.add({"tril_indices",
               "Rows and columns of the places on and below a diagonal, row by row, as a tensor of two rows.",
               {computed("(int row, int col, int offset, ScalarType dtype)", kInternal, lower_shape, fill_lower),
                composed("(int row, int col, int offset=0, *, " MS_FACTORY_KEYWORDS ")", kFunction, lower_places)},
               {"torch.tril_indices(3, 3)", "torch.tril_indices(3, 4, -1)"}});
    table.add({"triu_indices",
               "Rows and columns of the places on and above a diagonal, row by row, as a tensor of two rows.",
               {computed("(int row, int col, int offset, ScalarType dtype)", kInternal, upper_shape, fill_upper),
                composed("(int row, int col, int offset=0, *, " MS_FACTORY_KEYWORDS ")", kFunction, upper_places)},
               {"torch.triu_indices(3, 3)", "torch.triu_indices(3, 4, 1)"}});
}

}  // namespace maskscope::ops
