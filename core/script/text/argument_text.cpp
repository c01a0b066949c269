// SPDX-License-Identifier: Apache-2.0
#include "core/script/text/argument_text.h"

#include "core/ops/dispatch/variable.h"
#include "core/script/text/number_text.h"
#include "core/tensor/dims.h"

namespace maskscope::script {
namespace {

std::string slice_text(const ops::Slice& slice) {
    const auto part = [](const ops::Value& value) { return value.is_none() ? std::string() : argument_text(value); };
    std::string out = part(slice.start) + ":" + part(slice.stop);
    if (!slice.step.is_none()) out += ":" + part(slice.step);
    return out;
}

}  // namespace

std::string argument_text(const ops::Value& value) {
    if (value.is_none()) return "None";
    if (const auto* flag = value.get_if<bool>()) return *flag ? "True" : "False";
    if (value.is_int()) return fmt::format("{}", value.to_int());
    if (value.is_number()) return float_repr(value.to_double());
    if (const auto* text = value.get_if<std::string>()) return "'" + *text + "'";
    if (const auto* dtype = value.get_if<DType>()) return "torch." + std::string(name_of(*dtype));
    if (const auto* device = value.get_if<ops::Device>()) return "'" + device->name + "'";
    if (value.get_if<ops::Ellipsis>() != nullptr) return "...";
    if (value.is_tensor())
        return fmt::format("{}{}", short_name_of(value.tensor()->tensor.dtype()),
                           maskscope::text_of(value.tensor()->tensor.shape()));
    if (const auto* slice = value.get_if<std::shared_ptr<const ops::Slice>>()) return slice_text(**slice);
    if (const auto* items = value.sequence()) {
        std::string out = "[";
        for (std::size_t i = 0; i < items->size() && i < 32; ++i)
            out += (i == 0 ? "" : ", ") + argument_text((*items)[i]);
        if (items->size() > 32) out += ", ...";
        return out + "]";
    }
    return std::string(ops::type_name(value));
}

}  // namespace maskscope::script
