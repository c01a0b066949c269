# SPDX-License-Identifier: Apache-2.0
"""Arguments of ops that random ones would seldom please: shapes that must fit, places that must exist."""

import indices
import pieces
from arguments import sequence


def splits(rng, total):
    """Sizes whose product is total."""
    if total == 0:
        return rng.choice(([0], [2, 0], [0, 3], [-1, 2]))
    sizes = []
    rest = total
    for factor in rng.choices((2, 3, 1, 4), k=4):
        if rest % factor == 0 and rng.random() < 0.7:
            sizes.append(factor)
            rest //= factor
    sizes.append(rest)
    rng.shuffle(sizes)
    if rng.random() < 0.3:
        sizes[rng.randrange(len(sizes))] = -1
    if rng.random() < 0.05:
        sizes.append(2)
    return sizes


def reshaped(scope, name, parameters):
    sizes = scope.sizes(name)
    return {"size": sequence(scope.rng, splits(scope.rng, pieces.count(sizes)))}


def shaped(scope, name, parameters):
    return {"shape": reshaped(scope, name, parameters)["size"]}


def expanded(scope, name, parameters):
    rng = scope.rng
    sizes = [rng.choice((2, 3)) if size == 1 else rng.choice((size, size, -1)) for size in scope.sizes(name)]
    if rng.random() < 0.4:
        sizes = [rng.choice((1, 2)), *sizes]
    if rng.random() < 0.06:
        sizes = sizes[1:] + [5]
    return {"size": sequence(rng, [size for size in sizes])}


def repeats(scope, name, parameters):
    rng = scope.rng
    key = parameters[1].name
    rank = len(scope.sizes(name)) + rng.choice((0, 0, 0, 1, -1))
    return {key: sequence(rng, [rng.choice((1, 2, 1, 3, 0)) for _ in range(max(rank, 0))])}


def permuted(scope, name, parameters):
    rng = scope.rng
    rank = len(scope.sizes(name))
    order = rng.sample(range(rank), rank)
    order = [axis - rank if rng.random() < 0.3 else axis for axis in order]
    if rng.random() < 0.05:
        order = order[1:] + [0]
    return {"dims": sequence(rng, order)}


def an_axis_of(rng, sizes):
    axis = rng.randrange(len(sizes)) if sizes else 0
    return axis, str(axis - len(sizes) if rng.random() < 0.4 and sizes else axis)


def lined_up(scope, name, parameters):
    """gather, scatter: index and src of the same rank, no larger where it matters."""
    rng = scope.rng
    sizes = scope.sizes(name)
    axis, text = an_axis_of(rng, sizes)
    length = sizes[axis] if sizes else 1
    shape = [rng.randint(min(1, size), size) if rng.random() < 0.4 else size for size in sizes]
    if shape and rng.random() < 0.5:
        shape[axis] = rng.randint(0, 4)
    if rng.random() < 0.05:
        shape = pieces.shape(rng)
    high = length if rng.random() < 0.04 else max(length - 1, 0)
    kind = "int64" if rng.random() < 0.93 else rng.choice(("int32", "float32", "bool"))
    make = None if kind in ("bool", "float32") else lambda: str(rng.randint(0, high))
    out = {"dim": text, "index": pieces.literal(rng, shape, kind, make)}
    source = [size + (1 if rng.random() < 0.2 else 0) for size in shape]
    same = scope.kind(name) if rng.random() < 0.9 else None
    for parameter in parameters:
        if parameter.name == "src":
            out["src"] = pieces.literal(rng, source, same or pieces.dtype(rng))
        if parameter.name == "indices":
            out["indices"] = out.pop("index")
    return out


def rows(scope, name, parameters):
    """index_select, index_add, index_copy, index_fill."""
    rng = scope.rng
    sizes = scope.sizes(name)
    axis, text = an_axis_of(rng, sizes)
    length = sizes[axis] if sizes else 1
    many = rng.randint(0, 3) if sizes else 1
    high = length if rng.random() < 0.04 else max(length - 1, 0)
    low = -length if rng.random() < 0.05 else 0
    kind = rng.choice(("int64",) * 8 + ("int32", "bool"))
    make = None if kind == "bool" else lambda: str(rng.randint(low, high))
    out = {"dim": text, "index": pieces.literal(rng, [many] if rng.random() < 0.93 else [], kind, make)}
    source = [many if at == axis else size for at, size in enumerate(sizes)]
    if rng.random() < 0.06:
        source = pieces.shape(rng)
    for parameter in parameters:
        if parameter.name == "source":
            same = scope.kind(name) if rng.random() < 0.9 else pieces.dtype(rng)
            out["source"] = pieces.literal(rng, source, same)
        if parameter.name == "value" and parameter.type == "Tensor":
            out["value"] = pieces.literal(rng, [] if rng.random() < 0.9 else [2], scope.kind(name))
    return out


