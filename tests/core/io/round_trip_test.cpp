// SPDX-License-Identifier: Apache-2.0
// What is written: the exact bytes of small files, and larger ones read back.
#include "tests/core/io/scratch_files.h"
#include "tests/core/io/zip_by_hand.h"

#include <QtTest>

using namespace maskscope;
using namespace maskscope::io;
using namespace std::string_literals;
using maskscope::test::read_bytes;
using maskscope::test::ScratchFolder;
using maskscope::test::values_of;

class RoundTripTest : public QObject {
    Q_OBJECT

private slots:
    void npy_bytes();
    void npz_bytes();
    void safetensors_bytes();
    void every_dtype_data();
    void every_dtype();
    void views_are_written_in_row_major_order_data();
    void views_are_written_in_row_major_order();
    void npz_members_are_mapped_when_read_back();
    void refuses_data();
    void refuses();

private:
    ScratchFolder folder_;
};

namespace {

template <class T>
Tensor tensor(const Shape& shape, DType dtype, std::initializer_list<T> values) {
    auto out = Tensor::zeros(shape, dtype);
    std::copy(values.begin(), values.end(), out->template writable_as<T>());
    return *out;
}

std::string error_text(const Result<void>& result) {
    return result ? "" : result.error().text();
}

}  // namespace

void RoundTripTest::npy_bytes() {
    const auto path = folder_.path("a.npy");
    const std::vector<NamedTensor> tensors{{"", tensor<float>({2}, DType::f32, {1.5F, -2.0F})}};
    const auto saved = save_file(path, tensors);
    QVERIFY2(saved.ok(), error_text(saved).c_str());
    // As np.save writes it: magic, 1.0, 118 bytes of dict, 1.5 and -2 as IEEE 754.
    const std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
    QCOMPARE(read_bytes(path), "\x93NUMPY\x01\x00\x76\x00"s + dict + std::string(117 - dict.size(), ' ') + "\n" +
                                   "\x00\x00\xC0\x3F\x00\x00\x00\xC0"s);
}

void RoundTripTest::npz_bytes() {
    const auto path = folder_.path("a.npz");
    const std::vector<NamedTensor> tensors{{"m", tensor<std::uint8_t>({1}, DType::u8, {7})}};
    const auto saved = save_file(path, tensors);
    QVERIFY2(saved.ok(), error_text(saved).c_str());
    const std::string dict = "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }";
    const std::string array = "\x93NUMPY\x01\x00\x76\x00"s + dict + std::string(117 - dict.size(), ' ') + "\n\x07";
    std::string sizes;
    maskscope::test::put(sizes, maskscope::test::crc_by_hand(array), 4);
    maskscope::test::put(sizes, 129, 4);
    maskscope::test::put(sizes, 129, 4);
    // 30 + 5 bytes of local header, so 29 of padding in an extra field put the array at byte 64.
    const std::string fields = "\x14\0\0\x08\0\0\0\0\x21\0"s + sizes + "\x05\0"s;
    const std::string local = "PK\x03\x04" + fields + "\x1D\0"s + "m.npy" + "\x35\xD9\x19\0"s + std::string(25, '\0');
    QCOMPARE(local.size(), 64U);
    const std::string directory = "PK\x01\x02\x14\x03"s + fields + "\0\0"s + std::string(6, '\0') + "\0\0\xA4\x81"s +
                                  std::string(4, '\0') + "m.npy";
    const std::string end = "PK\x05\x06\0\0\0\0\x01\0\x01\0\x33\0\0\0\xC1\0\0\0\0\0"s;
    QCOMPARE(read_bytes(path), local + array + directory + end);
}

void RoundTripTest::safetensors_bytes() {
    const auto path = folder_.path("a.safetensors");
    const std::vector<NamedTensor> tensors{{"m", tensor<std::uint8_t>({1}, DType::boolean, {1})},
                                           {"w", tensor<float>({1, 2}, DType::f32, {1.5F, -2.0F})}};
    const auto saved = save_file(path, tensors, {{"dims.w", "query,key"}});
    QVERIFY2(saved.ok(), error_text(saved).c_str());
    std::string header =
        R"({"__metadata__":{"dims.w":"query,key"},"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},)"
        R"("m":{"dtype":"BOOL","shape":[1],"data_offsets":[8,9]}})";
    header.resize(152, ' ');
    QCOMPARE(read_bytes(path), "\x98\0\0\0\0\0\0\0"s + header + "\x00\x00\xC0\x3F\x00\x00\x00\xC0\x01"s);
    const auto contents = open_file(path);
    QVERIFY(contents.ok());
    QCOMPARE(contents->items[0].dim_names, (std::vector<std::string>{"query", "key"}));
    QVERIFY(contents->items[0].mapped);
}

void RoundTripTest::every_dtype_data() {
    QTest::addColumn<int>("dtype");
    QTest::addColumn<QString>("name");
    for (int i = 0; i < kDTypeCount; ++i) {
        const auto dtype = static_cast<DType>(i);
        const std::string short_name(short_name_of(dtype));
        QTest::newRow((short_name + " safetensors").c_str()) << i << "a.safetensors";
        if (dtype == DType::bf16 || dtype == DType::f8_e4m3 || dtype == DType::f8_e5m2) continue;
        QTest::newRow((short_name + " npy").c_str()) << i << "a.npy";
        QTest::newRow((short_name + " npz").c_str()) << i << "a.npz";
    }
}

