// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output.h"

#include "app/cli/layout.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope::cli {

Json json_number(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

Json json_number(const Scalar& value) {
    return std::visit(
        [](auto number) -> Json {
            if constexpr (std::is_same_v<decltype(number), double>) {
                return json_number(number);
            } else {
                return number;
            }
        },
        value);
}

Json json_error(const Error& error) {
    Json where = Json::object();
    if (!error.where.file.empty()) where["file"] = error.where.file;
    if (error.where.offset) where["offset"] = *error.where.offset;
    if (error.where.line) where["line"] = *error.where.line;
    if (error.where.span) where["span"] = *error.where.span;
    return {{"type", error.type},
            {"message", error.message.text()},
            {"where", std::move(where)},
            {"hint", error.hint.text()}};
}

namespace {

std::string leaf(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// One line for an array of numbers or words, so that a matrix reads as one.
void write(const Json& json, std::size_t indent, std::string& out) {
    const bool flat = std::none_of(json.begin(), json.end(), [](const Json& item) { return item.is_structured(); });
    if (!json.is_structured() || json.empty()) {
        out += leaf(json);
        return;
    }
    if (json.is_array() && flat) {
        for (std::size_t i = 0; i < json.size(); ++i) out += (i == 0 ? "[" : ", ") + leaf(json[i]);
        out += "]";
        return;
    }
    const std::string line = "\n" + std::string(indent + 2, ' ');
    out += json.is_array() ? "[" : "{";
    bool first = true;
    for (const auto& [key, item] : json.items()) {
        out += (first ? "" : ",") + line;
        if (json.is_object()) out += leaf(key) + ": ";
        write(item, indent + 2, out);
        first = false;
    }
    out += "\n" + std::string(indent, ' ') + (json.is_array() ? "]" : "}");
}

}  // namespace

std::string dump(const Json& json) {
    std::string out;
    write(json, 0, out);
    return out;
}

int exit_code(const Error& error) {
    switch (error.kind) {
        case ErrorKind::usage:
            return 2;
        case ErrorKind::input:
            return 3;
        case ErrorKind::unavailable:
            return 4;
        case ErrorKind::cancelled:
            return 130;
    }
    return 3;
}

std::string bytes_text(std::size_t bytes) {
    constexpr std::array units = {"B", "KB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, units[unit]);
}

std::string printable(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            out += fmt::format("\\x{:02x}", byte);
        } else {
            out += c;
        }
    }
    return out;
}

std::string Table::text(std::string_view indent) const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line(indent);
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string padding(widths[c] - width_of(row[c]), ' ');
            const bool to_right = c < right.size() && right[c];
            line += to_right ? padding + row[c] : row[c] + padding;
            line += "  ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

}  // namespace maskscope::cli
