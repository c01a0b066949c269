// SPDX-License-Identifier: Apache-2.0
// What a file does not say is guessed from names, dtypes and shapes; the window marks it and one click changes it.
#include "core/document/document.h"
#include "core/io/image_facts.h"
#include "core/render/pool/cell_state.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

namespace maskscope::document {
namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
    return out;
}

bool mentions(const std::string& name, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](auto word) { return name.find(word) != std::string::npos; });
}

// Sentinels that people write for "masked", beside -inf and finfo.min.
constexpr std::array<double, 8> kSentinels = {-1e4, -1e5, -1e6, -1e8, -1e9, -1e10, -1e20, -1e30};

bool is_sentinel(double value, DType dtype) {
    if (std::isinf(value)) return value < 0;
    if (value == -largest_finite(dtype)) return true;
    // The sentinel as the dtype stores it: bf16 holds -1e9 as -998244352.
    return std::any_of(kSentinels.begin(), kSentinels.end(), [&](double sentinel) {
        if (dtype == DType::f16)
            return value == static_cast<double>(float_from_f16(f16_from_float(static_cast<float>(sentinel))));
        if (dtype == DType::bf16)
            return value == static_cast<double>(float_from_bf16(bf16_from_float(static_cast<float>(sentinel))));
        if (dtype == DType::f32) return value == static_cast<double>(static_cast<float>(sentinel));
        return value == sentinel;
    });
}

// Reads up to `budget` elements, whole rows of the last dimension spread evenly over the tensor.
template <class Visit>
void sample(const Tensor& tensor, std::int64_t budget, Visit visit) {
    if (tensor.numel() == 0) return;
    const int rank = tensor.rank();
    const std::int64_t length = rank == 0 ? 1 : tensor.size(rank - 1);
    const std::int64_t stride = rank == 0 ? 1 : tensor.strides()[rank - 1];
    const std::int64_t rows = tensor.numel() / length;
    const std::int64_t piece = std::min(length, budget);
    const std::int64_t wanted = std::clamp<std::int64_t>(budget / piece, 1, rows);
    std::vector<double> values(static_cast<std::size_t>(piece));
    for (std::int64_t k = 0; k < wanted; ++k) {
        std::int64_t rest = rows * k / wanted;
        std::int64_t position = 0;
        for (int dim = rank - 2; dim >= 0; --dim) {
            position += rest % tensor.size(dim) * tensor.strides()[dim];
            rest /= tensor.size(dim);
        }
        const auto* first = tensor.data() + position * static_cast<std::int64_t>(size_of(tensor.dtype()));
        convert_to_f64(first, tensor.dtype(), stride, piece, values.data());
        for (const double value : values) visit(value);
    }
}

bool names_labels(const std::string& lowered) {
    return mentions(lowered, {"label", "pred", "truth", "_gt", "gt_", "gt.", "segm", "instance", "annot"});
}

// A picture, or labels kept in one: palette indices are labels; plain grey is where the name says so.
Role guess_picture_role(const io::ImageFacts& facts, const std::string& lowered) {
    if (facts.kind == io::PixelKind::palette) return Role::mask;
    if (facts.kind != io::PixelKind::grey) return Role::image;
    return names_labels(lowered) || mentions(lowered, {"mask"}) ? Role::mask : Role::image;
}

// A label map without a file format that says so: "coins_truth.npy", uint8 [303, 384]. Targets of language models are
// int64.
bool is_label_map(const io::Item& item, const std::string& lowered) {
    const bool labels = item.dtype == DType::u8 || item.dtype == DType::u16 || item.dtype == DType::i32;
    return labels && item.shape.rank() == 2 && names_labels(lowered);
}

}  // namespace

Role guess_role(const io::Item& item, const std::string& name) {
    if (item.labels) return Role::labels;
    const std::string lowered = lower(name);
    if (item.dtype == DType::boolean) return Role::mask;
    if (item.image) return guess_picture_role(*item.image, lowered);
    if (is_label_map(item, lowered)) return Role::mask;
    if (!mentions(lowered, {"mask"})) return Role::tensor;
    // "masked_scores" are scores; "attention_mask", "key_padding_mask", "mask" are masks.
    return mentions(lowered, {"masked"}) ? Role::tensor : Role::mask;
}

MaskConvention guess_convention(const io::Item& item, const std::string& name) {
    const std::string lowered = lower(name);
    if (mentions(lowered, {"additive", "bias"})) return MaskConvention::additive;
    if (is_floating(item.dtype)) {
        // A float mask of only 0 and 1 multiplies; one that reaches below 0 is added.
        bool negative = false;
        if (item.tensor.defined()) sample(item.tensor, 1 << 16, [&](double value) { negative |= value < 0; });
        return negative || !item.tensor.defined() ? MaskConvention::additive : MaskConvention::keep;
    }
    if (mentions(lowered, {"drop", "key_padding", "padding_mask", "pad_mask", "ignore"})) return MaskConvention::drop;
    return MaskConvention::keep;
}

std::vector<std::string> guess_dims(const io::Item& item, const std::string& name) {
    if (static_cast<int>(item.dim_names.size()) == item.shape.rank()) return item.dim_names;
    const std::string lowered = lower(name);
    const int rank = item.shape.rank();
    static const std::vector<std::string> kAttention = {"layer", "batch", "head", "query", "key"};
    static const std::vector<std::string> kHidden = {"layer", "batch", "token", "feature"};
    const auto last = [&](const std::vector<std::string>& names) {
        std::vector<std::string> out;
        for (int i = 0; i < rank; ++i) {
            const int from = static_cast<int>(names.size()) - rank + i;
            out.push_back(from >= 0 ? names[static_cast<std::size_t>(from)] : "dim " + std::to_string(i));
        }
        return out;
    };
    if (is_label_map(item, lowered)) return {"height", "width"};
    const bool attention = mentions(lowered, {"attn", "attention", "weights", "scores", "probs", "logits", "causal"});
    const bool mask = mentions(lowered, {"mask", "pad"});
    if (rank == 2 && mask && !attention && item.shape[0] != item.shape[1]) return {"batch", "key"};
    if ((attention || mask) && rank >= 2) return last(kAttention);
    if (rank >= 3 && mentions(lowered, {"hidden", "embed", "feature", "states"})) return last(kHidden);
    if (rank == 2) return {"row", "column"};
    std::vector<std::string> plain;
    plain.reserve(static_cast<std::size_t>(rank));
    for (int i = 0; i < rank; ++i) plain.push_back("dim " + std::to_string(i));
    return plain;
}

std::optional<double> find_masked_value(const Tensor& tensor, std::int64_t budget) {
    if (!is_floating(tensor.dtype())) return std::nullopt;
    double least = std::numeric_limits<double>::infinity();
    std::int64_t times = 0;
    sample(tensor, budget, [&](double value) {
        if (value < least) {
            least = value;
            times = 1;
        } else if (value == least) {
            ++times;
        }
    });
    if (times < 2 || !is_sentinel(least, tensor.dtype())) return std::nullopt;
    return least;
}

}  // namespace maskscope::document
