// SPDX-License-Identifier: Apache-2.0
// maskscope-cli convert: a mask from one file format to another, with what would be lost said before anything is
// written.
#include "app/cli/output.h"
#include "core/io/address.h"
#include "core/io/mask_export.h"

#include <algorithm>
#include <memory>

namespace maskscope::cli {
namespace {

struct Options {
    std::string from;
    std::string to;
    std::string format;
    bool allow_loss = false;
};

std::string format_names() {
    std::string out;
    for (const auto& format : io::mask_formats()) out.append(out.empty() ? "" : ", ").append(format.name);
    return out;
}

const io::MaskFormatInfo& info_of(io::MaskFormat format) {
    const auto& all = io::mask_formats();
    return *std::find_if(all.begin(), all.end(), [&](const auto& info) { return info.id == format; });
}

Result<io::MaskFormat> choose_format(const Options& options, const io::Item& item) {
    if (options.format.empty()) return io::format_for(options.to, item);
    for (const auto& format : io::mask_formats())
        if (options.format == format.name) return format.id;
    return usage_error(MS_TEXT("--to {} is no format for masks"), options.format)
        .with_hint(MS_TEXT("There are: {}"), format_names());
}

Json losses_json(const std::vector<io::Loss>& losses) {
    Json out = Json::array();
    for (const auto& loss : losses) out.push_back({{"kind", loss.kind}, {"amount", loss.amount}, {"what", loss.what}});
    return out;
}

Error would_lose(const Options& options, const io::MaskFormatInfo& format, const std::vector<io::Loss>& losses) {
    std::string what;
    bool impossible = false;
    for (const auto& loss : losses) {
        what += (what.empty() ? "" : "; ") + loss.what;
        impossible = impossible || loss.kind == "labels";
    }
    auto error = input_error(MS_TEXT("{} would not hold all of it, and nothing is written: {}"), format.title, what)
                     .in_file(options.to);
    if (impossible) return std::move(error).with_hint(MS_TEXT("Save it as .npy, which holds any label"));
    return std::move(error).with_hint(MS_TEXT("--allow-loss writes it all the same"));
}

Result<Answer> answer_of(const Options& options, Environment& environment) {
    MS_TRY(loaded, io::load_address(io::parse_address(options.from), environment.context));
    // The item as it is after the slice: the format is chosen by that.
    io::MaskToSave mask{loaded.tensor, loaded.item, ""};
    const bool sliced = !(loaded.tensor.shape() == loaded.item.shape);
    mask.item.shape = loaded.tensor.shape();
    mask.item.bytes = loaded.tensor.byte_size();
    mask.item.tensor = loaded.tensor;
    if (sliced) mask.item.coco = nullptr;
    MS_TRY(chosen, choose_format(options, mask.item));
    const auto& format = info_of(chosen);
    MS_TRY(losses, io::preview_loss(mask, chosen, environment.context));
    Answer answer;
    answer.json = {{"from", options.from},
                   {"to", options.to},
                   {"format", format.name},
                   {"losses", losses_json(losses)},
                   {"written", false}};
    if (!losses.empty() && !options.allow_loss) {
        answer.failure = would_lose(options, format, losses);
        return answer;
    }
    auto saved = io::save_mask(options.to, mask, chosen, environment.context);
    if (!saved) {
        if (saved.error().kind == ErrorKind::cancelled) return std::move(saved).error();
        answer.failure = std::move(saved).error();
        return answer;
    }
    answer.json["written"] = true;
    answer.text = fmt::format("{}: {}\n", printable(options.to), format.title);
    for (const auto& loss : losses) answer.text += "  lost: " + printable(loss.what) + "\n";
    return answer;
}

}  // namespace

void add_convert(CLI::App& app, Run& chosen) {
    auto* command = app.add_subcommand("convert", "A mask in another file format; says what would be lost");
    const auto options = std::make_shared<Options>();
    command->add_option("IN", options->from, "FILE[::KEY][SLICE]")->required();
    command->add_option("OUT", options->to, "The file to write; its extension chooses the format")->required();
    command->add_option("--to", options->format, "The format: " + format_names());
    command->add_flag("--allow-loss", options->allow_loss, "Write also what does not hold all of the mask");
    command->callback([options, &chosen] {
        chosen = [options](Environment& environment) { return answer_of(*options, environment); };
    });
}

}  // namespace maskscope::cli
