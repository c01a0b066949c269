// SPDX-License-Identifier: Apache-2.0
#include "core/script/language/modules.h"

#include "core/ops/dispatch/schema.h"
#include "core/script/language/builtins.h"
#include "core/script/language/interpreter.h"
#include "core/script/text/language_error.h"
#include "core/script/text/nearest.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace maskscope::script {
namespace {

// Where the ops of the table are found, and the modules whose attributes are others of these.
constexpr std::array<std::string_view, 14> kModules = {"torch",
                                                       "torch.nn",
                                                       "torch.nn.functional",
                                                       "torch.nn.modules",
                                                       "torch.autograd",
                                                       "torch.cuda",
                                                       "torch.jit",
                                                       "torch.special",
                                                       "math",
                                                       "numpy",
                                                       "typing",
                                                       "functools",
                                                       "types",
                                                       "collections"};

bool is_gradient_name(const std::string& module, const std::string& name) {
    return module == "torch.autograd" && name != "no_grad" && name != "enable_grad";
}

std::vector<std::string> op_names(const ops::OpTable& table, ops::Form form) {
    std::vector<std::string> out;
    for (const auto& [name, spec] : table.all())
        if (table.find(name, form) != nullptr) out.emplace_back(name);
    return out;
}

Error no_attribute(const std::string& module, const std::string& name, const std::vector<std::string>& known) {
    Error error = attribute_error("module '{}' has no attribute '{}'", module, name);
    const std::string near = nearest(name, known);
    if (!near.empty()) return std::move(error).with_hint(MS_TEXT("Did you mean {}?"), near);
    return std::move(error).with_hint(
        MS_TEXT("The mask script has not all of {}: paste a definition of {} if the script needs it"), module, name);
}

Result<Value> functools_attribute(const std::string& name) {
    if (name == "partial")
        return make_object<Callable>(name, [](Interpreter&, Arguments& given) -> Result<Value> {
            if (given.positional.empty()) return type_error("type 'partial' takes at least one argument");
            const Arguments bound = given;
            const auto body = [bound](Interpreter& in, Arguments& more) -> Result<Value> {
                Arguments all;
                all.positional.assign(bound.positional.begin() + 1, bound.positional.end());
                all.positional.insert(all.positional.end(), more.positional.begin(), more.positional.end());
                all.named = more.named;
                for (const auto& named : bound.named)
                    if (std::none_of(more.named.begin(), more.named.end(),
                                     [&](const auto& m) { return m.first == named.first; }))
                        all.named.push_back(named);
                return in.call(bound.positional[0], all);
            };
            return make_object<Callable>("partial", body, bound.positional);
        });
    if (name == "reduce")
        return make_object<Callable>(name, [](Interpreter& in, Arguments& a) -> Result<Value> {
            MS_CHECK(expect_arguments(a, "reduce", 2, 3));
            MS_TRY(items, in.to_values(a.positional[1]));
            if (a.positional.size() > 2) items.insert(items.begin(), a.positional[2]);
            if (items.empty()) return type_error("reduce() of empty iterable with no initial value");
            Value out = items[0];
            for (std::size_t i = 1; i < items.size(); ++i) {
                MS_TRY(next, in.call(a.positional[0], Values{out, items[i]}));
                out = std::move(next);
            }
            return out;
        });
    return attribute_error("module 'functools' has no attribute '{}'", name);
}

bool takes_one_tensor(const ops::OpSpec& spec) {
    const auto& parameters = spec.overloads.front().schema->parameters;
    return std::count_if(parameters.begin(), parameters.end(), [](const auto& p) { return p.required; }) == 1;
}

Result<Value> op_attribute(Interpreter& in, const std::string& module, const std::string& name) {
    const ops::OpTable& table = in.run_state().table();
    const ops::Form form = module == "torch.nn.functional" ? ops::Form::functional : ops::Form::function;
    if (const auto* spec = table.find(name, form)) return make_object<OpFunction>(*spec, form);
    // torch.relu_(x): the functions of one tensor have it.
    if (name.ends_with("_") && form == ops::Form::function)
        if (const auto* spec = table.find(name.substr(0, name.size() - 1), ops::Form::in_place);
            spec != nullptr && takes_one_tensor(*spec))
            return make_object<OpFunction>(*spec, ops::Form::in_place);
    return no_attribute(module, name, op_names(table, form));
}

}  // namespace

bool is_module(const std::string& dotted) {
    return std::find(kModules.begin(), kModules.end(), dotted) != kModules.end();
}

Value module_named(const std::string& dotted) {
    return make_object<ModuleObject>(dotted);
}

Result<Value> module_attribute(Interpreter& in, const ModuleObject& module, const std::string& name) {
    const std::string full = module.name + "." + name;
    if (is_module(full)) return module_named(full);
    if (is_gradient_name(module.name, name))
        return not_in_the_language(MS_TEXT("gradients are not part of the mask script yet: {} cannot be used"), full);
    if (module.name == "torch" || module.name == "torch.autograd" || module.name == "torch.special") {
        if (const Value* known = find_torch_name(name)) return *known;
        return op_attribute(in, module.name, name);
    }
    if (module.name == "torch.nn.functional") return op_attribute(in, module.name, name);
    if (module.name == "torch.nn") {
        if (const Value* known = find_torch_name("nn." + name)) return *known;
        // Layers are classes, in upper case.
        if (name.empty() || name[0] < 'A' || name[0] > 'Z')
            return attribute_error("module 'torch.nn' has no attribute '{}'", name);
        return not_in_the_language(MS_TEXT("nn.{} is not part of the mask script: use the function of torch or F"),
                                   name);
    }
    if (module.name == "torch.cuda") {
        if (const Value* known = find_torch_name("cuda." + name)) return *known;
    }
    if (module.name == "math") {
        if (const Value* known = find_math_name(name)) return *known;
        return attribute_error("module 'math' has no attribute '{}'", name);
    }
    if (module.name == "numpy") {
        if (name == "newaxis") return Value();
        if (const Value* known = find_math_name(name); known != nullptr && known->is_number()) return *known;
        return not_in_the_language(MS_TEXT("np.{} is not part of the mask script: use the function of torch"), name);
    }
    if (module.name == "functools") return functools_attribute(name);
    if (module.name == "types" && name == "SimpleNamespace")
        return make_object<Callable>(name, [](Interpreter&, Arguments& a) -> Result<Value> {
            auto space = std::make_shared<Namespace>("namespace");
            for (const auto& [key, value] : a.named) space->attributes[key] = value;
            return Value(std::shared_ptr<ops::Object>(std::move(space)));
        });
    // Names of types, for annotations that are never evaluated.
    if (module.name == "typing" || module.name == "collections") return Value();
    return not_in_the_language(MS_TEXT("{} is not part of the mask script"), full)
        .with_hint(MS_TEXT("Paste the definition of {} above the line that uses it"), name);
}

}  // namespace maskscope::script
