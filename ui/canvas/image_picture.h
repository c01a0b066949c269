// SPDX-License-Identifier: GPL-3.0-or-later
// The composed picture of a view: image pixels with label layers over them, kept between paints. A pan shifts it, a
// stroke redraws the rectangle it touched.
#pragma once

#include "core/mask/plane.h"
#include "core/render/overlay/compose.h"
#include "core/render/overlay/image_data.h"
#include "core/render/overlay/label_pool.h"
#include "core/render/pool/viewport.h"
#include "ui/session/overlay_state.h"

#include <QImage>
#include <QRegion>

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace maskscope::ui {

// One plane as it lies over the image, of the image's size.
struct PictureLayer {
    EntryId mask = EntryId::none;
    std::int64_t index = 0;
    std::shared_ptr<const mask::Plane> plane;  // may point into the edits: they live longer than a picture's source
    render::LabelRule rule;
    render::LayerLook look;
    friend bool operator==(const PictureLayer&, const PictureLayer&) = default;
};

struct PictureSource {
    std::shared_ptr<const render::ImageData> image;  // null: a plain background of that size
    bool prepared = false;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    render::Tone tone;
    std::vector<PictureLayer> layers;  // bottom first
    std::vector<PictureLayer> left;    // in their place left of the wipe
    int wipe = 0;                      // device pixels from the left edge; 0: no wipe
    render::ThemeId theme = render::ThemeId::light;
    double ratio = 1;  // device pixels a logical one
    friend bool operator==(const PictureSource&, const PictureSource&) = default;
};

class ImagePicture {
public:
    // Keeps of the former picture what is the same in the new one.
    void show(const render::Viewport& viewport, PictureSource source);
    // Cells of a plane have changed; nothing is drawn yet. The device pixels that image() will draw anew.
    QRect touch(EntryId mask, std::int64_t index, const mask::Rect& cells);
    void touchAll();

    // Of the viewport's size, up to date.
    const QImage& image();
    const render::Viewport& viewport() const { return viewport_; }
    const PictureSource& source() const { return source_; }

private:
    bool shift(const render::Viewport& to);
    void compose(const QRect& part);
    void composeSide(const QRect& part, const std::vector<PictureLayer>& layers);

    render::Viewport viewport_;
    PictureSource source_;
    QImage image_;
    QRegion stale_;
    std::map<std::pair<EntryId, std::int64_t>, render::LabelPool> pools_;
    render::LabelPixels labels_;
};

}  // namespace maskscope::ui
