// SPDX-License-Identifier: Apache-2.0
// maskscope-cli info: keys of the JSON, numbers known from elsewhere, several files.
#include "tests/cli/cli.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace maskscope::test;
using nlohmann::json;

namespace {

json tensor_of(const json& file, const std::string& key) {
    for (const auto& tensor : file["tensors"])
        if (tensor["key"] == key) return tensor;
    return {};
}

}  // namespace

class CliInfoTest : public QObject {
    Q_OBJECT

private slots:
    void the_sample();
    void states();
    void order_of_axes();
    void one_tensor_by_address();
    void no_stats();
    void a_bad_file_among_good_ones();
    void odd_text_stays_valid_json();
    void people_get_a_table();
};

void CliInfoTest::the_sample() {
    const auto outcome = run_cli({"info", "--json", kSamples + "minilm.safetensors", kSamples + "tokens.json"});
    QCOMPARE(outcome.exit_code, 0);
    QVERIFY(outcome.err.isEmpty());
    const auto files = outcome.json()["files"];
    QCOMPARE(files.size(), 2U);
    QCOMPARE(files[0]["format"], "safetensors");
    const auto weights = tensor_of(files[0], "weights");
    QCOMPARE(weights["dtype"], "float16");
    QCOMPARE(weights["shape"], json({6, 4, 12, 24, 24}));
    QCOMPARE(weights["order"], "C");
    QCOMPARE(weights["bytes"], 6 * 4 * 12 * 24 * 24 * 2);
    QCOMPARE(weights["mapped"], true);
    QCOMPARE(weights["dims"], json({"layer", "batch", "head", "query", "key"}));
    // Every row of a softmax sums to 1: the mean is 1 / 24, up to the rounding of float16.
    QVERIFY(std::abs(weights["stats"]["mean"].get<double>() - 1.0 / 24) < 1e-5);
    QCOMPARE(weights["stats"]["nan"], 0);
    QVERIFY(weights["stats"]["true_fraction"].is_null());
    // 24 + 17 + 11 + 6 real tokens of 96.
    const auto keep = tensor_of(files[0], "keep_mask");
    QCOMPARE(keep["stats"]["true_fraction"], 58.0 / 96);
    QCOMPARE(keep["stats"]["zero"], 38);
    QCOMPARE(files[1]["labels"][0]["rows"].size(), 4U);
    QCOMPARE(files[1]["labels"][0]["rows"][0][0], "[CLS]");
}

void CliInfoTest::states() {
    const auto outcome = run_cli({"info", "--json", kGoldens + "npy/f16_special.npy", kGoldens + "npy/le_u8.npy"});
    QCOMPARE(outcome.exit_code, 0);
    const auto files = outcome.json()["files"];
    const auto special = files[0]["tensors"][0]["stats"];
    QCOMPARE(special["nan"], 1);
    QCOMPARE(special["posinf"], 1);
    QCOMPARE(special["neginf"], 1);
    QCOMPARE(special["zero"], 2);
    QCOMPARE(special["min"], -65504.0);
    QCOMPARE(special["max"], 65504.0);
    // Beyond what a double holds.
    const auto integers = files[1]["tensors"][0]["stats"];
    QCOMPARE(integers["max"].get<std::uint64_t>(), 18446744073709551615ULL);
    QCOMPARE(integers["min"], 0);
}

void CliInfoTest::order_of_axes() {
    const auto outcome = run_cli({"info", "--json", kGoldens + "npy/fortran_2d.npy", kGoldens + "pt/views.pt"});
    QCOMPARE(outcome.exit_code, 0);
    const auto files = outcome.json()["files"];
    QCOMPARE(files[0]["tensors"][0]["order"], "F");
    QCOMPARE(tensor_of(files[1], "head")["order"], "C");
    QCOMPARE(tensor_of(files[1], "grid_t")["order"], "F");
    QCOMPARE(tensor_of(files[1], "step_2")["order"], "strided");
    const auto stats = tensor_of(files[1], "middle_t")["stats"];
    QCOMPARE(stats["min"], 6.0);
    QCOMPARE(stats["max"], 17.0);
    QCOMPARE(stats["mean"], 11.5);
}

void CliInfoTest::one_tensor_by_address() {
    const auto outcome = run_cli({"info", "--json", kSamples + "minilm.safetensors::keep_mask[1]"});
    QCOMPARE(outcome.exit_code, 0);
    const auto tensors = outcome.json()["files"][0]["tensors"];
    QCOMPARE(tensors.size(), 1U);
    QCOMPARE(tensors[0]["shape"], json({24}));
    QCOMPARE(tensors[0]["stats"]["true_fraction"], 17.0 / 24);
    const auto missing = run_cli({"info", "--json", kSamples + "minilm.safetensors::zork"});
    QCOMPARE(missing.exit_code, 2);
    QVERIFY(missing.json()["error"]["message"].get<std::string>().find("keep_mask") != std::string::npos);
}

void CliInfoTest::no_stats() {
    const auto outcome = run_cli({"info", "--no-stats", "--json", kSamples + "minilm.safetensors"});
    QCOMPARE(outcome.exit_code, 0);
    const auto tensors = outcome.json()["files"][0]["tensors"];
    QCOMPARE(tensors.size(), 4U);
    for (const auto& tensor : tensors) QVERIFY(!tensor.contains("stats"));
}

void CliInfoTest::a_bad_file_among_good_ones() {
    const auto outcome =
        run_cli({"info", "--json", kGoldens + "npy/le_i1.npy", "/no/such.npy", kGoldens + "npy/le_i2.npy"});
    QCOMPARE(outcome.exit_code, 3);
    QCOMPARE(outcome.json()["files"].size(), 2U);
    QCOMPARE(outcome.json()["error"]["where"]["file"], "/no/such.npy");
    QVERIFY(outcome.err.contains("/no/such.npy"));
}

void CliInfoTest::odd_text_stays_valid_json() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QString::fromUtf8("ä \" \\ \n.npy"));
    QVERIFY(QFile::copy(kGoldens + "npy/le_i1.npy", path));
    const auto outcome = run_cli({"info", "--json", path});
    QCOMPARE(outcome.exit_code, 0);
    QCOMPARE(QString::fromStdString(outcome.json()["files"][0]["file"].get<std::string>()), path);
    // In text a line break of a name would look like another line of output.
    QCOMPARE(run_cli({"info", path}).out.count('\n'), 3);
}

void CliInfoTest::people_get_a_table() {
    const auto outcome = run_cli({"info", kSamples + "broken.npz"});
    QCOMPARE(outcome.exit_code, 0);
    for (const char* word : {"weights", "float32", "[12, 11, 11]", "132", "drop_mask", "% true", "[CLS]"})
        QVERIFY2(outcome.out.contains(word), word);
}

QTEST_GUILESS_MAIN(CliInfoTest)
#include "cli_info_test.moc"
