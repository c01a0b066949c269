// SPDX-License-Identifier: Apache-2.0
// Where two written values part, in words; empty when they agree within the tolerance of their dtype.
#pragma once

#include "tests/core/script/golden_value.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace maskscope::golden {

struct Tolerance {
    double relative = 0;
    double absolute = 0;
};

// What the case asks for; nothing where it is content with the defaults.
struct Asked {
    std::optional<double> relative;
    std::optional<double> absolute;
};

// A case may widen float32 and the halves, where sums are long. Its float64 must agree all the same.
inline Tolerance tolerance_of(std::string_view dtype, const Asked& asked) {
    const auto widened = [&](double relative, double absolute) {
        return Tolerance{std::max(relative, asked.relative.value_or(0)),
                         std::max(absolute, asked.absolute.value_or(0))};
    };
    if (dtype == "float64") return {1e-12, 1e-14};
    if (dtype == "float32") return widened(1e-6, 1e-7);
    if (dtype == "float16") return widened(1e-3, 1e-7);
    if (dtype == "bfloat16") return widened(8e-3, 1e-7);
    return {};
}

inline bool agree(const Json& expected, const Json& got, const Tolerance& tolerance) {
    if (!expected.is_number() || !got.is_number()) return expected == got;
    if (expected.is_number_integer() || got.is_number_integer()) {
        return expected.is_number_integer() && got.is_number_integer() &&
               expected.get<std::int64_t>() == got.get<std::int64_t>();
    }
    const double wanted = expected.get<double>();
    const double found = got.get<double>();
    if (wanted == 0 && found == 0) return std::signbit(wanted) == std::signbit(found);
    return std::abs(wanted - found) <= tolerance.absolute + tolerance.relative * std::abs(wanted);
}

inline std::string tensor_difference(const Json& expected, const Json& got, const Asked& asked) {
    for (const char* key : {"tensor", "shape", "stride", "view", "requires_grad"}) {
        const Json wanted = expected.value(key, Json());
        const Json found = got.value(key, Json());
        if (wanted == found) continue;
        const std::string_view said = std::string_view(key) == "tensor" ? "dtype" : key;
        // A stride that is left out is the contiguous one.
        const auto text = [](const Json& value) { return value.is_null() ? "the plain one" : value.dump(); };
        return fmt::format(".{} is {}, not {}", said, text(found), text(wanted));
    }
    const Tolerance tolerance = tolerance_of(expected["tensor"].get<std::string>(), asked);
    const Json& wanted = expected["values"];
    const Json& found = got["values"];
    std::size_t wrong = 0;
    std::string first;
    for (std::size_t at = 0; at < wanted.size(); ++at) {
        if (agree(wanted[at], found[at], tolerance)) continue;
        if (wrong++ == 0) first = fmt::format(".values[{}] is {}, not {}", at, found[at].dump(), wanted[at].dump());
    }
    return wrong > 1 ? fmt::format("{} ({} of {} differ)", first, wrong, wanted.size()) : first;
}

inline std::string difference(const Json& expected, const Json& got, const Asked& asked) {
    if (expected.is_array() && got.is_array()) {
        if (expected.size() != got.size()) return fmt::format(" has {} items, not {}", got.size(), expected.size());
        for (std::size_t at = 0; at < expected.size(); ++at) {
            const std::string inside = difference(expected[at], got[at], asked);
            if (!inside.empty()) return fmt::format("[{}]{}", at, inside);
        }
        return {};
    }
    if (expected.is_object() && got.is_object() && expected.begin().key() == got.begin().key()) {
        const std::string& kind = expected.begin().key();
        if (kind == "tensor") return tensor_difference(expected, got, asked);
        return difference(expected.front(), got.front(), asked);
    }
    // A number of Python's own may have come out of a float32 tensor.
    const Tolerance tolerance{asked.relative.value_or(1e-6), asked.absolute.value_or(1e-7)};
    if (agree(expected, got, tolerance)) return {};
    return fmt::format(" is {}, not {}", got.dump(), expected.dump());
}

}  // namespace maskscope::golden
