// SPDX-License-Identifier: GPL-3.0-or-later
// The sample, walked through in the real window by mouse and keyboard. What the window says is read from --narrate,
// which prints the status strip; the numbers come from PyTorch (samples/make/attention.py) and from counting padding.
#include "tests/e2e/desktop.h"

#include <QFileInfo>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>

using maskscope::e2e::Desktop;

class AttentionWalkTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const QString missing = maskscope::e2e::missingTools();
        if (!missing.isEmpty()) {
            std::printf("SKIPPED: %s\n", qPrintable(missing));
            QSKIP(qPrintable(missing));
        }
        desktop_ = std::make_unique<Desktop>(QStringList{MS_SOURCE_DIR "/samples/attention/minilm.safetensors"});
        QVERIFY2(desktop_->ready(), qPrintable(desktop_->problem()));
        QVERIFY(!desktop_->waitFor({"weights"}, 15000).isEmpty());
        keep("1_opened");
    }
    void a_cell_is_read_under_the_mouse() {
        desktop_->listen();
        desktop_->moveTo(kCanvas);
        const QString line = desktop_->waitFor({"query", "key"});
        QVERIFY2(!line.isEmpty(), qPrintable(desktop_->lastLine()));
    }
    void shift_and_wheel_step_the_heads() {
        desktop_->listen();
        desktop_->wheel(kCanvas, -3, "shift");
        QVERIFY2(!desktop_->waitFor({"head 3 of"}).isEmpty(), qPrintable(desktop_->lastLine()));
        desktop_->listen();
        desktop_->wheel(kCanvas, -1, "ctrl+shift");
        QVERIFY2(!desktop_->waitFor({"[0, 1, 3,"}).isEmpty(), qPrintable(desktop_->lastLine()));
        keep("2_batch1_head3");
    }
    void a_cell_is_gone_to_and_its_value_is_read() {
        desktop_->listen();
        desktop_->key("ctrl+l");
        QTest::qWait(400);
        desktop_->type("5, 0, 7, 15, 8");
        desktop_->key("Return");
        // weights[5, 0, 7, 15, 8] is 0.3845: "it" looks at "lantern".
        const QString line = desktop_->waitFor({"[5, 0, 7, 15, 8]", "0.38", "it", "lantern"});
        QVERIFY2(!line.isEmpty(), qPrintable(desktop_->lastLine()));
        keep("3_gone_to");
    }
    void arrows_move_the_cell_cursor() {
        desktop_->click(kCanvas);
        desktop_->listen();
        desktop_->key("Right");
        const QString first = desktop_->waitFor({"key"});
        desktop_->listen();
        desktop_->key("Right");
        const QString second = desktop_->waitFor({"key"});
        QVERIFY(!first.isEmpty() && !second.isEmpty() && first != second);
    }
    void the_wheel_zooms_until_numbers_stand_in_the_cells() {
        desktop_->wheel(kCanvas, 12);
        QTest::qWait(600);
        keep("4_zoomed");
        QVERIFY(desktop_->running());
    }
    void a_mask_is_laid_over_from_the_palette() {
        desktop_->listen();
        desktop_->key("ctrl+l");
        QTest::qWait(400);
        desktop_->type("0, 1, 3, 4, 20");
        desktop_->key("Return");
        QVERIFY(!desktop_->waitFor({"true zero", "[0, 1, 3, 4, 20]"}).isEmpty());
        desktop_->listen();
        desktop_->key("ctrl+k");
        QTest::qWait(400);
        desktop_->type("lay keep_mask over");
        desktop_->key("Return");
        // Key 20 of sentence 1, which has 17 tokens, is padding.
        const QString line = desktop_->waitFor({"masked", "[0, 1, 3, 4, 20]", "keep_mask"});
        QVERIFY2(!line.isEmpty(), qPrintable(desktop_->lastLine()));
        desktop_->key("ctrl+f");
        QTest::qWait(600);
        keep("5_masked");
    }
    void the_view_is_exported_as_a_picture() {
        const QString path = folder_.filePath("view.png");
        desktop_->key("ctrl+e");
        QTest::qWait(1200);
        desktop_->key("ctrl+a");
        desktop_->type(path);
        desktop_->key("Return");
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(path).size() > 0, 8000);
        const QImage picture(path);
        QVERIFY(picture.width() > 600 && picture.height() > 400);
        keep("6_exported");
    }
    void the_window_closes() {
        desktop_->focusWindow();
        desktop_->key("ctrl+q");
        QTRY_VERIFY_WITH_TIMEOUT(!desktop_->running(), 5000);
    }

private:
    // A place over the heatmap in a window of 1440 x 900.
    static constexpr QPoint kCanvas{560, 480};

    void keep(const char* name) {
        const QString to = qEnvironmentVariable("MASKSCOPE_KEEP");
        if (!to.isEmpty()) desktop_->screenshot(to + "/walk_" + name + ".png");
    }
    std::unique_ptr<Desktop> desktop_;
    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(AttentionWalkTest)
#include "attention_walk_test.moc"
