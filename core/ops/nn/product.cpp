// SPDX-License-Identifier: Apache-2.0
#include "core/ops/nn/product.h"

#include "core/jobs/parallel.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/nn/matrix_batch.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

namespace maskscope::ops {
namespace {

// Blocks of the result that one thread makes; the packed parts of both operands stay in its second-level cache.
constexpr std::int64_t kRows = 192;
constexpr std::int64_t kColumns = 384;
constexpr std::int64_t kDepth = 256;
// Multiplications that are worth handing to a thread.
constexpr std::int64_t kWork = 1 << 18;

// Integers wrap, which only unsigned arithmetic may.
template <class T>
using Wrapping = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;

// The matrices of one place in the batch.
struct Matrices {
    MatrixView a;
    MatrixView b;
    MatrixView add;  // no data: nothing to add
    MatrixView out;
};

struct Problem {
    const Product& product;
    MatrixBatch batch;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t depth = 0;
    // (a b)^T = b^T a^T: a single row becomes a single column.
    bool transposed = false;

    explicit Problem(const Product& p) : product(p), batch(p.out) {
        const int rank = p.out.rank();
        rows = p.out.size(rank - 2);
        columns = p.out.size(rank - 1);
        // Times 0 is no product at all for BLAS: infinities vanish.
        const bool is_skipped = p.alpha == 0 && size_of(p.out.dtype()) > 2;
        depth = is_skipped ? 0 : p.a.size(rank - 1);
        transposed = rows == 1 && columns != 1;
        if (transposed) std::swap(rows, columns);
    }

    MatrixView matrix(const Tensor& tensor, std::int64_t index) const {
        const MatrixView view = batch.matrix(tensor, index);
        return transposed ? view.transposed() : view;
    }

