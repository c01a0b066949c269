// SPDX-License-Identifier: Apache-2.0
// Every file in tests/golden/files against what the library that wrote it says it holds (manifest.json).
#include "core/io/format.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace maskscope;
using namespace maskscope::io;
using nlohmann::json;

namespace {

const std::string kFolder = MS_SOURCE_DIR "/tests/golden/files/";

const json& manifest() {
    static const json all = [] {
        std::ifstream in(kFolder + "manifest.json");
        return json::parse(in);
    }();
    return all;
}

// The element as the manifest writes it.
json as_json(const Scalar& scalar) {
    if (const auto* number = std::get_if<double>(&scalar)) {
        if (std::isnan(*number)) return "nan";
        if (std::isinf(*number)) return *number > 0 ? "inf" : "-inf";
        return *number;
    }
    return std::visit([](const auto& value) { return json(value); }, scalar);
}

// Row-major, whatever the strides.
std::vector<Scalar> elements_of(const Tensor& tensor) {
    std::vector<Scalar> out;
    std::vector<std::int64_t> index(static_cast<std::size_t>(tensor.rank()), 0);
    for (std::int64_t i = 0; i < tensor.numel(); ++i) {
        out.push_back(tensor.at(index));
        for (int dim = tensor.rank() - 1; dim >= 0; --dim) {
            auto& at = index[static_cast<std::size_t>(dim)];
            if (++at < tensor.size(dim)) break;
            at = 0;
        }
    }
    return out;
}

std::vector<std::int64_t> as_vector(const Dims& dims) {
    return {dims.begin(), dims.end()};
}

// The manifest's "path" (texts of dicts, numbers of lists) as Maskscope writes the way: "block.list[0]".
std::string key_of(const json& entry) {
    if (!entry.contains("path")) return entry.value("key", std::string());
    std::string key;
    for (const auto& part : entry["path"]) {
        if (part.is_number()) {
            key += "[" + part.dump() + "]";
        } else {
            key += (key.empty() ? "" : ".") + part.get<std::string>();
        }
    }
    return key;
}

const Item* find(const FileContents& contents, const std::string& key) {
    for (const auto& item : contents.items) {
        if (item.key == key) return &item;
    }
    return nullptr;
}

void check_tensor(const Item& item, const json& expected) {
    auto loaded = tensor_of(item, {});
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().text().c_str());
    const Tensor& tensor = *loaded;
    QCOMPARE(std::string(name_of(tensor.dtype())), expected["dtype"].get<std::string>());
    QCOMPARE(item.dtype, tensor.dtype());
    QCOMPARE(as_vector(tensor.shape()), expected["shape"].get<std::vector<std::int64_t>>());
    QCOMPARE(as_vector(item.shape), as_vector(tensor.shape()));
    QCOMPARE(item.bytes, tensor.byte_size());
    QCOMPARE(item.mapped, tensor.storage()->is_mapped());
    if (expected.contains("stride")) {
        QCOMPARE(as_vector(tensor.strides()), expected["stride"].get<std::vector<std::int64_t>>());
    }
    QCOMPARE(tensor.storage()->data() == nullptr
                 ? 0U
                 : reinterpret_cast<std::uintptr_t>(tensor.data()) % size_of(item.dtype),
             0U);
    const auto elements = elements_of(tensor);
    QCOMPARE(elements.size(), expected["values"].size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const json& value = expected["values"][i];
        const json got = as_json(elements[i]);
        QVERIFY2(got == value, (std::to_string(i) + ": " + got.dump() + " instead of " + value.dump()).c_str());
        if (value.is_number_float() && value.get<double>() == 0) {
            QCOMPARE(std::signbit(to_double(elements[i])), std::signbit(value.get<double>()));
        }
    }
}

void check_labels(const Item& item, const json& expected) {
    QVERIFY(item.labels.has_value());
    std::vector<std::string> flat;
    for (const auto& row : item.labels->rows) flat.insert(flat.end(), row.begin(), row.end());
    QCOMPARE(flat, expected["values"].get<std::vector<std::string>>());
    QCOMPARE(as_vector(item.shape), expected["shape"].get<std::vector<std::int64_t>>());
    QVERIFY(!tensor_of(item, {}).ok());
}

void check_refusal(const std::string& path, const json& expected) {
    const auto why = expected["why"].get<std::string>();
    const auto contents = open_file(path);
    const auto error = [&]() -> Result<void> {
        if (!contents) return contents.error();
        const auto left_out = contents->metadata.find(kNotReadPrefix + expected.value("key", std::string()));
        if (left_out != contents->metadata.end()) return input_error("{}", left_out->second);
        return {};
    }();
    QVERIFY2(!error.ok(), "the file was read");
    const auto text = error.error().text();
    // Where the reason is a name, the sentence holds it.
    if (why.find(' ') == std::string::npos) QVERIFY2(text.find(why) != std::string::npos, text.c_str());
    if (!contents) QCOMPARE(contents.error().where.file, path);
}

}  // namespace

class GoldenFilesTest : public QObject {
    Q_OBJECT

private slots:
    void holds_data();
    void holds();
    void keeps_metadata();
    void names_dimensions_and_tokens();
};

void GoldenFilesTest::holds_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const auto& entry : manifest()["files"]) {
        const auto name = entry["file"].get<std::string>() + "::" + entry.value("key", std::string());
        if (entry["expect"] != "plain") QTest::newRow(name.c_str()) << index;
        ++index;
    }
}

void GoldenFilesTest::holds() {
    QFETCH(int, index);
    const json& entry = manifest()["files"][static_cast<std::size_t>(index)];
    const std::string path = kFolder + entry["file"].get<std::string>();
    if (entry["expect"] == "refuse") return check_refusal(path, entry);
    const auto contents = open_file(path);
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    const Item* item = find(*contents, key_of(entry));
    QVERIFY(item != nullptr);
    if (entry["expect"] == "labels") return check_labels(*item, entry);
    check_tensor(*item, entry);
}

void GoldenFilesTest::keeps_metadata() {
    for (const auto& entry : manifest()["files"]) {
        if (entry["expect"] != "plain" || entry["key"] != "__metadata__") continue;
        const auto contents = open_file(kFolder + entry["file"].get<std::string>());
        QVERIFY(contents.ok());
        for (const auto& [key, value] : entry["value"].items()) {
            QCOMPARE(contents->metadata.at(key), value.get<std::string>());
        }
    }
}

void GoldenFilesTest::names_dimensions_and_tokens() {
    // make_files.py wrote "dims.f64": "query,key" and "tokens": ["a", "ä", "\"", "猫"].
    const auto contents = open_file(kFolder + "safetensors/all_dtypes.safetensors");
    QVERIFY(contents.ok());
    const Item* f64 = find(*contents, "f64");
    QVERIFY(f64 != nullptr);
    QCOMPARE(f64->dim_names, (std::vector<std::string>{"query", "key"}));
    const Item* tokens = find(*contents, "tokens");
    QVERIFY(tokens != nullptr && tokens->labels.has_value());
    QCOMPARE(tokens->labels->rows, (std::vector<std::vector<std::string>>{{"a", "ä", "\"", "猫"}}));
}

QTEST_APPLESS_MAIN(GoldenFilesTest)
#include "golden_files_test.moc"
