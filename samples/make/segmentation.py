# SPDX-License-Identifier: Apache-2.0
"""Writes samples/segmentation: two free photographs, masks of what they show, and predictions that go wrong.

The photographs ship inside scikit-image, so nothing is fetched. Run it from anywhere:

    python3 -m venv venv
    venv/bin/pip install numpy scikit-image pillow pycocotools
    venv/bin/python samples/make/segmentation.py

Last run with Python 3.11.7, numpy 2.4.6, scikit-image 0.26.0, pillow 13.0.0 and pycocotools 2.0.11.
"""

import json
from pathlib import Path

import numpy as np
import skimage.data
from PIL import Image
from pycocotools import mask as coco_mask
from scipy import ndimage
from skimage.draw import disk, polygon
from skimage.filters import gaussian, sobel
from skimage.morphology import disk as disc
from skimage.morphology import opening
from skimage.segmentation import watershed

OUT = Path(__file__).resolve().parents[1] / "segmentation"

COIN = [{"id": 1, "name": "coin"}]
TABLE = [{"id": i + 1, "name": n} for i, n in enumerate(["saucer", "cup", "coffee", "spoon", "glint"])]

# Outlines in the photograph of the cup, drawn by hand at twice its size.
SAUCER = [
    (155, 430), (165, 350), (195, 275), (240, 215), (300, 170), (360, 143), (440, 124), (540, 117), (640, 125),
    (740, 155), (840, 215), (895, 280), (935, 350), (957, 430), (955, 500), (930, 580), (885, 645), (820, 700),
    (740, 745), (650, 770), (560, 778), (470, 765), (390, 735), (310, 690), (240, 625), (190, 555), (165, 490),
]  # fmt: skip
CUP = [
    (346, 210), (358, 150), (400, 95), (460, 58), (530, 38), (610, 38), (690, 58), (760, 105), (802, 165),
    (815, 235), (800, 320), (760, 425), (715, 490), (655, 545), (600, 568), (530, 562), (490, 585), (465, 606),
    (440, 615), (405, 600), (393, 570), (405, 530), (430, 480), (460, 455), (415, 455), (365, 370), (350, 290),
]  # fmt: skip
HANDLE_HOLE = [(512, 497), (490, 530), (470, 575), (480, 580), (512, 550), (520, 520)]
COFFEE = [
    (410, 290), (430, 235), (480, 205), (560, 190), (640, 200), (700, 235), (735, 280), (738, 320), (700, 355),
    (640, 380), (570, 386), (490, 375), (430, 335),
]  # fmt: skip
SPOON_BOWL = [
    (654, 570), (665, 520), (700, 490), (742, 470), (748, 440), (768, 415), (768, 470), (800, 510), (812, 555),
    (800, 600), (765, 635), (715, 651), (675, 625),
]  # fmt: skip
SPOON_HANDLE = [(795, 145), (820, 133), (848, 150), (845, 180), (830, 225), (818, 262), (813, 205)]


def filled(shape, corners):
    out = np.zeros(shape, bool)
    xy = np.array(corners) / 2.0
    out[polygon(xy[:, 1], xy[:, 0], shape)] = True
    return out


def numbered(parts):
    """Label 1, 2, ... row by row, from left to right."""
    labels, count = ndimage.label(parts)
    centres = np.array(ndimage.center_of_mass(parts, labels, range(1, count + 1)))
    rows = np.digitize(centres[:, 0], [95, 160, 230])  # between the rows of coins
    out = np.zeros(labels.shape, np.uint8)
    for number, index in enumerate(np.lexsort((centres[:, 1], rows)), start=1):
        out[labels == index + 1] = number
    return out


def coins_truth(image):
    """The watershed of scikit-image's own tutorial, without its specks."""
    markers = np.zeros(image.shape, int)
    markers[image < 30] = 1
    markers[image > 150] = 2
    inside = ndimage.binary_fill_holes(watershed(sobel(image), markers) == 2)
    labels = numbered(opening(inside, disc(4)))
    assert labels.max() == 24
    return labels


