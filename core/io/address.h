// SPDX-License-Identifier: Apache-2.0
// How a tensor is named on the command line and in the window: FILE[::KEY][SLICE], "attn.npz::layer3[0, 2]".
#pragma once

#include "core/io/format.h"
#include "core/tensor/slice.h"

#include <string>
#include <string_view>
#include <vector>

namespace maskscope::io {

struct Address {
    std::string file;
    std::string key;    // empty: the only item of the file
    std::string slice;  // with its brackets, or empty
};

// A file whose name itself ends in "]" or holds "::" is found first when it exists as it stands.
Address parse_address(std::string_view text);

struct Loaded {
    Tensor tensor;
    Item item;
    std::vector<std::string> dim_names;  // of the sliced tensor, empty when the file has none
};

// Without a key, a file with several items is refused with the list of its keys.
Result<Loaded> load_address(const Address& address, const JobContext& context = {});

}  // namespace maskscope::io
