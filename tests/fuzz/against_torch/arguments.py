# SPDX-License-Identifier: Apache-2.0
"""Signatures of the engine's op table, and arguments for them; recipes.py has what a signature cannot say."""

import re
from dataclasses import dataclass

import pieces
import torch
from pieces import pick

# Left out of calls: they have no effect on the CPU, or need an object that programs have not.
PASSED_OVER = {
    "out", "layout", "device", "pin_memory", "requires_grad", "generator", "memory_format", "non_blocking",
    "assume_unique", "compute_mode", "sparse_grad", "implicit", "_stacklevel", "inplace", "force", "size_average",
}  # fmt: skip
STRINGS = {
    "rounding_mode": ["'floor'", "'trunc'", "None"],
    "reduce": ["'sum'", "'prod'", "'mean'", "'amax'", "'amin'", "'add'", "'multiply'"],
    "reduction": ["'none'", "'mean'", "'sum'"],
    "side": ["'left'", "'right'"],
    "interpolation": ["'linear'", "'lower'", "'higher'", "'nearest'", "'midpoint'"],
    "approximate": ["'none'", "'tanh'"],
    "mode": ["'constant'", "'reflect'", "'replicate'", "'circular'"],
    "indexing": ["'ij'", "'xy'"],
}
AXIS_NAMES = {
    "dim", "dim0", "dim1", "dim2", "axis0", "axis1", "start_dim", "end_dim", "source", "destination", "dimension",
    "dims",
}  # fmt: skip


@dataclass
class Parameter:
    type: str
    name: str
    default: str | None
    keyword_only: bool


def parse(signature):
    parameters = []
    keyword_only = False
    for part in re.split(r",\s*(?![^(\[]*[)\]])", signature[1:-1]):
        if not part:
            continue
        if part == "*":
            keyword_only = True
            continue
        kind, rest = part.split(" ", 1)
        name, _, default = rest.partition("=")
        parameters.append(Parameter(kind, name, default or None, keyword_only))
    return parameters


class Scope:
    """The tensors of a program as they are at this point, by name."""

    def __init__(self, rng, tensors):
        self.rng = rng
        self.tensors = tensors

    def named(self, fits):
        names = [name for name, tensor in self.tensors.items() if fits(tensor)]
        return self.rng.choice(names) if names else None

    def sizes(self, name):
        return list(self.tensors[name].shape)

    def kind(self, name):
        return str(self.tensors[name].dtype).removeprefix("torch.")

    def beside(self, sizes, kind=None):
        """A tensor that goes with these sizes: one that is there, or a new one."""
        if self.rng.random() < 0.4:
            wanted = getattr(torch, kind) if kind else None
            name = self.named(lambda tensor: wanted in (None, tensor.dtype) and broadcasts(tensor.shape, sizes))
            if name:
                return name
        text = pieces.tensor(self.rng, pieces.beside(self.rng, sizes), kind)
        if self.rng.random() < 0.06:
            text = pieces.seen_strangely(self.rng, text, sizes)
        return text


def broadcasts(first, second):
    return all(a == b or 1 in (a, b) for a, b in zip(reversed(first), reversed(second)))


def sequence(rng, items):
    items = [str(item) for item in items]
    if rng.random() < 0.5:
        return f"[{', '.join(items)}]"
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def integers(rng, parameter, sizes):
    rank = len(sizes)
    if parameter.name in AXIS_NAMES:
        if parameter.type.startswith("int[1]") and rng.random() < 0.5:
            return pieces.an_axis(rng, rank)
        return pieces.axes(rng, rank)
    if parameter.name in ("size", "shape"):
        return sequence(rng, pieces.shape(rng))
    return sequence(rng, [rng.randint(0, 3) for _ in range(rng.randint(0, rank + 1))])


