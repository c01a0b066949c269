// SPDX-License-Identifier: Apache-2.0
#include "core/mask/fill.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <vector>

namespace maskscope::mask {
namespace {

constexpr std::int64_t kMostPixels = std::int64_t{4096} * 4096;
constexpr std::uint64_t kSeed = 4711;  // the same strokes give the same cut

// How much of the surroundings shows what background looks like: a quarter of the area's longer side.
Rect with_margin(const Rect& area, const Rect& image) {
    const auto margin = std::max<std::int64_t>(16, std::max(area.rows, area.cols) / 4);
    return intersection({area.row - margin, area.col - margin, area.rows + 2 * margin, area.cols + 2 * margin}, image);
}

Result<void> check_image(const Tensor& image) {
    const bool shape_fits =
        image.defined() && (image.rank() == 2 || (image.rank() == 3 && (image.size(2) == 3 || image.size(2) == 4)));
    if (!shape_fits)
        return usage_error(MS_TEXT("GrabCut needs an image of the shape [rows, columns] or [rows, columns, 3 or 4], "
                                   "and here it is {}"),
                           image.defined() ? text_of(image.shape()) : "none");
    if (image.dtype() != DType::u8)
        return usage_error(MS_TEXT("GrabCut reads images of uint8, and this one is {}"), name_of(image.dtype()));
    return {};
}

// Three channels, an alpha channel left out.
cv::Mat pixels_of(const Tensor& image, const Rect& crop) {
    cv::Mat out(static_cast<int>(crop.rows), static_cast<int>(crop.cols), CV_8UC3);
    const auto& strides = image.strides();
    const auto channel = image.rank() == 3 ? strides[2] : 0;
    for (std::int64_t row = 0; row < crop.rows; ++row) {
        const auto* from = image.data_as<std::uint8_t>() + (crop.row + row) * strides[0] + crop.col * strides[1];
        auto* to = out.ptr<std::uint8_t>(static_cast<int>(row));
        for (std::int64_t col = 0; col < crop.cols; ++col, from += strides[1])
            for (std::int64_t c = 0; c < 3; ++c) *to++ = from[c * channel];
    }
    return out;
}

void mark(cv::Mat& marks, const Region& region, const Rect& crop, int what) {
    const auto inside = region.clipped(crop);
    for (const auto& run : inside.runs())
        std::memset(marks.ptr<std::uint8_t>(static_cast<int>(run.row - crop.row)) + (run.begin - crop.col), what,
                    static_cast<std::size_t>(run.end - run.begin));
}

Result<void> check_marks(const cv::Mat& marks) {
    std::int64_t background = 0;
    std::int64_t unknown = 0;
    for (int row = 0; row < marks.rows; ++row) {
        const auto* line = marks.ptr<std::uint8_t>(row);
        background += std::count(line, line + marks.cols, static_cast<std::uint8_t>(cv::GC_BGD));
        unknown += std::count(line, line + marks.cols, static_cast<std::uint8_t>(cv::GC_PR_FGD));
    }
    if (background == 0)
        return usage_error(MS_TEXT("GrabCut finds no background: the area reaches the image's edge on all sides"))
            .with_hint(MS_TEXT("Draw a smaller area, or mark some of the background"));
    if (unknown == 0) return usage_error(MS_TEXT("GrabCut has nothing to decide: all of the area is marked already"));
    return {};
}

Region foreground(const cv::Mat& marks, const Rect& crop) {
    std::vector<Run> runs;
    const auto is_foreground = [](std::uint8_t mark) { return mark == cv::GC_FGD || mark == cv::GC_PR_FGD; };
    for (int row = 0; row < marks.rows; ++row) {
        const auto* line = marks.ptr<std::uint8_t>(row);
        for (int begin = 0; begin < marks.cols; ++begin) {
            if (!is_foreground(line[begin])) continue;
            int end = begin + 1;
            while (end < marks.cols && is_foreground(line[end])) ++end;
            runs.push_back({static_cast<std::int32_t>(crop.row + row), static_cast<std::int32_t>(crop.col + begin),
                            static_cast<std::int32_t>(crop.col + end)});
            begin = end;
        }
    }
    return Region::of_sorted(std::move(runs));
}

// One round at a time, so that it can be stopped between them.
Result<Region> cut(const Tensor& image, const Rect& crop, cv::Mat marks, int rounds, const JobContext& context) {
    const cv::Mat pixels = pixels_of(image, crop);
    cv::Mat background_model;
    cv::Mat foreground_model;
    cv::theRNG().state = kSeed;
    context.expect(rounds);
    for (int round = 0; round < rounds; ++round) {
        if (context.cancelled()) return cancelled_error();
        cv::grabCut(pixels, marks, {}, background_model, foreground_model, 1,
                    round == 0 ? cv::GC_INIT_WITH_MASK : cv::GC_EVAL);
        context.advance(1);
    }
    if (context.cancelled()) return cancelled_error();
    return foreground(marks, crop);
}

}  // namespace

Result<Region> grab_cut(const Tensor& image, const Rect& around, const Region& surely, const Region& not_at_all,
                        const GrabCutOptions& options, const JobContext& context) {
    MS_CHECK(check_image(image));
    if (options.rounds < 1 || options.rounds > 100)
        return usage_error(MS_TEXT("GrabCut runs for 1 to 100 rounds, and here it is {}"), options.rounds);
    const Rect whole{0, 0, image.size(0), image.size(1)};
    const Rect area = intersection(around, whole);
    if (area.empty()) return usage_error(MS_TEXT("the area for GrabCut lies outside the image"));
    const Rect crop = with_margin(area, whole);
    if (crop.rows > kMostPixels / crop.cols)
        return usage_error(MS_TEXT("the area for GrabCut is {} x {} pixels with its margin; it can have {}"), crop.rows,
                           crop.cols, kMostPixels)
            .with_hint(MS_TEXT("Draw a smaller area"));
    try {
        cv::Mat marks(static_cast<int>(crop.rows), static_cast<int>(crop.cols), CV_8UC1, cv::Scalar(cv::GC_BGD));
        mark(marks, Region::of_rect(area), crop, cv::GC_PR_FGD);
        mark(marks, surely, crop, cv::GC_FGD);
        mark(marks, not_at_all, crop, cv::GC_BGD);
        MS_CHECK(check_marks(marks));
        return cut(image, crop, marks, options.rounds, context);
    } catch (const std::exception& problem) {  // cv::Exception and bad_alloc are such
        return make_error(ErrorKind::unavailable, MS_TEXT("GrabCut cannot work on this area: {}"), problem.what());
    }
}

}  // namespace maskscope::mask
