// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/edit_session.h"

#include "core/io/format.h"
#include "core/mask/morphology.h"
#include "core/mask/shapes.h"
#include "ui/session/session.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstring>

using namespace maskscope;
using namespace maskscope::ui;

class EditSessionTest : public QObject {
    Q_OBJECT
private:
    QTemporaryDir folder_;
    std::unique_ptr<Session> session_;

    EditSession& edits() { return session_->edits(); }

    QString write(const QString& name, const Tensor& tensor) {
        const auto path = folder_.filePath(name);
        const auto written = io::save_file(path.toStdString(), std::vector<io::NamedTensor>{{"", tensor}});
        return written ? path : QString();
    }
    EntryId open(const QString& path) {
        QSignalSpy settled(session_.get(), &Session::filesSettled);
        session_->openFiles({path});
        if (settled.count() == 0 && !settled.wait()) return EntryId::none;
        return find(path);
    }
    EntryId find(const QString& path) {
        for (const auto& entry : session_->document().entries()) {
            if (entry.path == path.toStdString()) return entry.id;
        }
        return EntryId::none;
    }
    EntryId openMask(DType dtype = DType::u8) {
        session_ = std::make_unique<Session>();
        const auto id = open(write(QStringLiteral("cells_mask.npy"), *Tensor::zeros({20, 30}, dtype)));
        session_->setRole(id, document::Role::mask);
        session_->show(id);
        return id;
    }
    static mask::Region box(std::int64_t row, std::int64_t col, std::int64_t rows, std::int64_t cols) {
        return mask::Region::of_rect({row, col, rows, cols});
    }
    std::int64_t count(EntryId mask, double label) {
        const auto* plane = edits().plane(mask, 0);
        std::int64_t out = 0;
        for (std::int64_t row = 0; row < plane->rows(); ++row) {
            for (std::int64_t col = 0; col < plane->cols(); ++col) out += plane->value_at(row, col) == label ? 1 : 0;
        }
        return out;
    }
    void paint(EntryId mask, const mask::Region& region, double label = 1) {
        edits().changeTools([label](ToolState& tools) {
            tools.tool = Tool::brush;
            tools.label = label;
        });
        QVERIFY(edits().begin({mask, 0, EntryId::none}, QStringLiteral("Brush")));
        edits().paint(region);
        edits().commit();
    }

private slots:
    void a_stroke_tells_what_it_touched() {
        const auto mask = openMask();
        QSignalSpy changed(&edits(), &EditSession::maskChanged);
        QSignalSpy history(&edits(), &EditSession::historyChanged);
        edits().changeTools([](ToolState& tools) { tools.label = 4; });
        QVERIFY(edits().begin({mask, 0, EntryId::none}, QStringLiteral("Brush, label 4")));
        QVERIFY(edits().underWay());
        edits().paint(box(2, 3, 4, 5));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed.at(0).at(2).toRect(), QRect(3, 2, 5, 4));
        QCOMPARE(history.count(), 0);
        edits().commit();
        QVERIFY(!edits().underWay());
        QCOMPARE(history.count(), 1);
        QCOMPARE(count(mask, 4), 20);
        edits().undo();
        QCOMPARE(changed.count(), 2);
        QVERIFY(changed.at(1).at(2).toRect().contains(QRect(3, 2, 5, 4)));
        QCOMPARE(count(mask, 4), 0);
        QVERIFY(!edits().canUndo());
        QVERIFY(edits().canRedo());
        edits().jump(1);
        QCOMPARE(count(mask, 4), 20);
    }
    void a_preview_takes_the_place_of_the_one_before() {
        const auto mask = openMask();
        QVERIFY(edits().begin({mask, 0, EntryId::none}, QStringLiteral("Rectangle")));
        edits().preview(box(0, 0, 10, 10));
        edits().preview(box(5, 5, 2, 2));
        QCOMPARE(count(mask, 1), 4);
        edits().cancel();
        QCOMPARE(count(mask, 1), 0);
        QVERIFY(edits().history().steps().empty());
    }
    void nothing_changed_is_no_step() {
        const auto mask = openMask();
        paint(mask, box(0, 0, 2, 2));
        paint(mask, box(0, 0, 2, 2));
        QCOMPARE(edits().history().steps().size(), std::size_t{1});
    }
    void other_views_see_the_edited_cells() {
        const auto mask = openMask();
        const auto shown = session_->heatmap(mask);
        QVERIFY(shown != nullptr);
        QSignalSpy data(session_.get(), &Session::dataChanged);
        paint(mask, box(3, 3, 1, 1), 9);
        const std::array<std::int64_t, 2> at{3, 3};
        QCOMPARE(to_double(session_->tensor(mask)->at(at)), 9.0);
        QTRY_VERIFY(data.count() > 0);
        QVERIFY(session_->heatmap(mask) != shown);
        edits().undo();
        QCOMPARE(to_double(session_->tensor(mask)->at(at)), 0.0);
        // While a stroke is under way they stand as they were.
        QVERIFY(edits().begin({mask, 0, EntryId::none}, QStringLiteral("Brush")));
        edits().paint(box(3, 3, 1, 1));
        QCOMPARE(to_double(session_->tensor(mask)->at(at)), 0.0);
        edits().commit();
        QCOMPARE(to_double(session_->tensor(mask)->at(at)), 9.0);
    }
    void labels_change_in_the_background() {
        const auto mask = openMask();
        paint(mask, box(5, 5, 3, 3), 2);
        edits().changeLabel({mask, 0, EntryId::none}, 2, QStringLiteral("Dilate"),
                            [](const mask::Region& region, const mask::Rect& plane, const JobContext& context) {
                                return mask::morph(region, plane, mask::Morph::dilate, 1, mask::Element::square,
                                                   context);
                            });
        QTRY_COMPARE(count(mask, 2), 25);
        edits().undo();
        QCOMPARE(count(mask, 2), 9);
        QSignalSpy failed(&edits(), &EditSession::failed);
        edits().changeLabel({mask, 0, EntryId::none}, 2, QStringLiteral("Never"),
                            [](const mask::Region&, const mask::Rect&, const JobContext&) -> Result<mask::Region> {
                                return input_error("It cannot be done");
                            });
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed.at(0).at(0).toString().contains(QStringLiteral("It cannot be done")));
        QCOMPARE(count(mask, 2), 9);
    }
    void a_large_mask_is_made_ready_in_the_background() {
        session_ = std::make_unique<Session>();
        const auto mask = open(write(QStringLiteral("large_mask.npy"), *Tensor::zeros({4200, 4200}, DType::u8)));
        QVERIFY(edits().plane(mask, 0) == nullptr);
        QVERIFY(edits().reading(mask));
        QVERIFY(edits().problem(mask).contains(QStringLiteral("still being read")));
        QSignalSpy ready(session_.get(), &Session::dataChanged);
        QTRY_VERIFY(edits().plane(mask, 0) != nullptr);
        QVERIFY(ready.count() > 0);
        QVERIFY(edits().problem(mask).isEmpty());
        paint(mask, box(4000, 4000, 100, 100), 3);
        const std::array<std::int64_t, 2> at{4099, 4099};
        QCOMPARE(to_double(session_->tensor(mask)->at(at)), 3.0);
    }
    void a_failed_change_leaves_nothing() {
        const auto mask = openMask();
        QSignalSpy failed(&edits(), &EditSession::failed);
        edits().apply({mask, 0, EntryId::none}, QStringLiteral("relabel"), QStringLiteral("Half"),
                      [](mask::MaskEdit& edit) -> Result<void> {
                          edit.paint(mask::Region::of_rect({0, 0, 3, 3}), {mask::Cell{5}, false, {}});
                          return input_error("Stopped");
                      });
        QCOMPARE(failed.count(), 1);
        QCOMPARE(count(mask, 5), 0);
        QVERIFY(edits().history().steps().empty());
        QVERIFY(!edits().underWay());
    }
    void a_saved_mask_reads_back() {
        const auto mask = openMask();
        paint(mask, box(5, 6, 3, 4), 7);
        QVERIFY(edits().changed(mask));
        const auto path = folder_.filePath(QStringLiteral("out.npy"));
        QSignalSpy saved(&edits(), &EditSession::savedChanged);
        const auto done = edits().saveMask(mask, path, io::MaskFormat::npy);
        QVERIFY2(done.ok(), done ? "" : done.error().text().c_str());
        QVERIFY(saved.count() > 0);
        QVERIFY(!edits().changed(mask));
        edits().undo();
        QVERIFY(edits().changed(mask));  // now the file has more
        auto contents = io::open_file(path.toStdString());
        QVERIFY(contents.ok());
        const auto read = io::tensor_of(contents->items[0], {});
        QCOMPARE(read->shape(), (Shape{20, 30}));
        std::int64_t sevens = 0;
        for (std::int64_t row = 0; row < 20; ++row) {
            for (std::int64_t col = 0; col < 30; ++col) {
                const std::array<std::int64_t, 2> at{row, col};
                const bool in = row >= 5 && row < 8 && col >= 6 && col < 10;
                QCOMPARE(to_double(read->at(at)), in ? 7.0 : 0.0);
                sevens += in ? 1 : 0;
            }
        }
        QCOMPARE(sevens, 12);
    }
    void a_new_mask_lies_over_its_image() {
        session_ = std::make_unique<Session>();
        const auto image = open(write(QStringLiteral("photo.npy"), *Tensor::zeros({12, 16, 3}, DType::u8)));
        session_->setRole(image, document::Role::image);
        session_->show(image);
        const auto mask = edits().newMask(image, DType::u16, QStringLiteral("mine"));
        QVERIFY(mask != EntryId::none);
        QCOMPARE(session_->document().find(mask)->item.shape, (Shape{12, 16}));
        QCOMPARE(session_->overlay(image)->layers.back().mask, mask);
        QCOMPARE(session_->overlay(image)->active, 0);
        QVERIFY(edits().changed(mask));  // no file has it
        const auto other = edits().newMask(image, DType::boolean, QStringLiteral("mine"));
        QVERIFY(session_->document().find(other) != nullptr && session_->document().find(mask) != nullptr);
        paint(mask, box(0, 0, 2, 2), 1000);
        QCOMPARE(count(mask, 1000), 4);
    }
    void a_closed_file_takes_its_steps_along() {
        const auto mask = openMask();
        paint(mask, box(0, 0, 2, 2));
        session_->closeFile(QString::fromStdString(session_->document().find(mask)->path));
        QVERIFY(edits().history().steps().empty());
        QVERIFY(edits().plane(mask, 0) == nullptr);
        QVERIFY(!edits().problem(mask).isEmpty());
        QSignalSpy failed(&edits(), &EditSession::failed);
        QVERIFY(!edits().begin({mask, 0, EntryId::none}, QStringLiteral("Brush")));
        QCOMPARE(failed.count(), 1);
    }
    void what_a_lost_run_left_comes_back() {
        QTemporaryDir state;
        const auto mask = openMask();
        const auto path = QString::fromStdString(session_->document().find(mask)->path);
        edits().startJournal(state.path());
        QVERIFY2(edits().journalTrouble().isEmpty(), qPrintable(edits().journalTrouble()));
        paint(mask, box(1, 1, 2, 2), 3);
        paint(mask, box(10, 10, 4, 4), 5);
        edits().undo();
        const auto fresh = edits().newMask(mask, DType::u8, QStringLiteral("new"));
        paint(fresh, box(2, 2, 3, 3), 8);
        QVERIFY(edits().flush().ok());
        session_.reset();  // without discardJournal(): as if it had been killed

        session_ = std::make_unique<Session>();
        edits().startJournal(state.path());
        const auto left = edits().leftBehind();
        QCOMPARE(left.size(), std::size_t{1});
        const auto done = edits().recover(QString::fromStdString(left[0].path));
        QVERIFY2(done.ok(), done ? "" : done.error().text().c_str());
        QTRY_VERIFY(find(path) != EntryId::none);
        const auto back = find(path);
        QTRY_VERIFY(edits().history().steps().size() >= 2);
        QCOMPARE(count(back, 3), 4);
        QCOMPARE(count(back, 5), 0);
        QVERIFY(edits().changed(back));
        EntryId again = EntryId::none;
        for (const auto& entry : session_->document().entries()) {
            if (entry.name == "new") again = entry.id;
        }
        QVERIFY(again != EntryId::none);
        QCOMPARE(count(again, 8), 9);
        edits().undo();
        QCOMPARE(count(again, 8), 0);
        edits().undo();
        QCOMPARE(count(back, 3), 0);
        edits().jump(2);
        QCOMPARE(count(back, 3), 4);
        QCOMPARE(count(again, 8), 9);
    }
    void work_goes_on_after_a_recovery() {
        QTemporaryDir state;
        const auto mask = openMask();
        const auto path = QString::fromStdString(session_->document().find(mask)->path);
        edits().startJournal(state.path());
        paint(mask, box(1, 1, 2, 2), 3);
        paint(mask, box(10, 10, 4, 4), 5);
        QVERIFY(edits().flush().ok());
        const auto again = [&] {
            session_ = std::make_unique<Session>();
            edits().startJournal(state.path());
            const auto left = edits().leftBehind();
            QCOMPARE(left.size(), std::size_t{1});
            QVERIFY(edits().recover(QString::fromStdString(left[0].path)).ok());
            QTRY_VERIFY(edits().history().steps().size() >= 2);
        };
        session_.reset();
        again();
        edits().undo();
        paint(find(path), box(15, 0, 1, 7), 9);  // the undone step is forgotten
        QVERIFY(edits().flush().ok());
        session_.reset();
        again();
        QCOMPARE(edits().history().steps().size(), std::size_t{2});
        QCOMPARE(count(find(path), 3), 4);
        QCOMPARE(count(find(path), 5), 0);
        QCOMPARE(count(find(path), 9), 7);
        edits().jump(0);
        QCOMPARE(count(find(path), 3), 0);
        QCOMPARE(count(find(path), 9), 0);
    }
    void layers_come_back_as_they_lay() {
        QTemporaryDir state;
        session_ = std::make_unique<Session>();
        const auto path = write(QStringLiteral("lone_mask.npy"), *Tensor::zeros({12, 16}, DType::u8));
        const auto ground = open(path);
        session_->show(ground);
        edits().startJournal(state.path());
        const auto mask = edits().newMask(ground, DType::u8, QStringLiteral("mine"));
        paint(mask, box(0, 0, 2, 2), 7);
        session_->changeOverlay(ground, [](OverlayState& overlay) {
            overlay.opacity = 0.25;
            overlay.layers[0].visible = false;
            overlay.layers[1].locked_labels = {7, 9};
            overlay.layers[1].hatch = render::Hatch::falling;
        });
        QVERIFY(edits().flush().ok());
        session_.reset();

        session_ = std::make_unique<Session>();
        edits().startJournal(state.path());
        QVERIFY(edits().recover(QString::fromStdString(edits().leftBehind().at(0).path)).ok());
        QTRY_COMPARE(edits().history().steps().size(), std::size_t{1});
        const auto back = find(path);
        const auto* after = session_->overlay(back);
        QVERIFY(after != nullptr);
        QCOMPARE(after->layers.size(), std::size_t{2});
        QCOMPARE(after->layers[0].mask, back);
        QVERIFY(!after->layers[0].visible);
        QCOMPARE(after->layers[1].locked_labels, (std::set<std::int64_t>{7, 9}));
        QCOMPARE(after->layers[1].hatch, render::Hatch::falling);
        QCOMPARE(after->opacity, 0.25);
        QCOMPARE(after->active, 1);
        QCOMPARE(count(after->layers[1].mask, 7), 4);
    }
    void a_session_file_opens_where_it_was_left() {
        QTemporaryDir state;
        const auto mask = openMask();
        const auto path = QString::fromStdString(session_->document().find(mask)->path);
        edits().startJournal(state.path());
        paint(mask, box(1, 1, 2, 2), 3);
        const auto msk = folder_.filePath(QStringLiteral("work.msk"));
        QVERIFY(!edits().sessionSaved());
        const auto done = edits().saveSession(msk);
        QVERIFY2(done.ok(), done ? "" : done.error().text().c_str());
        QVERIFY(edits().sessionSaved());
        QCOMPARE(edits().sessionFile(), msk);
        edits().discardJournal();

        session_ = std::make_unique<Session>();
        edits().startJournal(state.path());
        QVERIFY(edits().leftBehind().empty());
        QVERIFY(edits().openSession(msk).ok());
        QTRY_COMPARE(edits().history().steps().size(), std::size_t{1});
        QCOMPARE(count(find(path), 3), 4);
        QCOMPARE(edits().sessionFile(), msk);
    }
};

QTEST_MAIN(EditSessionTest)
#include "edit_session_test.moc"
