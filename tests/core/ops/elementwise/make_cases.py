# SPDX-License-Identifier: Apache-2.0
"""Asks PyTorch what elementwise calls give, and writes the answers to *_cases.txt beside this file.

One call a line: `op form arguments... ; name value... => ulps answer`. Forms: f torch.f(x), m x.f(), i x.f_(), F
torch.nn.functional.f(x). Values: T dtype sizes strides hex (of the whole storage, little-endian), I int, D float,
B bool, S text, Y dtype, N None. Answers: T dtype sizes strides hex (row-major), B bool, Y dtype, E type|text.
"""
import os
import random
import struct
import warnings

os.environ["OMP_NUM_THREADS"] = "1"
import torch
import torch.nn.functional as F

warnings.filterwarnings("ignore")
random.seed(5)
INTEGERS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
DTYPES = [torch.bool] + INTEGERS + FLOATS
NUMBERS = [0, 1, 2, 3, -1, -2, 0.5, -0.5, 2.5, 0.1, True, False, 300, float("inf"), -1.0, 2.0, float("nan"), 7]
SHAPES = [(5,), (2, 3), (2, 1, 3), (), (0,), (2, 0, 3), (3, 2)]
INF = float("inf")
NAN = float("nan")
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, 3.5, 1e-3, NAN, INF, -INF, 100.0, -100.0, 30.0, 3.0, -3.0, 6.5]


def tensor(dtype, shape):
    count = 1
    for size in shape:
        count *= size
    if dtype == torch.bool:
        values = [random.random() < 0.5 for _ in range(count)]
    elif dtype.is_floating_point:
        values = [random.choice(SPECIAL) if random.random() < 0.4 else random.gauss(0, 3) for _ in range(count)]
    else:
        ends = [torch.iinfo(dtype).min, torch.iinfo(dtype).max]
        values = [random.choice([0, 1, -1, 2, 3, 5, 7, -7, 100, 127, 63, 64, 8] + ends) for _ in range(count)]
    wide = torch.float64 if dtype.is_floating_point else torch.int64
    return torch.tensor(values, dtype=wide).to(dtype).reshape(shape)


def laid_out(values):
    """The same values contiguous, transposed, or every other element of a larger tensor."""
    way = random.random()
    if values.dim() < 2 or way < 0.5:
        return values
    if way < 0.8:
        return values.transpose(0, -1).contiguous().transpose(0, -1)
    larger = torch.zeros([2 * size for size in values.shape], dtype=values.dtype)
    view = larger[tuple(slice(0, 2 * size, 2) for size in values.shape)]
    view.copy_(values)
    return view


def operand(dtype, shape=None):
    return laid_out(tensor(dtype, random.choice(SHAPES) if shape is None else shape))


def broadcasting(dtype, other):
    """An operand that broadcasts to the other's shape."""
    shape = [size if random.random() < 0.7 else 1 for size in other.shape]
    return operand(dtype, tuple(shape[random.choice([0, 0, 1]):]))


def dims(sizes):
    return "[" + ",".join(map(str, sizes)) + "]"


def text(value, whole=True):
    if isinstance(value, torch.Tensor):
        data = bytes((value if whole else value.contiguous().clone()).untyped_storage())
        return f"T {str(value.dtype)[6:]} {dims(value.shape)} {dims(value.stride())} {data.hex() or '-'}"
    if isinstance(value, bool):
        return f"B {int(value)}"
    if isinstance(value, int):
        return f"I {value}"
    if isinstance(value, float):
        return "D " + struct.pack(">d", value).hex()
    if isinstance(value, str):
        return "S " + value
    if isinstance(value, torch.dtype):
        return "Y " + str(value)[6:]
    return "N"


def answer(op, form, arguments, named):
    try:
        if form in "fF":
            out = getattr(torch if form == "f" else F, op)(*arguments, **named)
        else:
            out = getattr(arguments[0], op + ("_" if form == "i" else ""))(*arguments[1:], **named)
    except Exception as problem:  # The answer is what it says.
        return f"E {type(problem).__name__}|{problem}".replace("\n", "~")
    return text(out, whole=False)


class Cases:
    def __init__(self, name):
        self.path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + "_cases.txt")
        self.lines = []

    def add(self, op, form, arguments, named=None, ulps=0):
        named = named or {}
        if form in "mi" and not hasattr(arguments[0], op + ("_" if form == "i" else "")):
            return
        if form == "f" and not hasattr(torch, op):
            return
        words = [text(a) for a in arguments] + [";"] + [f"{key} {text(value)}" for key, value in named.items()]
        asked = " ".join([op, form] + words)
        said = answer(op, form, arguments, named)
        # Argument parsing has tests of its own.
        if "TypeError" not in said:
            self.lines.append(f"{asked} => {ulps} {said}")

    def write(self):
        version = torch.__version__.split("+")[0]
        head = f"# SPDX-License-Identifier: Apache-2.0\n# By make_cases.py with PyTorch {version}.\n"
        with open(self.path, "w") as out:
            out.write(head + "\n".join(self.lines) + "\n")


