// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/axis_labels.h"

#include "core/render/figure/text_metrics.h"

#include <algorithm>
#include <cmath>

namespace maskscope::render {
namespace {

constexpr double kIndexSize = 11;
constexpr double kTight = 11;      // the smallest pitch at which every cell can have its label
constexpr double kTokenRoom = 16;  // from one label to the next where they are thinned
constexpr double kIndexRoom = 28;

std::string index_text(const AxisLabels& labels, std::int64_t cell) {
    return std::to_string(labels.start + cell * labels.step);
}

bool has_token(const AxisLabels& labels, std::int64_t cell) {
    return cell >= 0 && cell < static_cast<std::int64_t>(labels.tokens.size());
}

// Padding is there to be ignored, so its labels step back.
bool is_padding(std::string_view token) {
    return token == "[PAD]" || token == "<pad>" || token == "<PAD>" || token == "<|pad|>" || token == "<|endoftext|>";
}

double widest_token(const AxisLabels& labels, std::int64_t count, double size, double most) {
    double widest = 0;
    const auto end = std::min<std::size_t>(labels.tokens.size(), static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < end && widest < most; ++i) {
        widest = std::max(widest, text_width(label_text(labels.tokens[i]), Face::ui, size));
    }
    return std::ceil(std::min(widest, most));
}

double widest_index(const AxisLabels& labels, std::int64_t count) {
    const auto first = index_text(labels, 0);
    const auto last = index_text(labels, std::max<std::int64_t>(count - 1, 0));
    return std::ceil(std::max(text_width(first, Face::mono, kIndexSize), text_width(last, Face::mono, kIndexSize)));
}

double token_size(double pitch) {
    if (pitch >= 14) return 12;
    return pitch >= 12 ? 11 : 10;
}

std::int64_t line_step(double pitch, bool tokens) {
    return pitch >= kTight ? 1 : label_step(pitch, tokens ? kTokenRoom : kIndexRoom);
}

// The cells that get a label: every step-th one, without those within `room` of the cursor's label.
std::vector<std::int64_t> labelled(const AxisView& view, std::int64_t step, double room) {
    std::vector<std::int64_t> cells;
    for (std::int64_t cell = (view.first + step - 1) / step * step; cell < view.last; cell += step) {
        if (view.cursor && cell != *view.cursor &&
            std::abs(view.middle_of(cell) - view.middle_of(*view.cursor)) < room + 2) {
            continue;
        }
        cells.push_back(cell);
    }
    const bool cursor_seen = view.cursor && *view.cursor >= view.first && *view.cursor < view.last;
    if (cursor_seen && std::find(cells.begin(), cells.end(), *view.cursor) == cells.end()) {
        cells.push_back(*view.cursor);
    }
    return cells;
}

double pill_height(double pitch) {
    return pitch >= kTight ? std::min(pitch, 18.0) : 14;
}

}  // namespace

std::string label_text(std::string_view token) {
    std::string out;
    bool quiet = true;  // nothing but marks that a glance misses
    for (const char c : token) {
        switch (c) {
            case '\n':
                out += "\\n";
                break;
            case '\t':
                out += "\\t";
                break;
            case '\r':
                out += "\\r";
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
                    out += "\uFFFD";
                } else {
                    out += c;
                    if (std::string_view(" .,'`:;-_\"").find(c) == std::string_view::npos) quiet = false;
                    continue;
                }
        }
        quiet = false;
    }
    return quiet ? "\u201C" + out + "\u201D" : out;
}

LabelRoom row_label_room(const AxisLabels& labels, std::int64_t count, double most_for_tokens) {
    LabelRoom room;
    room.index = widest_index(labels, count);
    if (!labels.tokens.empty()) room.tokens = widest_token(labels, count, 12, most_for_tokens);
    return room;
}

LabelRoom col_label_room(const AxisLabels& labels, std::int64_t count, double most_for_tokens) {
    constexpr std::int64_t kAllLabelled = 64;
    LabelRoom room;
    if (!labels.tokens.empty()) room.tokens = widest_token(labels, count, 12, most_for_tokens);
    if (room.tokens == 0 || count > kAllLabelled) room.index = widest_index(labels, count);
    return room;
}

std::int64_t label_step(double pitch, double room) {
    std::int64_t decade = 1;
    while (true) {
        for (const std::int64_t factor : {1, 2, 5}) {
            const std::int64_t step = factor * decade;
            if (static_cast<double>(step) * pitch >= room) return step;
        }
        if (decade > (std::int64_t{1} << 58)) return decade;
        decade *= 10;
    }
}

