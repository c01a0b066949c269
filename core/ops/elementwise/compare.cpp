// SPDX-License-Identifier: Apache-2.0
// Comparisons: bool out. Operands are promoted to a common dtype first, so that int64 against float32 compares
// float32s.
#include "core/ops/elementwise/rows.h"

namespace maskscope::ops {
namespace {

#define MS_COMPARISON(Functor, op, stub)                                             \
    struct Functor {                                                                 \
        static constexpr Takes kTakes = Takes::all;                                  \
        static constexpr const char* kStub = stub;                                   \
        template <class T>                                                           \
        bool operator()(T a, T b) const {                                            \
            return a op b;                                                           \
        }                                                                            \
        static std::uint8_t bools(std::uint8_t a, std::uint8_t b) { return a op b; } \
    }
MS_COMPARISON(Equal, ==, "eq_cpu");
MS_COMPARISON(NotEqual, !=, "ne_cpu");
MS_COMPARISON(Less, <, "lt_cpu");
MS_COMPARISON(LessEqual, <=, "le_cpu");
MS_COMPARISON(Greater, >, "gt_cpu");
MS_COMPARISON(GreaterEqual, >=, "ge_cpu");
#undef MS_COMPARISON

template <class F>
void comparison(OpTable& table, const Row& row) {
    constexpr unsigned kMethods = kMethod | kInPlace;
    add_row(table, row,
            {pointwise<F, 2>("(Tensor input, Tensor other, *, Tensor? out=None)", kFunction),
             pointwise<F, 2>("(Tensor input, Scalar other, *, Tensor? out=None)", kFunction),
             pointwise<F, 2>("(Tensor input, Tensor other)", kMethods),
             pointwise<F, 2>("(Tensor input, Scalar other)", kMethods),
             // 2 < x, which Python turns round to x > 2.
             pointwise<F, 2>("(Scalar input, Tensor other)", kInternal)});
}

}  // namespace

void add_compare(OpTable& table) {
    comparison<Equal>(
        table, {"eq", "True where both are equal. NaN equals nothing, not even itself.", {"i == 0", "x.eq(r)"}, {}});
    comparison<NotEqual>(table, {"ne", "True where they differ; always for NaN.", {"i != 0", "x != r"}, {"not_equal"}});
    comparison<Less>(table, {"lt", "True where the first is smaller; never for NaN.", {"x < 0", "x < r"}, {"less"}});
    comparison<LessEqual>(
        table, {"le", "True where the first is not larger; never for NaN.", {"x <= 0", "x <= r"}, {"less_equal"}});
    comparison<Greater>(table,
                        {"gt", "True where the first is larger; never for NaN.", {"x > 0", "x > r"}, {"greater"}});
    comparison<GreaterEqual>(
        table, {"ge", "True where the first is not smaller; never for NaN.", {"x >= 0", "x >= r"}, {"greater_equal"}});
}

}  // namespace maskscope::ops
