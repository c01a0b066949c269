// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/render/figure/cairo_painter.h"
#include "ui/canvas/heatmap_canvas.h"
#include "ui/kit/cards.h"
#include "ui/kit/style.h"
#include "ui/kit/tab_bar.h"
#include "ui/window/cell_address.h"
#include "ui/window/command_palette.h"
#include "ui/window/document_area.h"
#include "ui/window/fuzzy.h"
#include "ui/window/main_window.h"
#include "ui/window/navigation.h"
#include "ui/window/settings.h"
#include "ui/window/status_strip.h"
#include "ui/window/text_format.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

using namespace maskscope;
using namespace maskscope::ui;

namespace {

const QString kSamples = QStringLiteral(MS_SOURCE_DIR "/samples/attention/");

AddressContext attention() {
    return {"weights", Shape{2, 12, 24, 24}, {"batch", "head", "query", "key"}, {1, 3, 0, 0}, 2, 3};
}

std::vector<std::int64_t> addressOf(const char* text) {
    const auto found = cell_address(text, attention());
    return found ? *found : std::vector<std::int64_t>{};
}

QAction* actionNamed(const QWidget& window, const QString& text) {
    for (auto* action : window.actions()) {
        if (action->text().remove(QLatin1Char('&')) == text) return action;
    }
    return nullptr;
}

}  // namespace

class WindowTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        qputenv("MASKSCOPE_CONFIG_DIR", folder_.path().toLocal8Bit());
        qputenv("MASKSCOPE_SAMPLES_DIR", MS_SOURCE_DIR "/samples");
        prepareSettings();
    }
    void init() {
        style_ = std::make_unique<Style>();
        style_->apply();
        session_ = std::make_unique<Session>();
        window_ = std::make_unique<MainWindow>(*session_, *style_);
        window_->resize(1440, 900);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        window_->activateWindow();
    }
    void cleanup() {
        window_.reset();
        session_.reset();
        style_.reset();
    }

    void coordinatesAsPeopleTypeThem() {
        const std::vector<std::int64_t> cell = {0, 3, 14, 13};
        QCOMPARE(addressOf("[0, 3, 14, 13]"), cell);
        QCOMPARE(addressOf("0 3 14 13"), cell);
        QCOMPARE(addressOf(" weights[0,3,14,13]"), cell);
        QCOMPARE(addressOf("14, 13"), (std::vector<std::int64_t>{1, 3, 14, 13}));
        QCOMPARE(addressOf("[-1, -2]"), (std::vector<std::int64_t>{1, 3, 23, 22}));
        QCOMPARE(addressOf("head 5 key=2"), (std::vector<std::int64_t>{1, 5, 0, 2}));
        QCOMPARE(addressOf("row 7"), (std::vector<std::int64_t>{1, 3, 7, 0}));
    }
    void wrongCoordinatesSayWhy() {
        const auto why = [](const char* text) {
            const auto found = cell_address(text, attention());
            return found ? std::string("fine") : found.error().message.text();
        };
        QCOMPARE(why("[0, 3, 14, 24]"), std::string("24 is out of range: key has 0 to 23"));
        QCOMPARE(why("[0, 3, 14]"), std::string("3 indices typed, weights has 4 dimensions"));
        QCOMPARE(why("layer 3"), std::string("weights has no dimension \"layer\""));
        QVERIFY(why("").find("type an index") == 0);
        QVERIFY(why("99999999999999999999, 1").find("too large") != std::string::npos);
        QVERIFY(!looks_like_address("keep_mask"));
        QVERIFY(looks_like_address("[0"));
    }

    void lettersFindNames() {
        QVERIFY(fuzzyScore(u"nan", u"Tensor: Next NaN") > 0);
        QCOMPARE(fuzzyScore(u"nan", u"Copy index"), -1);
        QVERIFY(fuzzyScore(u"fit", u"View: Fit") > fuzzyScore(u"fit", u"View: Find a thing"));
        QVERIFY(fuzzyScore(u"km", u"keep_mask") > fuzzyScore(u"km", u"skimmed"));
        QCOMPARE(fuzzyScore(u"aaaaaaaaaaaaaaaaaaaaaaab", QString(400, QLatin1Char('a'))), -1);  // and returns at once
    }

    void factsAreWrittenAsTheFieldWritesThem() {
        QCOMPARE(bytesText(512), QStringLiteral("512 B"));
        QCOMPARE(bytesText(27648), QStringLiteral("27.0 KiB"));
        QCOMPARE(bytesText(5ULL << 30U), QStringLiteral("5.0 GiB"));
        QCOMPARE(shortNumber(-0.00001234), QStringLiteral("−1.234e−05"));
    }

    void theEmptyWindowSaysWhatToDo() {
        auto* card = window_->area().findChild<EmptyCard*>();
        QVERIFY(card != nullptr && card->isVisible());
        QVERIFY(window_->area().canvas() == nullptr);
        QVERIFY(!actionNamed(*window_, QStringLiteral("Export view…"))->isEnabled());
        QVERIFY(!window_->area().figure());
    }

    void aSampleOpensInATabWithFacts() {
        open(QStringLiteral("minilm.safetensors"));
        QCOMPARE(window_->area().tabs()->count(), 1);
        QCOMPARE(window_->area().tabs()->tabText(0), QStringLiteral("weights"));
        QVERIFY(window_->area().canvas() != nullptr);
        QVERIFY(actionNamed(*window_, QStringLiteral("Export view…"))->isEnabled());
        QVERIFY(actionNamed(*window_, QStringLiteral("Next head")) != nullptr);
        QVERIFY(window_->windowTitle().startsWith(QStringLiteral("minilm.safetensors")));
    }

    void thePaletteGoesToACell() {
        open(QStringLiteral("minilm.safetensors"));
        auto& palette = window_->palette();
        palette.open(QStringLiteral("["));
        QTest::keyClicks(palette.box(), QStringLiteral("5, 0, 7, 15, 8]"));
        QCOMPARE(palette.box()->text(), QStringLiteral("[5, 0, 7, 15, 8]"));
        QTest::keyClick(palette.box(), Qt::Key_Return);
        QVERIFY(!palette.isVisible());
        const auto* view = session_->view(session_->current());
        QCOMPARE(view->index[0], std::int64_t{5});
        QCOMPARE(view->index[2], std::int64_t{7});
        QVERIFY((view->cursor == render::CellIndex{15, 8}));
        const auto& cell = window_->status().readout();
        QCOMPARE(cell.indexText, QStringLiteral("[5, 0, 7, 15, 8]"));
        QCOMPARE(cell.rowToken, QStringLiteral("it"));  // the sample's walkthrough names this cell
        QCOMPARE(cell.colToken, QStringLiteral("lantern"));
        QVERIFY(qAbs(cell.value - 0.38) < 0.005);
    }

    void thePaletteFindsActionsAndTensors() {
        open(QStringLiteral("minilm.safetensors"));
        auto& palette = window_->palette();
        palette.open(QStringLiteral("dark"));
        QTest::keyClick(palette.box(), Qt::Key_Return);
        QCOMPARE(style_->themeId(), render::ThemeId::dark);
        palette.open(QStringLiteral("scores"));
        QTest::keyClick(palette.box(), Qt::Key_Return);
        QCOMPARE(session_->document().find(session_->current())->name, std::string("scores_layer0"));
        QCOMPARE(window_->area().tabs()->count(), 2);
        palette.open();
        QTest::keyClick(palette.box(), Qt::Key_Escape);
        QVERIFY(!palette.isVisible());
    }

    void stepsAndSwapsMoveTheView() {
        open(QStringLiteral("minilm.safetensors"));
        const EntryId id = session_->current();
        actionNamed(*window_, QStringLiteral("Next head"))->trigger();
        actionNamed(*window_, QStringLiteral("Next head"))->trigger();
        actionNamed(*window_, QStringLiteral("Next batch"))->trigger();
        QCOMPARE(session_->view(id)->index[2], std::int64_t{2});
        QCOMPARE(session_->view(id)->index[1], std::int64_t{1});
        actionNamed(*window_, QStringLiteral("Swap rows and columns"))->trigger();
        QCOMPARE(session_->view(id)->row_dim, 4);
        QCOMPARE(session_->view(id)->col_dim, 3);
    }

    void tabsFlipWithCursorAndViewportFixed() {
        open(QStringLiteral("minilm.safetensors"));
        const EntryId weights = session_->current();
        for (const auto& entry : session_->document().entries()) {
            if (entry.name == "scores_layer0") session_->show(entry.id);
        }
        const EntryId scores = session_->current();
        QTRY_VERIFY(session_->jobs().running().isEmpty());
        session_->changeView(scores, [](ViewState& view) {
            view.cursor = render::CellIndex{4, 5};
            view.cursor_pinned = true;
        });
        actionNamed(*window_, QStringLiteral("Flip between the last two"))->trigger();
        QCOMPARE(session_->current(), weights);
        QVERIFY((session_->view(weights)->cursor == render::CellIndex{4, 5}));
        actionNamed(*window_, QStringLiteral("Flip between the last two"))->trigger();
        QCOMPARE(session_->current(), scores);
        actionNamed(*window_, QStringLiteral("Next tab"))->trigger();
        QCOMPARE(session_->current(), weights);
    }

    void nextNanLandsOnOne() {
        open(QStringLiteral("broken.npz"));
        window_->area().canvas()->setFocus();
        QTest::keyClick(window_->area().canvas(), Qt::Key_F3);
        QTRY_VERIFY(session_->view(session_->current())->cursor.has_value());
        QTRY_COMPARE(window_->status().readout().state, render::CellState::nan);
    }

    void aCellIsCopiedAsCode() {
        open(QStringLiteral("broken.npz"));
        goToIndex(*session_, session_->current(), {2, 0, 5});
        actionNamed(*window_, QStringLiteral("Copy index"))->trigger();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("[2, 0, 5]"));
        actionNamed(*window_, QStringLiteral("Copy cell"))->trigger();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("weights[2, 0, 5] = nan"));
    }

    void theViewIsExported() {
        open(QStringLiteral("minilm.safetensors"));
        const auto figure = window_->area().figure();
        QVERIFY(figure && figure->items.size() > 20);
        const QString path = folder_.filePath(QStringLiteral("view.png"));
        QVERIFY(render::write_picture(*figure, path.toStdString(), render::PictureFormat::png, 2).ok());
        const QImage image(path);
        QCOMPARE(image.width(), qRound(figure->width * 2));
        actionNamed(*window_, QStringLiteral("Copy view as picture"))->trigger();
        QVERIFY(QApplication::clipboard()->mimeData()->hasImage());
    }

    void whatFailsStandsInACard() {
        QSignalSpy settled(session_.get(), &Session::filesSettled);
        session_->openFiles({QStringLiteral(MS_SOURCE_DIR "/tests/golden/files/pt/refuse_module.pt"),
                             kSamples + QStringLiteral("keep_mask.npy")});
        QVERIFY(settled.wait(10000));
        const auto cards = window_->area().findChildren<ErrorCard*>();
        QCOMPARE(cards.size(), 1);
        QCOMPARE(cards[0]->accessibleName(), QStringLiteral("Cannot read refuse_module.pt"));
        QCOMPARE(window_->area().tabs()->count(), 1);  // the good one of the two
        session_->dismissFailure(0);
        QTRY_VERIFY(window_->area().findChildren<ErrorCard*>().isEmpty());
    }

    void tabsCloseAndTheCardComesBack() {
        open(QStringLiteral("minilm.safetensors"));
        actionNamed(*window_, QStringLiteral("Close tab"))->trigger();
        QCOMPARE(window_->area().tabs()->count(), 0);
        QVERIFY(window_->area().findChild<EmptyCard*>()->isVisible());
        QVERIFY(window_->area().canvas() == nullptr);
    }

    void everyMenuItemHasANameAndNoKeyIsTakenTwice() {
        QStringList keys;
        QList<const QMenu*> menus;
        for (const auto* top : window_->menuBar()->actions()) menus << top->menu();
        for (qsizetype i = 0; i < menus.size(); ++i) {
            for (const auto* action : menus[i]->actions()) {
                if (action->isSeparator()) continue;
                QVERIFY(!action->text().isEmpty());
                if (action->menu() != nullptr) menus << action->menu();
                for (const auto& key : action->shortcuts()) keys << key.toString();
            }
        }
        const auto count = keys.size();
        keys.removeDuplicates();
        QCOMPARE(keys.size(), count);
        QVERIFY(keys.contains(QStringLiteral("Ctrl+L")) && keys.contains(QStringLiteral("Ctrl+O")));
    }

    void everyControlHasANameForScreenReaders() {
        open(QStringLiteral("minilm.safetensors"));
        for (const auto* widget : window_->findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus) continue;
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool control = button != nullptr || qobject_cast<const QLineEdit*>(widget) != nullptr ||
                                 qobject_cast<const QAbstractSlider*>(widget) != nullptr ||
                                 qobject_cast<const QComboBox*>(widget) != nullptr;
            if (!control || widget->objectName().startsWith(QStringLiteral("qt_"))) continue;
            const bool named = !widget->accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty());
            QVERIFY2(named,
                     qPrintable(QStringLiteral("%1 in %2")
                                    .arg(QString::fromLatin1(widget->metaObject()->className()),
                                         QString::fromLatin1(widget->parentWidget()->metaObject()->className()))));
        }
    }

    void itFitsTheSmallestWindowAndLargeText() {
        open(QStringLiteral("minilm.safetensors"));
        window_->resize(1120, 720);
        QCOMPARE(window_->size(), QSize(1120, 720));
        style_->setInterfaceSize(150);
        QTest::qWait(50);
        QVERIFY(window_->menuBar()->height() == 42);
        QVERIFY(!window_->grab().isNull());
    }

    void settingsComeBack() {
        WindowSettings settings;
        settings.theme = render::ThemeId::dark;
        settings.interface_size = 125;
        settings.recent_files = {QStringLiteral("a.npy"), QStringLiteral("b.pt")};
        settings.geometry = window_->saveGeometry();
        settings.save();
        const auto read = WindowSettings::load();
        QCOMPARE(read.theme, render::ThemeId::dark);
        QCOMPARE(read.interface_size, 125);
        QCOMPARE(read.recent_files, settings.recent_files);
        QCOMPARE(read.geometry, settings.geometry);
        QVERIFY(QDir(folder_.path()).exists(QStringLiteral("maskscope/maskscope.ini")));
    }

private:
    void open(const QString& name) {
        QSignalSpy settled(session_.get(), &Session::filesSettled);
        session_->openFiles({kSamples + name});
        QVERIFY(settled.wait(10000));
        QTRY_VERIFY(session_->jobs().running().isEmpty());
        QTRY_VERIFY(session_->tensor(session_->current()).has_value());
    }

    QTemporaryDir folder_;
    std::unique_ptr<Style> style_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<MainWindow> window_;
};

QTEST_MAIN(WindowTest)
#include "window_test.moc"
