// SPDX-License-Identifier: GPL-3.0-or-later
// With MASKSCOPE_KEEP=FOLDER in the environment the pictures of the panel are left there to be looked at.
#include "ui/panels/attention/attention_panel.h"

#include "core/render/figure/cairo_painter.h"
#include "ui/canvas/heatmap_canvas.h"
#include "ui/panels/attention/head_strip.h"
#include "ui/panels/attention/legend_strip.h"
#include "ui/panels/attention/row_profile_view.h"
#include "ui/panels/attention/token_table.h"

#include <QDir>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace maskscope;
using namespace maskscope::ui;
using render::CellIndex;

class AttentionTest : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<Style> style_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<AttentionPanel> panel_;

    EntryId idOf(const char* name) const {
        for (const auto& entry : session_->document().entries()) {
            if (entry.name == name) return entry.id;
        }
        return EntryId::none;
    }
    const ViewState& view() const { return *session_->view(panel_->entry()); }

    void open(const QString& file, const char* name, QSize size = {888, 560}) {
        panel_.reset();
        session_ = std::make_unique<Session>();
        QSignalSpy settled(session_.get(), &Session::filesSettled);
        session_->openFiles({QStringLiteral(MS_SOURCE_DIR "/samples/attention/") + file});
        QVERIFY(settled.count() > 0 || settled.wait());
        session_->show(idOf(name));
        panel_ = std::make_unique<AttentionPanel>(*session_, *style_);
        panel_->resize(size);
        panel_->setEntry(session_->current());
        panel_->show();
        QVERIFY(QTest::qWaitForWindowExposed(panel_.get()));
        QTest::qWait(50);  // strip and profile fill themselves after the first paint
    }

    void keep(const char* name) {
        const auto folder = qEnvironmentVariable("MASKSCOPE_KEEP");
        if (folder.isEmpty()) return;
        for (const auto theme : {render::ThemeId::light, render::ThemeId::dark}) {
            style_->setTheme(theme);
            style_->apply();
            QTest::qWait(50);
            const auto suffix = theme == render::ThemeId::light ? "light" : "dark";
            QVERIFY(panel_->grab().save(QDir(folder).filePath(QStringLiteral("%1_%2.png").arg(name, suffix))));
        }
        style_->setTheme(render::ThemeId::light);
        style_->apply();
    }

    QString textOf(const QString& metric) const {
        const auto labels = panel_->findChildren<QLabel*>();
        for (qsizetype i = 0; i + 1 < labels.size(); ++i) {
            if (labels[i]->text() == metric) return labels[i + 1]->text();
        }
        return {};
    }

private slots:
    void initTestCase() {
        style_ = std::make_unique<Style>();
        style_->apply();
    }
    void cleanupTestCase() {
        panel_.reset();
        session_.reset();
    }

    void the_row_in_numbers() {
        open(QStringLiteral("minilm.safetensors"), "weights");
        session_->changeView(panel_->entry(), [](ViewState& state) { state.index = {0, 1, 2, 0, 0}; });
        session_->linkMask(panel_->entry(), idOf("keep_mask"));
        panel_->canvas()->goTo({4, 3});
        QTest::qWait(50);
        // The second sentence has 17 tokens; a softmax row sums to 1.
        QCOMPARE(textOf(QStringLiteral("Visible keys")), QStringLiteral("17 / 24"));
        QVERIFY(std::abs(textOf(QStringLiteral("Row sum")).toDouble() - 1) < 0.003);
        const auto* table = panel_->findChild<TokenTable*>();
        QCOMPARE(table->model()->rowCount(), 17);
        // The heaviest key is the token before.
        QCOMPARE(table->model()->index(0, TokenModel::key).data().toInt(), 3);
        keep("weights_masked");
    }
    void a_click_on_the_table_moves_the_cursor() {
        open(QStringLiteral("minilm.safetensors"), "weights");
        panel_->canvas()->goTo({5, 5});
        QTest::qWait(50);
        auto* table = panel_->findChild<TokenTable*>();
        const auto index = table->model()->index(1, TokenModel::key);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(index).center());
        QCOMPARE(view().cursor->row, 5);
        QCOMPARE(view().cursor->col, index.data().toLongLong());
    }
    void the_strip_chooses_a_head() {
        open(QStringLiteral("minilm.safetensors"), "weights");
        auto* strip = panel_->findChild<HeadStrip*>();
        QCOMPARE(strip->sliceCount(), 12);
        strip->setFocus();
        QTest::keyClick(strip, Qt::Key_Right);
        QCOMPARE(view().index[2], 1);
        QTest::keyClick(strip, Qt::Key_End);
        QCOMPARE(view().index[2], 11);
        QVERIFY(strip->isVisible());
        QTest::keyClick(strip, Qt::Key_Return);
        QVERIFY(panel_->isolated());
        QVERIFY(!strip->isVisible());
        keep("weights_alone");
        panel_->setIsolated(false);
        QVERIFY(strip->isVisible());
    }
    void the_legend_walks_through_the_cells_of_a_state() {
        open(QStringLiteral("broken.npz"), "weights");
        QTRY_VERIFY(view().cursor.has_value());  // it lands on the first NaN
        QCOMPARE(*view().cursor, (CellIndex{0, 0}));
        keep("broken");
        for (auto* button : panel_->findChildren<StateButton*>()) {
            if (button->state() != render::CellState::nan) continue;
            QCOMPARE(button->count(), 11);
            QTest::mouseClick(button, Qt::LeftButton);
            QCOMPARE(*view().cursor, (CellIndex{0, 1}));
            QTest::mouseClick(button, Qt::LeftButton);
            QCOMPARE(*view().cursor, (CellIndex{0, 2}));
        }
    }
    void a_narrow_panel_still_holds_everything() {
        open(QStringLiteral("minilm.safetensors"), "weights", {568, 480});
        panel_->canvas()->goTo({14, 13});
        QTest::qWait(50);
        QCOMPARE(panel_->width(), 568);
        keep("narrow");
    }
    void the_exported_figure_has_title_and_legend() {
        open(QStringLiteral("minilm.safetensors"), "weights");
        const auto list = panel_->figure(1000, 700);
        QCOMPARE(list.width, 1000.0);
        QCOMPARE(list.height, 700.0);
        const auto text = render::to_text(list);
        QVERIFY(text.find("weights[0, 0, 0, :, :]") != std::string::npos);
        QVERIFY(text.find("true zero") != std::string::npos);
        // Zoomed in, the export shows the cells that the canvas shows.
        panel_->canvas()->setPitch(40);
        const auto zoomed = panel_->figure(1000, 700);
        QVERIFY(render::to_text(zoomed) != text);
        keep("zoomed");
        if (const auto folder = qEnvironmentVariable("MASKSCOPE_KEEP"); !folder.isEmpty()) {
            const auto path = QDir(folder).filePath(QStringLiteral("figure_zoomed.png")).toStdString();
            QVERIFY(render::write_picture(zoomed, path, render::PictureFormat::png).ok());
        }
    }
    void scores_and_large_interface() {
        style_->setInterfaceSize(150);
        style_->apply();
        open(QStringLiteral("minilm.safetensors"), "scores_layer0", {1400, 860});
        panel_->canvas()->goTo({3, 2});
        QTest::qWait(50);
        keep("scores_150");
        style_->setInterfaceSize(100);
        style_->apply();
    }
};

QTEST_MAIN(AttentionTest)
#include "attention_test.moc"
