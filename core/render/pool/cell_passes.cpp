// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/cell_passes.h"

#include "core/jobs/parallel.h"
#include "core/render/pool/cell_keys.h"
#include "core/render/pool/cell_source.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace maskscope::render {
namespace {

constexpr int kDigitBits = 16;  // of a key, sorted by at a time
// Each chunk has its own table of counts, so there are few of them.
constexpr std::int64_t kMostChunks = 32;
constexpr std::int64_t kTileRows = kMostRows;
constexpr std::int64_t kTileCols = 512;

using Counts = std::vector<std::int64_t>;

// Calls add(counts, biased key) for every finite visible cell, with the key's sign bit flipped so that unsigned
// numbers sort as the values do. Returns the sum of all chunks' counts.
template <class T, class Add>
Result<Counts> count_keys(const Plane& plane, const MaskPlane* mask, const KeyFormat& format, std::size_t counters,
                          const JobContext& context, Add add) {
    using U = std::make_unsigned_t<T>;
    const CellSource source(plane.tensor);
    std::optional<HiddenSource> hidden;
    if (mask != nullptr) hidden.emplace(*mask);
    const std::int64_t rows = plane.rows();
    const std::int64_t cols = plane.cols();
    const std::int64_t grain = (rows / kMostChunks / kTileRows + 1) * kTileRows;
    Counts sum(counters);
    std::mutex merging;
    const auto flip = static_cast<U>(format.flip);
    const auto magnitude = static_cast<U>(format.highest);
    const auto bias = static_cast<U>(format.lowest);
    parallel_for(Lane::background, rows, grain, [&](const Chunk& chunk) {
        Counts counts(counters);
        std::vector<std::byte> gathered;
        std::vector<std::uint8_t> hidden_bytes;
        for (std::int64_t row = chunk.begin; row < chunk.end; row += kTileRows) {
            for (std::int64_t col = 0; col < cols; col += kTileCols) {
                if (context.cancelled()) return;
                const CellRect rect{row, col, std::min(kTileRows, chunk.end - row), std::min(kTileCols, cols - col)};
                CellRows cells = source.fetch(rect, gathered);
                if (hidden) hidden->fetch(rect, hidden_bytes, cells);
                for (std::int64_t r = 0; r < rect.rows; ++r) {
                    const std::byte* line = cells.first + r * cells.row_stride;
                    const std::uint8_t* covered =
                        cells.hidden != nullptr ? cells.hidden + r * cells.hidden_stride : nullptr;
                    for (std::int64_t c = 0; c < rect.cols; ++c) {
                        if (covered != nullptr && covered[c] != 0) continue;
                        T stored;
                        std::memcpy(&stored, line + c * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
                        const auto sign = static_cast<U>(stored >> (sizeof(T) * 8 - 1));
                        const auto key = static_cast<T>(static_cast<U>(stored) ^
                                                        (format.is_float ? static_cast<U>(sign & magnitude) : flip));
                        if (!format.finite.holds(key) || (format.masked && format.masked->holds(key))) continue;
                        add(counts, static_cast<U>(static_cast<U>(key) ^ bias));
                    }
                }
            }
        }
        const std::lock_guard lock(merging);
        for (std::size_t i = 0; i < counters; ++i) sum[i] += counts[i];
        context.advance((chunk.end - chunk.begin) * cols);
    });
    if (context.cancelled()) return cancelled_error();
    return sum;
}

// A cell by its rank among the sorted keys: the digits of its key that are known, and the rank among the cells that
// share them.
struct Ranked {
    std::int64_t rank = 0;
    std::uint64_t known = 0;
};

template <class T>
Result<std::vector<double>> percentiles_of(const Plane& plane, const MaskPlane* mask, const KeyFormat& format,
                                           const std::vector<double>& fractions, const JobContext& context) {
    constexpr int kBits = static_cast<int>(sizeof(T)) * 8;
    constexpr int kPasses = std::max(kBits / kDigitBits, 1);
    constexpr int kDigit = std::min(kBits, kDigitBits);
    context.expect(plane.rows() * plane.cols() * kPasses);
    std::vector<Ranked> wanted;
    std::vector<std::uint64_t> prefixes = {0};  // digits known so far, sorted
    std::int64_t total = 0;
    for (int digit = kPasses - 1; digit >= 0; --digit) {
        const int shift = digit * kDigit;
        const bool first = digit == kPasses - 1;
        const auto slot_of = [&](std::uint64_t prefix) {
            return static_cast<std::size_t>(std::lower_bound(prefixes.begin(), prefixes.end(), prefix) -
                                            prefixes.begin());
        };
        MS_TRY(counts, count_keys<T>(
                           plane, mask, format, prefixes.size() << kDigit, context, [&](Counts& to, std::uint64_t key) {
                               std::size_t slot = 0;
                               if (!first) {
                                   const std::uint64_t prefix = key >> (shift + kDigit);
                                   slot = slot_of(prefix);
                                   if (slot == prefixes.size() || prefixes[slot] != prefix) return;
                               }
                               const std::uint64_t value = (key >> shift) & ((std::uint64_t{1} << kDigit) - 1);
                               ++to[(slot << kDigit) + static_cast<std::size_t>(value)];
                           }));
        if (first) {
            for (const std::int64_t count : counts) total += count;
            if (total == 0) return std::vector<double>(fractions.size(), 0.0);
            for (const double fraction : fractions) {
                const double at = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(total - 1);
                const auto low = static_cast<std::int64_t>(std::floor(at));
                wanted.push_back({low, 0});
                wanted.push_back({std::min(low + 1, total - 1), 0});
            }
        }
        std::vector<std::uint64_t> next;
        for (Ranked& ranked : wanted) {
            std::size_t at = slot_of(ranked.known) << kDigit;
            std::uint64_t value = 0;
            while (ranked.rank >= counts[at]) {
                ranked.rank -= counts[at];
                ++at;
                ++value;
            }
            ranked.known = ranked.known << kDigit | value;
            next.push_back(ranked.known);
        }
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        prefixes = std::move(next);
    }
    std::vector<double> out;
    for (std::size_t i = 0; i < fractions.size(); ++i) {
        const auto value = [&](const Ranked& ranked) {
            const auto key = static_cast<T>(ranked.known ^ static_cast<std::uint64_t>(format.lowest));
            return double_from_key(format, key);
        };
        const double low = value(wanted[2 * i]);
        const double high = value(wanted[2 * i + 1]);
        const double at = std::clamp(fractions[i], 0.0, 1.0) * static_cast<double>(total - 1);
        const double share = at - std::floor(at);
        out.push_back(low + (high - low) * share);
    }
    return out;
}

// Bins along a linear or logarithmic axis; -1 outside [lo, hi].
struct Axis {
    double lo;
    double hi;
    bool log;
    int bins;
    int bin(double value) const {
        if (!(value >= lo && value <= hi)) return -1;
        const double from = log ? std::log10(lo) : lo;
        const double to = log ? std::log10(hi) : hi;
        const double position = ((log ? std::log10(value) : value) - from) / (to - from);
        return std::clamp(static_cast<int>(position * bins), 0, bins - 1);
    }
};

template <class T>
Result<std::vector<std::int64_t>> histogram_of(const Plane& plane, const MaskPlane* mask, const KeyFormat& format,
                                               const Axis& axis, const JobContext& context) {
    constexpr int kBits = static_cast<int>(sizeof(T)) * 8;
    constexpr int kDigit = std::min(kBits, kDigitBits);
    constexpr int kShift = kBits - kDigit;
    context.expect(plane.rows() * plane.cols());
    // Keys sort as values do, so all keys that share their upper digits are in one bin when the first and the last of
    // them are; only the others need their value.
    constexpr int kMixed = -2;
    const auto bin_of = [&](std::uint64_t biased) {
        const auto key = static_cast<T>(biased ^ static_cast<std::uint64_t>(format.lowest));
        return axis.bin(double_from_key(format, key));
    };
    std::vector<int> bin_by_digits(std::size_t{1} << kDigit);
    for (std::size_t digits = 0; digits < bin_by_digits.size(); ++digits) {
        const std::uint64_t first = std::uint64_t{digits} << kShift;
        const int low = bin_of(first);
        const int high = bin_of(first + ((std::uint64_t{1} << kShift) - 1));
        bin_by_digits[digits] = low == high && (low >= 0 || kShift == 0) ? low : kMixed;
    }
    return count_keys<T>(plane, mask, format, static_cast<std::size_t>(axis.bins), context,
                         [&](Counts& to, std::uint64_t key) {
                             int bin = bin_by_digits[static_cast<std::size_t>(key >> kShift)];
                             if (bin == kMixed) bin = bin_of(key);
                             if (bin >= 0) ++to[static_cast<std::size_t>(bin)];
                         });
}

template <class F>
auto by_width(int width, F f) {
    switch (width) {
        case 1:
            return f(std::int8_t{});
        case 2:
            return f(std::int16_t{});
        case 4:
            return f(std::int32_t{});
        default:
            return f(std::int64_t{});
    }
}

}  // namespace

Result<std::vector<double>> exact_percentiles(const Plane& plane, const MaskPlane* mask,
                                              const std::vector<double>& fractions, const JobContext& context) {
    const KeyFormat format = key_format(plane.tensor.dtype(), plane.masked_value);
    return by_width(format.width,
                    [&]<class T>(T) { return percentiles_of<T>(plane, mask, format, fractions, context); });
}

Result<std::vector<std::int64_t>> exact_histogram(const Plane& plane, const MaskPlane* mask, double lo, double hi,
                                                  bool log, int bins, const JobContext& context) {
    if (bins <= 0 || !(hi > lo) || (log && lo <= 0)) {
        return std::vector<std::int64_t>(static_cast<std::size_t>(std::max(bins, 0)));
    }
    const KeyFormat format = key_format(plane.tensor.dtype(), plane.masked_value);
    return by_width(format.width, [&]<class T>(T) {
        return histogram_of<T>(plane, mask, format, Axis{lo, hi, log, bins}, context);
    });
}

}  // namespace maskscope::render
