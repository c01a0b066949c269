# SPDX-License-Identifier: Apache-2.0
"""Writes anew what PyTorch makes of each line of expressions.txt.

    python3 tests/core/ops/nn/make_expressions.py

A line is an expression over the tensors below, a tab, and its result: dtype, shape, strides and elements, or the error;
warnings follow after "warns:".
"""

import math
import warnings
from pathlib import Path

import torch
import torch.nn.functional as F

FILE = Path(__file__).with_name("expressions.txt")


def spread(*shape):
    """Eighths from -4 to 4, in an order that looks like chance; exact in every dtype."""
    count = math.prod(shape)
    return ((torch.arange(count) * 37 + 11) % 65 - 32).to(torch.float32).div(8).view(shape)


def names():
    return {
        "a": spread(3, 4),
        "b": spread(4, 5),
        "r": spread(4),
        "s": torch.tensor(0.5),
        "e": torch.zeros(0, 4),
        "i": torch.arange(12).view(3, 4) % 5 - 1,
        "m": spread(5, 7) > 0,
        "p": (spread(3, 4) + 4).div(8),
        "q": spread(2, 3, 5, 4),
        "k": spread(2, 3, 7, 4),
        "v": spread(2, 3, 7, 4).flip(2),
        "l": spread(6, 5),
        "c": torch.tensor([0, 4, -100, 2, 1, 3]),
        "w": (spread(5) + 4).div(4),
        "g": spread(2, 5, 3, 4),
        "h": torch.arange(24).view(2, 3, 4) % 5,
        "t": spread(2, 3, 4, 6),
    }


def number(value):
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return str(int(value))
    return str(value)


def shown(value):
    text = f"{str(value.dtype)[6:]} {list(value.shape)} strides {list(value.stride())}"
    return text + ":" + "".join(" " + number(element) for element in value.reshape(-1).tolist())


def result(expression):
    scope = {"torch": torch, "F": F, "inf": math.inf, "nan": math.nan, **names()}
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            text = shown(eval(expression, scope))
        except Exception as error:
            text = f"{type(error).__name__}: " + str(error).replace("\n", "\\n")
    for warning in heard:
        text += " warns: " + str(warning.message).split(" (Triggered internally")[0]
    return text


def main():
    torch.set_num_threads(1)
    lines = FILE.read_text().splitlines()
    out = []
    for line in lines:
        if not line or line.startswith("#"):
            out.append(line)
            continue
        expression = line.split("\t")[0]
        out.append(f"{expression}\t{result(expression)}")
    FILE.write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
