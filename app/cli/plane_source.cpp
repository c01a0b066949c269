// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plane_source.h"

#include "app/cli/slice_trace.h"
#include "core/document/document.h"
#include "core/document/mask_link.h"
#include "core/io/address.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/ranges.h>

namespace maskscope::cli {
namespace {

// A loaded tensor with what its slice left of the file's dims.
struct Operand {
    io::Address address;
    io::Loaded loaded;
    std::vector<SliceItem> slice;
    SliceTrace trace;
    std::vector<std::string> whole_names;  // of the file's tensor; guessed where the file has none
    std::vector<std::string> names;        // of the sliced tensor

    const Tensor& tensor() const { return loaded.tensor; }
    std::string shown() const {
        if (address.key.empty()) return std::filesystem::path(address.file).filename().string() + address.slice;
        return address.key + address.slice;
    }
};

Result<Operand> load_operand(const std::string& text, const JobContext& context) {
    Operand out;
    out.address = io::parse_address(text);
    MS_TRY(loaded, io::load_address(out.address, context));
    out.loaded = std::move(loaded);
    // A key may itself end in brackets, "list[0]": then they were no slice.
    const bool slice_is_key = !out.address.slice.empty() && out.loaded.item.key == out.address.key + out.address.slice;
    MS_TRY(items, parse_slice(slice_is_key ? "" : out.address.slice));
    out.slice = items;
    out.trace = trace_slice(out.loaded.item.shape, items);
    out.whole_names = document::guess_dims(out.loaded.item, out.loaded.item.key);
    for (const SlicedDim& dim : out.trace.dims)
        out.names.push_back(dim.source < 0 ? "" : out.whole_names[static_cast<std::size_t>(dim.source)]);
    return out;
}

struct PlaneDims {
    int row = -1;  // -1: the tensor is shown as one row, or as one cell
    int col = -1;
};

// The slice that was given, with 0 for the leading dims that are still too many.
std::string slice_that_fits(const Operand& operand) {
    std::vector<std::string> places(operand.trace.chosen.size(), ":");
    for (std::size_t d = 0; d < places.size(); ++d)
        if (operand.trace.chosen[d]) places[d] = std::to_string(*operand.trace.chosen[d]);
    for (int d = 0; d + 2 < operand.tensor().rank(); ++d) {
        const int source = operand.trace.dims[static_cast<std::size_t>(d)].source;
        if (source >= 0) places[static_cast<std::size_t>(source)] = "0";
    }
    while (!places.empty() && places.back() == ":") places.pop_back();
    return fmt::format("[{}]", fmt::join(places, ", "));
}

Error needs_a_slice(const Operand& operand) {
    return usage_error(MS_TEXT("a picture shows two dimensions and {} has the shape {}"), operand.shown(),
                       text_of(operand.tensor().shape()))
        .with_hint(MS_TEXT("Choose a slice, as in '{}{}{}', or other axes with --rows and --cols"),
                   operand.address.file, operand.address.key.empty() ? "" : "::" + operand.address.key,
                   slice_that_fits(operand));
}

Result<int> find_dim(const Operand& operand, const std::string& wanted) {
    const int rank = operand.tensor().rank();
    const auto found = std::find(operand.names.begin(), operand.names.end(), wanted);
    if (found != operand.names.end()) return static_cast<int>(found - operand.names.begin());
    int dim = 0;
    const auto [end, status] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), dim);
    if (status == std::errc() && end == wanted.data() + wanted.size() && dim >= -rank && dim < rank)
        return dim < 0 ? dim + rank : dim;
    std::string names;
    for (int d = 0; d < rank; ++d)
        names += fmt::format("{}{} ({})", d == 0 ? "" : ", ", d, operand.names[static_cast<std::size_t>(d)]);
    return usage_error(MS_TEXT("{} has no dimension \"{}\"; it has {}"), operand.shown(), wanted, names);
}

Result<PlaneDims> choose_dims(const Operand& operand, const PlaneRequest& request) {
    const Tensor& tensor = operand.tensor();
    PlaneDims dims;
    if (!request.rows.empty()) {
        MS_TRY(dim, find_dim(operand, request.rows));
        dims.row = dim;
    }
    if (!request.cols.empty()) {
        MS_TRY(dim, find_dim(operand, request.cols));
        dims.col = dim;
    }
    if (dims.row >= 0 && dims.row == dims.col)
        return usage_error(MS_TEXT("rows and columns are the same dimension, {}"), request.rows);
    // The last dims that are still free, those longer than 1 before the others.
    const auto last_free = [&](bool long_ones) {
        for (int d = tensor.rank(); d-- > 0;)
            if (d != dims.row && d != dims.col && (!long_ones || tensor.size(d) != 1)) return d;
        return -1;
    };
    const auto fill = [&](int& dim) {
        if (dim < 0) dim = last_free(true);
        if (dim < 0) dim = last_free(false);
    };
    fill(dims.col);
    fill(dims.row);
    if (request.rows.empty() && request.cols.empty() && dims.row > dims.col) std::swap(dims.row, dims.col);
    if (last_free(true) >= 0) return needs_a_slice(operand);
    return dims;
}

