// SPDX-License-Identifier: GPL-3.0-or-later
// Coins, their labels, and a person who edits them in the real window: painted, undone, saved as two formats, read back
// by the command, and recovered after a kill.
#include "tests/e2e/desktop.h"

#include <QFile>
#include <QImage>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <memory>

using maskscope::e2e::Desktop;

class OverlayWalkTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const QString missing = maskscope::e2e::missingTools();
        if (!missing.isEmpty()) {
            std::printf("SKIPPED: %s\n", qPrintable(missing));
            QSKIP(qPrintable(missing));
        }
        for (const QString name : {"coins.png", "coins_predicted.png"}) {
            QVERIFY(QFile::copy(MS_SOURCE_DIR "/samples/segmentation/" + name, folder_.filePath(name)));
            QFile::setPermissions(folder_.filePath(name), QFile::ReadOwner | QFile::WriteOwner);
        }
        before_ = QImage(folder_.filePath("coins_predicted.png"));
        truth_ = QImage(MS_SOURCE_DIR "/samples/segmentation/coins_truth.png");
        QCOMPARE(before_.size(), QSize(384, 303));
        start({folder_.filePath("coins.png"), folder_.filePath("coins_predicted.png")});
        keep("1_opened");
    }
    void a_stroke_is_painted_undone_and_redone() {
        desktop_->key("b");
        desktop_->drag({at(10, 152), at(40, 152), at(70, 152)});
        QVERIFY(!desktop_->waitFor({"Brush", "last step"}).isEmpty());
        desktop_->key("ctrl+z");
        desktop_->key("ctrl+shift+z");
        keep("2_painted");
    }
    void a_polygon_has_a_hole() {
        desktop_->listen();
        desktop_->key("p");
        for (const QPoint corner : {at(12, 200), at(52, 200), at(52, 240), at(12, 240)}) clickSlowly(corner);
        desktop_->key("shift+Return");
        for (const QPoint corner : {at(22, 210), at(42, 210), at(42, 230), at(22, 230)}) clickSlowly(corner);
        desktop_->key("Return");
        QVERIFY(!desktop_->waitFor({"Polygon", "last step"}).isEmpty());
        keep("3_polygon");
    }
    void grab_cut_finds_a_coin() {
        desktop_->listen();
        desktop_->key("7");
        desktop_->key("g");
        // The coin that the prediction has missed: number 12, around (337, 125).
        const QRect coin = boundsOf(truth_, 12);
        desktop_->drag({at(coin.left() - 6, coin.top() - 6), at(coin.center().x(), coin.center().y()),
                        at(coin.right() + 6, coin.bottom() + 6)});
        // It works in the background: the coin under the mouse becomes label 7.
        bool found = false;
        for (int tries = 0; tries < 40 && !found; ++tries) {
            desktop_->moveTo(at(coin.center().x() + tries % 2, coin.center().y()));
            found = !desktop_->waitFor({"label 7"}, 500).isEmpty();
        }
        QVERIFY2(found, qPrintable(desktop_->lastLine()));
        keep("4_grabcut");
    }
    void it_is_saved_and_comes_back_equal() {
        saveAs({}, folder_.filePath("saved.png"));
        saveAs("COCO", folder_.filePath("saved.json"));
        const QImage saved(folder_.filePath("saved.png"));
        QCOMPARE(saved.size(), before_.size());
        // The stroke: a brush of 12 along row 152. The ring, its hole and its surroundings.
        for (int x = 10; x <= 70; ++x) QCOMPARE(saved.pixelIndex(x, 152), 1);
        QCOMPARE(saved.pixelIndex(40, 165), before_.pixelIndex(40, 165));
        QCOMPARE(saved.pixelIndex(17, 205), 1);
        QCOMPARE(saved.pixelIndex(47, 235), 1);
        for (int y = 211; y < 230; ++y)
            for (int x = 23; x < 42; ++x) QCOMPARE(saved.pixelIndex(x, y), before_.pixelIndex(x, y));
        // What GrabCut found is the coin, to within a tenth of it.
        int found = 0;
        int coin = 0;
        const QRect box = boundsOf(truth_, 12);
        for (int y = box.top(); y <= box.bottom(); ++y) {
            for (int x = box.left(); x <= box.right(); ++x) {
                const bool in_coin = truth_.pixelIndex(x, y) == 12;
                coin += in_coin ? 1 : 0;
                found += in_coin && saved.pixelIndex(x, y) == 7 ? 1 : 0;
            }
        }
        QVERIFY2(found > coin * 9 / 10, qPrintable(QString("%1 of %2").arg(found).arg(coin)));
        // The COCO file has the same areas, under numbers of its own.
        QProcess convert;
        convert.start(MS_CLI,
                      {"convert", folder_.filePath("saved.json"), folder_.filePath("back.png"), "--allow-loss"});
        QVERIFY(convert.waitForFinished(20000));
        QVERIFY2(convert.exitCode() == 0, convert.readAllStandardError().constData());
        const QImage back(folder_.filePath("back.png"));
        QCOMPARE(back.size(), saved.size());
        QMap<int, int> number;
        QMap<int, int> label;
        for (int y = 0; y < saved.height(); ++y) {
            for (int x = 0; x < saved.width(); ++x) {
                const int ours = saved.pixelIndex(x, y);
                const int theirs = back.pixelIndex(x, y);
                QCOMPARE(number.insert(ours, number.value(ours, theirs)).value(), theirs);
                QCOMPARE(label.insert(theirs, label.value(theirs, ours)).value(), ours);
            }
        }
        QCOMPARE(number.value(0), 0);
    }
    void a_kill_loses_nothing_of_it() {
        desktop_->listen();
        desktop_->key("1");
        desktop_->key("b");
        desktop_->drag({at(100, 120), at(130, 120)});
        QVERIFY(!desktop_->waitFor({"Brush", "last step"}).isEmpty());
        QTest::qWait(500);
        desktop_->kill();
        start({});
        keep("5_after_the_kill");
        desktop_->listen();
        desktop_->click(kRestore);
        QVERIFY(!desktop_->waitFor({"coins.png"}, 10000).isEmpty());
        QTest::qWait(1500);
        keep("6_restored");
        saveAs({}, folder_.filePath("recovered.png"));
        const QImage recovered(folder_.filePath("recovered.png"));
        QImage expected(folder_.filePath("saved.png"));
        QCOMPARE(recovered.size(), expected.size());
        for (int x = 100; x <= 130; ++x) QCOMPARE(recovered.pixelIndex(x, 120), 1);
        for (int y = 0; y < expected.height(); ++y) {
            for (int x = 0; x < expected.width(); ++x) {
                const bool stroke = y >= 112 && y <= 128 && x >= 92 && x <= 138;
                if (!stroke) QCOMPARE(recovered.pixelIndex(x, y), expected.pixelIndex(x, y));
            }
        }
    }

