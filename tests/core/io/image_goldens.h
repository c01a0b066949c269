// SPDX-License-Identifier: Apache-2.0
// The images of tests/golden/images against what Pillow and tifffile read in them (manifest.json), and broken copies.
#pragma once

#include "core/io/format.h"
#include "core/io/image_facts.h"

#include <QFile>
#include <QtTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace maskscope::test {

inline const std::string kImages = MS_SOURCE_DIR "/tests/golden/images/";

// Entries whose file ends so; a row for each.
inline void image_rows(const std::string& ending) {
    QTest::addColumn<QString>("entry");
    std::ifstream in(kImages + "manifest.json");
    const auto manifest = nlohmann::json::parse(in);
    for (const auto& entry : manifest["files"]) {
        const auto file = entry["file"].get<std::string>();
        if (!file.ends_with(ending)) continue;
        const auto row = file + " " + entry["key"].get<std::string>();
        QTest::newRow(row.c_str()) << QString::fromStdString(entry.dump());
    }
}

// The first element that differs by more than `tolerance`, in words; empty when none does.
inline std::string first_difference(const Tensor& got, const Tensor& wanted, double tolerance = 0) {
    if (!(got.shape() == wanted.shape())) return text_of(got.shape()) + " instead of " + text_of(wanted.shape());
    const auto flat = [](const Tensor& tensor) {
        const auto dense = tensor.contiguous();
        std::vector<double> out(static_cast<std::size_t>(tensor.numel()));
        convert_to_f64(dense->data(), dense->dtype(), 1, dense->numel(), out.data());
        return out;
    };
    const auto a = flat(got);
    const auto b = flat(wanted);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const bool both_nan = a[i] != a[i] && b[i] != b[i];
        if (both_nan || a[i] == b[i] || std::abs(a[i] - b[i]) <= tolerance) continue;
        return fmt::format("element {}: {} instead of {}", i, a[i], b[i]);
    }
    return {};
}

inline void check_image(const QString& text, double tolerance = 0) {
    const auto entry = nlohmann::json::parse(text.toStdString());
    const auto contents = io::open_file(kImages + entry["file"].get<std::string>());
    if (entry["expect"] == "refuse") {
        QVERIFY(!contents.ok());
        QVERIFY2(contents.error().text().find(entry["why"].get<std::string>()) != std::string::npos,
                 contents.error().text().c_str());
        return;
    }
    QVERIFY2(contents.ok(), contents ? "" : contents.error().text().c_str());
    const auto key = entry["key"].get<std::string>();
    const auto item = std::find_if(contents->items.begin(), contents->items.end(),
                                   [&](const auto& candidate) { return candidate.key == key; });
    QVERIFY(item != contents->items.end());
    QVERIFY2(item->note.find(entry["note"].get<std::string>()) != std::string::npos, item->note.c_str());
    QVERIFY(item->image != nullptr);
    QCOMPARE(item->image->orientation, entry.value("orientation", 1));
    QCOMPARE(item->dim_names.size(), static_cast<std::size_t>(item->shape.rank()));
    const auto tensor = io::tensor_of(*item, {});
    QVERIFY2(tensor.ok(), tensor ? "" : tensor.error().text().c_str());
    QVERIFY(tensor->shape() == item->shape);
    QCOMPARE(tensor->byte_size(), item->bytes);
    const auto values = io::open_file(kImages + entry["values"].get<std::string>());
    QVERIFY(values.ok());
    QCOMPARE(tensor->dtype(), values->items[0].dtype);
    const auto difference = first_difference(*tensor, values->items[0].tensor, tolerance);
    QVERIFY2(difference.empty(), difference.c_str());
}

// What a reader makes of any bytes: a sentence, or tensors of the size that the header says.
inline Result<Tensor> load_image(const QString& path, const QByteArray& bytes) {
    QFile::remove(path);  // a file written anew waits for no disk, one cut to nothing may
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        return input_error("cannot write the test's file");
    file.close();
    const auto contents = io::open_file(path.toStdString());
    if (!contents) return contents.error();
    if (contents->items.empty()) return input_error("no item");
    auto tensor = io::tensor_of(contents->items.front(), {});
    if (tensor && !(tensor->shape() == contents->items.front().shape)) return input_error("another shape");
    return tensor;
}

inline QByteArray image_bytes(const std::string& name) {
    QFile file(QString::fromStdString(kImages + name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Every cut and every byte changed in two ways: never a crash, always a sentence or a tensor. Returns how many of the
// changed files were still read.
inline int survive_damage(const QString& path, const QByteArray& whole) {
    int read = 0;
    for (qsizetype i = 0; i < whole.size(); ++i) {
        for (const int change : {0x01, 0x80, 0xff}) {
            QByteArray bytes = whole;
            bytes[i] = static_cast<char>(bytes[i] ^ change);
            const auto tensor = load_image(path, bytes);
            if (!tensor && tensor.error().message.text().size() < 10) return -1;
            read += tensor.ok() ? 1 : 0;
        }
    }
    return read;
}

}  // namespace maskscope::test
