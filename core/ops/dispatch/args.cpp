// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/args.h"

namespace maskscope::ops {

std::vector<VariablePtr> Args::variables(int i) const {
    std::vector<VariablePtr> out;
    if (const auto* items = (*this)[i].sequence())
        for (const auto& item : *items) out.push_back(item.tensor());
    return out;
}

const std::string& Args::text(int i) const {
    static const std::string empty;
    const auto* text = (*this)[i].get_if<std::string>();
    return text != nullptr ? *text : empty;
}

Dims Args::dims(int i) const {
    Dims out;
    for (const auto value : integers(i))
        if (out.rank() < kMaxRank) out.push_back(value);
    return out;
}

std::vector<std::int64_t> Args::integers(int i) const {
    const auto* items = (*this)[i].sequence();
    if (items == nullptr) return {(*this)[i].to_int()};
    std::vector<std::int64_t> out;
    out.reserve(items->size());
    for (const auto& item : *items) out.push_back(item.to_int());
    return out;
}

std::optional<DType> Args::dtype(int i) const {
    const auto* dtype = (*this)[i].get_if<DType>();
    return dtype != nullptr ? std::optional(*dtype) : std::nullopt;
}

}  // namespace maskscope::ops
