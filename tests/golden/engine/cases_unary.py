# SPDX-License-Identifier: Apache-2.0
"""One operand, element by element: every form, dtype and special value."""

from case_list import Cases

cases = Cases("unary")

FLOATS = ["float16", "bfloat16", "float32", "float64"]
INTEGERS = ["uint8", "int8", "int16", "int32", "int64"]

# Those that answer in floats for integers too.
TO_FLOAT = """exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh tanh
              asinh acosh atanh erf erfc sigmoid""".split()
# Those that keep the dtype.
KEEP = "abs neg sign square floor ceil round trunc frac relu positive".split()
TO_BOOL = "isnan isinf isfinite isposinf isneginf signbit".split()
ALIASES = [("absolute", "abs"), ("negative", "neg"), ("arcsin", "asin"), ("arctan", "atan"), ("fix", "trunc")]
HAS_INPLACE = set(TO_FLOAT + KEEP) - {"positive"}

SPECIAL = (
    'torch.tensor([-2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 0.5, 1.0, 1.5, 3.0, float("nan"), float("inf"), -float("inf")]{})'
)

for name in TO_FLOAT + KEEP + TO_BOOL:
    special = f"x = {SPECIAL.format('')}"
    cases.add(f"{name}_f32", f"(torch.{name}(x), torch.{name}(input=x[:2]), x[-3:].{name}())", special)
    cases.add(f"{name}_f64", f"torch.{name}(x)", f"x = {SPECIAL.format(', dtype=torch.float64')}")
    if name != "signbit":  # a NaN has no sign that a cast would have to keep
        cases.add(f"{name}_halves", f"[x.to(d).{name}() for d in (torch.float16, torch.bfloat16)]", special)
    if name not in ("frac",):
        cases.add(
            f"{name}_int64",
            f"torch.{name}(x)",
            "x = torch.tensor([-3, -1, 0, 1, 2, 7])",
        )
    cases.add(f"{name}_bool", f"torch.{name}(torch.tensor([True, False]))")
    cases.add(
        f"{name}_strided",
        f"(x.t().{name}(), x[:, ::2].{name}(), x[0].expand(2, 3).{name}(), x[0, 1].{name}(), x[:0].{name}())",
        "x = torch.tensor([[0.25, 0.5, 0.75], [1.0, 0.125, 0.375]])",
    )
    if name in HAS_INPLACE:
        cases.program(
            f"{name}_inplace",
            f"""
            x = torch.tensor([[0.5, 0.25], [1.0, 0.75]])
            y = x[:, 1]
            z = y.{name}_()
            out = (x, z, z is y)
            """,
        )

for name in "abs neg sign square relu exp sqrt reciprocal sigmoid floor".split():
    cases.add(
        f"{name}_every_integer",
        f"[torch.{name}(torch.tensor([0, 1, 2, 100], dtype=d)) for d in ds]",
        f"ds = [{', '.join('torch.' + d for d in INTEGERS)}]",
    )
for name in "exp log sqrt rsqrt sigmoid sin reciprocal".split():
    cases.add(f"{name}_inplace_on_int", f"torch.tensor([1, 2]).{name}_()")
for alias, name in ALIASES:
    cases.add(f"alias_{alias}", f"(torch.{alias}(x), x.{alias}())", "x = torch.tensor([-0.5, 0.75])")

cases.add("neg_operator", "(-x, +x, -x[::2])", "x = torch.tensor([1, -2, 3])")
cases.add("neg_uint8", "-torch.tensor([0, 1, 200], dtype=torch.uint8)")
cases.add("abs_int8_wraps", "torch.tensor([-128, -127], dtype=torch.int8).abs()")
cases.add("abs_builtin", "(abs(torch.tensor([-1.5, 2.0])), abs(torch.tensor(-3)))")
cases.add("neg_int64_min", "-torch.tensor([-9223372036854775807 - 1])")
cases.add("square_int32_wraps", "torch.tensor([46341, -46341], dtype=torch.int32).square()")
cases.add("round_half_to_even", "torch.round(torch.tensor([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]))")
cases.add("round_decimals", "(torch.round(x, decimals=2), x.round(decimals=1))", "x = torch.tensor([1.23456, -7.851])")
cases.add("round_builtin", "round(torch.tensor([1.5, 2.5, -0.7]))")
cases.add("exp_overflow", "[torch.tensor([12.0, 90.0]).to(d).exp() for d in (torch.float16, torch.float32)]")
cases.add("exp_underflow", "torch.tensor([-80.0, -100.0, -104.0]).exp()")
cases.add("sigmoid_far", "torch.sigmoid(torch.tensor([-100.0, -20.0, 20.0, 100.0]))")
cases.add("log1p_small", "torch.log1p(torch.tensor([1e-8, -1e-8, -1.0, -2.0]))")
cases.add("expm1_small", "torch.expm1(torch.tensor([1e-8, -1e-8, 1.0]))")
cases.add("rsqrt_zero", "torch.rsqrt(torch.tensor([0.0, -0.0, 4.0, -1.0]))")
cases.add("sqrt_zero", "torch.sqrt(torch.tensor([0.0, -0.0, 4.0, -1.0]))")

