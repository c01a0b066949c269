// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/image_picture.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace maskscope::ui {
namespace {

// How many device pixels around changed cells look different: outlines, and a pixel that blocks of cells share.
constexpr int kReach = render::kEdgeReach + 2;
// More rectangles than this cost more apart than together.
constexpr int kMostParts = 16;

int edge(double position) {
    return static_cast<int>(std::lround(position));
}

// Where pixel 0 of the view lies on the image's own grid of device pixels: what must not move when the picture is
// shifted (hatches) starts there.
int origin(double first, double pitch) {
    return static_cast<int>(std::clamp(std::round(first * pitch), -1e9, 1e9));
}

}  // namespace

void ImagePicture::touchAll() {
    stale_ = QRect(0, 0, viewport_.width, viewport_.height);
}

void ImagePicture::show(const render::Viewport& viewport, PictureSource source) {
    const bool same_size = image_.width() == viewport.width && image_.height() == viewport.height;
    bool keep = same_size && source == source_;
    if (!keep && same_size && viewport == viewport_) {
        // Only the wipe has moved: what lies between its two places.
        auto unmoved = source;
        unmoved.wipe = source_.wipe;
        if (unmoved == source_ && source.wipe > 0 && source_.wipe > 0) {
            const int from = std::min(source.wipe, source_.wipe);
            const int to = std::max(source.wipe, source_.wipe);
            stale_ += QRect(from, 0, to - from, viewport.height);
            keep = true;
        }
    }
    source_ = std::move(source);
    if (!same_size) image_ = QImage(std::max(viewport.width, 1), std::max(viewport.height, 1), QImage::Format_RGB32);
    if (keep && (viewport == viewport_ || shift(viewport))) return;
    viewport_ = viewport;
    touchAll();
    std::erase_if(pools_, [this](const auto& item) {
        const auto has = [&](const std::vector<PictureLayer>& layers) {
            return std::any_of(layers.begin(), layers.end(), [&](const PictureLayer& layer) {
                return std::pair{layer.mask, layer.index} == item.first;
            });
        };
        return !has(source_.layers) && !has(source_.left);
    });
}

// A pan by whole pixels moves what is drawn already.
bool ImagePicture::shift(const render::Viewport& to) {
    // A wipe stands still while the picture moves.
    if (to.pitch != viewport_.pitch || source_.wipe > 0) return false;
    const double across = (viewport_.col0 - to.col0) * to.pitch;
    const double down = (viewport_.row0 - to.row0) * to.pitch;
    if (std::abs(across) >= to.width || std::abs(down) >= to.height) return false;
    const int dx = edge(across);
    const int dy = edge(down);
    if (std::abs(across - dx) > 1e-6 || std::abs(down - dy) > 1e-6) return false;
    const QRect whole(0, 0, to.width, to.height);
    const int first = std::max(0, -dx);
    const auto bytes = static_cast<std::size_t>(to.width - std::abs(dx)) * sizeof(render::Rgb);
    const int rows = to.height - std::abs(dy);
    for (int i = 0; i < rows; ++i) {
        const int row = dy > 0 ? to.height - 1 - i : i;  // never over what is still to be moved
        std::memmove(image_.scanLine(row) + static_cast<std::size_t>(first + dx) * sizeof(render::Rgb),
                     image_.constScanLine(row - dy) + static_cast<std::size_t>(first) * sizeof(render::Rgb), bytes);
    }
    viewport_ = to;
    stale_ = stale_.translated(dx, dy) + (QRegion(whole) - whole.translated(dx, dy));
    stale_ &= whole;
    return true;
}