def flat_places(scope, name, parameters):
    rng = scope.rng
    total = pieces.count(scope.sizes(name))
    shape = pieces.shape(rng)
    high = total if rng.random() < 0.04 else max(total - 1, 0)
    make = lambda: str(rng.randint(-total if rng.random() < 0.2 else 0, high))  # noqa: E731
    out = {"index": pieces.literal(rng, shape, "int64", make)}
    if any(parameter.name == "source" for parameter in parameters):
        source = shape if rng.random() < 0.8 else [pieces.count(shape)]
        out["source"] = pieces.literal(rng, source, scope.kind(name) if rng.random() < 0.9 else pieces.dtype(rng))
    return out


def part_of(scope, name, parameters):
    rng = scope.rng
    sizes = scope.sizes(name)
    axis, text = an_axis_of(rng, sizes)
    length = sizes[axis] if sizes else 1
    start = rng.randint(-length, length)
    rest = -start if start < 0 else length - start
    keys = {parameter.name for parameter in parameters}
    out = {"dim": text}
    if "length" in keys:
        out["start"] = str(start)
        out["length"] = str(rng.randint(0, max(rest, 0)) + (1 if rng.random() < 0.05 else 0))
    if "index" in keys:
        out["index"] = str(rng.randint(-length, max(length - 1, 0)))
    if "src" in keys:
        shape = [size for at, size in enumerate(sizes) if at != axis]
        if "start" in keys:
            low, high = sorted((rng.randint(0, length), rng.randint(0, length)))
            out["start"], out["end"] = str(low), str(high)
            shape = [high - low if at == axis else size for at, size in enumerate(sizes)]
        out["src"] = pieces.literal(rng, shape, scope.kind(name))
    if "dimension" in keys:
        out = {"dimension": text, "size": str(rng.randint(0, length)), "step": str(rng.randint(1, 3))}
    if "k" in keys:
        out["k"] = str(rng.randint(0, length) if rng.random() < 0.95 else length + 1)
    return out


def pieces_of(scope, name, parameters):
    rng = scope.rng
    sizes = scope.sizes(name)
    axis, text = an_axis_of(rng, sizes)
    length = sizes[axis] if sizes else 1
    cut = rng.randint(0, length)
    third = length - cut if rng.random() < 0.93 else 1
    return {
        "dim": text,
        "split_size_or_sections": str(rng.randint(1, 3)) if "int[" not in parameters[1].type else f"[{cut}, {third}]",
        "split_size": str(rng.randint(1, 3)) if "int[" not in parameters[1].type else f"[{cut}, {third}]",
        "split_sizes": f"[{cut}, {third}]",
        "chunks": str(rng.randint(1, 4)),
    }


def several(scope, name, parameters):
    """cat, stack and their like: tensors that differ at most along one axis."""
    rng = scope.rng
    sizes = scope.sizes(name)
    axis, text = an_axis_of(rng, sizes)
    texts = [name]
    for _ in range(rng.randint(0, 2)):
        shape = list(sizes)
        if shape and rng.random() < 0.4:
            shape[axis] = rng.randint(0, 3)
        same = scope.named(lambda tensor: list(tensor.shape) == shape)
        kind = scope.kind(name) if rng.random() < 0.6 else pieces.dtype(rng)
        texts.append(same if same and rng.random() < 0.5 else pieces.tensor(rng, shape, kind))
    rng.shuffle(texts)
    return {"tensors": sequence(rng, texts), "dim": text} if rng.random() < 0.7 else {"tensors": sequence(rng, texts)}


def padded(scope, name, parameters):
    rng = scope.rng
    rank = rng.randint(0, min(len(scope.sizes(name)), 3))
    pad = [rng.choice((0, 1, 2, 1, -1)) for _ in range(2 * rank)]
    if rng.random() < 0.04:
        pad.append(1)
    return {"pad": sequence(rng, pad)}


def product(scope, name, parameters):
    """Matrices that can be multiplied."""
    rng = scope.rng
    sizes = scope.sizes(name)
    kind = scope.kind(name) if rng.random() < 0.9 else pieces.dtype(rng)
    inner = sizes[-1] if sizes else 2
    out = {}
    for parameter in parameters[1:]:
        if parameter.name in ("other", "mat2", "vec", "tensor"):
            shape = [*sizes[:-2], inner, rng.randint(1, 3)]
            if parameter.name in ("vec", "tensor") or (parameter.name == "other" and rng.random() < 0.3):
                shape = [inner]
            out[parameter.name] = pieces.literal(rng, shape, kind)
    return out


