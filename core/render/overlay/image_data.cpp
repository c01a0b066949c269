// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/image_data.h"

#include "core/jobs/parallel.h"
#include "core/render/overlay/image_levels.h"
#include "core/render/overlay/image_means.h"
#include "core/render/overlay/image_source.h"
#include "core/render/overlay/tone_table.h"
#include "core/render/overlay/view_cells.h"
#include "core/tensor/stats.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

namespace maskscope::render {
namespace {

// What prepare() makes; pooling takes it whole or not at all.
struct Prepared {
    ImageLevels levels;
    Tone natural;
};

Tone range_of(const ImageSource& source) {
    if (source.level == LevelType::u8) return {.lo = 0, .hi = 255};
    if (source.level == LevelType::u16) return {.lo = 0, .hi = 65535};
    const DType dtype = source.tensor.dtype();
    if (is_floating(dtype) || dtype == DType::boolean) return {.lo = 0, .hi = 1};
    const double hi = largest_finite(dtype);
    const bool is_signed = dtype == DType::i8 || dtype == DType::i16 || dtype == DType::i32 || dtype == DType::i64;
    return {.lo = is_signed ? -hi - 1 : 0, .hi = hi};
}

Result<Tone> find_natural(const ImageSource& source, const JobContext& context) {
    const Tone whole = range_of(source);
    if (source.level == LevelType::u8 || source.tensor.dtype() == DType::boolean) return whole;
    const Tensor colours = source.tensor.narrow(2, 0, source.colours());
    MS_TRY(stats, compute_stats(colours, context));
    if (stats.finite == 0) return whole;
    const double lo = to_double(stats.min);
    const double hi = to_double(stats.max);
    return Tone{.lo = lo, .hi = hi > lo ? hi : lo + 1};
}

Rgb nan_colour(Rgb background) {
    return Theme::get(luminance(background) < 0.18 ? ThemeId::dark : ThemeId::light)[Token::st_nan];
}

}  // namespace

struct ImageData::Private {
    Tensor original;  // as it was given
    ImageSource source;
    mutable std::mutex mutex;
    std::shared_ptr<const Prepared> prepared;        // under the mutex
    mutable std::shared_ptr<const ToneTable> table;  // the last one asked for, under the mutex

    std::shared_ptr<const Prepared> current() const {
        const std::lock_guard lock(mutex);
        return prepared;
    }
    std::shared_ptr<const ToneTable> table_of(const Tone& tone) const {
        const std::lock_guard lock(mutex);
        if (!table || !(table->tone() == tone)) table = std::make_shared<const ToneTable>(tone, source.largest);
        return table;
    }
};

namespace {

// One call of pool().
class ImagePooling {
public:
    ImagePooling(const ImageSource& source, const ImageLevels* levels, const ToneTable& table, const Viewport& viewport,
                 Rgb background)
        : source_(source),
          levels_(levels),
          table_(table),
          viewport_(viewport),
          background_(background),
          nan_(nan_colour(background)) {}

    void run(int x0, int y0, int width, int height, Rgb* pixels, int stride) {
        across_ = side_cells(viewport_.col0, viewport_.pitch, x0, width, source_.cols);
        down_ = side_cells(viewport_.row0, viewport_.pitch, y0, height, source_.rows);
        width_ = width;
        pixels_ = pixels;
        stride_ = stride;
        if (levels_ != nullptr && viewport_.pitch < 1) level_ = levels_->for_cells(1 / viewport_.pitch);
        const bool nothing = across_.empty() || down_.empty();
        for (int y = 0; y < height; ++y)
            if (nothing || y < down_.from || y >= down_.to) std::fill_n(line(y), width, background_);
        if (nothing) return;
        // A chunk costs about as much as 64 k image pixels.
        const std::int64_t grain = std::max<std::int64_t>(1, 65536 / std::max(1, across_.count()));
        parallel_for(Lane::ui, down_.count(), grain,
                     [this](const Chunk& chunk) { across_.enlarged ? enlarge(chunk) : shrink(chunk); });
    }

private:
    Rgb* line(int y) const { return pixels_ + static_cast<std::ptrdiff_t>(y) * stride_; }
    void fill_sides(Rgb* to) const {
        std::fill(to, to + across_.from, background_);
        std::fill(to + across_.to, to + width_, background_);
    }

    // The line's cells once, then repeated along the line; a cell's other lines are copies.
    void enlarge(const Chunk& chunk) const {
        const std::int64_t first = across_.first_cell();
        const std::int64_t count = across_.end_cell() - first;
        std::vector<Rgb> colours(static_cast<std::size_t>(count));
        std::vector<float> numbers;
        for (std::int64_t i = chunk.begin; i < chunk.end; ++i) {
            const std::int64_t row = down_.cell[static_cast<std::size_t>(i)];
            Rgb* to = line(down_.from + static_cast<int>(i));
            if (i > chunk.begin && down_.cell[static_cast<std::size_t>(i) - 1] == row) {
                std::copy_n(to - stride_, width_, to);
                continue;
            }
            fill_sides(to);
            if (source_.plain) {
                colour_bytes(source_.plain_row(row) + first * source_.shown, count, colours.data());
            } else {
                numbers.resize(static_cast<std::size_t>(count * source_.shown));
                source_.read(row, first, count, numbers.data());
                colour_numbers(numbers.data(), count, colours.data());
            }
            for (int x = 0; x < across_.count(); ++x)
                to[across_.from + x] =
                    colours[static_cast<std::size_t>(across_.cell[static_cast<std::size_t>(x)] - first)];
        }
    }

