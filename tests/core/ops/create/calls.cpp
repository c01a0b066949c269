// SPDX-License-Identifier: Apache-2.0
#include "tests/core/ops/create/calls.h"

#include <QStringList>

#include <cmath>

namespace maskscope::ops {
namespace {

QString number_text(double value) {
    if (std::isnan(value)) return QStringLiteral("nan");
    if (std::isinf(value)) return value < 0 ? QStringLiteral("-inf") : QStringLiteral("inf");
    const auto text = QString::fromStdString(fmt::format("{}", value));
    return text.contains(QLatin1Char('.')) || text.contains(QLatin1Char('e')) ? text : text + QStringLiteral(".0");
}

QString scalar_text(const Scalar& scalar) {
    if (const auto* flag = std::get_if<bool>(&scalar)) return *flag ? QStringLiteral("True") : QStringLiteral("False");
    if (const auto* whole = std::get_if<std::int64_t>(&scalar)) return QString::number(*whole);
    if (const auto* whole = std::get_if<std::uint64_t>(&scalar)) return QString::number(*whole);
    return number_text(std::get<double>(scalar));
}

QString nested_text(const Tensor& tensor) {
    if (tensor.rank() == 0) return scalar_text(tensor.at({}));
    QStringList parts;
    for (std::int64_t i = 0; i < tensor.size(0); ++i) parts << nested_text(tensor.select(0, i));
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

OpTable family_table() {
    OpTable table;
    add_create_family(table);
    return table;
}

}  // namespace

QString text_of(const Value& value) {
    if (value.is_none()) return QStringLiteral("None");
    if (value.is_tensor()) {
        const Tensor& tensor = value.tensor()->tensor;
        const QString dtype = QString::fromUtf8(name_of(tensor.dtype()).data());
        return (tensor.has_data() ? nested_text(tensor) : QString::fromStdString(maskscope::text_of(tensor.shape()))) +
               QLatin1Char(' ') + dtype;
    }
    if (const auto* flag = value.get_if<bool>()) return scalar_text(*flag);
    if (const auto* whole = value.get_if<std::int64_t>()) return scalar_text(*whole);
    if (const auto* number = value.get_if<double>()) return scalar_text(*number);
    if (const auto* text = value.get_if<std::string>()) return QString::fromStdString(*text);
    if (const auto* dtype = value.get_if<DType>()) return QString::fromUtf8(name_of(*dtype).data());
    if (const auto* device = value.get_if<Device>()) return QString::fromStdString(device->name);
    QStringList parts;
    if (const auto* items = value.sequence())
        for (const auto& item : *items) parts << text_of(item);
    const bool is_list = value.get_if<std::shared_ptr<List>>() != nullptr;
    return (is_list ? QStringLiteral("[%1]") : QStringLiteral("(%1)")).arg(parts.join(QStringLiteral(", ")));
}

Calls::Calls(Settings settings) : table(family_table()), run(table, std::move(settings)) {}

Result<Value> Calls::call(Form form, std::string_view op, std::initializer_list<Value> arguments,
                          std::initializer_list<Named> named) {
    const OpSpec* spec = table.find(op, form);
    if (spec == nullptr) return usage_error("there is no op {} of that form", op);
    return run.call(*spec, form, std::span(arguments.begin(), arguments.size()),
                    std::span(named.begin(), named.size()));
}

Value Calls::made(std::string_view op, std::initializer_list<Value> arguments, std::initializer_list<Named> named) {
    auto result = call(Form::function, op, arguments, named);
    if (!result) qFatal("%s", result.error().text().c_str());
    return *result;
}

Value Calls::viewed(const Value& tensor, const Shape& shape, const Strides& strides, std::int64_t offset) {
    const auto& source = tensor.tensor();
    auto view = Tensor::view_of(source->tensor.storage(), source->tensor.dtype(), shape, strides, offset);
    if (!view) qFatal("%s", view.error().text().c_str());
    auto out = run.wrap(std::move(*view));
    out->base = source->base ? source->base : source;
    return out;
}

QString Calls::told(const Result<Value>& result) {
    if (result) return text_of(*result);
    return QString::fromStdString(result.error().type + ": " + result.error().message.text());
}

Value ints(std::initializer_list<std::int64_t> values) {
    return make_list(std::vector<Value>(values.begin(), values.end()));
}

Value floats(std::initializer_list<double> values) {
    return make_list(std::vector<Value>(values.begin(), values.end()));
}

Value list(std::initializer_list<Value> values) {
    return make_list(values);
}

std::vector<double> numbers(const Value& tensor) {
    auto flat = tensor.tensor()->tensor.contiguous();
    if (!flat) qFatal("%s", flat.error().text().c_str());
    std::vector<double> out(static_cast<std::size_t>(flat->numel()));
    convert_to_f64(flat->data(), flat->dtype(), 1, flat->numel(), out.data());
    return out;
}

const Tensor& tensor_of(const Value& value) {
    return value.tensor()->tensor;
}

}  // namespace maskscope::ops