def coins_soft(image):
    """How much brighter than what is around it, from 0 to 1: what a network might have said."""
    smooth = gaussian(image / 255.0, 2)
    around = ndimage.minimum_filter(gaussian(image / 255.0, 4), 61)
    return (1 / (1 + np.exp(-(smooth - around - 0.16) * 40))).astype(np.float32)


def coins_predicted(truth, soft):
    """A threshold, then what a threshold does not do by itself: a leak, a bite, a hole, a miss, an invention."""
    inside = ndimage.binary_fill_holes(opening(soft > 0.5, disc(5)))
    near = inside & ndimage.binary_dilation(truth > 0, iterations=3)
    inside = watershed(-ndimage.distance_transform_edt(inside), truth, mask=near)
    out = np.zeros_like(truth)
    for number in range(1, 25):
        out[(inside == number) & (out == 0)] = number
    centre = {n: np.array(ndimage.center_of_mass(truth == n)) for n in range(1, 25)}
    leak = np.zeros(truth.shape, bool)  # coin 3 runs into the ground between it and coin 4
    leak[disk(centre[3] + (4, 27), 9)] = True
    leak[disk(centre[3] + (14, 33), 6)] = True
    out[leak & (out == 0)] = 3
    out[disk(centre[18] + (-24, 18), 15)] = 0  # bite
    out[disk(centre[19] + (2, 3), 8)] = 0  # hole
    out[out == 12] = 0  # missed
    corner = np.zeros(truth.shape, bool)
    corner[disk((18, 30), 10)] = True
    out[corner & (out == 0)] = 25  # there is nothing
    return out


def voc_palette():
    out = []
    for index in range(256):
        value = index
        rgb = [0, 0, 0]
        for bit in range(7, -1, -1):
            for channel in range(3):
                rgb[channel] |= (value >> channel & 1) << bit
            value >>= 3
        out += rgb
    return out


def write_labels(stem, labels):
    image = Image.fromarray(labels.astype(np.uint8)).convert("P")
    image.putpalette(voc_palette())
    image.save(OUT / f"{stem}.png", optimize=True)
    Image.fromarray(labels.astype(np.uint16)).save(OUT / f"{stem}_16.png", optimize=True)
    np.save(OUT / f"{stem}.npy", labels.astype(np.uint8))


# --- COCO


def outlines(mask):
    """Rings along pixel edges as x, y, x, y, ...; with the mask to the right. Parts that touch at a corner stay two."""
    padded = np.pad(mask, 1)
    starts = {}
    for row, col in zip(*np.nonzero(padded)):
        y, x = int(row) - 1, int(col) - 1
        if not padded[row - 1, col]:
            starts.setdefault((x, y), []).append((1, 0))
        if not padded[row, col + 1]:
            starts.setdefault((x + 1, y), []).append((0, 1))
        if not padded[row + 1, col]:
            starts.setdefault((x + 1, y + 1), []).append((-1, 0))
        if not padded[row, col - 1]:
            starts.setdefault((x, y + 1), []).append((0, -1))
    rings = []
    while starts:
        at = first = next(iter(starts))
        step, ring = None, []
        while at != first or not ring:
            choices = starts[at]
            right = (-step[1], step[0]) if step else choices[0]
            turn = right if right in choices else choices[0]
            choices.remove(turn)
            if not choices:
                del starts[at]
            if turn != step:
                ring += at
            step = turn
            at = (at[0] + step[0], at[1] + step[1])
        rings.append(ring)
    return rings


def run_lengths(mask):
    rle = coco_mask.encode(np.asfortranarray(mask.astype(np.uint8)))
    return {"size": [int(n) for n in rle["size"]], "counts": rle["counts"].decode("ascii")}


def annotation(number, category, mask, form, crowd=0):
    rle = run_lengths(mask)
    segmentation = outlines(mask) if form == "polygon" else rle
    if form == "polygon":
        parts = coco_mask.merge(coco_mask.frPyObjects(segmentation, *mask.shape))
        assert parts["counts"].decode("ascii") == rle["counts"], "an outline is the mask"
    return {
        "id": number,
        "image_id": 1,
        "category_id": category,
        "segmentation": segmentation,
        "area": int(coco_mask.area(rle)),
        "bbox": [float(v) for v in coco_mask.toBbox(rle)],
        "iscrowd": crowd,
    }


