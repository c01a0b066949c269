// SPDX-License-Identifier: Apache-2.0
// Walks the tree of a script. Each member stands in the file named beside it.
#pragma once

#include "core/script/language/evaluate.h"
#include "core/script/language/object.h"

#include <chrono>
#include <deque>
#include <string>
#include <vector>

namespace maskscope::script {

class Recorder;

enum class Flow { normal, broken, continued, returned };

class Interpreter {
public:
    Interpreter(const Module& module, const Options& options);
    ~Interpreter();
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    // evaluate.cpp
    void bind_inputs(const std::vector<Input>& inputs);
    Evaluation run();

    // expressions.cpp: errors get the line and span of the innermost expression.
    Result<Value> eval(const Expr& expr);
    // statements.cpp
    Result<Flow> exec(const Block& block);
    // targets.cpp
    Result<void> assign(const Expr& target, const Value& value);
    Result<void> remove(const Expr& target);
    Result<void> augment(const AugAssign& statement);
    // names.cpp
    Result<Value> look_up(const std::string& name);
    void bind(const std::string& name, Value value);

    // calls.cpp
    Result<Value> call(const Value& callee, Arguments& arguments);
    Result<Value> call(const Value& callee, Values positional);
    Result<Value> call_function(const Function& function, Arguments& arguments);
    // An op at the expression being evaluated.
    Result<Value> call_op(const ops::OpSpec& spec, ops::Form form, std::span<const Value> positional,
                          std::span<const Named> named = {});
    Result<Value> call_op(std::string_view name, ops::Form form, std::initializer_list<Value> positional);

    // operators.cpp
    Result<Value> binary(BinaryOp op, const Value& left, const Value& right);
    // x += y: in place for tensors and lists.
    Result<Value> binary_in_place(BinaryOp op, const Value& left, const Value& right);
    Result<Value> unary(UnaryOp op, const Value& operand);
    // compare.cpp
    Result<Value> compare(CompareOp op, const Value& left, const Value& right);
    Result<bool> equal(const Value& left, const Value& right);
    Result<bool> less(const Value& left, const Value& right);
    Result<bool> truth(const Value& value);

    // attributes.cpp
    Result<Value> attribute(const Value& owner, const std::string& name);
    Result<void> set_attribute(const Value& owner, const std::string& name, const Value& value);
    // subscripts.cpp
    Result<Value> get_item(const Value& owner, const Value& index);
    Result<void> set_item(const Value& owner, const Value& index, const Value& value);
    Result<void> delete_item(const Value& owner, const Value& index);
    // iterate.cpp: the body says whether to go on.
    Result<void> for_each(const Value& iterable, const std::function<Result<bool>(const Value&)>& body);
    Result<Values> to_values(const Value& iterable);
    Result<std::int64_t> length(const Value& value);

    // text.cpp
    Result<std::string> str(const Value& value);
    Result<std::string> repr(const Value& value);
    // format.cpp: format(value, spec)
    Result<std::string> format(const Value& value, const std::string& spec);

    // budget.cpp
    Result<void> tick(std::int64_t steps = 1);
    // Before a list or string grows by so many bytes.
    Result<void> grow(std::size_t bytes);
    Result<void> check_stack() const;

    ops::Run& run_state() { return run_; }
    const Module& module() const { return module_; }
    void print(std::string_view text) { printed_ += text; }
    const std::shared_ptr<Frame>& module_frame() const { return module_frame_; }
    std::shared_ptr<Frame> frame() const { return frame_; }
    // Comprehensions run their body in a frame of their own.
    std::shared_ptr<Frame> new_frame(const Scope* scope, std::shared_ptr<Frame> parent);
    Recorder* recorder() { return recorder_.get(); }

    // Sets a frame for a while.
    class Inside {
    public:
        Inside(Interpreter& interpreter, std::shared_ptr<Frame> frame)
            : interpreter_(interpreter), before_(std::move(interpreter.frame_)) {
            interpreter_.frame_ = std::move(frame);
        }
        ~Inside() { interpreter_.frame_ = std::move(before_); }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        Interpreter& interpreter_;
        std::shared_ptr<Frame> before_;
    };

private:
    friend class Expressions;
    Result<Flow> exec(const Stmt& statement);

    const Module& module_;
    const Options& options_;
    ops::Run run_;
    std::unique_ptr<Recorder> recorder_;
    std::shared_ptr<Frame> module_frame_;
    std::shared_ptr<Frame> frame_;
    std::vector<std::weak_ptr<Frame>> frames_;  // emptied at the end: closures and frames hold each other
    std::shared_ptr<Namespace> self_;
    std::vector<std::string> order_;  // of first binding at the top level
    std::string printed_;
    Value last_;
    const Expr* at_ = nullptr;  // what is being evaluated
    const std::vector<Span>* argument_spans_ = nullptr;
    std::int64_t steps_ = 0;
    std::size_t grown_ = 0;
    int calls_ = 0;
    const char* stack_begin_ = nullptr;
    std::optional<std::chrono::steady_clock::time_point> deadline_;
};

}  // namespace maskscope::script
