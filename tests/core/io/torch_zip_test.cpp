// SPDX-License-Identifier: Apache-2.0
// Files of torch.save: those PyTorch wrote (tests/golden/files/pt) and broken ones made by hand.
#include "core/io/format.h"
#include "tests/core/io/stored_zip.h"

#include <QTemporaryDir>
#include <QtTest>

#include <zlib.h>

using namespace maskscope;
using namespace maskscope::io;
using namespace std::string_literals;
using maskscope::test::stored_zip;
using maskscope::test::ZipParts;

namespace {

std::string golden(const std::string& name) {
    return MS_SOURCE_DIR "/tests/golden/files/pt/" + name;
}

std::string unicode(const std::string& text) {
    return "X"s + static_cast<char>(text.size()) + "\0\0\0"s + text;
}

// Storage "0" of 6 floats as shape [2, 3] with the given offset and first stride.
std::string data_pkl(int offset, int stride) {
    return "\x80\x02"
           "ctorch._utils\n_rebuild_tensor_v2\n((" +
           unicode("storage") + "ctorch\nFloatStorage\n" + unicode("0") + unicode("cpu") + "K\x06tQK" +
           static_cast<char>(offset) + "K\x02K\x03\x86K" + static_cast<char>(stride) + "K\x01\x86\x89NtR.";
}
std::string six_floats() {
    std::string out;
    for (int i = 0; i < 6; ++i) {
        const float value = 0.5F * static_cast<float>(i);
        out.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
    return out;
}
ZipParts parts(const std::string& pickle, const std::string& data, const std::string& order = "little") {
    return {{"m/data.pkl", pickle}, {"m/byteorder", order}, {"m/data/0", data}, {"m/version", "3\n"}};
}

const Item* find(const FileContents& contents, const std::string& key) {
    for (const auto& item : contents.items)
        if (item.key == key) return &item;
    return nullptr;
}

}  // namespace

class TorchZipTest : public QObject {
    Q_OBJECT

private slots:
    void views_share_their_storage();
    void plain_values_become_metadata();
    void lists_of_texts_become_labels();
    void misaligned_members_are_copied();
    void deflated_members_are_unpacked();
    void tensors_of_other_dtypes_are_left_out();
    void refusals();
    void refusals_data();
    void cut_anywhere();
    void byte_flips_never_crash();

private:
    Result<FileContents> open(const std::string& bytes, const QString& name = "x.pt");
    QTemporaryDir folder_;
};

Result<FileContents> TorchZipTest::open(const std::string& bytes, const QString& name) {
    const QString path = folder_.filePath(name);
    QFile::remove(path);  // earlier results may still be mapped
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return input_error("cannot write the test's file");
    file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    file.close();
    return open_file(path.toStdString());
}

void TorchZipTest::views_share_their_storage() {
    const auto contents = open_file(golden("views.pt"));
    QVERIFY2(contents.ok(), contents ? "" : contents.error().text().c_str());
    QCOMPARE(contents->items.size(), 9U);
    const Item* head = find(*contents, "head");
    const Item* middle = find(*contents, "middle_t");
    const Item* grid = find(*contents, "grid");
    QVERIFY(head != nullptr && middle != nullptr && grid != nullptr);
    QVERIFY(head->mapped && head->tensor.defined());
    QVERIFY(head->tensor.storage() == middle->tensor.storage());
    QVERIFY(head->tensor.storage() != grid->tensor.storage());
    QVERIFY(middle->tensor.strides() == Dims({1, 4}));
    QCOMPARE(middle->tensor.offset(), 6);
    const std::int64_t index[] = {1, 2};
    QCOMPARE(to_double(middle->tensor.at(index)), 15.0);
    QVERIFY(find(*contents, "expanded")->tensor.strides() == Dims({1, 0}));
}

void TorchZipTest::plain_values_become_metadata() {
    const auto contents = open_file(golden("dict.pt"));
    QVERIFY2(contents.ok(), contents ? "" : contents.error().text().c_str());
    const auto& metadata = contents->metadata;
    QCOMPARE(metadata.at("step"), "7");
    QCOMPARE(metadata.at("huge"), "1180591620717411303424");
    QCOMPARE(metadata.at("rate"), "0.125");
    QCOMPARE(metadata.at("name"),
             "W\xc3\xa4"
             "chter");
    QCOMPARE(metadata.at("flag"), "True");
    QCOMPARE(metadata.at("nothing"), "None");
    QCOMPARE(metadata.at("size"), "(2, 3)");
}

void TorchZipTest::lists_of_texts_become_labels() {
    const auto contents = open_file(golden("many.pt"));
    QVERIFY2(contents.ok(), contents ? "" : contents.error().text().c_str());
    const Item* tokens = find(*contents, "tokens");
    QVERIFY(tokens != nullptr && tokens->labels);
    QCOMPARE(tokens->labels->rows.size(), 1U);
    QCOMPARE(tokens->labels->rows[0].size(), 300U);
    QCOMPARE(tokens->labels->rows[0][299], "token299");
}

void TorchZipTest::misaligned_members_are_copied() {
    const auto contents = open(stored_zip(parts(data_pkl(0, 3), six_floats()), 64, 1));
    QVERIFY2(contents.ok(), contents ? "" : contents.error().text().c_str());
    const Item& item = contents->items[0];
    QVERIFY(!item.mapped && !item.tensor.defined());
    const auto tensor = tensor_of(item, {});
    QVERIFY(tensor.ok());
    const std::int64_t index[] = {1, 2};
    QCOMPARE(to_double(tensor->at(index)), 2.5);
    const auto again = tensor_of(item, {});
    QVERIFY(again.ok() && again->storage() == tensor->storage());
}

void TorchZipTest::deflated_members_are_unpacked() {
    // A zip whose storage is deflated, as an archiver would leave it after packing the file again.
    const std::string data = six_floats();
    std::string packed(200, '\0');
    z_stream stream{};
    QCOMPARE(deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    QCOMPARE(::deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    std::string zip = stored_zip(parts(data_pkl(0, 3), packed));
    // The method, the CRC and the unpacked size, in the local header and in the directory.
    std::string wanted;
    test::put_le(wanted, test::crc32_of(data), 4);
    for (const bool central : {false, true}) {
        const std::size_t at = central ? zip.rfind("m/data/0") - 46 + 10 : zip.find("m/data/0") - 30 + 8;
        zip[at] = 8;
        zip.replace(at + 6, 4, wanted);
        zip[at + 14] = static_cast<char>(data.size());
    }
    const auto contents = open(zip);
    QVERIFY2(contents.ok(), contents ? "" : contents.error().text().c_str());
    const auto tensor = tensor_of(contents->items[0], {});
    QVERIFY2(tensor.ok(), tensor ? "" : tensor.error().text().c_str());
    const std::int64_t index[] = {0, 1};
    QCOMPARE(to_double(tensor->at(index)), 0.5);
}

void TorchZipTest::tensors_of_other_dtypes_are_left_out() {
    const auto contents = open_file(golden("refuse_complex64.pt"));
    QVERIFY2(contents.ok(), contents ? "" : contents.error().text().c_str());
    QVERIFY(contents->items.empty());
    QCOMPARE(contents->metadata.at(std::string(kNotReadPrefix) + "z"), "the dtype complex64 is not read");
}

void TorchZipTest::refusals_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("hint");
    const auto row = [](const char* name, const std::string& bytes, const char* says, const char* hint = "") {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(says) << QString(hint);
    };
    const auto file = [](const char* name) {
        QFile from(QString::fromStdString(golden(name)));
        return from.open(QIODevice::ReadOnly) ? from.readAll().toStdString() : std::string();
    };
    const auto tensor = data_pkl(0, 3);
    row("view beyond the storage", stored_zip(parts(data_pkl(1, 3), six_floats())), "outside its storage of 24 bytes");
    row("stride beyond the storage", stored_zip(parts(data_pkl(0, 4), six_floats())), "outside its storage");
    row("storage too small", stored_zip(parts(tensor, "short")), "holds 5 bytes where the pickle says 24");
    row("storage too large", stored_zip(parts(tensor, six_floats() + "1234")), "holds 28 bytes");
    row("big-endian", stored_zip(parts(tensor, six_floats(), "big")), "big-endian", "little-endian machine");
    row("odd byte order", stored_zip(parts(tensor, six_floats(), "middle")), "neither");
    row("no storage", stored_zip({{"m/data.pkl", tensor}}), "no member 'm/data/0'");
    row("no pickle", stored_zip({{"m/model.json", "{}"}}), "no data.pkl");
    row("TorchScript", stored_zip({{"m/data.pkl", tensor}, {"m/constants.pkl", ")."}}), "TorchScript", "state_dict");
    row("old form", file("refuse_legacy.pt"), "before PyTorch 1.6", "torch.save(torch.load(");
    row("plain pickle", "\x80\x04K\x01.", "plain pickle", "torch.save");
    row("no pickle at all", "hello", "not a zip");
    row("os.system", file("refuse_global_os.pt"), "'os.system'", "state_dict");
    row("posix.system", file("refuse_global_posix.pt"), "'posix.system'", "state_dict");
    row("a module", file("refuse_module.pt"), "'torch.nn.modules.linear.Linear'", "state_dict");
}

void TorchZipTest::refusals() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    QFETCH(QString, hint);
    const auto contents = open(bytes.toStdString());
    QVERIFY(!contents.ok());
    QVERIFY2(QString::fromStdString(contents.error().message.text()).contains(says), contents.error().text().c_str());
    QVERIFY2(QString::fromStdString(contents.error().hint.text()).contains(hint), contents.error().text().c_str());
    QCOMPARE(contents.error().kind, ErrorKind::input);
}

void TorchZipTest::cut_anywhere() {
    const std::string whole = stored_zip(parts(data_pkl(0, 3), six_floats()));
    QVERIFY(open(whole).ok());
    for (std::size_t length = 0; length < whole.size(); length += 7) QVERIFY(!open(whole.substr(0, length)).ok());
}

// Any one byte changed: a sentence or other numbers, never a crash.
void TorchZipTest::byte_flips_never_crash() {
    const std::string whole = stored_zip(parts(data_pkl(0, 3), six_floats()));
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0x41);
        const auto contents = open(changed);
        if (!contents) {
            QVERIFY(!contents.error().text().empty());
            continue;
        }
        for (const auto& item : contents->items) {
            const auto tensor = tensor_of(item, {});
            if (!tensor || tensor->numel() == 0) continue;
            std::vector<std::int64_t> last;
            for (const auto size : tensor->shape()) last.push_back(size - 1);
            static_cast<void>(tensor->at(last));
        }
    }
}

QTEST_APPLESS_MAIN(TorchZipTest)
#include "torch_zip_test.moc"
