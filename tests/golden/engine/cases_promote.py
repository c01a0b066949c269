# SPDX-License-Identifier: Apache-2.0
"""Which dtype comes out: tensors, 0-dim tensors and numbers against each other, and what casts do."""

from case_list import Cases

cases = Cases("promote")

DTYPES = "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64".split()
ALL = f"ds = [{', '.join('torch.' + d for d in DTYPES)}]"
NUMBERS = "[d for d in ds if d != torch.bool]"
FLOATS = "fs = [torch.float16, torch.bfloat16, torch.float32, torch.float64]"

KINDS = [("dim_dim", "torch.ones(2, dtype={})", "torch.ones(2, dtype={})"),
         ("dim_zero", "torch.ones(2, dtype={})", "torch.tensor(1, dtype={})"),
         ("zero_dim", "torch.tensor(1, dtype={})", "torch.ones(1, dtype={})"),
         ("zero_zero", "torch.tensor(1, dtype={})", "torch.tensor(1, dtype={})")]  # fmt: skip
for kind, left, right in KINDS:
    for dtype in DTYPES:
        a = left.format("torch." + dtype)
        b = right.format("d")
        cases.add(f"add_{kind}_{dtype}", f"[(a + {b}).dtype for d in ds]", f"{ALL}\na = {a}")
    for name in ("div", "true_divide", "eq", "logical_and", "atan2"):
        cases.add(
            f"{name}_{kind}",
            f"[[torch.{name}({left.format('c')}, {right.format('d')}).dtype for d in ds] for c in ds]",
            ALL,
        )
for name in ("mul", "maximum", "pow", "remainder", "floor_divide"):
    cases.add(
        f"{name}_dim_dim",
        f"[[torch.{name}(torch.ones(2, dtype=c), torch.ones(2, dtype=d)).dtype for d in numbers] for c in numbers]",
        f"{ALL}\nnumbers = {NUMBERS}",
    )
for name in ("bitwise_and", "bitwise_or"):
    cases.add(
        f"{name}_dim_dim",
        f"[[torch.{name}(torch.ones(2, dtype=c), torch.ones(2, dtype=d)).dtype for d in ds[:6]] for c in ds[:6]]",
        ALL,
    )

for number in ["True", "2", "2.5", "-1e300", "float('inf')"]:
    tag = number.strip("-").replace("float('inf')", "inf").replace(".", "p")
    for text, word in [("+", "add"), ("*", "mul"), ("/", "div"), (">", "gt")]:
        cases.add(f"{word}_dim_number_{tag}", f"[(torch.ones(2, dtype=d) {text} {number}).dtype for d in ds]", ALL)
        cases.add(f"{word}_zero_number_{tag}", f"[({number} {text} torch.tensor(1, dtype=d)).dtype for d in ds]", ALL)
for number in ["True", "2", "2.5"]:
    tag = number.replace(".", "p")
    cases.add(f"pow_number_{tag}", f"[(torch.ones(2, dtype=d) ** {number}).dtype for d in ds if d != torch.bool]", ALL)
    cases.add(
        f"pow_left_number_{tag}", f"[({number} ** torch.ones(2, dtype=d)).dtype for d in ds if d != torch.bool]", ALL
    )
    cases.add(
        f"floor_divide_number_{tag}",
        f"[(torch.ones(2, dtype=d) // {number}).dtype for d in ds if d != torch.bool]",
        ALL,
    )
    cases.add(
        f"where_number_{tag}",
        f"[torch.where(torch.tensor([True, False]), torch.ones(2, dtype=d), {number}).dtype for d in ds]",
        ALL,
    )
    cases.add(
        f"masked_fill_number_{tag}",
        f"[torch.ones(2, dtype=d).masked_fill(torch.tensor([True, False]), {number}) for d in ds]",
        ALL,
    )
    cases.add(f"full_like_number_{tag}", f"[torch.full_like(torch.ones(2, dtype=d), {number}) for d in ds]", ALL)

