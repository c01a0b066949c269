// SPDX-License-Identifier: Apache-2.0
// The trees are those of Python's `ast.parse`, written down by hand in the short form of ast_text.h.
#include "tests/core/script/script_text.h"

#include <QTest>

#include <limits>

using namespace maskscope::script;
using std::string;

class ParserTest : public QObject {
    Q_OBJECT
private slots:
    void operators_bind_as_in_python() {
        QCOMPARE(expr("a + b * c"), string("(+ a (* b c))"));
        QCOMPARE(expr("(a + b) * c"), string("(* (+ a b) c)"));
        QCOMPARE(expr("a - b - c"), string("(- (- a b) c)"));
        QCOMPARE(expr("q @ k / n"), string("(/ (@ q k) n)"));
        QCOMPARE(expr("-x ** 2"), string("(- (** x 2))"));
        QCOMPARE(expr("2 ** -x"), string("(** 2 (- x))"));
        QCOMPARE(expr("a ** b ** c"), string("(** a (** b c))"));
        QCOMPARE(expr("~a & b | c ^ d"), string("(| (& (~ a) b) (^ c d))"));
        QCOMPARE(expr("a << 1 + b"), string("(<< a (+ 1 b))"));
        QCOMPARE(expr("a // b % c"), string("(% (// a b) c)"));
        QCOMPARE(expr("-a.b[0](c)"), string("(- (call ([] (. a b) 0) c))"));
    }
    void logic_and_comparison() {
        QCOMPARE(expr("a or b and not c"), string("(or a (and b (not c)))"));
        QCOMPARE(expr("a and b and c"), string("(and a b c)"));
        QCOMPARE(expr("not a == b"), string("(not (compare a == b))"));
        QCOMPARE(expr("0 <= i < n"), string("(compare 0 <= i < n)"));
        QCOMPARE(expr("a is None"), string("(compare a is None)"));
        QCOMPARE(expr("a is not None"), string("(compare a is not None)"));
        QCOMPARE(expr("a not in b in c"), string("(compare a not in b in c)"));
        QCOMPARE(expr("mask == 0 & other"), string("(compare mask == (& 0 other))"));
        QCOMPARE(expr("a if t else b if u else c"), string("(if t a (if u b c))"));
        QCOMPARE(expr("(n := len(a)) > 3"), string("(compare (:= n (call len a)) > 3)"));
    }
    void subscripts() {
        QCOMPARE(expr("x[0]"), string("([] x 0)"));
        QCOMPARE(expr("x[-1]"), string("([] x (- 1))"));
        QCOMPARE(expr("x[:]"), string("([] x (: _ _ _))"));
        QCOMPARE(expr("x[1:]"), string("([] x (: 1 _ _))"));
        QCOMPARE(expr("x[::-1]"), string("([] x (: _ _ (- 1)))"));
        QCOMPARE(expr("x[a:b:c]"), string("([] x (: a b c))"));
        QCOMPARE(expr("x[:, None, ..., 1:n]"), string("([] x (tuple (: _ _ _) None ... (: 1 n _)))"));
        QCOMPARE(expr("x[0,]"), string("([] x (tuple 0))"));
        QCOMPARE(expr("x[(0, 1)]"), string("([] x (tuple 0 1))"));
        QCOMPARE(expr("x[[0, 1], m > 0]"), string("([] x (tuple (list 0 1) (compare m > 0)))"));
        QCOMPARE(expr("x[*index]"), string("([] x (tuple (* index)))"));
        QCOMPARE(expr("x[0][1:2]"), string("([] ([] x 0) (: 1 2 _))"));
    }
    void calls() {
        QCOMPARE(expr("f()"), string("(call f)"));
        QCOMPARE(expr("f(a, *b, c=1, **d)"), string("(call f a *b c=1 **d)"));
        QCOMPARE(expr("f(a, b, dim=-1,)"), string("(call f a b dim=(- 1))"));
        QCOMPARE(expr("f(a=1, *b)"), string("(call f a=1 *b)"));
        QCOMPARE(expr("f(n := 3)"), string("(call f (:= n 3))"));
        QCOMPARE(expr("sum(x for x in y)"), string("(call sum (generator x (for x y)))"));
        QCOMPARE(expr("f((x for x in y), 1)"), string("(call f (generator x (for x y)) 1)"));
        QCOMPARE(expr("x.masked_fill(~m, float('-inf')).softmax(-1)"),
                 string("(call (. (call (. x masked_fill) (~ m) (call float \"-inf\")) softmax) (- 1))"));
    }
    void containers() {
        QCOMPARE(expr("()"), string("(tuple)"));
        QCOMPARE(expr("(a)"), string("a"));
        QCOMPARE(expr("(a,)"), string("(tuple a)"));
        QCOMPARE(expr("a, *b"), string("(tuple a (* b))"));
        QCOMPARE(expr("[a, *b, c,]"), string("(list a (* b) c)"));
        QCOMPARE(expr("{}"), string("(dict)"));
        QCOMPARE(expr("{1: a, **b, 'c': d}"), string("(dict 1:a **b \"c\":d)"));
        QCOMPARE(expr("{a, b}"), string("(set a b)"));
        QCOMPARE(expr("[[1, 2], [3, 4]]"), string("(list (list 1 2) (list 3 4))"));
    }
    void comprehensions() {
        QCOMPARE(expr("[i * 2 for i in r if i if i > 1]"), string("(listcomp (* i 2) (for i r i (compare i > 1)))"));
        QCOMPARE(expr("[(i, j) for i in a for j in b]"), string("(listcomp (tuple i j) (for i a) (for j b))"));
        QCOMPARE(expr("{k: v for k, v in d.items()}"), string("(dictcomp k v (for (tuple k v) (call (. d items))))"));
        QCOMPARE(expr("{x for x, in y}"), string("(setcomp x (for (tuple x) y))"));
        QCOMPARE(expr("(x for x in y)"), string("(generator x (for x y))"));
        QCOMPARE(expr("[a if b else c for d in e]"), string("(listcomp (if b a c) (for d e))"));
    }
    void lambdas() {
        QCOMPARE(expr("lambda: 0"), string("(lambda () 0)"));
        QCOMPARE(expr("lambda b, h, q, k: q >= k"), string("(lambda (b h q k) (compare q >= k))"));
        QCOMPARE(expr("lambda a, /, b=1, *c, d, e=2, **f: a"), string("(lambda (a / b=1 *c d e=2 **f) a)"));
        QCOMPARE(expr("lambda *, a: a"), string("(lambda (* a) a)"));
        QCOMPARE(expr("lambda x: (x, lambda y: x)"), string("(lambda (x) (tuple x (lambda (y) x)))"));
    }
    void numbers() {
        QCOMPARE(expr("1_000"), string("1000"));
        QCOMPARE(expr("0xFF, 0o17, 0b101, 00"), string("(tuple 255 15 5 0)"));
        QCOMPARE(expr("9223372036854775807"), string("9223372036854775807"));
        QCOMPARE(expr("-9223372036854775808"), string("-9223372036854775808"));
        QCOMPARE(expr("1., .5, 1e-4, 1_0.5e1_0"), string("(tuple 1f 0.5f 0.0001f 105000000000f)"));
        QCOMPARE(expr("1e400, 1e-400, 0.0e999"), string("(tuple inff 0f 0f)"));
        QCOMPARE(expr("1if x else 2"), string("(if x 1 2)"));
        const auto module = parse("-1e9");
        const auto& value = *(*module)->body[0]->as<ExprStmt>()->value->as<Unary>()->operand;
        QCOMPARE(std::get<double>(value.as<Constant>()->value), 1e9);
    }
    void strings() {
        QCOMPARE(expr("'a' \"b\""), string("\"ab\""));
        QCOMPARE(expr("''"), string("\"\""));
        QCOMPARE(expr(R"('\t\x41\u00e9\U0001F600\101\q')"), string("\"\tA\xC3\xA9\xF0\x9F\x98\x80"
                                                                   "A\\\\q\""));
        QCOMPARE(expr(R"(r'\n')"), string(R"("\\n")"));
        QCOMPARE(expr("'''a\r\nb'''"), string("\"a\\nb\""));
        QCOMPARE(expr("'a\\\nb'"), string("\"ab\""));
        QCOMPARE(expr("u'x'"), string("\"x\""));
        QCOMPARE(expr("(\"b h (n w) d -> b h n w d\")"), string("\"b h (n w) d -> b h n w d\""));
    }
    void fstrings() {
        QCOMPARE(expr("f'a{x}b'"), string("(fstring \"a\" (field x) \"b\")"));
        QCOMPARE(expr("f'{x!r:>{w}}'"), string("(fstring (field x !r (fstring \">\" (field w))))"));
        QCOMPARE(expr("f'{x:.2f}'"), string("(fstring (field x (fstring \".2f\")))"));
        QCOMPARE(expr("f'{x=}'"), string("(fstring \"x=\" (field x !r))"));
        QCOMPARE(expr("f'{x = :.1f}'"), string("(fstring \"x = \" (field x (fstring \".1f\")))"));
        QCOMPARE(expr("f'{{}}' 'b' f'{x}'"), string("(fstring \"{}b\" (field x))"));
        QCOMPARE(expr("f'{a[\"k\"]}{a != b}'"), string("(fstring (field ([] a \"k\")) (field (compare a != b)))"));
        QCOMPARE(expr("f'{d['k']}'"), string("(fstring (field ([] d \"k\")))"));  // quotes as in Python 3.12
        QCOMPARE(expr("f'{x, y}'"), string("(fstring (field (tuple x y)))"));
        QCOMPARE(expr("f'{(lambda: 1)()}'"), string("(fstring (field (call (lambda () 1))))"));
        QCOMPARE(expr("rf'\\d{x}'"), string("(fstring \"\\\\d\" (field x))"));
        QCOMPARE(expr("f'''{\nx # why\n}'''"), string("(fstring (field x))"));
        QCOMPARE(expr("f''"), string("(fstring)"));
    }
    void assignments() {
        QCOMPARE(tree("a = b = 1"), string("(= a b 1)"));
        QCOMPARE(tree("a, (b, *c) = d"), string("(= (tuple a (tuple b (* c))) d)"));
        QCOMPARE(tree("[a, b] = 1, 2"), string("(= (list a b) (tuple 1 2))"));
        QCOMPARE(tree("x.y[0, :] = z"), string("(= ([] (. x y) (tuple 0 (: _ _ _))) z)"));
        QCOMPARE(tree("a: int = 1"), string("(annotated a int 1)"));
        QCOMPARE(tree("self.a: Optional[Tensor]"), string("(annotated (. self a) ([] Optional Tensor))"));
        QCOMPARE(tree("a += 1; b @= c; d //= 2; e **= 3; f <<= 4"),
                 string("(+= a 1) (@= b c) (//= d 2) (**= e 3) (<<= f 4)"));
        QCOMPARE(tree("m[i] |= n"), string("(|= ([] m i) n)"));
        QCOMPARE(tree("del a, b[0]"), string("(del a ([] b 0))"));
    }
    void small_statements() {
        QCOMPARE(tree("pass"), string("(pass)"));
        QCOMPARE(tree("assert a, 'b'"), string("(assert a \"b\")"));
        QCOMPARE(tree("raise ValueError('x') from e"), string("(raise (call ValueError \"x\") e)"));
        QCOMPARE(tree("import torch, numpy as np"), string("(import torch numpy:np)"));
        QCOMPARE(tree("import torch.nn.functional as F"), string("(import torch.nn.functional:F)"));
        QCOMPARE(tree("from typing import (\n  Optional,\n  Tuple as T,\n)"), string("(from typing Optional Tuple:T)"));
        QCOMPARE(tree("from ..a import *"), string("(from ..a *)"));
        QCOMPARE(tree("'''doc'''"), string("(expr \"doc\")"));
        QCOMPARE(tree("a;b;"), string("(expr a) (expr b)"));
        QCOMPARE(tree("a = 1 + \\\n    2"), string("(= a (+ 1 2))"));
        QCOMPARE(tree(""), string(""));
        QCOMPARE(tree("# only words"), string(""));
    }
    void blocks() {
        QCOMPARE(tree("if a: b\nelif c:\n  d\n  e\nelse: f"),
                 string("(if (when a (expr b)) (when c (expr d) (expr e)) (else (expr f)))"));
        QCOMPARE(tree("for i, x in enumerate(y):\n\tcontinue\nelse:\n\tpass\n"),
                 string("(for (tuple i x) (call enumerate y) (do (continue)) (else (pass)))"));
        QCOMPARE(tree("for x in 1, *y: break"), string("(for x (tuple 1 (* y)) (do (break)))"));
        QCOMPARE(tree("while x > 0: x -= 1"), string("(while (compare x > 0) (do (-= x 1)))"));
        QCOMPARE(tree("with torch.no_grad(): x"), string("(with (call (. torch no_grad)) (do (expr x)))"));
        QCOMPARE(tree("with a as b, c: pass"), string("(with a:b c (do (pass)))"));
        QCOMPARE(tree("with (a as b, c,): pass"), string("(with a:b c (do (pass)))"));
        QCOMPARE(tree("with (a, b) as c: pass"), string("(with (tuple a b):c (do (pass)))"));
        QCOMPARE(tree("if a:\n\n    # why\n  \n    b\n\n"), string("(if (when a (expr b)))"));
    }
    void definitions() {
        QCOMPARE(
            tree("@torch.no_grad()\n@staticmethod\ndef f(a: int, b=1, *c, d: str = 'x', **e) -> Tensor:\n  return a"),
            string("(def @(call (. torch no_grad)) @staticmethod f (a:int b=1 *c d:str=\"x\" **e) ->Tensor "
                   "(do (return a)))"));
        QCOMPARE(tree("def f(a, /, b, *, c): pass"), string("(def f (a / b * c) (do (pass)))"));
        QCOMPARE(tree("class A(nn.Module, metaclass=M):\n  x = 1\n  def f(self): pass"),
                 string("(class A ((. nn Module) metaclass=M) (do (= x 1) (def f (self) (do (pass)))))"));
        QCOMPARE(tree("class A: pass"), string("(class A () (do (pass)))"));
        QCOMPARE(tree("def f():\n  def g():\n    nonlocal x\n    x = 1\n  x = 0\n  global y"),
                 string("(def f () (do (def g () (do (nonlocal x) (= x 1))) (= x 0) (global y)))"));
    }
    void spans_are_bytes_of_the_source() {
        const auto module = parse("# \xC3\xA9\r\nout = (q @ k)[:, 0]");
        QVERIFY(module.ok());
        const Source& source = (*module)->source;
        const Stmt& statement = *(*module)->body[0];
        const Expr& value = *statement.as<Assign>()->value;
        QCOMPARE(statement.line, 2);
        QCOMPARE(source.text(statement.span), std::string_view("out = (q @ k)[:, 0]"));
        QCOMPARE(source.text(value.span), std::string_view("(q @ k)[:, 0]"));
        const auto* subscript = value.as<Subscript>();
        QCOMPARE(source.text(subscript->value->span), std::string_view("q @ k"));
        QCOMPARE(source.text(subscript->index->span), std::string_view(":, 0"));
        QCOMPARE(source.text(subscript->value->as<Binary>()->op_span), std::string_view("@"));
        QCOMPARE(value.height, 3);
        const Position position = source.position(value.span.begin);
        QCOMPARE(position.line, 2);
        QCOMPARE(position.column, 7);
    }
    void spans_of_arguments_fields_and_names() {
        const auto module = parse("f(*a, dim=-1, **k)\nf'{x + 1:>4}'\nsum(a for a in b)");
        const Source& source = (*module)->source;
        const auto& body = (*module)->body;
        const auto& arguments = body[0]->as<ExprStmt>()->value->as<Call>()->arguments;
        QCOMPARE(source.text(arguments[0].span), std::string_view("*a"));
        QCOMPARE(source.text(arguments[1].span), std::string_view("dim=-1"));
        QCOMPARE(source.text(arguments[1].value->span), std::string_view("-1"));
        QCOMPARE(source.text(arguments[2].span), std::string_view("**k"));
        const auto& field = *body[1]->as<ExprStmt>()->value->as<FString>()->values[0];
        QCOMPARE(source.text(field.span), std::string_view("{x + 1:>4}"));
        QCOMPARE(source.text(field.as<FormattedValue>()->value->span), std::string_view("x + 1"));
        const auto& generator = body[2]->as<ExprStmt>()->value->as<Call>()->arguments[0];
        QCOMPARE(source.text(generator.value->span), std::string_view("(a for a in b)"));
    }
    void scopes_hold_what_a_body_binds() {
        const auto module = parse(
            "import torch.nn as nn, math\n"
            "def f(a, *b):\n"
            "    global g\n"
            "    g = 1\n"
            "    for i, (j, k) in a: x = [p for p in b if (q := p)]\n"
            "    with a as w: pass\n"
            "    def inner(): y = 1\n"
            "    return lambda z: z\n");
        QVERIFY(module.ok());
        using Names = std::vector<string>;
        QCOMPARE((*module)->scope.locals, (Names{"nn", "math", "f"}));
        const auto& scope = (*module)->body[1]->as<FunctionDef>()->scope;
        QCOMPARE(scope.locals, (Names{"a", "b", "i", "j", "k", "q", "x", "w", "inner"}));
        QCOMPARE(scope.globals, (Names{"g"}));
    }
    void nesting_up_to_the_limit_is_read() {
        QVERIFY(parse(string(199, '(') + "a" + string(199, ')')).ok());
        string sum = "a";
        for (int i = 1; i < kHighestExpr; ++i) sum += "+a";
        const auto module = parse(sum);
        QVERIFY(module.ok());
        QCOMPARE((*module)->body[0]->as<ExprStmt>()->value->height, kHighestExpr);
    }
};

QTEST_APPLESS_MAIN(ParserTest)
#include "parser_test.moc"
