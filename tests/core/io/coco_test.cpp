// SPDX-License-Identifier: Apache-2.0
// COCO files: what is read of them, and the sentences for broken ones.
#include "core/io/coco.h"

#include "core/io/coco_rle.h"
#include "tests/core/io/coco_texts.h"
#include "tests/core/io/scratch_files.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace maskscope;
using namespace maskscope::io;
using namespace maskscope::test;

class CocoTest : public QObject {
    Q_OBJECT

private slots:
    void reads_instances();
    void reads_results();
    void tensors_on_demand();
    void results_as_tensors();
    void images_without_annotations();
    void names_that_repeat();
    void recognised_by_its_head();
    void recognised_by_its_head_data();
    void sentences();
    void sentences_data();
    void sentences_on_demand();
    void sentences_on_demand_data();
    void cut_anywhere();
    void other_kinds_of_annotations();
    void other_kinds_of_annotations_data();
    void the_sample_is_its_label_mask();
    void the_sample_is_its_label_mask_data();
};

void CocoTest::reads_instances() {
    const auto file = parsed(kInstances);
    QVERIFY(!file.results);
    QCOMPARE(*file.text, kInstances);
    QCOMPARE(file.images.size(), std::size_t{3});
    QCOMPARE(file.images[1].file_name, std::string("a/\xC3\xA9.png"));
    QCOMPARE(file.images[1].width, std::int64_t{12});
    QVERIFY(file.images[1].annotations == (std::vector<std::size_t>{0, 2}));
    QVERIFY(file.images[0].annotations == (std::vector<std::size_t>{1}));
    QVERIFY(file.categories == (std::map<std::int64_t, std::string>{{2, "table"}, {7, "coin"}}));
    QCOMPARE(file.annotations.size(), std::size_t{3});
    const auto& crowd = file.annotations[1];
    QVERIFY(crowd.crowd && !file.annotations[0].crowd && !file.annotations[2].crowd);
    QVERIFY(crowd.form == CocoForm::rle_text);
    QVERIFY(file.annotations[0].form == CocoForm::polygon);
    QVERIFY(file.annotations[2].form == CocoForm::rle_counts);
    QCOMPARE(crowd.id, std::int64_t{12});
    QCOMPARE(crowd.height, std::int64_t{9});
    QCOMPARE(std::string(crowd.raw), bytes_of(file, 1));
    QVERIFY(crowd.raw.starts_with("{ \"segmentation\"") && crowd.raw.ends_with("1.3e1 }"));

    QVERIFY(*region_of(file.annotations[0]) == rectangle(0, 0, 9, 9));
    QVERIFY(*region_of(file.annotations[2]) == rectangle(0, 0, 2, 2));
    QVERIFY(*region_of(crowd) == region_of(*parse_rle("61X13mN000`0", 9, 10)));
    // An annotation outlives its file.
    CocoAnnotation kept;
    {
        const auto other = parsed(kInstances);
        kept = other.annotations[0];
    }
    QCOMPARE(region_of(kept)->count(), std::int64_t{81});
}

void CocoTest::reads_results() {
    const auto file = parsed(kResults);
    QVERIFY(file.results);
    QCOMPARE(file.images.size(), std::size_t{2});
    QCOMPARE(file.images[0].id, std::int64_t{42});
    QCOMPARE(file.images[0].height, std::int64_t{9});
    QCOMPARE(file.images[0].width, std::int64_t{10});
    QCOMPARE(file.images[1].id, std::int64_t{7});
    QCOMPARE(file.annotations[0].id, std::int64_t{0});
    QCOMPARE(*file.annotations[0].score, 0.236);
    QCOMPARE(*file.annotations[1].score, 0.1);
}

