// SPDX-License-Identifier: Apache-2.0
// Ops as table rows: a name, what it means, what it takes, the functor that computes it.
#pragma once

#include "core/ops/dispatch/overload.h"
#include "core/ops/elementwise/pointwise.h"

#include <string_view>
#include <utility>
#include <vector>

namespace maskscope::ops {

struct Row {
    std::string_view name;
    std::string_view meaning;
    std::vector<std::string_view> samples;
    std::vector<std::string_view> aliases;
};

// An op under its name and its aliases, with the same overloads and samples.
inline void add_row(OpTable& table, const Row& row, const std::vector<Overload>& overloads) {
    const auto add = [&](std::string_view name, std::vector<std::string_view> samples) {
        OpSpec spec;
        spec.name = name;
        spec.meaning = row.meaning;
        spec.overloads = overloads;
        spec.samples = std::move(samples);
        table.add(std::move(spec));
    };
    add(row.name, row.samples);
    for (const auto alias : row.aliases) add(alias, row.samples);
}

// A function and method of one tensor.
template <class F>
void unary_op(OpTable& table, const Row& row, unsigned method_forms = kMethod | kInPlace) {
    add_row(table, row,
            {pointwise<F, 1>("(Tensor input, *, Tensor? out=None)", kFunction),
             pointwise<F, 1>("(Tensor input)", method_forms)});
}

}  // namespace maskscope::ops