def argument(scope, parameter, sizes):
    """A value that this parameter takes most of the time."""
    rng = scope.rng
    kind = parameter.type.rstrip("?")
    if parameter.type.endswith("?") and rng.random() < 0.08:
        return "None"
    if kind == "Tensor":
        special = {"mask": "bool", "condition": "bool", "index": "int64", "indices": "int64"}.get(parameter.name)
        return scope.beside(sizes, special if rng.random() < 0.9 else None)
    if kind == "TensorOrScalar":
        return pieces.scalar(rng) if rng.random() < 0.4 else scope.beside(sizes)
    if kind in ("Tensor[]", "Tensor[...]"):
        return sequence(rng, [scope.beside(sizes) for _ in range(rng.randint(1, 3))])
    if kind == "Scalar":
        return pieces.scalar(rng)
    if parameter.name == "eps":
        return rng.choice(("1e-5", "0.1", "0.0"))
    if kind == "float":
        if parameter.name in ("p", "q", "dropout_p"):
            return rng.choice(("0.0", "1.0", "0.5", "0.25", "1"))
        return rng.choice(pieces.FLOAT_POOL + pieces.STRANGE_FLOATS if rng.random() < 0.3 else pieces.FLOAT_POOL)
    if kind == "int":
        return pieces.an_axis(rng, len(sizes)) if parameter.name in AXIS_NAMES else pieces.integer(rng)
    if kind.startswith("int["):
        return integers(rng, parameter, sizes)
    if kind == "bool":
        return rng.choice(("True", "False"))
    if kind == "str" or parameter.name == "reduction":
        return rng.choice(STRINGS.get(parameter.name, ["'sum'"]))
    if kind == "ScalarType" or parameter.name == "dtype":
        return f"torch.{pick(rng, pieces.DTYPES)}"
    return pieces.scalar(rng)


WRONG = ["'text'", "1.5", "None", "[]", "[1.5]", "torch.float32", "True", "(1, 2)", "torch.tensor([1, 2])"]
# PyTorch takes NumPy's names as well.
ALIASES = {"dim": "axis", "keepdim": "keepdims", "input": "x", "other": "x2"}


def spoiled(rng, texts):
    """The arguments with one mistake of a kind that people make."""
    texts = list(texts)
    at = rng.randrange(len(texts)) if texts else 0
    way = rng.randint(0, 5)
    if way == 0 and texts:
        texts.pop(at)
    elif way == 1:
        texts.append("foo=1")
    elif way == 2 and not any(re.match(r"\w+=", text) for text in texts):
        texts.append("1")
    elif texts:
        name = re.match(r"\w+=", texts[at])
        texts[at] = (name.group() if name else "") + rng.choice(WRONG)
    return texts


def written_out(rng, parameters, chosen, method):
    """The argument list: by place until something is left out, then by keyword."""
    texts = []
    by_place = True
    for parameter in parameters[1:] if method else parameters:
        if parameter.name not in chosen:
            by_place = False
            continue
        value = chosen[parameter.name]
        if parameter.keyword_only or not by_place or (rng.random() < 0.12 and texts):
            by_place = False
            name = ALIASES.get(parameter.name, parameter.name) if rng.random() < 0.15 else parameter.name
            texts.append(f"{name}={value}")
        elif parameter.type.endswith("[...]") and value[0] in "[(" and rng.random() < 0.5:
            texts.append(value.strip("[]()").rstrip(",") if value.count("(") + value.count("[") == 1 else f"*{value}")
        else:
            texts.append(value)
    if rng.random() < 0.03:
        texts = spoiled(rng, texts)
    return ", ".join(text for text in texts if text)


def choose(scope, parameters, sizes, recipe):
    """Values by parameter name; the recipe's come before what the signature alone would give."""
    rng = scope.rng
    chosen = dict(recipe)
    for parameter in parameters:
        if parameter.name in chosen or parameter.name in PASSED_OVER:
            continue
        if (parameter.name, parameter.type) == ("reduce", "Any"):  # the old way to say reduction
            continue
        if parameter.default is None or rng.random() < 0.35:
            chosen[parameter.name] = argument(scope, parameter, sizes)
    return chosen
