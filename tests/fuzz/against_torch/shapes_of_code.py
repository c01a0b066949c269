# SPDX-License-Identifier: Apache-2.0
"""Statements that no signature describes: attention, control flow, questions; and the ops that masks live on."""

import pieces

FAVOURITES = [
    "masked_fill", "where", "masked_select", "masked_scatter", "nonzero", "triu", "tril", "softmax", "log_softmax",
    "cumsum", "any", "all", "sum", "mean", "logical_not", "logical_and", "eq", "ne", "expand", "view", "gather",
    "scatter", "index_fill", "fill", "copy", "zero", "clamp", "add", "mul", "max", "min", "argmax", "sort", "topk",
    "cat", "stack", "pad", "roll", "flip", "one_hot", "to", "bool", "int", "float", "isin", "masked_fill", "amax",
    "cross_entropy", "nll_loss", "binary_cross_entropy_with_logits", "layer_norm", "linear", "embedding", "einsum",
    "dropout",
]  # fmt: skip

FLOW = [
    "for i in range(len(X)):\n    X[i] = i",
    "for i in range(X.size(0)):\n    X[i] = X[i] * 2",
    "for row in X:\n    row.fill_(K)",
    "for i, row in enumerate(X):\n    row[:i] = K",
    "for i in range(X.shape[0]):\n    for j in range(X.shape[-1]):\n        if i > j:\n            X[i, j] = K",
    "if (X > 0).any():\n    NEW = X + 1\nelse:\n    NEW = X",
    "if X:\n    NEW = 1\nelse:\n    NEW = 0",
    "NEW = X if X.sum() > 0 else Y",
    "NEW = [row.sum() for row in X]",
    "NEW = torch.stack([row * 2 for row in X])",
    "NEW = [a + b for a, b in zip(X, Y)]",
    "def f(a, b=K):\n    return a * b\nNEW = f(X)",
    "f = lambda a: a.masked_fill(a > 0, K)\nNEW = f(X)",
    "NEW = [i for i in range(5) if i != K]",
    "NEW = {k: v for k, v in zip('ab', X)}",
    "a, *b = X\nNEW = len(b)",
    "n = 0\nwhile X.sum() > 0 and n < 3:\n    X -= 1\n    n += 1",
    "with torch.no_grad():\n    NEW = X * Y",
    "assert X.shape == Y.shape, f'{X.shape} {Y.shape}'",
    "NEW = sum(X)",
    "NEW = max(X.tolist()) if X.dim() == 1 else None",
    "NEW = min(X, Y) if X.numel() == 1 and Y.numel() == 1 else X",
    "NEW = X is Y, X is not None",
    "NEW = isinstance(X, torch.Tensor) and X.dtype == torch.bool",
    "NEW = K in X",
    "NEW = sorted(X.flatten().tolist())[:3]",
    "NEW = not X",
    "NEW = X and Y",
    "NEW = X[0] or Y",
    "NEW = 0 < X < 5",
    "NEW = [[i * j for j in range(3) if j != i] for i in range(3)]",
    "NEW = torch.tensor([[i <= j for j in range(3)] for i in range(3)])\nX[...] = K",
    "def f(x, *args, scale=1, **rest):\n    return x * scale, len(args), rest\nNEW = f(X, 1, scale=K, b=1, a=2)",
    "def f(m):\n    m[..., 0] = K\n    return m\nNEW = f(X.clone())",
    "NEW = X.clone()\nNEW[NEW > 0] = K",
    "NEW = X.clone()\nNEW[NEW == NEW.max()] *= 2",
    "NEW = X.masked_fill(~X.bool(), K)",
    "NEW = (X != 0).sum(-1)",
    "NEW = X[torch.arange(len(X)), torch.zeros(len(X), dtype=torch.long)]",
    "NEW, c = X.sort(dim=-1)\nc = c.float().mean()",
    "NEW = X.max(dim=-1).indices",
    "values, indices = X.topk(1)",
    "for name, part in {'a': X, 'b': Y}.items():\n    part.add_(1)",
    "NEW = {'a': X}\nNEW['a'] += 1\nNEW['b'] = K",
    "NEW = [X, X]\nNEW[0] += 1",
    "NEW = X\nNEW += 1",
    "NEW = X\nNEW = NEW + 1",
    "NEW = f'{X.float().mean():.3f} {X.numel():>5d} {X.shape!r}'",
    "NEW = all(row.any() for row in X)",
    "NEW = any(v > 1 for v in X.flatten())",
    "NEW = str(X)",
    "NEW = list(map(lambda v: v * 2, X.flatten().tolist()))",
    "NEW = reversed([1, 2, K])\nNEW = list(NEW)",
    "NEW = (lambda *a: a)(*X.shape)",
    "n = K\nNEW = 'none' if n is None else n",
    "try_it = X.nonzero()[:, 0] if X.dim() else None",
    "x, y = X, Y\nx, y = y, x\nx += 1",
    "NEW = X.new_zeros(X.shape[0], 2)\nNEW[:, 0] = X[..., 0].flatten()[: len(NEW)]",
    "NEW = X if K else Y",
    "i = 0\nwhile True:\n    i += 1\n    if i > 3:\n        break\n    if i == 2:\n        continue\n    X += i",
    "del X\nNEW = 1",
    "raise ValueError(f'bad {X.dtype}')",
]

