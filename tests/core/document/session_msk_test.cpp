// SPDX-License-Identifier: Apache-2.0
// The .msk file: saved whole or not at all, open in one window, and never changed by what is wrong with it.
#include "tests/core/document/session_desk.h"

#include <sqlite3.h>

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

#include <random>

using namespace maskscope;
using namespace maskscope::document;

namespace {

void change(const std::string& path, const std::string& sql) {
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    char* words = nullptr;
    if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &words) != SQLITE_OK) qWarning("%s", words);
    sqlite3_free(words);
    sqlite3_close(database);
}

}  // namespace

class SessionMskTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        desk_ = std::make_unique<Desk>();
        entry_ = desk_->add("coins.png", "", patterned({150, 200}));
        QVERIFY(desk_->start(path("state")));
        desk_->store->set_setting("zoom", "2");
        desk_->stroke(entry_, 0, {10, 10, 80, 90}, 40, "first");
        desk_->stroke(entry_, 0, {30, 30, 80, 90}, 41, "second");
        QVERIFY(desk_->store->save(path("coins.msk")));
    }
    void cleanup() {
        desk_.reset();
        folder_.reset();
    }

    void what_was_saved_opens_equal() {
        QVERIFY(desk_->store->saved());
        QCOMPARE(desk_->store->msk(), path("coins.msk"));
        desk_->close();
        QVERIFY(names_in(path("state")).empty());  // nothing is in the journal that the .msk has not
        const auto before = bytes_of_file(path("coins.msk"));
        Desk again;
        QVERIFY(again.open(path("coins.msk"), path("state")));
        const auto& session = again.store->restored();
        QCOMPARE(session.steps.size(), 2U);
        QCOMPARE(session.position, 2U);
        QCOMPARE(session.settings.at("zoom"), std::string("2"));
        QVERIFY(cells_of(session.masks.at(0).planes.at(0)) == desk_->cells(entry_, 0));
        QVERIFY(again.store->saved());
        QCOMPARE(again.store->msk(), path("coins.msk"));
        again.recover(again.add("coins.png", "", patterned({150, 200})));
        again.edits.undo();
        QVERIFY(!again.store->saved());
        QVERIFY(again.store->flush());
        QVERIFY(bytes_of_file(path("coins.msk")) == before);
        QCOMPARE(names_in(folder_->path().toStdString()).size(), 2U);  // nothing stands beside it
        const auto left = left_of_crash();
        QCOMPARE(left.size(), 1U);
        QCOMPARE(left[0].msk, path("coins.msk"));
    }
    void a_saved_session_leaves_nothing_behind_while_its_file_is_there() {
        QVERIFY(left_of_crash().empty());
        desk_->close();
        Desk again;
        QVERIFY(again.open(path("coins.msk"), path("state")));
        QVERIFY(again.store->flush());
        QVERIFY(left_of_crash().empty());
        std::filesystem::remove(path("coins.msk"));
        QCOMPARE(left_of_crash().size(), 1U);
    }
    void saving_again_replaces_it_and_keeps_its_mode() {
        ::chmod(path("coins.msk").c_str(), 0640);
        std::filesystem::create_symlink(path("coins.msk"), path("link.msk"));
        desk_->stroke(entry_, 0, {0, 0, 5, 5}, 42, "third");
        QVERIFY(!desk_->store->saved());
        QVERIFY(desk_->store->save(path("link.msk")));
        QVERIFY(std::filesystem::is_symlink(path("link.msk")));
        struct stat facts = {};
        ::stat(path("coins.msk").c_str(), &facts);
        QCOMPARE(facts.st_mode & 07777U, 0640U);
        desk_->close();
        Desk again;
        QVERIFY(again.open(path("coins.msk"), path("state")));
        QCOMPARE(again.store->restored().steps.size(), 3U);
    }

    void two_windows_cannot_have_it() {
        const std::string who = " (process " + std::to_string(::getpid()) + ")";
        Desk second;
        const auto opened = second.open(path("coins.msk"), path("state"));
        QVERIFY(!opened);
        QCOMPARE(opened.error().text(),
                 "coins.msk is open in another window" + who + ". Close it there, or open a copy");
        QCOMPARE(names_in(path("state")).size(), 3U);  // the first one's journal, log and lock
        // Not by saving over it either.
        const auto& mine = second.add("cells.png", "", patterned({64, 64}));
        QVERIFY(second.start(path("state")));
        second.stroke(mine, 0, {0, 0, 9, 9}, 7);
        const auto before = bytes_of_file(path("coins.msk"));
        const auto saved = second.store->save(path("coins.msk"));
        QVERIFY(!saved);
        QCOMPARE(saved.error().text(),
                 "coins.msk is open in another window" + who + ". Close it there, or save under another name");
        QVERIFY(bytes_of_file(path("coins.msk")) == before);
        // The lock goes with the file through a save, and ends with the window.
        QVERIFY(desk_->store->save(path("coins.msk")));
        QVERIFY(!Desk().open(path("coins.msk"), path("state")));
        std::filesystem::copy_file(path("coins.msk"), path("copy.msk"));
        QVERIFY(Desk().open(path("copy.msk"), path("state")));
        QVERIFY(desk_->store->save(path("elsewhere.msk")));
        QVERIFY(Desk().open(path("coins.msk"), path("state")));
        desk_->close();
        QVERIFY(Desk().open(path("elsewhere.msk"), path("state")));
    }
    void a_recovered_session_does_not_take_a_file_from_another_window() {
        desk_->stroke(entry_, 0, {0, 0, 5, 5}, 42, "third");
        QVERIFY(desk_->store->flush());
        const auto journal = crashed_copy(path("state"), path("left"));
        Desk again;
        QVERIFY(again.open(journal, path("left")));
        QVERIFY(again.store->msk().empty());
        QVERIFY(again.store->restored().warnings.at(0).starts_with("coins.msk is open in another window"));
    }

    void a_failed_save_leaves_the_old_file() {
        const auto before = bytes_of_file(path("coins.msk"));
        desk_->stroke(entry_, 0, {0, 0, 5, 5}, 42, "third");
        const auto nowhere = desk_->store->save(path("no/such/folder/coins.msk"));
        QVERIFY(!nowhere);
        QCOMPARE(nowhere.error().text(),
                 path("no/such/folder/coins.msk") + ": cannot write in its folder: No such file or directory");
        QVERIFY(!desk_->store->saved());
        const auto folder = desk_->store->save(path("state"));
        QCOMPARE(folder.error().text(), path("state") + ": this is a folder; give the name of a file");
        QVERIFY(!desk_->store->save("/dev/null"));
        QCOMPARE(desk_->store->msk(), path("coins.msk"));
        QVERIFY(bytes_of_file(path("coins.msk")) == before);
    }

    void what_is_no_session_is_refused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("empty") << QByteArray() << "this is not a Maskscope session";
        QTest::newRow("text") << QByteArray(500, 'x') << "this is not a Maskscope session";
        QTest::newRow("half a header") << QByteArray("SQLite format 3\0", 16) << "this is not a Maskscope session";
        QByteArray other("SQLite format 3\0", 16);
        other.append(QByteArray(4080, '\0'));
        QTest::newRow("another application") << other << "this is not a Maskscope session";
    }
    void what_is_no_session_is_refused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, sentence);
        refused(bytes.toStdString(), sentence.toStdString());
    }
    void a_newer_format_is_refused() {
        change(copy(), "PRAGMA user_version = 7");
        refused(bytes_of_file(copy_),
                "this session was written by a newer Maskscope (its format is 7, this one reads 1). "
                "Open it with that one");
    }
    void a_file_that_is_cut_off_is_refused() {
        const auto whole = bytes_of_file(path("coins.msk"));
        refused(whole.substr(0, whole.size() - 1), "this session is cut off: " + std::to_string(whole.size() - 1) +
                                                       " of " + std::to_string(whole.size()) + " bytes are there");
        for (int sixteenth = 0; sixteenth < 16; ++sixteenth) {
            refused(whole.substr(0, whole.size() * static_cast<std::size_t>(sixteenth) / 16), "");
        }
    }

    void foreign_tables_and_code_are_refused_data() {
        QTest::addColumn<QString>("sql");
        QTest::newRow("trigger") << "CREATE TRIGGER t AFTER INSERT ON step BEGIN DELETE FROM mask; END";
        QTest::newRow("view") << "CREATE VIEW v AS SELECT 1";
        QTest::newRow("table") << "CREATE TABLE other (x)";
        QTest::newRow("a view for a table") << "DROP TABLE step; CREATE VIEW step AS SELECT 1 AS number";
        QTest::newRow("missing") << "DROP TABLE stroke";
        QTest::newRow("loose types") << "DROP TABLE setting; CREATE TABLE setting (key, value)";
    }
    void foreign_tables_and_code_are_refused() {
        QFETCH(QString, sql);
        change(copy(), sql.toStdString());
        refused(bytes_of_file(copy_), "its tables are not those of a Maskscope session");
    }

    void hostile_rows_are_refused_data() {
        QTest::addColumn<QString>("sql");
        QTest::newRow("tile of garbage") << "UPDATE tile SET cells = x'0102030405060708' WHERE number = 0";
        QTest::newRow("tile too long") << "UPDATE tile SET cells = CAST(cells || x'0207' AS BLOB) WHERE number = 0";
        QTest::newRow("tile of a megabyte") << "UPDATE tile SET cells = zeroblob(1000000) WHERE number = 0";
        QTest::newRow("tile outside") << "INSERT INTO tile VALUES (1, 0, 12, x'')";
        QTest::newRow("tile before") << "UPDATE tile SET number = -1 WHERE number = 0";
        QTest::newRow("delta of garbage") << "UPDATE step SET delta = x'ffffffffffffffffffff'";
        QTest::newRow("delta cut off") << "UPDATE step SET delta = substr(delta, 1, length(delta) - 1)";
        QTest::newRow("delta of nothing") << "UPDATE step SET delta = x''";
        QTest::newRow("step of no mask") << "UPDATE step SET mask = 77";
        QTest::newRow("step of no plane") << "UPDATE step SET plane = 1";
        QTest::newRow("step at the end of numbers") << "UPDATE step SET number = 9223372036854775807 WHERE number = 2";
        QTest::newRow("stroke of garbage") << "INSERT INTO stroke VALUES (1, 1, 0, 't', 'n', x'01')";
        QTest::newRow("position") << "UPDATE session SET position = 3";
        QTest::newRow("position below") << "UPDATE session SET position = -1";
        QTest::newRow("dtype") << "UPDATE mask SET dtype = 'float12'";
        QTest::newRow("wider cells") << "UPDATE mask SET dtype = 'int64'";
        QTest::newRow("shape of words") << "UPDATE mask SET shape = '150,two hundred'";
        QTest::newRow("shape below") << "UPDATE mask SET shape = '-150,200'";
        QTest::newRow("shape of nothing") << "UPDATE mask SET shape = ''";
        QTest::newRow("shape beyond") << "UPDATE mask SET shape = '9000000000000000000,9000000000000000000'";
        QTest::newRow("rank") << "UPDATE mask SET shape = '1,1,1,1,1,1,1,1,1,1,1,1,1,1,150,200'";
        QTest::newRow("rows") << "UPDATE plane SET rows = 151";
        QTest::newRow("no rows") << "UPDATE plane SET rows = 0; UPDATE mask SET shape = '0,200'";
        QTest::newRow("a plane of half the memory there is")
            << "UPDATE plane SET rows = 2000000000, cols = 2000000000; UPDATE mask SET shape = '2000000000,2000000000'";
        QTest::newRow("a third plane") << "UPDATE plane SET number = 1";
        QTest::newRow("a plane of no mask") << "INSERT INTO plane VALUES (9, 0, 1, 1, 1)";
        QTest::newRow("not whole") << "UPDATE plane SET whole = 0";
        QTest::newRow("a mask below") << "UPDATE mask SET id = -1";
    }
    void hostile_rows_are_refused() {
        QFETCH(QString, sql);
        change(copy(), sql.toStdString());
        QVERIFY(bytes_of_file(copy_) != bytes_of_file(path("coins.msk")));
        refused(bytes_of_file(copy_), "");
    }
    // Whatever a disk or a hand does to single bytes: it opens or it is refused, and it is never touched.
    void flipped_bytes_do_no_harm() {
        const auto whole = bytes_of_file(path("coins.msk"));
        std::mt19937 random(4);
        int opened = 0;
        for (int i = 0; i < 150; ++i) {
            auto bytes = whole;
            for (int flips = 0; flips < 1 + i % 4; ++flips) {
                // Half of them in the first pages, where the structure is.
                const auto range = i % 2 == 0 ? std::size_t{8192} : bytes.size();
                bytes[random() % range] = static_cast<char>(random());
            }
            write_file(path("flipped.msk"), bytes);
            Desk again;
            if (again.open(path("flipped.msk"), path("memory"))) ++opened;
            again.close();
            QVERIFY(bytes_of_file(path("flipped.msk")) == bytes);
        }
        QVERIFY(opened > 0 && opened < 150);
    }

