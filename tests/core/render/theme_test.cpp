// SPDX-License-Identifier: Apache-2.0
#include "core/render/look/theme.h"

#include <QTest>

#include <cmath>
#include <set>
#include <string>

using namespace maskscope::render;

namespace {

constexpr Token kSurfaces[] = {Token::bg_window, Token::bg_panel, Token::bg_view,     Token::bg_raised,
                               Token::bg_sunken, Token::bg_hover, Token::bg_selected, Token::bg_header};
constexpr Token kReadable[] = {
    Token::text,       Token::text_2,      Token::text_3,    Token::text_link, Token::accent,      Token::accent_hover,
    Token::error,      Token::warn,        Token::ok,        Token::info,      Token::role_tensor, Token::role_mask,
    Token::role_image, Token::role_script, Token::conv_keep, Token::conv_drop, Token::conv_add,    Token::syn_kw,
    Token::syn_str,    Token::syn_num,     Token::syn_fn,    Token::syn_cmt};

struct Lab {
    double l, a, b;
};

// CIE 1976 L*a*b* under D65, after the definition.
Lab lab_of(Rgb colour) {
    const auto linear = [](unsigned byte) {
        const double c = byte / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const double r = linear(colour >> 16U & 0xffU);
    const double g = linear(colour >> 8U & 0xffU);
    const double b = linear(colour & 0xffU);
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
    const double y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
    const double z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(Rgb left, Rgb right) {
    const Lab p = lab_of(left);
    const Lab q = lab_of(right);
    return std::hypot(p.l - q.l, p.a - q.a, p.b - q.b);
}

}  // namespace

class ThemeTest : public QObject {
    Q_OBJECT

private slots:
    void given_colours() {
        const auto& light = Theme::get(ThemeId::light);
        const auto& dark = Theme::get(ThemeId::dark);
        QCOMPARE(light.id(), ThemeId::light);
        QCOMPARE(dark.id(), ThemeId::dark);
        QCOMPARE(light[Token::bg_window], Rgb{0xffe9ecf0});
        QCOMPARE(dark[Token::bg_window], Rgb{0xff14161a});
        QCOMPARE(light[Token::st_nan], Rgb{0xffd0157f});
        QCOMPARE(dark[Token::b_mark], Rgb{0xffc3a3f2});
        QCOMPARE(name_of(Token::st_masked_ink), std::string_view("st.masked.ink"));
    }

    void every_token_has_a_colour() {
        for (const auto id : {ThemeId::light, ThemeId::dark}) {
            for (std::size_t i = 0; i < Theme::kTokenCount; ++i) {
                const auto token = static_cast<Token>(i);
                QVERIFY2(Theme::get(id)[token] >> 24U == 0xffU, std::string(name_of(token)).c_str());
            }
        }
    }

    void contrast_by_hand() {
        QCOMPARE(contrast(0xff000000, 0xffffffff), 21.0);
        QCOMPARE(contrast(0xffffffff, 0xffffffff), 1.0);
        // 0x77 grey on white is the field's well-known near miss of 4.5.
        QVERIFY(std::abs(contrast(0xff777777, 0xffffffff) - 4.478) < 0.001);
    }

    void text_is_readable_on_every_surface() {
        for (const auto id : {ThemeId::light, ThemeId::dark}) {
            const auto& theme = Theme::get(id);
            for (const auto ink : kReadable) {
                for (const auto surface : kSurfaces) {
                    const double ratio = contrast(theme[ink], theme[surface]);
                    const auto what = std::string(name_of(ink)) + " on " + std::string(name_of(surface)) + ": " +
                                      std::to_string(ratio);
                    QVERIFY2(ratio >= 4.5, what.c_str());
                }
            }
            QVERIFY(contrast(theme[Token::on_accent], theme[Token::accent]) >= 4.5);
            QVERIFY(contrast(theme[Token::accent], theme[Token::accent_soft]) >= 4.5);
            QVERIFY(contrast(theme[Token::error], theme[Token::error_soft]) >= 4.5);
            QVERIFY(contrast(theme[Token::warn], theme[Token::warn_soft]) >= 4.5);
            QVERIFY(contrast(theme[Token::ok], theme[Token::ok_soft]) >= 4.5);
            QVERIFY(contrast(theme[Token::info], theme[Token::info_soft]) >= 4.5);
        }
    }

    void labels_are_distinct_and_stable() {
        const auto& light = Theme::get(ThemeId::light);
        const auto& dark = Theme::get(ThemeId::dark);
        QCOMPARE(light.label(1), Rgb{0xff4c9be8});
        QCOMPARE(light.label(12), Rgb{0xff6fa3b8});
        QCOMPARE(light.label(33), light.label(1));
        QCOMPARE(light.label(0), light[Token::bg_view]);
        QCOMPARE(light.label(-1), light.label(31));
        double closest = 1e9;
        for (std::int64_t a = 1; a <= 32; ++a) {
            QCOMPARE(light.label(a), dark.label(a));
            QVERIFY(distance(light.label(a), light[Token::bg_view]) > 35);
            QVERIFY(distance(light.label(a), dark[Token::bg_view]) > 35);
            for (std::int64_t b = a + 1; b <= 32; ++b)
                closest = std::min(closest, distance(light.label(a), light.label(b)));
        }
        // The first twelve come as close as 20.97; the others keep 30 to each other and to them.
        QVERIFY2(closest > 20.9, std::to_string(closest).c_str());
        for (std::int64_t a = 13; a <= 32; ++a) {
            for (std::int64_t b = 1; b < a; ++b) QVERIFY(distance(light.label(a), light.label(b)) > 30);
        }
    }

    void blend_by_hand() {
        QCOMPARE(blend(0xff000000, 0xffffffff, 0.5), Rgb{0xff808080});
        QCOMPARE(blend(0xff102030, 0xff506070, 0.25), Rgb{0xff203040});
        QCOMPARE(blend(0xff102030, 0xff506070, 1), Rgb{0xff506070});
    }
};

QTEST_APPLESS_MAIN(ThemeTest)
#include "theme_test.moc"
