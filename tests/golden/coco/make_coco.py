# SPDX-License-Identifier: Apache-2.0
"""Writes rle.json and polygons.json beside this file: what pycocotools makes of masks and polygons.

    python3 -m venv venv && venv/bin/pip install numpy pycocotools
    venv/bin/python tests/golden/coco/make_coco.py

The version is kept in the files. The many polygons are not stored: the test draws the same numbers from the same
generator and compares digests of what pycocotools made of them, one for each block.
"""

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
from pycocotools import _mask

HERE = Path(__file__).resolve().parent
VERSION = f"pycocotools {version('pycocotools')}"
BLOCKS, BLOCK = 200, 100


class Numbers:
    """Knuth's MMIX generator; the upper 31 bits."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return self.state >> 33

    def below(self, bound):
        return self.next() % bound


def counts_of(text):
    """The run lengths of the string form."""
    counts, at = [], 0
    while at < len(text):
        value, shift, more = 0, 0, True
        while more:
            bits = ord(text[at]) - 48
            at += 1
            value |= (bits & 0x1F) << shift
            shift += 5
            more = bits & 0x20
            if not more and bits & 0x10:
                value -= 1 << shift
        counts.append(value + counts[-2] if len(counts) > 2 else value)
    return counts


def text_of(rle):
    return rle["counts"].decode("ascii")


def encoded(mask):
    return _mask.encode(np.asfortranarray(mask.astype(np.uint8))[:, :, None])[0]


def drawn(xy, height, width):
    return _mask.frPoly([xy], height, width)[0]


def random_mask(rng):
    height, width = int(rng.integers(1, 24)), int(rng.integers(1, 24))
    kind = rng.integers(0, 5)
    if kind == 0:
        return rng.random((height, width)) < rng.random()
    if kind == 1:
        return np.zeros((height, width), bool)
    if kind == 2:
        return np.ones((height, width), bool)
    rows, cols = np.mgrid[:height, :width]
    centre = rng.random(2) * (height, width)
    inside = np.hypot(rows - centre[0], cols - centre[1]) < rng.random() * 12
    return inside & (rng.random((height, width)) < 0.95) if kind == 3 else inside


def rle_goldens():
    rng = np.random.default_rng(4)
    masks = [random_mask(rng) for _ in range(120)]
    large = np.zeros((700, 900), bool)  # runs of several characters
    large[100:650, 30:800] = True
    large[200:300, 100:140] = False
    rows = []
    for mask in masks:
        rle = encoded(mask)
        rows.append(
            {
                "size": list(mask.shape),
                "cells": "".join("01"[int(v)] for v in mask.ravel()),
                "counts": counts_of(text_of(rle)),
                "text": text_of(rle),
                "area": int(_mask.area([rle])[0]),
            }
        )
    merges = []
    for _ in range(60):
        shape = tuple(int(n) for n in rng.integers(1, 20, 2))
        parts = [encoded(rng.random(shape) < rng.random() * 0.6) for _ in range(int(rng.integers(1, 5)))]
        union = _mask.merge(parts, False)
        merges.append({"size": list(shape), "parts": [text_of(p) for p in parts], "union": text_of(union)})
    rle = encoded(large)
    return {
        "made_by": VERSION,
        "masks": rows,
        "merges": merges,
        "large": {"size": [700, 900], "text": text_of(rle), "area": int(_mask.area([rle])[0])},
    }


def polygon(numbers):
    """Height, width and coordinates: on a grid of eighths or anywhere, inside the image and far beyond it."""
    height, width = 1 + numbers.below(40), 1 + numbers.below(40)
    points = 1 + numbers.below(9)
    kind = numbers.below(4)
    xy = []
    for _ in range(2 * points):
        if kind == 0:
            xy.append(numbers.below(40 * 8) / 8.0)
        elif kind == 1:
            xy.append((numbers.below(120 * 8) - 40 * 8) / 8.0)
        elif kind == 2:
            xy.append(numbers.next() / 2147483648.0 * 60.0 - 10.0)
        else:
            xy.append(numbers.next() / 2147483648.0 * 4000.0 - 2000.0)
    return height, width, xy


def digest(texts):
    """FNV-1a of the texts, each behind its end."""
    value = 14695981039346656037
    for byte in "".join(text + "\n" for text in texts).encode("ascii"):
        value = ((value ^ byte) * 1099511628211) % 2**64
    return f"{value:016x}"


def polygon_goldens():
    rng = np.random.default_rng(8)
    by_hand = [
        [0, 0, 9, 0, 9, 9, 0, 9],
        [0, 0, 10, 0, 10, 10, 0, 10],
        [2.5, 2.5, 7.5, 2.5, 7.5, 7.5, 2.5, 7.5],
        [5, 5],
        [1, 1, 8, 8],
        [1, 1, 8, 1, 4, 1],
        [3, 1, 3, 8, 3, 4],
        [0, 0, 10, 10, 10, 0, 0, 10],
        [-5, -5, 30, -5, 30, 30, -5, 30],
        [-20, 4, -4, 4, -4, 9],
        [20, 4, 34, 4, 34, 9],
        [4, -20, 9, -20, 9, -4],
        [4, 20, 9, 20, 9, 34],
        [0, 0, 11, 0, 11, 11, 0, 11, 0, 0, 2, 2, 2, 8, 8, 8, 8, 2, 2, 2],
        [11, 0, 0, 11, 11, 11],
        [1e5, -1e5, -1e5, 1e5, 1e5, 1e5],
    ]
    rows = [{"size": [12, 12], "xy": xy, "text": text_of(drawn(xy, 12, 12))} for xy in by_hand]
    for _ in range(150):
        height, width = (int(n) for n in rng.integers(1, 60, 2))
        xy = [round(float(v), int(rng.integers(0, 4))) for v in rng.normal(25, 20, 2 * int(rng.integers(3, 9)))]
        rows.append({"size": [height, width], "xy": xy, "text": text_of(drawn(xy, height, width))})
    numbers = Numbers(20140508)
    digests = []
    for _ in range(BLOCKS):
        texts = []
        for _ in range(BLOCK):
            height, width, xy = polygon(numbers)
            texts.append(text_of(drawn(xy, height, width)))
        digests.append(digest(texts))
    return {"made_by": VERSION, "polygons": rows, "block": BLOCK, "digests": digests}


def write(name, content):
    def value_text(value):
        if not isinstance(value, list):
            return json.dumps(value)
        return "[\n" + ",\n".join(json.dumps(row) for row in value) + "\n]"

    text = "{\n" + ",\n".join(f'"{key}": {value_text(value)}' for key, value in content.items())
    (HERE / name).write_text(text + "\n}\n", encoding="utf-8")


def main():
    write("rle.json", rle_goldens())
    write("polygons.json", polygon_goldens())


if __name__ == "__main__":
    main()
