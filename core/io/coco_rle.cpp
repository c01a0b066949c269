// SPDX-License-Identifier: Apache-2.0
#include "core/io/coco_rle.h"

#include "core/base/utf8.h"
#include "core/io/coco_runs.h"
#include "core/io/limits.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace maskscope::io {

namespace {

// The string form: digits of 5 bits, the lowest first, as characters from '0' on.
constexpr int kFirstChar = 48;
constexpr int kDigitBits = 5;
constexpr int kMore = 0x20;
constexpr int kSign = 0x10;
// A run and the difference of two runs fit into 34 bits with their sign.
constexpr int kMostDigits = 7;
constexpr std::int64_t kLongestRun = std::numeric_limits<std::uint32_t>::max();

// Turns `at` behind the number. The message has no position yet.
Result<std::int64_t> read_number(std::string_view text, std::size_t& at) {
    std::int64_t value = 0;
    for (int digit = 0; digit < kMostDigits; ++digit) {
        if (at == text.size()) return input_error(MS_TEXT("the run lengths end in the middle of a number"));
        const int bits = static_cast<unsigned char>(text[at]) - kFirstChar;
        if (bits < 0 || bits >= 2 * kMore) {
            return input_error(MS_TEXT("{} does not belong in COCO's run lengths"), in_quotes(text.substr(at, 1)));
        }
        ++at;
        const int shift = kDigitBits * digit;
        value |= static_cast<std::int64_t>(bits & (kMore - 1)) << shift;
        if ((bits & kMore) != 0) continue;
        if ((bits & kSign) != 0) value -= std::int64_t{1} << (shift + kDigitBits);
        return value;
    }
    return input_error(MS_TEXT("a number of the run lengths has more than {} characters"), kMostDigits);
}

void append_number(std::string& out, std::int64_t value) {
    for (bool more = true; more;) {
        int bits = static_cast<int>(value & (kMore - 1));
        value >>= kDigitBits;
        more = (bits & kSign) != 0 ? value != -1 : value != 0;
        if (more) bits |= kMore;
        out.push_back(static_cast<char>(bits + kFirstChar));
    }
}

// Collects spans in ascending order as runs; spans that touch become one.
class RunWriter {
public:
    void add(const CellSpan& span) {
        if (span.begin == span.end) return;
        if (span.begin > end_) {
            flush();
            begin_ = span.begin;
        }
        end_ = std::max(end_, span.end);
    }
    CocoRle finish(std::int64_t height, std::int64_t width) {
        flush();
        if (written_ < height * width || out_.empty()) append(height * width - written_);
        return {height, width, std::move(out_)};
    }

private:
    void flush() {
        if (begin_ == end_) return;
        append(begin_ - written_);
        append(end_ - begin_);
        written_ = end_;
    }
    // A run beyond 32 bits is cut by empty ones.
    void append(std::int64_t length) {
        for (; length > kLongestRun; length -= kLongestRun) {
            out_.push_back(static_cast<std::uint32_t>(kLongestRun));
            out_.push_back(0);
        }
        out_.push_back(static_cast<std::uint32_t>(length));
    }

    std::vector<std::uint32_t> out_;
    std::int64_t written_ = 0;
    std::int64_t begin_ = 0;
    std::int64_t end_ = 0;
};

// Calls body(begin, end) for each span of ones.
template <class Body>
void for_each_span(const CocoRle& rle, Body&& body) {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < rle.counts.size(); ++i) {
        const std::int64_t end = at + rle.counts[i];
        if (i % 2 == 1 && end > at) body(at, end);
        at = end;
    }
}

// Runs of one line, by index into the list of all.
struct Line {
    std::size_t first = 0;
    std::size_t last = 0;
};