void CocoTest::tensors_on_demand() {
    const ScratchFolder folder;
    const auto contents = open_file(folder.write("a.json", kInstances));
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    QCOMPARE(contents->format_id, std::string("coco"));
    QCOMPARE(contents->items.size(), std::size_t{3});
    QCOMPARE(contents->metadata.at("categories"), std::string("2 table, 7 coin"));
    const auto& item = contents->items[1];
    QCOMPARE(item.key, std::string("a/\xC3\xA9.png"));
    QVERIFY(item.shape == (Shape{2, 12, 12}));
    QVERIFY(item.dtype == DType::boolean);
    QVERIFY(item.dim_names == (std::vector<std::string>{"instance", "height", "width"}));
    QCOMPARE(item.note, std::string("2 annotations: 1 polygon, 1 RLE"));
    QCOMPARE(contents->items[0].note, std::string("1 annotation: 1 RLE; 1 crowd"));
    QCOMPARE(item.coco_image, std::size_t{1});
    QVERIFY(!item.tensor.defined() && item.coco);
    const auto tensor = tensor_of(item, {});
    QVERIFY(tensor.ok());
    std::vector<std::uint8_t> want(2 * 144, 0);
    for (std::size_t row = 0; row < 9; ++row) {
        for (std::size_t col = 0; col < 9; ++col) want[row * 12 + col] = 1;
    }
    for (const std::size_t cell : {0, 1, 12, 13}) want[144 + cell] = 1;
    QVERIFY(values_of<std::uint8_t>(*tensor) == want);
}

void CocoTest::results_as_tensors() {
    const ScratchFolder folder;
    const auto polygon = with(kResults, R"({"size":[2,3],"counts":"123"})", "[[0,0,1,0,1,1]]");
    const auto contents = open_file(folder.write("r.json", polygon));
    QVERIFY(contents.ok());
    QCOMPARE(contents->items.size(), std::size_t{1});
    QCOMPARE(contents->items[0].key, std::string("42"));
    QVERIFY(contents->items[0].shape == (Shape{1, 9, 10}));
    QCOMPARE(contents->items[0].coco_image, std::size_t{0});
    QVERIFY(contents->metadata.at(std::string(kNotReadPrefix) + "7").find("size") != std::string::npos);
    const auto none = open_file(
        folder.write("p.json", R"([{"image_id":1,"category_id":1,"segmentation":[[0,0,1,0,1,1]],"score":1}])"));
    QVERIFY(!none.ok());
    QVERIFY(none.error().message.text().find("polygons, which do not say") != std::string::npos);
}

void CocoTest::images_without_annotations() {
    const ScratchFolder folder;
    const auto contents = open_file(folder.write("a.json", kInstances));
    QVERIFY(contents.ok());
    QVERIFY(contents->items[2].shape == (Shape{0, 2, 3}));
    QCOMPARE(contents->items[2].note, std::string("no annotations"));
    const auto tensor = tensor_of(contents->items[2], {});
    QVERIFY(tensor.ok());
    QCOMPARE(tensor->numel(), std::int64_t{0});
}

void CocoTest::names_that_repeat() {
    const ScratchFolder folder;
    const auto contents = open_file(folder.write("a.json", with(kInstances, "empty.png", "b.png")));
    QVERIFY(contents.ok());
    QCOMPARE(contents->items[0].key, std::string("b.png"));
    QCOMPARE(contents->items[2].key, std::string("b.png (id 8)"));
    // A pair of surrogates is one character, one alone is none; escapes of one letter.
    const auto escaped = parsed(with(kInstances, "empty.png", R"(\ud83d\ude00\ud83dx\t\\\n\u00E9)"));
    QCOMPARE(escaped.images[2].file_name, std::string("\xF0\x9F\x98\x80\xEF\xBF\xBDx\t\\\n\xC3\xA9"));
}

void CocoTest::recognised_by_its_head_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("format");
    QTest::newRow("instances") << QString::fromStdString(kInstances) << "coco";
    QTest::newRow("results") << QString::fromStdString(kResults) << "coco";
    QTest::newRow("byte order mark") << QString(QChar(0xFEFF)) + QString::fromStdString(kInstances) << "coco";
    QTest::newRow("images first") << R"(  {"images":[{"id":1,"height":1,"width":1}]})"
                                  << "coco";
    QTest::newRow("labels") << R"(["images", "annotations"])"
                            << "labels";
    QTest::newRow("rows of labels") << R"([["image_id"], ["segmentation"]])"
                                    << "labels";
    QTest::newRow("numbers") << "[[1, 2], [3, 4]]"
                             << "labels";
    QTest::newRow("nothing") << "[]"
                             << "labels";
}

