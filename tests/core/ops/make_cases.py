# SPDX-License-Identifier: Apache-2.0
"""Writes anew what PyTorch makes of each line of the *_cases.txt in the folders here that have a preamble.txt.

    python3 tests/core/ops/make_cases.py

A line is Python over the names of its folder's preamble.txt, whose last statement is an expression, a tab, and the result: dtype,
shape, strides and elements, or the error.
"""

import ast
import math
import warnings
from pathlib import Path

import torch

HERE = Path(__file__).parent


def number(value):
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return str(int(value))
    return str(value)


def shown(value):
    if isinstance(value, (tuple, list)):
        return "(" + "; ".join(shown(item) for item in value) + ")"
    if not isinstance(value, torch.Tensor):
        return str(value)
    text = f"{str(value.dtype)[6:]} {list(value.shape)} strides {list(value.stride())}:"
    return text + "".join(" " + number(element) for element in value.reshape(-1).tolist())


def result(code, preamble):
    names = {"torch": torch}
    exec(preamble.read_text(), names)
    tree = ast.parse(code)
    last = tree.body.pop()
    try:
        exec(compile(tree, "case", "exec"), names)
        return shown(eval(compile(ast.Expression(last.value), "case", "eval"), names))
    except Exception as error:
        text = str(error).split("\nException raised from")[0].rstrip("\n").replace("\n", "\\n")
        return f"{type(error).__name__}: {text}"


def main():
    warnings.simplefilter("ignore")
    for preamble in sorted(HERE.glob("*/preamble.txt")):
        for file in sorted(preamble.parent.glob("*_cases.txt")):
            write(file, preamble)


def write(file, preamble):
    out = []
    for line in file.read_text().splitlines():
        code = line.split("\t")[0]
        if line.startswith("#") or not code.strip():
            out.append(line)
        else:
            out.append(f"{code}\t{result(code, preamble)}")
    file.write_text("\n".join(out) + "\n")


main()
