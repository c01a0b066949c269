// SPDX-License-Identifier: Apache-2.0
#include "core/mask/components.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace maskscope::mask {
namespace {

class Sets {
public:
    explicit Sets(std::size_t count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), 0U); }

    std::uint32_t root(std::uint32_t i) {
        while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
        return i;
    }
    // The first of a set's runs stands for it.
    void join(std::uint32_t a, std::uint32_t b) {
        a = root(a);
        b = root(b);
        if (a != b) parents_[std::max(a, b)] = std::min(a, b);
    }
    std::vector<std::uint32_t> take() { return std::move(parents_); }

private:
    std::vector<std::uint32_t> parents_;
};

}  // namespace

Result<Components> components_of(const Region& region, Neighbours neighbours, const JobContext& context) {
    const auto& runs = region.runs();
    if (runs.size() > std::numeric_limits<std::uint32_t>::max())
        return input_error(MS_TEXT("an area of {} pieces is too rough to be taken apart"), runs.size());
    const std::int64_t reach = neighbours == Neighbours::eight ? 1 : 0;
    Sets sets(runs.size());
    std::size_t above = 0;  // the first run of the row above that may still touch
    constexpr std::size_t kRunsBetweenLooks = 1U << 16;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (i % kRunsBetweenLooks == 0 && context.cancelled()) return cancelled_error();
        const auto& run = runs[i];
        const auto ends_before = [&](const Run& other) {
            return other.row < run.row - 1 || (other.row == run.row - 1 && other.end + reach <= run.begin);
        };
        while (ends_before(runs[above])) ++above;
        for (auto j = above; runs[j].row == run.row - 1 && runs[j].begin < run.end + reach; ++j)
            sets.join(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
    }

    Components out;
    auto numbers = sets.take();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        // Parents stand before their children, so a parent has its number already.
        const auto parent = numbers[i];
        if (parent == i) {
            numbers[i] = static_cast<std::uint32_t>(out.cells.size());
            out.cells.push_back(0);
        } else {
            numbers[i] = numbers[parent];
        }
        out.cells[numbers[i]] += runs[i].end - runs[i].begin;
    }
    out.of_run = std::move(numbers);
    return out;
}

}  // namespace maskscope::mask