private:
    std::string path(const std::string& name) const { return folder_->path().toStdString() + "/" + name; }
    // A copy of the good one, to be spoilt.
    std::string copy() {
        copy_ = path("spoilt.msk");
        std::filesystem::copy_file(path("coins.msk"), copy_);
        return copy_;
    }
    std::vector<LeftBehind> left_of_crash() {
        std::filesystem::remove_all(path("left"));
        crashed_copy(path("state"), path("left"));
        return SessionStore::left_behind(path("left"));
    }
    // With that sentence, unchanged, and without a trace in the state folder. "" is any sentence.
    void refused(const std::string& bytes, const std::string& sentence) {
        const auto file = path("refused.msk");
        write_file(file, bytes);
        Desk again;
        const auto opened = again.open(file, path("fresh"));
        QVERIFY(!opened);
        const auto text = opened.error().text();
        if (sentence.empty()) {
            QVERIFY2(text.starts_with(file + ": ") && text.size() < file.size() + 120, text.c_str());
        } else {
            QCOMPARE(text, file + ": " + sentence);
        }
        QVERIFY(text.find(path("fresh")) == std::string::npos);
        QVERIFY(bytes_of_file(file) == bytes);
        QVERIFY(!std::filesystem::exists(path("fresh")) || names_in(path("fresh")).empty());
        QVERIFY(!std::filesystem::exists(file + "-journal") && !std::filesystem::exists(file + "-wal"));
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Desk> desk_;
    Entry entry_;
    std::string copy_;
};

QTEST_APPLESS_MAIN(SessionMskTest)
#include "session_msk_test.moc"