    Matrices matrices(std::int64_t index) const {
        Matrices out{matrix(product.a, index), matrix(product.b, index), {}, matrix(product.out, index)};
        if (product.add && product.beta != 0) out.add = matrix(*product.add, index);
        if (transposed) std::swap(out.a, out.b);
        return out;
    }
};

// Rows of sums become rows of the output.
template <class T>
void store_rows(const Product& product, const Matrices& at, std::int64_t rows, std::int64_t columns, T* sums,
                std::int64_t stride) {
    const auto alpha = static_cast<Wrapping<T>>(static_cast<T>(product.alpha));
    const auto beta = static_cast<Wrapping<T>>(static_cast<T>(product.beta));
    std::array<T, kColumns> add;
    for (std::int64_t i = 0; i < rows; ++i) {
        T* row = sums + i * stride;
        if (alpha != 1) {
            for (std::int64_t j = 0; j < columns; ++j)
                row[j] = static_cast<T>(static_cast<Wrapping<T>>(row[j]) * alpha);
        }
        if (at.add.data != nullptr) {
            load_block(at.add.at(i, 0).data, at.add.dtype, at.add.column_step, columns, add.data());
            for (std::int64_t j = 0; j < columns; ++j) {
                const auto term = beta * static_cast<Wrapping<T>>(add[static_cast<std::size_t>(j)]);
                row[j] = static_cast<T>(static_cast<Wrapping<T>>(row[j]) + term);
            }
        }
        store_block(row, at.out.dtype, at.out.column_step, columns, const_cast<std::byte*>(at.out.at(i, 0).data));
    }
}

Matrices block_at(const Matrices& at, std::int64_t row, std::int64_t column) {
    Matrices out{at.a.at(row, 0), at.b.at(0, column), at.add, at.out.at(row, column)};
    if (at.add.data != nullptr) out.add = at.add.at(row, column);
    return out;
}

template <class T>
struct Scratch {
    std::vector<T> a;
    std::vector<T> b;
    std::vector<T> sums;
};

template <class T>
void multiply_block(const Problem& problem, const Matrices& at, std::int64_t rows, std::int64_t columns,
                    Scratch<T>& scratch) {
    const Tile<T>& tile = tile_of_machine<T>();
    const std::int64_t height = rounded_up(rows, tile.rows);
    const std::int64_t width = rounded_up(columns, tile.columns);
    const std::int64_t most = std::min(kDepth, problem.depth);
    scratch.a.resize(static_cast<std::size_t>(height * most));
    scratch.b.resize(static_cast<std::size_t>(width * most));
    scratch.sums.assign(static_cast<std::size_t>(height * width), T{});
    for (std::int64_t k = 0; k < problem.depth; k += kDepth) {
        const std::int64_t depth = std::min(kDepth, problem.depth - k);
        pack_panels(at.a.at(0, k).transposed(), depth, rows, tile.rows, scratch.a.data());
        pack_panels(at.b.at(k, 0), depth, columns, tile.columns, scratch.b.data());
        multiply_panels(scratch.a.data(), scratch.b.data(), height, width, depth, scratch.sums.data(), width);
    }
    store_rows(problem.product, at, rows, columns, scratch.sums.data(), width);
}

// Partial sums of a fixed number, so that the result is the same on every machine.
template <class T>
T dot(const T* a, const T* b, std::int64_t count) {
    constexpr std::int64_t kLanes = 16;
    std::array<Wrapping<T>, kLanes> sums{};
    std::int64_t k = 0;
    for (; k + kLanes <= count; k += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const auto at = k + static_cast<std::int64_t>(lane);
            sums[lane] += static_cast<Wrapping<T>>(a[at]) * static_cast<Wrapping<T>>(b[at]);
        }
    }
    Wrapping<T> total{};
    for (; k < count; ++k) total += static_cast<Wrapping<T>>(a[k]) * static_cast<Wrapping<T>>(b[k]);
    for (const auto sum : sums) total += sum;
    return static_cast<T>(total);
}

// Numbers in a row: where they lie when they are plain, else copied.
template <class T>
const T* numbers_at(const MatrixView& from, std::int64_t step, std::int64_t count, std::vector<T>& room) {
    if (is_plain<T>(from.dtype) && step == static_cast<std::int64_t>(sizeof(T)))
        return reinterpret_cast<const T*>(from.data);
    room.resize(static_cast<std::size_t>(count));
    load_block(from.data, from.dtype, step, count, room.data());
    return room.data();
}

// A matrix times one column.
template <class T>
void multiply_column(const Problem& problem, const Matrices& at, std::int64_t rows, Scratch<T>& scratch) {
    constexpr std::int64_t kPiece = 1024;
    scratch.sums.assign(static_cast<std::size_t>(rows), T{});
    const bool by_column = std::abs(at.a.row_step) < std::abs(at.a.column_step);
    for (std::int64_t k = 0; k < problem.depth; k += kPiece) {
        const std::int64_t depth = std::min(kPiece, problem.depth - k);
        const T* column = numbers_at(at.b.at(k, 0), at.b.row_step, depth, scratch.b);
        for (std::int64_t i = 0; i < (by_column ? depth : rows); ++i) {
            if (by_column) {
                const T* line = numbers_at(at.a.at(0, k + i), at.a.row_step, rows, scratch.a);
                const auto factor = static_cast<Wrapping<T>>(column[i]);
                for (std::int64_t j = 0; j < rows; ++j) {
                    auto& sum = scratch.sums[static_cast<std::size_t>(j)];
                    sum = static_cast<T>(static_cast<Wrapping<T>>(sum) + factor * static_cast<Wrapping<T>>(line[j]));
                }
            } else {
                const T* line = numbers_at(at.a.at(i, k), at.a.column_step, depth, scratch.a);
                auto& sum = scratch.sums[static_cast<std::size_t>(i)];
                const auto part = static_cast<Wrapping<T>>(dot(line, column, depth));
                sum = static_cast<T>(static_cast<Wrapping<T>>(sum) + part);
            }
        }
    }
    store_rows(problem.product, at, rows, 1, scratch.sums.data(), 1);
}

template <class T>
Result<void> run_typed(const Product& product, Run& run) {
    const Problem problem(product);
    const bool is_column = problem.columns == 1;
    const std::int64_t row_unit = is_column ? kColumns : kRows;
    const std::int64_t row_blocks = chunk_count(problem.rows, row_unit);
    const std::int64_t column_blocks = chunk_count(problem.columns, kColumns);
    const std::int64_t tasks = problem.batch.count() * row_blocks * column_blocks;
    const std::int64_t block = std::min(problem.rows, row_unit) * std::min(problem.columns, kColumns);
    const std::int64_t grain = kWork / std::max<std::int64_t>(1, block * problem.depth) + 1;
    parallel_for(Lane::ui, tasks, grain, [&](const Chunk& chunk) {
        Scratch<T> scratch;
        for (std::int64_t task = chunk.begin; task < chunk.end && !run.context().cancelled(); ++task) {
            const std::int64_t column = task % column_blocks * kColumns;
            const std::int64_t row = task / column_blocks % row_blocks * row_unit;
            const Matrices at = block_at(problem.matrices(task / column_blocks / row_blocks), row, column);
            const std::int64_t rows = std::min(row_unit, problem.rows - row);
            if (is_column) {
                multiply_column(problem, at, rows, scratch);
            } else {
                multiply_block(problem, at, rows, std::min(kColumns, problem.columns - column), scratch);
            }
        }
    });
    if (run.context().cancelled()) return cancelled_error();
    return {};
}

}  // namespace

Result<void> run_product(const Product& product, Run& run) {
    if (product.out.numel() == 0) return {};
    switch (compute_of(product.out.dtype())) {
        case Compute::f32:
            return run_typed<float>(product, run);
        case Compute::f64:
            return run_typed<double>(product, run);
        case Compute::i64:
            return run_typed<std::int64_t>(product, run);
    }
    return {};
}

}  // namespace maskscope::ops