// The places where one of two lines has a cell and the other has none, as spans [begin, end).
template <class Body>
void for_each_difference(const std::vector<mask::Run>& runs, const Line& above, const Line& below, Body&& body) {
    // Borders of a line's runs: 2 k is where run k begins, 2 k + 1 where it ends.
    const auto border = [&](const Line& line, std::size_t k) {
        const auto& run = runs[line.first + k / 2];
        return k % 2 == 0 ? run.begin : run.end;
    };
    const std::size_t count_a = 2 * (above.last - above.first);
    const std::size_t count_b = 2 * (below.last - below.first);
    std::size_t a = 0;
    std::size_t b = 0;
    bool open = false;
    std::int32_t begin = 0;
    while (a < count_a || b < count_b) {
        std::int32_t at = 0;
        if (b == count_b || (a < count_a && border(above, a) <= border(below, b))) {
            at = border(above, a++);
        } else {
            at = border(below, b++);
        }
        if (open && at > begin) body(begin, at);
        begin = at;
        open = !open;
    }
}

// Calls body(line, begin, end) wherever a line differs from the one before it; lines without runs count as well.
template <class Body>
void for_each_change(const std::vector<mask::Run>& runs, Body&& body) {
    Line above;
    std::int32_t above_row = 0;
    for (std::size_t first = 0; first < runs.size();) {
        const std::int32_t row = runs[first].row;
        Line here{first, first};
        while (here.last < runs.size() && runs[here.last].row == row) ++here.last;
        const bool adjacent = first > 0 && row == above_row + 1;
        if (first > 0 && !adjacent) {
            for_each_difference(runs, above, Line{}, [&](auto begin, auto end) { body(above_row + 1, begin, end); });
        }
        for_each_difference(runs, adjacent ? above : Line{}, here,
                            [&](auto begin, auto end) { body(row, begin, end); });
        above = here;
        above_row = row;
        first = here.last;
    }
    for_each_difference(runs, above, Line{}, [&](auto begin, auto end) { body(above_row + 1, begin, end); });
}

// Runs along the other axis: `across` lines of them. Costs what both lists of runs have together: where a line differs
// from the one before it, the crossing lines begin or end a run.
std::vector<mask::Run> crosswise(const std::vector<mask::Run>& runs, std::int64_t across) {
    // Changes of each crossing line, first as differences between neighbours, then summed up to where its list begins.
    std::vector<std::int64_t> starts(static_cast<std::size_t>(across) + 2, 0);
    for_each_change(runs, [&](std::int32_t /*line*/, std::int32_t begin, std::int32_t end) {
        ++starts[static_cast<std::size_t>(begin) + 1];
        --starts[static_cast<std::size_t>(end) + 1];
    });
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    std::vector<std::int32_t> changes(static_cast<std::size_t>(starts[static_cast<std::size_t>(across)]));
    std::vector<std::int64_t> next(starts.begin(), starts.end());
    for_each_change(runs, [&](std::int32_t line, std::int32_t begin, std::int32_t end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
            changes[static_cast<std::size_t>(next[i]++)] = line;
        }
    });
    std::vector<mask::Run> out;
    out.reserve(changes.size() / 2);
    for (std::int64_t i = 0; i < across; ++i) {
        for (std::int64_t k = starts[static_cast<std::size_t>(i)]; k < starts[static_cast<std::size_t>(i) + 1];
             k += 2) {
            const auto at = static_cast<std::size_t>(k);
            out.push_back({static_cast<std::int32_t>(i), changes[at], changes[at + 1]});
        }
    }
    return out;
}

}  // namespace

Result<void> check_mask_size(std::int64_t height, std::int64_t width) {
    if (height < 0 || width < 0 || height > kMaxImageSide || width > kMaxImageSide) {
        return input_error(MS_TEXT("the mask's size is {} x {}; sides from 0 to {} are read"), height, width,
                           kMaxImageSide);
    }
    return {};
}

CocoRle rle_of_spans(const std::vector<CellSpan>& spans, std::int64_t height, std::int64_t width) {
    RunWriter writer;
    for (const auto& span : spans) writer.add(span);
    return writer.finish(height, width);
}

