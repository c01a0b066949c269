// SPDX-License-Identifier: Apache-2.0
// Runs any bytes as a mask script under a small budget: no input may crash, hang, leak or leave the budget.
#include "core/script/language/evaluate.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace maskscope;
    if (size > 4096) return 0;
    const std::string source(reinterpret_cast<const char*>(data), size);
    script::Options options;
    options.limits.steps = 20'000;
    options.limits.bytes = std::size_t{16} << 20U;
    options.limits.seconds = 0.5;
    auto mask = Tensor::zeros({2, 3}, DType::boolean);
    auto scores = Tensor::zeros({2, 3}, DType::f32);
    const std::vector<script::Input> inputs = {{"m", *mask}, {"x", *scores}};
    // The first byte chooses what else is done on the way.
    options.trace = size % 2 == 0;
    options.shapes_only = size % 3 == 0;
    // Errors are all right; that they come back is what is tested.
    (void)script::evaluate(source, inputs, options);
    return 0;
}
