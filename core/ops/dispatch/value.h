// SPDX-License-Identifier: Apache-2.0
// What an argument or a result can be: Python's values, as far as PyTorch's functions take and give them.
#pragma once

#include "core/tensor/dtype.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace maskscope::ops {

class Value;
struct Variable;
struct List;
struct Tuple;
struct Dict;
struct Slice;
using VariablePtr = std::shared_ptr<Variable>;

struct None {};
struct Ellipsis {};
struct Device {
    std::string name;  // "cpu", "cuda:0": a name only, the trace says where a step ran
};

// What only the language above knows: functions, modules, ranges, instances.
struct Object {
    Object() = default;
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    virtual ~Object() = default;
    virtual std::string_view type_name() const = 0;  // as type(x).__name__ says it
    // Python's float, int and bool stand for dtypes where torch wants one.
    virtual std::optional<DType> as_dtype() const { return std::nullopt; }
};

// Lists and dicts are shared and mutable, as in Python; tuples and slices never change once made.
class Value {
public:
    using Variant = std::variant<None, bool, std::int64_t, double, std::string, DType, Device, Ellipsis, VariablePtr,
                                 std::shared_ptr<List>, std::shared_ptr<const Tuple>, std::shared_ptr<Dict>,
                                 std::shared_ptr<const Slice>, std::shared_ptr<Object>>;
    Value() = default;  // None
    Value(bool value) : state_(value) {}
    Value(int value) : state_(static_cast<std::int64_t>(value)) {}
    Value(std::int64_t value) : state_(value) {}
    Value(double value) : state_(value) {}
    Value(const char* value) : state_(std::string(value)) {}
    Value(std::string value) : state_(std::move(value)) {}
    Value(DType value) : state_(value) {}
    Value(Device value) : state_(std::move(value)) {}
    Value(Ellipsis value) : state_(value) {}
    Value(VariablePtr value) : state_(std::move(value)) {}
    Value(std::shared_ptr<List> value) : state_(std::move(value)) {}
    Value(std::shared_ptr<const Tuple> value) : state_(std::move(value)) {}
    Value(std::shared_ptr<Dict> value) : state_(std::move(value)) {}
    Value(std::shared_ptr<const Slice> value) : state_(std::move(value)) {}
    Value(std::shared_ptr<Object> value) : state_(std::move(value)) {}

    bool is_none() const { return std::holds_alternative<None>(state_); }
    bool is_tensor() const { return std::holds_alternative<VariablePtr>(state_); }
    // int or bool, as Python's isinstance(x, int) has it.
    bool is_int() const { return std::holds_alternative<std::int64_t>(state_) || std::holds_alternative<bool>(state_); }
    bool is_number() const { return is_int() || std::holds_alternative<double>(state_); }
    // Null when it is something else.
    template <class T>
    const T* get_if() const {
        return std::get_if<T>(&state_);
    }
    // The Variable, or null.
    const VariablePtr& tensor() const;
    // Of an int, bool or float; else 0.
    double to_double() const;
    std::int64_t to_int() const;
    // The items of a list or tuple; null for anything else.
    const std::vector<Value>* sequence() const;

    const Variant& state() const { return state_; }

private:
    Variant state_;
};

struct List {
    std::vector<Value> items;
};
struct Tuple {
    std::vector<Value> items;
    // For what torch returns by name (values, indices): "torch.return_types.max" and the field names; else empty.
    std::string name;
    std::vector<std::string> fields;
    bool is_size = false;  // torch.Size
};
struct Dict {
    std::vector<std::pair<Value, Value>> items;  // in order of insertion
};
struct Slice {
    Value start;
    Value stop;
    Value step;
};

Value make_list(std::vector<Value> items);
Value make_tuple(std::vector<Value> items);
Value make_size(const std::vector<std::int64_t>& sizes);

// type(x).__name__: "int", "Tensor", "NoneType", "Size", "dtype", "ellipsis".
std::string_view type_name(const Value& value);

}  // namespace maskscope::ops
