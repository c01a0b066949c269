# SPDX-License-Identifier: Apache-2.0
"""Two operands: arithmetic, comparison, logic, bits; forms, broadcasting, special values."""

from case_list import Cases

cases = Cases("binary")

DTYPES = "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64".split()
ARITHMETIC = "add sub mul div floor_divide remainder fmod pow maximum minimum fmin fmax atan2".split()
COMPARE = "eq ne lt le gt ge".split()
LOGIC = "logical_and logical_or logical_xor".split()
BITS = "bitwise_and bitwise_or bitwise_xor".split()
NO_NUMBER = {"maximum", "minimum", "fmin", "fmax", "atan2", *LOGIC}
NO_INPLACE = {"maximum", "minimum", "fmin", "fmax"}
OPERATOR = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "floor_divide": "//", "remainder": "%", "pow": "**",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^",
}  # fmt: skip

FLOAT_PAIR = """
a = torch.tensor([-2.0, -0.5, 0.0, -0.0, 1.0, 7.5, float('nan'), float('inf'), -float('inf'), 3.0])
b = torch.tensor([3.0, -0.5, 0.0, 2.0, float('nan'), -2.0, 1.0, 2.0, float('inf'), 0.0])
"""
INT_PAIR = "a = torch.tensor([-7, -1, 0, 5, 9])\nb = torch.tensor([2, -3, 4, 5, -4])"
GRID = "a = torch.tensor([[1.0, 5.0, -3.0], [4.0, 2.0, 6.0]])\nb = torch.tensor([2.0, -1.0, 4.0])"
INT_GRID = "a = torch.tensor([[1, 5, 3], [4, 2, 6]])\nb = torch.tensor([2, 1, 4])"
BOOL_GRID = "a = torch.tensor([[True, False, True], [False, False, True]])\nb = torch.tensor([True, False, False])"

for name in ARITHMETIC + COMPARE + LOGIC + BITS:
    forms = [f"torch.{name}(a, b)", f"torch.{name}(input=a[0], other=b)", f"a.{name}(b)"]
    if name == "pow":
        forms[1] = "torch.pow(input=a[0], exponent=b)"
    if name in OPERATOR:
        forms += [f"a {OPERATOR[name]} b", f"b {OPERATOR[name]} a.t()[:3, :1]"]
    grid = INT_GRID if name in BITS else GRID
    cases.add(f"{name}_forms", f"({', '.join(forms)})", grid)
    cases.add(f"{name}_ints", f"torch.{name}(a, b)", INT_PAIR.replace("-3, 4", "3, 4") if name == "pow" else INT_PAIR)
    cases.add(f"{name}_bools", f"torch.{name}(a, b)", BOOL_GRID)
    if name not in BITS:
        cases.add(f"{name}_special", f"torch.{name}(a, b)", FLOAT_PAIR)
        cases.add(f"{name}_f64", f"torch.{name}(a.double(), b.double())", FLOAT_PAIR)
        cases.add(f"{name}_halves", f"[torch.{name}(a.to(d), b.to(d)) for d in (torch.float16, torch.bfloat16)]", GRID)
    if name not in NO_INPLACE:
        cases.program(f"{name}_inplace", f"{grid}\nx = a.clone()\ny = x.{name}_(b)\nout = (x, y is x)")
        cases.program(f"{name}_inplace_view", f"{grid}\nx = a.clone()\nx[:, 1].{name}_(a[:, 0])\nout = x")
    if name in OPERATOR and name not in COMPARE:
        cases.program(f"{name}_augmented", f"{grid}\nx = a.clone()\ny = x\nx {OPERATOR[name]}= b\nout = (x, y is x)")
    if name not in NO_NUMBER:
        number = "3" if name in BITS else "2.5"
        cases.add(f"{name}_number", f"(torch.{name}(a, {number}), a.{name}(2), a[0].{name}(True))", grid)
        if name in OPERATOR:
            cases.add(f"{name}_reflected", f"({number} {OPERATOR[name]} a, 2 {OPERATOR[name]} a[0])", grid)
    cases.add(
        f"{name}_shapes",
        f"[list(torch.{name}(p, q).shape) for p, q in pairs]",
        "i = torch.ones(24, dtype=torch.int64)\n"
        "pairs = [(i[0], i[:3]), (i[:6].view(2, 3), i[:3]), (i[:2].view(2, 1), i[:3]), (i[:0], i[:1]), "
        "(i[:0].view(0, 3), i[:3]), (i[0], i[1]), (i.view(2, 1, 3, 4), i[:8].view(2, 1, 4))]",
    )
    cases.add(f"{name}_mismatch", f"torch.{name}(a, b[:2])", grid)
    cases.add(f"{name}_every_dtype", f"[torch.{name}(a.to(d), b.to(d)) for d in ds if d not in skip]",
        "a = torch.tensor([0, 1, 3])\nb = torch.tensor([1, 1, 2])\n"
        f"ds = [{', '.join('torch.' + d for d in DTYPES)}]\n"
        + ("skip = [torch.float16, torch.bfloat16, torch.float32, torch.float64]" if name in BITS else "skip = [torch.bool]")
    )  # fmt: skip

