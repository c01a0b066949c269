// SPDX-License-Identifier: Apache-2.0
// Truth values and bits: what masks are combined with.
#include "core/ops/elementwise/rows.h"
#include "core/ops/elementwise/unary_functors.h"

namespace maskscope::ops {
namespace {

struct LogicalAnd {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "logical_and_cpu";
    template <class T>
    bool operator()(T a, T b) const {
        return a != 0 && b != 0;
    }
    static std::uint8_t bools(std::uint8_t a, std::uint8_t b) { return a & b; }
};

struct LogicalOr {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "logical_or_cpu";
    template <class T>
    bool operator()(T a, T b) const {
        return a != 0 || b != 0;
    }
    static std::uint8_t bools(std::uint8_t a, std::uint8_t b) { return a | b; }
};

struct LogicalXor {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "logical_xor_cpu";
    template <class T>
    bool operator()(T a, T b) const {
        return (a != 0) != (b != 0);
    }
    static std::uint8_t bools(std::uint8_t a, std::uint8_t b) { return a ^ b; }
};

struct LogicalNot {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "logical_not_cpu";
    template <class T>
    bool operator()(T x) const {
        return x == 0;
    }
    static std::uint8_t bools(std::uint8_t x) { return x ^ 1U; }
};

struct BitwiseNot {
    static constexpr Takes kTakes = Takes::bits;
    static constexpr const char* kStub = "bitwise_not_cpu";
    std::int64_t operator()(std::int64_t x) const { return ~x; }
    static std::uint8_t bools(std::uint8_t x) { return x ^ 1U; }
};

#define MS_BITWISE(Functor, op, stub)                                                    \
    struct Functor {                                                                     \
        static constexpr Takes kTakes = Takes::bits;                                     \
        static constexpr const char* kStub = stub;                                       \
        std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a op b; } \
        static std::uint8_t bools(std::uint8_t a, std::uint8_t b) { return a op b; }     \
    }
MS_BITWISE(BitwiseAnd, &, "bitwise_and_cpu");
MS_BITWISE(BitwiseOr, |, "bitwise_or_cpu");
MS_BITWISE(BitwiseXor, ^, "bitwise_xor_cpu");
#undef MS_BITWISE

// Shifts by less than nothing or by all bits and more give what a very long shift would. Narrow integers are shifted as
// int64 and cut afterwards, which comes to the same.
struct LeftShift {
    static constexpr Takes kTakes = Takes::integers;
    static constexpr const char* kStub = "lshift_cpu";
    std::int64_t operator()(std::int64_t a, std::int64_t b) const {
        return b < 0 || b > 63 ? 0
                               : static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << static_cast<unsigned>(b));
    }
};

struct RightShift {
    static constexpr Takes kTakes = Takes::integers;
    static constexpr const char* kStub = "rshift_cpu";
    std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a >> (b < 0 || b > 63 ? 63 : b); }
};

constexpr unsigned kMethods = kMethod | kInPlace;

template <class F>
std::vector<Overload> bitwise() {
    return {pointwise<F, 2>("(Tensor input, Tensor other, *, Tensor? out=None)", kFunction),
            pointwise<F, 2>("(Scalar self, Tensor other)", kFunction),
            pointwise<F, 2>("(Tensor input, Scalar other, *, Tensor? out=None)", kFunction),
            pointwise<F, 2>("(Tensor input, Tensor other)", kMethods),
            pointwise<F, 2>("(Tensor input, Scalar other)", kMethods)};
}

template <class F>
void logical(OpTable& table, const Row& row) {
    add_row(table, row,
            {pointwise<F, 2>("(Tensor input, Tensor other, *, Tensor? out=None)", kFunction),
             pointwise<F, 2>("(Tensor input, Tensor other)", kMethods)});
}

// The operators under Python's own names, as the language calls them: x.__and__(y), 1 << x, x <<= 1.
template <class F>
void dunder(OpTable& table, const Row& row) {
    add_row(table, row,
            {pointwise<F, 2>("(Tensor input, Tensor other)", kFunction | kMethods),
             pointwise<F, 2>("(Tensor input, Scalar other)", kFunction | kMethods),
             pointwise<F, 2>("(Scalar input, Tensor other)", kFunction)});
}

}  // namespace

void add_logic(OpTable& table) {
    logical<LogicalAnd>(
        table,
        {"logical_and", "True where both are not 0. Any dtype; the result is bool.", {"m.logical_and(x > 0)"}, {}});
    logical<LogicalOr>(
        table,
        {"logical_or", "True where either is not 0. Any dtype; the result is bool.", {"m.logical_or(x > 0)"}, {}});
    logical<LogicalXor>(table, {"logical_xor", "True where exactly one is not 0.", {"torch.logical_xor(m, x)"}, {}});
    unary_op<LogicalNot>(table, {"logical_not",
                                 "True where the element is 0. Turns 0/1 masks of any dtype round.",
                                 {"m.logical_not()", "torch.logical_not(i)"},
                                 {}});
    unary_op<BitwiseNot>(table,
                         {"bitwise_not",
                          "~x: on bool the opposite; on integers every bit, so that ~1 is -2. Floats are refused.",
                          {"~m", "~i"},
                          {}});
    add_row(table, {"bitwise_and", "x & y: on bool logical and; on integers bit by bit.", {"m & (x > 0)", "i & 1"}, {}},
            bitwise<BitwiseAnd>());
    add_row(table, {"bitwise_or", "x | y: on bool logical or; on integers bit by bit.", {"m | (x > 0)", "i | 1"}, {}},
            bitwise<BitwiseOr>());
    add_row(table,
            {"bitwise_xor", "x ^ y: on bool where they differ; on integers bit by bit.", {"m ^ (x > 0)", "i ^ 1"}, {}},
            bitwise<BitwiseXor>());
    add_row(table,
            {"bitwise_left_shift",
             "x << y: times a power of two; bits that leave the dtype are lost.",
             {"torch.bitwise_left_shift(i, 2)"},
             {}},
            bitwise<LeftShift>());
    add_row(table,
            {"bitwise_right_shift",
             "x >> y: divided by a power of two, rounded down.",
             {"torch.bitwise_right_shift(i, 1)"},
             {}},
            bitwise<RightShift>());
    dunder<LeftShift>(table, {"__lshift__", "x << y.", {"i << 2"}, {}});
    dunder<RightShift>(table, {"__rshift__", "x >> y.", {"i >> 1"}, {}});
    dunder<BitwiseAnd>(table, {"__and__", "x & y.", {"m.__and__(m)"}, {}});
    dunder<BitwiseOr>(table, {"__or__", "x | y.", {"m.__or__(m)"}, {}});
    dunder<BitwiseXor>(table, {"__xor__", "x ^ y.", {"m.__xor__(m)"}, {}});
}

}  // namespace maskscope::ops
