// SPDX-License-Identifier: Apache-2.0
// What the pooling loops share; compiled once for each kind of processor.
#if defined(MASKSCOPE_CORE_RENDER_POOL_OPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MASKSCOPE_CORE_RENDER_POOL_OPS_INL_H_
#undef MASKSCOPE_CORE_RENDER_POOL_OPS_INL_H_
#else
#define MASKSCOPE_CORE_RENDER_POOL_OPS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace maskscope::render::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Calls f with a value of the key type.
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

struct MaxOp {
    template <class V>
    HWY_ATTR V operator()(V a, V b) const {
        return hn::Max(a, b);
    }
};
struct MinOp {
    template <class V>
    HWY_ATTR V operator()(V a, V b) const {
        return hn::Min(a, b);
    }
};
struct AddOp {
    template <class V>
    HWY_ATTR V operator()(V a, V b) const {
        return hn::Add(a, b);
    }
};

}  // namespace maskscope::render::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
