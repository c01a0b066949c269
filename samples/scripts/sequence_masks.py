# SPDX-License-Identifier: Apache-2.0
# Causal masks, alone, with padding, additive, and in a decode step with a cache.
import torch

T = 4
causal_keep = torch.ones(T, T, dtype=torch.bool).tril()
print("causal:", causal_keep.int().tolist())
assert causal_keep.sum().item() == T * (T + 1) // 2
# As a drop mask it is triu with diagonal=1; without it a token would hide itself and row 0 would be empty.
causal_drop = torch.ones(T, T, dtype=torch.bool).triu(diagonal=1)
assert torch.equal(causal_drop, ~causal_keep)
assert torch.ones(T, T).triu().sum(1)[0] == T

# With padding: [B, T] keys become [B, 1, T], and the two meet as [B, T, T].
keep = torch.tensor([[True, True, True, False],
                     [True, True, False, False]])
both = causal_keep & keep[:, None, :]
assert both.shape == (2, T, T)
assert both[1].int().tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]

additive = torch.zeros(2, T, T).masked_fill(~both, float("-inf"))
weights = additive.softmax(-1)
assert torch.allclose(weights.sum(-1), torch.ones(2, T))
assert (weights[~both] == 0).all()
assert torch.allclose(weights[0, 2], torch.tensor([1 / 3, 1 / 3, 1 / 3, 0]))

# Decoding with a cache: one query, all keys so far. The row of the mask is the last one, not the first.
for cached in range(1, T + 1):
    row = torch.arange(cached)[None, :] <= cached - 1
    assert row.all() and row.shape == (1, cached)
    assert torch.equal(row, causal_keep[cached - 1:cached, :cached])
# A square mask cut at the top left would see one key only.
assert torch.ones(1, T, dtype=torch.bool).tril().sum().item() == 1
print("weights of row 2:", [round(w, 4) for w in weights[0, 2].tolist()])
