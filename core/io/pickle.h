// SPDX-License-Identifier: Apache-2.0
// Reads the pickle inside a PyTorch file as data. A pickle is a program: this reader knows the opcodes and the few
// names that torch.save writes for tensors and containers, refuses every other name, and never runs anything.
// Opcodes and their arguments: CPython's Lib/pickletools.py. Tensor names: torch/_utils.py, torch/serialization.py.
#pragma once

#include "core/base/result.h"
#include "core/tensor/dims.h"
#include "core/tensor/dtype.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope::io::pickle {

using ValueId = std::uint32_t;  // index into Pickle::values

enum class Kind : std::uint8_t {
    none,
    boolean,      // integer is 0 or 1
    integer,      // integer
    big_integer,  // text: its decimal digits
    real,         // real
    text,         // text, as UTF-8
    bytes,        // text
    list,         // children
    tuple,        // children
    dict,         // children: key, value, key, value ...
    global,       // text: "torch.FloatStorage"
    storage,      // integer: index into Pickle::storages
    tensor,       // integer: index into Pickle::tensors
};

struct Value {
    Kind kind = Kind::none;
    union {
        std::int64_t integer = 0;
        double real;
    };
    std::string_view text;  // into Pickle::bytes or Pickle::made_texts
    std::vector<ValueId> children;
};

// The member of the archive that holds the bytes of one or more tensors.
struct StorageRecord {
    std::string_view key;        // "0": the member is data/0
    std::string_view type;       // "torch.FloatStorage"
    std::optional<DType> dtype;  // none for an untyped storage
    std::int64_t elements = 0;   // bytes for an untyped storage
    std::uint64_t bytes = 0;     // what the member must hold at least
};

struct TensorRecord {
    std::uint32_t storage = 0;
    DType dtype = DType::f32;
    std::int64_t offset = 0;  // elements
    Shape shape;
    Strides strides;
    std::string_view unread_dtype;  // "complex64": one that Maskscope does not hold; dtype then says nothing
};

// Containers may be shared and may even hold themselves: whoever walks them bounds the walk.
struct Pickle {
    std::vector<std::byte> bytes;        // texts point in here
    std::deque<std::string> made_texts;  // or in here: names, and integers beyond 64 bits
    std::vector<Value> values;
    std::vector<StorageRecord> storages;
    std::vector<TensorRecord> tensors;
    ValueId root = 0;
};

// Errors carry the byte offset in the pickle.
Result<Pickle> read(std::vector<std::byte> bytes);

// What a name of torch stands for when it is applied to arguments or stands as a type.
enum class GlobalKind : std::uint8_t {
    ordered_dict,
    size,
    rebuild_tensor,
    rebuild_tensor_v2,
    rebuild_tensor_v3,
    rebuild_parameter,
    rebuild_parameter_with_state,
    storage_type,
    dtype,
};

struct Global {
    GlobalKind kind = GlobalKind::dtype;
    std::optional<DType> dtype;  // of storage_type and dtype; none: untyped, or one that Maskscope does not hold
    bool untyped = false;
};

// Nothing for a name outside the fixed list.
std::optional<Global> find_global(std::string_view module_and_name);

// The two steps that turn arguments into tensors; offsets are added by the caller.
Result<StorageRecord> storage_from_id(const Pickle& pickle, const Value& persistent_id);
// A tensor, or a container, for a known name and its argument tuple.
Result<Value> apply(Pickle& pickle, const Value& global, const Value& arguments);

}  // namespace maskscope::io::pickle
