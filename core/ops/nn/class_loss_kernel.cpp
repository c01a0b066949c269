// SPDX-License-Identifier: Apache-2.0
#include "core/ops/nn/class_loss_kernel.h"

#include "core/jobs/parallel.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/nn/matrix_batch.h"
#include "core/ops/nn/rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

namespace maskscope::ops {
namespace {

constexpr std::int64_t kGrain = 32768;
constexpr std::int64_t kTogether = 16;  // neighbouring places

// Sums of a chunk, brought together in the order of the chunks.
struct Sums {
    double losses = 0;
    double weights = 0;
};

// Targets in pieces of neighbours along their last dim.
struct Places {
    const Tensor& target;
    std::int64_t last = 1;
    std::int64_t pieces = 1;  // of one row

    explicit Places(const Tensor& t) : target(t), last(t.size(t.rank() - 1)), pieces(chunk_count(last, kTogether)) {}
    std::int64_t count() const { return target.numel() / last * pieces; }
    std::int64_t width(std::int64_t piece) const { return std::min(kTogether, last - piece % pieces * kTogether); }
    // Where a piece begins in a tensor whose dims are those of the target, apart from one more at place 1.
    const std::byte* at(const Tensor& tensor, std::int64_t piece) const {
        const bool has_classes = tensor.rank() > target.rank();
        const std::byte* data = tensor.data();
        std::int64_t index = piece / pieces;
        for (int i = target.rank() - 1; i >= 0; --i) {
            const bool is_last = i == target.rank() - 1;
            const std::int64_t place = is_last ? piece % pieces * kTogether : index % target.size(i);
            if (!is_last) index /= target.size(i);
            data += place * step_of(tensor, has_classes && i > 0 ? i + 1 : i);
        }
        return data;
    }
};

template <class T>
class Worker {
public:
    explicit Worker(const ClassLoss& loss) : loss_(loss), places_(loss.target), classes_(loss.input.size(1)) {
        const int last = loss.input.rank() - 1;
        class_step_ = step_of(loss.input, 1);
        place_step_ = step_of(loss.input, last == 1 ? 0 : last);
        by_column_ = std::abs(place_step_) < std::abs(class_step_);
        const DType plain = std::is_same_v<T, float> ? DType::f32 : DType::f64;
        is_plain_ = loss.input.dtype() == plain && class_step_ == static_cast<std::int64_t>(sizeof(T));
        if (loss.weight) {
            weights_.resize(static_cast<std::size_t>(classes_));
            load_block(loss.weight->data(), loss.weight->dtype(), step_of(*loss.weight, 0), classes_, weights_.data());
        }
    }

    std::int64_t pieces() const { return places_.count(); }
    std::int64_t grain() const {
        return std::max<std::int64_t>(1, kGrain / (kTogether * std::max<std::int64_t>(1, classes_)));
    }

    void run(std::int64_t piece, std::vector<T>& buffer, Sums& sums) const {
        const std::int64_t width = places_.width(piece);
        std::array<std::int64_t, kTogether> targets;
        std::array<T, kTogether> losses{};
        const int last = loss_.target.rank() - 1;
        load_block(places_.at(loss_.target, piece), loss_.target.dtype(), step_of(loss_.target, last), width,
                   targets.data());
        const std::byte* input = places_.at(loss_.input, piece);
        if (loss_.from_logits && by_column_) gather_columns(input, width, buffer);
        for (std::int64_t j = 0; j < width; ++j) {
            const std::int64_t target = targets[static_cast<std::size_t>(j)];
            if (target == loss_.ignore_index) continue;
            const T weight = weights_.empty() ? T{1} : weights_[static_cast<std::size_t>(target)];
            const T loss = loss_.from_logits ? of_logits(input, j, target, weight, buffer)
                                             : of_log_probabilities(input + j * place_step_, target, weight);
            losses[static_cast<std::size_t>(j)] = loss;
            sums.losses += static_cast<double>(loss);
            sums.weights += static_cast<double>(weight);
        }
        if (loss_.reduction != Reduction::none) return;
        auto* out = const_cast<std::byte*>(places_.at(loss_.out, piece));
        store_block(losses.data(), loss_.out.dtype(), step_of(loss_.out, last), width, out);
    }

private:
    // The logits of neighbours lie side by side: read them together, lay each place's in a row.
    void gather_columns(const std::byte* input, std::int64_t width, std::vector<T>& buffer) const {
        buffer.resize(static_cast<std::size_t>(classes_ * kTogether));
        std::array<T, kTogether> values;
        for (std::int64_t c = 0; c < classes_; ++c) {
            load_block(input + c * class_step_, loss_.input.dtype(), place_step_, width, values.data());
            for (std::int64_t j = 0; j < width; ++j)
                buffer[static_cast<std::size_t>(j * classes_ + c)] = values[static_cast<std::size_t>(j)];
        }
    }

