// SPDX-License-Identifier: Apache-2.0
#include "core/document/edits.h"

#include <QTest>

#include <utility>

using namespace maskscope;
using namespace maskscope::document;
using mask::Cell;
using mask::Rect;
using mask::Region;

namespace {

Entry entry(std::uint32_t id, const Shape& shape = {2, 100, 100}) {
    Entry out;
    out.id = EntryId{id};
    out.item.tensor = *Tensor::zeros(shape, DType::u8);
    return out;
}

class Recorder : public EditListener {
public:
    void stepped(const Step& step) override { heard_ << "stepped " + QString::fromStdString(step.name); }
    void moved(std::size_t position) override { heard_ << "moved " + QString::number(position); }
    void under_way(const Step& step) override {
        heard_ << QString("under way %1, %2 cells").arg(QString::fromStdString(step.name)).arg(step.delta.changed);
    }
    void put_aside() override { heard_ << "put aside"; }
    QStringList take() { return std::exchange(heard_, {}); }

private:
    QStringList heard_;
};

const Step* paint(Edits& edits, const Entry& entry, std::int64_t plane, const Rect& rect, std::uint64_t value,
                  const std::string& name = "stroke") {
    auto edit = edits.begin(entry, plane, "brush", name);
    (*edit)->paint(Region::of_rect(rect), {Cell{value}, false, {}});
    return edits.commit();
}

double value(const Edits& edits, EntryId id, std::int64_t plane, std::int64_t row, std::int64_t col) {
    return edits.find(id)->find(plane)->value_at(row, col);
}

}  // namespace

class EditsTest : public QObject {
    Q_OBJECT
private slots:
    void a_mask_is_opened_once() {
        Edits edits;
        const Entry one = entry(1);
        QVERIFY(edits.find(one.id) == nullptr);
        auto* mask = *edits.open(one);
        QCOMPARE(*edits.open(one), mask);
        QCOMPARE(static_cast<const mask::EditableMask*>(mask), edits.find(one.id));
        Entry unloaded;
        unloaded.id = EntryId{2};
        QVERIFY(!edits.open(unloaded));
        QVERIFY(!edits.begin(unloaded, 0, "brush", "stroke"));
        QVERIFY(edits.current() == nullptr);
    }

    void a_stroke_is_a_named_step() {
        Edits edits;
        const Entry one = entry(1);
        const Step* step = paint(edits, one, 1, {3, 4, 5, 6}, 18, "Brush, label 18");
        QVERIFY(step != nullptr && step == &edits.history().steps().back());
        QCOMPARE(step->name, std::string("Brush, label 18"));
        QCOMPARE(step->tool, std::string("brush"));
        QVERIFY(step->entry == one.id && step->plane == 1);
        QCOMPARE(step->delta.changed, std::int64_t{30});
        QCOMPARE(value(edits, one.id, 1, 3, 4), 18.0);
        QVERIFY(edits.find(one.id)->find(0) == nullptr);
        QVERIFY(edits.current() == nullptr);
    }

    void one_stroke_at_a_time() {
        Edits edits;
        const Entry one = entry(1);
        QVERIFY(edits.begin(one, 0, "brush", "first").ok());
        QCOMPARE(QString::fromStdString(edits.begin(one, 1, "brush", "second").error().text()),
                 QString("\"first\" is still under way; finish or cancel it first"));
        QVERIFY(edits.current() != nullptr);
        edits.cancel();
        QVERIFY(edits.begin(one, 1, "brush", "second").ok());
        QVERIFY(!edits.begin(one, 2, "brush", "third"));
        edits.cancel();
        QVERIFY(!edits.begin(one, 2, "brush", "no such plane"));
        QVERIFY(edits.current() == nullptr);
    }

