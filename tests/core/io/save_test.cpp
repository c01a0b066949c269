// SPDX-License-Identifier: Apache-2.0
// A save leaves the new file or the old one, never a part, and nothing beside it.
#include "core/io/save.h"
#include "tests/core/io/scratch_files.h"

#include <QDir>
#include <QtTest>

#include <sys/stat.h>

using namespace maskscope;
using namespace maskscope::io;
using maskscope::test::read_bytes;
using maskscope::test::ScratchFolder;

class SaveTest : public QObject {
    Q_OBJECT

private slots:
    void replaces_the_old_file();
    void failure_leaves_the_old_file();
    void large_pieces_and_small_ones_keep_their_order();
    void keeps_the_mode_and_follows_links();
    void refuses_a_folder_and_a_device();
    void saving_over_the_mapped_source();
};

namespace {

std::span<const std::byte> bytes(const std::string& text) {
    return std::as_bytes(std::span(text));
}

QStringList names_in(const ScratchFolder& folder) {
    return QDir(QString::fromStdString(folder.folder()))
        .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
}

}  // namespace

void SaveTest::replaces_the_old_file() {
    const ScratchFolder folder;
    const auto path = folder.write("a.bin", "old and longer");
    const auto saved = save_atomically(path, [](Sink sink) -> Result<void> {
        MS_CHECK(sink(bytes("ne")));
        return sink(bytes("w"));
    });
    QVERIFY(saved.ok());
    QCOMPARE(read_bytes(path), std::string("new"));
    QCOMPARE(names_in(folder), QStringList{"a.bin"});
}

void SaveTest::failure_leaves_the_old_file() {
    const ScratchFolder folder;
    const auto path = folder.write("a.bin", "old");
    const auto saved = save_atomically(path, [](Sink sink) -> Result<void> {
        MS_CHECK(sink(bytes(std::string(1U << 20U, 'x'))));
        return input_error("no more");
    });
    QVERIFY(!saved.ok());
    QCOMPARE(saved.error().text(), path + ": no more");
    QCOMPARE(read_bytes(path), std::string("old"));
    QCOMPARE(names_in(folder), QStringList{"a.bin"});
}

void SaveTest::large_pieces_and_small_ones_keep_their_order() {
    const ScratchFolder folder;
    const auto path = folder.path("a.bin");
    std::string expected;
    for (std::size_t i = 0; i < 60; ++i) expected += std::string(i * i * 200, static_cast<char>('A' + i));
    const auto saved = save_atomically(path, [](Sink sink) -> Result<void> {
        for (std::size_t i = 0; i < 60; ++i)
            MS_CHECK(sink(bytes(std::string(i * i * 200, static_cast<char>('A' + i)))));
        return {};
    });
    QVERIFY(saved.ok());
    QVERIFY(read_bytes(path) == expected);
}

void SaveTest::keeps_the_mode_and_follows_links() {
    const ScratchFolder folder;
    const auto path = folder.write("a.bin", "old");
    QCOMPARE(::chmod(path.c_str(), 0640), 0);
    const auto link = folder.path("link.bin");
    QVERIFY(QFile::link("a.bin", QString::fromStdString(link)));
    QVERIFY(save_atomically(link, [](Sink sink) { return sink(bytes("new")); }).ok());
    QCOMPARE(read_bytes(path), std::string("new"));
    struct stat info = {};
    QCOMPARE(::lstat(link.c_str(), &info), 0);
    QVERIFY(S_ISLNK(info.st_mode));
    QCOMPARE(::stat(path.c_str(), &info), 0);
    QCOMPARE(info.st_mode & 07777U, 0640U);
}

void SaveTest::refuses_a_folder_and_a_device() {
    const ScratchFolder folder;
    const auto write = [](Sink sink) { return sink(bytes("new")); };
    const auto into_folder = save_atomically(folder.folder(), write);
    QVERIFY(!into_folder.ok());
    QVERIFY(into_folder.error().text().find("this is a folder") != std::string::npos);
    const auto into_device = save_atomically("/dev/null", write);
    QVERIFY(!into_device.ok());
    QVERIFY(into_device.error().text().find("not a regular file") != std::string::npos);
}

void SaveTest::saving_over_the_mapped_source() {
    const ScratchFolder folder;
    const auto path = folder.path("a.npy");
    auto first = Tensor::zeros({3}, DType::i32);
    QVERIFY(first.ok());
    for (int i = 0; i < 3; ++i) first->writable_as<std::int32_t>()[i] = i;
    std::vector<NamedTensor> tensors{{"", *first}};
    QVERIFY(save_file(path, tensors).ok());
    const auto contents = open_file(path);
    QVERIFY(contents.ok());
    tensors = {{"", contents->items.front().tensor.narrow(0, 1, 2)}};
    QVERIFY(save_file(path, tensors).ok());
    const auto again = open_file(path);
    QVERIFY(again.ok());
    QCOMPARE(maskscope::test::values_of<std::int32_t>(again->items.front().tensor), (std::vector<std::int32_t>{1, 2}));
    // The mapping still shows the old file, and says that it is no longer the one on disk.
    QCOMPARE(maskscope::test::values_of<std::int32_t>(contents->items.front().tensor),
             (std::vector<std::int32_t>{0, 1, 2}));
    QVERIFY(contents->items.front().tensor.storage()->changed_on_disk());
}

QTEST_APPLESS_MAIN(SaveTest)
#include "save_test.moc"
