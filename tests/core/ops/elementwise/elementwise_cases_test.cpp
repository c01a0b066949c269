// SPDX-License-Identifier: Apache-2.0
// Every op of the family against what PyTorch gave for it: values, dtype, shape, strides, refusals.
#include "tests/core/ops/elementwise/case_text.h"

#include <QTest>

#include <fstream>

namespace maskscope::ops {

void add_elementwise_family(OpTable& table);

class ElementwiseCasesTest : public QObject {
    Q_OBJECT

    static Form form_of(const std::string& letter) {
        if (letter == "f") return Form::function;
        if (letter == "F") return Form::functional;
        return letter == "m" ? Form::method : Form::in_place;
    }

    static std::string ask(const OpTable& table, const std::string& line) {
        const auto arrow = line.find(" => ");
        std::istringstream asked(line.substr(0, arrow));
        std::istringstream said(line.substr(arrow + 4));
        std::int64_t ulps = 0;
        said >> ulps;
        std::string answer;
        std::getline(said >> std::ws, answer);

        Run run(table, {});
        std::string name;
        std::string form;
        asked >> name >> form;
        const OpSpec* spec = table.find(name);
        if (spec == nullptr) return "no such op";
        std::vector<Value> positional;
        while (auto value = read_value(asked, run)) positional.push_back(std::move(*value));
        std::vector<Named> named;
        for (std::string key; asked >> key;) named.emplace_back(key, *read_value(asked, run));
        return difference(run.call(*spec, form_of(form), positional, named), answer, ulps);
    }

private slots:
    void agreesWithTorch_data() {
        QTest::addColumn<QString>("file");
        for (const char* name : {"unary", "binary", "several"}) QTest::newRow(name) << QString(name);
    }
    void agreesWithTorch() {
        QFETCH(QString, file);
        OpTable table;
        add_elementwise_family(table);
        std::ifstream in(MS_SOURCE_DIR "/tests/core/ops/elementwise/" + file.toStdString() + "_cases.txt");
        int asked = 0;
        int failed = 0;
        for (std::string line; std::getline(in, line);) {
            if (line.starts_with("#")) continue;
            ++asked;
            const std::string problem = ask(table, line);
            if (problem.empty()) continue;
            if (++failed <= 10) qWarning("%s\n    %s", problem.c_str(), line.substr(0, 300).c_str());
        }
        QVERIFY(asked > 300);
        QCOMPARE(failed, 0);
    }
};

}  // namespace maskscope::ops

QTEST_APPLESS_MAIN(maskscope::ops::ElementwiseCasesTest)
#include "elementwise_cases_test.moc"