    void a_cancelled_stroke_leaves_nothing_but_cells_to_draw() {
        Edits edits;
        const Entry one = entry(1);
        auto* edit = *edits.begin(one, 1, "brush", "stroke");
        edit->paint(Region::of_rect({10, 10, 5, 5}), {Cell{1}, false, {}});
        edit->take_dirty();
        edit->paint(Region::of_rect({20, 20, 5, 5}), {Cell{1}, false, {}});
        const Touched touched = edits.cancel();
        QVERIFY(touched.entry == one.id && touched.plane == 1);
        QVERIFY((touched.rect == Rect{10, 10, 15, 15}));
        QCOMPARE(value(edits, one.id, 1, 12, 12), 0.0);
        QVERIFY(edits.history().steps().empty());
        QVERIFY(edits.cancel().rect.empty());
        QVERIFY(edits.commit() == nullptr);
    }

    void undo_and_redo_tell_what_to_draw() {
        Edits edits;
        const Entry one = entry(1);
        paint(edits, one, 0, {0, 0, 2, 2}, 1);
        paint(edits, one, 1, {5, 5, 2, 2}, 2);
        auto touched = edits.undo();
        QCOMPARE(touched.size(), std::size_t{1});
        QVERIFY(touched[0].entry == one.id && touched[0].plane == 1 && (touched[0].rect == Rect{5, 5, 2, 2}));
        QCOMPARE(value(edits, one.id, 1, 5, 5), 0.0);
        QCOMPARE(value(edits, one.id, 0, 0, 0), 1.0);
        touched = edits.redo();
        QVERIFY(touched.size() == 1 && (touched[0].rect == Rect{5, 5, 2, 2}));
        QCOMPARE(value(edits, one.id, 1, 5, 5), 2.0);
        QVERIFY(edits.redo().empty());
        edits.undo();
        edits.undo();
        QVERIFY(edits.undo().empty());
    }

    void nothing_is_undone_under_a_stroke() {
        Edits edits;
        const Entry one = entry(1);
        paint(edits, one, 0, {0, 0, 2, 2}, 1);
        (*edits.begin(one, 0, "brush", "stroke"))->paint(Region::of_rect({1, 1, 1, 1}), {Cell{7}, false, {}});
        QVERIFY(edits.undo().empty());
        QVERIFY(edits.jump(0).empty());
        QCOMPARE(edits.history().position(), std::size_t{1});
        QVERIFY(edits.commit() != nullptr);
        QCOMPARE(value(edits, one.id, 0, 1, 1), 7.0);
    }

    void jumps_go_over_several_steps_and_masks() {
        Edits edits;
        const Entry one = entry(1);
        const Entry two = entry(2);
        paint(edits, one, 0, {0, 0, 1, 1}, 1);
        paint(edits, two, 0, {0, 0, 1, 1}, 2);
        paint(edits, one, 0, {9, 9, 1, 1}, 3);
        auto touched = edits.jump(0);
        QCOMPARE(touched.size(), std::size_t{2});
        QVERIFY(touched[0].entry == one.id && (touched[0].rect == Rect{0, 0, 10, 10}));
        QVERIFY(touched[1].entry == two.id);
        QCOMPARE(value(edits, one.id, 0, 9, 9), 0.0);
        QCOMPARE(value(edits, two.id, 0, 0, 0), 0.0);
        QVERIFY(edits.jump(0).empty());
        QCOMPARE(edits.jump(99).size(), std::size_t{2});
        QCOMPARE(edits.history().position(), std::size_t{3});
        QCOMPARE(value(edits, one.id, 0, 9, 9), 3.0);
    }

    void changed_is_told_against_what_was_saved() {
        Edits edits;
        const Entry one = entry(1);
        const Entry two = entry(2);
        QVERIFY(!edits.changed(one.id));
        paint(edits, one, 0, {0, 0, 1, 1}, 1);
        QVERIFY(edits.changed(one.id));
        QVERIFY(!edits.changed(two.id));
        edits.undo();
        QVERIFY(!edits.changed(one.id));
        edits.redo();
        edits.saved(one.id);
        QVERIFY(!edits.changed(one.id));
        paint(edits, two, 0, {0, 0, 1, 1}, 1);
        QVERIFY(!edits.changed(one.id) && edits.changed(two.id));
        paint(edits, one, 0, {5, 5, 1, 1}, 1);
        QVERIFY(edits.changed(one.id));
        edits.undo();
        QVERIFY(!edits.changed(one.id));
        edits.undo();
        edits.undo();
        QVERIFY(edits.changed(one.id));  // before what was saved
        QVERIFY(!edits.changed(two.id));
        // What was saved can no longer be reached.
        paint(edits, one, 0, {7, 7, 1, 1}, 1);
        QVERIFY(edits.changed(one.id));
        edits.undo();
        QVERIFY(edits.changed(one.id));
        edits.differs(two.id);
        QVERIFY(edits.changed(two.id));
        edits.saved(two.id);
        QVERIFY(!edits.changed(two.id));
    }

