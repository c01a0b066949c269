# SPDX-License-Identifier: Apache-2.0
# The same masking written six ways: which agree, which copy, which keep the shape.
import torch

x = torch.tensor([[1., -2., 3.],
                  [-4., 5., -6.]])
keep = x > 0

filled = x.masked_fill(~keep, 0)             # a copy of the shape
chosen = torch.where(keep, x, 0.)            # the same values
product = x * keep                           # the same for finite values, with -0.0 where x is negative
indexed = x.clone()
indexed[~keep] = 0                           # writes into its own tensor
in_place = x.clone().masked_fill_(~keep, 0)  # no second tensor
scattered = torch.zeros_like(x).masked_scatter(keep, x[keep])

for name, out in [("where", chosen), ("multiply", product), ("boolean index", indexed),
                  ("masked_fill_", in_place), ("masked_scatter", scattered)]:
    print(f"{name:14s} same values: {torch.equal(out, filled)}  shape: {tuple(out.shape)}")
    assert torch.equal(out, filled)

# Multiplying is no masking for what is not finite: 0 * inf is NaN.
wild = torch.tensor([float("inf"), 2.])
cleared = wild * torch.tensor([0., 1.])
assert torch.isnan(cleared[0]) and cleared[1] == 2
assert torch.where(torch.tensor([False, True]), wild, 0.).tolist() == [0., 2.]

# Flat values need no filling: index, compute, done.
assert x[keep].sum().item() == 9
# A static mask in a loop: build the negation once, outside.
drop = ~keep
for step in range(3):
    x = x.masked_fill(drop, 0)
assert torch.equal(x, filled)
# masked_fill keeps the dtype, where promotes it.
whole = torch.tensor([1, 2, 3])
assert whole.masked_fill(whole > 1, 2.9).tolist() == [1, 2, 2]
assert torch.where(whole > 1, 2.9, whole).dtype == torch.float32
print("masked_fill of int64 with 2.9:", whole.masked_fill(whole > 1, 2.9).tolist())
