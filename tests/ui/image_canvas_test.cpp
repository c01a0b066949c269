// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/shapes.h"
#include "tests/ui/image_canvas_fixture.h"

using namespace maskscope;
using namespace maskscope::ui;
using render::CellIndex;

class ImageCanvasTest : public QObject, private ImageCanvasFixture {
    Q_OBJECT
private slots:
    void initTestCase() {
        style_ = std::make_unique<Style>();
        style_->apply();
    }
    void cleanupTestCase() {
        canvas_.reset();
        session_.reset();
    }

    void a_stroke_is_what_the_brush_leaves_on_its_way() {
        open(48, 64);
        take(Tool::brush, 3, 5);
        press({4.5, 4.5});
        move({40.2, 30.9});  // a fast hand: no event between
        move({40.2, 8.5});
        release({40.2, 8.5});
        const mask::Brush brush{mask::BrushShape::round, 3};
        auto wanted = cellsOf(mask::stroke(brush, {4.5, 4.5}, {40.2, 30.9}));
        wanted.merge(cellsOf(mask::stroke(brush, {40.2, 30.9}, {40.2, 8.5})));
        QCOMPARE(painted(5), wanted);
        QVERIFY(wanted.contains({17, 22}));  // on the way
        QCOMPARE(edits().history().steps().size(), std::size_t{1});
        QVERIFY(QString::fromStdString(edits().history().steps().back().name).contains(QStringLiteral("label 5")));
        QVERIFY(edits().changed(mask_));

        edits().undo();
        QVERIFY(painted(5).empty());
        QVERIFY(!edits().changed(mask_));
        edits().redo();
        QCOMPARE(painted(5), wanted);
    }
    void alt_and_the_eraser_take_away() {
        open(48, 64);
        take(Tool::rectangle);
        dragTo({10.5, 10.5}, {19.5, 19.5});
        QCOMPARE(painted(1).size(), std::size_t{100});
        take(Tool::brush, 1);
        press({12.5, 12.5}, Qt::AltModifier);
        release({12.5, 12.5}, Qt::AltModifier);
        QCOMPARE(painted(1).size(), std::size_t{99});
        QVERIFY(!painted(1).contains({12, 12}));
        take(Tool::eraser, 1);
        click({13.5, 12.5});
        QCOMPARE(painted(1).size(), std::size_t{98});
        QCOMPARE(edits().history().steps().size(), std::size_t{3});
    }
    void shapes_follow_the_hand_and_leave_only_the_last() {
        open(48, 64);
        take(Tool::ellipse, 1, 2);
        press({10, 10});
        move({40, 40});
        QVERIFY(painted(2).size() > 500);
        move({30, 20});
        release({30, 20});
        QCOMPARE(painted(2), cellsOf(mask::ellipse({10, 10}, {30, 20}, plane().bounds())));
        take(Tool::line, 2, 3);
        dragTo({5, 40}, {60, 42});
        QCOMPARE(painted(3), cellsOf(mask::line({5, 40}, {60, 42}, {mask::BrushShape::round, 2}, plane().bounds())));
        QCOMPARE(edits().history().steps().size(), std::size_t{2});
    }
    void a_polygon_with_a_hole() {
        open(48, 64);
        take(Tool::polygon, 1, 4);
        const std::vector<mask::Position> outer{{5.2, 5.3}, {40.2, 8.3}, {35.2, 40.3}, {8.2, 36.3}};
        const std::vector<mask::Position> hole{{15.2, 15.3}, {25.2, 16.3}, {20.2, 28.3}};
        for (const auto& point : outer) click(point);
        QTest::keyClick(canvas_.get(), Qt::Key_Return, Qt::ShiftModifier);  // another ring follows
        QVERIFY(painted(4).empty());
        for (const auto& point : hole) click(point);
        click({60, 44});
        QTest::keyClick(canvas_.get(), Qt::Key_Backspace);  // that one was wrong
        QTest::keyClick(canvas_.get(), Qt::Key_Return);
        QCOMPARE(painted(4), inside({outer, hole}));
        QVERIFY(painted(4).contains({8, 10}));
        QVERIFY(!painted(4).contains({18, 20}));
        QCOMPARE(edits().history().steps().size(), std::size_t{1});

        for (const auto& point : outer) click(point);
        QTest::keyClick(canvas_.get(), Qt::Key_Escape);
        QTest::keyClick(canvas_.get(), Qt::Key_Return);
        QCOMPARE(edits().history().steps().size(), std::size_t{1});
    }
    void a_double_click_closes_a_polygon() {
        open(48, 64);
        take(Tool::polygon);
        const std::vector<mask::Position> ring{{5.2, 5.3}, {40.2, 8.3}, {35.2, 40.3}};
        click(ring[0]);
        click(ring[1]);
        click(ring[2]);
        mouse(QEvent::MouseButtonDblClick, ring[2], Qt::LeftButton);
        release(ring[2]);
        QCOMPARE(painted(1), inside({ring}));
    }
    void a_lasso_fills_its_way() {
        open(48, 64);
        take(Tool::lasso);
        const std::vector<mask::Position> way{{10.2, 10.3}, {30.2, 12.3}, {28.2, 30.3}, {12.2, 25.3}};
        press(way[0]);
        for (const auto& point : way) move(point);
        release(way.back());
        QCOMPARE(painted(1), inside({way}));
    }
    void fill_and_wand_work_in_the_background() {
        open(48, 64);
        take(Tool::rectangle, 1, 3);
        dragTo({10.5, 10.5}, {19.5, 19.5});
        take(Tool::fill, 1, 7);
        click({15.5, 15.5});
        QTRY_COMPARE(painted(7).size(), std::size_t{100});
        QVERIFY(painted(3).empty());
        // The image's pixels differ from their neighbours by more than that.
        take(Tool::wand, 1, 9);
        edits().changeTools([](ToolState& tools) { tools.tolerance = 1; });
        click({50.5, 40.5});
        QTRY_COMPARE(painted(9), (Cells{{40, 50}}));
    }
    void a_late_fill_is_dropped() {
        open(48, 64);
        take(Tool::fill, 1, 7);
        QSignalSpy failed(&edits(), &EditSession::failed);
        click({5.5, 5.5});
        take(Tool::brush, 1, 2);
        click({40.5, 40.5});  // before the fill has come back
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(painted(7).empty());
        QCOMPARE(painted(2), (Cells{{40, 40}}));
    }
    void pick_takes_the_label_there() {
        open(48, 64);
        take(Tool::rectangle, 1, 42);
        dragTo({10.5, 10.5}, {19.5, 19.5});
        take(Tool::pick);
        QSignalSpy picked(canvas_.get(), &ImageCanvas::picked);
        click({12.5, 12.5});
        QCOMPARE(edits().tools().label, 42.0);
        QCOMPARE(picked.count(), 1);
        click({1.5, 1.5});  // background: nothing to take
        QCOMPARE(edits().tools().label, 42.0);
    }
    void rows_columns_and_bands() {
        open(8, 8, DType::boolean);
        take(Tool::rows);
        dragTo({3.5, 1.5}, {6.5, 2.5});
        Cells rows;
        for (int col = 0; col < 8; ++col) rows.insert({{1, col}, {2, col}});
        QCOMPARE(painted(1), rows);
        edits().undo();
        take(Tool::band);
        edits().changeTools([](ToolState& tools) {
            tools.band_lower = -1;
            tools.band_upper = 0;
        });
        click({3.5, 3.5});
        Cells band;
        for (int row = 0; row < 8; ++row) {
            for (int col = 0; col < 8; ++col) {
                if (col - row == 0 || col - row == -1) band.insert({row, col});
            }
        }
        QCOMPARE(painted(1), band);
    }
    void what_is_locked_stays() {
        open(48, 64);
        take(Tool::rectangle, 1, 3);
        dragTo({10.5, 10.5}, {19.5, 19.5});
        QSignalSpy failed(&edits(), &EditSession::failed);
        const auto lock = [this](const std::function<void(LayerState&)>& change) {
            session_->changeOverlay(image_, [&](OverlayState& state) { change(state.layers[0]); });
        };
        lock([](LayerState& layer) { layer.locked_labels = {3}; });
        take(Tool::brush, 5, 3);
        click({30.5, 30.5});
        QCOMPARE(failed.count(), 1);
        QVERIFY2(failed.at(0).at(0).toString().contains(QStringLiteral("Label 3")), "the sentence names the label");
        take(Tool::rectangle, 1, 8);
        dragTo({5.5, 5.5}, {24.5, 24.5});  // around and over it
        QCOMPARE(painted(3).size(), std::size_t{100});
        QCOMPARE(painted(8).size(), std::size_t{300});
        lock([](LayerState& layer) { layer.locked = true; });
        dragTo({5.5, 30.5}, {24.5, 40.5});
        QCOMPARE(painted(8).size(), std::size_t{300});
        QCOMPARE(failed.count(), 2);
        session_->changeOverlay(image_, [](OverlayState& state) { state.active = -1; });
        click({2.5, 2.5});
        QCOMPARE(failed.count(), 3);
        QCOMPARE(edits().history().steps().size(), std::size_t{2});
    }
    void a_label_that_the_mask_cannot_hold_is_refused() {
        open(48, 64);
        QSignalSpy failed(&edits(), &EditSession::failed);
        take(Tool::brush, 3, 256);
        click({5.5, 5.5});
        QCOMPARE(failed.count(), 1);
        QVERIFY(edits().history().steps().empty());
    }
    void only_empty_pixels() {
        open(48, 64);
        take(Tool::rectangle, 1, 3);
        dragTo({10.5, 10.5}, {19.5, 19.5});
        take(Tool::rectangle, 1, 4);
        edits().changeTools([](ToolState& tools) { tools.empty_only = true; });
        dragTo({5.5, 5.5}, {24.5, 24.5});
        QCOMPARE(painted(3).size(), std::size_t{100});
        QCOMPARE(painted(4).size(), std::size_t{300});
    }
    void space_middle_and_the_hand_move_the_picture() {
        open(200, 300);
        take(Tool::brush, 5);
        canvas_->setPitch(8);
        const auto corner = [this] { return canvas_->widgetPosition({0, 0}); };
        auto before = corner();
        const QPointF here(200, 200);
        const auto drag = [&](Qt::MouseButton button) {
            const auto at = [this](QPointF place) { return canvas_->imagePosition(place); };
            press(at(here), {}, button);
            move(at(here + QPointF(33, 21)), {}, button);
            // The picture has moved with the hand: the place is computed anew.
            release(at(here + QPointF(33, 21)), {}, button);
        };
        drag(Qt::MiddleButton);
        QCOMPARE(corner(), before + QPointF(33, 21));
        before = corner();
        QTest::keyPress(canvas_.get(), Qt::Key_Space);
        drag(Qt::LeftButton);
        QTest::keyRelease(canvas_.get(), Qt::Key_Space);
        QCOMPARE(corner(), before + QPointF(33, 21));
        QVERIFY(edits().history().steps().empty());
        before = corner();
        take(Tool::pan);
        drag(Qt::LeftButton);
        QCOMPARE(corner(), before + QPointF(33, 21));
        QVERIFY(edits().history().steps().empty());
    }
    void the_wheel_zooms_and_ctrl_changes_the_brush() {
        open(200, 300);
        take(Tool::brush, 12);
        const double pitch = canvas_->pitch();
        const auto at = canvas_->imagePosition({300, 200});
        wheel(4);
        QVERIFY(canvas_->pitch() > pitch);
        const auto now = canvas_->imagePosition({300, 200});
        QVERIFY(std::abs(now.x - at.x) < 1 && std::abs(now.y - at.y) < 1);
        const double zoomed = canvas_->pitch();
        wheel(1, Qt::ControlModifier);
        QCOMPARE(edits().tools().brush.size, 13);
        QCOMPARE(canvas_->pitch(), zoomed);
        QTest::keyClick(canvas_.get(), Qt::Key_BracketRight);
        QCOMPARE(edits().tools().brush.size, 14);
        QTest::keyClick(canvas_.get(), Qt::Key_BraceRight, Qt::ShiftModifier);
        QCOMPARE(edits().tools().brush.size, 24);
        QTest::keyClick(canvas_.get(), Qt::Key_BracketLeft, Qt::ShiftModifier);
        QTest::keyClick(canvas_.get(), Qt::Key_BracketLeft);
        QCOMPARE(edits().tools().brush.size, 13);
        QTest::keyClick(canvas_.get(), Qt::Key_7);
        QCOMPARE(edits().tools().label, 7.0);
        for (int i = 0; i < 3; ++i) wheel(-100, Qt::ControlModifier);
        QCOMPARE(edits().tools().brush.size, 1);
    }
    void arrow_keys_move_the_cursor() {
        open(48, 64);
        QTest::keyClick(canvas_.get(), Qt::Key_Right);
        QCOMPARE(view().cursor, std::optional(CellIndex{0, 0}));
        QTest::keyClick(canvas_.get(), Qt::Key_Right);
        QTest::keyClick(canvas_.get(), Qt::Key_Down);
        QCOMPARE(view().cursor, std::optional(CellIndex{1, 1}));
        QTest::keyClick(canvas_.get(), Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(view().cursor, std::optional(CellIndex{47, 63}));
        QTest::keyClick(canvas_.get(), Qt::Key_Escape);
        QVERIFY(!view().cursor.has_value());
    }
    void escape_takes_a_stroke_back() {
        open(48, 64);
        take(Tool::brush, 9);
        press({20.5, 20.5});
        move({30.5, 30.5});
        QVERIFY(!painted(1).empty());
        QTest::keyClick(canvas_.get(), Qt::Key_Escape);
        QVERIFY(painted(1).empty());
        move({40.5, 30.5});
        release({40.5, 30.5});
        QVERIFY(painted(1).empty());
        QVERIFY(edits().history().steps().empty());
    }
};

QTEST_MAIN(ImageCanvasTest)
#include "image_canvas_test.moc"
