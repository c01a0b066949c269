// SPDX-License-Identifier: Apache-2.0
#include "core/ops/nn/attention_kernel.h"

#include "core/jobs/parallel.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/nn/attention_passes.h"
#include "core/ops/nn/key_blocks.h"
#include "core/ops/nn/mask_block.h"
#include "core/ops/nn/tile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace maskscope::ops {
namespace {

// Queries that go through all keys together: whole tiles side by side.
constexpr std::int64_t kQueries = 48;
// How PyTorch's fused kernel cuts the keys. What NaN leaks through causality depends on it, so no block of queries or
// keys of ours lies across such a cut.
constexpr std::int64_t kFusedKeys = 512;
static_assert(kFusedKeys % kKeys == 0);

struct QueryBlock {
    std::int64_t first = 0;
    std::int64_t count = 0;
};
constexpr std::int64_t kBlocksOfCut = (kFusedKeys + kQueries - 1) / kQueries;

std::int64_t query_block_count(std::int64_t length) {
    return length / kFusedKeys * kBlocksOfCut + chunk_count(length % kFusedKeys, kQueries);
}
QueryBlock query_block(std::int64_t index, std::int64_t length) {
    const std::int64_t inside = index % kBlocksOfCut * kQueries;
    const std::int64_t first = index / kBlocksOfCut * kFusedKeys + inside;
    return {first, std::min({kQueries, kFusedKeys - inside, length - first})};
}

template <class T>
struct Scratch {
    std::vector<T> query;     // packed, [D, kQueries] in panels
    std::vector<T> scores;    // [panel][keys, width]
    std::vector<T> additive;  // as scores
    std::vector<T> out;       // [panel][E rounded up, width]
    std::array<T, kQueries> largest;
    std::array<T, kQueries> sums;
};

template <class T>
class Worker {
public:
    Worker(const Attention& attention, const KeyBlocks<T>& keys)
        : at_(attention), batch_(attention.out), keys_(keys), tile_(tile_of_machine<T>()) {
        const int rank = at_.out.rank();
        length_ = at_.out.size(rank - 2);
        width_ = at_.out.size(rank - 1);
        depth_ = at_.query.size(rank - 1);
        key_count_ = at_.key.size(at_.key.rank() - 2);
        out_rows_ = rounded_up(width_, tile_.rows);
        query_blocks_ = query_block_count(length_);
    }

    std::int64_t tasks() const { return batch_.count() * query_blocks_; }

    void run(std::int64_t task, Scratch<T>& scratch) const {
        const std::int64_t place = task / query_blocks_;
        const auto [first, count] = query_block(task % query_blocks_, length_);
        start(place, first, count, scratch);
        const MatrixView mask = at_.mask ? batch_.matrix(*at_.mask, place).at(first, 0) : MatrixView{};
        const auto plane = keys_.plane_of(place);
        const double query_size = largest_size(scratch.query);
        for (std::int64_t block = 0; block < keys_.blocks(); ++block) {
            const std::int64_t key = block * kKeys;
            const std::int64_t keys = std::min(kKeys, key_count_ - key);
            const auto& state = keys_.state(plane, block);
            ScorePanel<T> panel;
            panel.is_causal = at_.is_causal && key + keys - 1 > first;
            panel.replaces_hidden = at_.is_fused && at_.is_causal;
            const bool beyond = at_.is_causal && key > first + count - 1;
            MaskKind kind = MaskKind::keeps_all;
            if (at_.mask) kind = kind_of(mask.at(0, key), count, keys);
            panel.hides_all = beyond || kind == MaskKind::hides_all;
            if (panel.hides_all && can_skip(first, key, state, query_size)) continue;
            if (kind == MaskKind::mixed) {
                scratch.additive.resize(static_cast<std::size_t>(kKeys * kQueries));
                pack_additive(mask.at(0, key), keys, count, tile_.columns, scratch.additive.data());
            }
            panel.keys = keys;
            panel.first_key = key - first;
            add_block(panel, keys_.key(plane, block), keys_.value(plane, block), kind == MaskKind::mixed, scratch);
        }
        finish(place, first, count, scratch);
    }

private:
    void start(std::int64_t place, std::int64_t first, std::int64_t count, Scratch<T>& scratch) const {
        scratch.query.assign(static_cast<std::size_t>(depth_ * kQueries), T{});
        scratch.scores.resize(static_cast<std::size_t>(rounded_up(kKeys, tile_.rows) * kQueries));
        scratch.out.assign(static_cast<std::size_t>(out_rows_ * kQueries), T{});
        scratch.largest.fill(-std::numeric_limits<T>::infinity());
        scratch.sums.fill(T{});
        const MatrixView query = batch_.matrix(at_.query, place).at(first, 0);
        pack_panels(query.transposed(), depth_, count, tile_.columns, scratch.query.data());
    }

