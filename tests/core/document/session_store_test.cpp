// SPDX-License-Identifier: Apache-2.0
#include "core/document/session_store.h"

#include "tests/core/document/session_desk.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

using namespace maskscope;
using namespace maskscope::document;

namespace {

const SavedMask* mask_named(const SavedSession& session, const std::string& key) {
    for (const auto& mask : session.masks) {
        if (mask.key == key) return &mask;
    }
    return nullptr;
}

}  // namespace

class SessionStoreTest : public QObject {
    Q_OBJECT
private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }
    void cleanup() { folder_.reset(); }

    void everything_comes_back_after_a_crash() {
        Desk desk;
        const auto& coins = desk.add("/data/coins.npz", "coins", patterned({2, 150, 200}));
        const auto& soft = desk.add("/data/soft.npy", "", patterned({70, 71}, DType::f32));
        QVERIFY(desk.start(state()));
        desk.store->set_files({{"/data/coins.npz", 123, -4, ~0ULL, 7}, {"/data/soft.npy", 5, 6, 7, 8}});
        desk.store->set_setting("layers", "coins;soft");
        desk.store->set_setting("layers", "soft");
        desk.stroke(coins, 0, {10, 20, 100, 150}, 18, "Brush, label 18");
        desk.stroke(coins, 1, {140, 190, 50, 50}, 3, "Brush, label 3");
        desk.stroke(soft, 0, {60, 60, 2, 2}, 0x3f800000, "Brush");
        desk.stroke(coins, 0, {0, 0, 5, 5}, 1, "taken back");
        desk.edits.undo();
        QVERIFY(desk.store->flush());
        const auto journal = crashed_copy(state(), other());

        const auto left = SessionStore::left_behind(other());
        QCOMPARE(left.size(), 1U);
        QCOMPARE(left[0].step_count, 4);
        QCOMPARE(left[0].files, (std::vector<std::string>{"/data/coins.npz", "/data/soft.npy"}));
        QVERIFY(left[0].problem.empty() && left[0].msk.empty());
        QVERIFY(std::abs(left[0].saved_at - std::time(nullptr)) < 60);

        Desk again;
        QVERIFY(again.open(journal, other()));
        const auto& session = again.store->restored();
        QCOMPARE(session.position, 3U);
        QCOMPARE(session.steps.size(), 4U);
        QCOMPARE(session.steps[1].name, std::string("Brush, label 3"));
        QCOMPARE(session.steps[1].plane, 1);
        QCOMPARE(session.steps[3].name, std::string("taken back"));
        QCOMPARE(session.settings.at("layers"), std::string("soft"));
        QCOMPARE(session.files.size(), 2U);
        QCOMPARE(session.files[0].device, ~0ULL);
        QCOMPARE(session.files[0].mtime_ns, -4);
        const auto* mask = mask_named(session, "coins");
        QVERIFY(mask != nullptr && mask->changed);
        QCOMPARE(mask->shape, (Shape{2, 150, 200}));
        QVERIFY(cells_of(mask->planes.at(0)) == desk.cells(coins, 0));
        QVERIFY(cells_of(mask->planes.at(1)) == desk.cells(coins, 1));
        const auto* floats = mask_named(session, "");
        QVERIFY(floats != nullptr && floats->dtype == DType::f32);
        QVERIFY(cells_of(floats->planes.at(0)) == desk.cells(soft, 0));
        QVERIFY(!again.store->saved());
    }
    // All steps taken back one by one give the file's own cells.
    void the_deltas_lead_back_to_the_file() {
        Desk desk;
        const Tensor before = patterned({150, 200});
        const auto& coins = desk.add("coins.png", "", before);
        QVERIFY(desk.start(state()));
        for (int i = 0; i < 6; ++i) desk.stroke(coins, 0, {i * 20, i * 25, 40, 60}, 40 + i);
        QVERIFY(desk.store->flush());
        Desk again;
        QVERIFY(again.open(crashed_copy(state(), other()), other()));
        auto plane = again.store->restored().masks.at(0).planes.at(0);
        const auto& steps = again.store->restored().steps;
        for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
            mask::MaskDelta::parse(step->delta, plane)->undo(plane);
        }
        QVERIFY(std::memcmp(cells_of(plane).data(), before.data(), before.byte_size()) == 0);
    }
    void a_journal_goes_on_after_it_was_taken_over() {
        Desk desk;
        const auto& coins = desk.add("coins.png", "", patterned({150, 200}));
        QVERIFY(desk.start(state()));
        desk.stroke(coins, 0, {0, 0, 64, 64}, 40);
        desk.stroke(coins, 0, {64, 64, 64, 64}, 41);
        QVERIFY(desk.store->flush());
        const auto journal = crashed_copy(state(), other());
        Desk again;
        const auto& there = again.add("coins.png", "", patterned({150, 200}));
        QVERIFY(again.open(journal, other()));
        again.recover(there);
        again.edits.undo();  // the first of the two stands
        again.stroke(there, 0, {100, 100, 10, 10}, 42, "third");
        QVERIFY(again.store->flush());
        Desk last;
        QVERIFY(last.open(crashed_copy(other(), other() + "/2"), other() + "/2"));
        const auto& session = last.store->restored();
        QCOMPARE(session.steps.size(), 2U);
        QCOMPARE(session.steps[1].name, std::string("third"));
        QCOMPARE(session.masks[0].planes.at(0).at(105, 105).bits, 42U);
        QCOMPARE(session.masks[0].planes.at(0).at(5, 5).bits, 40U);
    }

    void the_stroke_in_hand_is_kept_as_unfinished() {
        Desk desk;
        const auto& coins = desk.add("coins.png", "", patterned({150, 200}));
        QVERIFY(desk.start(state()));
        desk.stroke(coins, 0, {0, 0, 9, 9}, 40, "first");
        desk.stroke(coins, 0, {9, 9, 9, 9}, 41, "second");
        desk.edits.undo();
        desk.begin(coins, 0, "Brush, label 42");
        desk.paint({20, 20, 30, 30}, 42);
        desk.edits.report();
        desk.paint({50, 50, 30, 30}, 42);
        desk.edits.report();
        QVERIFY(desk.store->flush());
        const auto painted = desk.cells(coins, 0);
        const auto journal = crashed_copy(state(), other());
        desk.edits.cancel();
        QVERIFY(desk.store->flush());
        const auto without = crashed_copy(state(), other() + "/without");

        QCOMPARE(SessionStore::left_behind(other()).at(0).step_count, 3);
        Desk again;
        QVERIFY(again.open(journal, other()));
        const auto& session = again.store->restored();
        QCOMPARE(session.steps.size(), 2U);  // the step that was undone went with the new stroke
        QCOMPARE(session.position, 2U);
        QCOMPARE(session.steps[1].name, std::string("Brush, label 42 (unfinished)"));
        QVERIFY(cells_of(session.masks[0].planes.at(0)) == painted);
        auto plane = session.masks[0].planes.at(0);
        mask::MaskDelta::parse(session.steps[1].delta, plane)->undo(plane);
        QVERIFY(cells_of(plane) == desk.cells(coins, 0));

        Desk cancelled;
        QVERIFY(cancelled.open(without, other() + "/without"));
        QCOMPARE(cancelled.store->restored().steps.size(), 2U);
        QCOMPARE(cancelled.store->restored().position, 1U);
    }
    void a_stroke_that_ended_is_not_unfinished_too() {
        Desk desk;
        const auto& coins = desk.add("coins.png", "", patterned({150, 200}));
        QVERIFY(desk.start(state()));
        desk.begin(coins, 0, "whole");
        desk.paint({20, 20, 30, 30}, 42);
        desk.edits.report();
        desk.edits.commit();
        QVERIFY(desk.store->flush());
        Desk again;
        QVERIFY(again.open(crashed_copy(state(), other()), other()));
        QCOMPARE(again.store->restored().steps.size(), 1U);
        QCOMPARE(again.store->restored().steps[0].name, std::string("whole"));
    }

    void a_living_journal_is_not_left_behind() {
        Desk desk;
        const auto& coins = desk.add("coins.png", "", patterned({150, 200}));
        QVERIFY(desk.start(state()));
        desk.stroke(coins, 0, {0, 0, 64, 64}, 40);
        QVERIFY(desk.store->flush());
        QVERIFY(SessionStore::left_behind(state()).empty());
        const auto journal = journal_in(state());
        const auto taken = SessionStore::open(journal, state(), desk.names());
        QVERIFY(!taken.ok());
        QCOMPARE(taken.error().text(), journal + ": this session is open in another window (process " +
                                           std::to_string(::getpid()) + "). Go on there");
        // Even when somebody took its lock away, the database itself is held.
        std::filesystem::remove(journal + ".lock");
        QVERIFY(SessionStore::left_behind(state()).empty());
        desk.close();
        QCOMPARE(SessionStore::left_behind(state()).size(), 1U);
    }
    void journals_without_edits_go() {
        Desk desk;
        desk.add("coins.png", "", patterned({150, 200}));
        QVERIFY(desk.start(state()));
        desk.store->set_files({{"coins.png", 1, 2, 3, 4}});
        desk.store->set_setting("view", "1");
        QVERIFY(desk.store->flush());
        const auto journal = crashed_copy(state(), other());
        write_file(other() + "/2-empty.journal", "");
        QVERIFY(SessionStore::left_behind(other()).empty());
        QVERIFY(std::filesystem::exists(journal));  // looking changes nothing
        Desk next;
        QVERIFY(next.start(other()));
        QVERIFY(!std::filesystem::exists(journal));
        QVERIFY(!std::filesystem::exists(other() + "/2-empty.journal"));
        next.close();
        QVERIFY(names_in(other()).empty());
    }
    void discard_takes_it_away() {
        Desk desk;
        const auto& coins = desk.add("coins.png", "", patterned({150, 200}));
        QVERIFY(desk.start(state()));
        desk.stroke(coins, 0, {0, 0, 64, 64}, 40);
        desk.store->discard();
        desk.stroke(coins, 0, {0, 0, 64, 64}, 41);  // heard by nobody, and harmless
        QVERIFY(!desk.store->flush());
        QVERIFY(names_in(state()).empty());
    }
    void masks_that_were_saved_or_closed_are_not_worth_a_journal() {
        Desk desk;
        const auto& coins = desk.add("coins.png", "", patterned({150, 200}));
        const auto& cells = desk.add("cells.png", "", patterned({64, 64}));
        QVERIFY(desk.start(state()));
        desk.stroke(coins, 0, {0, 0, 64, 64}, 40);
        desk.stroke(cells, 0, {0, 0, 8, 8}, 41);
        desk.store->mask_saved(coins.id);
        desk.store->mask_closed(cells.id);
        desk.edits.forget(cells.id);
        QVERIFY(desk.store->flush());
        crashed_copy(state(), other());
        QVERIFY(SessionStore::left_behind(other()).empty());
        desk.edits.undo();
        QVERIFY(desk.store->flush());
        std::filesystem::remove_all(other());
        const auto journal = crashed_copy(state(), other());
        QCOMPARE(SessionStore::left_behind(other()).size(), 1U);
        Desk again;
        QVERIFY(again.open(journal, other()));
        QCOMPARE(again.store->restored().masks.size(), 1U);
        QCOMPARE(again.store->restored().steps.size(), 1U);
        QCOMPARE(again.store->restored().masks[0].path, std::string("coins.png"));
    }
    // Closing a mask takes its steps out of the middle of the history, and opening it anew brings its file's cells.
    void a_mask_that_is_closed_and_opened_again_begins_anew() {
        Desk desk;
        const auto& coins = desk.add("coins.png", "", patterned({150, 200}));
        const auto& cells = desk.add("cells.png", "", patterned({64, 164}));
        QVERIFY(desk.start(state()));
        for (int i = 0; i < 3; ++i) {
            desk.stroke(coins, 0, {i * 9, 0, 64, 64}, 40 + i, "coins " + std::to_string(i));
            desk.stroke(cells, 0, {i * 9, 100, 8, 64}, 50 + i, "cells " + std::to_string(i));
        }
        desk.edits.forget(cells.id);
        desk.edits.undo();
        desk.stroke(cells, 0, {0, 0, 8, 8}, 60, "cells again");
        desk.stroke(coins, 0, {100, 100, 8, 8}, 61, "coins again");
        desk.edits.undo();
        QVERIFY(desk.store->flush());
        Desk again;
        QVERIFY(again.open(crashed_copy(state(), other()), other()));
        const auto& session = again.store->restored();
        QCOMPARE(session.position, 3U);
        std::vector<std::string> names;
        for (const auto& step : session.steps) names.push_back(step.name);
        QCOMPARE(names, (std::vector<std::string>{"coins 0", "coins 1", "cells again", "coins again"}));
        for (const auto& mask : session.masks) {
            const auto& entry = mask.path == "coins.png" ? coins : cells;
            QVERIFY(cells_of(mask.planes.at(0)) == desk.cells(entry, 0));
        }
    }
    // The history forgets its oldest steps beyond its bound; positions count from the oldest that is left.
    void the_journal_forgets_with_the_history() {
        Desk desk;
        const auto& coins = desk.add("coins.png", "", patterned({150, 200}));
        desk.edits.restore(History(20000));
        QVERIFY(desk.start(state()));
        for (int i = 0; i < 40; ++i) desk.stroke(coins, 0, {i, i, 20, 20}, 40 + i, "stroke " + std::to_string(i));
        QVERIFY(desk.edits.history().dropped() > 0);
        desk.edits.undo();
        desk.edits.undo();
        QVERIFY(desk.store->flush());
        Desk again;
        QVERIFY(again.open(crashed_copy(state(), other()), other()));
        const auto& session = again.store->restored();
        QCOMPARE(session.steps.size(), desk.edits.history().steps().size());
        QCOMPARE(session.position, desk.edits.history().position());
        QCOMPARE(session.steps.front().name, desk.edits.history().steps().front().name);
        QVERIFY(cells_of(session.masks[0].planes.at(0)) == desk.cells(coins, 0));
    }

    void a_change_is_on_the_disk_within_a_fifth_of_a_second() {
        Desk desk;
        const auto& coins = desk.add("coins.png", "", patterned({150, 200}));
        QVERIFY(desk.start(state()));
        desk.stroke(coins, 0, {0, 0, 64, 64}, 40);
        // No flush: the thread does it by itself. The bound of the test is what a busy machine needs.
        QTRY_COMPARE_WITH_TIMEOUT(steps_on_disk(), 1, 2000);
        desk.stroke(coins, 0, {0, 0, 64, 64}, 41);
        QTRY_COMPARE_WITH_TIMEOUT(steps_on_disk(), 2, 2000);
    }
    // A mask of many megabytes is written behind the strokes; until it is, the file stands in for it.
    void a_large_mask_does_not_hold_up_its_strokes() {
        const Tensor noise = patterned({3000, 3000}, DType::f32);
        const std::string file = other_file("noise.npy");
        const std::vector<io::NamedTensor> one = {{"", noise}};
        QVERIFY(io::save_file(file, one));
        Desk desk;
        const auto& large = desk.add(file, "", noise);
        QVERIFY(desk.start(state()));
        desk.store->set_files({*stamp_of(file)});
        desk.stroke(large, 0, {100, 100, 50, 50}, 0x3f800000);
        QTRY_COMPARE_WITH_TIMEOUT(steps_on_disk(), 1, 5000);
        const auto early = crashed_copy(state(), other() + "/early");
        QVERIFY(std::filesystem::file_size(early + "-wal") < 12'000'000);
        QVERIFY(desk.store->flush());
        const auto late = crashed_copy(state(), other() + "/late");

        Desk first;
        QVERIFY(first.open(early, other() + "/early"));
        QVERIFY(cells_of(first.store->restored().masks.at(0).planes.at(0)) == desk.cells(large, 0));
        std::filesystem::remove(file);
        Desk second;
        QVERIFY(second.open(late, other() + "/late"));
        QVERIFY(cells_of(second.store->restored().masks.at(0).planes.at(0)) == desk.cells(large, 0));
        QCOMPARE(second.store->restored().warnings,
                 (std::vector<std::string>{"noise.npy is not there any more: 1 mask of it was kept"}));
    }
    // A window that recovered a mask does not open it again for the journal.
    void another_plane_of_a_recovered_mask_can_be_painted() {
        const Tensor planes = patterned({3, 150, 200});
        const std::string file = other_file("planes.npy");
        const std::vector<io::NamedTensor> one = {{"", planes}};
        QVERIFY(io::save_file(file, one));
        Desk desk;
        const auto& entry = desk.add(file, "", planes);
        QVERIFY(desk.start(state()));
        desk.store->set_files({*stamp_of(file)});
        desk.stroke(entry, 0, {0, 0, 64, 64}, 40);
        QVERIFY(desk.store->flush());
        const auto journal = crashed_copy(state(), other());
        desk.close();
        QVERIFY(desk.open(journal, other()));
        desk.recover(entry);
        static_cast<void>(desk.edits.begin(entry, 2, "brush", "on the third"));
        desk.paint({100, 100, 30, 30}, 41);
        desk.edits.commit();
        const auto flushed = desk.store->flush();
        QVERIFY2(flushed.ok(), flushed ? "" : flushed.error().text().c_str());
        std::filesystem::remove(file);
        Desk again;
        QVERIFY(again.open(crashed_copy(other(), other() + "/2"), other() + "/2"));
        const auto& mask = again.store->restored().masks.at(0);
        QCOMPARE(mask.planes.size(), 2U);
        QVERIFY(cells_of(mask.planes.at(0)) == desk.cells(entry, 0));
        QVERIFY(cells_of(mask.planes.at(2)) == desk.cells(entry, 2));
    }
    void a_file_that_changed_is_told() {
        const std::string file = other_file("coins.png");
        write_file(file, "what it was");
        Desk desk;
        const auto& coins = desk.add(file, "", patterned({150, 200}));
        QVERIFY(desk.start(state()));
        desk.store->set_files({*stamp_of(file)});
        desk.stroke(coins, 0, {0, 0, 64, 64}, 40);
        QVERIFY(desk.store->flush());
        const auto journal = crashed_copy(state(), other());
        write_file(file, "something else altogether");
        Desk again;
        QVERIFY(again.open(journal, other()));
        QCOMPARE(again.store->restored().warnings,
                 (std::vector<std::string>{"coins.png has changed since: 1 mask of it was kept"}));
        QVERIFY(cells_of(again.store->restored().masks[0].planes.at(0)) == desk.cells(coins, 0));
    }
    void the_state_folder_follows_the_standard() {
        qputenv("XDG_STATE_HOME", "/some/where");
        QCOMPARE(SessionStore::state_folder(), std::string("/some/where/maskscope"));
        qputenv("XDG_STATE_HOME", "not/absolute");
        qputenv("HOME", "/home/somebody");
        QCOMPARE(SessionStore::state_folder(), std::string("/home/somebody/.local/state/maskscope"));
        qunsetenv("XDG_STATE_HOME");
        QCOMPARE(SessionStore::state_folder(), std::string("/home/somebody/.local/state/maskscope"));
    }

private:
    std::string state() const { return folder_->path().toStdString() + "/state"; }
    std::string other() const { return folder_->path().toStdString() + "/other"; }
    std::string other_file(const std::string& name) const {
        std::filesystem::create_directories(other());
        return other() + "/" + name;
    }
    static std::string journal_in(const std::string& folder) {
        for (const auto& name : names_in(folder)) {
            if (name.ends_with(".journal")) return folder + "/" + name;
        }
        return {};
    }
    // As another window would see it after a crash.
    int steps_on_disk() const {
        const std::string folder = other() + "/look";
        std::filesystem::remove_all(folder);
        crashed_copy(state(), folder);
        const auto left = SessionStore::left_behind(folder);
        return left.empty() ? 0 : static_cast<int>(left[0].step_count);
    }
    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_APPLESS_MAIN(SessionStoreTest)
#include "session_store_test.moc"
