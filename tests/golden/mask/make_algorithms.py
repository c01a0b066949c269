# SPDX-License-Identifier: Apache-2.0
"""Writes tests/golden/mask/algorithms.json: small masks and what other libraries make of them.

    python3 -m venv venv
    venv/bin/pip install numpy scipy scikit-image opencv-python-headless
    venv/bin/python tests/golden/mask/make_algorithms.py

A mask is its columns, and each row as hexadecimal digits of four cells, the leftmost the highest bit. The conventions
are the libraries' defaults, but for these:

  wand        cv2.floodFill with FLOODFILL_FIXED_RANGE and FLOODFILL_MASK_ONLY; OpenCV has no 16 bit images there, so
              those are given to it as float32
  grab_cut    on the area with a margin of a quarter of its longer side, at least 16; random numbers seeded with 4711
  morph       cv2.morphologyEx; "disc" is every offset with dx * dx + dy * dy <= r * r (cv2's own ellipse is another),
              the border is OpenCV's default: outside is no mask when growing, and eats nothing when shrinking
  fill_holes  scipy.ndimage.binary_fill_holes: a hole is closed to paths of four neighbours
  islands     skimage.measure.label, cells of each part, largest first
  keep        skimage.morphology.remove_small_objects: parts with at least that many cells stay
"""

import json
import platform
from pathlib import Path

import cv2
import numpy as np
import scipy
import scipy.ndimage as ndi
import skimage
from skimage import measure, morphology

random = np.random.default_rng(7)


def rows_of(mask):
    mask = np.asarray(mask).astype(bool)
    padded = np.pad(mask, ((0, 0), (0, -mask.shape[1] % 4)))
    digits = padded.reshape(mask.shape[0], -1, 4) @ (8, 4, 2, 1)
    return [mask.shape[1], ["".join(f"{digit:x}" for digit in row) for row in digits]]


def blobs(rows, cols, sigma, share):
    noise = ndi.gaussian_filter(random.standard_normal((rows, cols)), sigma, mode="wrap")
    return noise > np.quantile(noise, 1 - share)


def noise(rows, cols, share):
    return random.random((rows, cols)) < share


def masks():
    ring = np.zeros((21, 27), bool)
    ring[2:19, 3:24] = True
    ring[5:9, 6:12] = False
    ring[12:17, 10:22] = False
    ring[14, 14:18] = True
    return {
        "blobs": blobs(40, 53, 3, 0.5),
        "few": blobs(33, 70, 4, 0.15),
        "much": blobs(64, 66, 2, 0.9),
        "noise": noise(30, 41, 0.5),
        "specks": noise(45, 45, 0.04),
        "ring": ring,
        "line": np.eye(17, 23, dtype=bool),
        "full": np.ones((9, 11), bool),
        "cell": np.pad(np.ones((1, 1), bool), ((4, 6), (3, 8))),
    }


def disc(radius):
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    return (x * x + y * y <= radius * radius).astype(np.uint8)


def square(radius):
    return np.ones((2 * radius + 1, 2 * radius + 1), np.uint8)


def morph_cases(name, mask):
    kinds = {"dilate": cv2.MORPH_DILATE, "erode": cv2.MORPH_ERODE, "open": cv2.MORPH_OPEN, "close": cv2.MORPH_CLOSE}
    for element, make in (("disc", disc), ("square", square)):
        for radius in (1, 2, 7):
            for how, kind in kinds.items():
                out = cv2.morphologyEx(mask.astype(np.uint8), kind, make(radius))
                yield {"mask": name, "how": how, "element": element, "radius": radius, "out": rows_of(out)}


def island_cases(name, mask):
    for neighbours, connectivity in ((4, 1), (8, 2)):
        parts = measure.label(mask, connectivity=connectivity)
        sizes = sorted(np.bincount(parts.ravel())[1:].tolist(), reverse=True)
        count, _ = cv2.connectedComponents(mask.astype(np.uint8), connectivity=neighbours)
        assert count - 1 == len(sizes)
        kept = morphology.remove_small_objects(mask, max_size=3, connectivity=connectivity)
        yield {"mask": name, "neighbours": neighbours, "cells": sizes, "at_least": 4, "keep": rows_of(kept)}