    static double largest_size(const std::vector<T>& values) {
        T largest{};
        bool finite = true;
        for (const T value : values) {
            finite = finite && std::isfinite(value);
            largest = std::max(largest, std::abs(value));
        }
        return finite ? static_cast<double>(largest) : std::numeric_limits<double>::infinity();
    }

    // Whether a hidden block adds exactly nothing.
    bool can_skip(std::int64_t first, std::int64_t key, const KeyState& state, double query_size) const {
        if (at_.is_fused && at_.is_causal) {
            return state.values_are_finite || key >= first / kFusedKeys * kFusedKeys + kFusedKeys;
        }
        const double bound = query_size * state.key_size * static_cast<double>(depth_) * std::abs(at_.scale);
        return state.values_are_finite && bound < static_cast<double>(std::numeric_limits<T>::max());
    }

    void add_block(ScorePanel<T> panel, const T* key, const T* value, bool has_mask, Scratch<T>& scratch) const {
        const std::int64_t width = tile_.columns;
        panel.width = width;
        panel.scale = static_cast<T>(at_.scale);
        panel.out_rows = width_;
        const std::int64_t first_key = panel.first_key;
        const std::int64_t rows = rounded_up(panel.keys, tile_.rows);
        for (std::int64_t column = 0; column < kQueries; column += width) {
            T* scores = scratch.scores.data() + column * rounded_up(kKeys, tile_.rows);
            std::fill(scores, scores + rows * width, T{});
            multiply_panels(key, scratch.query.data() + column * depth_, rows, width, depth_, scores, width);
            panel.scores = scores;
            panel.additive = has_mask ? scratch.additive.data() + column * panel.keys : nullptr;
            panel.first_key = first_key - column;
            panel.largest = scratch.largest.data() + column;
            panel.sums = scratch.sums.data() + column;
            panel.out = scratch.out.data() + column * out_rows_;
            soften(panel);
            multiply_panels(value, scores, out_rows_, width, panel.keys, panel.out, width);
        }
    }

    void finish(std::int64_t place, std::int64_t first, std::int64_t count, Scratch<T>& scratch) const {
        const MatrixView out = batch_.matrix(at_.out, place).at(first, 0);
        std::vector<T> row(static_cast<std::size_t>(width_));
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t panel = i / tile_.columns;
            const T* column = scratch.out.data() + panel * tile_.columns * out_rows_ + i % tile_.columns;
            const T sum = scratch.sums[static_cast<std::size_t>(i)];
            // A query that sees nothing has summed up zeros.
            const T factor = sum == T{} ? T{1} : T{1} / sum;
            for (std::int64_t d = 0; d < width_; ++d)
                row[static_cast<std::size_t>(d)] = column[d * tile_.columns] * factor;
            store_block(row.data(), out.dtype, out.column_step, width_, const_cast<std::byte*>(out.at(i, 0).data));
        }
    }

    const Attention& at_;
    MatrixBatch batch_;
    const KeyBlocks<T>& keys_;
    const Tile<T>& tile_;
    std::int64_t length_ = 0;
    std::int64_t width_ = 0;
    std::int64_t depth_ = 0;
    std::int64_t key_count_ = 0;
    std::int64_t out_rows_ = 0;
    std::int64_t query_blocks_ = 0;
};

template <class T>
Result<void> run_typed(const Attention& attention, Run& run) {
    MS_TRY(keys, KeyBlocks<T>::pack(attention.key, attention.value, attention.out.shape(), run));
    const Worker<T> worker(attention, keys);
    parallel_for(Lane::ui, worker.tasks(), 1, [&](const Chunk& chunk) {
        Scratch<T> scratch;
        for (std::int64_t task = chunk.begin; task < chunk.end && !run.context().cancelled(); ++task)
            worker.run(task, scratch);
    });
    if (run.context().cancelled()) return cancelled_error();
    return {};
}

}  // namespace

Result<void> run_attention(const Attention& attention, Run& run) {
    if (attention.out.numel() == 0) return {};
    if (attention.out.dtype() == DType::f64) return run_typed<double>(attention, run);
    return run_typed<float>(attention, run);
}

}  // namespace maskscope::ops
