# SPDX-License-Identifier: Apache-2.0
"""Everything that can stand between the brackets of x[...]."""

import pieces


def bound(rng, size):
    return "" if rng.random() < 0.4 else str(rng.randint(-size - 1, size + 1))


def a_slice(rng, size):
    step = rng.choice(("", "", "", ":", ":1", ":2", ":3"))
    if rng.random() < 0.02:
        step = ":-1"
    return f"{bound(rng, size)}:{bound(rng, size)}{step}"


def an_int(rng, size):
    if rng.random() < 0.03:
        return str(rng.choice((size, -size - 1)))
    return str(rng.randint(-size, size - 1)) if size else "0"


def positions(rng, size, sizes=None):
    """A tensor of valid places on an axis."""
    sizes = pieces.shape(rng, rng.choice((0, 1, 1, 1, 2))) if sizes is None else sizes
    if size == 0 or pieces.count(sizes) == 0:
        return f"torch.zeros({tuple(sizes)}, dtype=torch.int64)"
    kind = rng.choice(("int64", "int64", "int64", "int64", "int32", "uint8"))
    low = 0 if kind == "uint8" or rng.random() < 0.6 else -size
    high = size if rng.random() < 0.03 else size - 1
    return pieces.literal(rng, sizes, kind, lambda: str(rng.randint(low, high)))


def a_mask(rng, sizes):
    return pieces.literal(rng, sizes, "bool" if rng.random() < 0.95 else "uint8")


def an_item(rng, sizes, joint):
    """(text, axes it takes) for the axes that are left."""
    size = sizes[0]
    way = rng.random()
    if way < 0.34:
        return a_slice(rng, size), 1
    if way < 0.52:
        return an_int(rng, size), 1
    if way < 0.57:
        return "None", 0
    if way < 0.74:
        return positions(rng, size, joint if rng.random() < 0.7 else None), 1
    if way < 0.78:
        return f"[{', '.join(an_int(rng, size) for _ in range(rng.randint(1, 3)))}]", 1
    if way < 0.80:
        truths = [rng.choice(("True", "False")) for _ in range(size)]
        column = f"[[{an_int(rng, size)}], [{an_int(rng, size)}]]"
        return rng.choice((f"[{', '.join(truths)}]", column, "(0, -1)", "[]")), 1
    if way < 0.93:
        taken = rng.randint(1, min(2, len(sizes)))
        shape = sizes[:taken] if rng.random() < 0.95 else pieces.shape(rng, taken)
        return a_mask(rng, shape), taken
    if way < 0.95:
        return rng.choice(("True", "False", "torch.tensor(True)", "torch.tensor(1)")), 0
    if way < 0.99:
        return f"slice({bound(rng, size) or None}, {bound(rng, size) or None})", 1
    return f"range({rng.randint(0, max(size, 1))})", 1


def index(rng, sizes, masks=()):
    """The text of an index into a tensor of these sizes; masks: names of bool tensors that may fit."""
    if masks and rng.random() < 0.25:
        return rng.choice(masks)
    if not sizes:
        return rng.choice(("None", "...", "()", "True", "False", "torch.tensor(True)", "0", "..., None", ":"))
    joint = pieces.shape(rng, rng.choice((1, 1, 2)))
    items = []
    left = list(sizes)
    dotted = False
    while left and rng.random() < 0.75 or not items:
        if not dotted and rng.random() < 0.1:
            dotted = True
            items.append("...")
            left = left[rng.randint(0, len(left)) :]
            if not left:
                break
            continue
        text, taken = an_item(rng, left or [1], joint)
        items.append(text)
        left = left[taken:]
    if rng.random() < 0.02:
        items += ["0"] * 4
    text = ", ".join(items)
    if len(items) == 1 and items[0].startswith("[") and rng.random() < 0.5:
        return text
    return text
