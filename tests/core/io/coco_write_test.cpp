// SPDX-License-Identifier: Apache-2.0
// COCO files written back: an edit leaves every other byte alone.
#include "core/io/coco.h"

#include "core/io/coco_rle.h"
#include "tests/core/io/coco_texts.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace maskscope;
using namespace maskscope::io;
using namespace maskscope::test;
using nlohmann::json;

namespace {

std::string changed(const CocoFile& file, const std::vector<CocoChange>& changes) {
    const auto text = with_changes(file, changes);
    return text ? *text : text.error().text();
}

CocoChange changed_to(std::size_t index, const mask::Region& region, CocoForm form = CocoForm::rle_text) {
    CocoChange change;
    change.index = index;
    change.region = region;
    change.form = form;
    return change;
}

CocoChange deleted(std::size_t index) {
    CocoChange change;
    change.index = index;
    return change;
}

}  // namespace

class CocoWriteTest : public QObject {
    Q_OBJECT

private slots:
    void no_change_no_byte();
    void a_change_keeps_its_keys();
    void deleting();
    void adding();
    void adding_to_none();
    void results_written_back();
    void refused_changes();
    void a_file_of_its_own();
    void polygons_come_back();
};

void CocoWriteTest::no_change_no_byte() {
    for (const auto& text : {kInstances, kResults, "\xEF\xBB\xBF" + kInstances}) {
        const auto file = parsed(text);
        QCOMPARE(changed(file, {}), text);
    }
}

