// SPDX-License-Identifier: Apache-2.0
// maskscope-cli formats: which files can be read and written.
#include "app/cli/output.h"
#include "core/io/format.h"
#include "core/io/mask_export.h"

namespace maskscope::cli {
namespace {

std::string mask_formats_text(Json& json) {
    json["mask_formats"] = Json::array();
    Table table;
    table.rows.push_back({"--to", "format", "extension", "about"});
    for (const auto& format : io::mask_formats()) {
        json["mask_formats"].push_back(
            {{"name", format.name}, {"title", format.title}, {"extension", format.extension}, {"about", format.about}});
        table.rows.push_back({format.name, format.title, format.extension, format.about});
    }
    return table.text("");
}

Answer formats_answer() {
    Answer answer;
    answer.json = {{"formats", Json::array()}};
    Table table;
    table.rows.push_back({"id", "format", "extensions", "writes", "about"});
    for (const auto& format : io::formats()) {
        Json extensions = Json::array();
        std::string joined;
        for (const auto extension : format.extensions) {
            extensions.push_back(std::string(extension));
            joined += (joined.empty() ? "" : " ") + std::string(extension);
        }
        const bool writes = format.write != nullptr;
        answer.json["formats"].push_back({{"id", format.id},
                                          {"title", format.title},
                                          {"extensions", std::move(extensions)},
                                          {"reads", true},
                                          {"writes", writes},
                                          {"about", format.about}});
        table.rows.push_back({format.id, format.title, joined, writes ? "yes" : "no", format.about});
    }
    answer.text = table.text("") + "\nMasks are also written, by convert:\n" + mask_formats_text(answer.json);
    return answer;
}

}  // namespace

void add_formats(CLI::App& app, Run& chosen) {
    auto* command = app.add_subcommand("formats", "Which files can be read and written");
    command->callback([&chosen] { chosen = [](Environment&) -> Result<Answer> { return formats_answer(); }; });
}

}  // namespace maskscope::cli
