// SPDX-License-Identifier: Apache-2.0
// maskscope-cli info: what stands in files, and exact statistics of every tensor.
#include "app/cli/output.h"
#include "app/cli/value_json.h"
#include "core/io/address.h"
#include "core/io/image_facts.h"
#include "core/tensor/stats.h"

#include <memory>

namespace maskscope::cli {
namespace {

struct Options {
    std::vector<std::string> files;
    bool no_stats = false;
};

// "C" as NumPy calls row-major, "F" column-major, else "strided". One of both is C.
std::string order_of(const Tensor& tensor) {
    if (tensor.is_contiguous()) return "C";
    Dims reversed_shape;
    for (int d = tensor.rank(); d-- > 0;) reversed_shape.push_back(tensor.size(d));
    Strides wanted = contiguous_strides(reversed_shape);
    for (int d = 0; d < tensor.rank(); ++d)
        if (tensor.size(d) != 1 && tensor.strides()[d] != wanted[tensor.rank() - 1 - d]) return "strided";
    return "F";
}

std::string count_text(std::int64_t count) {
    return count == 0 ? "-" : std::to_string(count);
}

// The cells of a tensor's row that the statistics fill.
std::vector<std::string> stats_cells(const TensorStats& stats, DType dtype) {
    const bool any = stats.finite > 0;
    const auto number = [&](double value) { return any ? short_text_of(value) : std::string("-"); };
    const auto end = [&](const Scalar& value) {
        return any && is_integer(dtype) ? text_of(value, dtype) : number(to_double(value));
    };
    if (dtype == DType::boolean)
        return {"-",
                "-",
                any ? fmt::format("{:.4g} % true", 100 * stats.mean) : "-",
                "-",
                "-",
                "-",
                count_text(stats.zero)};
    return {end(stats.min),           end(stats.max),           number(stats.mean),    count_text(stats.nan),
            count_text(stats.posinf), count_text(stats.neginf), count_text(stats.zero)};
}

const char* kind_name(io::PixelKind kind) {
    switch (kind) {
        case io::PixelKind::grey_alpha:
            return "grey_alpha";
        case io::PixelKind::rgb:
            return "rgb";
        case io::PixelKind::rgba:
            return "rgba";
        case io::PixelKind::palette:
            return "palette";
        case io::PixelKind::grey:
            break;
    }
    return "grey";
}

// Where an image's numbers come from; nothing of it has been applied to them.
Json image_json(const io::ImageFacts& facts) {
    return {{"kind", kind_name(facts.kind)},    {"bit_depth", facts.bit_depth},
            {"palette", facts.palette},         {"channel_order", facts.channel_order},
            {"orientation", facts.orientation}, {"orientation_text", io::orientation_text(facts.orientation)},
            {"pages", facts.page_count},        {"white_is_zero", facts.white_is_zero},
            {"compression", facts.compression}};
}

class Report {
public:
    Report(const Options& options, Environment& environment) : options_(options), environment_(environment) {}

    Result<Answer> run() {
        Answer answer;
        answer.json = {{"files", Json::array()}};
        for (const auto& name : options_.files) {
            auto described = describe(name);
            if (described) {
                answer.json["files"].push_back(std::move(described->json));
                if (!answer.text.empty()) answer.text += "\n";
                answer.text += described->text;
                continue;
            }
            // Ctrl+C ends the command; a bad file among good ones only fails it at the end.
            if (described.error().kind == ErrorKind::cancelled) return described.error();
            if (answer.failure) environment_.notes.push_back("maskscope-cli: " + answer.failure->text());
            answer.failure = described.error();
        }
        return answer;
    }

private:
    Result<Answer> describe(const std::string& name) {
        const auto address = io::parse_address(name);
        if (!address.key.empty() || !address.slice.empty()) return describe_part(name, address);
        MS_TRY(contents, io::open_file(address.file, environment_.context));
        return describe_file(contents);
    }

    // FILE::KEY[SLICE]: that one tensor.
    Result<Answer> describe_part(const std::string& name, const io::Address& address) {
        MS_TRY(loaded, io::load_address(address, environment_.context));
        io::FileContents contents;
        contents.path = address.file;
        io::Item item = loaded.item;
        item.tensor = loaded.tensor;
        item.load = nullptr;
        item.shape = loaded.tensor.shape();
        item.bytes = loaded.tensor.byte_size();
        item.dim_names = loaded.dim_names;
        item.key = address.key + address.slice;
        contents.items.push_back(std::move(item));
        auto answer = describe_file(contents);
        if (!answer) return std::move(answer).error().in_file(name);
        return answer;
    }

