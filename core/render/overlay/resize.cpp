// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/resize.h"

#include "core/jobs/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

namespace maskscope::render {
namespace {

constexpr std::int64_t kGrain = 65536;  // cells a chunk

bool is_nearest(ResizeRule rule) {
    return rule == ResizeRule::nearest || rule == ResizeRule::nearest_exact;
}

// --- nearest: whole numbers, so that no size is off by a rounding

std::vector<std::int64_t> nearest_sources(std::int64_t from, std::int64_t to, ResizeRule rule) {
    std::vector<std::int64_t> out(static_cast<std::size_t>(to));
    for (std::int64_t d = 0; d < to; ++d)
        out[static_cast<std::size_t>(d)] = rule == ResizeRule::nearest ? d * from / to : (2 * d + 1) * from / (2 * to);
    return out;
}

template <class T>
void take_line(const T* from, std::int64_t stride, const std::vector<std::int64_t>& sources, T* to) {
    for (const std::int64_t source : sources) *to++ = from[source * stride];
}

void take_line(const std::byte* from, std::size_t size, std::int64_t stride, const std::vector<std::int64_t>& sources,
               std::byte* to) {
    const auto as = [&]<class T>(T) {
        take_line(reinterpret_cast<const T*>(from), stride, sources, reinterpret_cast<T*>(to));
    };
    switch (size) {
        case 1:
            return as(std::uint8_t{});
        case 2:
            return as(std::uint16_t{});
        case 4:
            return as(std::uint32_t{});
        default:
            return as(std::uint64_t{});
    }
}

void take_nearest(const Tensor& plane, ResizeRule rule, Tensor& out, const JobContext& context) {
    const auto rows = nearest_sources(plane.size(0), out.size(0), rule);
    const auto cols = nearest_sources(plane.size(1), out.size(1), rule);
    const auto size = size_of(plane.dtype());
    std::byte* to = out.writable_data();
    parallel_for(
        Lane::background, out.size(0), std::max<std::int64_t>(1, kGrain / out.size(1)), [&](const Chunk& chunk) {
            for (std::int64_t r = chunk.begin; r < chunk.end && !context.cancelled(); ++r) {
                const std::byte* from = plane.data() + rows[static_cast<std::size_t>(r)] * plane.strides()[0] *
                                                           static_cast<std::int64_t>(size);
                take_line(from, size, plane.strides()[1], cols, to + static_cast<std::size_t>(r * out.size(1)) * size);
            }
        });
}

// --- bilinear

// A cell lies between two of the source, `share` of the way to the second.
struct Between {
    std::int64_t first = 0;
    std::int64_t second = 0;
    double share = 0;
};
std::vector<Between> between(std::int64_t from, std::int64_t to, ResizeRule rule) {
    std::vector<Between> out(static_cast<std::size_t>(to));
    const bool corners = rule == ResizeRule::bilinear_corners;
    double scale = static_cast<double>(from) / static_cast<double>(to);
    if (corners) scale = to > 1 ? static_cast<double>(from - 1) / static_cast<double>(to - 1) : 0;
    for (std::int64_t d = 0; d < to; ++d) {
        const auto at = static_cast<double>(d);
        const double source = corners ? at * scale : std::max(0.0, (at + 0.5) * scale - 0.5);
        auto& cell = out[static_cast<std::size_t>(d)];
        cell.first = std::min(static_cast<std::int64_t>(source), from - 1);
        cell.second = std::min(cell.first + 1, from - 1);
        cell.share = source - static_cast<double>(cell.first);
    }
    return out;
}

// One thread's two source rows as doubles; the next line mostly needs the same two.
class SourceRows {
public:
    explicit SourceRows(const Tensor& plane) : plane_(plane) {}
    std::pair<const double*, const double*> rows(const Between& between) {
        return {row(between.first, between.second), row(between.second, between.first)};
    }

private:
    struct Row {
        std::int64_t index = -1;
        std::vector<double> values;
    };
    // `other` is needed as well, so it is not the one that makes room.
    const double* row(std::int64_t index, std::int64_t other) {
        for (auto& kept : kept_)
            if (kept.index == index) return kept.values.data();
        Row& room = kept_[0].index == other ? kept_[1] : kept_[0];
        room.index = index;
        room.values.resize(static_cast<std::size_t>(plane_.size(1)));
        const auto size = static_cast<std::int64_t>(size_of(plane_.dtype()));
        convert_to_f64(plane_.data() + index * plane_.strides()[0] * size, plane_.dtype(), plane_.strides()[1],
                       plane_.size(1), room.values.data());
        return room.values.data();
    }
    const Tensor& plane_;
    std::array<Row, 2> kept_;
};

template <class T>
void interpolate(const Tensor& plane, ResizeRule rule, Tensor& out, const JobContext& context) {
    const auto rows = between(plane.size(0), out.size(0), rule);
    const auto cols = between(plane.size(1), out.size(1), rule);
    T* const to = out.writable_as<T>();
    parallel_for(
        Lane::background, out.size(0), std::max<std::int64_t>(1, kGrain / out.size(1)), [&](const Chunk& chunk) {
            SourceRows source(plane);
            for (std::int64_t r = chunk.begin; r < chunk.end && !context.cancelled(); ++r) {
                const Between& down = rows[static_cast<std::size_t>(r)];
                const auto [upper, lower] = source.rows(down);
                T* line = to + r * out.size(1);
                for (const Between& across : cols) {
                    const double above = (1 - across.share) * upper[across.first] + across.share * upper[across.second];
                    const double below = (1 - across.share) * lower[across.first] + across.share * lower[across.second];
                    *line++ = static_cast<T>((1 - down.share) * above + down.share * below);
                }
            }
        });
}

Result<void> check(const Tensor& plane, std::int64_t rows, std::int64_t cols, ResizeRule rule) {
    if (!plane.defined() || plane.rank() != 2 || !plane.has_data())
        return input_error(MS_TEXT("what is resized is a plane of rows and columns"));
    if (plane.numel() == 0)
        return input_error(MS_TEXT("a plane of the shape {} has no cell to resize"), text_of(plane.shape()));
    constexpr std::int64_t kMost = INT32_MAX;
    if (rows < 1 || cols < 1 || rows > kMost || cols > kMost || plane.size(0) > kMost || plane.size(1) > kMost)
        return usage_error(MS_TEXT("a plane cannot be resized to {} rows and {} columns"), rows, cols);
    if (!is_nearest(rule) && !is_floating(plane.dtype()))
        return usage_error(MS_TEXT("labels are never interpolated, and this mask of {} holds labels"),
                           name_of(plane.dtype()))
            .with_hint(MS_TEXT("Use nearest or nearest-exact"));
    return {};
}

}  // namespace

std::string_view name_of(ResizeRule rule) {
    switch (rule) {
        case ResizeRule::nearest:
            return "nearest";
        case ResizeRule::nearest_exact:
            return "nearest-exact";
        case ResizeRule::bilinear:
            return "bilinear";
        case ResizeRule::bilinear_corners:
            return "bilinear-corners";
    }
    return "";
}

std::string_view about(ResizeRule rule) {
    switch (rule) {
        case ResizeRule::nearest:
            return MS_TEXT("The cell at floor(d * scale): OpenCV's INTER_NEAREST and PyTorch's nearest.");
        case ResizeRule::nearest_exact:
            return MS_TEXT("The cell at floor((d + 0.5) * scale): Pillow, scikit-image and PyTorch's nearest-exact.");
        case ResizeRule::bilinear:
            return MS_TEXT(
                "Between cell centres: PyTorch's bilinear with align_corners=False and OpenCV's INTER_LINEAR.");
        case ResizeRule::bilinear_corners:
            return MS_TEXT("Corner cells on corner cells: PyTorch's bilinear with align_corners=True.");
    }
    return "";
}

Result<Tensor> resized(const Tensor& plane, std::int64_t rows, std::int64_t cols, ResizeRule rule,
                       const JobContext& context) {
    MS_CHECK(check(plane, rows, cols, rule));
    const DType dtype = is_nearest(rule) || plane.dtype() == DType::f64 ? plane.dtype() : DType::f32;
    MS_TRY(out, Tensor::uninitialised(Shape{rows, cols}, dtype));
    if (is_nearest(rule)) {
        take_nearest(plane, rule, out, context);
    } else if (dtype == DType::f64) {
        interpolate<double>(plane, rule, out, context);
    } else {
        interpolate<float>(plane, rule, out, context);
    }
    if (context.cancelled()) return cancelled_error();
    return std::move(out);
}

}  // namespace maskscope::render
