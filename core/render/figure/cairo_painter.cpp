// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/cairo_painter.h"

#include "core/render/figure/cell_glyphs.h"
#include "core/render/figure/replace_file.h"
#include "core/render/figure/text_metrics.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

namespace maskscope::render {
namespace {

constexpr int kLargestSide = 32767;  // of a cairo image

struct SurfaceDeleter {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ContextDeleter {
    void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, SurfaceDeleter>;
using Context = std::unique_ptr<cairo_t, ContextDeleter>;

cairo_font_face_t* cairo_face(Face face) {
    // Cairo keeps the FreeType face in its caches for as long as it likes, so both live until the process ends.
    static const std::array<cairo_font_face_t*, 5> faces = [] {
        static FT_Library library = nullptr;
        FT_Init_FreeType(&library);
        std::array<cairo_font_face_t*, 5> made{};
        for (std::size_t i = 0; i < made.size(); ++i) {
            const auto bytes = font_bytes(static_cast<Face>(i));
            FT_Face loaded = nullptr;
            if (FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(bytes.data()),
                                   static_cast<FT_Long>(bytes.size()), 0, &loaded) == 0) {
                made[i] = cairo_ft_font_face_create_for_ft_face(loaded, 0);
            }
        }
        return made;
    }();
    return faces[static_cast<std::size_t>(face)];
}

class Painter {
public:
    Painter(cairo_t* cr, bool text_as_outlines) : cr_(cr), as_outlines_(text_as_outlines) {
        cairo_font_options_t* options = cairo_font_options_create();
        // Unhinted advances are those of text_metrics, by which everything was laid out.
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
        cairo_set_font_options(cr_, options);
        cairo_font_options_destroy(options);
        cairo_set_line_cap(cr_, CAIRO_LINE_CAP_BUTT);
        cairo_set_line_join(cr_, CAIRO_LINE_JOIN_MITER);
    }

    void paint(const DisplayList& list) {
        if (list.background != 0) {
            set_colour(list.background);
            cairo_paint(cr_);
        }
        for (const auto& item : list.items) std::visit(*this, item);
    }

    void operator()(const ImageItem& image) {
        if (image.pixels == nullptr || image.width <= 0 || image.height <= 0) return;
        // Only read: the surface is a source.
        auto* bytes = reinterpret_cast<unsigned char*>(const_cast<Rgb*>(image.pixels->data()));
        const Surface source(
            cairo_image_surface_create_for_data(bytes, CAIRO_FORMAT_RGB24, image.width, image.height, image.width * 4));
        cairo_save(cr_);
        cairo_rectangle(cr_, image.box.x, image.box.y, image.box.width, image.box.height);
        cairo_clip(cr_);
        cairo_translate(cr_, image.box.x, image.box.y);
        cairo_scale(cr_, image.box.width / image.width, image.box.height / image.height);
        cairo_set_source_surface(cr_, source.get(), 0, 0);
        cairo_pattern_set_filter(cairo_get_source(cr_), CAIRO_FILTER_NEAREST);
        cairo_paint(cr_);
        cairo_restore(cr_);
    }

    void operator()(const RectItem& rect) {
        if (rect.fill != 0) {
            add_box(rect.box, rect.radius);
            set_colour(rect.fill);
            cairo_fill(cr_);
        }
        if (rect.stroke != 0) {
            add_box(rect.box, rect.radius);
            stroke(rect.stroke, rect.stroke_width, false);
        }
    }

    void operator()(const LineItem& line) {
        cairo_move_to(cr_, line.from.x, line.from.y);
        cairo_line_to(cr_, line.to.x, line.to.y);
        stroke(line.colour, line.width, line.dashed);
    }

    void operator()(const PolylineItem& line) {
        if (line.points.empty()) return;
        cairo_move_to(cr_, line.points.front().x, line.points.front().y);
        for (std::size_t i = 1; i < line.points.size(); ++i) cairo_line_to(cr_, line.points[i].x, line.points[i].y);
        if (line.closed) cairo_close_path(cr_);
        if (line.fill != 0) {
            set_colour(line.fill);
            cairo_fill_preserve(cr_);
        }
        if (line.stroke != 0) stroke(line.stroke, line.width, false);
        cairo_new_path(cr_);
    }

