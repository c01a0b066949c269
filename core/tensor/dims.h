// SPDX-License-Identifier: Apache-2.0
// A short list of sizes or strides, kept in place: shapes are copied everywhere and must cost nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

namespace maskscope {

inline constexpr int kMaxRank = 12;

class Dims {
public:
    Dims() = default;
    Dims(std::initializer_list<std::int64_t> values) {
        for (const auto value : values) push_back(value);
    }
    explicit Dims(std::span<const std::int64_t> values) {
        for (const auto value : values) push_back(value);
    }
    static Dims filled(int rank, std::int64_t value) {
        Dims out;
        for (int i = 0; i < rank; ++i) out.push_back(value);
        return out;
    }

    int rank() const { return rank_; }
    bool empty() const { return rank_ == 0; }
    std::int64_t operator[](int i) const {
        assert(i >= 0 && i < rank_);
        return values_[static_cast<std::size_t>(i)];
    }
    std::int64_t& operator[](int i) {
        assert(i >= 0 && i < rank_);
        return values_[static_cast<std::size_t>(i)];
    }
    void push_back(std::int64_t value) {
        assert(rank_ < kMaxRank);
        values_[static_cast<std::size_t>(rank_++)] = value;
    }
    void erase(int i);
    void insert(int i, std::int64_t value);

    const std::int64_t* begin() const { return values_.data(); }
    const std::int64_t* end() const { return values_.data() + rank_; }
    std::span<const std::int64_t> span() const { return {begin(), end()}; }

    friend bool operator==(const Dims& a, const Dims& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

private:
    std::array<std::int64_t, kMaxRank> values_{};
    int rank_ = 0;
};

using Shape = Dims;
using Strides = Dims;  // in elements; 0 repeats, negative is allowed in files' views

// Product of the sizes; nullopt when it does not fit 63 bits or a size is negative.
std::optional<std::int64_t> element_count(const Shape& shape);
Strides contiguous_strides(const Shape& shape);
// "[2, 3]", as PyTorch prints it.
std::string text_of(const Dims& dims);

}  // namespace maskscope
