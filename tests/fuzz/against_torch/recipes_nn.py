# SPDX-License-Identifier: Apache-2.0
"""Arguments of losses, layers and products: operands that belong together."""

import pieces
from arguments import sequence


def a_reduction(rng):
    return {"reduction": rng.choice(("'none'", "'mean'", "'sum'"))} if rng.random() < 0.6 else {}


def alike(scope, name):
    """Operands of the sizes of this one, or nearly."""
    rng = scope.rng
    sizes = scope.sizes(name) if rng.random() < 0.9 else pieces.beside(rng, scope.sizes(name))
    kind = scope.kind(name) if rng.random() < 0.85 else pieces.dtype(rng)
    return pieces.literal(rng, sizes, kind)


def two_alike(scope, name, parameters):
    rng = scope.rng
    out = a_reduction(rng)
    for parameter in parameters[1:]:
        if parameter.name in ("target", "x2", "pos_weight") and parameter.type == "Tensor":
            out[parameter.name] = alike(scope, name)
    return out


def chances(scope, name, parameters):
    """binary_cross_entropy: probabilities and what they should have been."""
    rng = scope.rng
    sizes = scope.sizes(name)
    kind = rng.choice(("float32", "float32", "float64", "float16"))
    make = lambda: rng.choice(("0.0", "0.25", "0.5", "0.75", "1.0", "0.875"))  # noqa: E731
    target = rng.choice((kind, kind, kind, "int64", "bool"))
    return a_reduction(rng) | {
        "input": pieces.literal(rng, sizes, kind, make),
        "target": pieces.literal(rng, sizes, target, make if target == kind else None),
    }


def classes(scope, name, parameters):
    """cross_entropy, nll_loss: scores, the classes' numbers, some of them ignored."""
    rng = scope.rng
    many, count = rng.randint(0, 3), rng.randint(1, 4)
    further = rng.choice(([], [], [2], [2, 1]))
    batch = [many] if rng.random() < 0.85 else []
    kind = rng.choice(("float32", "float32", "float64", "float16", "bfloat16"))
    high = count if rng.random() < 0.04 else count - 1
    make = lambda: str(-100 if rng.random() < 0.15 else rng.randint(0, high))  # noqa: E731
    target = pieces.literal(rng, [*batch, *further], "int64", make)
    if rng.random() < 0.12:
        target = pieces.literal(rng, [*batch, count, *further], kind)
    out = a_reduction(rng) | {
        "input": pieces.literal(rng, [*batch, count, *further], kind, lambda: rng.choice(pieces.FLOAT_POOL)),
        "target": target,
    }
    if rng.random() < 0.25:
        out["weight"] = pieces.literal(rng, [count], kind, lambda: rng.choice(("0.0", "0.5", "1.0", "2.0")))
    if rng.random() < 0.25:
        out["ignore_index"] = str(rng.randint(0, 1))
    if rng.random() < 0.2:
        out["label_smoothing"] = rng.choice(("0.1", "0.5", "1.0", "0.0"))
    return out


def places_in_table(scope, name, parameters):
    rng = scope.rng
    rows, width = rng.randint(1, 4), rng.randint(1, 3)
    make = lambda: str(rng.randint(0, rows if rng.random() < 0.03 else rows - 1))  # noqa: E731
    out = {
        "input": pieces.literal(rng, pieces.shape(rng), "int64", make),
        "weight": pieces.literal(rng, [rows, width], "float32"),
        "max_norm": "None", "scale_grad_by_freq": "False", "sparse": "False",
    }  # fmt: skip
    out["indices"] = out["input"]
    if parameters[0].name == "weight":
        out.pop("input")
    return out


def one_of_many(scope, name, parameters):
    rng = scope.rng
    text = pieces.literal(rng, pieces.shape(rng), "int64", lambda: str(rng.randint(0, 3)))
    return {parameters[0].name: text} | ({"num_classes": str(rng.choice((4, 5, -1, 2)))} if rng.random() < 0.6 else {})


def layer(scope, name, parameters):
    rng = scope.rng
    sizes = scope.sizes(name)
    kind = scope.kind(name)
    width = sizes[-1] if sizes else 1
    lines = rng.randint(1, 3)
    weight = [lines, width] if rng.random() < 0.9 else [width]
    out = {"weight": pieces.literal(rng, weight, kind)}
    if rng.random() < 0.5:
        out["bias"] = pieces.literal(rng, [lines] if len(weight) == 2 else [], kind)
    return out


def normed(scope, name, parameters):
    rng = scope.rng
    sizes = scope.sizes(name)
    last = sizes[rng.randint(max(len(sizes) - 2, 0), max(len(sizes) - 1, 0)) :] or [1]
    out = {"normalized_shape": sequence(rng, last), "num_groups": str(rng.choice((1, 1, 2)))}
    affine = last if any(parameter.name == "normalized_shape" for parameter in parameters) else sizes[1:2]
    if rng.random() < 0.4:
        out["weight"] = pieces.literal(rng, affine, scope.kind(name))
    if rng.random() < 0.4:
        out["bias"] = pieces.literal(rng, affine, scope.kind(name))
    return out


def dropped(scope, name, parameters):
    rng = scope.rng
    p, training = rng.choice((("0.5", "False"), ("0.0", "True"), ("1.0", "True"), ("1.5", "False")))
    return {"p": p, "training": training, "train": training}


def summed(scope, name, parameters):
    """einsum over a few of its common forms, now and then with sizes that do not fit."""
    rng = scope.rng
    sizes = {letter: rng.randint(1, 3) for letter in "bhijkd"}
    equation = rng.choice(
        (
            "ij,jk->ik", "bij,bjk->bik", "bhid,bhjd->bhij", "bhij,bhjd->bhid", "i,j->ij", "ij->ji", "ij->", "ii->i",
            "ii", "bij->b", "...i,...i->...", "ij,ij->i", "b...,b...->b", "bi,i", "ij,jk,kd->id", "i,i->", "ij,k->ijk",
        )
    )  # fmt: skip
    kind = rng.choice(("float32", "float32", "float64", "int64"))
    operands = []
    for term in equation.split("->")[0].split(","):
        shape = [sizes[letter] for letter in term.replace("...", "j" * rng.randint(0, 1))]
        if rng.random() < 0.04:
            shape = pieces.shape(rng)
        operands.append(pieces.literal(rng, shape, kind))
    return {"equation": f"'{equation}'", "operands": sequence(rng, operands)}


def dotted(scope, name, parameters):
    rng = scope.rng
    sizes = scope.sizes(name)
    many = rng.randint(0, len(sizes))
    shape = [*sizes[len(sizes) - many :], rng.randint(1, 3)]
    return {"b": pieces.literal(rng, shape, scope.kind(name)), "dims": str(many)}


def vectors(scope, name, parameters):
    rng = scope.rng
    return {parameters[1].name: pieces.literal(rng, [rng.randint(0, 3)], pieces.dtype(rng))}


RECIPES = {
    "mse_loss": two_alike, "l1_loss": two_alike, "smooth_l1_loss": two_alike, "huber_loss": two_alike,
    "kl_div": two_alike, "binary_cross_entropy": chances, "binary_cross_entropy_with_logits": chances,
    "cross_entropy": classes, "nll_loss": classes, "embedding": places_in_table, "one_hot": one_of_many,
    "linear": layer, "layer_norm": normed, "rms_norm": normed, "group_norm": normed, "dropout": dropped,
    "einsum": summed, "tensordot": dotted, "outer": vectors, "ger": vectors, "inner": two_alike,
    "cosine_similarity": two_alike, "pairwise_distance": two_alike,
}  # fmt: skip