def added_product(scope, name, parameters):
    rng = scope.rng
    kind = scope.kind(name)
    batch = [2] if parameters[1].name == "batch1" else []
    sizes = scope.sizes(name) or [2]
    columns = sizes[-1]
    lines = sizes[-2] if len(sizes) > 1 else 2
    if parameters[1].name == "mat" and parameters[2].name == "vec":
        return {"mat": pieces.literal(rng, [columns, 2], kind), "vec": pieces.literal(rng, [2], kind)}
    batch = sizes[:1] if batch and len(sizes) == 3 else batch
    shapes = {parameters[1].name: [*batch, lines, 3], parameters[2].name: [*batch, 3, columns]}
    return {key: pieces.literal(rng, shape, kind) for key, shape in shapes.items()}


def written_data(scope, name, parameters):
    rng = scope.rng
    kinds = rng.sample(("float32", "int64", "bool"), rng.choice((1, 1, 1, 2)))
    data = pieces.nested(rng, pieces.shape(rng), lambda: pieces.element(rng, rng.choice(kinds)))
    if rng.random() < 0.15:
        data = name
    return {parameter.name: data for parameter in parameters if parameter.name in ("data", "obj")}


def placed(scope, name, parameters):
    rng = scope.rng
    sizes = scope.sizes(name)
    joint = pieces.shape(rng, rng.choice((1, 1, 2)))
    some = sizes[: rng.randint(1, max(len(sizes), 1))]
    items = [indices.positions(rng, size, joint) for size in some]
    if some and rng.random() < 0.2:
        items = [pieces.literal(rng, sizes, "bool")]
    values = pieces.literal(rng, joint if rng.random() < 0.4 else [], scope.kind(name))
    return {"indices": f"[{', '.join(items)}]", "values": values}


def sorted_line(scope, name, parameters):
    rng = scope.rng
    line = sorted(rng.choice(range(-5, 8)) for _ in range(rng.randint(0, 5)))
    kind = rng.choice(("int64", "float32"))
    text = f"torch.tensor({line}, dtype=torch.{kind})"
    return {"boundaries": text, "sorted_sequence": text}


def whole_numbers(scope, name, parameters):
    rng = scope.rng
    size = pieces.count(scope.sizes(name)) if len(scope.sizes(name)) == 1 else 3
    return {"weights": pieces.literal(rng, [size], rng.choice(("float32", "int64", "float64")))}


def interleaved(scope, name, parameters):
    rng = scope.rng
    sizes = scope.sizes(name)
    axis, text = an_axis_of(rng, sizes)
    out = {"dim": text} if rng.random() < 0.8 else {}
    for parameter in parameters:
        if parameter.name == "repeats":
            length = sizes[axis] if sizes and out else pieces.count(sizes)
            many = [length] if rng.random() < 0.8 else [1]
            tensor = pieces.literal(rng, many, "int64", lambda: str(rng.randint(0, 3)))
            out["repeats"] = tensor if parameter.type == "Tensor" else str(rng.randint(0, 3))
    return out


def a_range(scope, name, parameters):
    rng = scope.rng
    whole = rng.random() < 0.6
    some = [str(rng.randint(-4, 6)) if whole else str(rng.choice((-2.5, -1.0, 0.0, 0.5, 1.5, 4.0))) for _ in range(2)]
    step = rng.choice(("1", "2", "3", "-1", "0.5", "0.3", "-2", "0"))
    return {"start": some[0], "end": some[1], "step": step, "steps": str(rng.randint(0, 6))}


RECIPES = {
    "arange": a_range, "linspace": a_range, "logspace": a_range,
    "view": reshaped, "reshape": shaped, "expand": expanded, "broadcast_to": expanded, "repeat": repeats,
    "tile": repeats, "permute": permuted, "gather": lined_up, "scatter": lined_up, "scatter_add": lined_up,
    "scatter_reduce": lined_up, "take_along_dim": lined_up, "index_select": rows, "index_add": rows,
    "index_copy": rows, "index_fill": rows, "take": flat_places, "put": flat_places, "narrow": part_of,
    "select": part_of, "select_scatter": part_of, "slice_scatter": part_of, "topk": part_of, "kthvalue": part_of,
    "unfold": part_of, "split": pieces_of, "split_with_sizes": pieces_of, "chunk": pieces_of, "cat": several,
    "concat": several, "concatenate": several, "stack": several, "hstack": several, "vstack": several,
    "dstack": several, "column_stack": several, "row_stack": several, "pad": padded, "constant_pad_nd": padded,
    "matmul": product, "mm": product, "bmm": product, "mv": product, "dot": product, "vdot": product,
    "addmm": added_product, "addmv": added_product, "baddbmm": added_product, "tensor": written_data,
    "as_tensor": written_data, "asarray": written_data, "new_tensor": written_data, "_index_put_impl": placed,
    "index_put": placed, "bucketize": sorted_line, "searchsorted": sorted_line, "bincount": whole_numbers,
    "repeat_interleave": interleaved,
}  # fmt: skip