BOTH = "a = torch.tensor([1.0, -2.0])\nb = torch.tensor([3.0, 4.0])"
for alias in ("subtract", "multiply", "divide", "true_divide"):
    cases.add(f"alias_{alias}", f"(torch.{alias}(a, b), a.{alias}(b))", BOTH)
for alias in ("greater", "greater_equal", "less", "less_equal", "not_equal"):
    cases.add(f"alias_{alias}", f"(torch.{alias}(a, b), a.{alias}(1.0))", BOTH)

cases.each(
    "alpha",
    BOTH,
    [
        "(torch.add(a, b, alpha=2), a.add(b, alpha=-0.5), torch.sub(a, b, alpha=3), a.clone().add_(b, alpha=10))",
        "torch.add(torch.tensor([1, 2]), torch.tensor([3, 4]), alpha=2)",
        "torch.add(torch.tensor([1, 2]), torch.tensor([3, 4]), alpha=1.5)",
        "torch.add(a, 1, alpha=4)",
        "torch.add(torch.tensor([True]), torch.tensor([True]), alpha=2)",
        "torch.rsub(a, 1)",
    ],
)
DIV = "a = torch.tensor([-7, 7, -1, 5])\nb = torch.tensor([2, -2, 3, 5])"
cases.each(
    "rounding_mode",
    DIV,
    [
        "(torch.div(a, b, rounding_mode='floor'), torch.div(a, b, rounding_mode='trunc'), a.div(b, rounding_mode=None))",
        "(torch.div(a.float(), b.float(), rounding_mode='floor'), a.float().div(b, rounding_mode='trunc'))",
        "torch.div(a, b, rounding_mode='up')",
        "a.clone().div_(b, rounding_mode='floor')",
        "a.clone().div_(b)",
        "(a // b, a % b, a.float() // b, a.float() % b)",
        "(a // 2, a % 3, a // -2, a % -3, 7 // b, 7 % b)",
        "(-7 // torch.tensor(2.0), -7.5 % torch.tensor(2.0))",
    ],
)
for name, text in [("floor_divide", "//"), ("remainder", "%")]:
    cases.add(f"{name}_by_zero_int", f"torch.tensor([1, 2]) {text} 0")
    cases.add(f"{name}_by_zero_float", f"torch.tensor([1.0, -2.0, 0.0]) {text} 0.0")
cases.add("div_by_zero", "(torch.tensor([1, -2, 0]) / 0, 1 / torch.tensor([0.0, -0.0]))")
cases.add("div_trunc_by_zero_int", "torch.div(torch.tensor([1]), 0, rounding_mode='trunc')")
cases.add("fmod_by_zero_int", "torch.fmod(torch.tensor([1]), 0)")

POW = "a = torch.tensor([2, -3, 0, 1])\nf = torch.tensor([2.0, -3.0, 0.0, 4.0])"
cases.each(
    "pow",
    POW,
    [
        "(a ** 2, a ** 3, a ** 0, f ** 2, f ** 0.5, f ** -1, f ** 0, f ** -0.5)",
        "a ** -1",
        "a ** torch.tensor([1, 2, 0, -1])",
        "(a ** 0.5, a ** 2.0)",
        "(2 ** a[2:], 2.0 ** f, 0.5 ** a, (-2) ** a[:1])",
        "torch.pow(2, torch.tensor([1.5, 2.0]))",
        "torch.tensor([True, False]) ** torch.tensor([True, False])",
        "torch.tensor([1, 2]).pow_(0.5)",
        "torch.tensor([10, 3], dtype=torch.uint8) ** 3",
        "math.e ** torch.tensor([0.0, 1.0])",
    ],
)
WRAP = [
    "torch.tensor([250], dtype=torch.uint8) + 10",
    "torch.tensor([3], dtype=torch.uint8) - 5",
    "torch.tensor([100], dtype=torch.int8) * 3",
    "torch.tensor([9223372036854775807]) + 1",
    "torch.tensor([2147483647], dtype=torch.int32) + torch.tensor([1], dtype=torch.int32)",
    "torch.tensor([-9223372036854775807 - 1]) * -1",
    "torch.tensor([60000.0], dtype=torch.float16) + torch.tensor([60000.0], dtype=torch.float16)",
    "torch.tensor([3e38]) * 10",
    "torch.tensor([1], dtype=torch.uint8) + 300",
    "torch.tensor([1], dtype=torch.int8) - 1000",
    "torch.tensor([5], dtype=torch.uint8) == 261",
    "torch.tensor([5], dtype=torch.uint8) < 261",
    "torch.tensor([16777217]) == torch.tensor([16777216.0])",
]
cases.each("wrap", "", WRAP)