// The two dims as [rows, cols]; the others have size 1.
Tensor as_plane(Tensor tensor, PlaneDims dims) {
    for (int d = tensor.rank(); d-- > 0;) {
        if (d == dims.row || d == dims.col) continue;
        tensor = tensor.select(d, 0);
        if (d < dims.row) --dims.row;
        if (d < dims.col) --dims.col;
    }
    while (tensor.rank() < 2) tensor = tensor.unsqueeze(0);
    return dims.row > dims.col && dims.row >= 0 ? tensor.transpose(0, 1) : tensor;
}

render::AxisLabels axis_of(const Operand& operand, int dim) {
    render::AxisLabels axis;
    if (dim < 0) return axis;
    axis.title = operand.names[static_cast<std::size_t>(dim)];
    axis.start = operand.trace.dims[static_cast<std::size_t>(dim)].start;
    axis.step = operand.trace.dims[static_cast<std::size_t>(dim)].step;
    return axis;
}

bool names_tokens(const std::string& dim) {
    return dim != "batch" && dim != "layer" && dim != "head" && dim != "feature" && dim != "channel";
}

// Which row of labels belongs to the slice: the only one, or that of the batch that was chosen.
std::optional<std::size_t> label_row(const io::Labels& labels, const Operand& operand) {
    if (labels.rows.size() == 1) return 0;
    for (std::size_t d = 0; d < operand.whole_names.size(); ++d) {
        const auto chosen = operand.trace.chosen[d];
        const bool fits =
            operand.loaded.item.shape[static_cast<int>(d)] == static_cast<std::int64_t>(labels.rows.size());
        if (operand.whole_names[d] == "batch" && fits && chosen) return static_cast<std::size_t>(*chosen);
    }
    return std::nullopt;
}

// Labels count along the file's dim, of which the slice may show a part.
bool put_tokens(const std::vector<std::string>& row, const Operand& operand, int dim, std::int64_t length,
                render::AxisLabels& axis) {
    if (dim < 0 || !names_tokens(axis.title)) return false;
    const SlicedDim& sliced = operand.trace.dims[static_cast<std::size_t>(dim)];
    if (sliced.source < 0 || operand.loaded.item.shape[sliced.source] != static_cast<std::int64_t>(row.size()))
        return false;
    for (std::int64_t i = 0; i < length; ++i)
        axis.tokens.push_back(row[static_cast<std::size_t>(sliced.start + i * sliced.step)]);
    return true;
}

class Loader {
public:
    Loader(const PlaneRequest& request, Environment& environment) : request_(request), environment_(environment) {}

    Result<PlaneSource> run() {
        MS_TRY(operand, load_operand(request_.tensor, environment_.context));
        operand_ = std::move(operand);
        const Tensor& tensor = operand_.tensor();
        if (tensor.numel() == 0)
            return input_error(MS_TEXT("{} has the shape {} and no cell to draw"), operand_.shown(),
                               text_of(tensor.shape()));
        MS_TRY(dims, choose_dims(operand_, request_));
        dims_ = dims;
        out_.name = operand_.shown();
        out_.plane = {.tensor = as_plane(tensor, dims_), .masked_value = document::find_masked_value(tensor)};
        out_.rows = axis_of(operand_, dims_.row);
        out_.cols = axis_of(operand_, dims_.col);
        if (!request_.mask.empty()) MS_CHECK(lay_mask());
        MS_CHECK(request_.tokens.empty() ? own_tokens() : given_tokens());
        return std::move(out_);
    }

private:
    Result<void> lay_mask() {
        MS_TRY(mask, load_operand(request_.mask, environment_.context));
        if (request_.convention == render::MaskConvention::additive && !is_floating(mask.tensor().dtype()))
            return usage_error(MS_TEXT("an additive mask holds numbers to add, and {} is {}"), mask.shown(),
                               name_of(mask.tensor().dtype()))
                .with_hint(MS_TEXT("Say --as keep or --as drop"));
        MS_TRY(laid, laid_over(mask));
        out_.mask = render::MaskPlane{.tensor = as_plane(laid.tensor, dims_), .convention = request_.convention};
        out_.mask_text = fmt::format("{} as {}{}", mask.shown(), render::name_of(request_.convention), laid.text);
        return {};
    }

