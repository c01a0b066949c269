// SPDX-License-Identifier: Apache-2.0
// Planes and pictures for the figure tests.
#pragma once

#include "core/render/figure/cairo_painter.h"
#include "core/render/figure/heatmap_figure.h"
#include "core/render/figure/text_metrics.h"

#include <QtGlobal>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace maskscope::render::testing {

inline Tensor f32_plane(std::int64_t rows, std::int64_t cols,
                        const std::function<float(std::int64_t, std::int64_t)>& value) {
    Tensor tensor = *Tensor::zeros({rows, cols}, DType::f32);
    auto* out = tensor.writable_as<float>();
    for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t c = 0; c < cols; ++c) out[r * cols + c] = value(r, c);
    }
    return tensor;
}

inline Tensor keep_plane(std::int64_t rows, std::int64_t cols,
                         const std::function<bool(std::int64_t, std::int64_t)>& keep) {
    Tensor tensor = *Tensor::zeros({rows, cols}, DType::boolean);
    auto* out = tensor.writable_data();
    for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t c = 0; c < cols; ++c) out[r * cols + c] = std::byte{keep(r, c)};
    }
    return tensor;
}

// From the base line to the capitals' top: what must never touch another text.
inline Box ink(const TextItem& text) {
    const double width = text_width(text.text, text.face, text.size);
    const double height = cap_height(text.face, text.size);
    const double shift = text.align == Align::left ? 0 : text.align == Align::right ? width : width / 2;
    if (text.upwards) return {text.baseline.x - height, text.baseline.y + shift - width, height, width};
    return {text.baseline.x - shift, text.baseline.y - height, width, height};
}

// The first text that leaves the picture, or nothing. Numbers in cells are clipped to the data area and do not count.
inline std::string text_outside(const DisplayList& list) {
    int clips = 0;
    for (const auto& item : list.items) {
        if (const auto* clip = std::get_if<ClipItem>(&item)) clips += clip->begin ? 1 : -1;
        const auto* text = std::get_if<TextItem>(&item);
        if (text == nullptr || clips > 0) continue;
        const Box box = ink(*text);
        if (box.x < 0 || box.y < 0 || box.right() > list.width || box.bottom() > list.height) return text->text;
    }
    return {};
}

struct Picture {
    Viewport viewport;
    FigureLayout layout;
    DisplayList list;
};

inline Picture fitted(const HeatmapData& data, const FigureSpec& spec) {
    Picture picture;
    picture.layout = lay_out(data, spec);
    picture.viewport = fit(data, picture.layout, spec);
    const auto rule = is_diverging(spec.look.map) ? PoolRule::magnitude : PoolRule::largest;
    picture.list = draw(data, data.pool(picture.viewport, rule), picture.viewport, picture.layout, spec);
    return picture;
}

// With MASKSCOPE_KEEP=folder in the environment, pictures are kept there to be looked at.
inline void keep(const DisplayList& list, const std::string& name, double ratio = 1) {
    const char* folder = std::getenv("MASKSCOPE_KEEP");
    if (folder == nullptr) return;
    const auto written = write_picture(list, std::string(folder) + "/" + name + ".png", PictureFormat::png, ratio);
    if (!written) qWarning("%s", written.error().text().c_str());
}

}  // namespace maskscope::render::testing
