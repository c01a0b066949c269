// SPDX-License-Identifier: Apache-2.0
#include "app/cli/script_source.h"

#include "core/io/address.h"
#include "core/script/syntax/parser.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

namespace maskscope::cli {
namespace {

// Not more than the language reads, and one byte, by which it tells that there is more.
Result<std::string> read_all(std::FILE* file, const std::string& name) {
    std::string out;
    std::array<char, 1U << 16U> part;
    while (out.size() <= script::kLongestScript) {
        errno = 0;
        const std::size_t count = std::fread(part.data(), 1, part.size(), file);
        out.append(part.data(), count);
        if (count < part.size()) break;
    }
    if (std::ferror(file) != 0) return system_error("cannot read", errno).in_file(name);
    return out;
}

bool is_name(std::string_view text) {
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
    };
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    return !text.empty() && letter(text.front()) &&
           std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || digit(c); });
}

// "scores", or an attribute of an object: "self.scale".
bool is_input_name(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) return is_name(text);
    return is_name(text.substr(0, dot)) && is_name(text.substr(dot + 1));
}

}  // namespace

void add_script_options(CLI::App& command, ScriptOptions& options) {
    command.add_option("FILE", options.file, "The script; - reads it from stdin");
    command.add_option("-c,--code", options.code, "The script itself");
    command.add_option("--in", options.inputs, "NAME=FILE[::KEY][SLICE]: a tensor under that name; may be repeated")
        ->allow_extra_args(false);
}

Result<ScriptSource> read_script(const ScriptOptions& options) {
    if (options.code && !options.file.empty())
        return usage_error(MS_TEXT("there are two scripts: {} and -c"), options.file);
    if (options.code) return ScriptSource{*options.code, ""};
    if (options.file.empty())
        return usage_error(MS_TEXT("a script is missing")).with_hint(MS_TEXT("Give a file, -c CODE, or - for stdin"));
    if (options.file == "-") {
        MS_TRY(text, read_all(stdin, "<stdin>"));
        return ScriptSource{std::move(text), "<stdin>"};
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(options.file.c_str(), "rb"), &std::fclose);
    if (!file) return system_error("cannot open", errno).in_file(options.file);
    MS_TRY(text, read_all(file.get(), options.file));
    return ScriptSource{std::move(text), options.file};
}

Result<std::vector<script::Input>> load_inputs(const ScriptOptions& options, const JobContext& context) {
    std::vector<script::Input> out;
    for (const auto& text : options.inputs) {
        MS_TRY(binding, split_binding("--in", text));
        const std::string name = binding.first;
        if (!is_input_name(name)) return usage_error(MS_TEXT("--in {}: \"{}\" is no name of a variable"), text, name);
        if (std::any_of(out.begin(), out.end(), [&](const auto& input) { return input.name == name; }))
            return usage_error(MS_TEXT("--in names {} twice"), name);
        MS_TRY(loaded, io::load_address(io::parse_address(binding.second), context));
        out.push_back({name, loaded.tensor});
    }
    return out;
}

Result<std::pair<std::string, std::string>> split_binding(const char* option, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        return usage_error(MS_TEXT("{} wants NAME=FILE, and got {}"), option, text);
    return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

}  // namespace maskscope::cli
