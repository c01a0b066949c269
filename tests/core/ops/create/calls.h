// SPDX-License-Identifier: Apache-2.0
// Calls as a script writes them, told as text: "[1.0, 2.0] float32", "TypeError: ...".
#pragma once

#include "core/ops/dispatch/run.h"

#include <QString>

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace maskscope::ops {

// All ops of core/ops/create.
void add_create_family(OpTable& table);

// "[[1, 2], [3, 4]] int64": nested as Python's tolist, floats as Python prints them.
QString text_of(const Value& value);

class Calls {
public:
    explicit Calls(Settings settings = {});

    Result<Value> call(Form form, std::string_view op, std::initializer_list<Value> arguments,
                       std::initializer_list<Named> named = {});
    // The result's text, or the error's type and text.
    QString function(std::string_view op, std::initializer_list<Value> arguments,
                     std::initializer_list<Named> named = {}) {
        return told(call(Form::function, op, arguments, named));
    }
    QString method(std::string_view op, std::initializer_list<Value> arguments,
                   std::initializer_list<Named> named = {}) {
        return told(call(Form::method, op, arguments, named));
    }
    QString in_place(std::string_view op, std::initializer_list<Value> arguments,
                     std::initializer_list<Named> named = {}) {
        return told(call(Form::in_place, op, arguments, named));
    }
    QString property(std::string_view op, const Value& tensor) { return told(call(Form::property, op, {tensor})); }
    QString internal(std::string_view op, const Value& tensor) { return told(call(Form::internal, op, {tensor})); }

    // What must succeed.
    Value made(std::string_view op, std::initializer_list<Value> arguments, std::initializer_list<Named> named = {});
    // torch.tensor(data).
    Value tensor(const Value& data, std::initializer_list<Named> named = {}) { return made("tensor", {data}, named); }
    // A view of it with other sizes and strides.
    Value viewed(const Value& tensor, const Shape& shape, const Strides& strides, std::int64_t offset = 0);
    void seed(std::int64_t seed) { made("manual_seed", {seed}); }

    OpTable table;
    Run run;

private:
    static QString told(const Result<Value>& result);
};

Value ints(std::initializer_list<std::int64_t> values);
Value floats(std::initializer_list<double> values);
Value list(std::initializer_list<Value> values);
std::vector<double> numbers(const Value& tensor);
const Tensor& tensor_of(const Value& value);

}  // namespace maskscope::ops
