// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/stats.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace maskscope {
namespace {

constexpr std::int64_t kGrain = 1 << 16;  // elements in a chunk: some 50 us of work
constexpr std::int64_t kBlock = 1024;     // elements converted at a time
constexpr int kLanes = 8;                 // independent sums, which the compiler keeps in vector registers

// The elements as they lie in memory: repeats (stride 0) are left out and counted, dims in descending strides, runs
// merged. A transposed or expanded tensor becomes one run.
struct MemoryOrder {
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;  // elements
    std::int64_t first = 0;             // offset of the first run from the tensor's data, for negative strides
    std::int64_t repeats = 1;
};

MemoryOrder memory_order(const Tensor& tensor) {
    struct Dim {
        std::int64_t size;
        std::int64_t stride;
    };
    MemoryOrder out;
    std::vector<Dim> dims;
    for (int d = 0; d < tensor.rank(); ++d) {
        const auto size = tensor.size(d);
        auto stride = tensor.strides()[d];
        if (size == 1) continue;
        if (stride == 0) {
            out.repeats *= size;
            continue;
        }
        if (stride < 0) {
            out.first += (size - 1) * stride;
            stride = -stride;
        }
        dims.push_back({size, stride});
    }
    std::stable_sort(dims.begin(), dims.end(), [](const Dim& a, const Dim& b) { return a.stride > b.stride; });
    for (const Dim& dim : dims) {
        if (!out.sizes.empty() && out.strides.back() == dim.size * dim.stride) {
            out.sizes.back() *= dim.size;
            out.strides.back() = dim.stride;
        } else {
            out.sizes.push_back(dim.size);
            out.strides.push_back(dim.stride);
        }
    }
    if (out.sizes.empty()) {
        out.sizes = {1};
        out.strides = {1};
    }
    return out;
}

template <class T>
struct FloatPart {
    std::int64_t nan = 0;
    std::int64_t posinf = 0;
    std::int64_t neginf = 0;
    std::int64_t zero = 0;
    std::int64_t count = 0;
    T min = std::numeric_limits<T>::infinity();
    T max = -std::numeric_limits<T>::infinity();
    double sum = 0;

    void add(const FloatPart& other) {
        nan += other.nan;
        posinf += other.posinf;
        neginf += other.neginf;
        zero += other.zero;
        count += other.count;
        min = std::min(min, other.min);
        max = std::max(max, other.max);
        sum += other.sum;
    }
};

// The bit patterns of a float type, seen as signed integers.
template <class T>
struct Pattern {
    using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    static constexpr Bits kAbs = std::numeric_limits<Bits>::max();
    static constexpr auto kInf = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
    static constexpr auto kNegativeInf = std::bit_cast<Bits>(-std::numeric_limits<T>::infinity());

    // All ones for a finite value, else 0.
    static Bits finite(Bits bits) { return -static_cast<Bits>((bits & kAbs) < kInf); }
    // Floats in their order as integers, and back.
    static Bits ordered(Bits bits) { return bits ^ ((bits >> (8 * sizeof(T) - 1)) & kAbs); }
};

template <class T>
void count_states(const typename Pattern<T>::Bits* bits, std::int64_t count, FloatPart<T>& part) {
    using P = Pattern<T>;
    typename P::Bits nan = 0;
    typename P::Bits inf = 0;
    typename P::Bits negative_inf = 0;
    typename P::Bits zero = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto magnitude = bits[i] & P::kAbs;
        nan += magnitude > P::kInf;
        inf += magnitude == P::kInf;
        negative_inf += bits[i] == P::kNegativeInf;
        zero += magnitude == 0;
    }
    part.nan += nan;
    part.posinf += inf - negative_inf;
    part.neginf += negative_inf;
    part.zero += zero;
}

template <class T>
void widen_range(const typename Pattern<T>::Bits* bits, std::int64_t count, FloatPart<T>& part) {
    using P = Pattern<T>;
    auto min = P::ordered(std::bit_cast<typename P::Bits>(part.min));
    auto max = P::ordered(std::bit_cast<typename P::Bits>(part.max));
    for (std::int64_t i = 0; i < count; ++i) {
        const auto finite = P::finite(bits[i]);
        const auto order = P::ordered(bits[i]) & finite;
        const auto low = order | (P::kInf & ~finite);
        const auto high = order | (P::ordered(P::kNegativeInf) & ~finite);
        min = low < min ? low : min;
        max = high > max ? high : max;
    }
    part.min = std::bit_cast<T>(P::ordered(min));
    part.max = std::bit_cast<T>(P::ordered(max));
}

