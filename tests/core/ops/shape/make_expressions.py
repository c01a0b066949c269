# SPDX-License-Identifier: Apache-2.0
"""Writes anew what PyTorch makes of each line of expressions.txt.

    python3 tests/core/ops/shape/make_expressions.py

A line is an expression over the tensors below, a tab, and its result: dtype, shape, strides and offset, "itself" when it
is one of those tensors, "shares" when it lies on their memory, and the elements where they are few; or the error.
"""

import math
import warnings
from pathlib import Path

import torch
import torch.nn.functional as F

FILE = Path(__file__).with_name("expressions.txt")


def names():
    return {
        "x": torch.arange(6.0).view(2, 3),
        "y": torch.arange(24).view(2, 3, 4),
        "z": torch.tensor(5.0),
        "e": torch.zeros(0, 3),
        "v": torch.arange(5),
        "m": torch.tensor([True, False]),
        "h": torch.zeros(2, 4, dtype=torch.float16),
        "b": torch.zeros(8, dtype=torch.uint8),
        "w": torch.arange(60.0).view(1, 3, 4, 5),
    }


def number(value):
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return str(int(value))
    return str(value)


def shown(value, known):
    if isinstance(value, (tuple, list)):
        return "(" + "; ".join(shown(item, known) for item in value) + ")"
    text = f"{str(value.dtype)[6:]} {list(value.shape)} strides {list(value.stride())} offset {value.storage_offset()}"
    storage = value.untyped_storage()
    if any(value is tensor for tensor in known.values()):
        text += " itself"
    elif storage.nbytes() and any(storage.data_ptr() == tensor.untyped_storage().data_ptr() for tensor in known.values()):
        text += " shares"
    if value.numel() <= 40:
        text += ":" + "".join(" " + number(element) for element in value.reshape(-1).tolist())
    return text


def result(expression):
    known = names()
    try:
        value = eval(expression, {"torch": torch, "F": F, "inf": math.inf, "nan": math.nan, **known})
        return shown(value, known)
    except Exception as error:
        text = str(error).split("\nException raised from")[0]
        return f"{type(error).__name__}: {text}".replace("\n", "\\n")


def main():
    warnings.simplefilter("ignore")
    header, expressions = [], []
    for line in FILE.read_text().splitlines():
        (header if line.startswith("#") else expressions).append(line.split("\t")[0])
    lines = header + [f"{expression}\t{result(expression)}" for expression in expressions]
    FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
