// SPDX-License-Identifier: Apache-2.0
// The scales of colormap.h: each is a monotonic function of the value, stretched over [0, 1].
#include "core/render/look/colormap.h"

#include <algorithm>
#include <cmath>

namespace maskscope::render {
namespace {

double linear_part(const ColourScale& scale) {
    return std::max(std::abs(scale.lo), std::abs(scale.hi)) / 100;
}

double bend(const ColourScale& scale, double value) {
    switch (scale.kind) {
        case ScaleKind::linear:
            return value;
        case ScaleKind::log:
            return std::log10(value);
        case ScaleKind::symlog: {
            const double t = linear_part(scale);
            const double a = std::abs(value) / t;
            return std::copysign(a <= 1 ? a : 1 + std::log10(a), value);
        }
        case ScaleKind::sqrt:
            return std::copysign(std::sqrt(std::abs(value)), value);
    }
    return value;
}

double unbend(const ColourScale& scale, double bent) {
    switch (scale.kind) {
        case ScaleKind::linear:
            return bent;
        case ScaleKind::log:
            return std::pow(10.0, bent);
        case ScaleKind::symlog: {
            const double a = std::abs(bent);
            return std::copysign((a <= 1 ? a : std::pow(10.0, a - 1)) * linear_part(scale), bent);
        }
        case ScaleKind::sqrt:
            return std::copysign(bent * bent, bent);
    }
    return bent;
}

// The smallest of 1, 2, 5, 10, 20 ... that is at least `least`.
double nice_step(double least) {
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * decade >= least * (1 - 1e-9)) return factor * decade;
    }
    return 10 * decade;
}

void add_linear_ticks(double lo, double hi, int count, std::vector<double>& out) {
    const double step = nice_step((hi - lo) / count);
    const double slack = step * 1e-6;
    for (double n = std::ceil((lo - slack) / step); n * step <= hi + slack; ++n) {
        out.push_back(std::abs(n) < 0.5 ? 0.0 : std::clamp(n * step, lo, hi));
    }
}

// The powers of ten in [lo, hi], thinned to `count`; with fewer than two of them also 2 and 5.
void add_decades(double lo, double hi, int count, std::vector<double>& out) {
    const int first = static_cast<int>(std::ceil(std::log10(lo) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(hi) + 1e-9));
    if (last - first >= 1) {
        const int step = std::max(1, (last - first + count) / std::max(1, count));
        for (int decade = last; decade >= first; decade -= step) out.push_back(std::pow(10.0, decade));
        return;
    }
    for (int decade = first - 1; decade <= last + 1; ++decade) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double tick = factor * std::pow(10.0, decade);
            if (tick >= lo * (1 - 1e-9) && tick <= hi * (1 + 1e-9)) out.push_back(tick);
        }
    }
    if (out.size() < 2) {
        out.clear();
        add_linear_ticks(lo, hi, count, out);
    }
}

}  // namespace

ColourScale make_scale(ScaleKind kind, double lo, double hi, bool diverging, double smallest_positive) {
    if (!std::isfinite(lo)) lo = 0;
    if (!std::isfinite(hi)) hi = 1;
    if (lo > hi) std::swap(lo, hi);
    if (kind == ScaleKind::log) {
        if (hi <= 0) hi = 1;
        if (lo <= 0) lo = smallest_positive > 0 ? smallest_positive : hi * 1e-4;
        if (lo >= hi) lo = hi / 10;
        return {kind, lo, hi};
    }
    if (diverging) {
        const double reach = std::max(std::abs(lo), std::abs(hi));
        hi = reach > 0 ? reach : 1;
        lo = -hi;
    } else if (lo == hi) {
        // One value only: let it be the end of a range that starts at zero.
        if (lo > 0)
            lo = 0;
        else if (hi < 0)
            hi = 0;
        else
            hi = 1;
    }
    return {kind, lo, hi};
}

double position_of(const ColourScale& scale, double value) {
    if (scale.kind == ScaleKind::log && value <= scale.lo) return 0;
    const double lo = bend(scale, scale.lo);
    const double hi = bend(scale, scale.hi);
    return std::clamp((bend(scale, value) - lo) / (hi - lo), 0.0, 1.0);
}

double value_at(const ColourScale& scale, double position) {
    const double lo = bend(scale, scale.lo);
    const double hi = bend(scale, scale.hi);
    return unbend(scale, lo + std::clamp(position, 0.0, 1.0) * (hi - lo));
}

std::vector<double> ticks(const ColourScale& scale, int length) {
    constexpr int kRoom = 40;  // pixels from one label's middle to the next
    const int count = std::max(1, length / kRoom);
    std::vector<double> found;
    switch (scale.kind) {
        case ScaleKind::linear:
            add_linear_ticks(scale.lo, scale.hi, count, found);
            break;
        case ScaleKind::log:
            add_decades(scale.lo, scale.hi, count, found);
            break;
        case ScaleKind::sqrt:
            add_linear_ticks(scale.lo, scale.hi, 2 * count, found);
            break;
        case ScaleKind::symlog: {
            const double t = linear_part(scale);
            if (scale.lo <= 0 && scale.hi >= 0) found.push_back(0);
            if (scale.hi > t) add_decades(std::max(t, scale.lo), scale.hi, count, found);
            std::vector<double> below;
            if (scale.lo < -t) add_decades(std::max(t, -scale.hi), -scale.lo, count, below);
            for (const double tick : below) found.push_back(-tick);
            break;
        }
    }
    // What a bent axis squeezes together loses the less important: zero first, then the outermost keep their place.
    std::stable_sort(found.begin(), found.end(), [&](double a, double b) {
        if ((a == 0) != (b == 0)) return a == 0;
        return std::abs(a) > std::abs(b);
    });
    std::vector<double> kept;
    for (const double tick : found) {
        const double at = position_of(scale, tick) * length;
        const bool free = std::all_of(kept.begin(), kept.end(), [&](double other) {
            return std::abs(position_of(scale, other) * length - at) >= std::min(kRoom - 1.0, length * 0.99);
        });
        if (free || scale.kind == ScaleKind::linear) kept.push_back(tick);
    }
    std::sort(kept.begin(), kept.end());
    return kept;
}

}  // namespace maskscope::render
