// SPDX-License-Identifier: Apache-2.0
#include "core/script/syntax/source.h"

#include <algorithm>
#include <utility>

namespace maskscope::script {

Source::Source(std::string text) : text_(std::move(text)), line_begins_{0} {
    for (std::size_t at = 0; at < text_.size(); ++at) {
        const bool ends = text_[at] == '\n' || (text_[at] == '\r' && (at + 1 == text_.size() || text_[at + 1] != '\n'));
        if (ends) line_begins_.push_back(static_cast<std::uint32_t>(at + 1));
    }
}

std::string_view Source::text(Span span) const {
    const auto size = static_cast<std::uint32_t>(text_.size());
    const std::uint32_t begin = std::min(span.begin, size);
    return std::string_view(text_).substr(begin, std::max(std::min(span.end, size), begin) - begin);
}

int Source::line_at(std::uint32_t offset) const {
    const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
    return static_cast<int>(after - line_begins_.begin());
}

Position Source::position(std::uint32_t offset) const {
    const int line = line_at(offset);
    const std::string_view before = text({line_begins_[static_cast<std::size_t>(line - 1)], offset});
    const auto characters = std::count_if(before.begin(), before.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;  // not a continuation byte of UTF-8
    });
    return {line, static_cast<int>(characters) + 1};
}

Span Source::line_span(int line) const {
    const auto size = static_cast<std::uint32_t>(text_.size());
    if (line < 1 || line > line_count()) return {size, size};
    Span span{line_begins_[static_cast<std::size_t>(line - 1)],
              line < line_count() ? line_begins_[static_cast<std::size_t>(line)] : size};
    while (span.end > span.begin && (text_[span.end - 1] == '\n' || text_[span.end - 1] == '\r')) --span.end;
    return span;
}

}  // namespace maskscope::script