void CocoTest::recognised_by_its_head() {
    QFETCH(QString, text);
    QFETCH(QString, format);
    const ScratchFolder folder;
    const auto contents = open_file(folder.write("a.json", text.toStdString()));
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    QCOMPARE(QString::fromStdString(contents->format_id), format);
}

void CocoTest::sentences_data() {
    QTest::addColumn<QString>("part");
    QTest::addColumn<QString>("other");
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("at");  // the text that the offset points to
    const auto row = [](const char* part, const char* other, const char* words, const char* at) {
        QTest::newRow(words) << part << other << words << at;
    };
    row(R"("image_id":5,"category_id":7,"iscrowd":0)", R"("category_id":7,"iscrowd":0)", "no 'image_id'",
        R"({"id":31)");
    row(R"("image_id": 6)", R"("image_id": 66)", "image 66 is not in 'images'", "{ \"seg");
    row(R"("image_id": 6)", R"("image_id": "6")", "'image_id' is a string", R"("6", "id": 12)");
    row(R"("id":31)", R"("id":3.5)", "'id' is 3.5; it has to be a whole number", "3.5");
    row(R"("id":31)", R"("id":99999999999999999999)", "whole number of 64 bits", "99999999999999999999");
    row(R"("id":31)", R"("id":40)", "two annotations have the id 40",
        R"({"id":40,"image_id":5,"category_id":7,"iscrowd":false)");
    row(R"("id": 8)", R"("id": 6)", "two images have the id 6", R"({"id": 6, "width": 3)");
    row(R"("id": 8, )", "", "image has no 'id'", R"({"width": 3)");
    row(R"("height": 2, )", "", "image has no 'height'", R"({"id": 8)");
    row(R"("height": 2)", R"("height": -2)", "'height' is -2", "-2, \"file");
    row(R"("height": 2)", R"("height": 9999999)", "sides from 0 to 131072", "9999999");
    row(R"("size" : [9, 10])", R"("size" : [10, 9])", "size is 10 x 9, but image 6 is 9 x 10", "{ \"seg");
    row(R"("size" : [9, 10])", R"("size" : [10])", "has 1 numbers", "[10]");
    row(R"(, "size" : [9, 10])", "", "without 'size'", "{ \"counts\"");
    row(R"("counts" : "61X13mN000`0" , )", "", "without 'counts'", "{ \"size\"");
    row(R"("counts" : "61X13mN000`0")", R"("counts" : 5)", "'counts' is a number", "5 , \"size");
    row(R"("iscrowd": true)", R"("iscrowd": 2)", "'iscrowd' is 2; it has to be 0 or 1", "2, \"area\": 1.3e1");
    row(R"([[0,0,9,0,9,9,0,9]])", R"([0,0,9,0,9,9,0,9])", "'segmentation' is a number", "0,0,9,0,9,9,0,9]");
    row(R"([[0,0,9,0,9,9,0,9]])", R"([[0,0,9,0,9,9,0]])", "7 coordinates; they come in pairs", "[0,0,9,0,9,9,0]");
    row(R"([[0,0,9,0,9,9,0,9]])", R"([[0,0,"9",0]])", "a string stands where a number belongs", "\"9\"");
    row(R"([[0,0,9,0,9,9,0,9]])", R"("61X13mN000`0")", "'segmentation' is a string", "\"61X13mN000`0\", \"x-tool");
    row(R"("area":81.00000)", R"("area":081)", "this is no number of JSON", "081");
    row(R"("area":81.00000)", R"("area":81,"area":82)", "has the key 'area' twice", "82");
    row(R"("images")", R"("pictures")", "has no list 'images'", "");
    row(R"("categories": [)", R"("categories": 4, "c": [)", "'categories' is a number; it has to be a list", "4, ");
    row(R"({"id": 2, )", R"({"id": 7, )", "two categories have the id 7", R"({"id": 7, "name": "table")");
    row(R"({"id": 2, )", "{", "category has no 'id'", R"({"name": "table")");
    row(R"("name": "coin")", "\"name\": \"c\\u00zz\"", "four hexadecimal digits", "\\u00zz");
    row(R"("name": "coin")", "\"name\": \"c\\x\"", "an escape that JSON does not know", "\\x");
    row(R"("name": "coin")", "\"name\": \"c\n\"", "a control character", "\n\"}");
    row(R"({"a": [1, {"b": null}]})", R"({"a": [1, {"b": nil}]})", "something", "nil");
    row(R"({"a": [1, {"b": null}]})", R"({"a": [1, {"b" null}]})", "a colon", "null}");
    row(R"({"a": [1, {"b": null}]})", R"({"a": [1, {"b": null]]})", "a comma or a closing bracket", "]]}");
    row("  ]\n}\n", "  ]\n}\n7", "behind the end of the JSON", "7");
}