MASK = "m = torch.tensor([True, False, True])\nn = torch.tensor([True, True, False])"
cases.each(
    "bool",
    MASK,
    [
        "(m + n, m * n, m & n, m | n, m ^ n)",
        "(m + 1, m * 2.5, m / 2, True + m, m + True)",
        "m - n",
        "1 - m",
        "m - 1",
        "m - True",
        "m - 0.5",
        "m.clone().sub_(n)",
        "(m == 1, m == True, m != 0, m > 0, m == n, m < n)",
        "(m & 1, m | 2, m ^ True)",
        "m / n",
        "m // n",
        "m % n",
        "m ** n",
        "1 - m.long()",
        "1.0 - m.float()",
        "-m.int()",
        "(bool(m[0]), int(m[0]), float(m[1]))",
        "m and n",
        "not m",
        "(1 if m[0] else 0, not m[1], m[0] and n[2], m[1] or n[0])",
        "m.float() * torch.tensor([float('nan'), float('nan'), 1.0])",
        "torch.tensor([0.0, 1.0]) & torch.tensor([1, 1])",
        "m & torch.tensor([3, 4, 5])",
        "m & 1.5",
        "torch.logical_and(torch.tensor([0.0, 2.0]), torch.tensor([3, 0]))",
    ],
)
cases.each(
    "shift",
    "a = torch.tensor([1, 5, -8])",
    ["(a << 2, a >> 1, 1 << a[:2], torch.bitwise_left_shift(a, 1))", "a << torch.tensor([1, 0, 2])", "a.float() << 1"],
)
CLOSE = "a = torch.tensor([1.0, float('nan'), 1e9])\nb = torch.tensor([1.0 + 1e-6, float('nan'), 1e9 + 1000])"
cases.each(
    "close",
    CLOSE,
    [
        "(torch.isclose(a, b), torch.isclose(a, b, equal_nan=True), a.isclose(b, rtol=0, atol=1e-7))",
        "(torch.allclose(a, b), torch.allclose(a, b, equal_nan=True), a.allclose(a[:1], rtol=1.0))",
        "(torch.equal(a, a), torch.equal(a[:1], a[:1]), a.equal(a[:2]), torch.equal(a[2:], a[2:].clone()))",
        "torch.allclose(a, a.double())",
        "torch.equal(torch.tensor([1, 2]), torch.tensor([1.0, 2.0]))",
        "torch.allclose(torch.tensor([1, 2]), torch.tensor([1, 2]))",
        "torch.allclose(a, b[:2])",
        "torch.equal(torch.zeros(0), torch.zeros(0, 1))",
    ],
)
cases.each(
    "fused",
    "a = torch.tensor([1.0, 2.0])\nb = torch.tensor([[3.0], [5.0]])",
    [
        "(torch.lerp(a, b, 0.25), a.lerp(b, torch.tensor([0.0, 1.0])))",
        "(torch.addcmul(a, b, b, value=0.5), torch.addcdiv(a, b, b + 1, value=2))",
        "torch.logaddexp(a, b)",
        "torch.hypot(a, b)",
    ],
)
# A number on the left, in every operator, keeps the tensor's dtype where it can.
for name, text in OPERATOR.items():
    if name not in BITS:
        cases.add(f"{name}_number_left_dtypes", f"[3 {text} torch.tensor([2, 3], dtype=d) for d in ds]",
                  "ds = [torch.uint8, torch.int32, torch.float16, torch.float64]")  # fmt: skip
for name, other in [("none", "None"), ("str", "'a'"), ("list", "[1, 2]"), ("tuple", "(1, 2)")]:
    cases.add(f"add_{name}", f"torch.tensor([1, 2]) + {other}")
    cases.add(f"eq_{name}", f"torch.tensor([1, 2]) == {other}")