    void operator()(const TextItem& text) {
        cairo_font_face_t* face = cairo_face(text.face);
        if (face == nullptr || text.text.empty()) return;
        cairo_save(cr_);
        cairo_set_font_face(cr_, face);
        cairo_set_font_size(cr_, text.size);
        cairo_translate(cr_, text.baseline.x, text.baseline.y);
        if (text.upwards) cairo_rotate(cr_, -std::numbers::pi / 2);
        double shift = 0;
        if (text.align != Align::left) shift = -text_width(text.text, text.face, text.size);
        if (text.align == Align::centre) shift /= 2;
        cairo_move_to(cr_, shift, 0);
        set_colour(text.colour);
        if (as_outlines_) {
            // Cairo moves cached glyphs to whole pixels, which sets small text unevenly.
            cairo_text_path(cr_, text.text.c_str());
            cairo_fill(cr_);
        } else {
            cairo_show_text(cr_, text.text.c_str());
        }
        cairo_restore(cr_);
        cairo_new_path(cr_);
    }

    void operator()(const GlyphItem& glyph) {
        const auto items = expand_glyph(glyph);
        if (items.empty()) return;
        cairo_save(cr_);
        cairo_rectangle(cr_, glyph.cell.x, glyph.cell.y, glyph.cell.width, glyph.cell.height);
        cairo_clip(cr_);
        for (const auto& item : items) std::visit(*this, item);
        cairo_restore(cr_);
    }

    void operator()(const ClipItem& clip) {
        if (clip.begin) {
            cairo_save(cr_);
            cairo_rectangle(cr_, clip.box.x, clip.box.y, clip.box.width, clip.box.height);
            cairo_clip(cr_);
        } else {
            cairo_restore(cr_);
        }
    }

private:
    void set_colour(Rgb rgb) {
        cairo_set_source_rgb(cr_, (rgb >> 16U & 0xffU) / 255.0, (rgb >> 8U & 0xffU) / 255.0, (rgb & 0xffU) / 255.0);
    }
    void stroke(Rgb rgb, double width, bool dashed) {
        const double dashes[] = {3, 3};
        cairo_set_dash(cr_, dashes, dashed ? 2 : 0, 0);
        cairo_set_line_width(cr_, width);
        set_colour(rgb);
        cairo_stroke(cr_);
    }
    void add_box(const Box& box, double radius) {
        if (radius <= 0) {
            cairo_rectangle(cr_, box.x, box.y, box.width, box.height);
            return;
        }
        const double quarter = std::numbers::pi / 2;
        const double r = std::min({radius, box.width / 2, box.height / 2});
        cairo_new_sub_path(cr_);
        cairo_arc(cr_, box.right() - r, box.y + r, r, -quarter, 0);
        cairo_arc(cr_, box.right() - r, box.bottom() - r, r, 0, quarter);
        cairo_arc(cr_, box.x + r, box.bottom() - r, r, quarter, 2 * quarter);
        cairo_arc(cr_, box.x + r, box.y + r, r, 2 * quarter, 3 * quarter);
        cairo_close_path(cr_);
    }