void CocoTest::sentences() {
    QFETCH(QString, part);
    QFETCH(QString, other);
    QFETCH(QString, words);
    QFETCH(QString, at);
    QVERIFY(kInstances.find(part.toStdString()) != std::string::npos);
    const auto text = with(kInstances, part.toStdString(), other.toStdString());
    const auto file = parse_coco(text);
    QVERIFY(!file.ok());
    const auto sentence = file.error().message.text();
    if (words != "something") QVERIFY2(QString::fromStdString(sentence).contains(words), sentence.c_str());
    QVERIFY(file.error().where.offset.has_value());
    const auto offset = *file.error().where.offset;
    if (at.isEmpty()) return;
    QVERIFY2(text.substr(offset).starts_with(at.toStdString()), text.substr(offset, 40).c_str());
}

void CocoTest::sentences_on_demand_data() {
    QTest::addColumn<QString>("part");
    QTest::addColumn<QString>("other");
    QTest::addColumn<int>("index");
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("at");
    const auto row = [](const char* part, const char* other, int index, const char* words, const char* at) {
        QTest::newRow(words) << part << other << index << words << at;
    };
    row("61X13mN000`0", "61X13mN000`1", 1, "count more cells", "`1\"");
    row("61X13mN000`0", "61X13!N000`0", 1, "'!' does not belong", "!N");
    row("[0,2,10,2,130]", "[0,2,10,2,129]", 2, "count 143 cells, but 12 x 12 are 144", "[0,2,10,2,129]");
    row("[0,2,10,2,130]", "[0,2,10,-2,134]", 2, "run 3 has a length of -2", "-2");
    row("[0,2,10,2,130]", "[0,2,10,4294967296,4]", 2, "run 3 has a length of 4294967296", "4294967296");
    row("[0,2,10,2,130]", "[0,2,10,\"2\",4]", 2, "'counts' is a string", "\"2\"");
    row("[[0,0,9,0,9,9,0,9]]", "[[0,0,9,0,NaN,9,0,9]]", 0, "coordinate of nan", "[[0,0,9,0,NaN");
    row("[[0,0,9,0,9,9,0,9]]", "[[0,0,9,0,1e400,9,0,9]]", 0, "coordinate of inf", "[[0,0,9,0,1e400");
}

void CocoTest::sentences_on_demand() {
    QFETCH(QString, part);
    QFETCH(QString, other);
    QFETCH(int, index);
    QFETCH(QString, words);
    QFETCH(QString, at);
    const auto text = with(kInstances, part.toStdString(), other.toStdString());
    const auto file = parse_coco(text);
    QVERIFY2(file.ok(), file.ok() ? "" : file.error().text().c_str());
    const auto region = region_of(file->annotations[static_cast<std::size_t>(index)]);
    QVERIFY(!region.ok());
    const auto sentence = region.error().message.text();
    QVERIFY2(QString::fromStdString(sentence).contains(words), sentence.c_str());
    const auto offset = *region.error().where.offset;
    QVERIFY2(text.substr(offset).starts_with(at.toStdString()), text.substr(offset, 40).c_str());
    // The item says the same.
    const ScratchFolder folder;
    const auto contents = open_file(folder.write("a.json", text));
    QVERIFY(contents.ok());
    const auto tensor = tensor_of(contents->items[index == 1 ? 0 : 1], {});
    QVERIFY(!tensor.ok());
    QCOMPARE(tensor.error().message.text(), sentence);
}

