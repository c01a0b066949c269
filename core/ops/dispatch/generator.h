// SPDX-License-Identifier: Apache-2.0
// torch's random numbers on the CPU: the Mersenne twister (MT19937, Matsumoto and Nishimura 1998) with torch's seeding.
#pragma once

#include <cstdint>
#include <optional>
#include <random>

namespace maskscope::ops {

class Generator {
public:
    // torch's default seed is drawn by chance; ours is fixed, so that a script without manual_seed repeats itself.
    Generator() = default;
    void manual_seed(std::uint64_t seed);
    std::uint64_t seed() const { return seed_; }

    // 32 bits.
    std::uint32_t random() { return engine_(); }
    // Two draws, the first is the high half.
    std::uint64_t random64() {
        const std::uint64_t high = random();
        return high << 32U | random();
    }

    // The normal distribution keeps the second of each pair (float64 path of torch).
    std::optional<double> next_normal;

private:
    static constexpr std::uint64_t kDefaultSeed = 67280421310721;
    std::uint64_t seed_ = kDefaultSeed;
    // std::mt19937 keeps its state in 64-bit words where 32 are enough, and takes four times as long.
    using Engine = std::mersenne_twister_engine<std::uint32_t, 32, 624, 397, 31, 0x9908B0DF, 11, 0xFFFFFFFF, 7,
                                                0x9D2C5680, 15, 0xEFC60000, 18, 1812433253>;
    Engine engine_{static_cast<std::uint32_t>(kDefaultSeed)};
};

}  // namespace maskscope::ops
