// SPDX-License-Identifier: Apache-2.0
#include "core/script/language/builtins.h"

#include "core/script/text/language_error.h"

namespace maskscope::script {

const Value* find_builtin(const std::string& name) {
    static const BuiltinMap map = [] {
        BuiltinMap out;
        add_sequence_builtins(out);
        add_number_builtins(out);
        add_object_builtins(out);
        add_type_builtins(out);
        return out;
    }();
    const auto place = map.find(name);
    return place == map.end() ? nullptr : &place->second;
}

const Value* argument(const Arguments& arguments, std::size_t i, std::string_view name) {
    if (i < arguments.positional.size()) return &arguments.positional[i];
    for (const auto& [written, value] : arguments.named)
        if (written == name) return &value;
    return nullptr;
}

Result<void> expect_arguments(const Arguments& arguments, const char* name, std::size_t least, std::size_t most) {
    const std::size_t given = arguments.positional.size();
    if (given >= least && given <= most) return {};
    if (least == most)
        return type_error("{}() takes {} argument{} ({} given)", name,
                          least == 0   ? std::string("no")
                          : least == 1 ? std::string("exactly one")
                                       : fmt::format("exactly {}", least),
                          least == 1 ? "" : "s", given);
    return type_error("{} expected at {} {} argument{}, got {}", name, given < least ? "least" : "most",
                      given < least ? least : most, (given < least ? least : most) == 1 ? "" : "s", given);
}

}  // namespace maskscope::script