void RoundTripTest::every_dtype() {
    QFETCH(int, dtype);
    QFETCH(QString, name);
    auto made = Tensor::zeros({2, 3}, static_cast<DType>(dtype));
    QVERIFY(made.ok());
    for (std::size_t i = 0; i < made->byte_size(); ++i) {
        const auto value = made->dtype() == DType::boolean ? i % 2 : (i * 37 + 11) % 256;
        made->writable_data()[i] = static_cast<std::byte>(value);
    }
    const auto path = folder_.path(name.toStdString());
    const std::vector<NamedTensor> tensors{{"layer/0", *made}};
    const auto saved = save_file(path, tensors);
    QVERIFY2(saved.ok(), error_text(saved).c_str());
    const auto contents = open_file(path);
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    const Item& item = contents->items.front();
    QCOMPARE(item.key, std::string(name == "a.npy" ? "" : "layer/0"));
    QCOMPARE(item.dtype, made->dtype());
    QCOMPARE(item.shape, made->shape());
    QVERIFY(item.mapped);
    QVERIFY(std::equal(made->data(), made->data() + made->byte_size(), item.tensor.data()));
}

void RoundTripTest::views_are_written_in_row_major_order_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"a.npy", "a.npz", "a.safetensors"}) QTest::newRow(name) << name;
}

void RoundTripTest::views_are_written_in_row_major_order() {
    QFETCH(QString, name);
    // Larger than the writer's buffer of 1 MiB.
    constexpr std::int64_t kRows = 700;
    constexpr std::int64_t kCols = 801;
    auto base = Tensor::zeros({kRows, kCols}, DType::i32);
    QVERIFY(base.ok());
    for (std::int64_t i = 0; i < kRows * kCols; ++i)
        base->writable_as<std::int32_t>()[i] = static_cast<std::int32_t>(i);
    const Tensor view = base->transpose(0, 1).narrow(1, 1, 300, 2);
    const auto path = folder_.path(name.toStdString());
    const std::vector<NamedTensor> tensors{{"t", view}};
    const auto saved = save_file(path, tensors);
    QVERIFY2(saved.ok(), error_text(saved).c_str());
    const auto contents = open_file(path);
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    const Tensor& back = contents->items.front().tensor;
    QCOMPARE(back.shape(), (Shape{kCols, 300}));
    QVERIFY(back.is_contiguous());
    const auto* values = back.data_as<std::int32_t>();
    for (std::int64_t col = 0; col < kCols; ++col) {
        for (std::int64_t row = 0; row < 300; ++row) {
            QCOMPARE(values[col * 300 + row], static_cast<std::int32_t>((1 + 2 * row) * kCols + col));
        }
    }
}

void RoundTripTest::npz_members_are_mapped_when_read_back() {
    const auto path = folder_.path("many.npz");
    std::vector<NamedTensor> tensors;
    tensors.reserve(70);
    for (int i = 0; i < 70; ++i) {
        tensors.push_back(
            {std::string(static_cast<std::size_t>(i + 1), 'k'), tensor<double>({}, DType::f64, {i + 0.5})});
    }
    QVERIFY(save_file(path, tensors).ok());
    const auto contents = open_file(path);
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    QCOMPARE(contents->items.size(), 70U);
    for (std::size_t i = 0; i < 70; ++i) {
        QVERIFY(contents->items[i].mapped);
        QCOMPARE(contents->items[i].key, tensors[i].key);
        QCOMPARE(values_of<double>(contents->items[i].tensor), (std::vector<double>{static_cast<double>(i) + 0.5}));
    }
}

void RoundTripTest::refuses_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("keys");
    QTest::addColumn<int>("dtype");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* title, const char* name, const QStringList& keys, DType dtype, const char* says) {
        QTest::newRow(title) << name << keys << static_cast<int>(dtype) << says;
    };
    row("bfloat16 in npy", "a.npy", {""}, DType::bf16, "NumPy has no bfloat16");
    row("float8 in npz", "a.npz", {"w"}, DType::f8_e4m3, "NumPy has no float8_e4m3fn");
    row("two in npy", "a.npy", {"a", "b"}, DType::f32, "holds one tensor, not 2");
    row("none in npy", "a.npy", {}, DType::f32, "holds one tensor, not 0");
    row("key twice in npz", "a.npz", {"a", "a"}, DType::f32, "two tensors have the key 'a'");
    row("key twice in safetensors", "a.safetensors", {"a", "a"}, DType::f32, "two tensors have the key 'a'");
    row("reserved key", "a.safetensors", {"__metadata__"}, DType::f32, "cannot name a tensor");
    row("format that is only read", "a.pt", {"a"}, DType::f32,
        ".pt files are only read; save as one of .npy, .npz, .safetensors");
    row("no extension", "a", {"a"}, DType::f32, "the name says no format");
    row("folder that is not there", "none/a.npy", {""}, DType::f32, "No such file or directory");
}

void RoundTripTest::refuses() {
    QFETCH(QString, name);
    QFETCH(QStringList, keys);
    QFETCH(int, dtype);
    QFETCH(QString, says);
    std::vector<NamedTensor> tensors;
    for (const auto& key : keys) tensors.push_back({key.toStdString(), *Tensor::zeros({2}, static_cast<DType>(dtype))});
    const ScratchFolder folder;
    const auto path = folder.path(name.toStdString());
    const auto saved = save_file(path, tensors);
    QVERIFY(!saved.ok());
    QVERIFY2(saved.error().text().find(says.toStdString()) != std::string::npos, saved.error().text().c_str());
    QCOMPARE(saved.error().where.file, path);
    QVERIFY(!QFile::exists(QString::fromStdString(path)));
}

QTEST_APPLESS_MAIN(RoundTripTest)
#include "round_trip_test.moc"