# Logic and bits.
for name in ("logical_not", "bitwise_not"):
    for dtype in ["bool", *INTEGERS]:
        cases.add(f"{name}_{dtype}", f"torch.{name}(torch.tensor([0, 1, 3], dtype=torch.{dtype}))")
    cases.add(f"{name}_float", f"torch.{name}(torch.tensor([0.0, -0.0, 0.5, float('nan')]))")
    cases.program(f"{name}_inplace", f"x = torch.tensor([True, False])\nx.{name}_()\nout = x")
cases.add("invert_bool", "(~m, ~m[None], ~m[0])", "m = torch.tensor([True, False])")
cases.add("invert_int", "~torch.tensor([0, 1, -5])")
cases.add("invert_uint8", "~torch.tensor([0, 1, 255], dtype=torch.uint8)")
cases.add("invert_float", "~torch.tensor([1.0])")
cases.add("logical_not_inplace_float", "torch.tensor([0.0, 2.0]).logical_not_()")

# clamp and its kin
X = "x = torch.tensor([-2.0, -0.5, 0.0, 0.5, 3.0, float('nan')])"
CLAMPS = [
    "(torch.clamp(x, -1, 1), x.clamp(-1.0, 1.0), x.clamp(min=-1, max=1), torch.clamp(input=x, min=-1, max=1))",
    "(x.clamp(min=0), x.clamp(max=0), x.clamp(0), x.clamp(None, 0.25))",
    "(torch.clip(x, -1, 1), x.clip(min=0.5), x.clone().clip_(0, 1))",
    "(x.clamp_min(0), torch.clamp_min(x, 0.5), x.clamp_max(0), torch.clamp_max(x, -0.5))",
    "(x.clone().clamp_(0, 1), x.clone().clamp_min_(0), x.clone().clamp_max_(0))",
    "x.clamp(1, -1)",
    "x.clamp(min=torch.tensor([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]))",
    "x.clamp(torch.zeros(2, 1), torch.ones(6))",
    "x.clamp()",
    "x.clamp(min=float('-inf'), max=float('inf'))",
    "x.clamp(float('nan'), 1)",
    "x.to(torch.float16).clamp(min=-1e5)",
]
cases.each("clamp", X, CLAMPS)
I = "x = torch.tensor([-3, 0, 5])"
cases.each("clamp_int", I, ["x.clamp(0, 2)", "x.clamp(min=0.5)", "x.clamp(max=True)", "x.clamp(min=torch.tensor(0.5))"])
cases.each("clamp_int_inplace", I, ["x.clamp_(0, 2)", "x.clamp_(min=0.5)"])
cases.add("clamp_bool", "torch.tensor([True, False]).clamp(0, 1)")
cases.add("clamp_requires_grad", "torch.tensor([1.0, -1.0], requires_grad=True).clamp(min=0)")

NAN = "x = torch.tensor([float('nan'), float('inf'), -float('inf'), 1.5])"
cases.each(
    "nan_to_num",
    NAN,
    [
        "(torch.nan_to_num(x), x.nan_to_num(), x.clone().nan_to_num_())",
        "(x.nan_to_num(0), x.nan_to_num(nan=-1.0), x.nan_to_num(0.0, 2.0, 3.0), x.nan_to_num(posinf=7, neginf=-7))",
        "[x.to(d).nan_to_num() for d in (torch.float16, torch.bfloat16, torch.float64)]",
        "torch.nan_to_num(torch.tensor([1, 2]), nan=5.0)",
        "torch.nan_to_num(torch.tensor([True, False]))",
    ],
)
cases.add("isnan_int", "torch.isnan(torch.tensor([1, 2]))")
cases.add("where_nan_is_not_itself", "(x != x, x == x, (x == x).all())", NAN)

cases.add(
    "gelu_forms",
    "(F.gelu(x), F.gelu(x, approximate='none'), nn.functional.gelu(input=x))",
    "x = torch.tensor([-3.0, -0.5, 0.0, 0.5, 3.0, 30.0])",
    atol=1e-6,
)
cases.add("gelu_tanh", "F.gelu(x, approximate='tanh')", "x = torch.tensor([-3.0, -0.5, 0.0, 0.5, 3.0])")
cases.add("gelu_half", "F.gelu(torch.tensor([-1.0, 0.5, 2.0], dtype=torch.float16))")
cases.add("gelu_int", "F.gelu(torch.tensor([1, 2]))")
cases.add("gelu_wrong_word", "F.gelu(torch.tensor([1.0]), approximate='tan')")
cases.add("relu_functional", "(F.relu(x), F.relu(x, inplace=True), x)", "x = torch.tensor([-1.0, float('nan'), 2.0])")
cases.add("sigmoid_functional", "(F.sigmoid(x), F.tanh(x))", "x = torch.tensor([-1.0, 0.0, 2.0])")
cases.add("logsigmoid", "F.logsigmoid(torch.tensor([-100.0, -1.0, 0.0, 1.0, 100.0]))")
cases.add(
    "softplus",
    "(F.softplus(x), F.softplus(x, beta=2), F.softplus(x, 1, 5), F.softplus(x, threshold=0.5))",
    "x = torch.tensor([-30.0, -1.0, 0.0, 1.0, 30.0])",
)
cases.add("logsigmoid_int", "F.logsigmoid(torch.tensor([1]))")
cases.add("silu_elu_leaky", "(F.silu(x), F.elu(x), F.leaky_relu(x, 0.1))", "x = torch.tensor([-1.0, 0.0, 2.0])")
