// SPDX-License-Identifier: Apache-2.0
// The names of torch and math that are no ops: dtypes, constants, grad modes, types.
#include "core/ops/dispatch/admit.h"
#include "core/script/language/builtins.h"
#include "core/script/language/interpreter.h"
#include "core/script/language/modules.h"
#include "core/script/language/numbers.h"
#include "core/script/text/language_error.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace maskscope::script {
namespace {

constexpr std::pair<const char*, DType> kDTypes[] = {
    {"bool", DType::boolean}, {"uint8", DType::u8},    {"int8", DType::i8},     {"int16", DType::i16},
    {"short", DType::i16},    {"int32", DType::i32},   {"int", DType::i32},     {"int64", DType::i64},
    {"long", DType::i64},     {"float16", DType::f16}, {"half", DType::f16},    {"bfloat16", DType::bf16},
    {"float32", DType::f32},  {"float", DType::f32},   {"float64", DType::f64}, {"double", DType::f64},
};

constexpr std::pair<const char*, DType> kTensorTypes[] = {
    {"FloatTensor", DType::f32}, {"DoubleTensor", DType::f64}, {"HalfTensor", DType::f16},
    {"LongTensor", DType::i64},  {"IntTensor", DType::i32},    {"BoolTensor", DType::boolean},
    {"ByteTensor", DType::u8},   {"ShortTensor", DType::i16},
};

// torch.FloatTensor([1, 2]) and torch.FloatTensor(2, 3).
template <DType dtype>
Result<Value> legacy_tensor(Interpreter& in, Arguments& a) {
    const bool sizes = a.positional.empty() || a.positional[0].is_int() ||
                       (a.positional.size() == 1 && ops::type_name(a.positional[0]) == "Size");
    auto& run = in.run_state();
    if (sizes) {
        const Value shape = a.positional.empty()       ? ops::make_list({Value(0)})
                            : a.positional[0].is_int() ? ops::make_list(a.positional)
                                                       : a.positional[0];
        return run.call("zeros", {shape}, {{"dtype", Value(dtype)}});
    }
    if (a.positional[0].is_tensor()) return run.call("to", {a.positional[0], Value(dtype)});
    return run.call("tensor", {a.positional[0]}, {{"dtype", Value(dtype)}});
}

template <std::size_t... I>
void add_tensor_types(BuiltinMap& map, std::index_sequence<I...>) {
    (map.emplace(kTensorTypes[I].first,
                 make_object<TypeObject>(kTensorTypes[I].first, legacy_tensor<kTensorTypes[I].second>)),
     ...);
}

Result<Value> type_info(Interpreter& in, Arguments& a, bool floating) {
    if (a.positional.size() > 1) {
        std::string got;
        for (const auto& value : a.positional) got += (got.empty() ? "" : ", ") + ops::shown_type(value);
        return type_error(
            "{}() received an invalid combination of arguments - got ({}), but expected one of:\n"
            " * (torch.dtype type)\n * ()\n",
            floating ? "finfo" : "iinfo", got);
    }
    const auto* dtype = a.positional.empty() ? nullptr : a.positional[0].get_if<DType>();
    if (a.positional.empty() && floating) return make_object<TypeInfo>(in.run_state().default_dtype);
    if (dtype == nullptr)
        return type_error("{}(): argument 'type' (position 1) must be torch.dtype, not {}",
                          floating ? "finfo" : "iinfo",
                          a.positional.empty() ? std::string_view("NoneType") : ops::type_name(a.positional[0]));
    if (floating && !is_floating(*dtype))
        return type_error(
            "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'");
    if (!floating && !is_integer(*dtype))
        return type_error(is_floating(*dtype)
                              ? "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'"
                              : "torch.bool is not supported by torch.iinfo");
    return make_object<TypeInfo>(*dtype);
}

Result<Value> is_tensor(Interpreter&, Arguments& a) {
    MS_CHECK(expect_arguments(a, "is_tensor", 1, 1));
    return Value(a.positional[0].is_tensor());
}

Result<Value> device(Interpreter&, Arguments& a) {
    MS_CHECK(expect_arguments(a, "device", 1, 2));
    if (const auto* known = a.positional[0].get_if<ops::Device>()) return Value(*known);
    const auto* name = a.positional[0].get_if<std::string>();
    if (name == nullptr)
        return type_error("device(): argument 'type' (position 1) must be str, not {}",
                          ops::type_name(a.positional[0]));
    return Value(ops::Device{*name});
}

Result<Value> size(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "Size", 0, 1));
    std::vector<std::int64_t> sizes;
    if (!a.positional.empty()) {
        MS_TRY(items, in.to_values(a.positional[0]));
        for (const auto& item : items) {
            if (!item.is_int())
                return type_error("torch.Size() takes an iterable of 'int' (item 0 is '{}')", ops::type_name(item));
            sizes.push_back(item.to_int());
        }
    }
    return ops::make_size(sizes);
}

