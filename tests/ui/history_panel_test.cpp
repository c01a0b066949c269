// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/history/history_panel.h"

#include "tests/ui/image_fixture.h"
#include "tests/ui/panel_pictures.h"

#include <QListView>

using namespace maskscope;
using namespace maskscope::ui;

class HistoryPanelTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        style_ = std::make_unique<Style>();
        style_->apply();
        opened_ = std::make_unique<ImageFixture>();
        panel_ = std::make_unique<HistoryPanel>(opened_->session, *style_);
        panel_->resize(248, 240);
        panel_->show();
        opened_->open();
    }
    void cleanup() {
        panel_.reset();
        opened_.reset();
        style_.reset();
    }

    void emptyAtFirst() {
        QCOMPARE(rows(), 0);
        QCOMPARE(panel_->footer(), QStringLiteral("No steps yet"));
    }

    void stepsHaveNamesAndAmounts() {
        opened_->paint({0, 0, 2, 5}, 4, QStringLiteral("Brush, label 4"));
        opened_->paint({4, 4, 1, 16}, 0, QStringLiteral("Erase"));
        opened_->paint({20, 10, 1, 1}, 1, QStringLiteral("Pencil, label 1"));
        QCOMPARE(rows(), 4);
        QCOMPARE(text(0), QStringLiteral("As opened"));
        QCOMPARE(text(1), QStringLiteral("Brush, label 4"));
        QCOMPARE(amount(1), QStringLiteral("+10 px"));
        QCOMPARE(amount(2), QStringLiteral("−16 px"));
        QCOMPARE(amount(3), QStringLiteral("1 px"));  // of one label before, of another now
        QVERIFY(panel_->footer().startsWith(QStringLiteral("3 of 3 steps, 0.0 of 64 MiB")));
        opened_->session.edits().undo();
        keepPicture(*panel_, *style_, QStringLiteral("history"));
    }

    void aClickJumpsAndTheUndoneAreGrey() {
        for (int i = 0; i < 4; ++i) opened_->paint({i, 30, 1, 10}, 5, QStringLiteral("Step %1").arg(i));
        QCOMPARE(opened_->cellsOf(5), 40);
        const auto box = panel_->list()->visualRect(panel_->list()->model()->index(1, 0));
        QTest::mouseClick(panel_->list()->viewport(), Qt::LeftButton, {}, box.center());
        QCOMPARE(opened_->session.edits().history().position(), std::size_t{1});
        QCOMPARE(opened_->cellsOf(5), 10);
        QVERIFY(role(1, HistoryModel::current_role));
        QVERIFY(!role(1, HistoryModel::undone_role));
        QVERIFY(role(2, HistoryModel::undone_role));
        QVERIFY(panel_->footer().startsWith(QStringLiteral("1 of 4 steps")));
        opened_->session.edits().jump(4);
        QCOMPARE(opened_->cellsOf(5), 40);
        QVERIFY(!role(4, HistoryModel::undone_role));
    }

    void aNewStepForgetsTheUndone() {
        opened_->paint({0, 0, 1, 1}, 5, QStringLiteral("One"));
        opened_->paint({1, 0, 1, 1}, 5, QStringLiteral("Two"));
        opened_->session.edits().undo();
        opened_->paint({2, 0, 1, 1}, 5, QStringLiteral("Three"));
        QCOMPARE(rows(), 3);
        QCOMPARE(text(2), QStringLiteral("Three"));
    }

private:
    int rows() const { return panel_->list()->model()->rowCount(); }
    QVariant at(int row, int what) const { return panel_->list()->model()->index(row, 0).data(what); }
    QString text(int row) const { return at(row, Qt::DisplayRole).toString(); }
    QString amount(int row) const { return at(row, HistoryModel::amount_role).toString(); }
    bool role(int row, int what) const { return at(row, what).toBool(); }

    std::unique_ptr<Style> style_;
    std::unique_ptr<ImageFixture> opened_;
    std::unique_ptr<HistoryPanel> panel_;
};

QTEST_MAIN(HistoryPanelTest)
#include "history_panel_test.moc"
