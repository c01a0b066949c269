// SPDX-License-Identifier: Apache-2.0
#include "core/script/language/hints.h"

#include "core/ops/dispatch/variable.h"
#include "core/tensor/broadcast.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace maskscope::script {
namespace {

constexpr std::size_t kMostForms = 3;

struct Row {
    std::string_view begins;  // of PyTorch's text
    std::string_view hint;
};

// What to do, where the text alone tells it.
constexpr std::array<Row, 11> kRows = {{
    {"Subtraction, the `-` operator, with a bool tensor",
     MS_TEXT("~mask inverts a bool mask; 1 - mask.float() gives the numbers")},
    {"masked_fill_ only supports boolean masks", MS_TEXT("Give mask.bool(), or mask == 0 to fill where the mask is 0")},
    {"masked_fill only supports boolean masks", MS_TEXT("Give mask.bool(), or mask == 0 to fill where the mask is 0")},
    {"where expected condition to be a boolean tensor", MS_TEXT("Give condition.bool() or condition != 0")},
    {"masked_select: expected BoolTensor for mask", MS_TEXT("Give mask.bool(), or mask != 0")},
    {"value cannot be converted to type",
     MS_TEXT("Fill with torch.finfo(x.dtype).min or float('-inf'): that dtype holds them")},
    {"view size is not compatible",
     MS_TEXT("reshape copies where a view cannot be had; contiguous().view(...) says so openly")},
    {"a leaf Variable that requires grad", MS_TEXT("Use the form without the underscore, or with torch.no_grad():")},
    {"unsupported operation: more than one element of the written-to tensor",
     MS_TEXT("An expanded tensor repeats its elements (stride 0): clone() it before writing")},
    {"Boolean value of Tensor with more than one value",
     MS_TEXT("For masks write & | ~ instead of and, or, not; for a test .any() or .all()")},
    {"output with shape", MS_TEXT("The result is larger than the tensor written to: use the form without the "
                                  "underscore, or expand the tensor and clone it")},
}};

// The source text of argument i of the call or operator at the expression; self counts as the first.
std::string argument_text(const Module& module, const Expr* at, std::size_t i) {
    if (at == nullptr) return {};
    if (const auto* binary = at->as<Binary>())
        return std::string(module.source.text(i == 0 ? binary->left->span : binary->right->span));
    if (const auto* compare = at->as<Compare>(); compare != nullptr && compare->rights.size() == 1)
        return std::string(module.source.text(i == 0 ? compare->left->span : compare->rights[0]->span));
    const auto* call = at->as<Call>();
    if (call == nullptr) return {};
    const auto* method = call->callee->as<Attribute>();
    const bool is_method = method != nullptr && [&] {
        const std::string_view owner = module.source.text(method->value->span);
        return owner != "torch" && owner != "F";
    }();
    if (is_method && i == 0) return std::string(module.source.text(method->value->span));
    const std::size_t place = is_method ? i - 1 : i;
    if (place >= call->arguments.size()) return {};
    return std::string(module.source.text(call->arguments[place].value->span));
}

struct Operand {
    std::string text;
    Shape shape;
};

std::string forms_text(const Operand& operand, const std::vector<IndexForm>& forms) {
    std::string out;
    for (std::size_t i = 0; i < forms.size(); ++i)
        out += (i == 0                  ? ""
                : i + 1 == forms.size() ? " or "
                                        : ", ") +
               operand.text + forms[i].text + " of shape " + text_of(forms[i].shape);
    return out;
}

void hint_broadcast(Error& error, const std::vector<Operand>& operands) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
        for (std::size_t j = 0; j < operands.size(); ++j) {
            if (i == j || operands[i].shape.rank() > operands[j].shape.rank()) continue;
            if (broadcast_shapes(operands[i].shape, operands[j].shape)) continue;
            const auto forms = index_forms_that_fit(operands[i].shape, operands[j].shape);
            if (forms.empty()) continue;
            error.hint = message(MS_TEXT("These fit: {}"), forms_text(operands[i], forms));
            return;
        }
    }
    error.hint = message(MS_TEXT("Shapes are aligned at the right; no index with None makes these fit"));
}

}  // namespace

std::vector<IndexForm> index_forms_that_fit(const Shape& shape, const Shape& other) {
    std::vector<IndexForm> out;
    const int extra = other.rank() - shape.rank();
    if (extra <= 0 || other.rank() > 8) return out;
    // Each choice of the dims of `other` that the dims of `shape` lie on, in order.
    std::vector<std::pair<int, IndexForm>> found;
    for (unsigned choice = 0; choice < (1U << static_cast<unsigned>(other.rank())); ++choice) {
        if (__builtin_popcount(choice) != shape.rank()) continue;
        IndexForm form;
        int matches = 0;
        bool fits = true;
        int next = 0;
        bool leading = true;
        for (int d = 0; d < other.rank(); ++d) {
            const bool placed = (choice >> static_cast<unsigned>(d) & 1U) != 0;
            // A None in front changes nothing: broadcasting adds it.
            if (!placed && leading) continue;
            leading = false;
            form.text += form.text.empty() ? "[" : ", ";
            form.text += placed ? ":" : "None";
            form.shape.push_back(placed ? shape[next] : 1);
            if (!placed) continue;
            const std::int64_t size = shape[next++];
            matches += size == other[d] ? 1 : 0;
            fits = fits && (size == other[d] || size == 1 || other[d] == 1);
        }
        if (!fits || next != shape.rank()) continue;
        form.text += "]";
        found.emplace_back(-matches, std::move(form));
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [rank, form] : found)
        if (out.size() < kMostForms) out.push_back(std::move(form));
    return out;
}

void add_hint(Error& error, const ops::OpSpec&, std::span<const Value> positional, std::span<const Named> named,
              const Module& module, const Expr* at) {
    const std::string text = error.message.text();
    for (const auto& row : kRows) {
        if (!text.starts_with(row.begins)) continue;
        error.hint = message(std::string(row.hint));
        return;
    }
    std::vector<Operand> operands;
    const auto add = [&](const Value& value, std::string shown) {
        if (!value.is_tensor()) return;
        operands.push_back({shown.empty() ? "x" : std::move(shown), value.tensor()->tensor.shape()});
    };
    for (std::size_t i = 0; i < positional.size(); ++i) add(positional[i], argument_text(module, at, i));
    for (const auto& [name, value] : named) add(value, name);
    if (text.starts_with("The size of tensor a") || text.starts_with("The expanded size of the tensor")) {
        hint_broadcast(error, operands);
        return;
    }
    if (text.starts_with("mat1 and mat2 shapes cannot be multiplied") && operands.size() == 2) {
        const auto& a = operands[0].shape;
        const auto& b = operands[1].shape;
        if (a.rank() > 0 && b.rank() > 1 && a[a.rank() - 1] == b[b.rank() - 1])
            error.hint = message(MS_TEXT("{}.transpose(-2, -1) fits"), operands[1].text);
    }
}

}  // namespace maskscope::script