void draw_row_labels(const AxisLabels& labels, const LabelRoom& room, const AxisView& view, const Box& box,
                     const Theme& theme, std::vector<DisplayItem>& out) {
    const double size = token_size(view.pitch);
    const std::int64_t step = line_step(view.pitch, room.tokens > 0);
    for (const std::int64_t cell : labelled(view, step, view.pitch >= kTight ? 0 : pill_height(view.pitch))) {
        const double middle = view.middle_of(cell);
        if (middle < box.y - 0.5 || middle > box.bottom() + 0.5) continue;
        const bool current = view.cursor == cell;
        const bool token = room.tokens > 0 && has_token(labels, cell);
        if (current) {
            const double height = pill_height(view.pitch);
            out.emplace_back(RectItem{
                {box.x - 6, std::round(middle - height / 2), box.width + 10, height}, theme[Token::accent], 0, 1, 2});
        }
        const Rgb ink = current ? theme[Token::on_accent] : theme[token ? Token::text_3 : Token::text_2];
        const std::string index = index_text(labels, cell);
        const double index_end = room.tokens > 0 ? box.x + room.index : box.right();
        out.emplace_back(TextItem{{index_end, std::round(middle + cap_height(Face::mono, kIndexSize) / 2)},
                                  index,
                                  Face::mono,
                                  kIndexSize,
                                  ink,
                                  Align::right,
                                  false});
        if (!token) continue;
        const auto& text = labels.tokens[static_cast<std::size_t>(cell)];
        const Face face = current ? Face::ui_semibold : Face::ui;
        const Rgb token_ink = current ? theme[Token::on_accent] : theme[is_padding(text) ? Token::text_3 : Token::text];
        out.emplace_back(TextItem{{box.right(), std::round(middle + cap_height(face, size) / 2)},
                                  elide(label_text(text), face, size, room.tokens),
                                  face,
                                  size,
                                  token_ink,
                                  Align::right,
                                  false});
    }
}

void draw_col_labels(const AxisLabels& labels, const LabelRoom& room, const AxisView& view, const Box& box,
                     const Theme& theme, std::vector<DisplayItem>& out) {
    const bool upwards = room.tokens > 0;
    const double size = upwards ? token_size(view.pitch) : kIndexSize;
    const double width = room.index + 8;
    const std::int64_t step = upwards ? line_step(view.pitch, true) : label_step(view.pitch, width);
    const double pill = upwards ? pill_height(view.pitch) : room.index + 6;
    for (const std::int64_t cell : labelled(view, step, !upwards ? width : view.pitch >= kTight ? 0 : pill)) {
        const double middle = view.middle_of(cell);
        if (middle < box.x - 0.5 || middle > box.right() + 0.5) continue;
        const bool current = view.cursor == cell;
        const std::string index = index_text(labels, cell);
        if (current) {
            const Box around = upwards ? Box{std::round(middle - pill / 2), box.y - 4, pill, box.height + 8}
                                       : Box{middle - pill / 2, box.bottom() - 14, pill, 17};
            out.emplace_back(RectItem{around, theme[Token::accent], 0, 1, 2});
        }
        if (!upwards) {
            const Rgb ink = current ? theme[Token::on_accent] : theme[Token::text_2];
            out.emplace_back(TextItem{{middle, box.bottom() - 2}, index, Face::mono, size, ink, Align::centre, false});
            continue;
        }
        const Face face = current ? Face::ui_semibold : Face::ui;
        const double baseline = std::round(middle + cap_height(face, size) / 2);
        double from = box.bottom();
        if (room.index > 0) {
            const Rgb ink = current ? theme[Token::on_accent] : theme[Token::text_3];
            out.emplace_back(TextItem{{baseline, from}, index, Face::mono, 10, ink, Align::left, true});
            from -= room.index + 8;
        }
        if (!has_token(labels, cell)) continue;
        const auto& text = labels.tokens[static_cast<std::size_t>(cell)];
        const Rgb ink = current ? theme[Token::on_accent] : theme[is_padding(text) ? Token::text_3 : Token::text];
        out.emplace_back(TextItem{
            {baseline, from}, elide(label_text(text), face, size, room.tokens), face, size, ink, Align::left, true});
    }
}

}  // namespace maskscope::render