void CocoWriteTest::a_change_keeps_its_keys() {
    const auto file = parsed(kInstances);
    // Each byte of the file but the three values.
    auto want = with(kInstances, R"("area":81.00000,"bbox":[0, 0,9,9],"segmentation":[[0,0,9,0,9,9,0,9]])",
                     R"("area":6,"bbox":[3, 1, 3, 2],"segmentation":[[3, 1, 6, 1, 6, 3, 3, 3]])");
    QCOMPARE(changed(file, {changed_to(0, rectangle(1, 3, 2, 3), CocoForm::polygon)}), want);
    // No bbox before: none after. Beyond the border nothing counts.
    want = with(kInstances, R"({ "counts" : "61X13mN000`0" , "size" : [9, 10] })",
                R"({"size": [9, 10], "counts": "X25400"})");
    QCOMPARE(changed(file, {changed_to(1, rectangle(-5, 8, 10, 10))}), with(want, R"("area": 1.3e1)", R"("area": 10)"));
    // As a list, and empty.
    want = with(kInstances, R"("area":4,"bbox":[0,0,2,2],"segmentation":{"size":[12,12],"counts":[0,2,10,2,130]})",
                R"("area":0,"bbox":[0, 0, 0, 0],"segmentation":{"size": [12, 12], "counts": [144]})");
    QCOMPARE(changed(file, {changed_to(2, {}, CocoForm::rle_counts)}), want);
    // A backslash in the run lengths is escaped.
    const auto slashed = changed(file, {changed_to(0, rectangle(8, 3, 1, 1))});
    QVERIFY(slashed.find("\"counts\": \"\\\\11S3\"") != std::string::npos);
    QVERIFY(*region_of(parsed(slashed).annotations[0]) == rectangle(8, 3, 1, 1));
}

void CocoWriteTest::deleting() {
    const auto file = parsed(kInstances);
    const auto first = bytes_of(file, 0);
    const auto second = bytes_of(file, 1);
    const auto third = bytes_of(file, 2);
    QCOMPARE(changed(file, {deleted(0)}), with(kInstances, first + ",\n    ", ""));
    QCOMPARE(changed(file, {deleted(1)}), with(kInstances, ",\n    " + second, ""));
    QCOMPARE(changed(file, {deleted(2)}), with(kInstances, ",\n\t" + third, ""));
    QCOMPARE(changed(file, {deleted(2), deleted(0)}),
             with(with(kInstances, first + ",\n    ", ""), ",\n\t" + third, ""));
    const auto none = changed(file, {deleted(0), deleted(1), deleted(2)});
    QCOMPARE(none, with(kInstances, first + ",\n    " + second + ",\n\t" + third, ""));
    QCOMPARE(json::parse(none)["annotations"].size(), std::size_t{0});
    QCOMPARE(parsed(none).images[1].annotations.size(), std::size_t{0});
}

void CocoWriteTest::adding() {
    const auto file = parsed(kInstances);
    auto change = changed_to(3, rectangle(0, 0, 9, 10));
    change.image_id = 6;
    change.category_id = 2;
    const auto third = bytes_of(file, 2);
    const std::string added =
        R"({"id": 41, "image_id": 6, "category_id": 2, "segmentation": {"size": [9, 10], "counts": "0j2"}, "area": 90, )"
        R"("bbox": [0, 0, 10, 9], "iscrowd": 0})";
    QCOMPARE(changed(file, {change}), with(kInstances, third, third + ",\n\t" + added));
    // A second one gets the id behind it.
    const auto two = json::parse(changed(file, {change, change}));
    QCOMPARE(two["annotations"][4]["id"].get<int>(), 42);
    // The largest id there is: what is free is taken.
    const auto full = parsed(with(kInstances, R"("id":40)", R"("id":9223372036854775807)"));
    QCOMPARE(json::parse(changed(full, {change}))["annotations"][3]["id"].get<int>(), 1);
}

void CocoWriteTest::adding_to_none() {
    CocoChange change = changed_to(0, rectangle(0, 0, 1, 1), CocoForm::polygon);
    change.image_id = 1;
    change.category_id = 3;
    const std::string added =
        R"({"id": 1, "image_id": 1, "category_id": 3, "segmentation": [[0, 0, 1, 0, 1, 1, 0, 1]], )"
        R"("area": 1, "bbox": [0, 0, 1, 1], "iscrowd": 0})";
    const std::string empty = R"({"annotations": [ ], "images": [{"id": 1, "height": 2, "width": 2}]} )";
    QCOMPARE(changed(parsed(empty), {change}), with(empty, "[ ]", "[" + added + "]"));
    const std::string missing = "{\"images\": [{\"id\": 1, \"height\": 2, \"width\": 2}] }\n";
    QCOMPARE(changed(parsed(missing), {change}), with(missing, "] }", "] , \"annotations\": [" + added + "]}"));
}

void CocoWriteTest::results_written_back() {
    const auto file = parsed(kResults);
    QCOMPARE(changed(file, {changed_to(1, rectangle(0, 0, 2, 3))}),
             with(kResults, R"({"size":[2,3],"counts":"123"})", R"({"size": [2, 3], "counts": "06"})"));
    CocoChange change = changed_to(2, rectangle(0, 0, 2, 3));
    change.image_id = 7;
    change.category_id = 4;
    QCOMPARE(
        changed(file, {change, deleted(0)}),
        "[" + bytes_of(file, 1) +
            R"(,{"image_id": 7, "category_id": 4, "segmentation": {"size": [2, 3], "counts": "06"}, "score": 1.0}])");
}

void CocoWriteTest::refused_changes() {
    const auto file = parsed(kInstances);
    QVERIFY(!with_changes(file, {deleted(4)}).ok());
    QVERIFY(!with_changes(file, {deleted(3)}).ok());
    QVERIFY(!with_changes(file, {deleted(1), deleted(1)}).ok());
    QVERIFY(!with_changes(file, {deleted(1), changed_to(1, rectangle(0, 0, 1, 1))}).ok());
    auto elsewhere = changed_to(3, rectangle(0, 0, 1, 1));
    elsewhere.image_id = 77;
    const auto text = with_changes(file, {elsewhere});
    QVERIFY(!text.ok());
    QVERIFY(text.error().message.text().find("no image 77") != std::string::npos);
}

void CocoWriteTest::a_file_of_its_own() {
    CocoNew content;
    content.file_name = "a \"b\"\\\xC3\xA9.png";
    content.height = 9;
    content.width = 10;
    content.categories = {{7, "coin"}};
    content.instances.push_back({rectangle(0, 0, 3, 3), 7, 0, CocoForm::polygon});
    content.instances.push_back({region_of(*parse_rle("61X13mN000`0", 9, 10)), 8, 5, CocoForm::rle_text});
    content.instances.push_back({rectangle(4, 4, 2, 2), 7, 0, CocoForm::rle_counts});
    const auto text = coco_text(content);
    const auto tree = json::parse(text);
    QCOMPARE(tree["images"][0]["file_name"].get<std::string>(), content.file_name);
    QCOMPARE(tree["categories"].size(), std::size_t{2});
    QCOMPARE(tree["annotations"][1]["segmentation"]["counts"].get<std::string>(), std::string("61X13mN000`0"));
    const auto file = parsed(text);
    QCOMPARE(file.annotations.size(), std::size_t{3});
    for (std::size_t i = 0; i < 3; ++i) {
        QVERIFY(*region_of(file.annotations[i]) == content.instances[i].region);
        QVERIFY(file.annotations[i].form == content.instances[i].form);
        QCOMPARE(tree["annotations"][i]["area"].get<std::int64_t>(), content.instances[i].region.count());
    }
    QCOMPARE(file.annotations[0].id, std::int64_t{6});
    QCOMPARE(file.annotations[1].id, std::int64_t{5});
    QCOMPARE(file.annotations[2].id, std::int64_t{7});
    QVERIFY(parse_coco(coco_text({})).ok());
}

void CocoWriteTest::polygons_come_back() {
    // Contours along pixel edges, drawn as pycocotools draws them: the same cells, with what touches at corners only.
    std::uint32_t state = 9;
    const auto random = [&] { return (state = state * 1664525U + 1013904223U) >> 16U; };
    int seen = 0;
    for (int round = 0; round < 200; ++round) {
        std::vector<mask::Run> runs;
        for (int row = 0; row < 12; ++row) {
            const auto begin = static_cast<std::int32_t>(random() % 14);
            runs.push_back({row, begin, std::min(14, begin + static_cast<std::int32_t>(random() % 9))});
        }
        // One run a row: no holes.
        const auto region = mask::Region::of(std::move(runs));
        CocoNew content;
        content.height = 12;
        content.width = 14;
        content.instances.push_back({region, 1, 0, CocoForm::polygon});
        const auto file = parsed(coco_text(content));
        QVERIFY(*region_of(file.annotations[0]) == region);
        ++seen;
    }
    QCOMPARE(seen, 200);
}

QTEST_APPLESS_MAIN(CocoWriteTest)
#include "coco_write_test.moc"
