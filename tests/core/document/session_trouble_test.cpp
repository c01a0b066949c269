// SPDX-License-Identifier: Apache-2.0
// A full disk, a folder that cannot be written, a journal that others remove or cut off: edits go on, it is said, and
// what can be put right is.
#include "tests/core/document/session_desk.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <random>

using namespace maskscope;
using namespace maskscope::document;

namespace {

namespace fs = std::filesystem;

// No file of this process grows beyond it, as on a disk that is full.
class SizeLimit {
public:
    explicit SizeLimit(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit now{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &now);
    }
    ~SizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

private:
    rlimit before_{};
};

}  // namespace

class SessionTroubleTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        desk_ = std::make_unique<Desk>();
        entry_ = desk_->add("noise.npy", "", patterned({300, 400}));
    }
    void cleanup() {
        desk_.reset();
        folder_.reset();
    }

    void a_folder_that_cannot_be_made_is_told_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("below /proc") << "/proc/maskscope/state"
                                     << "/proc/maskscope/state: cannot make the folder of the journal: No such file or "
                                        "directory";
        QTest::newRow("below a file") << "/etc/hostname/state"
                                      << "/etc/hostname/state: cannot make the folder of the journal: Not a directory";
        QTest::newRow("no home") << ""
                                 << "there is no folder for the journal: set HOME or XDG_STATE_HOME";
    }
    void a_folder_that_cannot_be_made_is_told() {
        QFETCH(QString, folder);
        QFETCH(QString, sentence);
        const auto started = desk_->start(folder.toStdString());
        QVERIFY(!started);
        QCOMPARE(QString::fromStdString(started.error().text()), sentence);
        QVERIFY(SessionStore::left_behind(folder.toStdString()).empty());
    }
    void a_folder_that_takes_no_file_is_told() {
        const auto started = desk_->start("/proc/self");
        QVERIFY(!started);
        QVERIFY(started.error().text().starts_with("/proc/"));
    }

    void a_full_disk_is_told_and_tried_again() {
        QVERIFY(desk_->start(state()));
        stroke("before");
        QVERIFY(desk_->store->flush());
        QVERIFY(!desk_->store->trouble());
        {
            const SizeLimit limit(fs::file_size(journal() + "-wal") + 10000);
            for (int i = 0; i < 8; ++i) stroke("on the full disk");
            const auto flushed = desk_->store->flush();
            QVERIFY(!flushed);
            const auto trouble = desk_->store->trouble();
            QVERIFY(trouble.has_value());
            QCOMPARE(trouble->text(),
                     journal() +
                         ": the last edits are not in the journal: no space is left, or a limit on the size of "
                         "files is reached. They are kept in memory and written as soon as it can be; save what "
                         "you need");
            // What stood before stands.
            QCOMPARE(recovered().steps.at(0).name, std::string("before"));
            stroke("still painting");
        }
        // The next change tries again, and all of them are there.
        stroke("after");
        QTRY_VERIFY_WITH_TIMEOUT(!desk_->store->trouble(), 5000);
        QVERIFY(desk_->store->flush());
        everything_is_there(11);
    }
    void it_is_tried_again_without_a_change_too() {
        QVERIFY(desk_->start(state()));
        stroke("before");
        QVERIFY(desk_->store->flush());
        {
            const SizeLimit limit(fs::file_size(journal() + "-wal") + 5000);
            for (int i = 0; i < 8; ++i) stroke("on the full disk");
            QVERIFY(!desk_->store->flush());
        }
        QTRY_VERIFY_WITH_TIMEOUT(!desk_->store->trouble(), 8000);
        everything_is_there(9);
    }
    void a_save_on_a_full_disk_leaves_the_old_file() {
        const auto msk = folder_->path().toStdString() + "/a.msk";
        QVERIFY(desk_->start(state()));
        stroke("first");
        QVERIFY(desk_->store->save(msk));
        const auto before = bytes_of_file(msk);
        for (int i = 0; i < 5; ++i) stroke("more");
        QVERIFY(desk_->store->flush());
        {
            const SizeLimit limit(before.size() / 2);
            const auto saved = desk_->store->save(msk);
            QVERIFY(!saved);
            QCOMPARE(saved.error().text(), msk + ": no space is left, or a limit on the size of files is reached");
        }
        QVERIFY(bytes_of_file(msk) == before);
        QVERIFY(!desk_->store->saved());
        QCOMPARE(names_in(folder_->path().toStdString()).size(), 2U);  // the old file and the state, nothing half-made
        QVERIFY(desk_->store->save(msk));
        QVERIFY(bytes_of_file(msk) != before);
    }
    // The journal's disk is full, the .msk goes elsewhere.
    void a_session_in_trouble_can_be_saved() {
        const auto msk = folder_->path().toStdString() + "/a.msk";
        QVERIFY(desk_->start(state()));
        stroke("first");
        QVERIFY(desk_->store->flush());
        lose_folder();
        stroke("second");
        QVERIFY(!desk_->store->flush());
        QVERIFY(desk_->store->save(msk));
        const auto painted = desk_->cells(entry_, 0);
        desk_->close();
        Desk again;
        QVERIFY(again.open(msk, folder_->path().toStdString() + "/new state"));
        QCOMPARE(again.store->restored().steps.size(), 2U);
        QVERIFY(cells_of(again.store->restored().masks.at(0).planes.at(0)) == painted);
    }

    void a_journal_that_others_spoil_is_written_anew_data() {
        QTest::addColumn<QString>("how");
        for (const char* how : {"remove", "remove all", "remove the log", "remove the folder", "cut off",
                                "cut off the log", "cut off both", "replace"}) {
            QTest::newRow(how) << how;
        }
    }
    void a_journal_that_others_spoil_is_written_anew() {
        QFETCH(QString, how);
        QVERIFY(desk_->start(state()));
        for (int i = 0; i < 5; ++i) stroke("before");
        desk_->edits.undo();
        desk_->store->set_setting("zoom", "2");
        desk_->store->set_files({{"noise.npy", 1, 2, 3, 4}});
        QVERIFY(desk_->store->flush());
        const auto file = journal();
        if (how == "remove the folder") fs::remove_all(state());
        if (how == "remove" || how == "remove all") fs::remove(file);
        if (how == "remove the log" || how == "remove all") fs::remove(file + "-wal");
        if (how == "remove all") fs::remove(file + ".lock");
        if (how.startsWith("cut off") && how != "cut off the log") fs::resize_file(file, 100);
        if (how == "cut off the log" || how == "cut off both") fs::resize_file(file + "-wal", 3000);
        if (how == "replace") {
            fs::remove(file);
            write_file(file, std::string(100000, 'x'));
        }
        stroke("after");
        desk_->store->moved(2);
        desk_->edits.jump(2);
        QVERIFY(desk_->store->flush());
        const auto told = desk_->store->trouble();
        QVERIFY(told.has_value());
        QCOMPARE(told->text(), journal() + ": another program has removed or changed the journal; it was written anew");
        QVERIFY(journal() != file);
        everything_is_there(5);
        // Told once; the next stroke that is kept ends it.
        stroke("later");
        QVERIFY(desk_->store->flush());
        QVERIFY(!desk_->store->trouble());
        everything_is_there(3);
    }
    void an_idle_journal_is_looked_after_too() {
        QVERIFY(desk_->start(state()));
        stroke("before");
        QVERIFY(desk_->store->flush());
        const auto file = journal();
        fs::remove(file);
        QTRY_VERIFY_WITH_TIMEOUT(!journal().empty() && journal() != file, 8000);
        QTRY_VERIFY_WITH_TIMEOUT(desk_->store->trouble().has_value(), 3000);
        everything_is_there(1);
    }
    void a_folder_that_is_gone_for_good_is_told_until_it_is_back() {
        QVERIFY(desk_->start(state()));
        stroke("before");
        QVERIFY(desk_->store->flush());
        lose_folder();
        stroke("meanwhile");
        QVERIFY(!desk_->store->flush());
        const auto trouble = desk_->store->trouble();
        QVERIFY(trouble.has_value());
        QCOMPARE(trouble->text(), state() +
                                      ": the last edits are not in the journal: cannot make the folder of the "
                                      "journal: Not a directory. They are kept in memory and written as soon as it "
                                      "can be; save what you need");
        fs::remove(state());
        stroke("after");
        QVERIFY(desk_->store->flush());
        everything_is_there(3);
    }
    void a_journal_that_cannot_be_read_is_listed_and_kept() {
        fs::create_directories(state());
        write_file(state() + "/1-garbage.journal", std::string(5000, 'x'));
        const auto left = SessionStore::left_behind(state());
        QCOMPARE(left.size(), 1U);
        QCOMPARE(left[0].problem, std::string("the file is damaged"));
        QVERIFY(desk_->start(state()));
        QVERIFY(fs::exists(state() + "/1-garbage.journal"));
        const auto opened = Desk().open(left[0].path, state());
        QVERIFY(!opened);
        QCOMPARE(opened.error().text(), left[0].path + ": the file is damaged");
        QCOMPARE(bytes_of_file(left[0].path), std::string(5000, 'x'));
        QVERIFY(!Desk().open(state() + "/none.journal", state()));
        QVERIFY(!Desk().open(state() + "/none.msk", state()));
    }
    void a_mask_that_was_not_opened_is_told() {
        QVERIFY(desk_->start(state()));
        static_cast<void>(desk_->edits.begin(entry_, 0, "brush", "unheard"));
        desk_->paint({0, 0, 9, 9}, 5);
        desk_->edits.commit();
        QVERIFY(!desk_->store->flush());
        QVERIFY(desk_->store->trouble()->text().starts_with("an edit could not be journalled: "));
    }

