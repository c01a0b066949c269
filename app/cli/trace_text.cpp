// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace_text.h"

#include "app/cli/layout.h"
#include "app/cli/output.h"
#include "app/cli/value_json.h"
#include "core/script/syntax/source.h"

#include <algorithm>
#include <vector>

namespace maskscope::cli {
namespace {

// A loop makes more steps than anyone reads: the first and the last are shown.
constexpr std::size_t kFirst = 60;
constexpr std::size_t kLast = 40;
constexpr std::size_t kShortestExpr = 28;

std::string states_text(const script::StepOutput& output) {
    if (!output.has_data) return "no data";
    if (!output.states) return "";
    std::string out;
    const auto add = [&](std::int64_t count, const char* name) {
        if (count != 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, name);
    };
    add(output.states->nan, "nan");
    add(output.states->posinf, "inf");
    add(output.states->neginf, "-inf");
    add(output.states->zero, output.dtype == DType::boolean ? "False" : "zero");
    return out;
}

std::string kind_text(const script::Step& step, const script::StepOutput& output) {
    const bool writes = (step.op.ends_with('_') && !step.op.ends_with("__")) || step.op == "setitem";
    if (writes) return "in place";
    return output.is_view ? "view" : "new";
}

std::string time_text(const script::Step& step) {
    return seconds_text(step.timing && step.timing->runs > 0 ? step.timing->median * 1e-6 : step.seconds);
}

struct Row {
    std::string line;
    std::string expr;
    std::string output;
    std::string kind;
    std::string bytes;
    std::string time;
    std::string states;
    std::vector<std::string> below;
};

std::string shape_text(const script::StepOutput& output) {
    return fmt::format("{}{} {}", output.name.empty() ? "" : output.name + " ", text_of(output.shape),
                       name_of(output.dtype));
}

Row row_of(const script::Step& step) {
    Row row;
    row.line = std::to_string(step.line);
    row.expr = printable(one_line(step.expr));
    if (!step.outputs.empty()) {
        const auto& output = step.outputs.front();
        row.output = shape_text(output);
        row.kind = kind_text(step, output);
        row.states = states_text(output);
    } else {
        row.kind = "value";  // a number or a list of the language's
    }
    row.bytes = step.bytes_allocated == 0 ? "-" : bytes_text(step.bytes_allocated);
    row.time = time_text(step);
    for (std::size_t i = 1; i < step.outputs.size(); ++i)
        row.below.push_back(shape_text(step.outputs[i]) + "  " + states_text(step.outputs[i]));
    for (const auto& one : step.broadcasts) {
        if (one.stretched.empty()) continue;
        std::string dims;
        for (const int dim : one.stretched) dims += (dims.empty() ? "" : ", ") + std::to_string(dim);
        const std::string read_as = one.from == one.aligned ? "" : "read as " + text_of(one.aligned) + ", ";
        row.below.push_back(fmt::format("{} {} is {}repeated along dim{} {}", one.input, text_of(one.from), read_as,
                                        one.stretched.size() == 1 ? "" : "s", dims));
    }
    for (const auto& note : step.notes) row.below.push_back(printable(note));
    return row;
}

std::size_t widest(const std::vector<Row>& rows, std::string Row::*cell, std::size_t least) {
    std::size_t out = least;
    for (const auto& row : rows) out = std::max(out, width_of(row.*cell));
    return out;
}

std::string padded(const std::string& text, std::size_t width, bool right = false) {
    const std::size_t used = width_of(text);
    const std::string blank(used < width ? width - used : 0, ' ');
    return right ? blank + text : text + blank;
}

void add_line(std::string& out, std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
}

std::string below_text(const Row& row, std::size_t indent, std::size_t width) {
    std::string out;
    for (const auto& line : row.below) out += wrapped(line, indent, width);
    return out;
}

class Rows {
public:
    Rows(std::vector<Row> rows, std::size_t width) : rows_(std::move(rows)), width_(width) {
        line_ = widest(rows_, &Row::line, 4);
        output_ = widest(rows_, &Row::output, 6);
        kind_ = widest(rows_, &Row::kind, 4);
        bytes_ = widest(rows_, &Row::bytes, 5);
        time_ = widest(rows_, &Row::time, 4);
        const std::size_t others = line_ + output_ + kind_ + bytes_ + time_ + widest(rows_, &Row::states, 0) + 12;
        const std::size_t longest = widest(rows_, &Row::expr, 4);
        const std::size_t room = others < width_ ? width_ - others : 0;
        expr_ = std::min(longest, room);
        in_one_line_ = room >= std::min(longest, kShortestExpr);
    }

