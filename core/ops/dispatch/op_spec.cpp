// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/op_spec.h"

#include "core/ops/dispatch/schema.h"

#include <cassert>
#include <iterator>

namespace maskscope::ops {

void OpTable::add(OpSpec spec) {
    for (auto& overload : spec.overloads) {
        auto schema = parse_signature(overload.signature);
        assert(schema.ok());
        if (schema) overload.schema = std::make_shared<const Schema>(std::move(*schema));
    }
    // What cannot be parsed cannot be called: leave it out rather than crash. The registry's test finds it.
    std::erase_if(spec.overloads, [](const Overload& overload) { return overload.schema == nullptr; });
    const auto [place, is_new] = specs_.try_emplace(spec.name, spec);
    if (is_new) return;
    auto& known = place->second;
    std::move(spec.overloads.begin(), spec.overloads.end(), std::back_inserter(known.overloads));
    known.samples.insert(known.samples.end(), spec.samples.begin(), spec.samples.end());
    if (known.meaning.empty()) known.meaning = spec.meaning;
}

const OpSpec* OpTable::find(std::string_view name) const {
    const auto place = specs_.find(name);
    return place == specs_.end() ? nullptr : &place->second;
}

const OpSpec* OpTable::find(std::string_view name, Form form) const {
    const OpSpec* spec = find(name);
    if (spec == nullptr) return nullptr;
    for (const auto& overload : spec->overloads)
        if ((overload.forms & static_cast<unsigned>(form)) != 0) return spec;
    return nullptr;
}

}  // namespace maskscope::ops
