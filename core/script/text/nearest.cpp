// SPDX-License-Identifier: Apache-2.0
#include "core/script/text/nearest.h"

#include <algorithm>
#include <numeric>

namespace maskscope::script {
namespace {

// Insertions, deletions, replacements and swaps of neighbours (Damerau 1964, the restricted form).
std::size_t edits(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::vector<std::size_t> two_before;
    std::iota(before.begin(), before.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], two_before[j - 2] + 1);
        }
        two_before = before;
        std::swap(before, row);
    }
    return before[b.size()];
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& words) {
    if (word.size() > 64) return {};
    std::string best;
    // A third of the letters may be wrong.
    std::size_t best_edits = word.size() / 3 + 1;
    for (const auto& candidate : words) {
        if (candidate.size() > 64 || candidate == word) continue;
        const std::size_t distance = edits(word, candidate);
        if (distance < best_edits || (distance == best_edits && !best.empty() && candidate < best)) {
            best = candidate;
            best_edits = distance;
        }
    }
    return best;
}

}  // namespace maskscope::script