private:
    std::string state() const { return folder_->path().toStdString() + "/state"; }
    std::string journal() const {
        if (!fs::is_directory(state())) return {};
        std::string newest;
        for (const auto& name : names_in(state())) {
            const auto path = state() + "/" + name;
            // What somebody put in its place is not held.
            if (name.ends_with(".journal") && fs::exists(path + ".lock")) newest = path;
        }
        return newest;
    }
    // Cells that do not pack, so that each stroke takes room.
    void stroke(const std::string& name) {
        static std::mt19937 random(1);
        desk_->begin(entry_, 0, name);
        std::vector<std::byte> cells(64 * 64);
        for (auto& cell : cells) cell = static_cast<std::byte>(random());
        desk_->edits.current()->write_rect({64, 64, 64, 64}, cells.data(), 64);
        desk_->edits.commit();
    }
    void lose_folder() {
        fs::remove_all(state());
        write_file(state(), "a file stands here now");
    }
    const SavedSession& recovered() {
        fs::remove_all(state() + "/left");
        left_ = std::make_unique<Desk>();
        const auto from = journal();
        fs::create_directories(state() + "/left");
        for (const char* ending : {"", "-wal"}) {
            fs::copy_file(from + ending, state() + "/left/1-left.journal" + ending);
        }
        if (const auto opened = left_->open(state() + "/left/1-left.journal", state() + "/left"); !opened) {
            qFatal("%s", opened.error().text().c_str());
        }
        return left_->store->restored();
    }
    void everything_is_there(std::size_t steps) {
        const auto& session = recovered();
        QCOMPARE(session.steps.size(), steps);
        QCOMPARE(session.position, desk_->edits.history().position());
        QVERIFY(cells_of(session.masks.at(0).planes.at(0)) == desk_->cells(entry_, 0));
        left_.reset();
        fs::remove_all(state() + "/left");
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Desk> desk_;
    std::unique_ptr<Desk> left_;
    Entry entry_;
};

QTEST_APPLESS_MAIN(SessionTroubleTest)
#include "session_trouble_test.moc"
