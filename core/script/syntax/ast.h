// SPDX-License-Identifier: Apache-2.0
// The tree of a mask script. It follows Python's own `ast` module in names and meaning, so that its page
// (https://docs.python.org/3/library/ast.html) explains this one; where a field differs, a comment says so.
//
//     if (const auto* call = expr.as<Call>()) ...            one kind
//     std::visit(Overloaded{...}, expr.node)                 all kinds
//
// The module owns everything; nodes do not change after parsing and may be read from several threads.
#pragma once

#include "core/base/function_ref.h"
#include "core/script/syntax/source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace maskscope::script {

struct Expr;
struct Stmt;
using ExprPtr = std::unique_ptr<Expr>;
using Exprs = std::vector<ExprPtr>;
using Block = std::vector<std::unique_ptr<Stmt>>;

// No tree of expressions is higher than this and no statement is nested deeper than kDeepestBlock, so that whoever
// walks them may recurse.
inline constexpr int kHighestExpr = 400;
inline constexpr int kDeepestBlock = 100;

// ---- parts --------------------------------------------------------------------------------------------------------

enum class UnaryOp { negative, positive, invert, logical_not };  // - + ~ not

enum class BinaryOp {
    add,
    subtract,
    multiply,
    matmul,
    divide,
    floor_divide,
    modulo,
    power,
    shift_left,
    shift_right,
    bit_or,
    bit_xor,
    bit_and,
};

enum class BoolOp { logical_and, logical_or };

enum class CompareOp { equal, not_equal, less, less_equal, greater, greater_equal, is, is_not, in, not_in };

// As written: "+", "//", "not in"; "not" for logical_not.
const char* symbol(UnaryOp op);
const char* symbol(BinaryOp op);
const char* symbol(BoolOp op);
const char* symbol(CompareOp op);

struct Identifier {
    std::string text;
    Span span;
};

// One argument of a call, in the order of the text. (Python's ast keeps args and keywords apart.)
struct Argument {
    enum class Kind { positional, starred, keyword, double_starred };  // x, *x, name=x, **x
    Kind kind = Kind::positional;
    std::string name;  // for keyword
    ExprPtr value;     // without the stars
    Span span;         // with the stars or the name
};

// One parameter of a def or lambda, in the order of the text.
struct Parameter {
    enum class Kind { positional_only, positional, var_positional, keyword_only, var_keyword };
    Kind kind = Kind::positional;
    std::string name;
    ExprPtr default_value;  // null: required, or a starred one
    ExprPtr annotation;     // null when there is none; never evaluated
    Span span;              // of the name
};

// Which names a body makes its own, found while parsing. Each list without repeats, in the order of the text.
struct Scope {
    std::vector<std::string> locals;  // parameters, everything assigned, imported, defined or deleted
    std::vector<std::string> globals;
    std::vector<std::string> nonlocals;
};

struct ComprehensionClause {
    ExprPtr target;
    ExprPtr iter;
    Exprs conditions;
};

struct DictItem {
    ExprPtr key;  // null for **value
    ExprPtr value;
};

// ---- expressions --------------------------------------------------------------------------------------------------

struct NoneValue {
    bool operator==(const NoneValue&) const = default;
};
struct EllipsisValue {
    bool operator==(const EllipsisValue&) const = default;
};

struct Constant {
    std::variant<NoneValue, EllipsisValue, bool, std::int64_t, double, std::string> value;
};

struct Name {
    std::string id;
};

// f"a{x!r:>{w}}": constants (strings) and FormattedValues. f"{x=}" is the constant "x=" and then the value.
struct FString {
    Exprs values;
};
struct FormattedValue {
    ExprPtr value;
    char conversion = 0;  // 'r', 's', 'a', or 0
    ExprPtr format_spec;  // an FString, or null
};

struct Attribute {
    ExprPtr value;
    Identifier name;
};

struct Subscript {
    ExprPtr value;
    ExprPtr index;  // a Slice, a Tuple that may hold Slices and Starreds, or any other expression
};
struct Slice {  // only inside Subscript::index
    ExprPtr lower;
    ExprPtr upper;
    ExprPtr step;  // each null when left out
};

struct Call {
    ExprPtr callee;
    std::vector<Argument> arguments;
};

struct Unary {
    UnaryOp op;
    ExprPtr operand;
};
struct Binary {
    BinaryOp op;
    ExprPtr left;
    ExprPtr right;
    Span op_span;
};
struct BoolExpr {  // a and b and c is one node of three
    BoolOp op;
    Exprs values;
};
struct Compare {  // left ops[0] rights[0] ops[1] rights[1] ...
    ExprPtr left;
    std::vector<CompareOp> ops;
    Exprs rights;
};
struct Conditional {  // body if test else orelse
    ExprPtr test;
    ExprPtr body;
    ExprPtr orelse;
};

struct Lambda {
    std::vector<Parameter> parameters;
    ExprPtr body;
    Scope scope;
};

