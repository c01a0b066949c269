// SPDX-License-Identifier: Apache-2.0
// Which value a name has: in the function, around it, in the module, among the builtins.
#include "core/script/language/builtins.h"
#include "core/script/language/interpreter.h"
#include "core/script/text/language_error.h"
#include "core/script/text/nearest.h"

#include <algorithm>

namespace maskscope::script {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Result<Value> Interpreter::look_up(const std::string& name) {
    const Frame* at = frame_.get();
    if (at->scope != nullptr && contains(at->scope->globals, name)) at = module_frame_.get();
    for (; at != nullptr; at = at->parent.get()) {
        const auto place = at->names.find(name);
        if (place != at->names.end()) return place->second;
        const bool is_local = at->parent && at->scope != nullptr && contains(at->scope->locals, name);
        if (!is_local) continue;
        if (at == frame_.get() || at->is_comprehension)
            return ops::torch_error("UnboundLocalError",
                                    "cannot access local variable '{}' where it is not associated with a value", name);
        return name_error("cannot access free variable '{}' where it is not associated with a value in enclosing scope",
                          name);
    }
    if (name == "self") return Value(std::shared_ptr<ops::Object>(self_));
    if (const Value* builtin = find_builtin(name)) return *builtin;
    std::vector<std::string> known;
    for (const auto& [written, value] : module_frame_->names) known.push_back(written);
    Error error = name_error("name '{}' is not defined", name);
    const std::string near = nearest(name, known);
    if (!near.empty()) return std::move(error).with_hint(MS_TEXT("Did you mean {}?"), near);
    if (run_.table().find(name) != nullptr) return std::move(error).with_hint(MS_TEXT("There is torch.{}"), name);
    return std::move(error).with_hint(MS_TEXT("Paste the definition of {} above, or bind a tensor to that name"), name);
}

void Interpreter::bind(const std::string& name, Value value) {
    std::shared_ptr<Frame> target = frame_;
    if (target->scope != nullptr && contains(target->scope->globals, name)) {
        target = module_frame_;
    } else if (target->scope != nullptr && contains(target->scope->nonlocals, name)) {
        for (auto outer = target->parent; outer && outer->parent; outer = outer->parent)
            if (outer->names.contains(name)) {
                target = outer;
                break;
            }
    }
    if (target == module_frame_ && !target->names.contains(name)) order_.push_back(name);
    target->names[name] = std::move(value);
}

std::shared_ptr<Frame> Interpreter::new_frame(const Scope* scope, std::shared_ptr<Frame> parent) {
    auto frame = std::make_shared<Frame>();
    frame->scope = scope;
    frame->parent = std::move(parent);
    // Only those that a closure kept alive are still there when the list is cleaned.
    if (frames_.size() >= 1024 && (frames_.size() & (frames_.size() - 1)) == 0)
        std::erase_if(frames_, [](const auto& weak) { return weak.expired(); });
    frames_.push_back(frame);
    return frame;
}

}  // namespace maskscope::script
