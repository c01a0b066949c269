// SPDX-License-Identifier: Apache-2.0
// The seed of the random numbers.
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace maskscope::ops {
using namespace create;
namespace {

Error too_large() {
    return value_error("Overflow when unpacking long long");
}

Result<std::int64_t> seed_in(const std::string& text) {
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ec == std::errc::result_out_of_range) return too_large();
    if (read.ec != std::errc() || read.ptr != end)
        return value_error("invalid literal for int() with base 10: '{}'", text);
    return value;
}

// As Python's int() reads it.
Result<std::int64_t> seed_of(const Value& value) {
    if (value.is_int()) return value.to_int();
    if (const auto* text = value.get_if<std::string>()) return seed_in(*text);
    if (value.is_tensor()) {
        const Tensor& tensor = value.tensor()->tensor;
        if (tensor.numel() != 1) return value_error("only one element tensors can be converted to Python scalars");
        if (!tensor.has_data()) return needs_data("the seed");
        MS_TRY(number, number_at(tensor.data(), tensor.dtype()));
        return seed_of(number);
    }
    const auto* number = value.get_if<double>();
    if (number == nullptr)
        return type_error("int() argument must be a string, a bytes-like object or a real number, not '{}'",
                          type_name(value));
    if (std::isnan(*number)) return value_error("cannot convert float NaN to integer");
    if (std::isinf(*number)) return torch_error("OverflowError", "cannot convert float infinity to integer");
    if (overflows(value, DType::i64)) return too_large();
    return static_cast<std::int64_t>(*number);
}

Result<Value> manual_seed(const Args& args, Run& run) {
    MS_TRY(seed, seed_of(args[0]));
    run.generator().manual_seed(static_cast<std::uint64_t>(seed));
    // The generator itself in PyTorch; there is only one here, and generator=None means it.
    return Value();
}

Result<Value> seed(const Args& /*args*/, Run& run) {
    run.note(
        "seed draws by chance in PyTorch; here it follows from the numbers before, so that a script repeats itself");
    run.generator().manual_seed(run.generator().random64() >> 1U);
    return Value(static_cast<std::int64_t>(run.generator().seed()));
}

Result<Value> initial_seed(const Args& /*args*/, Run& run) {
    const std::uint64_t seed = run.generator().seed();
    return number_at(reinterpret_cast<const std::byte*>(&seed), DType::u64);
}

}  // namespace

void add_seed(OpTable& table) {
    table.add(
        {"manual_seed",
         "Sets the seed: after it rand, randn, randint and randperm give the numbers that PyTorch gives on the CPU.",
         {composed("(Any seed)", kFunction, manual_seed, kPythonDefined)},
         {"torch.manual_seed(0)"}});
    table.add({"seed",
               "Takes a new seed and returns it. Not by chance here: it follows from the numbers drawn before.",
               {composed("()", kFunction, seed, kPythonDefined)},
               {"torch.seed()"}});
    table.add({"initial_seed",
               "The seed that was set last.",
               {composed("()", kFunction, initial_seed, kPythonDefined)},
               {"torch.initial_seed()"}});
}

}  // namespace maskscope::ops
