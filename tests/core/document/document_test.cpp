// SPDX-License-Identifier: Apache-2.0
#include "core/document/document.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace maskscope;
using namespace maskscope::document;

namespace {

io::Item item(std::string key, DType dtype, const Shape& shape) {
    io::Item out;
    out.key = std::move(key);
    out.tensor = *Tensor::zeros(shape, dtype);
    out.dtype = dtype;
    out.shape = shape;
    return out;
}

io::Item labels(std::string key, std::vector<std::vector<std::string>> rows) {
    io::Item out;
    out.key = std::move(key);
    out.labels = io::Labels{std::move(rows)};
    return out;
}

io::FileContents attention_file() {
    io::FileContents file;
    file.path = "/tmp/attn.npz";
    file.format_id = "npz";
    file.items.push_back(item("weights", DType::f32, {2, 4, 3, 3}));
    file.items.push_back(item("keep_mask", DType::boolean, {2, 3}));
    file.items.push_back(labels("tokens", {{"a", "b", "c"}, {"d", "e", "[PAD]"}}));
    return file;
}

Tensor floats(DType dtype, std::vector<float> values) {
    Tensor out = *Tensor::zeros({static_cast<std::int64_t>(values.size())}, dtype);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (dtype == DType::f32) out.writable_as<float>()[i] = values[i];
        if (dtype == DType::f16) out.writable_as<std::uint16_t>()[i] = f16_from_float(values[i]);
        if (dtype == DType::bf16) out.writable_as<std::uint16_t>()[i] = bf16_from_float(values[i]);
    }
    return out;
}

}  // namespace