cases.add(
    "where_dim_dim",
    "[[torch.where(torch.tensor([True, False]), torch.ones(2, dtype=c), torch.ones(2, dtype=d)).dtype for d in ds] for c in ds]",
    ALL,
)
cases.add("cat", "[[torch.cat([torch.ones(1, dtype=c), torch.ones(1, dtype=d)]).dtype for d in ds] for c in ds]", ALL)
cases.add(
    "stack", "[[torch.stack([torch.ones(1, dtype=c), torch.ones(1, dtype=d)]).dtype for d in ds] for c in ds]", ALL
)
cases.add(
    "three_categories",
    "[(torch.ones(2, dtype=torch.int32) * torch.tensor(2.0, dtype=torch.float64)).dtype, (torch.ones(2, dtype=torch.float16) + torch.tensor(2.0, dtype=torch.float64)).dtype, (torch.ones(2, dtype=torch.bool) + torch.tensor(3, dtype=torch.int8)).dtype]",
)

# What a reduction, a unary function, a constructor answers in.
for text in [
    "sum()",
    "prod()",
    "cumsum(0)",
    "cumprod(0)",
    "max()",
    "argmax()",
    "all()",
    "any()",
    "amax(0)",
    "count_nonzero()",
    "sort()[0]",
    "unique()",
    "nonzero()",
    "float()",
    "bincount()",
]:
    which = {"bincount()": "ds[1:6]", "argmax()": "ds[1:]"}.get(text, "ds")
    tag = text.split("(")[0]
    cases.add(f"of_{tag}", f"[torch.ones(2, dtype=d).{text}.dtype for d in {which}]", ALL)
for text in ["mean()", "std()", "var()", "norm()", "softmax(0)", "log_softmax(0)", "logsumexp(0)"]:
    tag = text.split("(")[0]
    cases.add(f"of_{tag}", f"[torch.ones(2, dtype=d).{text}.dtype for d in fs]", FLOATS)
    cases.add(f"of_{tag}_int", f"torch.tensor([1, 2]).{text}")
    cases.add(f"of_{tag}_bool", f"torch.tensor([True, False]).{text}")
for text in ["exp", "sqrt", "sigmoid", "floor", "sign", "square", "isnan"]:
    which = "ds[1:]" if text == "floor" else "ds"
    cases.add(f"of_{text}", f"[torch.ones(2, dtype=d).{text}().dtype for d in {which}]", ALL)

CONSTRUCT = [
    "torch.tensor(1)", "torch.tensor(1.0)", "torch.tensor(True)", "torch.tensor([1, 2.5])", "torch.tensor([True, 2])",
    "torch.tensor([True, 2.0])", "torch.tensor([])", "torch.tensor([[], []])", "torch.tensor([1, 2], dtype=torch.float16)",
    "torch.arange(3)", "torch.arange(3.0)", "torch.arange(0, 1, 0.25)", "torch.arange(3, dtype=torch.float32)",
    "torch.full((2,), 1)", "torch.full((2,), 1.0)", "torch.full((2,), True)", "torch.full((2,), 1, dtype=torch.float64)",
    "torch.zeros(2)", "torch.ones(2, dtype=torch.bool)", "torch.eye(2)", "torch.linspace(0, 1, 3)",
    "torch.tensor([torch.tensor(1), torch.tensor(2.5)])", "torch.tensor([torch.tensor(3), 4])",
    "torch.tensor([2.7, -2.7]).int()", "torch.as_tensor([1, 2])", "torch.tensor(3.0).long()",
]  # fmt: skip
cases.each("construct", "", CONSTRUCT)

