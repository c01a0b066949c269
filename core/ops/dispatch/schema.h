// SPDX-License-Identifier: Apache-2.0
// A signature as data: "(Tensor input, int dim, bool keepdim=False)".
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/value.h"

#include <string>
#include <string_view>
#include <vector>

namespace maskscope::ops {

enum class Kind : std::uint8_t {
    tensor,
    tensor_or_scalar,
    tensors,
    scalar,
    integer,
    floating,
    boolean,
    text,
    integers,
    numbers,  // float[]
    dtype,
    device,
    any,
};

struct Parameter {
    Kind kind = Kind::any;
    std::string type;  // as torch's listings name it: "Tensor", "Number", "tuple of ints", "torch.dtype"
    std::string name;
    bool admits_none = false;
    bool one_will_do = false;  // int[1]
    bool written_out = false;  // int[...], Tensor[...]
    bool keyword_only = false;
    bool required = true;
    Value default_value;
    std::string default_text;  // "False"
};

struct Schema {
    std::vector<Parameter> parameters;
    // "(Tensor input, Tensor mask, Number value)", as torch lists it; without the first parameter for methods.
    std::string listing(bool without_self) const;
};

// Signatures are our own constants: a wrong one is a mistake in an op's file, told by the registry's test.
Result<Schema> parse_signature(std::string_view signature);

}  // namespace maskscope::ops
