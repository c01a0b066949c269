// SPDX-License-Identifier: Apache-2.0
#include "core/base/checked.h"
#include "core/base/result.h"

#include <QTest>

#include <cstdint>
#include <limits>

using namespace maskscope;

namespace {
Result<int> half(int value) {
    if (value % 2 != 0) return input_error(MS_TEXT("{} is odd"), value).in_file("a.npy").at(12);
    return value / 2;
}

Result<int> quarter(int value) {
    MS_TRY(once, half(value));
    MS_TRY(twice, half(once));
    return twice;
}
}  // namespace

class MessageTest : public QObject {
    Q_OBJECT
private slots:
    void formats_its_arguments() {
        QCOMPARE(message("{} of {}", 3, "key").text(), std::string("3 of key"));
        QCOMPARE(message("{1} before {0}", 1, 2).text(), std::string("2 before 1"));
    }
    void a_pattern_that_does_not_fit_is_shown_as_it_is() {
        QCOMPARE(message("{} and {}", 1).text(), std::string("{} and {}"));
    }
    void a_verbatim_text_may_hold_braces() {
        Message text{"a {3} b", {}, true};
        QCOMPARE(text.text(), std::string("a {3} b"));
    }
    void error_says_what_where_and_what_to_do() {
        Error error = half(3).error();
        QCOMPARE(error.text(), std::string("a.npy: 3 is odd (at byte 12)"));
        QCOMPARE(std::move(error).with_hint("Take an even one.").text(),
                 std::string("a.npy: 3 is odd (at byte 12). Take an even one."));
    }
    void try_takes_the_value_or_returns_the_error() {
        QCOMPARE(*quarter(8), 2);
        QVERIFY(!quarter(6));
        QCOMPARE(quarter(6).error().message.text(), std::string("3 is odd"));
    }
    void checked_arithmetic_sees_overflow() {
        constexpr auto big = std::numeric_limits<std::int64_t>::max();
        QVERIFY(!checked_mul(big, std::int64_t{2}));
        QVERIFY(!checked_add(big, std::int64_t{1}));
        QCOMPARE(*checked_mul(std::int64_t{1} << 31, std::int64_t{1} << 31), std::int64_t{1} << 62);
    }
};

QTEST_APPLESS_MAIN(MessageTest)
#include "message_test.moc"