Result<Value> set_grad_enabled(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "set_grad_enabled", 1, 1));
    const bool enabled = a.positional[0].to_int() != 0;
    in.run_state().grad_enabled = enabled;
    return make_object<GradMode>(enabled);
}

Result<Value> set_default_dtype(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "set_default_dtype", 1, 1));
    const auto* dtype = a.positional[0].get_if<DType>();
    if (dtype == nullptr || !is_floating(*dtype))
        return type_error("only floating-point types are supported as the default type");
    in.run_state().default_dtype = *dtype;
    return Value();
}

Result<Value> parameter(Interpreter& in, Arguments& a) {
    const Value* data = argument(a, 0, "data");
    if (data == nullptr || !data->is_tensor()) return type_error("nn.Parameter needs a tensor");
    const Value* flag = argument(a, 1, "requires_grad");
    MS_TRY(out, in.run_state().tensor("detach", {*data}));
    out->base = nullptr;
    out->requires_grad = flag == nullptr || flag->to_int() != 0;
    return Value(std::move(out));
}

BuiltinMap torch_names() {
    BuiltinMap map;
    const auto add = [&](const char* name, BuiltinBody body) { map.emplace(name, make_object<Builtin>(name, body)); };
    for (const auto& [name, dtype] : kDTypes) map.emplace(name, Value(dtype));
    add_tensor_types(map, std::make_index_sequence<std::size(kTensorTypes)>());
    map.emplace("Tensor", make_object<TypeObject>("Tensor", legacy_tensor<DType::f32>));
    map.emplace("inf", Value(HUGE_VAL));
    map.emplace("nan", Value(std::numeric_limits<double>::quiet_NaN()));
    map.emplace("pi", Value(M_PI));
    map.emplace("e", Value(M_E));
    map.emplace("newaxis", Value());
    map.emplace("contiguous_format", Value("torch.contiguous_format"));
    map.emplace("preserve_format", Value("torch.preserve_format"));
    map.emplace("channels_last", Value("torch.channels_last"));
    map.emplace("strided", Value("torch.strided"));
    map.emplace("no_grad", make_object<GradMode>(false));
    map.emplace("inference_mode", make_object<GradMode>(false));
    map.emplace("enable_grad", make_object<GradMode>(true));
    add("set_grad_enabled", set_grad_enabled);
    add("is_grad_enabled",
        [](Interpreter& in, Arguments&) -> Result<Value> { return Value(in.run_state().grad_enabled); });
    add("finfo", [](Interpreter& in, Arguments& a) { return type_info(in, a, true); });
    add("iinfo", [](Interpreter& in, Arguments& a) { return type_info(in, a, false); });
    add("is_tensor", is_tensor);
    map.emplace("device", make_object<TypeObject>("device", device));
    map.emplace("Size", make_object<TypeObject>("Size", size));
    map.emplace("dtype", make_object<TypeObject>("dtype", device));
    add("set_default_dtype", set_default_dtype);
    add("get_default_dtype",
        [](Interpreter& in, Arguments&) -> Result<Value> { return Value(in.run_state().default_dtype); });
    add("nn.Parameter", parameter);
    add("cuda.is_available", [](Interpreter&, Arguments&) -> Result<Value> { return Value(false); });
    add("cuda.synchronize", [](Interpreter&, Arguments&) -> Result<Value> { return Value(); });
    add("cuda.device_count", [](Interpreter&, Arguments&) -> Result<Value> { return Value(0); });
    return map;
}

using Real = double (*)(double);
template <Real function>
Result<Value> real(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "math function", 1, 1));
    Value value = a.positional[0];
    if (value.is_tensor()) {
        MS_TRY(number, in.call_op("float", ops::Form::internal, {value}));
        value = std::move(number);
    }
    if (!value.is_number()) return type_error("must be real number, not {}", ops::type_name(value));
    const double x = value.to_double();
    const double out = function(x);
    if (std::isnan(out) && !std::isnan(x)) return value_error("math domain error");
    if (std::isinf(out) && std::isfinite(x)) {
        // log(0) is outside its domain, exp(1000) outside the range.
        if (x == 0) return value_error("math domain error");
        return ops::torch_error("OverflowError", "math range error");
    }
    return Value(out);
}

using Rounding = double (*)(double);
template <Rounding function>
Result<Value> whole(Interpreter&, Arguments& a) {
    MS_CHECK(expect_arguments(a, "math function", 1, 1));
    if (a.positional[0].is_int()) return Value(a.positional[0].to_int());
    if (!a.positional[0].is_number() && !a.positional[0].is_tensor())
        return type_error("must be real number, not {}", ops::type_name(a.positional[0]));
    return int_of(function(a.positional[0].to_double()));
}