class DocumentTest : public QObject {
    Q_OBJECT
private slots:
    void roles_and_dims_are_guessed_and_marked() {
        Document doc;
        const auto ids = doc.add(attention_file());
        const Entry& weights = *doc.find(ids[0]);
        QVERIFY(weights.role.value == Role::tensor);
        QVERIFY(weights.dims.guess);
        QCOMPARE(weights.dims.value, (std::vector<std::string>{"batch", "head", "query", "key"}));
        const Entry& mask = *doc.find(ids[1]);
        QVERIFY(mask.role.value == Role::mask);
        QVERIFY(mask.convention->value == MaskConvention::keep && mask.convention->guess);
        QCOMPARE(mask.dims.value, (std::vector<std::string>{"batch", "key"}));
        QVERIFY(doc.find(ids[2])->role.value == Role::labels);
    }
    void links_are_proposed_and_the_users_word_stays() {
        Document doc;
        const auto ids = doc.add(attention_file());
        QVERIFY(doc.find(ids[0])->mask->value == ids[1] && doc.find(ids[0])->mask->guess);
        QVERIFY(doc.find(ids[0])->tokens->value == ids[2]);
        doc.link_mask(ids[0], std::nullopt);
        io::FileContents more;
        more.path = "/tmp/more.npy";
        more.items.push_back(item("causal_mask", DType::boolean, {3, 3}));
        doc.add(std::move(more));
        QVERIFY(doc.find(ids[0])->mask->value == EntryId::none);
        QVERIFY(!doc.find(ids[0])->mask->guess);
    }
    void of_two_masks_in_a_file_the_boolean_one_is_proposed() {
        auto file = attention_file();
        file.items.insert(file.items.begin(), item("additive_mask", DType::f32, {2, 1, 1, 3}));
        Document doc;
        const auto ids = doc.add(std::move(file));
        QCOMPARE(doc.find(doc.find(ids[1])->mask->value)->name, std::string("keep_mask"));
    }
    void closing_a_file_unlinks_it() {
        Document doc;
        auto file = attention_file();
        io::FileContents mask_file;
        mask_file.path = "/tmp/mask.npy";
        mask_file.items.push_back(std::move(file.items[1]));
        file.items.erase(file.items.begin() + 1);
        const auto ids = doc.add(std::move(file));
        const auto masks = doc.add(std::move(mask_file));
        QVERIFY(doc.find(ids[0])->mask->value == masks[0]);
        doc.close("/tmp/mask.npy");
        QVERIFY(!doc.find(ids[0])->mask);
        QVERIFY(doc.find(masks[0]) == nullptr);
        QCOMPARE(doc.files().size(), std::size_t{1});
    }
    void opening_a_file_again_replaces_it() {
        Document doc;
        doc.add(attention_file());
        doc.add(attention_file());
        QCOMPARE(doc.entries().size(), std::size_t{3});
    }
    void conventions_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<int>("convention");
        const auto row = [](const char* name, DType dtype, MaskConvention convention) {
            QTest::newRow(name) << name << static_cast<int>(dtype) << static_cast<int>(convention);
        };
        row("attention_mask", DType::i64, MaskConvention::keep);
        row("key_padding_mask", DType::boolean, MaskConvention::drop);
        row("drop_mask", DType::boolean, MaskConvention::drop);
        row("alibi_bias_mask", DType::f32, MaskConvention::additive);
        row("mask of zeros", DType::f32, MaskConvention::keep);
    }
    void conventions() {
        QFETCH(QString, name);
        QFETCH(int, dtype);
        QFETCH(int, convention);
        const auto mask = item(name.toStdString(), static_cast<DType>(dtype), {2, 3});
        QCOMPARE(static_cast<int>(guess_convention(mask, name.toStdString())), convention);
    }
    void a_float_mask_below_zero_is_added() {
        io::Item mask = item("mask", DType::f32, {3});
        mask.tensor.writable_as<float>()[1] = -1e9F;
        QVERIFY(guess_convention(mask, "mask") == MaskConvention::additive);
    }
    void repeated_sentinels_mean_masked_data() {
        QTest::addColumn<int>("dtype");
        QTest::addColumn<QList<float>>("values");
        QTest::addColumn<double>("sentinel");  // 0: none
        const float inf = std::numeric_limits<float>::infinity();
        const float least = std::numeric_limits<float>::lowest();
        const auto row = [](const char* name, DType dtype, const QList<float>& values, double sentinel) {
            QTest::newRow(name) << static_cast<int>(dtype) << values << sentinel;
        };
        row("-inf twice", DType::f32, {1, -inf, -inf}, -static_cast<double>(inf));
        row("finfo.min twice", DType::f32, {1, least, least}, static_cast<double>(least));
        row("-1e9 twice", DType::f32, {-1e9F, 0, -1e9F}, -1e9);
        row("-1e9 in bfloat16", DType::bf16, {-1e9F, 0, -1e9F}, -998244352.0);
        row("-1e4 in float16", DType::f16, {-1e4F, 0, -1e4F}, -10000.0);
        row("finfo.min of float16", DType::f16, {-65504, 0, -65504}, -65504.0);
        row("only once", DType::f32, {1, -1e9F, 2}, 0);
        row("no sentinel", DType::f32, {-3, -3, 1}, 0);
        row("a number near one", DType::f32, {-1.1e9F, -1.1e9F, 1}, 0);
    }
    void repeated_sentinels_mean_masked() {
        QFETCH(int, dtype);
        QFETCH(QList<float>, values);
        QFETCH(double, sentinel);
        const auto found = find_masked_value(floats(static_cast<DType>(dtype), {values.begin(), values.end()}));
        QCOMPARE(found.value_or(0), sentinel);
    }
    void six_hundred_keys_open_at_once() {
        io::FileContents file;
        file.path = "/tmp/model.safetensors";
        for (int i = 0; i < 600; ++i)
            file.items.push_back(item("layer" + std::to_string(i) + ".weight", DType::f16, {8, 8}));
        Document doc;
        doc.add(std::move(file));
        QCOMPARE(doc.entries().size(), std::size_t{600});
    }
};

QTEST_APPLESS_MAIN(DocumentTest)
#include "document_test.moc"