    T of_log_probabilities(const std::byte* place, std::int64_t target, T weight) const {
        T value;
        load_block(place + target * class_step_, loss_.input.dtype(), class_step_, 1, &value);
        return -value * weight;
    }

    T of_logits(const std::byte* input, std::int64_t j, std::int64_t target, T weight, std::vector<T>& buffer) const {
        const T* row = buffer.data() + (by_column_ ? j * classes_ : 0);
        const std::byte* place = input + j * place_step_;
        if (!by_column_ && is_plain_) {
            row = reinterpret_cast<const T*>(place);
        } else if (!by_column_) {
            buffer.resize(static_cast<std::size_t>(classes_));
            load_block(place, loss_.input.dtype(), class_step_, classes_, buffer.data());
            row = buffer.data();
        }
        const RowPasses<T>& pass = row_passes<T>();
        const T largest = pass.largest(row, classes_);
        const T log_sum = std::log(pass.exponential_sum(row, largest, nullptr, classes_));
        const T loss = ((largest - row[target]) + log_sum) * weight;
        if (loss_.smoothing <= 0) return loss;
        double all = 0;
        for (std::int64_t c = 0; c < classes_; ++c) {
            const T share = weights_.empty() ? T{1} : weights_[static_cast<std::size_t>(c)];
            all += static_cast<double>(((largest - row[c]) + log_sum) * share);
        }
        const auto of_target = static_cast<double>(loss) * (1 - loss_.smoothing);
        return static_cast<T>(of_target + all * loss_.smoothing / static_cast<double>(classes_));
    }

    const ClassLoss& loss_;
    Places places_;
    std::int64_t classes_;
    std::int64_t class_step_ = 0;
    std::int64_t place_step_ = 0;
    bool by_column_ = false;
    bool is_plain_ = false;
    std::vector<T> weights_;
};

template <class T>
Result<Sums> run_typed(const ClassLoss& loss, Run& run) {
    const Worker<T> worker(loss);
    const std::int64_t grain = worker.grain();
    std::vector<Sums> parts(static_cast<std::size_t>(chunk_count(worker.pieces(), grain)));
    parallel_for(Lane::ui, worker.pieces(), grain, [&](const Chunk& chunk) {
        std::vector<T> buffer;
        for (std::int64_t i = chunk.begin; i < chunk.end && !run.context().cancelled(); ++i)
            worker.run(i, buffer, parts[static_cast<std::size_t>(chunk.index)]);
    });
    if (run.context().cancelled()) return cancelled_error();
    Sums out;
    for (const auto& part : parts) {
        out.losses += part.losses;
        out.weights += part.weights;
    }
    return out;
}

}  // namespace

Result<void> check_targets(const Tensor& target, std::int64_t classes, std::int64_t ignore_index) {
    if (target.numel() == 0) return {};
    const Places places(target);
    std::array<std::int64_t, kTogether> values;
    for (std::int64_t piece = 0; piece < places.count(); ++piece) {
        const std::int64_t width = places.width(piece);
        load_block(places.at(target, piece), target.dtype(), step_of(target, target.rank() - 1), width, values.data());
        for (std::int64_t j = 0; j < width; ++j) {
            const std::int64_t value = values[static_cast<std::size_t>(j)];
            if (value != ignore_index && (value < 0 || value >= classes))
                return index_error("Target {} is out of bounds.", value);
        }
    }
    return {};
}

Result<void> run_class_loss(const ClassLoss& loss, Run& run) {
    MS_CHECK(check_targets(loss.target, loss.input.size(1), loss.ignore_index));
    Sums sums;
    if (loss.target.numel() > 0) {
        const bool is_double = compute_of(loss.input.dtype()) == Compute::f64;
        MS_TRY(found, is_double ? run_typed<double>(loss, run) : run_typed<float>(loss, run));
        sums = found;
    }
    if (loss.reduction == Reduction::none) return {};
    const double total = loss.reduction == Reduction::mean ? sums.losses / sums.weights : sums.losses;
    store_number(total, loss.out.dtype(), const_cast<std::byte*>(loss.out.data()));
    return {};
}

}  // namespace maskscope::ops
