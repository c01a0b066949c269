// SPDX-License-Identifier: Apache-2.0
// maskscope-cli edit: grows, shrinks, cleans, inverts and relabels a mask, and writes it to another file.
#include "app/cli/edit_ops.h"
#include "app/cli/output.h"
#include "app/cli/value_json.h"
#include "core/io/address.h"
#include "core/io/image_facts.h"
#include "core/io/mask_export.h"

#include <filesystem>
#include <memory>
#include <utility>

namespace maskscope::cli {
namespace {

struct Options {
    std::string mask;
    std::vector<std::string> ops;
    std::string out;
};

// The last two dims are a plane, the ones before count planes; a tensor of rank 1 is one row.
std::int64_t rows_of(const Tensor& tensor) {
    return tensor.rank() < 2 ? 1 : tensor.size(tensor.rank() - 2);
}

Result<void> check_mask(const io::Loaded& loaded, const std::string& name) {
    const auto& tensor = loaded.tensor;
    const auto* image = loaded.item.image.get();
    const bool colours = image != nullptr && image->kind != io::PixelKind::grey &&
                         image->kind != io::PixelKind::palette && tensor.rank() > 2;
    if (colours)
        return usage_error(MS_TEXT("{} is a picture with {} channels, not a mask"), name, tensor.size(2))
            .with_hint(MS_TEXT("Choose one, as in '{}[:, :, 0]'"), name);
    if (tensor.rank() == 0) return usage_error(MS_TEXT("{} is one number; a mask has rows and columns"), name);
    if (tensor.numel() == 0)
        return usage_error(MS_TEXT("{} has the shape {}: there are no cells"), name, text_of(tensor.shape()));
    return {};
}

Result<void> check_ops(const std::vector<EditOp>& ops, const io::Loaded& loaded, const std::string& name) {
    DType dtype = loaded.tensor.dtype();
    for (const auto& op : ops) {
        if (op.needs_labels() && is_floating(dtype))
            return usage_error(MS_TEXT("{} works on labels, and {} holds soft values of {}"), op.text, name,
                               name_of(dtype))
                .with_hint(MS_TEXT("Threshold it first, as in --op threshold:0.5 --op {}"), op.text);
        dtype = dtype_after(op, dtype);
    }
    return {};
}

Result<std::vector<mask::Plane>> planes_of(const Tensor& tensor, const JobContext& context) {
    const Shape flat{tensor.numel() / (rows_of(tensor) * tensor.size(tensor.rank() - 1)), rows_of(tensor),
                     tensor.size(tensor.rank() - 1)};
    MS_TRY(rows, tensor.contiguous());
    MS_TRY(stack, Tensor::view_of(rows.storage(), rows.dtype(), flat, contiguous_strides(flat), rows.offset()));
    std::vector<mask::Plane> planes;
    for (std::int64_t i = 0; i < flat[0]; ++i) {
        MS_TRY(plane, mask::Plane::of(stack.select(0, i), context));
        planes.push_back(std::move(plane));
    }
    if (tensor.storage()->changed_on_disk())
        return input_error(MS_TEXT("the file changed while it was read")).in_file(tensor.storage()->file()->path());
    return planes;
}

Result<Tensor> tensor_of(const std::vector<mask::Plane>& planes, const Shape& shape) {
    MS_TRY(out, Tensor::uninitialised(shape, planes.front().dtype()));
    auto* to = out.writable_data();
    for (const auto& plane : planes) {
        const auto stride = static_cast<std::size_t>(plane.cols()) * plane.cell_bytes();
        plane.copy_rect(plane.bounds(), to, stride);
        to += static_cast<std::size_t>(plane.rows()) * stride;
    }
    return std::move(out);
}

// Written when nothing of it would be lost: this command has no flag to allow that, `convert` has.
Result<io::MaskFormat> save(const std::string& path, const Tensor& tensor, const io::Loaded& source,
                            const JobContext& context) {
    io::MaskToSave mask{tensor, source.item, {}};
    mask.item.load = nullptr;
    mask.item.tensor = tensor;
    mask.item.dtype = tensor.dtype();
    mask.item.shape = tensor.shape();
    mask.item.bytes = tensor.byte_size();
    mask.item.dim_names = source.dim_names;
    MS_TRY(format, io::format_for(path, mask.item));
    MS_TRY(losses, io::preview_loss(mask, format, context));
    if (!losses.empty()) {
        std::string what;
        for (const auto& loss : losses) what += (what.empty() ? "" : "; ") + loss.what;
        return usage_error(MS_TEXT("{} cannot hold the mask: {}"), path, what)
            .with_hint(MS_TEXT("Write .npy, which loses nothing; convert --allow-loss makes other formats of it"));
    }
    MS_CHECK(io::save_mask(path, mask, format, context));
    return format;
}

std::string name_of_format(io::MaskFormat format) {
    for (const auto& info : io::mask_formats())
        if (info.id == format) return info.name;
    return {};
}

std::string name_of_mask(const io::Address& address) {
    if (!address.key.empty()) return address.key + address.slice;
    return std::filesystem::path(address.file).filename().string() + address.slice;
}

Result<Answer> edit_mask(const Options& options, Environment& environment) {
    const auto& context = environment.context;
    std::vector<EditOp> ops;
    for (const auto& text : options.ops) {
        MS_TRY(op, parse_edit_op(text));
        ops.push_back(op);
    }
    MS_CHECK(io::format_for(options.out, io::Item()));  // a wrong extension is seen before the work
    MS_TRY(loaded, io::load_address(io::parse_address(options.mask), context));
    const auto name = name_of_mask(io::parse_address(options.mask));
    MS_CHECK(check_mask(loaded, name));
    MS_CHECK(check_ops(ops, loaded, name));
    MS_TRY(planes, planes_of(loaded.tensor, context));

    Json changes = Json::array();
    Table table;
    table.rows.push_back({"op", "changed", "gained", "lost"});
    table.right = {false, true, true, true};
    for (const auto& op : ops) {
        MS_TRY(count, apply(op, planes, context));
        changes.push_back(
            {{"op", op.text}, {"changed", count.changed}, {"gained", count.gained}, {"lost", count.lost}});
        table.rows.push_back(
            {op.text, std::to_string(count.changed), std::to_string(count.gained), std::to_string(count.lost)});
    }
    MS_TRY(tensor, tensor_of(planes, loaded.tensor.shape()));
    MS_TRY(format, save(options.out, tensor, loaded, context));

    Answer answer;
    answer.json = {{"file", options.out},
                   {"format", name_of_format(format)},
                   {"mask", name},
                   {"dtype", maskscope::name_of(tensor.dtype())},
                   {"shape", dims_json(tensor.shape())},
                   {"planes", planes.size()},
                   {"ops", std::move(changes)}};
    answer.text = fmt::format("{}: {}, {} {}, of {}\n", printable(options.out), name_of_format(format),
                              maskscope::name_of(tensor.dtype()), text_of(tensor.shape()), printable(name)) +
                  table.text("  ");
    return answer;
}

}  // namespace

void add_edit(CLI::App& app, Run& chosen) {
    auto* command = app.add_subcommand("edit", "Grows, shrinks, cleans, inverts and relabels a mask");
    const auto options = std::make_shared<Options>();
    command->add_option("MASK", options->mask, "FILE[::KEY][SLICE]; dims before the last two count planes")->required();
    command->add_option("--op", options->ops, "What to do, one or several, in their order")->required();
    command->add_option("-o,--out", options->out, "FILE.npy, FILE.npz or FILE.png")->required();
    command->footer(
        "Ops, applied in their order to each label on its own and to each plane of a stack. A label grows\n"
        "into background only, never over another label; where two would meet, the smaller one goes first.\n" +
        edit_ops_help());
    command->callback([options, &chosen] {
        chosen = [options](Environment& environment) { return edit_mask(*options, environment); };
    });
}

}  // namespace maskscope::cli
