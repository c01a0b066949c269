# SPDX-License-Identifier: Apache-2.0
"""Asks PyTorch for the strides of elementwise results and clones; writes strides_cases.txt beside this file.

A line: `e shape; shape strides; shape strides...; strides` for a result of these inputs, `p; shape strides; strides` for
a clone. Dims are written 2,3,4; a rank of 0 is "-".
"""
import os
import random

os.environ["OMP_NUM_THREADS"] = "1"
import torch

random.seed(3)


def laid_out(shape):
    """A tensor of that shape: permuted, sliced, with repeated dims."""
    order = list(range(len(shape)))
    if random.random() < 0.7:
        random.shuffle(order)
    base = [shape[i] for i in order]
    steps = [random.choice([1, 1, 1, 2]) for _ in base]
    repeated = [random.random() < 0.15 for _ in base]
    spans = [1 if again else size * step for size, step, again in zip(base, steps, repeated)]
    larger = [span if again else span + random.choice([0, 0, 1]) for span, again in zip(spans, repeated)]
    index = tuple(slice(0, span, step) for span, step in zip(spans, steps))
    view = torch.empty(larger)[index].expand(base)
    return view.permute([order.index(i) for i in range(len(shape))])


def dims(sizes):
    return ",".join(map(str, sizes)) or "-"


def described(tensor):
    return f"{dims(tensor.shape)} {dims(tensor.stride())}"


lines = []
for _ in range(400):
    sizes = [1, 2, 3, 4, 0] if random.random() < 0.1 else [1, 2, 3, 4]
    shape = [random.choice(sizes) for _ in range(random.randint(0, 5))]
    inputs = [laid_out(shape)]
    for _ in range(random.choice([0, 1, 1, 2])):
        smaller = shape
        if random.random() < 0.5:
            smaller = [size if random.random() < 0.6 else 1 for size in shape][random.randint(0, len(shape)):]
        inputs.append(laid_out(smaller))
    if random.random() < 0.3:
        inputs[1:] = [torch.empty_strided(inputs[0].shape, inputs[0].stride()) for _ in inputs[1:]]
    out = [torch.neg, torch.add, torch.addcmul][len(inputs) - 1](*inputs)
    lines.append("; ".join([f"e {dims(out.shape)}"] + [described(t) for t in inputs] + [dims(out.stride())]))
    lines.append(f"p; {described(inputs[0])}; {dims(inputs[0].clone().stride())}")
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "strides_cases.txt"), "w") as file:
    version = torch.__version__.split("+")[0]
    file.write(f"# SPDX-License-Identifier: Apache-2.0\n# By make_strides.py with PyTorch {version}.\n")
    file.write("\n".join(lines) + "\n")
