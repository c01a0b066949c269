// SPDX-License-Identifier: Apache-2.0
#include "core/script/syntax/lexer.h"
#include "tests/core/script/script_text.h"

#include <QTest>

using namespace maskscope::script;
using std::string;

namespace {

// The tokens as text, separated by spaces; layout as NL, IN, OUT.
string tokens(const string& text) {
    const TokenList list = tokenize(Source(text));
    string out;
    for (const Token& token : list.tokens) {
        if (!out.empty()) out += " ";
        switch (token.kind) {
            case TokenKind::newline:
                out += "NL";
                break;
            case TokenKind::indent:
                out += "IN";
                break;
            case TokenKind::dedent:
                out += "OUT";
                break;
            case TokenKind::end:
                out += "END";
                break;
            case TokenKind::error:
                out += "ERROR";
                break;
            default:
                out += list.text_of(token.span);
        }
    }
    return out;
}

}  // namespace

class LexerTest : public QObject {
    Q_OBJECT
private slots:
    void cuts_operators_at_their_longest() {
        QCOMPARE(tokens("a**=b//c<<=d"), string("a **= b // c <<= d NL END"));
        QCOMPARE(tokens("a:=b!=c->d...e.f"), string("a := b != c -> d ... e . f NL END"));
        QCOMPARE(tokens("1.5.x"), string("1.5 . x NL END"));
        QCOMPARE(tokens("x@y@=z"), string("x @ y @= z NL END"));
    }
    void every_operator_and_keyword_is_its_own_spelling() {
        for (int kind = static_cast<int>(TokenKind::ellipsis); kind <= static_cast<int>(TokenKind::kw_yield); ++kind) {
            const auto word = spelling(static_cast<TokenKind>(kind));
            QVERIFY(!word.empty());
            const bool keyword = kind >= static_cast<int>(TokenKind::kw_false);
            QCOMPARE(static_cast<int>(keyword ? keyword_or_name(word) : operator_at(word)), kind);
        }
        QVERIFY(keyword_or_name("match") == TokenKind::name);
    }
    void indentation_makes_blocks() {
        QCOMPARE(tokens("if a:\n  b\n\n    # deep\n  c\nd"), string("if a : NL IN b NL c NL OUT d NL END"));
        QCOMPARE(tokens("if a:\n\tif b:\n\t\tc\n"), string("if a : NL IN if b : NL IN c NL OUT OUT END"));
        QCOMPARE(tokens("f(\n      a,\n  b)\n"), string("f ( a , b ) NL END"));
        QCOMPARE(tokens("a \\\n  + b"), string("a + b NL END"));
    }
    void line_endings_and_byte_order_mark() {
        QCOMPARE(tokens("a\r\nif b:\r\n  c\r\n"), string("a NL if b : NL IN c NL OUT END"));
        QCOMPARE(tokens("a\rb"), string("a NL b NL END"));
        QCOMPARE(tokens("\xEF\xBB\xBF"
                        "a"),
                 string("a NL END"));
        const Source source("a\r\nb\rc\n");
        QCOMPARE(source.line_count(), 4);
        QCOMPARE(source.text(source.line_span(2)), std::string_view("b"));
        QCOMPARE(source.line_at(5), 3);
    }
    void names_may_be_of_any_script() {
        QCOMPARE(tokens("\xCE\xB1_1 = \xE5\xB1\xA4"), string("\xCE\xB1_1 = \xE5\xB1\xA4 NL END"));
    }
    void strings_and_fstrings() {
        QCOMPARE(tokens("r'\\'' \"a'b\" '''x'y''' rb"), string("r'\\'' \"a'b\" '''x'y''' rb NL END"));
        QCOMPARE(tokens("f'a{b!r:>{c}}d'"), string("f' a { b ! r : > { c } } d ' NL END"));
        QCOMPARE(tokens("f'{{x}}'"), string("f' {{x}} ' NL END"));
        QCOMPARE(tokens("f'{a['b']}'"), string("f' { a [ 'b' ] } ' NL END"));
    }
    void comments_are_kept() {
        const auto module = parse("a = 1  # maskscope: ignore[empty-row]\n# two\nb = '#no'");
        const auto& comments = (*module)->comments;
        QCOMPARE(comments.size(), std::size_t{2});
        QCOMPARE(comments[0].line, 1);
        QCOMPARE(comments[0].text, string("# maskscope: ignore[empty-row]"));
        QCOMPARE(comments[0].span, (Span{7, 37}));
        QCOMPARE(comments[1].line, 2);
        QCOMPARE(comments[1].text, string("# two"));
    }
    void a_console_session_is_read_without_prompts_and_output() {
        const string text =
            ">>> x = torch.ones(2)\n"
            ">>> x\n"
            "tensor([1., 1.])\n"
            ">>> for i in x:\n"
            "...     print(i)\n"
            "...\n"
            "tensor(1.)\n";
        QCOMPARE(tree(text), string("(= x (call (. torch ones) 2)) (expr x) (for i x (do (expr (call print i))))"));
        const auto module = parse(text);
        QCOMPARE((*module)->source.text((*module)->body[0]->span), std::string_view("x = torch.ones(2)"));
        QCOMPARE((*module)->body[2]->line, 4);
        QCOMPARE(tree("    >>> s = '''a\n    ... b'''"), string("(= s \"a\\nb\")"));
    }
    void a_text_indented_as_a_whole_is_read() {
        const string text =
            "\n    def forward(self, x):\n"
            "        return x\n"
            "\n"
            "    y = 1\n";
        QCOMPARE(tree(text), string("(def forward (self x) (do (return x))) (= y 1)"));
        const auto module = parse(text);
        QCOMPARE((*module)->source.text((*module)->body[1]->span), std::string_view("y = 1"));
        QCOMPARE(tree("\tif a:\n\t\tb\n\tc"), string("(if (when a (expr b))) (expr c)"));
    }
};

QTEST_APPLESS_MAIN(LexerTest)
#include "lexer_test.moc"