    Result<Answer> describe_file(const io::FileContents& contents) {
        Answer answer;
        Json tensors = Json::array();
        Json labels = Json::array();
        table_ = {};
        table_.rows.push_back({"key", "dtype", "shape", "order", "bytes", "mapped"});
        table_.right = {false, false, false, false, true, false};
        if (!options_.no_stats) {
            for (const char* column : {"min", "max", "mean", "nan", "+inf", "-inf", "zero"}) {
                table_.rows[0].emplace_back(column);
                table_.right.push_back(true);
            }
        }
        expect_elements(contents);
        std::string label_lines;
        std::size_t bytes = 0;
        for (const auto& item : contents.items) {
            if (item.labels) {
                labels.push_back({{"key", item.key}, {"rows", item.labels->rows}});
                label_lines += label_text(item);
                continue;
            }
            bytes += item.bytes;
            MS_TRY(tensor, tensor_json(item));
            tensors.push_back(std::move(tensor));
        }
        const std::string count = fmt::format("{} tensor{}", tensors.size(), tensors.size() == 1 ? "" : "s");
        answer.text =
            fmt::format("{}: {}{}, {}\n", printable(contents.path),
                        contents.format_id.empty() ? "" : contents.format_id + ", ", count, bytes_text(bytes));
        if (table_.rows.size() > 1) answer.text += table_.text("  ");
        answer.text += label_lines + metadata_text(contents);
        answer.json = {{"file", contents.path},
                       {"format", contents.format_id},
                       {"tensors", std::move(tensors)},
                       {"labels", std::move(labels)},
                       {"metadata", contents.metadata}};
        return answer;
    }

    void expect_elements(const io::FileContents& contents) const {
        if (options_.no_stats) return;
        std::int64_t elements = 0;
        for (const auto& item : contents.items)
            if (!item.labels) elements += static_cast<std::int64_t>(item.bytes / size_of(item.dtype));
        environment_.context.expect(elements);
    }

    Result<Json> tensor_json(const io::Item& item) {
        Json json = {{"key", item.key}, {"dtype", name_of(item.dtype)}, {"shape", dims_json(item.shape)}};
        std::vector<std::string> row = {item.key.empty() ? "(none)" : printable(item.key),
                                        std::string(name_of(item.dtype)), text_of(item.shape)};
        std::string order = item.fortran_order ? "F" : "C";
        if (item.tensor.defined()) order = order_of(item.tensor);
        Json stats;
        std::vector<std::string> cells;
        if (!options_.no_stats) {
            MS_TRY(tensor, io::tensor_of(item, environment_.context));
            MS_TRY(numbers, compute_stats(tensor, environment_.context));
            order = order_of(tensor);
            stats = stats_json(numbers, item.dtype);
            cells = stats_cells(numbers, item.dtype);
        }
        json["order"] = order;
        json["bytes"] = item.bytes;
        json["mapped"] = item.mapped;
        if (!options_.no_stats) json["stats"] = std::move(stats);
        if (!item.dim_names.empty()) json["dims"] = item.dim_names;
        if (!item.note.empty()) json["note"] = item.note;
        if (item.image) json["image"] = image_json(*item.image);
        row.insert(row.end(), {order, bytes_text(item.bytes), item.mapped ? "yes" : "no"});
        row.insert(row.end(), cells.begin(), cells.end());
        if (!item.note.empty()) row.push_back("(" + printable(item.note) + ")");
        table_.rows.push_back(std::move(row));
        return json;
    }

    static std::string label_text(const io::Item& item) {
        std::string out;
        const auto& rows = item.labels->rows;
        for (std::size_t r = 0; r < rows.size() && r < 4; ++r) {
            out += r == 0 ? fmt::format("  {}labels, {} row{}:", item.key.empty() ? "" : printable(item.key) + ": ",
                                        rows.size(), rows.size() == 1 ? "" : "s")
                          : "        ";
            for (std::size_t i = 0; i < rows[r].size() && i < 16; ++i) out += " " + printable(rows[r][i]);
            out += rows[r].size() > 16 ? " ...\n" : "\n";
        }
        return out;
    }

    static std::string metadata_text(const io::FileContents& contents) {
        constexpr std::size_t kLines = 20;
        constexpr std::size_t kWidth = 90;
        std::string out;
        std::size_t lines = 0;
        for (const auto& [key, value] : contents.metadata) {
            if (++lines > kLines) {
                out +=
                    fmt::format("  ... {} more in the metadata; --json has all\n", contents.metadata.size() - kLines);
                break;
            }
            std::string line = printable(key + " = " + value);
            if (line.size() > kWidth) {
                std::size_t end = kWidth;
                while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0U) == 0x80) --end;
                line.replace(end, std::string::npos, "...");
            }
            out += "  " + line + "\n";
        }
        return out;
    }

    const Options& options_;
    Environment& environment_;
    Table table_;
};

}  // namespace

void add_info(CLI::App& app, Run& chosen) {
    auto* command = app.add_subcommand("info", "What stands in files: keys, dtypes, shapes, statistics");
    const auto options = std::make_shared<Options>();
    command->add_option("FILE", options->files, "Files, or FILE::KEY[SLICE] for one tensor")->required();
    command->add_flag("--no-stats", options->no_stats, "Headers only; reads no elements");
    command->callback([options, &chosen] {
        chosen = [options](Environment& environment) { return Report(*options, environment).run(); };
    });
}

}  // namespace maskscope::cli
