// SPDX-License-Identifier: Apache-2.0
#include "core/ops/nn/attention_passes.h"

#include "core/ops/nn/exp.h"
#include "core/ops/nn/machine.h"

#include <limits>

namespace maskscope::ops {
namespace {

template <class T>
struct Soften {
    using Vector = typename Lanes<T>::Vector;

    [[gnu::always_inline]] static inline void run(const ScorePanel<T>* panel) {
        for (std::int64_t column = 0; column < panel->width; column += Lanes<T>::kCount) run_column(*panel, column);
    }

    // Scaled, masked, stored; raises `largest`.
    [[gnu::always_inline]] static inline void mask(const ScorePanel<T>& panel, std::int64_t column, Vector& largest) {
        constexpr T kHidden = -std::numeric_limits<T>::infinity();
        const Vector hidden = Vector{} + kHidden;
        Vector query;
        for (int i = 0; i < Lanes<T>::kCount; ++i) query[i] = static_cast<T>(column + i);
        for (std::int64_t k = 0; k < panel.keys; ++k) {
            T* place = panel.scores + k * panel.width + column;
            Vector score;
            Lanes<T>::load(score, place);
            score *= panel.scale;
            if (panel.additive != nullptr) {
                Vector additive;
                Lanes<T>::load(additive, panel.additive + k * panel.width + column);
                score += additive;
            }
            if (panel.hides_all) {
                score = panel.replaces_hidden ? hidden : score + kHidden;
            } else if (panel.is_causal) {
                const T key = static_cast<T>(panel.first_key + k);
                const Vector masked = panel.replaces_hidden ? hidden : score + kHidden;
                score = query < key ? masked : score;
            }
            Lanes<T>::store(score, place);
            largest = score > largest ? score : largest;
        }
    }

    [[gnu::always_inline]] static inline void run_column(const ScorePanel<T>& panel, std::int64_t column) {
        constexpr T kHidden = -std::numeric_limits<T>::infinity();
        Vector before, largest, sums;
        Lanes<T>::load(before, panel.largest + column);
        Lanes<T>::load(sums, panel.sums + column);
        largest = before;
        mask(panel, column, largest);
        // -inf minus -inf would be NaN where nothing has been seen yet.
        const Vector shift = largest == kHidden ? Vector{} : largest;
        Vector shrink = before - shift;
        exponential(shrink);
        sums *= shrink;
        for (std::int64_t k = 0; k < panel.keys; ++k) {
            T* place = panel.scores + k * panel.width + column;
            Vector weight;
            Lanes<T>::load(weight, place);
            weight -= shift;
            exponential(weight);
            sums += weight;
            Lanes<T>::store(weight, place);
        }
        Lanes<T>::store(largest, panel.largest + column);
        Lanes<T>::store(sums, panel.sums + column);
        for (std::int64_t d = 0; d < panel.out_rows; ++d) {
            T* place = panel.out + d * panel.width + column;
            Vector out;
            Lanes<T>::load(out, place);
            out *= shrink;
            Lanes<T>::store(out, place);
        }
    }
};

}  // namespace

template <class T>
void soften(const ScorePanel<T>& panel) {
    static const auto run = for_machine<Soften<T>>();
    run(&panel);
}

template void soften(const ScorePanel<float>&);
template void soften(const ScorePanel<double>&);

}  // namespace maskscope::ops