CAST = [
    "[torch.tensor([-2.7, -0.5, 0.0, 0.9, 3.5]).to(d) for d in ds if d != torch.uint8]",
    "[torch.tensor([0, 1, 200, 255], dtype=torch.uint8).to(d) for d in ds]",
    "[torch.tensor([-1, 0, 70000, 4294967297]).to(d) for d in ds]",
    "[torch.tensor([True, False]).to(d) for d in ds]",
    "[torch.tensor([1.0 / 3, 65520.0, 1e-8, 3.4e38], dtype=torch.float64).to(d) for d in fs]",
    "[torch.tensor([0.1, 2049.0, -65504.0, 6e-8]).to(d).double() for d in fs]",
    "[torch.tensor([float('nan'), 0.0, -0.0, 1e-45]).to(torch.bool)]",
    "(torch.tensor([float('nan'), 0.5, 2.0]).bool(), torch.tensor([0.1, 0.0, -0.0]).bool())",
    "torch.tensor([257.0, 259.0], dtype=torch.float32).to(torch.bfloat16)",
    "torch.tensor([2049.0, 2051.0]).half()",
]
cases.each("cast", f"{ALL}\n{FLOATS}", CAST)
X = "x = torch.tensor([1.5, -2.5])\ni = torch.tensor([3, 4])"
METHODS = [
    "(x.float() is x, x.to(torch.float32) is x, x.double(), x.half(), x.bfloat16())",
    "(x.long(), x.int(), x.short(), x.char(), x.bool(), x.to(torch.int64))",
    "(x.type(torch.int64), x.type_as(i), i.type_as(x), x.to(i))",
    "(x.type(), i.type(), i.bool().type(), x.half().type())",
    "(x.to('cpu') is x, x.cpu() is x, x.to('cpu', torch.float64), x.to(dtype=torch.int32), x.to(device='cpu', dtype=torch.int8))",
    "(x.to(torch.float32, copy=True) is x, x.to(x) is x)",
    "(x.dtype, i.dtype, x.dtype == torch.float, i.dtype == torch.long, torch.half == torch.float16, torch.double == torch.float64)",
    "(x.dtype.is_floating_point, i.is_floating_point(), torch.is_floating_point(x), torch.is_tensor(x), torch.bool.is_floating_point)",
    "(torch.int == torch.int32, torch.short == torch.int16, torch.float == torch.float32, torch.int8 != torch.uint8)",
    "x.device", "(str(x.dtype), str(x.device), f'{x.dtype}')", "(x.element_size(), i.element_size(), x.half().element_size())",
    "x.to('meters')", "x.type('torch.LongTensor')",
]  # fmt: skip
cases.each("methods", X, METHODS)

IN_PLACE = [
    "i.add_(1.5)", "i.mul_(2.0)", "i.add_(torch.tensor(2.5))", "i.div_(2)", "b.add_(1)", "b.mul_(2)", "b.add_(True)",
    "i.add_(x)", "x.add_(i)", "h.add_(x)", "u.add_(-1)", "u.add_(i)", "i.eq_(3)", "x.gt_(0)", "i.logical_and_(b)",
    "i.pow_(2.0)", "i.copy_(x)", "b.copy_(x)", "h.copy_(torch.tensor([1e6, 0.1]))", "u.copy_(torch.tensor([300, -1]))",
    "i.fill_(2.9)", "b.fill_(3)", "u.fill_(-1)", "h.fill_(70000)", "i.fill_(float('nan'))", "i.clamp_(min=0.5)", "i.sub_(b)",
    "i.zero_()", "i.bitwise_or_(b)", "b.bitwise_or_(i)", "i.masked_fill_(b, 2.9)", "i.masked_fill_(b, float('-inf'))", "x.sigmoid_()",
]  # fmt: skip
SOME = "i = torch.tensor([3, 4])\nb = torch.tensor([True, False])\nx = torch.tensor([1.5, -2.5])\nh = torch.tensor([1.0, 2.0], dtype=torch.float16)\nu = torch.tensor([5, 6], dtype=torch.uint8)"
for text in IN_PLACE:
    tag = (
        text.replace("float('", "").translate(str.maketrans({c: "_" for c in ".()[], '"})).replace("__", "_").strip("_")
    )
    cases.add(f"inplace_{tag}", text, SOME)
for text in ["+=", "*=", "/=", "//=", "**="]:
    for left, right in [("i", "2.5"), ("b", "True"), ("x", "i"), ("u", "3")]:
        word = {"+=": "add", "*=": "mul", "/=": "div", "//=": "floordiv", "**=": "pow"}[text]
        if (text, left) not in {("//=", "b"), ("**=", "b")}:
            cases.program(f"augmented_{word}_{left}", f"{SOME}\n{left} {text} {right}\nout = {left}")

for dtype in ("float16", "bfloat16", "float32", "float64"):
    cases.add(
        f"finfo_{dtype}",
        "(i.min, i.max, i.eps, i.tiny, i.smallest_normal, i.resolution, i.bits, i.dtype)",
        f"i = torch.finfo(torch.{dtype})",
    )
for dtype in ("uint8", "int8", "int16", "int32", "int64"):
    cases.add(f"iinfo_{dtype}", "(i.min, i.max, i.bits, i.dtype)", f"i = torch.iinfo(torch.{dtype})")
cases.add("finfo_of_int", "torch.finfo(torch.int64)")
cases.add("iinfo_of_float", "torch.iinfo(torch.float32)")
cases.add("finfo_default", "torch.finfo().max")
cases.add("finfo_of_tensor", "torch.finfo(torch.tensor([1.0]).dtype).min / 2")
cases.add("iinfo_of_bool", "torch.iinfo(torch.bool)")