    void the_listener_hears_all_that_a_journal_needs() {
        Edits edits;
        Recorder recorder;
        edits.set_listener(&recorder);
        const Entry one = entry(1);
        edits.report();
        QVERIFY(recorder.take().isEmpty());
        auto* edit = *edits.begin(one, 0, "brush", "a");
        edit->paint(Region::of_rect({0, 0, 2, 2}), {Cell{1}, false, {}});
        edits.report();
        edit->paint(Region::of_rect({0, 0, 2, 3}), {Cell{1}, false, {}});
        edits.report();
        edits.commit();
        QCOMPARE(recorder.take(), QStringList({"under way a, 4 cells", "under way a, 6 cells", "stepped a"}));
        edit = *edits.begin(one, 0, "line", "b");
        edit->paint(Region::of_rect({50, 50, 2, 2}), {Cell{1}, false, {}});
        edits.report();
        edit->restart();
        edits.report();
        edits.cancel();
        QCOMPARE(recorder.take(), QStringList({"under way b, 4 cells", "put aside", "put aside"}));
        paint(edits, one, 0, {0, 0, 2, 2}, 1);
        QCOMPARE(recorder.take(), QStringList({"put aside"}));
        paint(edits, one, 0, {0, 0, 2, 2}, 2, "c");
        edits.undo();
        edits.redo();
        edits.redo();
        edits.jump(0);
        QCOMPARE(recorder.take(), QStringList({"stepped c", "moved 1", "moved 2", "moved 0"}));
    }

    void a_closed_entry_takes_its_steps_and_its_stroke_along() {
        Edits edits;
        const Entry one = entry(1);
        const Entry two = entry(2);
        paint(edits, one, 0, {0, 0, 1, 1}, 1);
        paint(edits, two, 0, {0, 0, 1, 1}, 1);
        QVERIFY(edits.begin(one, 0, "brush", "stroke").ok());
        edits.forget(one.id);
        QVERIFY(edits.current() == nullptr);
        QVERIFY(edits.find(one.id) == nullptr);
        QVERIFY(!edits.changed(one.id));
        QCOMPARE(edits.history().steps().size(), std::size_t{1});
        QCOMPARE(edits.undo().size(), std::size_t{1});
        QVERIFY(edits.undo().empty());
    }

    void a_recovered_history_goes_on() {
        Edits before;
        const Entry one = entry(1);
        paint(before, one, 0, {0, 0, 1, 1}, 1);
        paint(before, one, 0, {5, 5, 1, 1}, 2);
        Entry recovered = entry(7);
        recovered.item.tensor.writable_as<std::uint8_t>()[0] = 1;
        History history;
        for (Step step : before.history().steps()) {
            step.entry = recovered.id;
            history.push(std::move(step));
        }
        history.undo();
        Edits edits;
        edits.restore(std::move(history));
        QVERIFY(edits.undo().empty());  // the mask is not open yet
        QVERIFY(edits.open(recovered).ok());
        QVERIFY(edits.changed(recovered.id));
        QCOMPARE(edits.redo().size(), std::size_t{1});
        QCOMPARE(value(edits, recovered.id, 0, 5, 5), 2.0);
        QCOMPARE(value(edits, recovered.id, 0, 0, 0), 1.0);
        edits.jump(0);
        QCOMPARE(value(edits, recovered.id, 0, 0, 0), 0.0);
        QVERIFY(!edits.changed(recovered.id));
    }
};

QTEST_APPLESS_MAIN(EditsTest)
#include "edits_test.moc"
