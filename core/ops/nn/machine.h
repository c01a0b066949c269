// SPDX-License-Identifier: Apache-2.0
// One text of arithmetic, compiled for several machines, the best of which is chosen when the program runs.
#pragma once

namespace maskscope::ops {

template <class Body, class Signature>
struct Compiled;

template <class Body, class R, class... Args>
struct Compiled<Body, R(Args...)> {
    using Function = R (*)(Args...);
    static R base(Args... args) { return Body::run(args...); }
#if defined(__x86_64__)
    __attribute__((target("avx2,fma"))) static R avx2(Args... args) {
        return Body::run(args...);
    }
    __attribute__((target("avx512f,fma"))) static R avx512(Args... args) {
        return Body::run(args...);
    }
    static Function chosen() {
        if (__builtin_cpu_supports("avx512f")) return avx512;
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? avx2 : base;
    }
#else
    static Function chosen() {
        return base;
    }
#endif
};

// Body::run is a static function that is always inlined; numbers and pointers only, whose passing no target changes.
template <class Body>
auto for_machine() {
    return []<class R, class... Args>(R (*)(Args...)) { return Compiled<Body, R(Args...)>::chosen(); }(&Body::run);
}

}  // namespace maskscope::ops
