// SPDX-License-Identifier: Apache-2.0
// The frame of all reductions: elements come in blocks of one of four types and go into states, along one row or side
// by side over many columns; states of chunks are merged in order; finished states are stored. Only the innermost
// loops, written in an Op, know what is computed.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/reduce/layout.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace maskscope::ops {

// The type elements are read as. `truth` is one byte, zero where the element is zero.
enum class Element : std::uint8_t { f32, f64, i64, truth };

class Reducer {
public:
    Reducer() = default;
    Reducer(const Reducer&) = delete;
    Reducer& operator=(const Reducer&) = delete;
    virtual ~Reducer() = default;

    virtual Element element() const = 0;
    virtual std::size_t state_bytes() const = 0;
    // Type of the numbers that finish() gives for an output.
    virtual Compute result(std::size_t output) const = 0;

    virtual void start(std::byte* states, std::int64_t count) const = 0;
    // `count` elements side by side into one state; the first is number `position` of its output element.
    virtual void row(std::byte* state, const void* values, std::int64_t count, std::int64_t position) const = 0;
    // `rows` rows of `count` elements, `row_step` elements apart: element i of each goes into state i.
    virtual void columns(std::byte* states, const void* values, std::int64_t row_step, std::int64_t rows,
                         std::int64_t count, std::int64_t position) const = 0;
    // `later` come from higher positions.
    virtual void merge(std::byte* states, const std::byte* later, std::int64_t count) const = 0;
    virtual void finish(const std::byte* states, std::int64_t count, std::span<void* const> results) const = 0;
};

// Op is a small value with types Value (float, double, std::int64_t, std::uint8_t), State (plain) and Result, and
//   State start() const;
//   void row(State&, const Value*, std::int64_t count, std::int64_t position) const;
//   void columns(State*, const Value*, std::int64_t row_step, std::int64_t rows, std::int64_t count, std::int64_t
//                position) const;
//   void merge(State&, const State& later) const;
//   Result finish(const State&) const;
// and, where it has two outputs, Second second(const State&) const.
template <class Op>
class ReducerOf final : public Reducer {
public:
    using Value = typename Op::Value;
    using State = typename Op::State;
    explicit ReducerOf(Op op) : op_(op) {}

    Element element() const override {
        if (std::is_same_v<Value, float>) return Element::f32;
        if (std::is_same_v<Value, double>) return Element::f64;
        return std::is_same_v<Value, std::int64_t> ? Element::i64 : Element::truth;
    }
    std::size_t state_bytes() const override { return sizeof(State); }
    Compute result(std::size_t output) const override {
        if constexpr (requires { typename Op::Second; })
            if (output == 1) return kind<typename Op::Second>();
        return kind<typename Op::Result>();
    }
    void start(std::byte* states, std::int64_t count) const override {
        auto* typed = reinterpret_cast<State*>(states);
        for (std::int64_t i = 0; i < count; ++i) typed[i] = op_.start();
    }
    void row(std::byte* state, const void* values, std::int64_t count, std::int64_t position) const override {
        op_.row(*reinterpret_cast<State*>(state), static_cast<const Value*>(values), count, position);
    }
    void columns(std::byte* states, const void* values, std::int64_t row_step, std::int64_t rows, std::int64_t count,
                 std::int64_t position) const override {
        op_.columns(reinterpret_cast<State*>(states), static_cast<const Value*>(values), row_step, rows, count,
                    position);
    }
    void merge(std::byte* states, const std::byte* later, std::int64_t count) const override {
        auto* typed = reinterpret_cast<State*>(states);
        const auto* other = reinterpret_cast<const State*>(later);
        for (std::int64_t i = 0; i < count; ++i) op_.merge(typed[i], other[i]);
    }
    void finish(const std::byte* states, std::int64_t count, std::span<void* const> results) const override {
        const auto* typed = reinterpret_cast<const State*>(states);
        auto* first = static_cast<typename Op::Result*>(results[0]);
        for (std::int64_t i = 0; i < count; ++i) first[i] = op_.finish(typed[i]);
        if constexpr (requires { typename Op::Second; }) {
            if (results.size() < 2) return;
            auto* second = static_cast<typename Op::Second*>(results[1]);
            for (std::int64_t i = 0; i < count; ++i) second[i] = op_.second(typed[i]);
        }
    }

private:
    static_assert(std::is_trivially_copyable_v<State> && alignof(State) <= 16);
    template <class T>
    static constexpr Compute kind() {
        if (std::is_same_v<T, float>) return Compute::f32;
        return std::is_same_v<T, double> ? Compute::f64 : Compute::i64;
    }
    Op op_;
};

// Reduces `input` over the axes into the outputs, which may have any strides.
Result<void> reduce(const Tensor& input, const Axes& axes, Order order, const Reducer& reducer,
                    std::span<Tensor> outputs, const JobContext& context);

// `count` elements, `step` bytes apart, as 1 (not zero, NaN included) or 0.
void load_truth(const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, std::uint8_t* dst);

}  // namespace maskscope::ops
