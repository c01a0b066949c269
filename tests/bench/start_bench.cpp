// SPDX-License-Identifier: Apache-2.0
// From exec to exit, warm: the command with a small answer, and the window up to its first painted frame.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace {

bool run(std::vector<std::string> words) {
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_WRONLY, 0);
    }
    pid_t child = 0;
    int status = posix_spawn(&child, argv[0], &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (status != 0) return false;
    waitpid(child, &status, 0);
    return status == 0;
}

void start(benchmark::State& state, const std::vector<std::string>& words) {
    if (!run(words)) return state.SkipWithError("the program did not run");
    for (auto _ : state) run(words);
}

}  // namespace

int main(int argc, char** argv) {
    const auto add = [](const char* name, std::vector<std::string> words) {
        benchmark::RegisterBenchmark(name, [words = std::move(words)](benchmark::State& state) { start(state, words); })
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime()
            ->Iterations(21);
    };
    add("start/true", {"/bin/true"});
    add("start/command", {MASKSCOPE_CLI, "formats"});
    add("start/command_info", {MASKSCOPE_CLI, "info", MS_SOURCE_DIR "/samples/attention/keep_mask.npy"});
#ifdef MASKSCOPE_GUI
    // A platform given from outside is kept, so that the window can be measured on a real screen.
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    add("start/window", {MASKSCOPE_GUI, "--startup-time"});
#endif
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