    std::string text() const {
        std::string out;
        if (in_one_line_) add(out, Row{"line", "step", "output", "kind", "bytes", "time", "states", {}});
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (rows_.size() > kFirst + kLast && i == kFirst) {
                const std::size_t left_out = rows_.size() - kFirst - kLast;
                out += fmt::format("... {} more steps; --json has all\n", left_out);
                i += left_out;
            }
            add(out, rows_[i]);
        }
        return out;
    }

private:
    void add(std::string& out, const Row& row) const {
        const std::string details = padded(row.output, output_) + "  " + padded(row.kind, kind_) + "  " +
                                    padded(row.bytes, bytes_, true) + "  " + padded(row.time, time_, true) + "  " +
                                    row.states;
        const std::string line = padded(row.line, line_, true) + "  ";
        if (in_one_line_) {
            add_line(out, line + padded(shortened(row.expr, expr_), expr_) + "  " + details);
        } else {
            add_line(out, line + shortened(row.expr, width_ - line.size()));
            out += wrapped_details(row, line.size());
        }
        out += below_text(row, line.size() + 2, width_);
    }

    std::string wrapped_details(const Row& row, std::size_t indent) const {
        std::string out;
        std::string line = std::string(indent, ' ');
        for (const std::string* cell : {&row.output, &row.kind, &row.bytes, &row.time, &row.states}) {
            if (cell->empty() || *cell == "-") continue;
            const bool first = line.size() == indent;
            if (!first && width_of(line) + 2 + width_of(*cell) > width_) {
                add_line(out, line);
                line = std::string(indent, ' ');
            } else if (!first) {
                line += "  ";
            }
            line += *cell;
        }
        add_line(out, line);
        return out;
    }

    std::vector<Row> rows_;
    std::size_t width_;
    std::size_t line_ = 0;
    std::size_t expr_ = 0;
    std::size_t output_ = 0;
    std::size_t kind_ = 0;
    std::size_t bytes_ = 0;
    std::size_t time_ = 0;
    bool in_one_line_ = true;
};

// The line that holds the place, and below it marks from there to the end of the place or the line.
std::string marked_line(const Error& error, const std::string& text, std::size_t width) {
    if (!error.where.span) return {};
    const script::Source source(text);
    const auto size = static_cast<int>(text.size());
    const auto begin = static_cast<std::uint32_t>(std::clamp((*error.where.span)[0], 0, size));
    const auto span = source.line_span(source.line_at(begin));
    const auto end = std::clamp(static_cast<std::uint32_t>(std::clamp((*error.where.span)[1], 0, size)), begin,
                                std::max(begin, span.end));
    const auto shown = [](std::string_view part) {
        std::string out = printable(part);
        // A tab, which printable() writes as \x09, is one column here.
        for (std::size_t at = out.find("\\x09"); at != std::string::npos; at = out.find("\\x09", at))
            out.replace(at, 4, " ");
        return out;
    };
    std::string before = shown(source.text({span.begin, begin}));
    const std::string marked = shown(source.text({begin, end}));
    const std::string after = shown(source.text({end, std::max(end, span.end)}));
    before.erase(0, std::min(before.find_first_not_of(' '), before.size()));
    constexpr std::size_t kIndent = 4;
    const std::size_t room = width > kIndent ? width - kIndent : width;
    // Of a long line the part with the place is shown.
    if (width_of(before) + width_of(marked) > room && width_of(before) > room / 3) {
        std::size_t cut = before.size() - std::min(before.size(), room / 3);
        while (cut < before.size() && (static_cast<unsigned char>(before[cut]) & 0xc0U) == 0x80) ++cut;
        before = "..." + before.substr(cut);
    }
    const std::size_t marks =
        std::max<std::size_t>(1, std::min(width_of(marked), room - std::min(room, width_of(before))));
    std::string out(kIndent, ' ');
    out += shortened(before + marked + after, room) + "\n";
    return out + std::string(kIndent + width_of(before), ' ') + std::string(marks, '^') + "\n";
}

}  // namespace

std::string trace_text(const script::Trace& trace, std::size_t width) {
    if (trace.steps.empty()) return {};
    std::vector<Row> rows;
    for (const auto& step : trace.steps) rows.push_back(row_of(step));
    return Rows(std::move(rows), width).text();
}

std::string script_error_text(const Error& error, const std::string& source, const std::string& name,
                              std::size_t width) {
    std::string out = name.empty() ? "" : printable(name) + ":";
    if (error.where.line) out += (name.empty() ? "line " : "") + std::to_string(*error.where.line) + ":";
    if (!out.empty()) out += " ";
    out += printable_lines(error.type + ": " + error.message.text()) + "\n" + marked_line(error, source, width);
    if (!error.hint.empty()) out += wrapped(printable(error.hint.text()), 2, width);
    return out;
}

}  // namespace maskscope::cli
