// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/compose.h"

#include "tests/core/render/overlay/made_tensors.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace maskscope;
using namespace maskscope::render;
using namespace maskscope::test;

namespace {

constexpr Rgb kGrey = 0xff808080;
constexpr Rgb kInk = 0xffff0000;

struct Canvas {
    int width = 0;
    std::vector<Rgb> pixels;
    Rgb at(int x, int y) const { return pixels[static_cast<std::size_t>(y * width + x)]; }
};

LabelPixels pooled(const mask::Plane& plane, const Viewport& v) {
    LabelPool pool;
    LabelPixels out;
    pool.pool(plane, {}, v, 0, 0, v.width, v.height, out);
    return out;
}
Canvas drawn(const LabelPixels& labels, const LayerLook& look, double ratio = 1, Rgb under = kGrey) {
    Canvas out{labels.width, std::vector<Rgb>(labels.label.size(), under)};
    lay_over(labels, look, Theme::get(ThemeId::dark), ratio, 0, 0, out.pixels.data(), labels.width);
    return out;
}

// Channels differ by at most one step of 255.
bool near(Rgb a, Rgb b) {
    for (const unsigned shift : {0U, 8U, 16U})
        if (std::abs(static_cast<int>(a >> shift & 0xffU) - static_cast<int>(b >> shift & 0xffU)) > 1) return false;
    return true;
}

// A disc of label 3 with a square of label 5 in it.
Tensor disc() {
    return tensor_of<std::uint8_t>(Shape{60, 60}, DType::u8, [](std::int64_t i) {
        const auto r = i / 60 - 30;
        const auto c = i % 60 - 30;
        if (std::abs(r) < 8 && std::abs(c) < 8) return std::uint8_t{5};
        return static_cast<std::uint8_t>(r * r + c * c < 500 ? 3 : 0);
    });
}

LayerLook plain(double opacity = 0.45) {
    LayerLook look;
    look.opacity = opacity;
    look.outline = false;
    look.colour = kInk;
    return look;
}

struct Lab {
    double l, a, b;
};
Lab lab_of(Rgb colour) {
    const auto linear = [&](unsigned shift) {
        const double c = (colour >> shift & 0xffU) / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const double r = linear(16);
    const double g = linear(8);
    const double b = linear(0);
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
    const double y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
    const double z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}
double cielab(Rgb a, Rgb b) {
    const Lab p = lab_of(a);
    const Lab q = lab_of(b);
    return std::hypot(p.l - q.l, p.a - q.a, p.b - q.b);
}

}  // namespace

class ComposeTest : public QObject {
    Q_OBJECT

private slots:
    void thirty_two_colours_in_both_themes() {
        for (const auto id : {ThemeId::light, ThemeId::dark}) {
            const Theme& theme = Theme::get(id);
            QCOMPARE(label_colour(1, theme), Rgb{0xff4c9be8});
            QCOMPARE(label_colour(12, theme), Rgb{0xff6fa3b8});
            QCOMPARE(label_colour(33, theme), label_colour(1, theme));
            QCOMPARE(label_colour(-31, theme), label_colour(1, theme));
            for (int a = 1; a <= 32; ++a)
                for (int b = 1; b < a; ++b)
                    QVERIFY2(cielab(label_colour(a, theme), label_colour(b, theme)) >= 10,
                             QByteArray::number(a) + " and " + QByteArray::number(b));
        }
    }

    void the_fill_stays_inside() {
        const auto labels = pooled(*mask::Plane::of(disc()), view(0, 0, 1, 60, 60));
        const Canvas canvas = drawn(labels, plain(0.45));
        for (int y = 0; y < 60; ++y) {
            for (int x = 0; x < 60; ++x) {
                const bool inside = labels.label[static_cast<std::size_t>(y * 60 + x)] != 0;
                if (inside) {
                    QVERIFY(near(canvas.at(x, y), blend(kGrey, kInk, 0.45)));
                } else {
                    QCOMPARE(canvas.at(x, y), kGrey);
                }
            }
        }
        QCOMPARE(drawn(labels, plain(1)).at(30, 30), kInk);
        QCOMPARE(drawn(labels, plain(0)).at(30, 30), kGrey);
        QCOMPARE(drawn(labels, plain(7)).at(30, 30), kInk);  // beyond 1 is 1
    }

    void labels_have_their_colours_and_hidden_ones_none() {
        const auto labels = pooled(*mask::Plane::of(disc()), view(0, 0, 1, 60, 60));
        LayerLook look = plain(1);
        look.colour.reset();
        const Theme& theme = Theme::get(ThemeId::dark);
        QCOMPARE(drawn(labels, look).at(30, 30), theme.label(5));
        QCOMPARE(drawn(labels, look).at(30, 15), theme.label(3));
        look.hidden = {5};
        QCOMPARE(drawn(labels, look).at(30, 30), kGrey);
        QCOMPARE(drawn(labels, look).at(30, 15), theme.label(3));
    }

