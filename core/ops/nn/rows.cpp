// SPDX-License-Identifier: Apache-2.0
#include "core/ops/nn/rows.h"

#include "core/ops/nn/exp.h"
#include "core/ops/nn/machine.h"

#include <limits>

namespace maskscope::ops {
namespace {

template <class T>
constexpr std::int64_t kLanes = Lanes<T>::kCount;
template <class T>
constexpr T kLowest = -std::numeric_limits<T>::infinity();

template <class T>
struct Largest {
    [[gnu::always_inline]] static inline T run(const T* x, std::int64_t count) {
        typename Lanes<T>::Vector values, largest = {};
        largest += kLowest<T>;
        std::int64_t i = 0;
        for (; i + kLanes<T> <= count; i += kLanes<T>) {
            Lanes<T>::load(values, x + i);
            largest = values > largest ? values : largest;
        }
        T out = largest[0];
        for (int j = 1; j < kLanes<T>; ++j) out = largest[j] > out ? largest[j] : out;
        for (; i < count; ++i) out = x[i] > out ? x[i] : out;
        return out;
    }
};

template <class T, bool kKeep>
struct Exponentials {
    [[gnu::always_inline]] static inline T run(const T* x, T shift, T* out, std::int64_t count) {
        typename Lanes<T>::Vector sums{}, values;
        std::int64_t i = 0;
        for (; i + kLanes<T> <= count; i += kLanes<T>) {
            Lanes<T>::load(values, x + i);
            values -= shift;
            exponential(values);
            sums += values;
            if constexpr (kKeep) Lanes<T>::store(values, out + i);
        }
        if (i < count) {
            const auto rest = static_cast<std::size_t>(count - i) * sizeof(T);
            // Fillers of -inf add nothing.
            values = typename Lanes<T>::Vector{} + kLowest<T>;
            std::memcpy(&values, x + i, rest);
            values -= shift;
            exponential(values);
            for (std::int64_t j = i; j < count; ++j) sums[j - i] += values[j - i];
            if constexpr (kKeep) std::memcpy(out + i, &values, rest);
        }
        T sum = sums[0];
        for (int j = 1; j < kLanes<T>; ++j) sum += sums[j];
        return sum;
    }
};

template <class T>
struct Affine {
    [[gnu::always_inline]] static inline void run(const T* x, T factor, T term, T* out, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) out[i] = x[i] * factor + term;
    }
};

}  // namespace

template <class T>
const RowPasses<T>& row_passes() {
    static const RowPasses<T> passes{for_machine<Largest<T>>(), for_machine<Exponentials<T, true>>(),
                                     for_machine<Exponentials<T, false>>(), for_machine<Affine<T>>()};
    return passes;
}

template const RowPasses<float>& row_passes();
template const RowPasses<double>& row_passes();

}  // namespace maskscope::ops
