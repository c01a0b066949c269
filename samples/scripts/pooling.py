# SPDX-License-Identifier: Apache-2.0
# Sum, mean and maximum over a padded axis.
import torch

x = torch.tensor([4., 6., 0., 0., 0., 0., 0., 0., 0., 0.])   # two values, eight cells of padding
keep = torch.arange(10) < 2

assert x.sum().item() == 10.0                                # padding of 0 does not change a sum
assert x.mean().item() == 1.0                                # 10.0 / 10: diluted
mean = (x * keep).sum() / keep.sum()
print("plain mean:", x.mean().item(), " masked mean:", mean.item())
assert mean.item() == 5.0                                    # 10.0 / 2

# Length 3 padded to 10: seven tenths of the plain mean are padding.
share = 1 - 3 / 10
assert abs(share - 0.7) < 1e-12
# A maximum needs a fill below every value: 0 wins over negatives.
y = torch.tensor([-3., -1., 0., 0.])
inside = torch.arange(4) < 2
assert y.max().item() == 0
assert y.masked_fill(~inside, float("-inf")).max().item() == -1

# Over a batch [B, T, D] with an empty row: clamp the count, or the row is NaN.
batch = torch.ones(2, 3, 4)
keep = torch.tensor([[True, True, False],
                     [False, False, False]])
total = (batch * keep[..., None]).sum(1)
assert torch.isnan(total / keep.sum(1, keepdim=True)).any()
safe = total / keep.sum(1, keepdim=True).clamp(min=1)
assert safe[0].tolist() == [1., 1., 1., 1.]
assert safe[1].tolist() == [0., 0., 0., 0.]
print("safe mean of an empty row:", safe[1].tolist())
