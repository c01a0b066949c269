// SPDX-License-Identifier: Apache-2.0
#include "core/ops/nn/einsum_equation.h"

#include "core/ops/dispatch/torch_error.h"

#include <algorithm>
#include <array>

namespace maskscope::ops {
namespace {

bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

int subscript_of(char c) {
    return c <= 'Z' ? c - 'A' : c - 'a' + 26;
}

Error invalid_at(std::size_t index) {
    return runtime_error(
        "einsum(): invalid subscript given at index {} in the equation string, subscripts must be in [a-zA-Z]", index);
}

Result<std::vector<std::vector<int>>> parse_operands(std::string_view text, std::size_t operand_count) {
    std::vector<std::vector<int>> out(1);
    bool has_ellipsis = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ' ') continue;
        if (c == ',') {
            if (out.size() == operand_count)
                return runtime_error("einsum(): fewer operands were provided than specified in the equation");
            out.emplace_back();
            has_ellipsis = false;
        } else if (c == '.') {
            const std::size_t operand = out.size() - 1;
            if (has_ellipsis)
                return runtime_error("einsum(): found '.' for operand {} for which an ellipsis was already found",
                                     operand);
            if (text.substr(i, 3) != "...")
                return runtime_error("einsum(): found '.' for operand {} that is not part of any ellipsis", operand);
            i += 2;
            has_ellipsis = true;
            out.back().push_back(kEllipsis);
        } else if (is_letter(c)) {
            out.back().push_back(subscript_of(c));
        } else {
            return invalid_at(i);
        }
    }
    if (out.size() < operand_count)
        return runtime_error("einsum(): more operands were provided than specified in the equation");
    return out;
}

// `start`: where the output begins in the whole text, for errors.
Result<std::vector<int>> parse_output(std::string_view text, std::size_t start,
                                      const std::array<int, kLetters + 1>& seen) {
    std::vector<int> out;
    std::array<bool, kLetters + 1> taken{};
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ' ') continue;
        if (c == '.') {
            if (taken[kEllipsis])
                return runtime_error("einsum(): found '.' for output but an ellipsis (...) was already found");
            if (text.substr(i, 3) != "...")
                return runtime_error("einsum(): found '.' for output that is not part of any ellipsis (...)");
            i += 2;
            taken[kEllipsis] = true;
            out.push_back(kEllipsis);
            continue;
        }
        if (!is_letter(c)) return invalid_at(start + i);
        const int subscript = subscript_of(c);
        const auto place = static_cast<std::size_t>(subscript);
        if (taken[place]) return runtime_error("einsum(): output subscript {} appears more than once in the output", c);
        if (seen[place] == 0)
            return runtime_error("einsum(): output subscript {} does not appear in the equation for any input operand",
                                 c);
        taken[place] = true;
        out.push_back(subscript);
    }
    return out;
}

std::vector<int> implied_output(const std::array<int, kLetters + 1>& seen) {
    std::vector<int> out;
    if (seen[kEllipsis] > 0) out.push_back(kEllipsis);
    for (int i = 0; i < kLetters; ++i)
        if (seen[static_cast<std::size_t>(i)] == 1) out.push_back(i);
    return out;
}

// Dims that the ellipsis stands for.
Result<int> covered(const std::vector<int>& subscripts, const Shape& shape, std::size_t operand) {
    const bool has_ellipsis = std::find(subscripts.begin(), subscripts.end(), kEllipsis) != subscripts.end();
    const int letters = static_cast<int>(subscripts.size()) - (has_ellipsis ? 1 : 0);
    if (has_ellipsis ? letters > shape.rank() : letters != shape.rank())
        return runtime_error(
            "einsum(): the number of subscripts in the equation ({}) {} the number of dimensions ({}) for operand {}{}",
            letters, has_ellipsis ? "is more than" : "does not match", shape.rank(), operand,
            has_ellipsis ? "" : " and no ellipsis was given");
    return shape.rank() - letters;
}

// The label of every subscript; the dims of the ellipsis are counted from its end.
struct Places {
    std::array<int, kLetters> letters{};
    int ellipsis_end = 0;  // one past its last label
    int covered = 0;
};

