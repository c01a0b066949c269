# SPDX-License-Identifier: Apache-2.0
# Pick the values that a mask keeps, as a flat list, and put them back.
import torch

x = torch.tensor([[1., 2., 3.],
                  [4., 5., 6.]])
keep = torch.tensor([[True, False, True],
                     [False, True, True]])

# The result is always 1-D, in row-major order, and always a copy.
kept = torch.masked_select(x, keep)
print("kept:", kept.tolist())
assert kept.tolist() == [1., 3., 5., 6.]

# Its length is known before anything is copied: the True cells of the mask, times how often broadcasting repeats it.
assert kept.numel() == keep.sum().item()
row_mask = torch.tensor([True, False, True])          # [3] over [2, 3]: each True counts twice
assert torch.masked_select(x, row_mask).numel() == row_mask.sum().item() * 2

# Both sides broadcast: a row of values under a larger mask is read once for each row of the mask.
row = torch.tensor([10., 20., 30.])
assert torch.masked_select(row, keep).tolist() == [10., 30., 20., 30.]

# x[keep] gives the same here, but does not broadcast: its mask must match the leading sizes.
assert torch.equal(x[keep], kept)

# Restoring the shape needs a number of values that fits: one mask with as many True in each row does.
two_each = torch.tensor([[True, True, False],
                         [False, True, True]])
table = torch.masked_select(x, two_each).reshape(2, 2)
print("two of each row:", table.tolist())
assert table.tolist() == [[1., 2.], [5., 6.]]

# Back into place: masked_scatter is the other direction.
back = torch.zeros(2, 3).masked_scatter(keep, kept)
assert torch.equal(back, x * keep)
print("back in place:", back.tolist())
