// SPDX-License-Identifier: Apache-2.0
// Places in a script's text. Everything counts bytes of the text as it was given; lines and columns are for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope::script {

// Bytes [begin, end) of the source.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    bool operator==(const Span&) const = default;
};

struct Position {
    int line = 1;
    int column = 1;  // in characters (code points), a tab is one
};

// The text of a script and where its lines begin. Lines end with \n, \r\n or a lone \r.
class Source {
public:
    explicit Source(std::string text);

    const std::string& text() const { return text_; }
    std::string_view text(Span span) const;

    int line_count() const { return static_cast<int>(line_begins_.size()); }
    int line_at(std::uint32_t offset) const;  // 1-based; the end of the text belongs to the last line
    Position position(std::uint32_t offset) const;
    // The line's bytes without its ending; empty for a line that does not exist.
    Span line_span(int line) const;

private:
    std::string text_;
    std::vector<std::uint32_t> line_begins_;
};

}  // namespace maskscope::script
