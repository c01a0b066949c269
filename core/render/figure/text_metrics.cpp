// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/text_metrics.h"

#include "resources/resources.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_TRUETYPE_TABLES_H

#include <array>
#include <mutex>
#include <unordered_map>

namespace maskscope::render {
namespace {

constexpr std::array<std::string_view, 5> kFiles = {
    "fonts/Inter-Regular.otf",         "fonts/Inter-Medium.otf",       "fonts/Inter-SemiBold.otf",
    "fonts/JetBrainsMono-Regular.ttf", "fonts/JetBrainsMono-Bold.ttf",
};

// Advances in units of the em. Common letters are looked up once, the rest as they come.
class FaceMetrics {
public:
    explicit FaceMetrics(FT_Library library, std::span<const std::byte> bytes) {
        if (FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(bytes.data()),
                               static_cast<FT_Long>(bytes.size()), 0, &face_) != 0) {
            face_ = nullptr;
        }
        for (std::size_t i = 0; i < common_.size(); ++i) common_[i] = measure(static_cast<char32_t>(i));
        if (face_ != nullptr) {
            const auto* os2 = static_cast<const TT_OS2*>(FT_Get_Sfnt_Table(face_, FT_SFNT_OS2));
            if (os2 != nullptr && os2->sCapHeight > 0) cap_height_ = static_cast<double>(os2->sCapHeight) / units();
        }
    }

    double advance(char32_t letter) {
        if (letter < common_.size()) return common_[letter];
        const std::lock_guard lock(mutex_);
        const auto found = rare_.find(letter);
        if (found != rare_.end()) return found->second;
        return rare_[letter] = measure(letter);
    }
    double cap_height() const { return cap_height_; }

private:
    double units() const { return face_->units_per_EM; }
    double measure(char32_t letter) const {
        // Glyph 0 is .notdef, which is also what the painters show for a letter that the font lacks.
        if (face_ == nullptr || FT_Load_Glyph(face_, FT_Get_Char_Index(face_, letter), FT_LOAD_NO_SCALE) != 0)
            return 0.6;
        return static_cast<double>(face_->glyph->advance.x) / units();
    }

    FT_Face face_ = nullptr;
    std::array<double, 0x250> common_{};
    double cap_height_ = 0.73;
    std::mutex mutex_;
    std::unordered_map<char32_t, double> rare_;
};

FaceMetrics& metrics(Face face) {
    // Lives as long as the process: layouts may run on any thread until the end.
    static const std::array<FaceMetrics*, kFiles.size()> faces = [] {
        static FT_Library library = nullptr;
        FT_Init_FreeType(&library);
        std::array<FaceMetrics*, kFiles.size()> made{};
        for (std::size_t i = 0; i < kFiles.size(); ++i) made[i] = new FaceMetrics(library, resource(kFiles[i]));
        return made;
    }();
    return *faces[static_cast<std::size_t>(face)];
}

// Reads one code point and moves past it; a broken byte reads as U+FFFD.
char32_t next_letter(std::string_view& utf8) {
    const auto lead = static_cast<unsigned char>(utf8.front());
    std::size_t length = 1;
    char32_t letter = lead;
    if (lead >= 0xf0 && lead < 0xf8)
        length = 4, letter = lead & 0x07U;
    else if (lead >= 0xe0 && lead < 0xf0)
        length = 3, letter = lead & 0x0fU;
    else if (lead >= 0xc0 && lead < 0xe0)
        length = 2, letter = lead & 0x1fU;
    else if (lead >= 0x80)
        letter = 0xfffd;
    if (length > utf8.size()) {
        utf8 = {};
        return 0xfffd;
    }
    for (std::size_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(utf8[i]);
        if ((byte & 0xc0U) != 0x80U) {
            utf8.remove_prefix(i);
            return 0xfffd;
        }
        letter = letter << 6U | (byte & 0x3fU);
    }
    utf8.remove_prefix(length);
    return letter;
}

}  // namespace

double text_width(std::string_view utf8, Face face, double size) {
    auto& font = metrics(face);
    double ems = 0;
    while (!utf8.empty()) ems += font.advance(next_letter(utf8));
    return ems * size;
}

double cap_height(Face face, double size) {
    return metrics(face).cap_height() * size;
}

std::string elide(std::string_view utf8, Face face, double size, double width) {
    if (text_width(utf8, face, size) <= width) return std::string(utf8);
    auto& font = metrics(face);
    const double room = width / size - font.advance(U'\u2026');
    double ems = 0;
    std::string_view rest = utf8;
    std::size_t kept = 0;
    while (!rest.empty()) {
        ems += font.advance(next_letter(rest));
        if (ems > room) break;
        kept = utf8.size() - rest.size();
    }
    return std::string(utf8.substr(0, kept)) + "\u2026";
}

std::span<const std::byte> font_bytes(Face face) {
    return resource(kFiles[static_cast<std::size_t>(face)]);
}

}  // namespace maskscope::render