class Sizes {
public:
    explicit Sizes(int count) : sizes_(static_cast<std::size_t>(count), 1) {}
    // False when it neither fits nor repeats.
    bool admit(int label, std::int64_t size) {
        auto& seen = sizes_[static_cast<std::size_t>(label)];
        if (size != 1 && seen != 1 && size != seen) return false;
        if (seen == 1) seen = size;
        return true;
    }
    std::int64_t operator[](int label) const { return sizes_[static_cast<std::size_t>(label)]; }

private:
    std::vector<std::int64_t> sizes_;
};

Result<std::vector<int>> label_operand(const std::vector<int>& subscripts, const Shape& shape, std::size_t operand,
                                       const Places& places, Sizes& sizes) {
    std::vector<int> out;
    int dim = 0;
    std::array<int, kLetters> first{};
    first.fill(-1);
    for (const int subscript : subscripts) {
        if (subscript == kEllipsis) {
            const int count = shape.rank() - static_cast<int>(subscripts.size()) + 1;
            for (int i = count; i > 0; --i, ++dim) {
                const int label = places.ellipsis_end - i;
                if (!sizes.admit(label, shape[dim]))
                    return runtime_error(
                        "einsum(): dimension {} covered by ellipsis in operand {}has size {} which does not broadcast "
                        "with "
                        "previously seen ellipsis with size {} for the respective dimension",
                        dim, operand, shape[dim], sizes[label]);
                out.push_back(label);
            }
            continue;
        }
        const auto place = static_cast<std::size_t>(subscript);
        const int label = places.letters[place];
        if (first[place] >= 0 && shape[first[place]] != shape[dim])
            return runtime_error(
                "einsum(): subscript {} is repeated for operand {} but the sizes don't match, {} != {}",
                letter_of(subscript), operand, shape[dim], shape[first[place]]);
        if (!sizes.admit(label, shape[dim]))
            return runtime_error(
                "einsum(): subscript {} has size {} for operand {} which does not broadcast with previously seen size "
                "{}",
                letter_of(subscript), shape[dim], operand, sizes[label]);
        first[place] = dim;
        out.push_back(label);
        ++dim;
    }
    return out;
}

}  // namespace

char letter_of(int subscript) {
    return static_cast<char>(subscript < 26 ? 'A' + subscript : 'a' + subscript - 26);
}

Result<Equation> parse_equation(std::string_view text, std::size_t operand_count) {
    const std::size_t arrow = text.find("->");
    Equation out;
    MS_TRY(operands, parse_operands(text.substr(0, arrow), operand_count));
    out.operands = std::move(operands);
    std::array<int, kLetters + 1> seen{};
    for (const auto& operand : out.operands)
        for (const int subscript : operand) ++seen[static_cast<std::size_t>(subscript)];
    if (arrow == std::string_view::npos) {
        out.output = implied_output(seen);
        return out;
    }
    MS_TRY(output, parse_output(text.substr(arrow + 2), arrow + 2, seen));
    out.output = std::move(output);
    return out;
}

Result<Labels> label_dims(const Equation& equation, const std::vector<Shape>& shapes) {
    Places places;
    places.letters.fill(-1);
    std::array<bool, kLetters> is_used{};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        MS_TRY(count, covered(equation.operands[i], shapes[i], i));
        places.covered = std::max(places.covered, count);
        for (const int subscript : equation.operands[i])
            if (subscript != kEllipsis) is_used[static_cast<std::size_t>(subscript)] = true;
    }
    Labels out;
    bool has_ellipsis = false;
    for (const int subscript : equation.output) {
        if (subscript == kEllipsis) {
            has_ellipsis = true;
            out.count += places.covered;
            places.ellipsis_end = out.count;
        } else {
            places.letters[static_cast<std::size_t>(subscript)] = out.count++;
        }
    }
    out.output_count = out.count;
    if (!has_ellipsis) {
        out.count += places.covered;
        places.ellipsis_end = out.count;
    }
    for (std::size_t i = 0; i < kLetters; ++i)
        if (is_used[i] && places.letters[i] < 0) places.letters[i] = out.count++;
    Sizes sizes(out.count);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        MS_TRY(labels, label_operand(equation.operands[i], shapes[i], i, places, sizes));
        out.operands.push_back(std::move(labels));
    }
    return out;
}

}  // namespace maskscope::ops
