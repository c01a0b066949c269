// SPDX-License-Identifier: Apache-2.0
#include "core/document/history.h"

#include "core/mask/brush.h"
#include "core/mask/mask_edit.h"

#include <QTest>

#include <random>

using namespace maskscope;
using namespace maskscope::document;

namespace {

constexpr EntryId kOne{1};
constexpr EntryId kTwo{2};

Step step(const std::string& name, EntryId entry = kOne, std::size_t packed = 0) {
    Step out;
    out.tool = "brush";
    out.name = name;
    out.entry = entry;
    if (packed > 0) out.delta.tiles.push_back({0, {}, std::vector<std::byte>(packed)});
    return out;
}

QStringList names(const History& history) {
    QStringList out;
    for (const auto& one : history.steps()) out << QString::fromStdString(one.name);
    return out;
}

}  // namespace

class HistoryTest : public QObject {
    Q_OBJECT
private slots:
    void steps_are_taken_back_and_done_again_in_order() {
        History history;
        QVERIFY(history.undo() == nullptr);
        QVERIFY(history.redo() == nullptr);
        for (const auto* name : {"a", "b", "c"}) history.push(step(name));
        QCOMPARE(history.position(), std::size_t{3});
        QCOMPARE(history.undo()->name, std::string("c"));
        QCOMPARE(history.undo()->name, std::string("b"));
        QCOMPARE(history.redo()->name, std::string("b"));
        QCOMPARE(history.position(), std::size_t{2});
        QCOMPARE(names(history), QStringList({"a", "b", "c"}));
    }

    void a_new_step_forgets_those_that_were_undone() {
        History history;
        for (const auto* name : {"a", "b", "c"}) history.push(step(name));
        history.undo();
        history.undo();
        history.push(step("d"));
        QCOMPARE(names(history), QStringList({"a", "d"}));
        QVERIFY(history.redo() == nullptr);
        QCOMPARE(history.dropped(), std::int64_t{0});
    }

    void the_oldest_go_when_the_bound_is_reached() {
        History history(10000);
        for (int i = 0; i < 20; ++i) history.push(step(std::to_string(i), kOne, 2000));
        QVERIFY(history.bytes() <= 10000);
        QVERIFY(history.steps().size() >= 3 && history.steps().size() <= 5);
        QCOMPARE(history.dropped(), static_cast<std::int64_t>(20 - history.steps().size()));
        QCOMPARE(history.steps().back().name, std::string("19"));
        QCOMPARE(history.position(), history.steps().size());
        // The newest step can be taken back, however large it is.
        history.push(step("huge", kOne, 50000));
        QCOMPARE(names(history), QStringList({"huge"}));
        QCOMPARE(history.undo()->name, std::string("huge"));
        history.push(step("small"));
        QVERIFY(history.bytes() < 1000);
    }

    void memory_is_counted_there_and_back() {
        History history;
        for (int i = 0; i < 5; ++i) history.push(step("a", i % 2 == 0 ? kOne : kTwo, 100));
        const auto full = history.bytes();
        QVERIFY(full > 500);
        history.forget(kOne);
        history.forget(kTwo);
        QCOMPARE(history.bytes(), std::size_t{0});
        QCOMPARE(history.position(), std::size_t{0});
    }

    void steps_of_a_closed_entry_go_and_the_position_stays_between_the_others() {
        History history;
        for (const auto& [name, entry] : {std::pair{"a", kOne}, {"b", kTwo}, {"c", kOne}, {"d", kTwo}, {"e", kOne}})
            history.push(step(name, entry));
        history.undo();
        history.undo();
        history.forget(kOne);
        QCOMPARE(names(history), QStringList({"b", "d"}));
        QCOMPARE(history.position(), std::size_t{1});
        QCOMPARE(history.redo()->name, std::string("d"));
    }

    void the_state_is_that_of_the_newest_standing_step() {
        History history(10000);
        QCOMPARE(history.state_of(kOne), std::uint64_t{0});
        history.push(step("a", kOne));
        const auto first = history.state_of(kOne);
        history.push(step("b", kTwo));
        QCOMPARE(history.state_of(kOne), first);
        history.push(step("c", kOne));
        QVERIFY(history.state_of(kOne) != first);
        history.undo();
        QCOMPARE(history.state_of(kOne), first);
        history.undo();
        history.undo();
        QCOMPARE(history.state_of(kOne), std::uint64_t{0});
        history.push(step("d", kOne));
        QVERIFY(history.state_of(kOne) != first);
        // A step that was dropped still stands.
        const auto dropped = history.state_of(kOne);
        for (int i = 0; i < 20; ++i) history.push(step("e", kTwo, 2000));
        QCOMPARE(history.state_of(kOne), dropped);
    }

    void a_thousand_strokes_on_a_large_mask_fit() {
        std::mt19937 random(43);
        std::uniform_real_distribution<double> place(0, 16384);
        std::uniform_real_distribution<double> way(-400, 400);
        mask::Plane plane(16384, 16384, DType::u8);
        History history;
        for (int i = 0; i < 1000; ++i) {
            mask::MaskEdit edit(plane);
            mask::Position at{place(random), place(random)};
            const mask::Brush brush{mask::BrushShape::round, 20 + i % 100};
            for (int move = 0; move < 4; ++move) {
                const mask::Position next{at.x + way(random), at.y + way(random)};
                edit.paint(mask::stroke(brush, at, next),
                           {mask::Cell{static_cast<std::uint64_t>(1 + i % 200)}, false, {}});
                at = next;
            }
            Step one = step("stroke " + std::to_string(i));
            one.delta = edit.commit();
            history.push(std::move(one));
        }
        QCOMPARE(history.steps().size(), std::size_t{1000});
        QCOMPARE(history.dropped(), std::int64_t{0});
        QVERIFY(history.bytes() <= history.byte_limit());
        qInfo("%.1f MiB", static_cast<double>(history.bytes()) / (1 << 20));
        const mask::Plane painted = plane;
        while (const Step* one = history.undo()) one->delta.undo(plane);
        QVERIFY(plane.where_not_zero().empty());
        while (const Step* one = history.redo()) one->delta.redo(plane);
        for (int i = 0; i < 2000; ++i) {
            const auto row = static_cast<std::int64_t>(place(random)) % 16384;
            const auto col = static_cast<std::int64_t>(place(random)) % 16384;
            QVERIFY(plane.at(row, col) == painted.at(row, col));
        }
        QVERIFY(plane.where_not_zero() == painted.where_not_zero());
    }
};

QTEST_APPLESS_MAIN(HistoryTest)
#include "history_test.moc"
