// SPDX-License-Identifier: Apache-2.0
#include "core/script/text/tensor_text.h"

#include "core/tensor/convert.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace maskscope::script {
namespace {

constexpr std::int64_t kThreshold = 1000;
constexpr std::int64_t kEdge = 3;
constexpr std::size_t kLineWidth = 80;
constexpr std::size_t kIndent = 7;  // "tensor("

// Calls `visit` with the elements that are shown, in order.
template <class Visit>
void each_shown(const Tensor& tensor, bool summarise, const Visit& visit) {
    if (tensor.rank() == 0) {
        visit(tensor.at({}));
        return;
    }
    const std::int64_t size = tensor.size(0);
    const bool cut = summarise && size > 2 * kEdge;
    for (std::int64_t i = 0; i < size; ++i) {
        if (cut && i == kEdge) i = size - kEdge;
        each_shown(tensor.select(0, i), summarise, visit);
    }
}

// One width and one notation for all elements of a tensor.
class Formatter {
public:
    Formatter(const Tensor& tensor, bool summarise) : dtype_(tensor.dtype()) {
        if (is_floating(dtype_))
            choose_notation(tensor, summarise);
        else
            each_shown(tensor, summarise,
                       [&](const Scalar& value) { widen(maskscope::text_of(value, dtype_).size()); });
    }

    std::size_t width() const { return width_; }

    std::string text(const Scalar& value) const {
        std::string out;
        if (!is_floating(dtype_)) {
            out = maskscope::text_of(value, dtype_);
        } else {
            const double number = to_double(value);
            if (scientific_)
                out = plain(number, 'e');
            else if (whole_)
                out = plain(number, '0') + (std::isfinite(number) ? "." : "");
            else
                out = plain(number, 'f');
        }
        return std::string(width_ - std::min(width_, out.size()), ' ') + out;
    }

private:
    static std::string plain(double number, char notation) {
        if (std::isnan(number)) return "nan";
        if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
        if (notation == 'e') return fmt::format("{:.4e}", number);
        return notation == '0' ? fmt::format("{:.0f}", number) : fmt::format("{:.4f}", number);
    }

    void widen(std::size_t width) { width_ = std::max(width_, width); }

    void choose_notation(const Tensor& tensor, bool summarise) {
        std::vector<double> numbers;  // finite and not zero: the others need no digits
        each_shown(tensor, summarise, [&](const Scalar& value) {
            const double number = to_double(value);
            if (std::isfinite(number) && number != 0) numbers.push_back(number);
        });
        if (numbers.empty()) return;
        double smallest = HUGE_VAL;
        double largest = 0;
        for (const double number : numbers) {
            smallest = std::min(smallest, std::fabs(number));
            largest = std::max(largest, std::fabs(number));
            whole_ = whole_ && number == std::ceil(number);
        }
        scientific_ = largest / smallest > 1000 || largest > 1e8 || (!whole_ && smallest < 1e-4);
        for (const double number : numbers) {
            const std::string text = plain(number, scientific_ ? 'e' : whole_ ? '0' : 'f');
            widen(text.size() + (whole_ && !scientific_ ? 1 : 0));
        }
    }

    DType dtype_;
    bool whole_ = true;
    bool scientific_ = false;
    std::size_t width_ = 1;
};

std::string vector_text(const Tensor& tensor, std::size_t indent, bool summarise, const Formatter& formatter) {
    const std::size_t room = kLineWidth > indent ? kLineWidth - indent : 0;
    const std::size_t per_line = std::max<std::size_t>(1, room / (formatter.width() + 2));
    std::vector<std::string> words;
    const std::int64_t size = tensor.size(0);
    const bool cut = summarise && size > 2 * kEdge;
    for (std::int64_t i = 0; i < size; ++i) {
        if (cut && i == kEdge) {
            words.emplace_back(" ...");
            i = size - kEdge;
        }
        words.push_back(formatter.text(tensor.select(0, i).at({})));
    }
    std::string out = "[";
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) out += i % per_line == 0 ? ",\n" + std::string(indent + 1, ' ') : ", ";
        out += words[i];
    }
    return out + "]";
}

std::string values_text(const Tensor& tensor, std::size_t indent, bool summarise, const Formatter& formatter) {
    if (tensor.rank() == 0) return formatter.text(tensor.at({}));
    if (tensor.rank() == 1) return vector_text(tensor, indent, summarise, formatter);
    const std::int64_t size = tensor.size(0);
    const bool cut = summarise && size > 2 * kEdge;
    const std::string between =
        "," + std::string(static_cast<std::size_t>(tensor.rank()) - 1, '\n') + std::string(indent + 1, ' ');
    std::string out = "[";
    for (std::int64_t i = 0; i < size; ++i) {
        if (cut && i == kEdge) {
            out += between + "...";
            i = size - kEdge;
        }
        if (i > 0) out += between;
        out += values_text(tensor.select(0, i), indent + 1, summarise, formatter);
    }
    return out + "]";
}

std::string size_text(const Shape& shape) {
    std::string out = "(";
    for (int i = 0; i < shape.rank(); ++i) out += (i == 0 ? "" : ", ") + fmt::format("{}", shape[i]);
    return out + (shape.rank() == 1 ? ",)" : ")");
}

// Each suffix on the last line while it fits, else on one of its own.
std::string with_suffixes(std::string text, const std::vector<std::string>& suffixes) {
    const std::size_t line = text.rfind('\n');
    // torch counts so, also where there is no line's end.
    std::size_t length = line == std::string::npos ? text.size() + 2 : text.size() - line + 1;
    for (const auto& suffix : suffixes) {
        if (length + suffix.size() + 2 > kLineWidth) {
            text += ",\n" + std::string(kIndent, ' ') + suffix;
            length = kIndent + suffix.size();
        } else {
            text += ", " + suffix;
            length += suffix.size() + 2;
        }
    }
    return text + ")";
}

}  // namespace

std::string tensor_repr(const ops::Variable& variable, DType default_dtype) {
    const Tensor& tensor = variable.tensor;
    std::vector<std::string> suffixes;
    const std::string dtype = "dtype=torch." + std::string(name_of(tensor.dtype()));
    std::string values = "[]";
    if (!tensor.has_data()) {
        values = "...";
        suffixes.push_back("size=" + size_text(tensor.shape()));
        suffixes.push_back(dtype);
    } else if (tensor.numel() == 0) {
        if (tensor.rank() != 1) suffixes.push_back("size=" + size_text(tensor.shape()));
        if (tensor.dtype() != default_dtype) suffixes.push_back(dtype);
    } else {
        const bool is_usual =
            tensor.dtype() == default_dtype || tensor.dtype() == DType::i64 || tensor.dtype() == DType::boolean;
        if (!is_usual) suffixes.push_back(dtype);
        const bool summarise = tensor.numel() > kThreshold;
        values = values_text(tensor, kIndent, summarise, Formatter(tensor, summarise));
    }
    if (variable.requires_grad) suffixes.emplace_back("requires_grad=True");
    return with_suffixes("tensor(" + values, suffixes);
}

}  // namespace maskscope::script
