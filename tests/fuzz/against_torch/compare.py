# SPDX-License-Identifier: Apache-2.0
"""Where two outcomes of a program part: values in the words of tests/golden/engine/make_cases.py."""

import math
import re
from dataclasses import dataclass

# (of the element, of the largest element up to 100, at least): a sum may lose what its terms have more than it.
TOLERANCE = {
    "float64": (1e-11, 1e-14, 1e-14),
    "float32": (2e-6, 3e-7, 1e-7),
    "float16": (2e-3, 1e-6, 1e-7),
    "bfloat16": (1.2e-2, 1e-6, 1e-7),
}
LARGEST = 100
NUMBER = 5e-6

# The gravest first.
KINDS = (
    "crash", "thrown", "dtype", "shape", "type", "values", "number", "infinity", "nan", "refused", "admitted", "view",
    "stride", "requires_grad", "error type", "error text", "printed", "zero sign",
)  # fmt: skip


@dataclass
class Difference:
    kind: str
    detail: str  # without the numbers, the same for all programs of one mistake
    expected: str
    got: str
    name: str = ""


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def number_kind(expected, got, tolerance):
    """None when the two agree."""
    if expected == got and type(expected) is type(got):
        if expected == 0 and isinstance(expected, float) and math.copysign(1, expected) != math.copysign(1, got):
            return "zero sign"
        return None
    if "nan" in (expected, got):
        return "nan"
    if isinstance(expected, str) or isinstance(got, str):
        return "infinity"
    if isinstance(expected, int) or isinstance(got, int):
        return "values"
    return None if abs(expected - got) <= tolerance else "values"


def dtypes_of(value):
    if isinstance(value, dict) and "tensor" in value:
        return {value["tensor"]}
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*(dtypes_of(item) for item in inside)) if inside else set()


def tensor_difference(expected, got, name, coarsest):
    for key, kind in (("tensor", "dtype"), ("shape", "shape"), ("requires_grad", "requires_grad"), ("view", "view")):
        if expected.get(key) != got.get(key):
            return Difference(kind, "", f"{kind} {expected.get(key)}", f"{got.get(key)}", name)
    pairs = list(zip(expected["values"], got["values"]))
    scale = max((abs(value) for value in expected["values"] if is_number(value)), default=0)
    of_element, of_largest, least = TOLERANCE.get(expected["tensor"], (0, 0, 0))
    if expected["tensor"] == "float64" and coarsest:
        of_element, of_largest, least = TOLERANCE["float32"]
    least += of_largest * min(scale, LARGEST)
    kinds = {}
    for at, (wanted, found) in enumerate(pairs):
        own = abs(wanted) if is_number(wanted) else 0
        kind = number_kind(wanted, found, of_element * own + least)
        if kind:
            kinds.setdefault(kind, (at, wanted, found))
    for kind in KINDS:
        if kind in kinds:
            at, wanted, found = kinds[kind]
            return Difference(kind, expected["tensor"], f"[{at}] {wanted}", f"{found}", name)
    if expected.get("stride") != got.get("stride"):
        return Difference("stride", "", f"stride {expected.get('stride')}", f"{got.get('stride')}", name)
    return None


def value_difference(expected, got, name, coarsest=False):
    if isinstance(expected, list) and isinstance(got, list):
        if len(expected) != len(got):
            return Difference("shape", "items", f"{len(expected)} items", f"{len(got)}", name)
        for at, (wanted, found) in enumerate(zip(expected, got)):
            inside = value_difference(wanted, found, f"{name}[{at}]", coarsest)
            if inside:
                return inside
        return None
    if isinstance(expected, dict) and isinstance(got, dict):
        kind = next(iter(expected))
        if kind == next(iter(got)):
            if kind == "tensor":
                return tensor_difference(expected, got, name, coarsest)
            return value_difference(expected[kind], got[kind], name, coarsest)
    if type(expected) is not type(got):
        return Difference("type", "", f"{expected}", f"{got}", name)
    if isinstance(expected, float):
        if abs(expected - got) <= NUMBER * abs(expected) + 1e-7:
            return None
        return Difference("number", "", f"{expected}", f"{got}", name)
    return None if expected == got else Difference("number", "", f"{expected}", f"{got}", name)


def shape_of_text(text):
    """An error's text without what changes from program to program."""
    text = text.split("\n")[0]
    text = re.sub(r"-?\d+(\.\d+)?(e[+-]?\d+)?", "N", text)
    text = re.sub(r"'(Bool|Byte|Char|Short|Int|Long|Half|BFloatN|Float|Double)'", "'T'", text)
    text = re.sub(r"type (Bool|Byte|Char|Short|Int|Long|Half|BFloatN|Float|Double)", "type T", text)
    text = re.sub(r"\b(addmm|addmv|bmm|mm|baddbmm|mv|dot)\b", "OP", text)
    return re.sub(r"N(, ?N)*", "N", text)[:80]


def error_difference(expected, got):
    if expected == got:
        return None
    if expected is None:
        return Difference("refused", shape_of_text(got["text"]), "no error", f"{got['type']}: {got['text']}")
    if got is None:
        text = expected["text"]
        return Difference("admitted", shape_of_text(text), f"{expected['type']}: {text}", "none")
    kind = "error type" if expected["type"] != got["type"] else "error text"
    detail = f"{shape_of_text(expected['text'])} | {shape_of_text(got['text'])}"
    return Difference(kind, detail, f"{expected['type']}: {expected['text']}", f"{got['type']}: {got['text']}")


def difference(expected, got):
    """The first difference of two outcomes, or None."""
    for kind in ("crash", "thrown"):
        if kind in got:
            return Difference(kind, str(got[kind])[:60], "an answer", str(got[kind]))
    wrong = error_difference(expected.get("error"), got.get("error"))
    if wrong:
        return wrong
    # PyTorch finds a bad index or divisor when it has written what comes before it.
    if "error" in expected and re.search("out of bounds|ZeroDivisionError", expected["error"]["text"]):
        return None
    if expected["printed"] != got["printed"]:
        return Difference("printed", "", expected["printed"], got["printed"])
    found = dict(got["variables"])
    # The last bit of a float32 stays in what becomes float64.
    coarsest = bool(dtypes_of(expected["variables"]) & {"float32", "float16", "bfloat16"})
    for name, value in expected["variables"]:
        if name not in found:
            return Difference("type", "unbound", f"{value}", "not bound", name)
        wrong = value_difference(value, found[name], name, coarsest)
        if wrong:
            return wrong
    return None