Result<Value> logarithm(Interpreter& in, Arguments& a) {
    if (a.positional.size() != 2) return real<std::log>(in, a);
    const double x = a.positional[0].to_double();
    const double base = a.positional[1].to_double();
    if (x <= 0 || base <= 0) return value_error("math domain error");
    if (base == 1) return zero_division("division by zero");
    return Value(std::log(x) / std::log(base));
}

Result<Value> product(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "prod", 1, 1));
    MS_TRY(items, in.to_values(a.positional[0]));
    Value out(1);
    for (const auto& item : items) {
        MS_TRY(next, in.binary(BinaryOp::multiply, out, item));
        out = std::move(next);
    }
    return out;
}

Result<Value> is_close(Interpreter&, Arguments& a) {
    MS_CHECK(expect_arguments(a, "isclose", 2, 2));
    const Value* relative = argument(a, SIZE_MAX, "rel_tol");
    const Value* absolute = argument(a, SIZE_MAX, "abs_tol");
    const double x = a.positional[0].to_double();
    const double y = a.positional[1].to_double();
    const double bound =
        std::max((relative != nullptr ? relative->to_double() : 1e-9) * std::max(std::fabs(x), std::fabs(y)),
                 absolute != nullptr ? absolute->to_double() : 0.0);
    return Value(x == y || (std::isfinite(x) && std::isfinite(y) && std::fabs(x - y) <= bound));
}

template <bool (*test)(double)>
Result<Value> tested(Interpreter&, Arguments& a) {
    MS_CHECK(expect_arguments(a, "math function", 1, 1));
    return Value(test(a.positional[0].to_double()));
}

bool is_nan(double x) {
    return std::isnan(x);
}
bool is_inf(double x) {
    return std::isinf(x);
}
bool is_finite(double x) {
    return std::isfinite(x);
}

Result<Value> two_reals(Interpreter&, Arguments& a, double (*function)(double, double)) {
    MS_CHECK(expect_arguments(a, "math function", 2, 2));
    return Value(function(a.positional[0].to_double(), a.positional[1].to_double()));
}

Result<Value> gcd(Interpreter&, Arguments& a) {
    MS_CHECK(expect_arguments(a, "gcd", 2, 2));
    if (!a.positional[0].is_int() || !a.positional[1].is_int())
        return type_error("'float' object cannot be interpreted as an integer");
    const std::int64_t x = a.positional[0].to_int();
    const std::int64_t y = a.positional[1].to_int();
    if (x == INT64_MIN || y == INT64_MIN) return too_large_an_int();
    return Value(std::gcd(x, y));
}

BuiltinMap math_names() {
    BuiltinMap map;
    const auto add = [&](const char* name, BuiltinBody body) { map.emplace(name, make_object<Builtin>(name, body)); };
    map.emplace("pi", Value(M_PI));
    map.emplace("e", Value(M_E));
    map.emplace("inf", Value(HUGE_VAL));
    map.emplace("nan", Value(std::numeric_limits<double>::quiet_NaN()));
    add("sqrt", real<std::sqrt>);
    add("exp", real<std::exp>);
    add("log", logarithm);
    add("log2", real<std::log2>);
    add("log10", real<std::log10>);
    add("log1p", real<std::log1p>);
    add("sin", real<std::sin>);
    add("cos", real<std::cos>);
    add("tan", real<std::tan>);
    add("tanh", real<std::tanh>);
    add("erf", real<std::erf>);
    add("fabs", real<std::fabs>);
    add("floor", whole<std::floor>);
    add("ceil", whole<std::ceil>);
    add("trunc", whole<std::trunc>);
    add("prod", product);
    add("isclose", is_close);
    add("isnan", tested<is_nan>);
    add("isinf", tested<is_inf>);
    add("isfinite", tested<is_finite>);
    add("pow", [](Interpreter& in, Arguments& a) { return two_reals(in, a, std::pow); });
    add("atan2", [](Interpreter& in, Arguments& a) { return two_reals(in, a, std::atan2); });
    add("gcd", gcd);
    return map;
}

}  // namespace

const Value* find_torch_name(const std::string& name) {
    static const BuiltinMap map = torch_names();
    const auto place = map.find(name);
    return place == map.end() ? nullptr : &place->second;
}

const Value* find_math_name(const std::string& name) {
    static const BuiltinMap map = math_names();
    const auto place = map.find(name);
    return place == map.end() ? nullptr : &place->second;
}

}  // namespace maskscope::script
