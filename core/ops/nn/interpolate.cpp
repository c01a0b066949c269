// SPDX-License-Identifier: Apache-2.0
// interpolate: pictures and maps of features at another size, one dim after the other.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/nn/resample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

namespace maskscope::ops {
namespace {

enum Place : int { kInput = 0, kSize, kScale, kMode, kAlign, kRecompute, kAntialias };

struct Mode {
    std::string_view name;
    Filter filter;
    int rank;             // of the input; 0: any
    bool aligns_corners;  // takes align_corners
    // The kernel that PyTorch names when it lacks the dtype, for 3-D, 4-D and 5-D input.
    std::array<std::string_view, 3> kernels;
};
constexpr std::string_view kNearest = "compute_indices_weights_nearest";
constexpr std::string_view kLinear = "compute_indices_weights_linear";
constexpr std::array<Mode, 7> kModes = {{
    {"nearest", Filter::nearest, 0, false, {kNearest, "upsample_nearest2d_channels_last", kNearest}},
    {"nearest-exact", Filter::nearest_exact, 0, false, {kNearest, "upsample_nearest2d_channels_last", kNearest}},
    {"linear", Filter::linear, 3, true, {kLinear, "", ""}},
    {"bilinear", Filter::linear, 4, true, {"", "upsample_bilinear2d_channels_last", ""}},
    {"trilinear", Filter::linear, 5, true, {"", "", kLinear}},
    {"bicubic", Filter::cubic, 4, true, {"", "compute_indices_weights_cubic", ""}},
    {"area", Filter::area, 0, false, {"adaptive_avg_pool2d", "adaptive_avg_pool2d", "adaptive_avg_pool3d_cpu"}},
}};

struct Plan {
    const Mode* mode = nullptr;
    std::vector<std::int64_t> sizes;
    std::vector<std::optional<double>> scales;
    bool aligns_corners = false;
};

std::string spelled(const Value& value) {
    if (const auto* text = value.get_if<std::string>()) return *text;
    if (value.is_none()) return "None";
    return value.is_int() ? fmt::format("{}", value.to_int()) : fmt::format("{}", value.to_double());
}

// "(3,)" or "[3, 4]", as Python prints it.
std::string spelled_all(const Value& value) {
    const auto& items = *value.sequence();
    const bool is_list = value.get_if<std::shared_ptr<List>>() != nullptr;
    std::string out = is_list ? "[" : "(";
    for (std::size_t i = 0; i < items.size(); ++i) out += (i == 0 ? "" : ", ") + spelled(items[i]);
    if (!is_list && items.size() == 1) out += ",";
    return out + (is_list ? "]" : ")");
}

std::string spatial_text(const Tensor& input) {
    Shape out;
    for (int i = 2; i < input.rank(); ++i) out.push_back(input.size(i));
    return text_of(out);
}

// A number for each spatial dim; one will do for all.
Result<std::vector<double>> for_each_dim(const Value& value, const Tensor& input, bool is_size) {
    const auto count = static_cast<std::size_t>(std::max(input.rank() - 2, 0));
    std::vector<Value> items(count, value);
    if (const auto* given = value.sequence()) {
        if (given->size() != count)
            return value_error(
                "Input and {} must have the same number of spatial dimensions, but got input with spatial dimensions "
                "of {} "
                "and {} {}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and {} in {} format.",
                is_size ? "output" : "scale_factor", spatial_text(input),
                is_size ? "output size of" : "scale_factor of shape", spelled_all(value),
                is_size ? "output size" : "scale_factor", is_size ? "(o1, o2, ...,oK)" : "(s1, s2, ...,sK)");
        items = *given;
    }
    std::vector<double> out;
    for (const auto& item : items) {
        double number = item.to_double();
        if (item.is_tensor() && item.tensor()->tensor.numel() == 1) {
            if (!item.tensor()->tensor.has_data()) return needs_data("interpolate(size=tensor)");
            MS_TRY(whole, item.tensor()->tensor.contiguous());
            number = to_double(load_scalar(whole.data(), whole.dtype()));
        } else if (!item.is_number() || (is_size && !item.is_int())) {
            return type_error("interpolate(): {} must be {}, not {}", is_size ? "size" : "scale_factor",
                              is_size ? "ints" : "numbers", type_name(item));
        }
        out.push_back(number);
    }
    return out;
}

Result<void> plan_sizes(const Args& args, Plan& plan) {
    const Tensor& input = args.tensor(kInput);
    if (args.given(kSize) && args.given(kScale))
        return value_error("only one of size or scale_factor should be defined");
    const bool recomputes = args.given(kRecompute) && args.flag(kRecompute);
    if (args.given(kSize)) {
        MS_TRY(sizes, for_each_dim(args[kSize], input, true));
        for (const double size : sizes) plan.sizes.push_back(static_cast<std::int64_t>(size));
        plan.scales.resize(plan.sizes.size());
        if (recomputes) return value_error("recompute_scale_factor is not meaningful with an explicit size.");
        return {};
    }
    if (!args.given(kScale)) return value_error("either size or scale_factor should be defined");
    MS_TRY(scales, for_each_dim(args[kScale], input, false));
    for (std::size_t i = 0; i < scales.size(); ++i) {
        const double wanted = std::floor(static_cast<double>(input.size(static_cast<int>(i) + 2)) * scales[i]);
        if (!(std::abs(wanted) < 1e15)) return value_error("scale_factor is too large or no number");
        plan.sizes.push_back(static_cast<std::int64_t>(wanted));
        plan.scales.push_back(recomputes || scales[i] <= 0 ? std::nullopt : std::optional<double>(scales[i]));
    }
    return {};
}

Result<const Mode*> mode_of(const Args& args) {
    const Tensor& input = args.tensor(kInput);
    const std::string name = spelled(args[kMode]);
    const auto found = std::find_if(kModes.begin(), kModes.end(), [&](const Mode& mode) { return mode.name == name; });
    const bool has_rank = input.rank() >= 3 && input.rank() <= 5;
    const bool is_misplaced = found != kModes.end() && found->rank != 0 && found->rank != input.rank();
    if (found != kModes.end() && has_rank && is_misplaced && found->filter == Filter::linear)
        return torch_error("NotImplementedError", "Got {}D input, but {} mode needs {}D input", input.rank(), name,
                           found->rank);
    if (found == kModes.end() || !has_rank || is_misplaced)
        return torch_error(
            "NotImplementedError",
            "Input Error: Only 3D, 4D and 5D input Tensors supported (got {}D) for the modes: nearest | linear "
            "| bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got {})",
            input.rank(), name);
    return &*found;
}

// "(H: 2, W: 3)"
std::string named_sizes(const std::vector<std::int64_t>& sizes) {
    constexpr std::string_view kNames = "DHW";
    std::string out;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        out += fmt::format("{}{}: {}", i == 0 ? "(" : ", ", kNames[kNames.size() - sizes.size() + i], sizes[i]);
    return out + ")";
}

Result<void> check_sizes(const Tensor& input, const Plan& plan) {
    std::vector<std::int64_t> before;
    bool fits = true;
    for (std::size_t i = 0; i < plan.sizes.size(); ++i) {
        before.push_back(input.size(static_cast<int>(i) + 2));
        fits = fits && before.back() > 0 && plan.sizes[i] > 0;
    }
    if (plan.mode->filter == Filter::area) {
        for (const auto size : plan.sizes)
            if (size < 0)
                return runtime_error("adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0");
        return {};
    }
    if (!fits)
        return runtime_error("Input and output sizes should be greater than 0, but got input {}{} output {}",
                             named_sizes(before), before.size() == 1 ? " and" : "", named_sizes(plan.sizes));
    if (input.size(1) == 0)
        return runtime_error("Non-empty {}D data tensor expected but got a tensor with sizes {}", input.rank(),
                             text_of(input.shape()));
    return {};
}

Result<void> check_dtype(const Tensor& input, const Mode& mode) {
    const DType dtype = input.dtype();
    if (is_floating(dtype) && size_of(dtype) > 1) return {};
    if (dtype == DType::u8 && mode.filter != Filter::area) return {};
    return not_implemented_for(mode.kernels[static_cast<std::size_t>(input.rank() - 3)], dtype);
}

Result<Plan> planned(const Args& args) {
    Plan plan;
    const std::string name = spelled(args[kMode]);
    const bool is_plain = name == "nearest" || name == "area" || name == "nearest-exact";
    if (is_plain && args.given(kAlign))
        return value_error(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | "
            "trilinear");
    plan.aligns_corners = args.given(kAlign) && args.flag(kAlign);
    MS_CHECK(plan_sizes(args, plan));
    if (args.flag(kAntialias)) {
        if ((name != "bilinear" && name != "bicubic") || args.tensor(kInput).rank() != 4)
            return value_error(
                "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as "
                "input");
        return make_error(ErrorKind::input,
                          MS_TEXT("interpolate(antialias=True) is not here; mode='area' shrinks smoothly"));
    }
    MS_TRY(mode, mode_of(args));
    plan.mode = mode;
    MS_CHECK(check_sizes(args.tensor(kInput), plan));
    MS_CHECK(check_dtype(args.tensor(kInput), *mode));
    return plan;
}

// --- computing ---

template <class T, class U>
Result<VariablePtr> column_of(const std::vector<U>& values, DType dtype, int dims_after, Run& run) {
    Shape shape{static_cast<std::int64_t>(values.size())};
    for (int i = 0; i < dims_after; ++i) shape.push_back(1);
    MS_TRY(tensor, run.allocate(shape, dtype));
    for (std::size_t i = 0; i < values.size(); ++i) tensor.writable_as<T>()[i] = static_cast<T>(values[i]);
    return run.wrap(tensor);
}

Result<VariablePtr> weighted(const VariablePtr& picked, const Tap& tap, int dims_after, Run& run) {
    const bool is_double = picked->tensor.dtype() == DType::f64;
    MS_TRY(weights, is_double ? column_of<double>(tap.weights, DType::f64, dims_after, run)
                              : column_of<float>(tap.weights, DType::f32, dims_after, run));
    MS_TRY(product, run.tensor("mul", {picked, weights}));
    if (std::find(tap.counts.begin(), tap.counts.end(), false) == tap.counts.end()) return product;
    // A weight of 0 would turn an infinity into NaN.
    std::vector<bool> hidden = tap.counts;
    hidden.flip();
    MS_TRY(mask, column_of<bool>(hidden, DType::boolean, dims_after, run));
    return run.tensor("masked_fill", {product, mask, 0.0});
}

Result<VariablePtr> resampled(const VariablePtr& input, int dim, const std::vector<Tap>& taps, bool is_plain,
                              Run& run) {
    const int dims_after = input->tensor.rank() - 1 - dim;
    VariablePtr sum;
    for (const auto& tap : taps) {
        MS_TRY(index, column_of<std::int64_t>(tap.places, DType::i64, 0, run));
        MS_TRY(picked, run.tensor("index_select", {input, dim, index}));
        if (is_plain) return picked;
        MS_TRY(part, weighted(picked, tap, dims_after, run));
        if (!sum) {
            sum = part;
            continue;
        }
        MS_TRY(more, run.tensor("add", {sum, part}));
        sum = more;
    }
    return sum;
}

Result<VariablePtr> all_dims(const VariablePtr& input, const Plan& plan, Run& run) {
    const bool is_plain = plan.mode->filter == Filter::nearest || plan.mode->filter == Filter::nearest_exact;
    VariablePtr out = input;
    for (int dim = input->tensor.rank() - 1; dim >= 2; --dim) {
        const auto place = static_cast<std::size_t>(dim - 2);
        Resampling resampling;
        resampling.in = input->tensor.size(dim);
        resampling.out = plan.sizes[place];
        resampling.filter = plan.mode->filter;
        resampling.aligns_corners = plan.aligns_corners;
        resampling.scale_factor = plan.scales[place];
        resampling.is_double = input->tensor.dtype() == DType::f64;
        MS_TRY(next, resampled(out, dim, taps_of(resampling), is_plain, run));
        out = next;
    }
    return out;
}

bool keeps_sizes(const Tensor& input, const Plan& plan) {
    for (std::size_t i = 0; i < plan.sizes.size(); ++i)
        if (input.size(static_cast<int>(i) + 2) != plan.sizes[i]) return false;
    return true;
}

Result<Value> interpolate(const Args& args, Run& run) {
    MS_TRY(plan, planned(args));
    const Tensor& input = args.tensor(kInput);
    const DType dtype = input.dtype();
    const bool is_weighing = plan.mode->filter != Filter::nearest && plan.mode->filter != Filter::nearest_exact;
    if (is_weighing && keeps_sizes(input, plan)) {
        MS_TRY(copy, run.tensor("clone", {args[kInput]}));
        MS_TRY(in_order, run.tensor("contiguous", {copy}));
        return Value(in_order);
    }
    VariablePtr wide = args.variable(kInput);
    if (is_weighing && (dtype == DType::u8 || size_of(dtype) == 2)) {
        MS_TRY(converted, run.tensor("to", {args[kInput], DType::f32}));
        wide = converted;
    }
    MS_TRY(out, all_dims(wide, plan, run));
    if (is_weighing && dtype == DType::u8) {
        MS_TRY(shifted, run.tensor("add", {out, 0.5}));
        MS_TRY(inside, run.tensor("clamp", {shifted, 0, 255}));
        out = inside;
    }
    MS_TRY(rounded, run.tensor("to", {out, dtype}));
    return Value(rounded);
}

}  // namespace

void add_interpolate(OpTable& table) {
    table.add(
        {"interpolate",
         "[N, C, ...] at another size. nearest takes the lower neighbour, nearest-exact the nearest centre; linear, "
         "bilinear, bicubic mix neighbours, area averages what falls in a cell. A hard mask stays hard only with the "
         "nearest modes; align_corners=True pins the corner centres and shifts everything between them.",
         {composed("(Tensor input, Any size=None, Any scale_factor=None, Any mode='nearest', bool? align_corners=None, "
                   "bool? recompute_scale_factor=None, bool antialias=False)",
                   kFunctional, interpolate, kPythonDefined)},
         {"F.interpolate(x[None, None], scale_factor=2)",
          "F.interpolate(x[None, None], size=(5, 7), mode='bilinear', align_corners=False)",
          "F.interpolate(m[None, None].float(), size=(2, 2), mode='area')"}});
}

}  // namespace maskscope::ops