def lines(rows):
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]"


def write_instances(stem, photograph, shape, annotations, categories):
    image = {"id": 1, "file_name": photograph, "height": shape[0], "width": shape[1], "licence": "see LICENCES.md"}
    text = f'{{"images": {lines([image])},\n"annotations": {lines(annotations)},\n"categories": {lines(categories)}}}\n'
    (OUT / f"{stem}.json").write_text(text, encoding="utf-8")


def write_results(stem, masks):
    rows = [
        {"image_id": 1, "category_id": category, "segmentation": run_lengths(mask), "score": score}
        for category, mask, score in masks
    ]
    (OUT / f"{stem}.json").write_text(lines(rows) + "\n", encoding="utf-8")


def write_coins():
    image = skimage.data.coins()
    Image.fromarray(image).save(OUT / "coins.png", optimize=True)
    truth = coins_truth(image)
    soft = coins_soft(image)
    predicted = coins_predicted(truth, soft)
    write_labels("coins_truth", truth)
    write_labels("coins_predicted", predicted)
    np.save(OUT / "coins_soft.npy", soft)
    # Every sixth one as run lengths: files in the wild have both.
    rows = [annotation(n, 1, truth == n, "rle" if n % 6 == 0 else "polygon") for n in range(1, 25)]
    write_instances("coins_truth", "coins.png", truth.shape, rows, COIN)
    found = [n for n in range(1, 26) if (predicted == n).any()]
    write_results("coins_predicted", [(1, predicted == n, round(float(soft[predicted == n].mean()), 3)) for n in found])
    iou = {n: ((truth == n) & (predicted == n)).sum() / ((truth == n) | (predicted == n)).sum() for n in range(1, 25)}
    print("coins:", {n: round(float(v), 2) for n, v in iou.items() if v < 0.85})


def write_coffee():
    image = skimage.data.coffee()
    shape = image.shape[:2]
    Image.fromarray(image).save(OUT / "coffee.jpg", quality=88, subsampling=2)
    saucer = filled(shape, SAUCER)
    cup = filled(shape, CUP) & ~filled(shape, HANDLE_HOLE)
    coffee = filled(shape, COFFEE)
    spoon = filled(shape, SPOON_BOWL) | filled(shape, SPOON_HANDLE)
    glints = (image.min(axis=2) > 200) & (saucer | spoon) & ~filled(shape, CUP)
    rows = [
        annotation(11, 1, saucer, "polygon"),  # whole, also where the cup stands on it
        annotation(12, 2, cup, "rle"),  # its handle has a hole
        annotation(13, 3, coffee, "polygon"),
        annotation(14, 4, spoon, "polygon"),  # two parts: the cup's rim hides its middle
        annotation(15, 5, glints, "rle", crowd=1),
    ]
    write_instances("coffee_truth", "coffee.jpg", shape, rows, TABLE)
    truth = np.zeros(shape, np.uint8)
    for number, mask in enumerate([saucer, cup, coffee, spoon], start=1):
        truth[mask] = number
    write_labels("coffee_truth", truth)
    # Grown from what is surely inside each, along the edges that the photograph has.
    markers = np.where(ndimage.binary_dilation(truth > 0, iterations=12), 0, 5)
    for number in range(1, 5):
        markers[ndimage.binary_erosion(truth == number, iterations=5)] = number
    grown = watershed(sobel(gaussian(image / 255.0, 1, channel_axis=2).mean(axis=2)), markers)
    predicted = np.where(grown == 5, 0, grown).astype(np.uint8)
    write_labels("coffee_predicted", predicted)
    scores = [0.981, 0.974, 0.93, 0.688]
    write_results("coffee_predicted", [(n, predicted == n, scores[n - 1]) for n in range(1, 5)])
    print("coffee:", [int((truth == n).sum()) for n in range(5)], [int((predicted == n).sum()) for n in range(5)])


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    write_coins()
    write_coffee()
    print(sum(path.stat().st_size for path in OUT.iterdir()), "bytes")


if __name__ == "__main__":
    main()
