// SPDX-License-Identifier: Apache-2.0
#include "tests/core/ops/elementwise/case_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace maskscope::ops {
namespace {

Dims read_dims(std::istringstream& in) {
    std::string text;
    in >> text;
    Dims out;
    std::istringstream numbers(text.substr(1, text.size() - 2));
    for (std::string number; std::getline(numbers, number, ',');) out.push_back(std::stoll(number));
    return out;
}

std::vector<std::byte> read_bytes(std::istringstream& in) {
    std::string hex;
    in >> hex;
    std::vector<std::byte> out;
    for (std::size_t i = 0; hex != "-" && i + 1 < hex.size(); i += 2)
        out.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    return out;
}

Tensor tensor_of(DType dtype, const Shape& shape, const Strides& strides, const std::vector<std::byte>& bytes) {
    auto storage = *Storage::allocate(bytes.size());
    std::copy(bytes.begin(), bytes.end(), storage->writable_data());
    return *Tensor::view_of(std::move(storage), dtype, shape, strides, 0);
}

// Steps between two numbers of one dtype on the way through all its numbers.
std::int64_t steps_between(const std::byte* a, const std::byte* b, DType dtype) {
    const double one = to_double(load_scalar(a, dtype));
    const double other = to_double(load_scalar(b, dtype));
    if (std::isnan(one) || std::isnan(other)) return std::isnan(one) && std::isnan(other) ? 0 : INT64_MAX;
    const auto place = [&](const std::byte* element) {
        const auto bits = static_cast<std::int64_t>(load_bits(element, dtype));
        const auto sign = static_cast<unsigned>(8 * size_of(dtype) - 1);
        const bool negative = ((static_cast<std::uint64_t>(bits) >> sign) & 1U) != 0;
        return negative ? -static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) ^ (std::uint64_t{1} << sign)) - 1
                        : bits;
    };
    const double distance = std::fabs(static_cast<double>(place(a)) - static_cast<double>(place(b)));
    return distance > 1e15 ? INT64_MAX : std::llabs(place(a) - place(b));
}

std::string difference(const Tensor& got, std::istringstream& answer, std::int64_t ulps) {
    std::string dtype;
    answer >> dtype;
    const Shape shape = read_dims(answer);
    const Strides strides = read_dims(answer);
    const auto bytes = read_bytes(answer);
    if (name_of(got.dtype()) != dtype) return fmt::format("dtype {}, not {}", name_of(got.dtype()), dtype);
    if (got.shape() != shape) return fmt::format("shape {}, not {}", text_of(got.shape()), text_of(shape));
    if (got.strides() != strides) return fmt::format("strides {}, not {}", text_of(got.strides()), text_of(strides));
    const Tensor flat = *got.contiguous();
    const std::size_t size = size_of(got.dtype());
    for (std::int64_t i = 0; i < got.numel(); ++i) {
        const std::byte* mine = flat.data() + static_cast<std::size_t>(i) * size;
        const std::byte* theirs = bytes.data() + static_cast<std::size_t>(i) * size;
        const bool same = is_floating(got.dtype()) ? steps_between(mine, theirs, got.dtype()) <= ulps
                                                   : load_bits(mine, got.dtype()) == load_bits(theirs, got.dtype());
        if (!same)
            return fmt::format("element {}: {}, not {}", i, text_of(load_scalar(mine, got.dtype()), got.dtype()),
                               text_of(load_scalar(theirs, got.dtype()), got.dtype()));
    }
    return {};
}

}  // namespace

std::optional<Value> read_value(std::istringstream& in, Run& run) {
    std::string kind;
    if (!(in >> kind) || kind == ";") return std::nullopt;
    std::string text;
    if (kind != "N") in >> text;
    if (kind == "T") {
        const Shape shape = read_dims(in);
        const Strides strides = read_dims(in);
        return Value(run.wrap(tensor_of(*dtype_from_name(text), shape, strides, read_bytes(in))));
    }
    if (kind == "I") return Value(static_cast<std::int64_t>(std::stoll(text)));
    if (kind == "D") return Value(std::bit_cast<double>(static_cast<std::uint64_t>(std::stoull(text, nullptr, 16))));
    if (kind == "B") return Value(text == "1");
    if (kind == "S") return Value(text);
    if (kind == "Y") return Value(*dtype_from_name(text));
    return Value();
}

std::string difference(const Result<Value>& result, const std::string& answer, std::int64_t ulps) {
    std::istringstream in(answer);
    std::string kind;
    in >> kind;
    if (!result) {
        std::string said = "E " + result.error().type + "|" + result.error().text();
        std::replace(said.begin(), said.end(), '\n', '~');
        return said == answer ? "" : fmt::format("{}, not {}", said, answer);
    }
    if (kind == "E") return "no refusal: " + answer;
    if (result->is_tensor())
        return kind == "T" ? difference(result->tensor()->tensor, in, ulps) : "a tensor, not " + answer;
    std::string shown = "?";
    if (const auto* flag = result->get_if<bool>()) shown = *flag ? "B 1" : "B 0";
    if (const auto* dtype = result->get_if<DType>()) shown = fmt::format("Y {}", name_of(*dtype));
    return shown == answer ? "" : shown + ", not " + answer;
}

}  // namespace maskscope::ops
