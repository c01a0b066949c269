// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/badge.h"
#include "ui/kit/cards.h"
#include "ui/kit/index_slider.h"
#include "ui/kit/progress_strip.h"
#include "ui/kit/section.h"
#include "ui/kit/segmented.h"
#include "ui/kit/style.h"
#include "ui/kit/style_sheet.h"
#include "ui/kit/tab_bar.h"
#include "ui/kit/tool_button.h"
#include "ui/kit/value_label.h"

#include <QApplication>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

using namespace maskscope;
using namespace maskscope::ui;
using render::ThemeId;
using render::Token;

namespace {

// But for the rounding of premultiplied pixels.
bool alike(const QColor& a, const QColor& b) {
    return qAbs(a.red() - b.red()) <= 2 && qAbs(a.green() - b.green()) <= 2 && qAbs(a.blue() - b.blue()) <= 2;
}

}  // namespace

class KitTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        style_ = std::make_unique<Style>();
        style_->apply();
    }

    void theBundledFontsAreThere() {
        QCOMPARE(style_->ui().family(), QStringLiteral("Inter"));
        QCOMPARE(style_->mono().family(), QStringLiteral("JetBrains Mono"));
        QCOMPARE(QFontInfo(style_->ui()).family(), QStringLiteral("Inter"));
        QCOMPARE(style_->ui(13, 600).weight(), QFont::DemiBold);
        QCOMPARE(style_->ui(13).pixelSize(), 13);
    }

    void theSheetIsFilledInBothThemes() {
        for (const auto theme : {ThemeId::light, ThemeId::dark}) {
            style_->setTheme(theme);
            const QString sheet = styleSheet(*style_);
            QVERIFY(!sheet.contains(QLatin1Char('@')));
            QVERIFY(sheet.contains(style_->colour(Token::accent).name()));
        }
        QCOMPARE(style_->colour(Token::bg_view), QColor(0x10, 0x12, 0x16));  // dark
    }

    void aChangeOfThemeReachesPaletteAndListeners() {
        QSignalSpy spy(style_.get(), &Style::changed);
        style_->setTheme(ThemeId::dark);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(QApplication::palette().color(QPalette::Window), QColor(0x14, 0x16, 0x1A));
        style_->setTheme(ThemeId::dark);
        QCOMPARE(spy.count(), 1);
    }

    void theInterfaceSizeScalesAndIsBounded() {
        QCOMPARE(style_->px(24), 24);
        style_->setInterfaceSize(150);
        QCOMPARE(style_->px(24), 36);
        QCOMPARE(style_->ui(12).pixelSize(), 18);
        style_->setInterfaceSize(9000);
        QCOMPARE(style_->interfaceSize(), 250);
        style_->setInterfaceSize(1);
        QCOMPARE(style_->interfaceSize(), 80);
        QCOMPARE(style_->px(0.2), 1);  // a line never vanishes
    }

    void iconsTakeTheThemesColours() {
        const auto ink = [this](QIcon::Mode mode, QIcon::State state) {
            const QImage image =
                style_->icon(QStringLiteral("minus")).pixmap(QSize(16, 16), 1.0, mode, state).toImage();
            return image.pixelColor(8, 8);  // on the stroke
        };
        QVERIFY(alike(ink(QIcon::Normal, QIcon::Off), style_->colour(Token::text_2)));
        QVERIFY(alike(ink(QIcon::Normal, QIcon::On), style_->colour(Token::accent)));
        QVERIFY(alike(ink(QIcon::Disabled, QIcon::Off), style_->colour(Token::text_disabled)));
        const QIcon made_before = style_->icon(QStringLiteral("minus"));
        style_->setTheme(ThemeId::dark);
        QVERIFY(
            alike(made_before.pixmap(QSize(16, 16), 1.0).toImage().pixelColor(8, 8), style_->colour(Token::text_2)));
    }

    void badgesSayWhatTheyShould() {
        QCOMPARE(badgeOf(DType::bf16).text, QStringLiteral("bf16"));
        QCOMPARE(badgeOf(document::MaskConvention::drop).text, QStringLiteral("DROP"));
        QCOMPARE(planeBadge(24, 17).text, QStringLiteral("24 × 17"));
        QCOMPARE(nanBadge(1234).text, QStringLiteral("1,234 NaN"));
        BadgeLabel label(*style_, nanBadge(24));
        QCOMPARE(label.sizeHint().height(), 16);
        QCOMPARE(label.accessibleName(), QStringLiteral("24 NaN"));
        const QImage image = label.grab().toImage();
        QCOMPARE(image.pixelColor(3, 8).rgb(), style_->colour(Token::st_nan).rgb());
    }

    void segmentsSpeakOnlyWhenTheUserChooses() {
        Segmented scale(*style_, QStringLiteral("Scale"), {QStringLiteral("Lin"), QStringLiteral("Log")});
        QSignalSpy spy(&scale, &Segmented::chosen);
        scale.setCurrent(1);
        QCOMPARE(scale.current(), 1);
        QCOMPARE(spy.count(), 0);
        const auto buttons = scale.findChildren<QToolButton*>();
        QCOMPARE(buttons.size(), 2);
        QCOMPARE(buttons[0]->accessibleName(), QStringLiteral("Scale: Lin"));
        const int before = scale.sizeHint().width();
        QTest::mouseClick(buttons[0], Qt::LeftButton);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy[0][0].toInt(), 0);
        QCOMPARE(scale.sizeHint().width(), before);
        QCOMPARE(scale.height(), 24);
    }

    void aSliderStepsAndItsBoxFollows() {
        IndexSlider head(*style_, QStringLiteral("head"));
        head.setLast(11);
        head.setValue(3);
        QSignalSpy spy(&head, &IndexSlider::valueChanged);
        QTest::keyClick(head.slider(), Qt::Key_Right);
        QCOMPARE(head.value(), std::int64_t{4});
        QCOMPARE(spy.count(), 1);
        QCOMPARE(head.findChild<QSpinBox*>()->value(), 4);
        head.findChild<QSpinBox*>()->setValue(9);
        QCOMPARE(head.value(), std::int64_t{9});
        head.setValue(2);
        QCOMPARE(spy.count(), 2);
        head.setLast(1);
        QVERIFY(head.value() <= 1);
    }

    void altUpAndDownMoveBetweenSliders() {
        QWidget panel;
        panel.setProperty("sliderGroup", true);
        auto* column = new QVBoxLayout(&panel);
        QList<IndexSlider*> sliders;
        for (const char* name : {"layer", "batch", "head"}) {
            sliders << new IndexSlider(*style_, QString::fromLatin1(name));
            sliders.last()->setLast(5);
            column->addWidget(sliders.last());
        }
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        panel.activateWindow();
        sliders[0]->slider()->setFocus();
        QTest::keyClick(sliders[0]->slider(), Qt::Key_Down, Qt::AltModifier);
        QVERIFY(sliders[1]->slider()->hasFocus());
        QTest::keyClick(sliders[1]->slider(), Qt::Key_Up, Qt::AltModifier);
        QVERIFY(sliders[0]->slider()->hasFocus());
        QTest::keyClick(sliders[0]->slider(), Qt::Key_Up, Qt::AltModifier);
        QVERIFY(sliders[0]->slider()->hasFocus());
    }

    void aSectionFoldsByKeyboard() {
        Section section(*style_, QStringLiteral("Dimensions"));
        auto* toggle = section.findChild<QToolButton*>();
        QVERIFY(section.expanded());
        QTest::keyClick(toggle, Qt::Key_Space);
        QVERIFY(!section.expanded());
        section.setExpanded(true);
        QVERIFY(section.expanded());
        QCOMPARE(toggle->height(), 28);
    }

    void errorCardsWriteSentences() {
        ErrorCard card(*style_, QStringLiteral("Cannot read a.pt"), QStringLiteral("the header is cut off at byte 7"),
                       QStringLiteral("torch.save it again"));
        bool clicked = false;
        auto* button = card.addButton(QStringLiteral("Dismiss"), [&] { clicked = true; });
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(clicked);
        QCOMPARE(card.accessibleDescription(),
                 QStringLiteral("The header is cut off at byte 7.\ntorch.save it again."));
    }

    void aTabClosesByItsMarkAndByTheMiddleButton() {
        TabBar tabs(*style_, TabBar::Kind::documents);
        tabs.addTab(QStringLiteral("weights"));
        tabs.addTab(QStringLiteral("scores"));
        tabs.resize(tabs.sizeHint());
        QCOMPARE(tabs.height(), 32);
        QSignalSpy spy(&tabs, &QTabBar::tabCloseRequested);
        const QRect second = tabs.tabRect(1);
        QTest::mouseClick(&tabs, Qt::MiddleButton, {}, second.center());
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy[0][0].toInt(), 1);
        QTest::mouseClick(&tabs, Qt::LeftButton, {}, {second.right() - 17, second.center().y() + 1});
        QCOMPARE(spy.count(), 2);
        QTest::mouseClick(&tabs, Qt::LeftButton, {}, {second.left() + 20, second.center().y()});
        QCOMPARE(spy.count(), 2);
        QCOMPARE(tabs.currentIndex(), 1);
    }

    void progressSaysHowFar() {
        ProgressStrip strip(*style_);
        strip.resize(400, 24);
        QSignalSpy cancelled(&strip, &ProgressStrip::cancelled);
        strip.show(QStringLiteral("Loading trace.npz"), 620, 1000);
        QVERIFY(strip.isVisible());
        QCOMPARE(strip.accessibleDescription(), QStringLiteral("Loading trace.npz 62 %"));
        strip.show(QStringLiteral("Checking masks"), 8, 19);
        QCOMPARE(strip.accessibleDescription(), QStringLiteral("Checking masks 8/19"));
        QTest::mouseClick(strip.findChild<QToolButton*>(), Qt::LeftButton);
        QCOMPARE(cancelled.count(), 1);
    }

    void aValueKeepsItsWidth() {
        ValueLabel value(*style_, QStringLiteral("−0.0000"));
        value.setText(QStringLiteral("1"));
        const int narrow = value.sizeHint().width();
        value.setText(QStringLiteral("−0.1234"));
        QCOMPARE(value.minimumWidth(), value.maximumWidth());
        QVERIFY(value.minimumWidth() >= value.sizeHint().width() - 2);
        QVERIFY(narrow <= value.minimumWidth());
    }

    void markingAPropertyRestylesAWidgetOnTheScreen() {
        QLabel label(QStringLiteral("9 errors"));
        label.show();
        QVERIFY(QTest::qWaitForWindowExposed(&label));
        Style::mark(&label, "tone", QStringLiteral("error"));
        QCOMPARE(label.palette().color(QPalette::WindowText).rgb(), style_->colour(Token::error).rgb());
    }

private:
    std::unique_ptr<Style> style_;
};

QTEST_MAIN(KitTest)
#include "kit_test.moc"
