# SPDX-License-Identifier: Apache-2.0
"""What programs are made of: numbers, dtypes, shapes, tensors as expressions."""

DTYPES = {
    "float32": 30, "bool": 22, "int64": 20, "float64": 6, "float16": 6, "bfloat16": 5, "int32": 5, "uint8": 4,
    "int8": 2, "int16": 2,
}  # fmt: skip
FLOATS = ("float64", "float32", "float16", "bfloat16")
INTEGERS = ("int64", "int32", "int16", "int8", "uint8")
FLOAT_POOL = ["-3.0", "-2.5", "-1.0", "-0.5", "0.0", "0.25", "0.5", "1.0", "1.5", "2.0", "3.0", "7.0"]
STRANGE_FLOATS = ["-0.0", "float('nan')", "float('inf')", "-float('inf')", "1e-6", "-1e4", "65504.0", "1e-30"]
SCALARS = ["0", "1", "2", "-1", "3", "5", "0.5", "-1.5", "2.0", "0.0", "True", "False"]
STRANGE_SCALARS = [
    "float('nan')", "float('inf')", "-float('inf')", "-1e9", "1e-5", "-0.0", "300", "-200", "2**31", "1e30", "None",
    "torch.tensor(2)", "torch.tensor(0.5)", "torch.tensor(True)",
]  # fmt: skip


def pick(rng, weighted):
    return rng.choices(list(weighted), list(weighted.values()))[0]


def dtype(rng, among=None):
    return rng.choice(among) if among else pick(rng, DTYPES)


def scalar(rng):
    return rng.choice(STRANGE_SCALARS if rng.random() < 0.12 else SCALARS)


def integer(rng, low=-1, high=4):
    return str(rng.choice((-7, 9, 100)) if rng.random() < 0.03 else rng.randint(low, high))


def shape(rng, rank=None):
    if rank is None:
        rank = rng.choices((0, 1, 2, 3, 4), (8, 25, 42, 20, 5))[0]
    sizes = [rng.choices((1, 2, 3, 4, 5, 0), (12, 30, 30, 18, 5, 3))[0] for _ in range(rank)]
    while count(sizes) > 48:
        sizes[rng.randrange(rank)] = 1
    return sizes


def count(sizes):
    total = 1
    for size in sizes:
        total *= size
    return total


def element(rng, kind, strange=0.06):
    if kind == "bool":
        return rng.choice(("True", "False"))
    if kind in FLOATS:
        return rng.choice(STRANGE_FLOATS if rng.random() < strange else FLOAT_POOL)
    if kind == "uint8":
        return str(rng.choice((0, 1, 2, 3, 7, 200, 255)) if rng.random() < 0.3 else rng.randint(0, 5))
    if rng.random() < strange / 2:
        return str({"int8": -128, "int16": 32767, "int32": -(2**31), "int64": 2**62}[kind])
    return str(rng.randint(-5, 6))


def nested(rng, sizes, make):
    if not sizes:
        return make()
    return "[" + ", ".join(nested(rng, sizes[1:], make) for _ in range(sizes[0])) + "]"


def literal(rng, sizes, kind, make=None):
    """An expression for a contiguous tensor."""
    if count(sizes) == 0:
        return f"torch.zeros({tuple(sizes)}, dtype=torch.{kind})"
    strange = rng.choice((0, 0, 0.06, 0.3))
    values = nested(rng, sizes, make or (lambda: element(rng, kind, strange)))
    natural = make is None and kind in ("bool", "int64", "float32")
    return f"torch.tensor({values})" if natural else f"torch.tensor({values}, dtype=torch.{kind})"


def counted(rng, sizes, kind):
    name = f"torch.arange({count(sizes)})"
    turned = {"bool": " % 2 == 0", "int64": ""}.get(kind, f".to(torch.{kind})")
    return f"({name}{turned}).view({tuple(sizes)})" if "%" in turned else f"{name}{turned}.view({tuple(sizes)})"


def seen_strangely(rng, text, sizes):
    """The same data with other strides: a view of it, or an expression on it."""
    rank = len(sizes)
    ways = ["{}[None]", "{}[..., None]", "{}.unsqueeze(0)", "{}.clone()", "{}.detach()"]
    if rank:
        ways += ["{}[::2]", "{}[1:]", "{}.flip(0)", "{}[..., ::2]", "{}[..., 1:]", "{}[:, None]", "{}[-1:]"]
        ways += ["{}[None].expand(2, " + ", ".join("-1" * 1 for _ in sizes) + ")", "{}[0]", "{}[..., -1]"]
        ways += ["{}.as_strided((2, 2), (1, 1))", "torch.as_strided({}, (3,), (0,))", "{}.as_strided((2,), (2,), 1)"]
    if rank == 2:
        ways += ["{}.t()", "{}.T", "{}.t()", "{}.t()[::2]", "{}.diagonal()"]
    if rank >= 2:
        order = rng.sample(range(rank), rank)
        ways += ["{}.transpose(0, -1)", "{}.mT", f"{{}}.permute{tuple(order)}", "{}.transpose(0, 1)[..., 1:]"]
    return rng.choice(ways).format(text)


def tensor(rng, sizes=None, kind=None):
    sizes = shape(rng) if sizes is None else sizes
    kind = kind or dtype(rng)
    if rng.random() < 0.15 and count(sizes) and kind != "bool":
        return counted(rng, sizes, kind)
    return literal(rng, sizes, kind)


def beside(rng, sizes):
    """A shape that broadcasts with this one, most of the time."""
    out = list(sizes)
    way = rng.random()
    if way < 0.4:
        return out
    if way < 0.95:
        out = out[rng.randint(0, len(out)) :]
        out = [1 if rng.random() < 0.25 else size for size in out]
        if rng.random() < 0.1:
            out = [rng.randint(1, 2), *out]
        return out
    return shape(rng)


def an_axis(rng, rank):
    if rng.random() < 0.05:
        return str(rng.randint(-rank - 2, rank + 1))
    return str(rng.randint(-max(rank, 1), max(rank, 1) - 1))


def axes(rng, rank):
    some = rng.sample(range(rank), rng.randint(0, rank)) if rank else []
    some = [axis - rank if rng.random() < 0.4 else axis for axis in some]
    if rng.random() < 0.04:
        some += [0]
    return f"{tuple(some)}" if rng.random() < 0.7 else f"{some}"