template <class T>
double sum_of(const T* values, std::int64_t count, double scale) {
    std::array<double, kLanes> sums{};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (int lane = 0; lane < kLanes; ++lane)
            sums[static_cast<std::size_t>(lane)] += static_cast<double>(values[i + lane]) * scale;
    for (; i < count; ++i) sums[0] += static_cast<double>(values[i]) * scale;
    double sum = 0;
    for (const double lane : sums) sum += lane;
    return sum;
}

// Block by block, in plain loops without branches that the compiler turns into vector code; a block stays in the
// nearest cache between them.
template <class T>
void add_floats(const T* values, std::int64_t count, double scale, FloatPart<T>& part) {
    using P = Pattern<T>;
    std::array<typename P::Bits, kBlock> bits{};
    std::array<T, kBlock> finite;  // 0 where the value is not
    for (std::int64_t from = 0; from < count; from += kBlock) {
        const std::int64_t length = std::min(kBlock, count - from);
        const auto bytes = static_cast<std::size_t>(length) * sizeof(T);
        std::memcpy(bits.data(), values + from, bytes);
        count_states<T>(bits.data(), length, part);
        widen_range<T>(bits.data(), length, part);
        for (auto& value : bits) value &= P::finite(value);
        std::memcpy(finite.data(), bits.data(), bytes);
        part.sum += sum_of(finite.data(), length, scale);
    }
    part.count += count;
}

template <class T>
struct IntegerPart {
    std::int64_t zero = 0;
    std::int64_t count = 0;
    T min = std::numeric_limits<T>::max();
    T max = std::numeric_limits<T>::lowest();
    __int128 sum = 0;

    void add(const IntegerPart& other) {
        zero += other.zero;
        count += other.count;
        min = std::min(min, other.min);
        max = std::max(max, other.max);
        sum += other.sum;
    }
};