Result<CocoRle> checked_rle(std::vector<std::uint32_t> counts, std::int64_t height, std::int64_t width) {
    MS_CHECK(check_mask_size(height, width));
    std::uint64_t sum = 0;
    for (const auto count : counts) sum += count;
    if (sum != static_cast<std::uint64_t>(height * width)) {
        return input_error(MS_TEXT("the run lengths count {} cells, but {} x {} are {}"), sum, height, width,
                           height * width);
    }
    return CocoRle{height, width, std::move(counts)};
}

Result<CocoRle> parse_rle(std::string_view text, std::int64_t height, std::int64_t width) {
    MS_CHECK(check_mask_size(height, width));
    CocoRle rle{height, width, {}};
    auto& counts = rle.counts;
    const std::int64_t cells = height * width;
    std::int64_t sum = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        auto number = read_number(text, at);
        if (!number) return std::move(number).error().at(std::min(at, text.size()));
        std::int64_t count = *number;
        if (counts.size() > 2) count += counts[counts.size() - 2];
        if (count < 0 || count > kLongestRun) {
            return input_error(MS_TEXT("run {} has a length of {}"), counts.size(), count).at(begin);
        }
        sum += count;
        if (sum > cells) {
            return input_error(MS_TEXT("the run lengths count more cells than {} x {} have"), height, width).at(begin);
        }
        counts.push_back(static_cast<std::uint32_t>(count));
    }
    if (sum != cells) {
        return input_error(MS_TEXT("the run lengths count {} cells, but {} x {} are {}"), sum, height, width, cells)
            .at(text.size());
    }
    return rle;
}

std::string rle_text(const CocoRle& rle) {
    std::string out;
    for (std::size_t i = 0; i < rle.counts.size(); ++i) {
        const std::int64_t before = i > 2 ? rle.counts[i - 2] : 0;
        append_number(out, static_cast<std::int64_t>(rle.counts[i]) - before);
    }
    return out;
}

CocoRle rle_of(const mask::Region& region, std::int64_t height, std::int64_t width) {
    const mask::Region inside = region.clipped({0, 0, height, width});
    RunWriter writer;
    for (const auto& run : crosswise(inside.runs(), width)) {
        writer.add({run.row * height + run.begin, run.row * height + run.end});
    }
    return writer.finish(height, width);
}

mask::Region region_of(const CocoRle& rle) {
    if (rle.height == 0 || rle.width == 0) return {};
    std::vector<mask::Run> columns;
    for_each_span(rle, [&](std::int64_t begin, std::int64_t end) {
        while (begin < end) {
            const std::int64_t column = begin / rle.height;
            const std::int64_t first = begin - column * rle.height;
            const std::int64_t last = std::min(rle.height, first + end - begin);
            const bool goes_on = !columns.empty() && columns.back().row == column && columns.back().end == first;
            if (goes_on) {
                columns.back().end = static_cast<std::int32_t>(last);
            } else {
                columns.push_back({static_cast<std::int32_t>(column), static_cast<std::int32_t>(first),
                                   static_cast<std::int32_t>(last)});
            }
            begin += last - first;
        }
    });
    return mask::Region::of_sorted(crosswise(columns, rle.height));
}

std::int64_t area(const CocoRle& rle) {
    std::int64_t cells = 0;
    for_each_span(rle, [&](std::int64_t begin, std::int64_t end) { cells += end - begin; });
    return cells;
}

CocoRle unite(const std::vector<CocoRle>& parts) {
    if (parts.empty()) return {};
    if (parts.size() == 1) return parts.front();
    std::vector<CellSpan> spans;
    for (const auto& part : parts) {
        for_each_span(part, [&](std::int64_t begin, std::int64_t end) { spans.push_back({begin, end}); });
    }
    std::sort(spans.begin(), spans.end(), [](const CellSpan& a, const CellSpan& b) { return a.begin < b.begin; });
    return rle_of_spans(spans, parts.front().height, parts.front().width);
}

}  // namespace maskscope::io
