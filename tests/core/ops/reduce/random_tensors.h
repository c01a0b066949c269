// SPDX-License-Identifier: Apache-2.0
// Small random tensors in every layout, and which of their elements belong together when dims are taken away, found by
// counting indices.
#pragma once

#include "core/ops/loops/blocks.h"
#include "core/tensor/tensor.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace maskscope::ops {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline const std::vector<DType> kAll = {DType::boolean, DType::u8,  DType::i8,   DType::i16, DType::i32,
                                        DType::i64,     DType::f16, DType::bf16, DType::f32, DType::f64};
inline const std::vector<DType> kFloating = {DType::f16, DType::bf16, DType::f32, DType::f64};

using Numbers = std::vector<double>;

// A tensor, and its elements in row-major order as they were written.
struct Made {
    Tensor tensor;
    Numbers numbers;
};

class Maker {
public:
    explicit Maker(unsigned seed) : random_(seed) {}

    int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }
    bool chance(double share) { return std::bernoulli_distribution(share)(random_); }
    template <class T>
    const T& one_of(const std::vector<T>& choices) {
        return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
    }

    // Multiples of 1/4 up to 3: exact in all dtypes, sums too, and often equal.
    double number(DType dtype, bool odd_ones) {
        if (odd_ones && is_floating(dtype) && chance(0.1)) return one_of(Numbers{kNan, kInf, -kInf, -0.0});
        if (dtype == DType::boolean) return below(2);
        if (dtype == DType::u8) return below(7);
        return is_floating(dtype) ? (below(25) - 12) / 4.0 : below(7) - 3;
    }

    // Dims permuted, every other element only, repeated, or as they come.
    Made tensor(DType dtype, bool odd_ones, int least_size = 0) {
        const int rank = below(5);
        Shape shape;
        for (int i = 0; i < rank; ++i) shape.push_back(std::max(least_size, chance(0.05) ? 0 : 1 + below(5)));
        std::vector<int> order(static_cast<std::size_t>(rank));
        std::iota(order.begin(), order.end(), 0);
        if (chance(0.4)) std::shuffle(order.begin(), order.end(), random_);
        const std::int64_t every = chance(0.3) ? 2 : 1;
        Strides strides = Dims::filled(rank, 0);
        std::int64_t reach = 1;
        for (const int dim : order) {
            const bool repeated = chance(0.1);
            strides[dim] = repeated ? 0 : reach * every;
            if (!repeated) reach *= std::max<std::int64_t>(1, shape[dim]) * every;
        }
        const std::int64_t offset = below(3);
        Tensor base = *Tensor::zeros({reach + offset}, dtype);
        for (std::int64_t i = 0; i < reach + offset; ++i)
            store_number(number(dtype, odd_ones), dtype,
                         base.writable_data() + i * static_cast<std::int64_t>(size_of(dtype)));
        Made made{*Tensor::view_of(base.storage(), dtype, shape, strides, offset), {}};
        collect(made.tensor, made.numbers);
        return made;
    }

    static void collect(const Tensor& tensor, Numbers& out) {
        if (tensor.rank() == 0) return out.push_back(to_double(tensor.at({})));
        for (std::int64_t i = 0; i < tensor.size(0); ++i) collect(tensor.select(0, i), out);
    }

private:
    std::mt19937 random_;
};

// The elements that go into each output element, in the order of their indices.
inline std::vector<Numbers> groups(const Made& made, const std::vector<bool>& reduced) {
    const Shape& shape = made.tensor.shape();
    std::int64_t count = 1;
    for (int i = 0; i < shape.rank(); ++i)
        if (!reduced[static_cast<std::size_t>(i)]) count *= shape[i];
    std::vector<Numbers> out(static_cast<std::size_t>(count));
    for (std::size_t at = 0; at < made.numbers.size(); ++at) {
        auto rest = static_cast<std::int64_t>(at);
        std::int64_t place = 0;
        std::int64_t weight = 1;
        for (int i = shape.rank() - 1; i >= 0; --i) {
            const std::int64_t index = rest % shape[i];
            rest /= shape[i];
            if (reduced[static_cast<std::size_t>(i)]) continue;
            place += index * weight;
            weight *= shape[i];
        }
        out[static_cast<std::size_t>(place)].push_back(made.numbers[at]);
    }
    return out;
}

}  // namespace maskscope::ops
