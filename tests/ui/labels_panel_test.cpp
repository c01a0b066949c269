// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/labels/labels_panel.h"

#include "tests/ui/image_fixture.h"
#include "tests/ui/panel_pictures.h"
#include "ui/panels/labels/label_table.h"

#include <QMenu>
#include <QPushButton>
#include <QSpinBox>

using namespace maskscope;
using namespace maskscope::ui;

class LabelsPanelTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        style_ = std::make_unique<Style>();
        style_->apply();
        opened_ = std::make_unique<ImageFixture>();
        panel_ = std::make_unique<LabelsPanel>(opened_->session, *style_);
        panel_->resize(900, 200);
        panel_->show();
        opened_->open();
    }
    void cleanup() {
        panel_.reset();
        opened_.reset();
        style_.reset();
    }

    void labelsAreCounted() {
        QCOMPARE(rows(), 3);
        QCOMPARE(text(1, LabelModel::pixels), QStringLiteral("128"));
        QCOMPARE(text(1, LabelModel::bounds), QStringLiteral("8 × 16 at [4, 4]"));
        QCOMPARE(text(2, LabelModel::pixels), QStringLiteral("196"));
        QCOMPARE(text(3, LabelModel::pixels), QStringLiteral("10"));
        QCOMPARE(text(3, LabelModel::bounds), QStringLiteral("7 × 21 at [34, 40]"));
        QCOMPARE(text(1, LabelModel::class_name), QStringLiteral("—"));
        keepPicture(*panel_, *style_, QStringLiteral("labels"));
    }

    void aStrokeChangesTheCounts() {
        opened_->paint({0, 40, 5, 4}, 7, QStringLiteral("Brush, label 7"));
        QTRY_COMPARE(rows(), 4);
        QCOMPARE(text(7, LabelModel::pixels), QStringLiteral("20"));
        opened_->session.edits().undo();
        QTRY_COMPARE(rows(), 3);
    }

    void clickingARowTakesItsLabelInHand() {
        click(2, LabelModel::pixels);
        QCOMPARE(opened_->session.edits().tools().label, 2.0);
        opened_->session.edits().changeTools([](ToolState& state) { state.label = 3; });
        QCOMPARE(panel_->table()->selected(), std::vector<double>{3});
    }

    void eyeAndLockAreOfTheLabel() {
        click(2, LabelModel::seen);
        click(3, LabelModel::locked);
        const auto& layer = opened_->session.overlay(opened_->image)->layers.front();
        QCOMPARE(layer.hidden_labels, std::set<std::int64_t>{2});
        QCOMPARE(layer.locked_labels, std::set<std::int64_t>{3});
        click(2, LabelModel::seen);
        QVERIFY(opened_->session.overlay(opened_->image)->layers.front().hidden_labels.empty());
    }

    void zoomToTellsTheBounds() {
        QSignalSpy spy(panel_.get(), &LabelsPanel::zoomRequested);
        click(2, LabelModel::zoom);
        QCOMPARE(spy.size(), 1);
        QVERIFY((spy[0][0].value<mask::Rect>() == mask::Rect{20, 10, 10, 20}));
    }

    void twoLabelsAreMergedIntoTheSmaller() {
        opened_->session.edits().changeTools([](ToolState& state) { state.label = 9; });
        panel_->table()->selectLabels({3, 1});
        QVERIFY(panel_->mergeButton()->isEnabled());
        panel_->mergeButton()->click();
        QCOMPARE(opened_->cellsOf(1), 138);
        QCOMPARE(opened_->cellsOf(3), 0);
        QCOMPARE(opened_->session.edits().history().steps().back().name, std::string("Merge 1, 3 into 1"));
        opened_->session.edits().undo();
        QCOMPARE(opened_->cellsOf(3), 10);
    }

    void oneLabelIsNoMerge() {
        panel_->table()->selectLabels({1});
        QVERIFY(!panel_->mergeButton()->isEnabled());
    }

    void holesAreFilledAndIslandsGo() {
        panel_->table()->selectLabels({2});
        shape(QStringLiteral("Fill holes"));
        QTRY_COMPARE(opened_->cellsOf(2), 200);
        panel_->table()->selectLabels({3});
        shape(QStringLiteral("Keep the largest island"));
        QTRY_COMPARE(opened_->cellsOf(3), 9);
        QCOMPARE(opened_->session.edits().history().position(), std::size_t{2});
    }

    void dilateByOneAddsAFrame() {
        panel_->table()->selectLabels({1});
        shape(QStringLiteral("Dilate"));
        QTRY_COMPARE(opened_->cellsOf(1), 128 + 2 * (8 + 16));  // the four neighbours: no corners
    }

    void aLockedLayerSaysSo() {
        opened_->session.changeOverlay(opened_->image, [](OverlayState& state) { state.layers[0].locked = true; });
        panel_->table()->selectLabels({1, 2});
        QVERIFY(!panel_->mergeButton()->isEnabled());
    }

    void columnsSort() {
        panel_->table()->sortByColumn(LabelModel::pixels, Qt::DescendingOrder);
        const auto* model = panel_->table()->model();
        QCOMPARE(model->index(0, LabelModel::id).data().toString(), QStringLiteral("2"));
        QCOMPARE(model->index(2, LabelModel::id).data().toString(), QStringLiteral("3"));
    }

    void combiningWithAnotherLayer() {
        auto& session = opened_->session;
        const EntryId other = session.edits().newMask(opened_->image, DType::u8, QStringLiteral("other"));
        session.edits().changeTools([](ToolState& state) { state.label = 1; });
        QVERIFY(session.edits().begin({other, 0, opened_->image}, QStringLiteral("Rectangle")));
        session.edits().paint(mask::Region::of_rect({4, 12, 8, 20}));  // 8 columns of label 1, and 12 beyond it
        session.edits().commit();
        session.changeOverlay(opened_->image, [](OverlayState& state) { state.active = 0; });
        const auto layer = session.overlay(opened_->image)->layers[1];
        LabelChanges changes(session);
        changes.combine(1, layer, LabelChanges::Combine::intersect);
        QTRY_COMPARE(opened_->cellsOf(1), 8 * 8);
        session.edits().undo();
        changes.combine(1, layer, LabelChanges::Combine::subtract);
        QTRY_COMPARE(opened_->cellsOf(1), 8 * 8);
        QCOMPARE(session.edits().plane(opened_->mask, 0)->value_at(4, 12), 0.0);
        session.edits().undo();
        changes.combine(1, layer, LabelChanges::Combine::unite);
        QTRY_COMPARE(opened_->cellsOf(1), 8 * 28);
    }

private:
    int rows() const { return panel_->table()->model()->rowCount(); }
    QModelIndex index(double label, int column) const {
        const auto* model = panel_->table()->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            if (model->index(row, 0).data(LabelModel::label_role).toDouble() == label) return model->index(row, column);
        }
        return {};
    }
    QString text(double label, int column) const { return index(label, column).data().toString(); }
    void click(double label, int column) {
        auto* table = panel_->table();
        const auto box = table->visualRect(index(label, column));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, box.center());
    }
    void shape(const QString& name) {
        for (auto* action : panel_->shapeMenu()->actions()) {
            if (action->text() == name) return action->trigger();
        }
        QFAIL(qPrintable(name));
    }

    std::unique_ptr<Style> style_;
    std::unique_ptr<ImageFixture> opened_;
    std::unique_ptr<LabelsPanel> panel_;
};

QTEST_MAIN(LabelsPanelTest)
#include "labels_panel_test.moc"
