// SPDX-License-Identifier: Apache-2.0
// CSV tables, label files and JSON lists: what is read, and one row for each refusal.
#include "core/io/limits.h"
#include "tests/core/io/scratch_files.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace maskscope;
using namespace maskscope::io;
using namespace std::string_literals;
using maskscope::test::ScratchFolder;
using maskscope::test::values_of;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

bool same(const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

class TextFormatsTest : public QObject {
    Q_OBJECT

private slots:
    void tables_data();
    void tables();
    void table_with_names_says_so();
    void labels_data();
    void labels();
    void number_lists_data();
    void number_lists();
    void dtype_follows_the_values();
    void refuses_data();
    void refuses();
    void nesting_costs_no_stack();

private:
    ScratchFolder folder_;
};

void TextFormatsTest::tables_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QList<double>>("values");
    const auto row = [](const char* title, const char* name, const char* text, const char* shape,
                        const QList<double>& values) {
        QTest::newRow(title) << name << QByteArray(text) << shape << values;
    };
    row("comma", "a.csv", "1,2.5\n-3,4e2\n", "[2, 2]", {1, 2.5, -3, 400});
    row("no line break at the end", "a.csv", "1,2", "[1, 2]", {1, 2});
    row("CRLF and empty lines at the end", "a.csv", "1,2\r\n3,4\r\n\r\n\n", "[2, 2]", {1, 2, 3, 4});
    row("tab", "a.tsv", "1\t2\n3\t4\n", "[2, 2]", {1, 2, 3, 4});
    row("semicolon", "a.csv", "1;2\n3;4\n", "[2, 2]", {1, 2, 3, 4});
    row("one column", "a.csv", "1\n2\n", "[2, 1]", {1, 2});
    row("spaces and signs", "a.csv", " 1 , +2\n-0.5,\t3\n", "[2, 2]", {1, 2, -0.5, 3});
    row("words", "a.csv", "nan,inf\n-inf,+Infinity\n", "[2, 2]", {kNan, kInf, -kInf, kInf});
    row("names", "a.csv", "query,key\n1,2\n", "[1, 2]", {1, 2});
    row("names behind a byte order mark", "a.csv", "\xEF\xBB\xBFquery,key\n1,2\n", "[1, 2]", {1, 2});
    row("names with an empty corner", "a.csv", ",key\n1,2\n", "[1, 2]", {1, 2});
    row("quotes around the separator", "a.csv", "\"a, b\",\"c\"\n\"1\",2\n", "[1, 2]", {1, 2});
}

void TextFormatsTest::tables() {
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(QString, shape);
    QFETCH(QList<double>, values);
    const auto contents = open_file(folder_.write(name.toStdString(), text.toStdString()));
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    const auto tensor = tensor_of(contents->items.front(), {});
    QVERIFY(tensor.ok());
    QCOMPARE(tensor->dtype(), DType::f64);
    QCOMPARE(QString::fromStdString(text_of(tensor->shape())), shape);
    QVERIFY(same(values_of<double>(*tensor), {values.begin(), values.end()}));
}

void TextFormatsTest::table_with_names_says_so() {
    const auto named = open_file(folder_.write("a.csv", "a,b\n1,2\n"));
    const auto bare = open_file(folder_.write("b.csv", "1,2\n"));
    QVERIFY(named.ok() && bare.ok());
    QVERIFY(!named->items.front().note.empty());
    QVERIFY(bare->items.front().note.empty());
    QVERIFY(named->items.front().dim_names.empty());
}

using Rows = std::vector<std::vector<std::string>>;
Q_DECLARE_METATYPE(Rows)

void TextFormatsTest::labels_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<Rows>("rows");
    const auto row = [](const char* title, const char* name, const char* text, const Rows& rows) {
        QTest::newRow(title) << name << QByteArray(text) << rows;
    };
    row("lines", "a.txt", "[CLS]\nfish\n", {{"[CLS]", "fish"}});
    row("CRLF, byte order mark, no last break", "a.txt", "\xEF\xBB\xBFä\r\n猫", {{"ä", "猫"}});
    row("an empty line is an empty label", "a.txt", "a\n\nb\n", {{"a", "", "b"}});
    row("spaces belong to the label", "a.txt", " the\n", {{" the"}});
    row("JSON list", "a.json", R"(["a", "\u00e4", "\ud83d\udc1f"])", {{"a", "ä", "🐟"}});
    row("JSON list for each row", "a.json", R"([["a","b"],["c"]])", {{"a", "b"}, {"c"}});
    row("JSON row without labels", "a.json", R"([[],["c"]])", {{}, {"c"}});
    row("words of numbers alone are labels", "a.json", R"(["inf","nan"])", {{"inf", "nan"}});
    row("Python's words inside strings stay", "a.json", R"(["NaN \" Infinity", "x"])", {{"NaN \" Infinity", "x"}});
}