struct List {
    Exprs elements;
};
struct Tuple {
    Exprs elements;
};
struct Set {
    Exprs elements;
};
struct Dict {
    std::vector<DictItem> items;
};
struct Starred {  // *value inside a list, tuple, set, subscript or target
    ExprPtr value;
};

// [element for ...], {element for ...}, (element for ...), {element: value for ...}. Python's ast has four classes.
struct Comprehension {
    enum class Kind { list, set, generator, dict };
    Kind kind = Kind::list;
    ExprPtr element;
    ExprPtr value;  // the dict's, else null
    std::vector<ComprehensionClause> clauses;
    Scope scope;  // its targets; names bound by := belong to the body around it
};

struct NamedExpr {  // target := value
    Identifier target;
    ExprPtr value;
};

using ExprNode =
    std::variant<Constant, Name, FString, FormattedValue, Attribute, Subscript, Slice, Call, Unary, Binary, BoolExpr,
                 Compare, Conditional, Lambda, List, Tuple, Set, Dict, Starred, Comprehension, NamedExpr>;

struct Expr {
    ExprNode node;
    // As in Python's ast: without parentheses around an expression, with those of a tuple or generator.
    Span span;
    std::int32_t line = 1;    // of span.begin, 1-based
    std::int32_t height = 1;  // of the tree below, 1 for a leaf; at most kHighestExpr

    template <class T>
    const T* as() const {
        return std::get_if<T>(&node);
    }
    template <class T>
    T* as() {
        return std::get_if<T>(&node);
    }
};

// Calls `visit` for each expression directly below, in the order of the text. Annotations are left out.
void for_each_part(const ExprNode& node, FunctionRef<void(const Expr&)> visit);

// ---- statements ---------------------------------------------------------------------------------------------------

struct ExprStmt {
    ExprPtr value;
};
// Targets are Names, Attributes, Subscripts, Tuples or Lists of targets, where one of each may be Starred.
struct Assign {  // targets[0] = targets[1] = value
    Exprs targets;
    ExprPtr value;
};
struct AnnAssign {  // target: annotation = value
    ExprPtr target;
    ExprPtr annotation;  // never evaluated
    ExprPtr value;       // null: a bare annotation, which does nothing
};
struct AugAssign {
    ExprPtr target;  // a Name, Attribute or Subscript
    BinaryOp op;
    ExprPtr value;
    Span op_span;
};
struct Delete {
    Exprs targets;
};
struct Return {
    ExprPtr value;  // may be null
};
struct Pass {};
struct Break {};
struct Continue {};
struct Assert {
    ExprPtr test;
    ExprPtr message;  // may be null
};
struct Raise {
    ExprPtr exception;  // null: a bare raise
    ExprPtr cause;      // raise exception from cause
};
struct Global {
    std::vector<Identifier> names;
};
struct Nonlocal {
    std::vector<Identifier> names;
};

struct ImportName {
    std::string name;   // dotted in `import a.b`; "*" in `from a import *`
    std::string alias;  // empty without `as`
    Span span;
};
struct Import {
    std::vector<ImportName> names;
};
struct ImportFrom {
    std::string module;  // may be empty after dots
    int level = 0;       // leading dots
    std::vector<ImportName> names;
};

struct IfBranch {
    ExprPtr test;
    Block body;
};
struct If {  // if and its elifs side by side. (Python's ast nests them.)
    std::vector<IfBranch> branches;
    Block orelse;
};
struct For {
    ExprPtr target;
    ExprPtr iter;
    Block body;
    Block orelse;
};
struct While {
    ExprPtr test;
    Block body;
    Block orelse;
};
struct WithItem {
    ExprPtr context;
    ExprPtr target;  // null without `as`
};
struct With {
    std::vector<WithItem> items;
    Block body;
};

struct FunctionDef {
    Identifier name;
    std::vector<Parameter> parameters;
    Exprs decorators;
    ExprPtr returns;  // the annotation; null or never evaluated
    Block body;       // a docstring is its first ExprStmt
    Scope scope;
};
struct ClassDef {
    Identifier name;
    std::vector<Argument> bases;  // and keywords
    Exprs decorators;
    Block body;
    Scope scope;
};

using StmtNode = std::variant<ExprStmt, Assign, AnnAssign, AugAssign, Delete, Return, Pass, Break, Continue, Assert,
                              Raise, Global, Nonlocal, Import, ImportFrom, If, For, While, With, FunctionDef, ClassDef>;

struct Stmt {
    StmtNode node;
    Span span;  // to the end of its last line of code; a def or class begins at the word, not at its decorators
    std::int32_t line = 1;

    template <class T>
    const T* as() const {
        return std::get_if<T>(&node);
    }
    template <class T>
    T* as() {
        return std::get_if<T>(&node);
    }
};

// ---- module -------------------------------------------------------------------------------------------------------

struct Comment {
    int line = 1;
    Span span;         // from the #
    std::string text;  // from the #, without the line's end
};

struct Module {
    explicit Module(std::string text) : source(std::move(text)) {}

    Source source;
    Block body;
    Scope scope;  // names assigned at the top level
    std::vector<Comment> comments;
};

// For std::visit with one lambda per kind of node.
template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace maskscope::script
