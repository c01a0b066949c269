// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/heatmap_canvas.h"

#include "core/io/format.h"
#include "ui/canvas/view_motion.h"

#include <QApplication>
#include <QClipboard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <cmath>
#include <numeric>

using namespace maskscope;
using namespace maskscope::ui;
using render::CellIndex;

class CanvasTest : public QObject {
    Q_OBJECT
private:
    QTemporaryDir folder_;
    std::unique_ptr<Style> style_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<HeatmapCanvas> canvas_;

    const ViewState& view() const { return *session_->view(session_->current()); }

    // A tensor [2, 3, rows, cols] that counts up, open and shown in a canvas of 640 x 480.
    void open(std::int64_t rows, std::int64_t cols) {
        canvas_.reset();
        session_ = std::make_unique<Session>();
        auto tensor = Tensor::zeros({2, 3, rows, cols}, DType::f32);
        std::iota(tensor->writable_as<float>(), tensor->writable_as<float>() + tensor->numel(), 1.0F);
        const auto path = folder_.filePath(QStringLiteral("weights.npy"));
        QVERIFY(io::save_file(path.toStdString(), std::vector<io::NamedTensor>{{"", *tensor}}).ok());
        QSignalSpy settled(session_.get(), &Session::filesSettled);
        session_->openFiles({path});
        QVERIFY(settled.count() > 0 || settled.wait());
        canvas_ = std::make_unique<HeatmapCanvas>(*session_, *style_);
        canvas_->resize(640, 480);
        canvas_->setEntry(session_->current());
        canvas_->show();
        QVERIFY(QTest::qWaitForWindowExposed(canvas_.get()));
    }

    QPointF middleOf(const CellIndex& cell) const { return canvas_->boxOf(cell).center(); }

    // The cells' picture in what the canvas paints.
    static std::shared_ptr<const std::vector<render::Rgb>> pixels(HeatmapCanvas& canvas) {
        for (const auto& item : canvas.list().items) {
            if (const auto* image = std::get_if<render::ImageItem>(&item)) return image->pixels;
        }
        return nullptr;
    }