void TextFormatsTest::labels() {
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(Rows, rows);
    const auto contents = open_file(folder_.write(name.toStdString(), text.toStdString()));
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    const Item& item = contents->items.front();
    QVERIFY(item.labels.has_value());
    QCOMPARE(item.labels->rows, rows);
    const auto tensor = tensor_of(item, {});
    QVERIFY(!tensor.ok());
    QVERIFY(tensor.error().text().find("text labels") != std::string::npos);
}

void TextFormatsTest::number_lists_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QList<double>>("values");
    const auto row = [](const char* title, const char* text, const char* shape, const QList<double>& values) {
        QTest::newRow(title) << QByteArray(text) << shape << values;
    };
    row("one level", "[1.5, 2]", "[2]", {1.5, 2});
    row("three levels", "[[[1.5],[2]],[[3],[4]]]", "[2, 2, 1]", {1.5, 2, 3, 4});
    row("byte order mark", "\xEF\xBB\xBF[0.5]", "[1]", {0.5});
    row("words before the first number", R"([["nan", "-inf"], [1, "inf"]])", "[2, 2]", {kNan, -kInf, 1, kInf});
    row("what Python writes", "[[NaN, Infinity], [-Infinity, 0.0]]", "[2, 2]", {kNan, kInf, -kInf, 0});
    row("integers before a fraction", "[1, 2, 0.5]", "[3]", {1, 2, 0.5});
    row("empty", "[]", "[0]", {});
    row("empty rows", "[[], []]", "[2, 0]", {});
}

void TextFormatsTest::number_lists() {
    QFETCH(QByteArray, text);
    QFETCH(QString, shape);
    QFETCH(QList<double>, values);
    const auto contents = open_file(folder_.write("a.json", text.toStdString()));
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    const auto tensor = tensor_of(contents->items.front(), {});
    QVERIFY(tensor.ok());
    QCOMPARE(tensor->dtype(), DType::f64);
    QCOMPARE(QString::fromStdString(text_of(tensor->shape())), shape);
    QVERIFY(same(values_of<double>(*tensor), {values.begin(), values.end()}));
}

void TextFormatsTest::dtype_follows_the_values() {
    const auto integers = open_file(folder_.write("i.json", "[[9223372036854775807], [-9223372036854775808]]"));
    QVERIFY(integers.ok());
    QCOMPARE(integers->items.front().dtype, DType::i64);
    QCOMPARE(values_of<std::int64_t>(integers->items.front().tensor),
             (std::vector<std::int64_t>{INT64_MAX, INT64_MIN}));
    const auto bools = open_file(folder_.write("b.json", "[[true, false]]"));
    QVERIFY(bools.ok());
    QCOMPARE(bools->items.front().dtype, DType::boolean);
    QCOMPARE(values_of<std::uint8_t>(bools->items.front().tensor), (std::vector<std::uint8_t>{1, 0}));
}

