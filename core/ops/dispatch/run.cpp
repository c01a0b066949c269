// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/run.h"

#include "core/ops/dispatch/binder.h"
#include "core/ops/dispatch/dispatch.h"
#include "core/ops/dispatch/torch_error.h"

#include <algorithm>
#include <array>
#include <utility>

namespace maskscope::ops {

Run::Run(const OpTable& table, Settings settings)
    : table_(table), settings_(std::move(settings)), held_before_(memory_in_use()) {}

Result<Value> Run::call(const OpSpec& spec, Form form, std::span<const Value> positional,
                        std::span<const Named> named) {
    MS_TRY(bound, bind(spec, form, positional, named));
    return Dispatch(*this, spec, *bound.overload, bound.args).go();
}

Result<Value> Run::call(std::string_view op, std::initializer_list<Value> positional,
                        std::initializer_list<Named> named) {
    constexpr std::array kOrder = {Form::function, Form::functional, Form::method, Form::internal, Form::property};
    for (const Form form : kOrder)
        if (const OpSpec* spec = table_.find(op, form))
            return call(*spec, form, std::span(positional.begin(), positional.size()),
                        std::span(named.begin(), named.size()));
    return usage_error("there is no op \"{}\"", op);
}

Result<VariablePtr> Run::tensor(std::string_view op, std::initializer_list<Value> positional,
                                std::initializer_list<Named> named) {
    MS_TRY(value, call(op, positional, named));
    if (!value.is_tensor()) return usage_error("{} gives no tensor", op);
    return value.tensor();
}

Result<VariablePtr> Run::in_place(std::string_view op, std::initializer_list<Value> positional) {
    const OpSpec* spec = table_.find(op, Form::in_place);
    if (spec == nullptr) return usage_error("there is no op \"{}_\"", op);
    MS_TRY(value, call(*spec, Form::in_place, std::span(positional.begin(), positional.size())));
    return value.tensor();
}

VariablePtr Run::wrap(Tensor tensor) {
    auto out = std::make_shared<Variable>();
    out->tensor = std::move(tensor);
    out->id = next_id_++;
    return out;
}

Result<void> Run::admit(std::size_t bytes) {
    bytes_allocated_ += bytes;
    if (settings_.byte_budget == 0) return {};
    const std::size_t now = memory_in_use();
    const std::size_t held = now > held_before_ ? now - held_before_ : 0;
    if (bytes <= settings_.byte_budget && held <= settings_.byte_budget - bytes) return {};
    return make_error(
        ErrorKind::unavailable,
        MS_TEXT("the script may hold {} bytes of tensors at one time, and this needs {} more than it has left"),
        settings_.byte_budget, bytes - (settings_.byte_budget - std::min(held, settings_.byte_budget)));
}

Result<Tensor> Run::allocate(const Shape& shape, DType dtype) {
    MS_CHECK(admit(static_cast<std::size_t>(element_count(shape).value_or(0)) * size_of(dtype)));
    return Tensor::uninitialised(shape, dtype);
}

void Run::note(std::string text) {
    notes_.push_back(std::move(text));
}

std::vector<std::string> Run::take_notes() {
    return std::exchange(notes_, {});
}

std::size_t distinct_bytes(const Tensor& tensor) {
    std::size_t count = 1;
    for (int i = 0; i < tensor.rank(); ++i)
        if (tensor.strides()[i] != 0 || tensor.size(i) == 0) count *= static_cast<std::size_t>(tensor.size(i));
    return count * size_of(tensor.dtype());
}

}  // namespace maskscope::ops
