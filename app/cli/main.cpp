// SPDX-License-Identifier: Apache-2.0
// maskscope-cli: parses, runs the chosen subcommand, and says what came out, for people or as one JSON document.
#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress_bar.h"
#include "core/jobs/parallel.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace maskscope::cli {
namespace {

struct CommandLine {
    CLI::App app{"Opens, describes, draws and computes with the tensors and masks of deep learning.", "maskscope-cli"};
    bool json = false;
    int threads = 0;
    Run chosen;
};

void build(CommandLine& line) {
    auto& app = line.app;
    app.set_version_flag("--version", MASKSCOPE_VERSION);
    app.add_flag("--json", line.json, "One JSON document on stdout, also for a failure");
    app.add_option("--threads", line.threads, "Threads to use, at most the machine's; 0: all of them")
        ->check(CLI::Range(0, 1024));
    app.fallthrough();  // --json may stand before or after the subcommand
    app.require_subcommand(1);
    add_info(app, line.chosen);
    add_eval(app, line.chosen);
    add_broadcast(app, line.chosen);
    add_render(app, line.chosen);
    add_overlay(app, line.chosen);
    add_edit(app, line.chosen);
    add_convert(app, line.chosen);
    add_ops(app, line.chosen);
    add_bench(app, line.chosen);
    add_selftest(app, line.chosen);
    add_devices(app, line.chosen);
    add_formats(app, line.chosen);
}

// CLI11 speaks of "required options" and such; a wrong or missing command deserves its own words.
Error usage_problem(const CommandLine& line, const std::vector<std::string>& arguments,
                    const CLI::ParseError& problem) {
    const auto commands = line.app.get_subcommands(nullptr);
    std::string names;
    for (const auto* command : commands) names += (names.empty() ? "" : ", ") + command->get_name();
    const auto first_word = [&] {
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (arguments[i] == "--threads") {
                ++i;
            } else if (!arguments[i].starts_with('-')) {
                return arguments[i];
            }
        }
        return std::string();
    };
    const std::string word = first_word();
    if (word.empty() && dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr)
        return usage_error(MS_TEXT("a command is missing")).with_hint(MS_TEXT("There are: {}"), names);
    const bool known =
        std::any_of(commands.begin(), commands.end(), [&](const auto* c) { return c->get_name() == word; });
    if (!known && !word.empty())
        return usage_error(MS_TEXT("there is no command \"{}\""), word).with_hint(MS_TEXT("There are: {}"), names);
    return usage_error("{}", problem.what())
        .with_hint(MS_TEXT("maskscope-cli {}{}--help tells more"), word, word.empty() ? "" : " ");
}

void print_line(std::FILE* to, const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), to);
    if (!text.ends_with('\n')) std::fputc('\n', to);
}

int fail(const Error& error, bool json, Json document = Json::object(), const std::string& text = {}) {
    if (json) {
        document["error"] = json_error(error);
        print_line(stdout, dump(document));
    }
    print_line(stderr, "maskscope-cli: " + (text.empty() ? error.text() : text));
    return exit_code(error);
}

int run(const CommandLine& line) {
    const auto stop = watch_interrupts();
    Environment environment;
    Result<Answer> answer = [&] {
        ProgressBar bar;
        environment.context = JobContext(stop, bar.progress());
        return line.chosen(environment);
    }();
    for (const auto& note : environment.notes) print_line(stderr, note);
    if (!answer) return fail(answer.error(), line.json);
    if (answer->failure) {
        if (!line.json && !answer->text.empty()) print_line(stdout, answer->text);
        return fail(*answer->failure, line.json, std::move(answer->json), answer->failure_text);
    }
    const std::string text = line.json ? dump(answer->json) : answer->text;
    if (!text.empty()) print_line(stdout, text);
    // A full disk or a closed pipe must not pass as success.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        return fail(make_error(ErrorKind::unavailable, MS_TEXT("cannot write to stdout")), false);
    return answer->bad ? 1 : 0;
}

}  // namespace
}  // namespace maskscope::cli

int main(int argc, char** argv) {
    using namespace maskscope::cli;
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    const bool json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
    try {
        CommandLine line;
        build(line);
        try {
            line.app.parse(argc, argv);
        } catch (const CLI::ParseError& problem) {
            if (problem.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return line.app.exit(problem);
            return fail(usage_problem(line, arguments, problem), json);
        }
        // More threads than cores only take turns.
        const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
        if (line.threads > 0) maskscope::set_thread_count(std::min(line.threads, cores));
        return run(line);
    } catch (const std::bad_alloc&) {
        return fail(maskscope::make_error(maskscope::ErrorKind::unavailable, MS_TEXT("there is not enough memory")),
                    json);
    } catch (const std::exception& problem) {
        return fail(maskscope::make_error(maskscope::ErrorKind::unavailable, "{}", problem.what()), json);
    }
}