QUESTIONS = [
    "X.item()", "X.tolist()", "X.shape", "X.size()", "X.size(-1)", "X.stride()", "X.storage_offset()", "len(X)",
    "X.is_contiguous()", "float(X)", "int(X)", "bool(X)", "X.dtype", "X.numel()", "list(X.shape)", "tuple(X)", "X.ndim",
    "X.shape[-1]", "X.shape[:-1]", "X.sum().item()", "round(float(X.sum()), 2)", "abs(X)", "X.size(3)",
    "f'{tuple(X.shape)} {X.dtype}'", "print(X.shape, X.dtype)", "print(X.tolist())", "X.any().item()", "X.shape + (1,)",
    "torch.finfo(X.dtype).min", "torch.iinfo(X.dtype).max", "torch.is_tensor(X)", "X.max() > 1", "X.type()", "list(X)",
    "X.shape == (2, 3)", "range(X.size(0))[-1]", "X.nosuch", "torch.nosuch(X)", "X()", "X.sum(1, 2, 3)", "X.sum(foo=1)",
    "print(X)", "print(X)", "repr(X)", "f'{X}'", "print(X, X.shape, sep='|')", "f'{X.sum():.2f}'", "X.max().item() + 1",
    "X.shape[0] // 2", "X.size()[0] * 3", "X.shape[5]", "round(X.float().mean().item(), 3)", "X.grad",
]  # fmt: skip

# X: a leaf, M: a mask, K: a number.
DIFFERENTIABLE = [
    "X.masked_fill(M, K)", "X.masked_select(M)", "torch.where(M, X, K)", "X * M", "X.softmax(-1)",
    "X.masked_fill(M, -float('inf')).softmax(-1)", "X.log_softmax(0)", "X[M]", "X.cumsum(-1)", "X.sqrt()",
    "torch.where(X > 0, X.sqrt(), 0)", "X.max()", "X.amax(-1)", "X.max(-1).values", "X.mean(-1)", "X.std()",
    "X.var(0)", "X.norm()", "X.logsumexp(-1)", "X.relu()", "X.sigmoid()", "X.exp()", "X.log()", "X ** 2", "X / (X + K)",
    "X @ X.mT", "torch.cat([X, X], 0)", "torch.stack([X, X * 2])", "X.t()", "X[..., 0]", "X[::2]",
    "X.expand(2, *X.shape)",
    "X.gather(-1, torch.zeros_like(X, dtype=torch.long))", "X.index_select(0, torch.tensor([0, 0]))", "X.flip(0)",
    "X.roll(1, 0)", "F.pad(X, (1, 1))", "X.clamp(0, 1)", "X.abs()", "torch.maximum(X, X * 0)", "X.sort(-1).values",
    "X.topk(1).values", "X.prod()", "X.cumprod(-1)", "X.repeat_interleave(2, 0)", "X.masked_scatter(M, X * 2)",
    "X.index_fill(0, torch.tensor([0]), K)", "X.tril()", "F.gelu(X)", "F.silu(X)", "F.softplus(X)", "X.nan_to_num(0)",
    "X.nansum(-1)", "X.where(M, K)", "F.scaled_dot_product_attention(X, X, X)", "F.normalize(X)",
    "F.layer_norm(X, X.shape[-1:])",
    "(X * M).sum(-1) / M.sum(-1)", "X.clone().masked_fill_(M, K)", "X.float().mean()", "X.view(-1)", "X.median()",
]  # fmt: skip


def attention(rng):
    """Operands, a call on them as a format string, its label: attention, or a softmax over masked scores."""
    kind = rng.choice(("float32", "float32", "float32", "float64", "float16", "bfloat16"))
    batch = rng.choice(([], [2], [1, 2], [2, 1], [2, 2]))
    queries, keys, width = rng.randint(1, 3), rng.randint(1, 4), rng.randint(1, 3)
    if rng.random() < 0.4:
        mask = rng.choice(([queries, keys], [keys], [1, keys], [*batch, queries, keys]))
        fill = rng.choice(("-float('inf')", "float('-inf')", "-1e9", "-1e4", f"torch.finfo(torch.{kind}).min", "0"))
        name = rng.choice(("softmax(-1)", "softmax(dim=-1)", "log_softmax(-1)", "softmax(0)", "logsumexp(-1)"))
        operands = [pieces.literal(rng, [*batch, queries, keys], kind), pieces.literal(rng, mask, "bool")]
        return operands, f"{{}}.masked_fill({{}}, {fill}).{name}", f"masked {name}"
    operands = [
        pieces.literal(rng, [*batch, length, width], kind, lambda: rng.choice(pieces.FLOAT_POOL))
        for length in (queries, keys, keys)
    ]
    options = ["{}", "{}", "{}"]
    way = rng.random()
    if way < 0.55:
        shape = rng.choice(([queries, keys], [1, keys], [queries, 1], [*batch, queries, keys], [keys], [3, 3]))
        mask_kind = rng.choice(("bool", "bool", kind, "float32", "int64"))
        operands.append(pieces.literal(rng, shape, mask_kind))
        options.append("attn_mask={}")
    if 0.5 < way < 0.8:
        options.append("is_causal=True")
    if rng.random() < 0.2:
        options.append(f"scale={rng.choice(('1.0', '0.5', '0.0', '2'))}")
    if rng.random() < 0.1:
        options.append("enable_gqa=True")
    return operands, f"F.scaled_dot_product_attention({', '.join(options)})", "attention"
