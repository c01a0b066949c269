// SPDX-License-Identifier: Apache-2.0
// A table of numbers as text: comma, semicolon or tab, one row a line, names in the first line if they are there.
#include "core/base/utf8.h"
#include "core/io/file_elements.h"
#include "core/io/format.h"
#include "core/io/limits.h"
#include "core/io/number_words.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace maskscope::io {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool recognises_csv(std::span<const std::byte> /*head*/, std::string_view extension) {
    return extension == ".csv" || extension == ".tsv";
}

std::string_view trimmed(std::string_view cell) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!cell.empty() && blank(cell.front())) cell.remove_prefix(1);
    while (!cell.empty() && blank(cell.back())) cell.remove_suffix(1);
    return cell;
}

std::optional<double> number_in(std::string_view cell) {
    if (const auto word = number_word(cell)) return word;
    if (cell.starts_with('+')) cell.remove_prefix(1);
    double value = 0;
    const auto [end, status] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    // Beyond double's range: from_chars leaves the value alone, Python says inf or 0; refused as no number.
    if (status != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
    return value;
}

class TableParser {
public:
    explicit TableParser(std::string_view text) : text_(text) {
        if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
        while (!text_.empty() && (text_.back() == '\n' || text_.back() == '\r')) text_.remove_suffix(1);
    }

    Result<void> parse(const JobContext& context) {
        if (at_ >= text_.size()) return input_error(MS_TEXT("the file is empty")).at(0);
        separator_ = find_separator();
        while (at_ <= text_.size()) {
            if ((line_ & 0xFFFU) == 0 && context.cancelled()) return cancelled_error();
            ++line_;
            const std::size_t end = std::min(text_.find('\n', at_), text_.size());
            MS_CHECK(row(text_.substr(at_, end - at_)));
            at_ = end + 1;
        }
        if (rows_ == 0) return input_error(MS_TEXT("there are names and no numbers below them")).at_line(line_);
        return {};
    }

    Result<Tensor> tensor() const {
        MS_TRY(out, Tensor::zeros({rows_, columns_}, DType::f64));
        std::copy(values_.begin(), values_.end(), out.writable_as<double>());
        return out;
    }
    bool has_names() const { return has_names_; }

private:
    // The first line decides; a comma may also be in names and decimals, so the rarer two are asked first.
    char find_separator() const {
        const std::string_view line = text_.substr(at_, text_.find('\n', at_) - at_);
        for (const char separator : {'\t', ';'}) {
            if (line.find(separator) != std::string_view::npos) return separator;
        }
        return ',';
    }

    Result<void> row(std::string_view line) {
        if (line.ends_with('\r')) line.remove_suffix(1);
        MS_CHECK(split(line));
        if (line_ == 1 && is_names()) {
            has_names_ = true;
            columns_ = static_cast<std::int64_t>(cells_.size());
            return {};
        }
        if (columns_ == 0) columns_ = static_cast<std::int64_t>(cells_.size());
        if (columns_ != static_cast<std::int64_t>(cells_.size())) {
            return input_error(MS_TEXT("this line has {} cells and the first has {}"), cells_.size(), columns_)
                .at(at_)
                .at_line(line_);
        }
        for (std::size_t column = 0; column < cells_.size(); ++column) {
            const auto value = number_in(cells_[column]);
            if (!value) return bad_cell(column);
            values_.push_back(*value);
        }
        ++rows_;
        return {};
    }

    // Words and no numbers; a cell may be empty, as over the index that pandas writes.
    bool is_names() const {
        const auto is_number = [](const auto& cell) { return number_in(cell).has_value(); };
        const auto is_empty = [](const auto& cell) { return cell.empty(); };
        return std::none_of(cells_.begin(), cells_.end(), is_number) &&
               !std::all_of(cells_.begin(), cells_.end(), is_empty);
    }

    Error bad_cell(std::size_t column) const {
        const std::string_view cell = cells_[column];
        Error error = cell.empty() ? input_error(MS_TEXT("column {} is empty"), column + 1)
                                   : input_error(MS_TEXT("{} in column {} is no number"), in_quotes(cell), column + 1);
        error = std::move(error).at(at_).at_line(line_);
        if (cell.empty()) return std::move(error).with_hint(MS_TEXT("write nan for a missing number"));
        if (cell.find(',') != std::string_view::npos) {
            return std::move(error).with_hint(MS_TEXT("write decimals with a point"));
        }
        return error;
    }

    // Cells in double quotes may hold the separator, but no line break.
    Result<void> split(std::string_view line) {
        cells_.clear();
        while (true) {
            std::size_t end = 0;
            std::string_view rest = line;
            while (rest.starts_with(' ')) rest.remove_prefix(1);
            if (rest.starts_with('"')) {
                const std::size_t close = rest.find('"', 1);
                if (close == std::string_view::npos) {
                    return input_error(MS_TEXT("column {} opens a quote and does not close it"), cells_.size() + 1)
                        .at(at_)
                        .at_line(line_);
                }
                cells_.push_back(trimmed(rest.substr(1, close - 1)));
                end = rest.find(separator_, close);
                line = rest;
            } else {
                end = line.find(separator_);
                cells_.push_back(trimmed(line.substr(0, end)));
            }
            if (end == std::string_view::npos) return {};
            line.remove_prefix(end + 1);
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 0;
    char separator_ = ',';
    std::vector<std::string_view> cells_;
    std::vector<double> values_;
    std::int64_t rows_ = 0;
    std::int64_t columns_ = 0;
    bool has_names_ = false;
};

Result<FileContents> read_csv(const std::shared_ptr<const MappedFile>& file, const JobContext& context) {
    const auto bytes = file->bytes();
    if (bytes.size() > kMaxTextBytes) {
        return input_error(MS_TEXT("the text has {} bytes; at most {} are read"), bytes.size(), kMaxTextBytes)
            .with_hint(MS_TEXT("save it as .npy"));
    }
    TableParser parser({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    MS_CHECK(parser.parse(context));
    if (file->changed()) return changed_error(file->path());
    MS_TRY(tensor, parser.tensor());
    Item item;
    item.tensor = tensor;
    item.dtype = DType::f64;
    item.shape = tensor.shape();
    item.bytes = tensor.byte_size();
    if (parser.has_names()) item.note = "the first line holds names";
    FileContents out;
    out.items.push_back(std::move(item));
    return out;
}

}  // namespace

Format csv_format() {
    return {.id = "csv",
            .title = MS_TEXT("table of numbers"),
            .extensions = {".csv", ".tsv"},
            .about = MS_TEXT(
                "comma, semicolon or tab; nan and inf as words; names in the first line are skipped; becomes float64"),
            .recognises = recognises_csv,
            .read = read_csv,
            .write = nullptr};
}

}  // namespace maskscope::io
