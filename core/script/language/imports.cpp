// SPDX-License-Identifier: Apache-2.0
#include "core/script/language/imports.h"

#include "core/script/language/interpreter.h"
#include "core/script/language/modules.h"
#include "core/script/text/language_error.h"

namespace maskscope::script {
namespace {

std::string first_part(const std::string& dotted) {
    return dotted.substr(0, dotted.find('.'));
}

}  // namespace

Result<void> import_module(Interpreter& in, const ImportName& name) {
    if (name.alias.empty()) {
        in.bind(first_part(name.name), module_named(first_part(name.name)));
    } else {
        in.bind(name.alias, module_named(name.name));
    }
    return {};
}

Result<void> import_from(Interpreter& in, const ImportFrom& statement) {
    for (const auto& name : statement.names) {
        if (name.name == "*") continue;
        const std::string bound = name.alias.empty() ? name.name : name.alias;
        const std::string full = statement.module + "." + name.name;
        if (is_module(full)) {
            in.bind(bound, module_named(full));
            continue;
        }
        // Relative imports, typing and what else has no meaning here bind nothing: the definition may be pasted.
        if (!is_module(statement.module) || statement.level > 0) continue;
        auto value = in.attribute(module_named(statement.module), name.name);
        if (value) in.bind(bound, std::move(*value));
    }
    return {};
}

}  // namespace maskscope::script