    struct LaidMask {
        Tensor tensor;     // of the sliced tensor's shape
        std::string text;  // ": key → key", where names decided
    };

    // A mask lies on the slice as it stands, or on the whole tensor and is sliced with it: keep_mask of [batch, key] on
    // weights[0, 1] is then the mask of batch 1. Names decide before shapes do, as PyTorch would align them.
    Result<LaidMask> laid_over(const Operand& mask) {
        // Guessed names decide nothing.
        const bool named = !operand_.loaded.dim_names.empty() && !mask.loaded.dim_names.empty();
        const std::vector<std::string> none;
        const Shape& whole_shape = operand_.loaded.item.shape;
        const auto& mask_shape = mask.tensor().shape();
        auto on_slice = document::map_axes(operand_.tensor().shape(), named ? operand_.names : none, mask_shape,
                                           named ? mask.names : none);
        const auto on_whole =
            document::map_axes(whole_shape, named ? operand_.whole_names : none, mask_shape, named ? mask.names : none);
        const bool use_whole = on_whole && (!on_slice || (on_whole->by_name && !on_slice->by_name));
        if (!use_whole) {
            if (!on_slice) return std::move(on_slice).error().in_file(request_.mask);
            MS_TRY(over, document::lay_over(operand_.tensor(), mask.tensor(), *on_slice));
            return LaidMask{over, on_slice->by_name ? ": " + on_slice->text : ""};
        }
        // Only the shape of the whole is needed.
        MS_TRY(whole, Tensor::view_of(mask.tensor().storage(), mask.tensor().dtype(), whole_shape,
                                      Strides::filled(whole_shape.rank(), 0), mask.tensor().offset()));
        MS_TRY(over, document::lay_over(whole, mask.tensor(), *on_whole));
        MS_TRY(sliced, apply_slice(over, operand_.slice));
        return LaidMask{sliced, on_whole->by_name ? ": " + on_whole->text : ""};
    }

    // True when at least one axis took the labels.
    bool take_labels(const io::Labels& labels) {
        const auto row = label_row(labels, operand_);
        if (!row || *row >= labels.rows.size()) return false;
        const auto& tokens = labels.rows[*row];
        const bool on_rows = put_tokens(tokens, operand_, dims_.row, out_.plane.rows(), out_.rows);
        const bool on_cols = put_tokens(tokens, operand_, dims_.col, out_.plane.cols(), out_.cols);
        return on_rows || on_cols;
    }

    Result<void> own_tokens() {
        MS_TRY(contents, io::open_file(operand_.address.file, environment_.context));
        for (const auto& item : contents.items)
            if (item.labels && take_labels(*item.labels)) break;
        return {};
    }

    // FILE, FILE::KEY, or with [ROW] behind for one row of several.
    Result<void> given_tokens() {
        const auto address = io::parse_address(request_.tokens);
        MS_TRY(contents, io::open_file(address.file, environment_.context));
        const io::Item* found = nullptr;
        for (const auto& item : contents.items)
            if (item.labels && (address.key.empty() || item.key == address.key) && found == nullptr) found = &item;
        if (found == nullptr) return usage_error(MS_TEXT("there are no labels in it")).in_file(request_.tokens);
        io::Labels labels = *found->labels;
        if (!address.slice.empty()) {
            MS_TRY(items, parse_slice(address.slice));
            const auto row = items.size() == 1 && items[0].kind == SliceItem::Kind::index ? *items[0].start : -1;
            if (row < 0 || row >= static_cast<std::int64_t>(labels.rows.size()))
                return usage_error(MS_TEXT("there are {} rows of labels, and {} is none of them"), labels.rows.size(),
                                   address.slice)
                    .in_file(address.file);
            labels.rows = {labels.rows[static_cast<std::size_t>(row)]};
        }
        if (take_labels(labels)) return {};
        if (labels.rows.size() > 1 && !label_row(labels, operand_))
            return usage_error(MS_TEXT("there are {} rows of labels, and the slice does not say which batch it shows"),
                               labels.rows.size())
                .in_file(address.file)
                .with_hint(MS_TEXT("Name the row, as in '{}[0]'"), address.file);
        const std::size_t count = labels.rows.empty() ? 0 : labels.rows.front().size();
        return usage_error(MS_TEXT("there are {} labels, and no token axis of {} is that long: {} x {}"), count,
                           operand_.shown(), out_.plane.rows(), out_.plane.cols())
            .in_file(address.file);
    }

    const PlaneRequest& request_;
    Environment& environment_;
    Operand operand_;
    PlaneDims dims_;
    PlaneSource out_;
};

}  // namespace

Result<PlaneSource> load_plane(const PlaneRequest& request, Environment& environment) {
    return Loader(request, environment).run();
}

}  // namespace maskscope::cli
