// SPDX-License-Identifier: GPL-3.0-or-later
// The real window is killed while it paints, again and again; each time its journal must hold every stroke that ended
// more than a quarter of a second before. Five times here; MASKSCOPE_KILLS=50 for more.
#include "core/document/session_store.h"
#include "tests/e2e/desktop.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>
#include <memory>

using namespace maskscope;
using maskscope::e2e::Desktop;

namespace {

constexpr qint64 kPromisedMs = 250;
constexpr int kFirstRow = 10;
constexpr int kRowStep = 14;  // more than the brush's 12 pixels

struct Stroke {
    int row = 0;
    qint64 ended = 0;  // ms
};

}  // namespace

class KillTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const QString missing = maskscope::e2e::missingTools();
        if (!missing.isEmpty()) {
            std::printf("SKIPPED: %s\n", qPrintable(missing));
            QSKIP(qPrintable(missing));
        }
        for (const QString name : {"coins.png", "coins_truth.png"}) {
            QVERIFY(QFile::copy(MS_SOURCE_DIR "/samples/segmentation/" + name, folder_.filePath(name)));
        }
    }
    void what_was_painted_is_there_after_a_kill() {
        bool given = false;
        const int rounds = qEnvironmentVariableIntValue("MASKSCOPE_KILLS", &given);
        int kept = 0;
        for (int round = 0; round < (given ? rounds : 5); ++round) {
            const auto strokes = paintAndKill(100 + static_cast<int>(QRandomGenerator::global()->bounded(900)));
            if (QTest::currentTestFailed()) return;
            check(strokes, kept);
            if (QTest::currentTestFailed()) return;
        }
        std::printf("%d strokes were due in the journals, and there\n", kept);
        QVERIFY(kept > 0);
    }

private:
    // Strokes along rows of their own, then the kill, `after` ms into more of them.
    QList<Stroke> paintAndKill(int after) {
        Desktop desktop({folder_.filePath("coins.png"), folder_.filePath("coins_truth.png")}, folder_.path());
        QList<Stroke> strokes;
        const auto fail = [&](const QString& why) {
            QTest::qFail(qPrintable(why), __FILE__, __LINE__);
            return strokes;
        };
        if (!desktop.ready()) return fail(desktop.problem());
        if (desktop.waitFor({"coins.png", "100 %"}, 15000).isEmpty()) return fail("the image did not come");
        QTest::qWait(800);
        desktop.listen();
        const QPoint probe(621, 420);
        desktop.moveTo(probe - QPoint(1, 0));
        desktop.moveTo(probe);
        const auto place = QRegularExpression("\\[y (\\d+), x (\\d+)\\]").match(desktop.waitFor({"[y "}));
        if (!place.hasMatch()) return fail("no place under the mouse");
        const QPoint origin = probe - QPoint(place.captured(2).toInt(), place.captured(1).toInt());
        desktop.key("b");
        clock_.start();
        qint64 deadline = -1;
        for (int row = kFirstRow; row < 290; row += kRowStep) {
            desktop.listen();
            desktop.drag({origin + QPoint(20, row), origin + QPoint(190, row), origin + QPoint(360, row)});
            // What the window says it has painted, it has painted.
            if (desktop.waitFor({"Brush", "last step"}).isEmpty()) return fail("a stroke was not told");
            strokes.append({row, clock_.elapsed()});
            if (deadline < 0) deadline = clock_.elapsed() + after;
            if (clock_.elapsed() >= deadline) break;
        }
        QTest::qWait(static_cast<int>(QRandomGenerator::global()->bounded(300)));
        killed_ = clock_.elapsed();
        desktop.kill();
        return strokes;
    }

    void check(const QList<Stroke>& strokes, int& kept) {
        const auto left = document::SessionStore::left_behind(folder_.filePath("maskscope").toStdString());
        QCOMPARE(left.size(), std::size_t{1});
        {
            auto store =
                document::SessionStore::open(left.front().path, folder_.filePath("maskscope").toStdString(),
                                             [](document::EntryId) { return std::pair<std::string, std::string>(); });
            QVERIFY2(store, store ? "" : store.error().text().c_str());
            const auto& saved = (*store)->restored();
            for (const auto& stroke : strokes) {
                if (killed_ - stroke.ended < kPromisedMs) continue;
                QCOMPARE(saved.masks.size(), std::size_t{1});
                const auto& plane = saved.masks.front().planes.at(0);
                for (const int col : {20, 100, 200, 300, 360})
                    QVERIFY2(plane.value_at(stroke.row, col) == 1,
                             qPrintable(QString("row %1, column %2: %3 ms before the kill")
                                            .arg(stroke.row)
                                            .arg(col)
                                            .arg(killed_ - stroke.ended)));
                ++kept;
            }
            (*store)->discard();
        }
        QVERIFY(document::SessionStore::left_behind(folder_.filePath("maskscope").toStdString()).empty());
    }

    QTemporaryDir folder_;
    QElapsedTimer clock_;
    qint64 killed_ = 0;
};

QTEST_GUILESS_MAIN(KillTest)
#include "kill_test.moc"
