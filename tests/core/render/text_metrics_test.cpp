// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/text_metrics.h"

#include <QTest>

#include <cmath>

using namespace maskscope::render;

class TextMetricsTest : public QObject {
    Q_OBJECT

private slots:
    // Every glyph of JetBrains Mono is 600 of 1000 units wide, and its capitals are 730 high.
    void mono_by_hand() {
        QCOMPARE(text_width("", Face::mono, 10), 0.0);
        QVERIFY(std::abs(text_width("0.284", Face::mono, 10) - 30) < 1e-9);
        QVERIFY(std::abs(text_width("\u22121.2", Face::mono, 10) - 24) < 1e-9);
        QVERIFY(std::abs(text_width("0123456789", Face::mono_bold, 12) - 72) < 1e-9);
        QVERIFY(std::abs(cap_height(Face::mono, 10) - 7.3) < 1e-9);
    }

    // Advances of Inter's horizontal metrics table: space 0.28, "the" = t + h + e.
    void inter_is_proportional() {
        const double i = text_width("i", Face::ui, 100);
        const double w = text_width("W", Face::ui, 100);
        QVERIFY(i > 15 && i < 35);
        QVERIFY(w > 80 && w < 120);
        QVERIFY(std::abs(text_width("iW", Face::ui, 100) - (i + w)) < 1e-9);
        QVERIFY(text_width("weight", Face::ui_semibold, 12) > text_width("weight", Face::ui, 12));
    }

    void utf8() {
        // Two bytes, three bytes and four bytes are one letter each in a fixed-width face.
        QVERIFY(std::abs(text_width("\u00D7", Face::mono, 10) - 6) < 1e-9);
        QVERIFY(std::abs(text_width("\u2192", Face::mono, 10) - 6) < 1e-9);
        // A letter that the font lacks is as wide as its .notdef, whatever it is.
        QCOMPARE(text_width("\u65E5", Face::ui, 12), text_width("\u672C", Face::ui, 12));
        QVERIFY(text_width("\U0001F600", Face::ui, 12) > 0);
        // Broken bytes are measured, not followed beyond the text.
        QVERIFY(text_width("\xe6\x97", Face::ui, 12) > 0);
        QVERIFY(text_width("\xff\xfe", Face::ui, 12) > 0);
        QVERIFY(text_width("a\xc3", Face::ui, 12) > text_width("a", Face::ui, 12));
    }

    void elided() {
        QCOMPARE(elide("abc", Face::mono, 10, 18), std::string("abc"));
        QCOMPARE(elide("abcdef", Face::mono, 10, 24), std::string("abc\u2026"));
        QCOMPARE(elide("\u00E4\u00F6\u00FC\u00DF", Face::mono, 10, 18), std::string("\u00E4\u00F6\u2026"));
        QCOMPARE(elide("abcdef", Face::mono, 10, 1), std::string("\u2026"));
        QVERIFY(text_width(elide("an unusually long label", Face::ui, 12, 60), Face::ui, 12) <= 60);
    }

    void fonts_are_there() {
        for (const auto face : {Face::ui, Face::ui_medium, Face::ui_semibold, Face::mono, Face::mono_bold}) {
            QVERIFY(font_bytes(face).size() > 50'000);
        }
    }
};

QTEST_APPLESS_MAIN(TextMetricsTest)
#include "text_metrics_test.moc"
