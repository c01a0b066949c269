// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/overlay/overlay_panel.h"

#include "tests/ui/image_fixture.h"
#include "tests/ui/panel_pictures.h"
#include "ui/canvas/image_canvas.h"
#include "ui/kit/segmented.h"
#include "ui/kit/value_slider.h"
#include "ui/panels/overlay/count_strip.h"
#include "ui/panels/overlay/layer_list.h"
#include "ui/panels/overlay/layer_options.h"
#include "ui/panels/overlay/loupe.h"
#include "ui/panels/overlay/overlay_header.h"
#include "ui/panels/overlay/tool_catalog.h"
#include "ui/panels/overlay/tool_column.h"
#include "ui/panels/overlay/tool_options.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSlider>
#include <QToolButton>

using namespace maskscope;
using namespace maskscope::ui;

class OverlayPanelTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        style_ = std::make_unique<Style>();
        style_->apply();
        opened_ = std::make_unique<ImageFixture>();
        panel_ = std::make_unique<OverlayPanel>(opened_->session, *style_);
        panel_->resize(890, 560);
        panel_->show();
        opened_->open();
        panel_->setEntry(opened_->image);
        QVERIFY(QTest::qWaitForWindowExposed(panel_.get()));
    }
    void cleanup() {
        panel_.reset();
        opened_.reset();
        style_.reset();
    }

    void theStripCountsTheActiveLayer() {
        QTRY_VERIFY(panel_->counts()->text().contains(QStringLiteral("334 px")));
        QVERIFY2(panel_->counts()->text().contains(QStringLiteral("3 labels")), qPrintable(panel_->counts()->text()));
        QVERIFY(panel_->counts()->text().contains(QStringLiteral("10.9 % of the image")));  // 334 of 3,072
        QTest::qWait(100);
        keepPicture(*panel_, *style_, QStringLiteral("overlay"));
    }

    void headerAndStateAgree() {
        panel_->header()->opacity()->setValue(80);
        QCOMPARE(overlay().opacity, 0.8);
        opened_->session.changeOverlay(opened_->image, [](OverlayState& state) { state.opacity = 0.25; });
        QCOMPARE(panel_->header()->opacity()->value(), 25);
        for (const auto mode : {CompareMode::wipe, CompareMode::flicker, CompareMode::none}) {
            auto* button = panel_->header()->mode()->findChildren<QToolButton*>().at(static_cast<int>(mode));
            button->click();
            QCOMPARE(overlay().compare, mode);
        }
    }

    void everyToolIsAButtonWithItsKey() {
        for (const auto& info : toolCatalog()) {
            auto* button = panel_->tools()->button(info.tool);
            QVERIFY(button != nullptr && !button->icon().isNull());
            if (*info.key != '\0')
                QVERIFY(button->toolTip().contains(QStringLiteral("(%1)").arg(QLatin1String(info.key))));
        }
        panel_->tools()->button(Tool::lasso)->click();
        QCOMPARE(tools().tool, Tool::lasso);
        opened_->session.edits().changeTools([](ToolState& state) { state.tool = Tool::brush; });
        QVERIFY(panel_->tools()->button(Tool::brush)->isChecked());
        QVERIFY(!panel_->tools()->button(Tool::lasso)->isChecked());
    }

    void optionsAreThoseOfTheToolInHand() {
        const auto shown = [this](const QWidget* widget) { return widget->isVisibleTo(panel_.get()); };
        take(Tool::brush);
        QVERIFY(shown(panel_->options()->size()));
        QVERIFY(shown(panel_->options()->emptyOnly()));
        take(Tool::polygon);
        QVERIFY(!shown(panel_->options()->size()));
        QVERIFY(shown(panel_->options()->label()));
        take(Tool::eraser);
        QVERIFY(shown(panel_->options()->size()));
        QVERIFY(!shown(panel_->options()->label()));
        take(Tool::pan);
        QVERIFY(!shown(panel_->options()->emptyOnly()));
    }

    void sizeRunsOverDecades() {
        take(Tool::brush);
        auto* size = panel_->options()->size();
        size->box()->setValue(64);
        QCOMPARE(tools().brush.size, 64);
        QCOMPARE(size->slider()->value(), 500);  // the middle between 1 and 4,096
        size->slider()->setValue(1000);
        QCOMPARE(tools().brush.size, 4096);
        size->slider()->setValue(0);
        QCOMPARE(tools().brush.size, 1);
    }

    void labelsAreChosenByName() {
        take(Tool::brush);
        auto* combo = panel_->options()->label();
        QTRY_COMPARE(combo->count(), 4);  // three labels and "New label"
        emit combo->activated(combo->findData(3.0));
        QCOMPARE(tools().label, 3.0);
        emit combo->activated(combo->count() - 1);
        QCOMPARE(tools().label, 4.0);  // the smallest that is free
    }

    void theLoupeMagnifiesWhatTheViewShows() {
        opened_->session.changeOverlay(opened_->image, [](OverlayState& state) {
            state.opacity = 1;
            state.outlines = false;
            state.layers[0].outline = false;
        });
        panel_->loupe()->setCentre(24, 20);
        const auto picture = panel_->loupe()->picture();
        QCOMPARE(picture.size(), QSize(192, 192));
        const auto pixel = [&](int row, int col) {  // the middle of an image pixel's 8 x 8
            const int x = qRound((col - (20 + 0.5 - 12)) * 8 + 4);
            const int y = qRound((row - (24 + 0.5 - 12)) * 8 + 4);
            return picture.pixel(x, y);
        };
        QCOMPARE(pixel(22, 20), style_->theme().label(2));
        QCOMPARE(pixel(24, 15), qRgb(4 * 15, 5 * 24, 90));  // the hole shows the image
        QCOMPARE(pixel(24, 31), qRgb(4 * 31, 5 * 24, 90));
    }

    void layersHideLockAndMove() {
        auto& session = opened_->session;
        session.edits().newMask(opened_->image, DType::u8, QStringLiteral("second"));
        QCOMPARE(overlay().layers.size(), std::size_t{2});
        QCOMPARE(overlay().active, 1);
        QCoreApplication::processEvents();
        press(QStringLiteral("Move the layer down"));
        QCOMPARE(overlay().active, 0);
        QVERIFY(overlay().layers[1].mask == opened_->mask);
        press(QStringLiteral("Hide the layer"));  // of the uppermost
        QVERIFY(!overlay().layers[1].visible);
        press(QStringLiteral("Lock the layer"));
        QVERIFY(overlay().layers[1].locked);
        press(QStringLiteral("Take the layer off the image"));
        QCOMPARE(overlay().layers.size(), std::size_t{1});
        QVERIFY(overlay().layers[0].mask == opened_->mask);
    }

    void aSoftLayerHasAThreshold() {
        auto& session = opened_->session;
        QVERIFY(!panel_->layerOptions()->threshold()->isVisibleTo(panel_.get()));
        session.edits().newMask(opened_->image, DType::f32, QStringLiteral("soft"));
        auto* slider = panel_->layerOptions()->threshold();
        QVERIFY(slider->isVisibleTo(panel_.get()));
        slider->box()->setValue(0.3);
        QCOMPARE(overlay().layers[1].threshold, 0.3);
        session.edits().changeTools([](ToolState& state) { state.label = 0.4; });
        QVERIFY(session.edits().begin({overlay().layers[1].mask, 0, opened_->image}, QStringLiteral("Brush")));
        session.edits().paint(mask::Region::of_rect({0, 0, 4, 5}));
        session.edits().commit();
        QTRY_VERIFY(panel_->counts()->text().contains(QStringLiteral("20 px")));
        slider->box()->setValue(0.5);
        QTRY_VERIFY(panel_->counts()->text().contains(QStringLiteral("0 px, 0.0 %")));
    }

    void everyControlHasAName() {
        for (const auto* widget : panel_->findChildren<QAbstractButton*>()) {
            if (widget->focusPolicy() == Qt::NoFocus) continue;
            QVERIFY2(!widget->accessibleName().isEmpty() || !widget->text().isEmpty(),
                     widget->parentWidget()->metaObject()->className());
        }
        for (const auto* widget : panel_->findChildren<QSlider*>()) QVERIFY(!widget->accessibleName().isEmpty());
        for (const auto* widget : panel_->findChildren<QComboBox*>()) QVERIFY(!widget->accessibleName().isEmpty());
    }

private:
    const OverlayState& overlay() const { return *opened_->session.overlay(opened_->image); }
    const ToolState& tools() const { return opened_->session.edits().tools(); }
    void take(Tool tool) {
        opened_->session.edits().changeTools([tool](ToolState& state) { state.tool = tool; });
    }
    // The first visible button of that name.
    void press(const QString& name) {
        for (auto* button : panel_->findChildren<QAbstractButton*>()) {
            if (button->accessibleName() != name || !button->isVisible()) continue;
            button->click();
            QCoreApplication::processEvents();
            return;
        }
        QFAIL(qPrintable(name));
    }

    std::unique_ptr<Style> style_;
    std::unique_ptr<ImageFixture> opened_;
    std::unique_ptr<OverlayPanel> panel_;
};

QTEST_MAIN(OverlayPanelTest)
#include "overlay_panel_test.moc"