    cairo_t* cr_;
    bool as_outlines_;
};

Error cairo_error(cairo_status_t status) {
    if (status == CAIRO_STATUS_NO_MEMORY) {
        return make_error(ErrorKind::unavailable, MS_TEXT("There is not enough memory for a picture of this size"))
            .with_hint(MS_TEXT("Take a smaller size or scale"));
    }
    return make_error(ErrorKind::unavailable, MS_TEXT("The picture could not be drawn: {}"),
                      cairo_status_to_string(status));
}

Result<Surface> paint_image(const DisplayList& list, double scale) {
    const double width = std::ceil(list.width * scale - 1e-6);
    const double height = std::ceil(list.height * scale - 1e-6);
    if (!(width >= 1 && height >= 1 && width <= kLargestSide && height <= kLargestSide)) {
        return usage_error(MS_TEXT("A picture of {} x {} pixels cannot be made: each side must be from 1 to {}"), width,
                           height, kLargestSide);
    }
    Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height)));
    if (const auto status = cairo_surface_status(surface.get()); status != CAIRO_STATUS_SUCCESS)
        return cairo_error(status);
    const Context context(cairo_create(surface.get()));
    cairo_scale(context.get(), scale, scale);
    Painter(context.get(), true).paint(list);
    cairo_surface_flush(surface.get());
    if (const auto status = cairo_status(context.get()); status != CAIRO_STATUS_SUCCESS) return cairo_error(status);
    return surface;
}

cairo_status_t append(void* out, const unsigned char* data, unsigned int length) {
    try {
        static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(data), length);
    } catch (const std::bad_alloc&) {
        return CAIRO_STATUS_NO_MEMORY;
    }
    return CAIRO_STATUS_SUCCESS;
}

Result<std::string> encode_png(const DisplayList& list, double scale) {
    MS_TRY(surface, paint_image(list, scale));
    std::string bytes;
    const auto status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
    if (status != CAIRO_STATUS_SUCCESS) return cairo_error(status);
    return bytes;
}

Result<std::string> encode_vector(const DisplayList& list, PictureFormat format) {
    std::string bytes;
    constexpr double kPointsPerPixel = 0.75;
    const bool pdf = format == PictureFormat::pdf;
    const Surface surface(pdf ? cairo_pdf_surface_create_for_stream(append, &bytes, list.width * kPointsPerPixel,
                                                                    list.height * kPointsPerPixel)
                              : cairo_svg_surface_create_for_stream(append, &bytes, list.width, list.height));
    if (const auto status = cairo_surface_status(surface.get()); status != CAIRO_STATUS_SUCCESS)
        return cairo_error(status);
    if (!pdf) cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
    {
        const Context context(cairo_create(surface.get()));
        if (pdf) cairo_scale(context.get(), kPointsPerPixel, kPointsPerPixel);
        Painter(context.get(), false).paint(list);
        if (const auto status = cairo_status(context.get()); status != CAIRO_STATUS_SUCCESS) return cairo_error(status);
    }
    cairo_surface_finish(surface.get());
    if (const auto status = cairo_surface_status(surface.get()); status != CAIRO_STATUS_SUCCESS)
        return cairo_error(status);
    return bytes;
}

}  // namespace

std::optional<PictureFormat> picture_format(std::string_view path) {
    const auto dot = path.rfind('.');
    if (dot == std::string_view::npos) return std::nullopt;
    std::string extension(path.substr(dot + 1));
    for (char& c : extension) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    if (extension == "png") return PictureFormat::png;
    if (extension == "svg") return PictureFormat::svg;
    if (extension == "pdf") return PictureFormat::pdf;
    return std::nullopt;
}

Result<void> write_picture(const DisplayList& list, const std::string& path, PictureFormat format, double scale) {
    MS_TRY(bytes, format == PictureFormat::png ? encode_png(list, scale) : encode_vector(list, format));
    return replace_file(path, bytes);
}

Result<Raster> rasterise(const DisplayList& list, double scale) {
    MS_TRY(surface, paint_image(list, scale));
    Raster raster;
    raster.width = cairo_image_surface_get_width(surface.get());
    raster.height = cairo_image_surface_get_height(surface.get());
    const auto* bytes = cairo_image_surface_get_data(surface.get());
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
    const auto width = static_cast<std::size_t>(raster.width);
    raster.pixels.resize(width * static_cast<std::size_t>(raster.height));
    for (std::size_t y = 0; y < static_cast<std::size_t>(raster.height); ++y) {
        std::memcpy(raster.pixels.data() + y * width, bytes + y * stride, width * sizeof(Rgb));
    }
    for (Rgb& pixel : raster.pixels) pixel |= 0xff000000U;
    return raster;
}

}  // namespace maskscope::render