void TextFormatsTest::refuses_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    QTest::addColumn<int>("line");  // 0: none
    // Of the line, or in JSON of the byte behind the value (a number ends with the character behind it).
    QTest::addColumn<int>("offset");
    const auto row = [](const char* title, const char* name, const std::string& text, const char* says, int line,
                        int offset) {
        QTest::newRow(title) << name << QByteArray::fromStdString(text) << says << line << offset;
    };
    row("empty cell", "a.csv", "1,2\n3,\n", "column 2 is empty", 2, 4);
    row("empty line between", "a.csv", "1\n\n3\n", "column 1 is empty", 2, 2);
    row("word among numbers", "a.csv", "1,2\n3,four\n", "'four' in column 2 is no number", 2, 4);
    row("number and word in the first line", "a.csv", "1,two\n", "'two' in column 2 is no number", 1, 0);
    row("decimal comma", "a.csv", "0,5;1\n", "'0,5' in column 1 is no number (at byte 0) (line 1). write decimals", 1,
        0);
    row("number with a tail", "a.csv", "1,2x\n", "'2x' in column 2 is no number", 1, 0);
    row("beyond float64", "a.csv", "1,1e999\n", "'1e999' in column 2 is no number", 1, 0);
    row("short line", "a.csv", "1,2\n3\n", "this line has 1 cells and the first has 2", 2, 4);
    row("long line", "a.csv", "a,b\n1,2,3\n", "this line has 3 cells and the first has 2", 2, 4);
    row("names alone", "a.csv", "a,b\n", "names and no numbers", 1, -1);
    row("empty names", "a.csv", ",\n1,2\n", "column 1 is empty", 1, 0);
    row("open quote", "a.csv", "1,\"2\n", "column 2 opens a quote", 1, 0);
    row("line breaks alone", "a.csv", "\n\n", "the file is empty", 0, 0);
    row("zero bytes", "a.csv", "1,\0\0\n"s, "'\\x00\\x00' in column 2 is no number", 1, 0);
    row("labels are Latin-1", "a.txt",
        "fish\nW\xE4"
        "chter\n",
        "line 2 is not UTF-8 text", 0, 6);
    row("labels are UTF-16", "a.txt",
        "\xFF\xFE"
        "a\0"s,
        "line 1 is not UTF-8 text", 0, 0);
    row("labels hold a zero", "a.txt", "a\0b"s, "line 1 is not UTF-8 text", 0, 1);
    row("byte order mark alone", "a.txt", "\xEF\xBB\xBF", "the file is empty", 0, 3);
    row("JSON cut short", "a.json", "[1, 2", "this is not JSON", 0, 5);
    row("JSON with a tail", "a.json", "[1] 2", "this is not JSON", 0, 4);
    row("JSON behind Python's words", "a.json", "[NaN, Infinity, x]", "this is not JSON", 0, 16);
    row("JSON is no UTF-8", "a.json", "[\"\xFF\"]", "this is not JSON", 0, 2);
    row("JSON object", "a.json", R"({"tokens": []})", "not an object", 0, 1);
    row("JSON number", "a.json", "12", "a JSON list belongs here", 0, 2);
    row("null", "a.json", "[1, null]", "null is neither", 0, 8);
    row("text among numbers", "a.json", R"([1, "two"])", "'two' stands among values of another kind", 0, 9);
    row("number among texts", "a.json", R"(["two", 1])", "a number stands among values of another kind", 0, 10);
    row("bool among numbers", "a.json", "[1, true]", "true stands among values of another kind", 0, 8);
    row("number among bools", "a.json", "[true, 1.5]", "a number stands among values of another kind", 0, 11);
    row("ragged", "a.json", "[[1, 2], [3]]", "this list has 1 entries and an earlier one beside it 2", 0, 12);
    row("ragged and empty", "a.json", "[[], [[]]]", "this list has 1 entries and an earlier one beside it 0", 0, 9);
    row("value beside a list", "a.json", "[[1], 2]", "a number stands at another depth", 0, 8);
    row("list beside a value", "a.json", "[1, [2]]", "a list stands at another depth", 0, 5);
    row("labels three deep", "a.json", R"([[["a"]]])", "these are nested deeper", 0, 6);
    row("beyond int64", "a.json", "[9223372036854775808]", "9223372036854775808 does not fit int64", 0, 21);
    row("beyond float64 in JSON", "a.json", "[1e999]", "number overflow", 0, 5);
    row("13 levels", "a.json", std::string(13, '[') + "1" + std::string(13, ']'), "nested more than 12 deep", 0, 13);
    row("nothing that is read", "a.docx", "PK", "none of the formats that Maskscope reads", 0, -1);
    row("empty file", "a.npy", "", "the file is empty", 0, -1);
}

void TextFormatsTest::refuses() {
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    QFETCH(int, line);
    QFETCH(int, offset);
    const std::string path = folder_.write(name.toStdString(), text.toStdString());
    const auto contents = open_file(path);
    QVERIFY(!contents.ok());
    const Error& error = contents.error();
    QVERIFY2(error.text().find(says.toStdString()) != std::string::npos, error.text().c_str());
    QCOMPARE(error.where.file, path);
    QCOMPARE(error.where.line.value_or(0), line);
    QCOMPARE(error.where.offset ? static_cast<int>(*error.where.offset) : -1, offset);
}

void TextFormatsTest::nesting_costs_no_stack() {
    const auto contents = open_file(folder_.write("a.json", std::string(8U << 20U, '[')));
    QVERIFY(!contents.ok());
    QVERIFY(contents.error().text().find("nested more than 12 deep") != std::string::npos);
}

QTEST_APPLESS_MAIN(TextFormatsTest)
#include "text_formats_test.moc"
