// SPDX-License-Identifier: Apache-2.0
// The fixed list of names a tensor file may use, and what each of them means as data.
#include "core/base/checked.h"
#include "core/io/pickle.h"

#include <array>
#include <utility>

namespace maskscope::io::pickle {
namespace {

struct NamedGlobal {
    std::string_view name;
    GlobalKind kind;
};
constexpr std::array kCallables = {
    NamedGlobal{"collections.OrderedDict", GlobalKind::ordered_dict},
    NamedGlobal{"torch.Size", GlobalKind::size},
    NamedGlobal{"torch._utils._rebuild_tensor", GlobalKind::rebuild_tensor},
    NamedGlobal{"torch._utils._rebuild_tensor_v2", GlobalKind::rebuild_tensor_v2},
    NamedGlobal{"torch._utils._rebuild_tensor_v3", GlobalKind::rebuild_tensor_v3},
    NamedGlobal{"torch._utils._rebuild_parameter", GlobalKind::rebuild_parameter},
    NamedGlobal{"torch._utils._rebuild_parameter_with_state", GlobalKind::rebuild_parameter_with_state},
};

struct NamedStorage {
    std::string_view name;  // after "torch." or "torch.cuda."
    std::optional<DType> dtype;
};
constexpr std::array kStorages = {
    NamedStorage{"FloatStorage", DType::f32},
    NamedStorage{"DoubleStorage", DType::f64},
    NamedStorage{"HalfStorage", DType::f16},
    NamedStorage{"BFloat16Storage", DType::bf16},
    NamedStorage{"LongStorage", DType::i64},
    NamedStorage{"IntStorage", DType::i32},
    NamedStorage{"ShortStorage", DType::i16},
    NamedStorage{"CharStorage", DType::i8},
    NamedStorage{"ByteStorage", DType::u8},
    NamedStorage{"BoolStorage", DType::boolean},
    // Known, so that a file with one such tensor still shows the others.
    NamedStorage{"ComplexFloatStorage", std::nullopt},
    NamedStorage{"ComplexDoubleStorage", std::nullopt},
};
// dtypes of torch that no tensor here can have.
constexpr std::array<std::string_view, 14> kOtherDTypes = {
    "complex32", "complex64", "complex128", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu", "float4_e2m1fn_x2",
    "bits8",     "qint8",     "quint8",     "qint32",          "chalf",           "cfloat",         "cdouble"};

constexpr std::size_t kMaxKeyBytes = 256;

std::string_view without(std::string_view text, std::string_view prefix) {
    return text.starts_with(prefix) ? text.substr(prefix.size()) : std::string_view{};
}

std::string_view unread_dtype(std::string_view global_name) {
    if (global_name == "torch.ComplexFloatStorage") return "complex64";
    if (global_name == "torch.ComplexDoubleStorage") return "complex128";
    return without(global_name, "torch.");
}

Error bad_arguments(std::string_view name) {
    return input_error(MS_TEXT("the pickle calls {} with arguments that PyTorch never writes"), name);
}
const Value* child(const Pickle& pickle, const Value& tuple, std::size_t i) {
    return i < tuple.children.size() ? &pickle.values[tuple.children[i]] : nullptr;
}

// A tuple of sizes or strides; none of PyTorch's is negative.
Result<Dims> dims_of(const Pickle& pickle, const Value* value) {
    if (value == nullptr || value->kind != Kind::tuple) return bad_arguments("_rebuild_tensor");
    if (value->children.size() > static_cast<std::size_t>(kMaxRank))
        return input_error(MS_TEXT("the file holds a tensor of {} dimensions; Maskscope shows up to {}"),
                           value->children.size(), kMaxRank);
    Dims dims;
    for (const ValueId id : value->children) {
        const Value& size = pickle.values[id];
        if (size.kind != Kind::integer || size.integer < 0)
            return input_error(MS_TEXT("the file holds a tensor whose sizes or strides are no numbers from 0 up"));
        dims.push_back(size.integer);
    }
    return dims;
}

Result<Value> rebuild(Pickle& pickle, const Value& callee, GlobalKind kind, const Value& arguments) {
    const Value* storage = child(pickle, arguments, 0);
    const Value* offset = child(pickle, arguments, 1);
    if (storage == nullptr || storage->kind != Kind::storage || offset == nullptr || offset->kind != Kind::integer ||
        offset->integer < 0)
        return bad_arguments(callee.text);
    TensorRecord tensor;
    tensor.storage = static_cast<std::uint32_t>(storage->integer);
    tensor.offset = offset->integer;
    MS_TRY(shape, dims_of(pickle, child(pickle, arguments, 2)));
    MS_TRY(strides, dims_of(pickle, child(pickle, arguments, 3)));
    if (shape.rank() != strides.rank()) return bad_arguments(callee.text);
    tensor.shape = shape;
    tensor.strides = strides;

    const StorageRecord& record = pickle.storages[tensor.storage];
    std::optional<DType> dtype = record.dtype;
    std::string_view dtype_name = record.type;
    if (kind == GlobalKind::rebuild_tensor_v3) {
        const Value* named = child(pickle, arguments, 6);
        if (named == nullptr || named->kind != Kind::global) return bad_arguments(callee.text);
        const auto global = find_global(named->text);
        if (!global || global->kind != GlobalKind::dtype) return bad_arguments(callee.text);
        dtype = global->dtype;
        dtype_name = named->text;
    }
    if (dtype) {
        tensor.dtype = *dtype;
    } else {
        tensor.unread_dtype = unread_dtype(dtype_name);
    }
    pickle.tensors.push_back(tensor);
    return Value{.kind = Kind::tensor,
                 .integer = static_cast<std::int64_t>(pickle.tensors.size() - 1),
                 .text = {},
                 .children = {}};
}

}  // namespace

std::optional<Global> find_global(std::string_view name) {
    for (const auto& callable : kCallables)
        if (callable.name == name) return Global{.kind = callable.kind, .dtype = {}, .untyped = false};
    if (name == "torch.storage.UntypedStorage" || name == "torch.storage._UntypedStorage" ||
        name == "torch.UntypedStorage" || name == "torch.storage.TypedStorage")
        return Global{.kind = GlobalKind::storage_type, .dtype = {}, .untyped = true};
    const auto in_torch = without(name, "torch.");
    const auto in_cuda = without(in_torch, "cuda.");
    for (const auto& storage : kStorages)
        if (storage.name == in_torch || storage.name == in_cuda)
            return Global{.kind = GlobalKind::storage_type, .dtype = storage.dtype, .untyped = false};
    if (const auto dtype = dtype_from_name(in_torch))
        return Global{.kind = GlobalKind::dtype, .dtype = dtype, .untyped = false};
    for (const auto other : kOtherDTypes)
        if (other == in_torch) return Global{.kind = GlobalKind::dtype, .dtype = {}, .untyped = false};
    return std::nullopt;
}

// ("storage", torch.FloatStorage, "0", "cpu", 24)
Result<StorageRecord> storage_from_id(const Pickle& pickle, const Value& id) {
    const Value* tag = child(pickle, id, 0);
    const Value* type = child(pickle, id, 1);
    const Value* key = child(pickle, id, 2);
    const Value* elements = child(pickle, id, 4);
    if (id.kind != Kind::tuple || tag == nullptr || tag->kind != Kind::text || tag->text != "storage" ||
        type == nullptr || type->kind != Kind::global || key == nullptr || key->kind != Kind::text ||
        key->text.size() > kMaxKeyBytes || elements == nullptr || elements->kind != Kind::integer ||
        elements->integer < 0)
        return input_error(MS_TEXT("the pickle names a storage in a form that PyTorch never writes"));
    const auto global = find_global(type->text);
    if (!global || global->kind != GlobalKind::storage_type)
        return input_error(MS_TEXT("the pickle names {} as a storage, which it is not"), type->text);
    StorageRecord storage;
    storage.key = key->text;
    storage.type = type->text;
    storage.dtype = global->dtype;
    storage.elements = elements->integer;
    const std::uint64_t width = global->dtype ? size_of(*global->dtype) : 1;
    const auto bytes = checked_mul(static_cast<std::uint64_t>(storage.elements), width);
    if (!bytes) return input_error(MS_TEXT("the pickle names a storage of {} elements"), storage.elements);
    storage.bytes = *bytes;
    return storage;
}

Result<Value> apply(Pickle& pickle, const Value& callee, const Value& arguments) {
    const auto global = find_global(callee.text);
    if (!global) return bad_arguments(callee.text);
    switch (global->kind) {
        case GlobalKind::ordered_dict:
            if (!arguments.children.empty()) return bad_arguments(callee.text);
            return Value{.kind = Kind::dict, .integer = 0, .text = {}, .children = {}};
        case GlobalKind::size: {
            MS_TRY(sizes, dims_of(pickle, child(pickle, arguments, 0)));
            if (arguments.children.size() != 1) return bad_arguments(callee.text);
            static_cast<void>(sizes);
            const Value& tuple = pickle.values[arguments.children[0]];
            return Value{.kind = Kind::tuple, .integer = 0, .text = {}, .children = tuple.children};
        }
        case GlobalKind::rebuild_tensor:
        case GlobalKind::rebuild_tensor_v2:
        case GlobalKind::rebuild_tensor_v3:
            return rebuild(pickle, callee, global->kind, arguments);
        case GlobalKind::rebuild_parameter:
        case GlobalKind::rebuild_parameter_with_state: {
            // (data, requires_grad, hooks): the data is the tensor.
            const Value* data = child(pickle, arguments, 0);
            if (data == nullptr || data->kind != Kind::tensor) return bad_arguments(callee.text);
            return Value{.kind = Kind::tensor, .integer = data->integer, .text = {}, .children = {}};
        }
        case GlobalKind::storage_type:
        case GlobalKind::dtype:
            break;
    }
    return bad_arguments(callee.text);
}

}  // namespace maskscope::io::pickle
