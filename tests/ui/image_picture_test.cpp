// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/shapes.h"
#include "tests/ui/image_canvas_fixture.h"

using namespace maskscope;
using namespace maskscope::ui;
using render::CellIndex;

class ImagePictureTest : public QObject, private ImageCanvasFixture {
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

    void fits_and_knows_where_pixels_are() {
        open(48, 64);
        QCOMPARE(canvas_->pitch(), 10.0);  // 640 / 64 = 480 / 48
        QCOMPARE(canvas_->widgetPosition({0, 0}), QPointF(16, 16));
        QCOMPARE(canvas_->widgetPosition({64, 48}), QPointF(656, 496));
        const auto at = canvas_->imagePosition({16 + 35, 16 + 127});
        QCOMPARE(at.x, 3.5);
        QCOMPARE(at.y, 12.7);
        move({3.5, 12.5}, {}, Qt::NoButton);
        const auto under = canvas_->under();
        QVERIFY(under.has_value());
        QCOMPARE(under->row, 12);
        QCOMPARE(under->col, 3);
        QCOMPARE(under->image, (std::vector<double>{(12 * 64 + 3) * 37 % 251}));
        QVERIFY(under->labels.empty());
    }
    void what_is_redrawn_is_what_is_drawn_anew_data() {
        QTest::addColumn<double>("pitch");
        QTest::addColumn<int>("size");
        QTest::newRow("overview") << 0.0 << 40;
        QTest::newRow("a third") << 0.34 << 25;
        QTest::newRow("one to one") << 1.0 << 21;
        QTest::newRow("three") << 3.0 << 9;
        QTest::newRow("twelve") << 12.0 << 2;
    }
    void what_is_redrawn_is_what_is_drawn_anew() {
        QFETCH(double, pitch);
        QFETCH(int, size);
        open(1200, 1500);
        session_->changeOverlay(image_, [](OverlayState& state) { state.layers[0].hatch = render::Hatch::rising; });
        if (pitch > 0) canvas_->setPitch(pitch);
        take(Tool::brush, size, 3);
        canvas_->picture();
        const auto from = canvas_->imagePosition({100, 120});
        const auto to = canvas_->imagePosition({420, 333});
        const auto before = canvas_->picture();
        press(from);
        canvas_->picture();
        move(to);
        canvas_->picture();
        release(to);
        const auto stroked = canvas_->picture();
        QVERIFY(stroked != before);
        // Pans bring strips in; back again they are those of before.
        const auto pan = [this](int dx, int dy) {
            session_->changeView(image_, [&](ViewState& state) {
                auto to_view = state.viewport;
                const double step = canvas_->pitch();
                const auto corner = canvas_->imagePosition({16, 16});
                to_view.pitch = step;
                to_view.col0 = (std::round(corner.x * step) - dx) / step;
                to_view.row0 = (std::round(corner.y * step) - dy) / step;
                state.viewport = to_view;
                state.fit = false;
            });
            canvas_->picture();
        };
        pan(0, 0);
        pan(37, -21);
        pan(-80, 55);
        const auto panned = canvas_->picture();
        ImageCanvas fresh(*session_, *style_);
        fresh.resize(canvas_->size());
        fresh.setEntry(image_);
        const auto anew = fresh.picture();
        QCOMPARE(anew.size(), panned.size());
        int differing = 0;
        for (int y = 0; y < anew.height(); ++y) {
            for (int x = 0; x < anew.width(); ++x) differing += anew.pixel(x, y) != panned.pixel(x, y) ? 1 : 0;
        }
        QCOMPARE(differing, 0);
    }
    void the_wipe_shows_another_layer_left_of_it() {
        open(48, 64);
        take(Tool::rectangle, 1, 2);
        dragTo({0.5, 0.5}, {63.5, 47.5});
        const auto whole = canvas_->picture();
        session_->changeOverlay(image_, [](OverlayState& state) {
            state.compare = CompareMode::wipe;
            state.compare_with = -1;
            state.wipe = 0.5;
        });
        const auto half = canvas_->picture();
        QCOMPARE(half.pixel(400, 200), whole.pixel(400, 200));
        QVERIFY(half.pixel(200, 200) != whole.pixel(200, 200));  // the image alone
        // The handle stands in the middle and moves by the mouse, without painting.
        const auto steps = edits().history().steps().size();
        const auto handle = canvas_->imagePosition({16 + 320, 16 + 240});
        const auto to = canvas_->imagePosition({16 + 160, 16 + 240});
        dragTo(handle, to);
        QCOMPARE(session_->overlay(image_)->wipe, 0.25);
        QCOMPARE(edits().history().steps().size(), steps);
        QCOMPARE(canvas_->picture().pixel(200, 200), whole.pixel(200, 200));
        session_->changeOverlay(image_, [](OverlayState& state) { state.compare = CompareMode::none; });
        QCOMPARE(canvas_->picture(), whole);
    }
    void a_mask_by_itself_is_painted_over_a_plain_ground() {
        open(48, 64);
        session_->show(mask_);
        canvas_->setEntry(mask_);
        QCOMPARE(canvas_->pitch(), 10.0);
        const auto plain = canvas_->picture();
        QCOMPARE(QColor(plain.pixel(100, 100)), style_->colour(render::Token::bg_view));
        take(Tool::brush, 3, 2);
        click({20.5, 20.5});
        QCOMPARE(painted(2).size(), cellsOf(mask::stamp({mask::BrushShape::round, 3}, {20.5, 20.5})).size());
        QVERIFY(canvas_->picture() != plain);
        QVERIFY(canvas_->under().has_value());
        QCOMPARE(canvas_->under()->labels.size(), std::size_t{1});
    }
    void a_large_mask_is_painted_when_it_is_ready() {
        open(4200, 4200);
        QTRY_VERIFY(edits().plane(mask_, 0) != nullptr);
        const auto before = canvas_->picture();
        take(Tool::brush, 64, 2);
        click({2000.5, 2000.5});
        QVERIFY(canvas_->picture() != before);
    }
    void ids_stand_right_of_the_wipe_only() {
        open(48, 64);
        take(Tool::rectangle, 1, 2);
        dragTo({2.5, 2.5}, {20.5, 20.5});
        take(Tool::pan);
        // White ink of the number, about the middle of the label.
        const auto written = [this] {
            const auto picture = canvas_->grab().toImage();
            int white = 0;
            for (int y = 110; y < 160; ++y) {
                for (int x = 110; x < 160; ++x) white += picture.pixel(x, y) == 0xffffffffU ? 1 : 0;
            }
            return white;
        };
        QTRY_VERIFY(written() > 0);
        session_->changeOverlay(image_, [](OverlayState& state) {
            state.compare = CompareMode::wipe;
            state.wipe = 0.8;
        });
        QCOMPARE(written(), 0);
        session_->changeOverlay(image_, [](OverlayState& state) {
            state.compare = CompareMode::none;
            state.layers[0].hidden_labels = {2};
        });
        QCOMPARE(written(), 0);
    }
    void a_mask_of_another_size_is_shown_but_not_painted_on() {
        open(48, 64, DType::f32);
        const auto small = openTensor(QStringLiteral("soft_mask.npy"), [] {
            auto cells = Tensor::zeros({24, 32}, DType::f32);
            cells->writable_as<float>()[0] = 1;
            return *cells;
        }());
        session_->setRole(small, document::Role::mask);
        session_->show(image_);
        const auto fitting = session_->masksFor(image_);
        QVERIFY(std::find(fitting.begin(), fitting.end(), small) != fitting.end());
        const auto before = canvas_->picture();
        session_->changeOverlay(image_, [small](OverlayState& state) {
            LayerState layer;
            layer.mask = small;
            state.layers.push_back(layer);
            state.active = 1;
        });
        const auto after = canvas_->picture();
        QVERIFY(after.pixel(5, 5) != before.pixel(5, 5));  // the cell is 2 x 2 pixels of 10 x 10
        QVERIFY(after.pixel(17, 17) != before.pixel(17, 17));
        QCOMPARE(after.pixel(25, 25), before.pixel(25, 25));
        QSignalSpy failed(&edits(), &EditSession::failed);
        take(Tool::brush, 3);
        click({30.5, 30.5});
        QCOMPARE(failed.count(), 1);
        QVERIFY(edits().history().steps().empty());
    }
};

QTEST_MAIN(ImagePictureTest)
#include "image_picture_test.moc"