private:
    // "Restore" at the right end of the strip that offers what was left behind.
    static constexpr QPoint kRestore{1031, 123};
    static constexpr QPoint kCanvas{620, 420};

    void start(const QStringList& files) {
        desktop_.reset();
        desktop_ = std::make_unique<Desktop>(files, folder_.path());
        QVERIFY2(desktop_->ready(), qPrintable(desktop_->problem()));
        if (files.isEmpty()) {
            QTest::qWait(2500);
            return;
        }
        QVERIFY(!desktop_->waitFor({"coins.png", "100 %"}, 15000).isEmpty());
        QTest::qWait(1000);
        desktop_->listen();
        desktop_->moveTo(kCanvas);
        desktop_->moveTo(kCanvas + QPoint(1, 0));
        // "[y 200, x 176]" under the mouse tells where the image begins.
        const QString line = desktop_->waitFor({"[y "});
        const auto place = QRegularExpression("\\[y (\\d+), x (\\d+)\\]").match(line);
        QVERIFY2(place.hasMatch(), qPrintable(line));
        origin_ = kCanvas + QPoint(1, 0) - QPoint(place.captured(2).toInt(), place.captured(1).toInt());
    }
    static QRect boundsOf(const QImage& labels, int label) {
        QRect out;
        for (int y = 0; y < labels.height(); ++y)
            for (int x = 0; x < labels.width(); ++x)
                if (labels.pixelIndex(x, y) == label) out |= QRect(x, y, 1, 1);
        return out;
    }
    // A pixel of the image, which is shown one to one.
    QPoint at(int x, int y) const { return origin_ + QPoint(x, y); }
    void clickSlowly(QPoint point) {
        desktop_->click(point);
        QTest::qWait(450);  // two quick clicks would be a double click
    }
    void saveAs(const QString& format, const QString& path) {
        desktop_->key("ctrl+shift+s");
        QTest::qWait(1200);
        if (!format.isEmpty()) desktop_->type(format);  // palette indices are what the mask came as
        QTest::qWait(300);
        desktop_->key("Tab");
        desktop_->key("ctrl+a");
        desktop_->type(path);
        keep("save");
        desktop_->key("Return");
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 8000);
        QTest::qWait(300);
        desktop_->focusWindow();
    }
    void keep(const char* name) {
        const QString to = qEnvironmentVariable("MASKSCOPE_KEEP");
        if (!to.isEmpty()) desktop_->screenshot(to + "/overlay_" + name + ".png");
    }

    std::unique_ptr<Desktop> desktop_;
    QTemporaryDir folder_;
    QImage before_;
    QImage truth_;
    QPoint origin_;
};

QTEST_GUILESS_MAIN(OverlayWalkTest)
#include "overlay_walk_test.moc"