def unary():
    cases = Cases("unary")
    exact = (
        "abs neg sqrt square reciprocal floor ceil round trunc frac sign sgn positive relu isnan isinf isfinite isposinf "
        "isneginf isreal logical_not bitwise_not signbit deg2rad rad2deg nan_to_num"
    )
    rounded = (
        "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid logit "
        "erfc lgamma"
    )
    activations = (
        "relu6 silu mish elu selu celu leaky_relu hardtanh hardsigmoid hardswish softplus softsign logsigmoid hardshrink "
        "softshrink gelu"
    )
    for op in exact.split() + rounded.split():
        for dtype in random.sample(DTYPES, 7):
            cases.add(op, random.choice("fmi"), [operand(dtype)], ulps=0 if op in exact.split() and op != "sqrt" else 4)
    for op in activations.split():
        for dtype in random.sample(DTYPES, 3) + FLOATS:
            cases.add(op, "F", [operand(dtype)], ulps=64 if op in ("gelu", "mish") else 4)
    for dtype in DTYPES * 2:
        x = operand(dtype)
        cases.add("round", random.choice("fmi"), [x], {"decimals": random.choice([0, 1, 2, -1])})
        cases.add("nan_to_num", "f", [x, random.choice([None, 1.5]), random.choice([None, 2.0]), None])
        cases.add("threshold", "F", [x, random.choice([1, -1]), random.choice([2, 2.5, 300])])
        cases.add("hardtanh", "F", [x, random.choice([-1.5, 0]), random.choice([2.5, -1])])
        for _ in range(3):
            low, high = random.choice([None, 0, 1, -1.5, 300, float("nan")]), random.choice([None, 2, 0.5, -1, 300])
            cases.add("clamp", random.choice("fmi"), [x, low, high])
        cases.add("clamp", random.choice("fm"), [x, broadcasting(random.choice(DTYPES), x), broadcasting(dtype, x)])
        cases.add("clamp_min", random.choice("fm"), [x, random.choice([0, 0.5, broadcasting(dtype, x)])])
    cases.write()


def binary():
    cases = Cases("binary")
    exact = (
        "add sub mul div true_divide floor_divide remainder fmod maximum minimum fmax fmin copysign eq ne lt le gt ge "
        "logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift"
    )
    for op in exact.split() + ["pow", "atan2", "hypot", "logaddexp", "xlogy"]:
        ulps = 0 if op in exact.split() else 64 if op == "logaddexp" else 2
        for _ in range(8):
            x = operand(random.choice(DTYPES))
            cases.add(op, random.choice("fmi"), [x, broadcasting(random.choice(DTYPES), x)], ulps=ulps)
        for _ in range(8):
            x = operand(random.choice(DTYPES))
            cases.add(op, random.choice("fmi"), [x, random.choice(NUMBERS)], ulps=ulps)
            cases.add(op, "f", [random.choice(NUMBERS), x], ulps=ulps)
    for dtype in (DTYPES[:6] + DTYPES[8:]) * 2:
        x = operand(dtype)
        y = broadcasting(dtype, x)
        cases.add("add", random.choice("fmi"), [x, y], {"alpha": random.choice([2, -1, 2.5, True])}, ulps=64)
        cases.add("sub", random.choice("fmi"), [x, y], {"alpha": random.choice([2, -1, 2.5, True, 300])}, ulps=64)
        cases.add("rsub", "f", [x, random.choice([y, 2, True])])
        mode = random.choice(["trunc", "floor", None, "up"])
        cases.add("div", random.choice("fmi"), [x, random.choice([y, 2])], {"rounding_mode": mode})
    cases.add("add", "f", [torch.ones(2, 3), torch.ones(4, 3)])
    cases.add("add", "i", [torch.ones(3), torch.ones(2, 3)])
    cases.write()


def several():
    cases = Cases("several")
    for dtype in DTYPES * 2:
        x = operand(dtype)
        y, z, mask = broadcasting(dtype, x), broadcasting(dtype, x), broadcasting(torch.bool, x)
        other = broadcasting(random.choice(DTYPES), x)
        cases.add("where", "f", [mask, x, other])
        cases.add("where", "f", [mask, x, random.choice(NUMBERS)])
        cases.add("where", "f", [mask, random.choice(NUMBERS), x])
        cases.add("where", "f", [mask, random.choice(NUMBERS), random.choice(NUMBERS)])
        cases.add("where", "m", [x, mask, other])
        cases.add("where", "f", [x, y, z])
        cases.add("lerp", random.choice("fmi"), [x, y, random.choice([z, 0.3, 2])], ulps=64)
        cases.add("lerp", "f", [x, other, 0.5], ulps=64)
        cases.add("addcmul", random.choice("fmi"), [x, y, z], {"value": random.choice([1, 2, 2.5])}, ulps=64)
        cases.add("addcdiv", random.choice("fmi"), [x, y, z], {"value": 2}, ulps=64)
        cases.add("isclose", "f", [x, y], {"rtol": random.choice([0.0, 0.5]), "equal_nan": random.random() < 0.5})
        cases.add("allclose", "f", [x, x.clone()], {"equal_nan": True})
        cases.add("equal", "f", [x, x.clone()])
        cases.add("equal", "f", [x, other])
        cases.add("result_type", "f", [x, random.choice([other, random.choice(NUMBERS)])])
        cases.add("heaviside", "f", [x, y])
    for a in DTYPES:
        b = random.choice(DTYPES)
        cases.add("promote_types", "f", [a, b])
        cases.add("can_cast", "f", [a, b])
    cases.add("is_nonzero", "f", [torch.tensor([[2]])])
    cases.add("is_nonzero", "f", [torch.zeros(0)])
    cases.add("is_nonzero", "f", [torch.zeros(2)])
    cases.write()


unary()
binary()
several()
