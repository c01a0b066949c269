// SPDX-License-Identifier: Apache-2.0
// The engine as a process that answers: fuzz.py sends it programs and compares what it says with PyTorch.
//
//   fuzz_torch_driver          reads programs, each as "<bytes>\n" and that many bytes; one JSON line for each
//   fuzz_torch_driver --ops    the table of ops instead: name, forms, traits, signature and samples, one JSON line each
#include "core/ops/op_table.h"
#include "core/script/language/evaluate.h"
#include "tests/core/script/golden_value.h"

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

using namespace maskscope;
using golden::Json;

namespace {

// A program of the fuzzer runs for milliseconds: what does not end has lost its way.
constexpr double kSeconds = 10;

Json outcome_of(const std::string& code) {
    script::Options options;
    options.trace = false;
    options.limits.seconds = kSeconds;
    const script::Evaluation run = script::evaluate(code, {}, options);
    Json variables = Json::array();
    for (const auto& [name, value] : run.variables) variables.push_back(Json::array({name, golden::written(value)}));
    Json outcome{{"variables", variables}, {"printed", run.printed}};
    if (run.error) outcome["error"] = {{"type", run.error->type}, {"text", run.error->message.text()}};
    return outcome;
}

// A text may hold bytes that are not UTF-8 only by a mistake of the engine: they are shown, not refused.
void say(const Json& line) {
    std::cout << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
}

void list_ops() {
    for (const auto& [name, spec] : ops::op_table().all()) {
        Json overloads = Json::array();
        for (const ops::Overload& overload : spec.overloads) {
            overloads.push_back(
                {{"signature", overload.signature}, {"forms", overload.forms}, {"traits", overload.traits}});
        }
        say({{"name", name}, {"overloads", overloads}, {"samples", spec.samples}});
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count > 1 && std::string_view(arguments[1]) == "--ops") {
        list_ops();
        return 0;
    }
    std::string length;
    while (std::getline(std::cin, length)) {
        std::string code(std::stoul(length), '\0');
        if (!std::cin.read(code.data(), static_cast<std::streamsize>(code.size()))) return 1;
        try {
            say(outcome_of(code));
        } catch (const std::exception& thrown) {
            say({{"thrown", thrown.what()}});
        }
    }
    return 0;
}