    void shrink(const Chunk& chunk) const {
        MeanRows means(source_, level_, across_);
        const auto numbers = static_cast<std::size_t>(across_.count() * source_.shown);
        std::vector<std::uint8_t> bytes(source_.plain ? numbers : 0);
        std::vector<double> values(source_.plain ? 0 : numbers);
        for (std::int64_t i = chunk.begin; i < chunk.end; ++i) {
            const std::int64_t begin = down_.cell[static_cast<std::size_t>(i)];
            const std::int64_t end = down_.cell[static_cast<std::size_t>(i) + 1];
            Rgb* to = line(down_.from + static_cast<int>(i));
            fill_sides(to);
            if (source_.plain) {
                means.plain(begin, end, bytes.data());
                colour_bytes(bytes.data(), across_.count(), to + across_.from);
            } else {
                means.any(begin, end, values.data());
                colour_numbers(values.data(), across_.count(), to + across_.from);
            }
        }
    }

    void colour_bytes(const std::uint8_t* from, std::int64_t count, Rgb* to) const {
        const std::uint8_t* table = table_.bytes();
        if (source_.shown == 1) {
            for (std::int64_t i = 0; i < count; ++i) to[i] = 0xff000000U | table[from[i]] * 0x010101U;
            return;
        }
        for (std::int64_t i = 0; i < count; ++i, from += 3)
            to[i] = 0xff000000U | static_cast<Rgb>(table[from[0]]) << 16U | static_cast<Rgb>(table[from[1]]) << 8U |
                    table[from[2]];
    }

    template <class T>
    void colour_numbers(const T* from, std::int64_t count, Rgb* to) const {
        for (std::int64_t i = 0; i < count; ++i, from += source_.shown) to[i] = colour(from);
    }

    template <class T>
    Rgb colour(const T* numbers) const {
        double share = 1;
        if (source_.has_alpha()) {
            share = std::clamp(static_cast<double>(numbers[source_.shown - 1]) / source_.full_alpha, 0.0, 1.0);
            if (share == 0) return background_;  // whatever its colours say
        }
        const int colours = source_.colours();
        std::array<Rgb, 3> out{};
        for (int c = 0; c < colours; ++c) {
            const double value = static_cast<double>(numbers[c]) / share;
            if (std::isnan(value)) return nan_;
            out[static_cast<std::size_t>(c)] = table_.of(value);
        }
        if (colours == 1) out[1] = out[2] = out[0];
        const Rgb opaque = 0xff000000U | out[0] << 16U | out[1] << 8U | out[2];
        return share < 1 ? blend(background_, opaque, share) : opaque;
    }

    const ImageSource& source_;
    const ImageLevels* levels_;
    const ToneTable& table_;
    const Viewport& viewport_;
    Rgb background_;
    Rgb nan_;
    SideCells across_;
    SideCells down_;
    const ImageLevel* level_ = nullptr;
    int width_ = 0;
    Rgb* pixels_ = nullptr;
    int stride_ = 0;
};

}  // namespace

ImageData::ImageData(std::unique_ptr<Private> d) : d_(std::move(d)) {}
ImageData::~ImageData() = default;

Result<std::shared_ptr<ImageData>> ImageData::of(const Tensor& image,
                                                 std::span<const std::array<std::uint8_t, 4>> palette) {
    MS_TRY(source, ImageSource::of(image, palette));
    auto d = std::make_unique<Private>();
    d->original = image;
    d->source = std::move(source);
    return std::shared_ptr<ImageData>(new ImageData(std::move(d)));
}

std::int64_t ImageData::rows() const {
    return d_->source.rows;
}
std::int64_t ImageData::cols() const {
    return d_->source.cols;
}
int ImageData::channels() const {
    return d_->source.stored;
}
const Tensor& ImageData::tensor() const {
    return d_->original;
}

Tone ImageData::natural_tone() const {
    const auto prepared = d_->current();
    return prepared ? prepared->natural : range_of(d_->source);
}

bool ImageData::prepared() const {
    return d_->current() != nullptr;
}

Result<void> ImageData::prepare(const JobContext& context) {
    if (prepared()) return {};
    const auto& source = d_->source;
    MS_TRY(natural, find_natural(source, context));
    MS_TRY(levels, build_levels(source, context));
    if (source.tensor.storage()->changed_on_disk())
        return input_error(MS_TEXT("the file changed on disk while it was read; reload it"))
            .in_file(source.tensor.storage()->file()->path());
    auto made = std::make_shared<Prepared>();
    made->levels = std::move(levels);
    made->natural = natural;
    const std::lock_guard lock(d_->mutex);
    d_->prepared = std::move(made);
    return {};
}

void ImageData::pool(const Viewport& viewport, int x0, int y0, int width, int height, const Tone& tone, Rgb background,
                     Rgb* pixels, int stride) const {
    if (width <= 0 || height <= 0) return;
    const auto prepared = d_->current();
    const auto table = d_->table_of(tone);
    ImagePooling pooling(d_->source, prepared ? &prepared->levels : nullptr, *table, viewport, background);
    pooling.run(x0, y0, width, height, pixels, stride);
}

}  // namespace maskscope::render