void CocoTest::cut_anywhere() {
    const auto last = kInstances.rfind('}');
    for (std::size_t size = 0; size <= last; ++size) {
        const auto file = parse_coco(kInstances.substr(0, size));
        QVERIFY2(!file.ok(), qPrintable(QString::number(size)));
        QVERIFY(file.error().where.offset.has_value() && *file.error().where.offset <= size);
    }
}

void CocoTest::other_kinds_of_annotations_data() {
    QTest::addColumn<QString>("annotation");
    QTest::addColumn<QString>("words");
    QTest::newRow("captions") << R"({"image_id": 5, "id": 1, "caption": "a coin"})"
                              << "are captions";
    QTest::newRow("keypoints") << R"({"image_id": 5, "id": 1, "keypoints": [1,2,2], "bbox": [0,0,1,1]})"
                               << "are keypoints";
    QTest::newRow("boxes") << R"({"image_id": 5, "id": 1, "category_id": 1, "bbox": [0,0,1,1]})"
                           << "are boxes";
    QTest::newRow("panoptic") << R"({"image_id": 5, "segments_info": [{"id": 3}], "file_name": "a.png"})"
                              << "PNG files beside them";
    QTest::newRow("others") << R"({"image_id": 5, "id": 1})"
                            << "none of the annotations";
}

void CocoTest::other_kinds_of_annotations() {
    QFETCH(QString, annotation);
    QFETCH(QString, words);
    const auto text =
        R"({"images": [{"id": 5, "width": 1, "height": 1}], "annotations": [)" + annotation.toStdString() + "]}";
    const auto file = parse_coco(text);
    QVERIFY(!file.ok());
    QVERIFY2(QString::fromStdString(file.error().message.text()).contains(words), file.error().text().c_str());
}

void CocoTest::the_sample_is_its_label_mask_data() {
    QTest::addColumn<QString>("annotations");
    QTest::addColumn<QString>("labels");
    QTest::newRow("instances") << "coins_truth.json"
                               << "coins_truth.npy";
    QTest::newRow("results") << "coins_predicted.json"
                             << "coins_predicted.npy";
    QTest::newRow("results of another size") << "coffee_predicted.json"
                                             << "coffee_predicted.npy";
}

void CocoTest::the_sample_is_its_label_mask() {
    QFETCH(QString, annotations);
    QFETCH(QString, labels);
    const std::string folder = MS_SOURCE_DIR "/samples/segmentation/";
    const auto contents = open_file(folder + annotations.toStdString());
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    QCOMPARE(contents->items.size(), std::size_t{1});
    const auto planes = tensor_of(contents->items[0], {});
    QVERIFY(planes.ok());
    const auto file = open_file(folder + labels.toStdString());
    QVERIFY(file.ok());
    const auto cells = values_of<std::uint8_t>(file->items[0].tensor);
    const std::set<std::uint8_t> found(cells.begin(), cells.end());
    QCOMPARE(found.size(), static_cast<std::size_t>(planes->size(0)) + 1);
    std::int64_t plane = 0;
    for (const auto label : found) {
        if (label == 0) continue;
        std::vector<std::uint8_t> want(cells.size());
        std::transform(cells.begin(), cells.end(), want.begin(), [&](auto cell) { return cell == label ? 1 : 0; });
        QVERIFY2(values_of<std::uint8_t>(planes->select(0, plane)) == want, qPrintable(QString::number(label)));
        ++plane;
    }
}

QTEST_APPLESS_MAIN(CocoTest)
#include "coco_test.moc"