QRect ImagePicture::touch(EntryId mask, std::int64_t index, const mask::Rect& cells) {
    const auto shown = [&](const std::vector<PictureLayer>& layers) {
        return std::any_of(layers.begin(), layers.end(),
                           [&](const PictureLayer& layer) { return layer.mask == mask && layer.index == index; });
    };
    if (cells.empty() || (!shown(source_.layers) && !(source_.wipe > 0 && shown(source_.left)))) return {};
    const auto clamped = [](double at, int size) { return std::clamp(at, -1e6, size + 1e6); };
    const double left = clamped(viewport_.pixel_from_cell_x(static_cast<double>(cells.col)), viewport_.width);
    const double top = clamped(viewport_.pixel_from_cell_y(static_cast<double>(cells.row)), viewport_.height);
    const double right = clamped(viewport_.pixel_from_cell_x(static_cast<double>(cells.right())), viewport_.width);
    const double bottom = clamped(viewport_.pixel_from_cell_y(static_cast<double>(cells.bottom())), viewport_.height);
    const QRect part(QPoint(static_cast<int>(std::floor(left)) - kReach, static_cast<int>(std::floor(top)) - kReach),
                     QPoint(static_cast<int>(std::ceil(right)) + kReach, static_cast<int>(std::ceil(bottom)) + kReach));
    const QRect seen = part & QRect(0, 0, viewport_.width, viewport_.height);
    stale_ += seen;
    return seen;
}

const QImage& ImagePicture::image() {
    if (stale_.isEmpty()) return image_;
    if (stale_.rectCount() > kMostParts) {
        compose(stale_.boundingRect());
    } else {
        for (const QRect& part : stale_) compose(part);
    }
    stale_ = {};
    return image_;
}

void ImagePicture::compose(const QRect& part) {
    const int wipe = source_.wipe;
    if (wipe <= part.left()) return composeSide(part, source_.layers);
    if (wipe > part.right()) return composeSide(part, source_.left);
    composeSide(QRect(part.topLeft(), QPoint(wipe - 1, part.bottom())), source_.left);
    composeSide(QRect(QPoint(wipe, part.top()), part.bottomRight()), source_.layers);
}

void ImagePicture::composeSide(const QRect& part, const std::vector<PictureLayer>& layers) {
    const auto& theme = render::Theme::get(source_.theme);
    const int stride = static_cast<int>(image_.bytesPerLine() / static_cast<qsizetype>(sizeof(render::Rgb)));
    auto* pixels = reinterpret_cast<render::Rgb*>(image_.scanLine(part.top())) + part.left();
    const auto beyond = theme[render::Token::bg_sunken];
    if (source_.image) {
        source_.image->pool(viewport_, part.left(), part.top(), part.width(), part.height(), source_.tone, beyond,
                            pixels, stride);
    } else {
        const auto edgeX = [&](std::int64_t col) {
            return edge(viewport_.pixel_from_cell_x(static_cast<double>(col))) - part.left();
        };
        const auto edgeY = [&](std::int64_t row) {
            return edge(viewport_.pixel_from_cell_y(static_cast<double>(row))) - part.top();
        };
        const int left = std::clamp(edgeX(0), 0, part.width());
        const int right = std::clamp(edgeX(source_.cols), left, part.width());
        for (int y = 0; y < part.height(); ++y) {
            auto* row = pixels + static_cast<std::ptrdiff_t>(y) * stride;
            std::fill(row, row + part.width(), beyond);
            if (y >= edgeY(0) && y < edgeY(source_.rows)) {
                std::fill(row + left, row + right, theme[render::Token::bg_view]);
            }
        }
    }
    const int x = part.left() + origin(viewport_.col0, viewport_.pitch);
    const int y = part.top() + origin(viewport_.row0, viewport_.pitch);
    for (const auto& layer : layers) {
        auto& pool = pools_[{layer.mask, layer.index}];
        pool.pool(*layer.plane, layer.rule, viewport_, part.left(), part.top(), part.width(), part.height(), labels_);
        render::lay_over(labels_, layer.look, theme, source_.ratio, x, y, pixels, stride);
    }
}

}  // namespace maskscope::ui