def wand_images():
    smooth = ndi.gaussian_filter(random.standard_normal((37, 49)), 3)
    smooth = (smooth - smooth.min()) / np.ptp(smooth)
    grey = (smooth * 255).astype(np.uint8)
    colour = np.stack([grey, np.roll(grey, 5, 1), np.flipud(grey)], axis=2)
    deep = (smooth * 65535).astype(np.uint16)
    return {
        "grey": (grey, [0, 3, 16, 60.5, 300]),
        "colour": (colour, [0, 12, 40, 90]),
        "deep": (deep, [0, 700, 9000]),
        "float": (smooth.astype(np.float32), [0.0, 0.03125, 0.25]),
    }


def wand_cases(name, image, tolerances):
    for tolerance in tolerances:
        for neighbours in (4, 8):
            for row, col in ((0, 0), (18, 20), (36, 48)):
                source = image.astype(np.float32) if image.dtype == np.uint16 else image.copy()
                mask = np.zeros((image.shape[0] + 2, image.shape[1] + 2), np.uint8)
                flags = neighbours | cv2.FLOODFILL_FIXED_RANGE | cv2.FLOODFILL_MASK_ONLY
                # OpenCV rounds a tolerance for 8 bit images; a whole number below is the same for whole pixels.
                given = int(tolerance) if image.dtype == np.uint8 else tolerance
                cv2.floodFill(source, mask, (col, row), 0, (given,) * 4, (given,) * 4, flags)
                yield {"image": name, "row": row, "col": col, "tolerance": tolerance, "neighbours": neighbours,
                       "out": rows_of(mask[1:-1, 1:-1])}


def grab_cut_case():
    rows, cols = 72, 96
    y, x = np.mgrid[0:rows, 0:cols]
    inside = ((y - 36) / 17) ** 2 + ((x - 50) / 24) ** 2 <= 1
    image = np.where(inside[:, :, None], (200, 90, 60), (60, 110, 150)) + random.normal(0, 18, (rows, cols, 3))
    image = np.clip(image, 0, 255).astype(np.uint8)
    top, left, height, width = 14, 20, 44, 60
    margin = max(16, max(height, width) // 4)
    r0, c0 = max(0, top - margin), max(0, left - margin)
    r1, c1 = min(rows, top + height + margin), min(cols, left + width + margin)
    marks = np.full((rows, cols), cv2.GC_BGD, np.uint8)
    marks[top : top + height, left : left + width] = cv2.GC_PR_FGD
    marks[34:38, 45:55] = cv2.GC_FGD
    marks[14:17, 20:40] = cv2.GC_BGD
    crop = np.ascontiguousarray(image[r0:r1, c0:c1])
    crop_marks = np.ascontiguousarray(marks[r0:r1, c0:c1])
    cv2.setRNGSeed(4711)
    cv2.grabCut(crop, crop_marks, None, np.zeros((1, 65)), np.zeros((1, 65)), 5, cv2.GC_INIT_WITH_MASK)
    out = np.zeros((rows, cols), bool)
    out[r0:r1, c0:c1] = (crop_marks == cv2.GC_FGD) | (crop_marks == cv2.GC_PR_FGD)
    return {"image": image.tolist(), "around": [top, left, height, width], "surely": [34, 45, 4, 10],
            "not_at_all": [14, 20, 3, 20], "truth": rows_of(inside), "out": rows_of(out)}


def main():
    all_masks = masks()
    images = wand_images()
    out = {
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__,
                     "scikit-image": skimage.__version__, "opencv-python": cv2.__version__},
        "masks": {name: rows_of(mask) for name, mask in all_masks.items()},
        "fill_holes": [{"mask": n, "out": rows_of(ndi.binary_fill_holes(m))} for n, m in all_masks.items()],
        "morph": [case for n, m in all_masks.items() for case in morph_cases(n, m)],
        "islands": [case for n, m in all_masks.items() for case in island_cases(n, m)],
        "images": {n: {"dtype": i.dtype.name, "values": i.tolist()} for n, (i, _) in images.items()},
        "wand": [case for n, (i, t) in images.items() for case in wand_cases(n, i, t)],
        "grab_cut": grab_cut_case(),
    }
    text = ["{"]
    for key, value in out.items():
        lines = value if isinstance(value, list) else None
        comma = "" if key == list(out)[-1] else ","
        if lines is None:
            text.append(f" {json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}{comma}")
        else:
            body = ",\n".join("  " + json.dumps(line, separators=(",", ":")) for line in lines)
            text.append(f" {json.dumps(key)}: [\n{body}\n ]{comma}")
    text.append("}")
    Path(__file__).with_name("algorithms.json").write_text("\n".join(text) + "\n")


main()