template <class T>
void add_integers(const std::byte* first, std::int64_t stride, std::int64_t count, IntegerPart<T>& part) {
    // 2^16 elements of up to 32 bits fit 64.
    using Sum = std::conditional_t<sizeof(T) == 8, __int128, std::int64_t>;
    Sum sum = 0;
    std::int64_t zero = 0;
    const auto loop = [&](std::int64_t step) {
        for (std::int64_t i = 0; i < count; ++i) {
            T value;
            std::memcpy(&value, first + i * step * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
            zero += value == 0 ? 1 : 0;
            part.min = std::min(part.min, value);
            part.max = std::max(part.max, value);
            sum += value;
        }
    };
    if (stride == 1) {
        loop(1);
    } else {
        loop(stride);
    }
    part.zero += zero;
    part.sum += sum;
    part.count += count;
}

class Pass {
public:
    Pass(const Tensor& tensor, const JobContext& context, Lane lane)
        : tensor_(tensor), context_(context), lane_(lane), order_(memory_order(tensor)) {}

    template <class Part, class AddRun>
    Part run(AddRun add_run) const {
        std::int64_t count = 1;
        for (const auto size : order_.sizes) count *= size;
        std::vector<Part> parts(static_cast<std::size_t>(chunk_count(count, kGrain)));
        parallel_for(lane_, count, kGrain, [&](const Chunk& chunk) {
            if (context_.cancelled()) return;
            Part& part = parts[static_cast<std::size_t>(chunk.index)];
            runs_of(chunk, [&](const std::byte* first, std::int64_t stride, std::int64_t length) {
                add_run(first, stride, length, part);
            });
            context_.advance((chunk.end - chunk.begin) * order_.repeats);
        });
        Part total;
        for (const Part& part : parts) total.add(part);
        return total;
    }

    std::int64_t repeats() const { return order_.repeats; }

private:
    template <class Body>
    void runs_of(const Chunk& chunk, Body body) const {
        const auto width = static_cast<std::int64_t>(size_of(tensor_.dtype()));
        const std::int64_t inner = order_.sizes.back();
        for (std::int64_t at = chunk.begin; at < chunk.end;) {
            const std::int64_t col = at % inner;
            std::int64_t row = at / inner;
            std::int64_t offset = order_.first + col * order_.strides.back();
            for (std::size_t d = order_.sizes.size() - 1; d-- > 0;) {
                offset += (row % order_.sizes[d]) * order_.strides[d];
                row /= order_.sizes[d];
            }
            const std::int64_t length = std::min(inner - col, chunk.end - at);
            body(tensor_.data() + offset * width, order_.strides.back(), length);
            at += length;
        }
    }

    const Tensor& tensor_;
    const JobContext& context_;
    Lane lane_;
    MemoryOrder order_;
};

template <class T>
TensorStats float_stats(const Tensor& tensor, const Pass& pass, double scale) {
    const DType dtype = tensor.dtype();
    constexpr DType kOwn = sizeof(T) == 4 ? DType::f32 : DType::f64;
    const auto part = pass.run<FloatPart<T>>(
        [&](const std::byte* first, std::int64_t stride, std::int64_t count, FloatPart<T>& into) {
            const auto width = static_cast<std::int64_t>(size_of(dtype));
            if (dtype == kOwn && stride == 1) {
                add_floats(reinterpret_cast<const T*>(first), count, scale, into);
                return;
            }
            std::array<T, kBlock> block;
            for (std::int64_t i = 0; i < count; i += kBlock) {
                const std::int64_t length = std::min(kBlock, count - i);
                const auto* from = first + i * stride * width;
                if constexpr (sizeof(T) == 4) {
                    convert_to_f32(from, dtype, stride, length, block.data());
                } else {
                    convert_to_f64(from, dtype, stride, length, block.data());
                }
                add_floats(block.data(), length, scale, into);
            }
        });
    TensorStats out;
    out.nan = part.nan;
    out.posinf = part.posinf;
    out.neginf = part.neginf;
    out.zero = part.zero;
    out.count = part.count;
    out.finite = part.count - part.nan - part.posinf - part.neginf;
    out.min = static_cast<double>(part.min);
    out.max = static_cast<double>(part.max);
    out.mean = part.sum / static_cast<double>(out.finite) / scale;
    return out;
}

template <class T>
TensorStats integer_stats(const Pass& pass) {
    const auto part = pass.run<IntegerPart<T>>([](const std::byte* first, std::int64_t stride, std::int64_t count,
                                                  IntegerPart<T>& into) { add_integers(first, stride, count, into); });
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    TensorStats out;
    out.zero = part.zero;
    out.count = out.finite = part.count;
    out.min = static_cast<Wide>(part.min);
    out.max = static_cast<Wide>(part.max);
    out.mean = static_cast<double>(static_cast<long double>(part.sum) / static_cast<long double>(part.count));
    return out;
}

// Any byte but 0 is True.
TensorStats bool_stats(const Pass& pass) {
    TensorStats out = integer_stats<std::uint8_t>(pass);
    const auto trues = out.count - out.zero;
    out.min = out.zero == 0;
    out.max = trues > 0;
    out.mean = static_cast<double>(trues) / static_cast<double>(out.count);
    return out;
}

TensorStats stats_of(const Tensor& tensor, const Pass& pass) {
    switch (tensor.dtype()) {
        case DType::boolean:
            return bool_stats(pass);
        case DType::u8:
            return integer_stats<std::uint8_t>(pass);
        case DType::i8:
            return integer_stats<std::int8_t>(pass);
        case DType::i16:
            return integer_stats<std::int16_t>(pass);
        case DType::i32:
            return integer_stats<std::int32_t>(pass);
        case DType::i64:
            return integer_stats<std::int64_t>(pass);
        case DType::u16:
            return integer_stats<std::uint16_t>(pass);
        case DType::u32:
            return integer_stats<std::uint32_t>(pass);
        case DType::u64:
            return integer_stats<std::uint64_t>(pass);
        case DType::f64: {
            const auto out = float_stats<double>(tensor, pass, 1);
            if (out.finite == 0 || std::isfinite(out.mean)) return out;
            // The sum left the range although no value did: once more, scaled by a power of two.
            return float_stats<double>(tensor, pass, 0x1p-64);
        }
        case DType::f16:
        case DType::bf16:
        case DType::f32:
        case DType::f8_e4m3:
        case DType::f8_e5m2:
            break;
    }
    return float_stats<float>(tensor, pass, 1);
}

}  // namespace

Result<TensorStats> compute_stats(const Tensor& tensor, const JobContext& context, Lane lane) {
    if (tensor.numel() == 0) return TensorStats{};
    const Pass pass(tensor, context, lane);
    TensorStats out = stats_of(tensor, pass);
    if (context.cancelled()) return cancelled_error();
    if (tensor.storage()->changed_on_disk())
        return input_error(MS_TEXT("the file changed on disk while it was read; reload it"))
            .in_file(tensor.storage()->file()->path());
    for (auto* number : {&out.count, &out.nan, &out.posinf, &out.neginf, &out.zero, &out.finite})
        *number *= pass.repeats();
    if (out.finite == 0) out.mean = std::numeric_limits<double>::quiet_NaN();
    return out;
}

}  // namespace maskscope