    // 1.25 logical pixels: the first whole, the second by a quarter; twice as many at ratio 2.
    void outline_width() {
        const auto plane = *mask::Plane::of(tensor_of<std::uint8_t>(
            Shape{40, 40}, DType::u8, [](std::int64_t i) { return static_cast<std::uint8_t>(i % 40 < 20 ? 1 : 2); }));
        const auto labels = pooled(plane, view(5, 5, 1, 30, 30));
        LayerLook look = plain();
        look.fill = false;
        look.outline = true;
        const Canvas once = drawn(labels, look);
        QCOMPARE(once.at(14, 9), kInk);  // cell 19, the last of label 1
        QCOMPARE(once.at(15, 9), kInk);
        QVERIFY(near(once.at(13, 9), blend(kGrey, kInk, 0.25)));
        QVERIFY(near(once.at(16, 9), blend(kGrey, kInk, 0.25)));
        QCOMPARE(once.at(12, 9), kGrey);
        const Canvas twice = drawn(labels, look, 2);
        QCOMPARE(twice.at(13, 9), kInk);
        QVERIFY(near(twice.at(12, 9), blend(kGrey, kInk, 0.5)));
        QCOMPARE(twice.at(11, 9), kGrey);
        look.emphasised = 1;
        const Canvas emphasised = drawn(labels, look);
        QCOMPARE(emphasised.at(13, 9), kInk);
        QCOMPARE(emphasised.at(12, 9), kGrey);
        QVERIFY(near(emphasised.at(16, 9), blend(kGrey, kInk, 0.25)));  // the other label as before
        look.outline = false;
        QCOMPARE(drawn(labels, look).at(14, 9), kInk);  // emphasis needs no outlines
        QCOMPARE(drawn(labels, look).at(15, 9), kGrey);
    }

    // At a large pitch the outline runs along the cell's edges, all four of a lone cell.
    void outline_of_enlarged_cells() {
        const auto plane = *mask::Plane::of(tensor_of<std::uint8_t>(
            Shape{3, 3}, DType::u8, [](std::int64_t i) { return static_cast<std::uint8_t>(i == 4 ? 1 : 0); }));
        LayerLook look = plain();
        look.fill = false;
        look.outline = true;
        look.outline_width = 1;
        const Canvas canvas = drawn(pooled(plane, view(0, 0, 10, 30, 30)), look);
        for (int y = 0; y < 30; ++y) {
            for (int x = 0; x < 30; ++x) {
                const bool in_cell = x >= 10 && x < 20 && y >= 10 && y < 20;
                const bool inner = x > 10 && x < 19 && y > 10 && y < 19;
                QCOMPARE(canvas.at(x, y), in_cell && !inner ? kInk : kGrey);
            }
        }
    }

    void hatches_lean_as_they_are_called() {
        const auto plane = *mask::Plane::of(
            tensor_of<std::uint8_t>(Shape{64, 64}, DType::u8, [](std::int64_t) { return std::uint8_t{1}; }));
        const auto labels = pooled(plane, view(0, 0, 1, 64, 64));
        LayerLook look = plain();
        look.fill = false;
        for (const auto hatch : {Hatch::rising, Hatch::falling}) {
            look.hatch = hatch;
            const Canvas canvas = drawn(labels, look);
            int inked = 0;
            for (int y = 1; y < 64; ++y) {
                for (int x = 1; x < 63; ++x) {
                    inked += canvas.at(x, y) != kGrey ? 1 : 0;
                    // A line that rises goes on up to the right, one that falls to the left.
                    QCOMPARE(canvas.at(x, y), canvas.at(hatch == Hatch::rising ? x + 1 : x - 1, y - 1));
                }
            }
            QVERIFY(inked > 63 * 62 / 5 && inked < 63 * 62 / 2);
        }
    }

    void parts_meet_without_seams() {
        const auto plane = *mask::Plane::of(disc());
        LayerLook look;
        look.hatch = Hatch::falling;
        look.outline_width = 2.5;
        for (const double pitch : {9.0, 2.0, 0.7}) {
            const auto v = view(-3, -2, pitch, 130, 110);
            const Canvas whole = drawn(pooled(plane, v), look, 1.5);
            LabelPool pool;
            std::vector<Rgb> patched(whole.pixels.size(), kGrey);
            for (int y = 0; y < 110; y += 37) {
                for (int x = 0; x < 130; x += 51) {
                    LabelPixels part;
                    const int width = std::min(51, 130 - x);
                    pool.pool(plane, {}, v, x, y, width, std::min(37, 110 - y), part);
                    lay_over(part, look, Theme::get(ThemeId::dark), 1.5, x, y, patched.data() + y * 130 + x, 130);
                }
            }
            QCOMPARE(patched, whole.pixels);
        }
    }

    void what_no_pool_made_draws_nothing() {
        LabelPixels broken;
        broken.width = 2;
        broken.height = 1;
        broken.label = {1, 1};
        broken.share = {255, 255};
        std::vector<Rgb> pixels(2, kGrey);
        lay_over(broken, {}, Theme::get(ThemeId::dark), 1, 0, 0, pixels.data(), 2);
        QCOMPARE(pixels, (std::vector<Rgb>{kGrey, kGrey}));
    }
};

QTEST_APPLESS_MAIN(ComposeTest)
#include "compose_test.moc"
