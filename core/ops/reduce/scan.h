// SPDX-License-Identifier: Apache-2.0
// The frame of running reductions (cumsum): each element is joined to the state of its line, and what the state then is
// takes its place. Lines lie along one dim; where others lie closer together in memory, many lines go side by side.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/ops/loops/blocks.h"
#include "core/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace maskscope::ops {

class Scanner {
public:
    Scanner() = default;
    Scanner(const Scanner&) = delete;
    Scanner& operator=(const Scanner&) = delete;
    virtual ~Scanner() = default;

    virtual Compute element() const = 0;
    virtual std::size_t state_bytes() const = 0;
    virtual void start(std::byte* states, std::int64_t count) const = 0;
    // `count` elements along one line, replaced by what the state was after each. `indices` are filled where the op
    // tells positions.
    virtual void row(std::byte* state, void* values, std::int64_t* indices, std::int64_t count,
                     std::int64_t position) const = 0;
    // One element each of `count` lines.
    virtual void columns(std::byte* states, void* values, std::int64_t* indices, std::int64_t count,
                         std::int64_t position) const = 0;
};

// Op has Value (float, double, std::int64_t), State (plain), State start() const, and
//   Value join(State&, Value) const
// or, where it tells positions,
//   Value join(State&, Value, std::int64_t position, std::int64_t& index) const.
template <class Op>
class ScannerOf final : public Scanner {
public:
    using Value = typename Op::Value;
    using State = typename Op::State;
    explicit ScannerOf(Op op = {}) : op_(op) {}

    Compute element() const override {
        if (std::is_same_v<Value, float>) return Compute::f32;
        return std::is_same_v<Value, double> ? Compute::f64 : Compute::i64;
    }
    std::size_t state_bytes() const override { return sizeof(State); }
    void start(std::byte* states, std::int64_t count) const override {
        auto* typed = reinterpret_cast<State*>(states);
        for (std::int64_t i = 0; i < count; ++i) typed[i] = op_.start();
    }
    void row(std::byte* state, void* values, std::int64_t* indices, std::int64_t count,
             std::int64_t position) const override {
        State running = *reinterpret_cast<State*>(state);
        auto* typed = static_cast<Value*>(values);
        for (std::int64_t i = 0; i < count; ++i) typed[i] = joined(running, typed[i], position + i, indices, i);
        *reinterpret_cast<State*>(state) = running;
    }
    void columns(std::byte* states, void* values, std::int64_t* indices, std::int64_t count,
                 std::int64_t position) const override {
        auto* running = reinterpret_cast<State*>(states);
        auto* typed = static_cast<Value*>(values);
        for (std::int64_t i = 0; i < count; ++i) typed[i] = joined(running[i], typed[i], position, indices, i);
    }

private:
    static_assert(std::is_trivially_copyable_v<State> && alignof(State) <= 16);
    Value joined(State& state, Value value, std::int64_t position, std::int64_t* indices, std::int64_t i) const {
        if constexpr (requires { op_.join(state, value, position, *indices); })
            return op_.join(state, value, position, indices[i]);
        else
            return op_.join(state, value);
    }
    Op op_;
};

// Along `axis` of `input`; outputs[0] takes the values, outputs[1] the indices, both of input's shape. The input may be
// outputs[0] itself.
Result<void> scan(const Tensor& input, int axis, const Scanner& scanner, std::span<Tensor> outputs,
                  const JobContext& context);

}  // namespace maskscope::ops
