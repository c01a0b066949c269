# SPDX-License-Identifier: Apache-2.0
# Take the valid rows out of a padded batch, work on them, and put them back.
import torch

B, T, D = 2, 3, 4
x = torch.arange(B * T * D, dtype=torch.float32).reshape(B, T, D)
keep = torch.tensor([[True, True, False],
                     [True, False, False]])

where = keep.nonzero()                       # one row of (batch, position) for each True
print("valid positions:", where.tolist())
assert where.tolist() == [[0, 0], [0, 1], [1, 0]]

rows = x[keep]                               # [3, D], a copy
assert rows.shape == (3, D)
flat = keep.flatten().nonzero().squeeze(1)   # positions in the flattened batch
assert torch.equal(rows, x.reshape(B * T, D).index_select(0, flat))

worked = rows * 10
back = x.clone()
back[keep] = worked
# The same by index: scatter wants an index of the values' shape.
again = x.reshape(B * T, D).scatter(0, flat[:, None].expand(-1, D), worked).reshape(B, T, D)
assert torch.equal(back, again)
assert torch.equal(back[~keep], x[~keep])
assert torch.equal(back[keep], x[keep] * 10)

# gather reads one position of each sequence: the last valid one.
last = keep.sum(1) - 1
picked = x.gather(1, last[:, None, None].expand(B, 1, D)).squeeze(1)
assert torch.equal(picked, torch.stack([x[0, 1], x[1, 0]]))
# An int64 mask of 0 and 1 is no mask: it gathers rows 1, 0, 1.
ten = torch.tensor([10, 20, 30])
assert ten[torch.tensor([1, 0, 1])].tolist() == [20, 10, 20]
assert ten[torch.tensor([1, 0, 1]).bool()].tolist() == [10, 30]
print("last valid rows:", picked[:, 0].tolist())
