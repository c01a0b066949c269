// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/mapped_file.h"

#include "core/tensor/storage.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

using namespace maskscope;

class MappedFileTest : public QObject {
    Q_OBJECT
private slots:
    void maps_what_is_there() {
        const auto file = MappedFile::open(write("abc", "hello"));
        QCOMPARE((*file)->bytes().size(), std::size_t{5});
        QCOMPARE(static_cast<char>((*file)->bytes()[1]), 'e');
        QVERIFY(!(*file)->changed());
    }
    void an_empty_file_is_an_empty_span() {
        QCOMPARE((*MappedFile::open(write("empty", "")))->bytes().size(), std::size_t{0});
    }
    void refusals_name_the_file() {
        QVERIFY(MappedFile::open("/nowhere/x.npy").error().text().starts_with("/nowhere/x.npy: cannot open"));
        QVERIFY(
            MappedFile::open(folder_.path().toStdString()).error().text().ends_with("this is a folder, not a file"));
    }
    void a_pipe_is_refused_at_once() {
        const std::string pipe = folder_.filePath("pipe").toStdString();
        QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
        QVERIFY(MappedFile::open(pipe).error().text().find("not a regular file") != std::string::npos);
    }
    void a_write_is_seen_as_a_change() {
        const std::string path = write("changing", "one");
        const auto file = MappedFile::open(path);
        write("changing", "three");
        QVERIFY((*file)->changed());
    }
    void a_removed_file_is_a_changed_one() {
        const std::string path = write("gone", "one");
        const auto file = MappedFile::open(path);
        unlink(path.c_str());
        QVERIFY((*file)->changed());
    }
    void a_file_that_shrinks_reads_as_zeros_and_is_lost() {
        const std::string path = write("shrinking", std::string(3 * 4096, 'x'));
        const auto file = MappedFile::open(path);
        const volatile std::byte* bytes = (*file)->bytes().data();
        QCOMPARE(static_cast<char>(bytes[8200]), 'x');
        QCOMPARE(truncate(path.c_str(), 100), 0);
        QCOMPARE(static_cast<int>(bytes[8200]), 0);
        QCOMPARE(static_cast<char>(bytes[50]), 'x');
        QVERIFY((*file)->changed());
    }
    void mapped_storage_is_read_only() {
        const auto file = MappedFile::open(write("data", "0123456789"));
        const auto storage = Storage::mapped(*file, 2, 4);
        QVERIFY(storage->writable_data() == nullptr);
        QCOMPARE(static_cast<char>(storage->data()[0]), '2');
        QVERIFY(storage->is_mapped());
    }

private:
    std::string write(const char* name, const std::string& text) {
        const std::string path = folder_.filePath(name).toStdString();
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    QTemporaryDir folder_;
};

QTEST_APPLESS_MAIN(MappedFileTest)
#include "mapped_file_test.moc"
