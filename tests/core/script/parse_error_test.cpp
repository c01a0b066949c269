// SPDX-License-Identifier: Apache-2.0
// Words and lines are CPython's (3.12, in f-strings too); spans are where a person would look.
#include "tests/core/script/script_text.h"

#include <QTest>

using namespace maskscope::script;
using std::string;

namespace {

struct Case {
    const char* source;
    const char* words;
    int line;
    const char* at;  // the text of the span
};

// Null when the case holds, else what is different.
string difference(const Case& expected, const char* type = "SyntaxError") {
    const auto module = parse(expected.source);
    if (module) return "no error";
    const auto& error = module.error();
    const Source source(expected.source);
    const auto span = error.where.span.value();
    const Span at{static_cast<std::uint32_t>(span[0]), static_cast<std::uint32_t>(span[1])};
    const string found =
        fmt::format("{}: {} ({}, '{}')", error.type, error.message.text(), error.where.line.value(), source.text(at));
    const string wanted = fmt::format("{}: {} ({}, '{}')", type, expected.words, expected.line, expected.at);
    return found == wanted ? "" : found;
}

string hint(const char* source) {
    const auto module = parse(source);
    return module ? "no error" : module.error().hint.text();
}

}  // namespace

class ParseErrorTest : public QObject {
    Q_OBJECT
private slots:
    void words_and_places_are_pythons() {
        const Case cases[] = {
            {"x = (1, 2", "'(' was never closed", 1, "("},
            {"x = f(a,\ny = 2\nz = 3", "'(' was never closed", 1, "("},
            {"x = )", "unmatched ')'", 1, ")"},
            {"x = (1]", "closing parenthesis ']' does not match opening parenthesis '('", 1, "]"},
            {"x = (1,\n2]", "closing parenthesis ']' does not match opening parenthesis '(' on line 1", 2, "]"},
            {"f(a b)", "invalid syntax. Perhaps you forgot a comma?", 1, "a b"},
            {"x[1 2]", "invalid syntax. Perhaps you forgot a comma?", 1, "1 2"},
            {"{1: 2, 3}", "':' expected after dictionary key", 1, "3"},
            {"{1:}", "expression expected after dictionary key and ':'", 1, ":"},
            {"if x = 3: pass", "invalid syntax. Maybe you meant '==' or ':=' instead of '='?", 1, "x"},
            {"if x.y = 3: pass", "cannot assign to attribute here. Maybe you meant '==' instead of '='?", 1, "x.y"},
            {"f() = 1", "cannot assign to function call here. Maybe you meant '==' instead of '='?", 1, "f()"},
            {"a, (b, 1) = c", "cannot assign to literal", 1, "1"},
            {"True = 1", "cannot assign to True", 1, "True"},
            {"f() += 1", "'function call' is an illegal expression for augmented assignment", 1, "f()"},
            {"del f()", "cannot delete function call", 1, "f()"},
            {"*a = 1", "starred assignment target must be in a list or tuple", 1, "*a"},
            {"*a, *b = c", "multiple starred expressions in assignment", 1, "*a, *b"},
            {"x = *a", "can't use starred expression here", 1, "*a"},
            {"(a, b): int", "only single target (not tuple) can be annotated", 1, "(a, b)"},
            {"print 'a'", "Missing parentheses in call to 'print'. Did you mean print(...)?", 1, "print"},
            {"f(a=1, b)", "positional argument follows keyword argument", 1, "b"},
            {"f(**a, *b)", "iterable argument unpacking follows keyword argument unpacking", 1, "*b"},
            {"f(a=1, a=2)", "keyword argument repeated: a", 1, "a=2"},
            {"f(a.b=1)", "expression cannot contain assignment, perhaps you meant \"==\"?", 1, "a.b="},
            {"f(a for a in b, c)", "Generator expression must be parenthesized", 1, "a for a in b"},
            {"[a, b for a in c]", "did you forget parentheses around the comprehension target?", 1, "a, b"},
            {"def f(a=1, b): pass", "parameter without a default follows parameter with a default", 1, "b"},
            {"def f(a, a): pass", "duplicate argument 'a' in function definition", 1, "a"},
            {"def f(*): pass", "named arguments must follow bare *", 1, "*"},
            {"x = a if b", "expected 'else' after 'if' expression", 1, "a if b"},
            {"\nbreak", "'break' outside loop", 2, "break"},
            {"for i in x:\n def f(): continue", "'continue' not properly in loop", 2, "continue"},
            {"return 1", "'return' outside function", 1, "return"},
            {"def f(x):\n  global x", "name 'x' is parameter and global", 2, "x"},
            {"def f():\n  nonlocal x", "no binding for nonlocal 'x' found", 2, "x"},
            {"x = 'abc\ny = 1", "unterminated string literal (detected at line 1)", 1, "'"},
            {"x = '''abc\ny", "unterminated triple-quoted string literal (detected at line 2)", 1, "'''"},
            {"x = 012",
             "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers", 1,
             "012"},
            {"x = 1abc", "invalid decimal literal", 1, "1abc"},
            {"x = 0b2", "invalid digit '2' in binary literal", 1, "2"},
            {"x = a \\ b", "unexpected character after line continuation character", 1, "\\"},
            {"x = \xE2\x80\x9C"
             "a",
             "invalid character '\xE2\x80\x9C' (U+201C)", 1, "\xE2\x80\x9C"},
            {"x =\xC2\xA0"
             "1",
             "invalid non-printable character U+00A0", 1, "\xC2\xA0"},
            {"f'{}'", "f-string: valid expression required before '}'", 1, "}"},
            {"f'{a'", "f-string: expecting '}'", 1, "'"},
            {"f'}'", "f-string: single '}' is not allowed", 1, "}"},
            {"f'{a!x}'", "f-string: invalid conversion character 'x': expected 's', 'r', or 'a'", 1, "x"},
            {"from a import b,", "trailing comma not allowed without surrounding parentheses", 1, ","},
            {"x = ", "invalid syntax", 1, ""},
            {"a b", "invalid syntax", 1, "b"},
        };
        for (const Case& one : cases) QCOMPARE(difference(one), string());
    }
    void colons_and_blocks() {
        QCOMPARE(difference({"if x\n  y", "expected ':'", 1, "\n"}), string());
        QCOMPARE(difference({"def f(x)\n  y", "expected ':'", 1, "\n"}), string());
        const Case indentation[] = {
            {"for i in x:\ny", "expected an indented block after 'for' statement on line 1", 2, "y"},
            {"def f():\n\n# z\nx", "expected an indented block after function definition on line 1", 4, "x"},
            {"a\n  b", "unexpected indent", 2, "  "},
            {"  a\nb", "unexpected indent", 1, "  "},
            {"if a:\n    b\n  c", "unindent does not match any outer indentation level", 3, "  "},
        };
        for (const Case& one : indentation) QCOMPARE(difference(one, "IndentationError"), string());
        QCOMPARE(
            difference({"if a:\n\tb\n        c", "inconsistent use of tabs and spaces in indentation", 3, "        "},
                       "TabError"),
            string());
    }
    void what_the_script_leaves_out_is_named() {
        const Case cases[] = {
            {"try:\n  x", "try is not part of the mask script", 1, "try"},
            {"x = (yield)", "yield is not part of the mask script", 1, "yield"},
            {"async def f(): pass", "async is not part of the mask script", 1, "async"},
            {"x = await y", "await is not part of the mask script", 1, "await"},
            {"match x:\n  case 1: pass", "match is not part of the mask script", 1, "match"},
            {"x = b'a'", "a bytes literal is not part of the mask script", 1, "b'a'"},
            {"x = 2j", "a complex number is not part of the mask script", 1, "2j"},
            {"x = 9223372036854775808", "this integer needs more than 64 bits", 1, "9223372036854775808"},
        };
        for (const Case& one : cases) QCOMPARE(difference(one), string());
        QCOMPARE(tree("match = 1; match(x)"), string("(= match 1) (expr (call match x))"));
    }
    void hints_say_what_to_do() {
        QCOMPARE(hint("if x\n  y"), string("A colon belongs at the end of this line"));
        QCOMPARE(hint("if x: y\nelse if z: w"), string("Python writes elif for else if"));
        QCOMPARE(hint("a\nx = [1,\n  2"), string("It opens in line 2, column 5; the text ends without its ']'"));
        QCOMPARE(hint("x = \xE2\x80\x98"
                      "a\xE2\x80\x99"),
                 string("A typographic quotation mark; type ' instead"));
        QCOMPARE(hint("x = a && b"), string("Python writes 'and' for '&&'; masks are combined with &"));
        QCOMPARE(hint("x = a \xE2\x88\x92 b"), string("A typographic dash; type - instead"));
        QCOMPARE(hint("if a:\n\tb\n        c"), string("Indent with spaces only"));
        QCOMPARE(hint("if a:\n    b\n  c"),
                 string("This line has 2 columns of indentation; the lines around it have 0 or 4"));
        QCOMPARE(hint("  a\nb"), string("Line 1 is indented and line 2 is less so; the outermost lines must agree"));
    }
    void bytes_that_are_no_text() {
        QCOMPARE(parse(string("a\n\0b", 4)).error().message.text(),
                 string("source code string cannot contain null bytes"));
        QCOMPARE(parse(string("a\n\0b", 4)).error().where.line.value(), 2);
        QCOMPARE(parse("x = '\xFF'").error().message.text(),
                 string("(unicode error) 'utf-8' codec can't decode byte 0xff in position 5: invalid start byte"));
        QVERIFY(!parse("\xED\xA0\x80").ok());  // a surrogate
        QVERIFY(!parse("\xC0\x80").ok());      // an overlong form
    }
    void nesting_and_size_are_bounded() {
        QCOMPARE(parse(string(100000, '(')).error().message.text(), string("too many nested parentheses"));
        const string words = "this expression is nested too deeply";
        QCOMPARE(parse(string(100000, '-') + "a").error().message.text(), words);
        string sum = "a";
        for (int i = 0; i < 100000; ++i) sum += "+a";
        QCOMPARE(parse(sum).error().message.text(), words);
        string attributes = "a";
        for (int i = 0; i < 100000; ++i) attributes += ".b";
        QCOMPARE(parse(attributes).error().message.text(), words);
        string steps;
        for (std::size_t i = 0; i < 1000; ++i) steps += string(i, ' ') + "if a:\n";
        QCOMPARE(parse(steps).error().message.text(), string("too many levels of indentation"));
        QVERIFY(parse(string(kLongestScript, '\n')).ok());
        QVERIFY(!parse(string(kLongestScript + 1, '\n')).ok());
    }
};

QTEST_APPLESS_MAIN(ParseErrorTest)
#include "parse_error_test.moc"