    void wheel(QPointF at, int steps, Qt::KeyboardModifiers keys = Qt::NoModifier) {
        QWheelEvent event(at, canvas_->mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, keys, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(canvas_.get(), &event);
    }

    void moveMouse(QPointF at, Qt::MouseButtons buttons = Qt::NoButton) {
        QMouseEvent event(QEvent::MouseMove, at, canvas_->mapToGlobal(at), Qt::NoButton, buttons, Qt::NoModifier);
        QApplication::sendEvent(canvas_.get(), &event);
    }

private slots:
    void initTestCase() {
        style_ = std::make_unique<Style>();
        style_->apply();
    }
    void cleanupTestCase() {
        canvas_.reset();
        session_.reset();
    }

    void fits_the_whole_plane_with_whole_pixels() {
        open(24, 24);
        QVERIFY(canvas_->pitch() >= 8);
        QCOMPARE(canvas_->pitch(), std::floor(canvas_->pitch()));
        QCOMPARE(canvas_->cellAt(middleOf({0, 0})), std::optional(CellIndex{0, 0}));
        QCOMPARE(canvas_->cellAt(middleOf({23, 23})), std::optional(CellIndex{23, 23}));
        QVERIFY(!canvas_->cellAt({1, 1}).has_value());
    }
    void the_wheel_keeps_the_cell_under_the_cursor() {
        open(400, 400);
        for (const CellIndex cell : {CellIndex{100, 200}, CellIndex{5, 390}}) {
            canvas_->fit();
            // In widget coordinates the point under the mouse stays within a pixel of the same place of the plane.
            const auto at = middleOf(cell);
            double pitch = canvas_->pitch();
            for (int i = 0; i < 12; ++i) {
                wheel(at, 1);
                QVERIFY(canvas_->pitch() > pitch);
                pitch = canvas_->pitch();
                QVERIFY2(std::abs(middleOf(cell).x() - at.x()) <= pitch / 2 + 1 &&
                             std::abs(middleOf(cell).y() - at.y()) <= pitch / 2 + 1,
                         qPrintable(QString::number(pitch)));
            }
            QCOMPARE(canvas_->cellAt(at), std::optional(cell));
            for (int i = 0; i < 6; ++i) wheel(at, -1);
            QVERIFY(canvas_->pitch() < pitch);
            QVERIFY(!view().fit);
        }
    }
    void shift_wheel_steps_the_outer_dims() {
        open(8, 8);
        wheel({300, 200}, -1, Qt::ShiftModifier);
        QCOMPARE(view().index[1], 1);
        wheel({300, 200}, -5, Qt::ShiftModifier);
        QCOMPARE(view().index[1], 2);
        wheel({300, 200}, -1, Qt::ShiftModifier | Qt::ControlModifier);
        QCOMPARE(view().index[0], 1);
        wheel({300, 200}, 1, Qt::ShiftModifier);
        QCOMPARE(view().index[1], 1);
        QVERIFY(view().fit);
    }
    void the_mouse_moves_the_cursor_and_leaving_clears_it() {
        open(12, 12);
        moveMouse(middleOf({3, 4}));
        QCOMPARE(view().cursor, std::optional(CellIndex{3, 4}));
        QVERIFY(!view().cursor_pinned);
        // weights[0, 0, 3, 4] = 1 + 3 * 12 + 4
        QVERIFY2(canvas_->accessibleDescription().contains(QStringLiteral("41")),
                 qPrintable(canvas_->accessibleDescription()));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(canvas_.get(), &leave);
        QVERIFY(!view().cursor.has_value());
    }
    void a_click_pins_and_escape_lets_go() {
        open(12, 12);
        QTest::mouseClick(canvas_.get(), Qt::LeftButton, {}, middleOf({2, 5}).toPoint());
        QCOMPARE(view().cursor, std::optional(CellIndex{2, 5}));
        QVERIFY(view().cursor_pinned);
        moveMouse(middleOf({9, 9}));
        QCOMPARE(view().cursor, std::optional(CellIndex{9, 9}));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(canvas_.get(), &leave);
        QCOMPARE(view().cursor, std::optional(CellIndex{2, 5}));
        QTest::keyClick(canvas_.get(), Qt::Key_Escape);
        QVERIFY(!view().cursor.has_value());
    }
    void arrow_keys_move_the_cursor() {
        open(12, 12);
        QTest::keyClick(canvas_.get(), Qt::Key_Right);  // puts it at the first cell
        QCOMPARE(view().cursor, std::optional(CellIndex{0, 0}));
        QTest::keyClick(canvas_.get(), Qt::Key_Right);
        QTest::keyClick(canvas_.get(), Qt::Key_Down);
        QTest::keyClick(canvas_.get(), Qt::Key_Down);
        QCOMPARE(view().cursor, std::optional(CellIndex{2, 1}));
        QTest::keyClick(canvas_.get(), Qt::Key_Left);
        QTest::keyClick(canvas_.get(), Qt::Key_Left);  // stops at the edge
        QTest::keyClick(canvas_.get(), Qt::Key_Up);
        QCOMPARE(view().cursor, std::optional(CellIndex{1, 0}));
        QTest::keyClick(canvas_.get(), Qt::Key_End);
        QCOMPARE(view().cursor, std::optional(CellIndex{1, 11}));
        QTest::keyClick(canvas_.get(), Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(view().cursor, std::optional(CellIndex{11, 11}));
        QTest::keyClick(canvas_.get(), Qt::Key_Home);
        QCOMPARE(view().cursor, std::optional(CellIndex{11, 0}));
        QVERIFY(view().cursor_pinned);
    }
    void a_pinned_cell_comes_into_view() {
        open(400, 400);
        canvas_->setPitch(20);
        canvas_->goTo({399, 3});
        const auto box = canvas_->boxOf({399, 3});
        QCOMPARE(canvas_->cellAt(box.center()), std::optional(CellIndex{399, 3}));
        QVERIFY(canvas_->cellAt(box.topLeft() + QPointF(0.5, 0.5)).has_value());
        QVERIFY(canvas_->cellAt(box.bottomRight() - QPointF(0.5, 0.5)).has_value());
    }
    void dragging_pans_by_whole_pixels() {
        open(400, 400);
        canvas_->setPitch(7);
        const auto before = canvas_->viewport();
        const QPoint from(320, 240);
        QTest::mousePress(canvas_.get(), Qt::LeftButton, {}, from);
        moveMouse(from + QPointF(-33, 20), Qt::LeftButton);
        QTest::mouseRelease(canvas_.get(), Qt::LeftButton, {}, from + QPoint(-33, 20));
        const auto after = canvas_->viewport();
        QCOMPARE(after.pitch, 7.0);
        QCOMPARE(std::round((after.col0 - before.col0) * 7), 33.0);
        QCOMPARE(std::round((after.row0 - before.row0) * 7), -20.0);
        QVERIFY(std::abs(after.col0 * 7 - std::round(after.col0 * 7)) < 1e-6);
        QVERIFY(!view().cursor_pinned);  // a drag is no click
    }
    void the_keyboard_zooms() {
        open(400, 400);
        const double whole = canvas_->pitch();
        QTest::keyClick(canvas_.get(), Qt::Key_Plus);
        QVERIFY(canvas_->pitch() > whole);
        QTest::keyClick(canvas_.get(), Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(canvas_->pitch(), 1.0);
        QTest::keyClick(canvas_.get(), Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(canvas_->pitch(), whole);
        QVERIFY(view().fit);
    }
    void no_cells_say_so() {
        open(0, 3);
        QCOMPARE(canvas_->pitch(), 0.0);
        QVERIFY(!canvas_->grab().isNull());
        QTest::keyClick(canvas_.get(), Qt::Key_Right);
        QVERIFY(!view().cursor.has_value());
    }
    void a_large_plane_is_exact_after_the_stand_in() {
        open(3000, 3000);
        QTRY_VERIFY(session_->heatmap(canvas_->entry())->prepared());
        canvas_->zoom(1);
        QVERIFY(canvas_->pitch() < 1);
        QVERIFY(pixels(*canvas_) != nullptr);  // the old picture, scaled, is there at once
        HeatmapCanvas fresh(*session_, *style_);
        fresh.resize(canvas_->size());
        fresh.setEntry(canvas_->entry());
        QVERIFY(fresh.viewport() == canvas_->viewport());
        QTRY_VERIFY(*pixels(*canvas_) == *pixels(fresh));
    }
    void resampling_takes_what_lies_there() {
        // Four pixels a side of an eight cell plane, seen at half the pitch: every second pixel, then nothing.
        render::Pooled pooled;
        pooled.width = 4;
        pooled.height = 4;
        pooled.value.resize(16);
        std::iota(pooled.value.begin(), pooled.value.end(), 0.0F);
        pooled.state.assign(16, render::CellState::value);
        const render::Viewport from{0, 0, 0.5, 4, 4};
        const render::Viewport to{0, 0, 0.25, 3, 3};
        const auto out = resampled(pooled, from, to);
        QCOMPARE(out.value[0], 5.0F);  // the middle of the new pixel lies in pixel (1, 1)
        QCOMPARE(out.value[1], 7.0F);
        QCOMPARE(out.value[3], 13.0F);
        QVERIFY(out.state[2] == render::CellState::outside);
        QVERIFY(!out.exact);
    }
};

QTEST_MAIN(CanvasTest)
#include "canvas_test.moc"
