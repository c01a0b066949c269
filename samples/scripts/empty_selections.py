# SPDX-License-Identifier: Apache-2.0
# What comes out when a mask keeps nothing.
import math
import torch

x = torch.tensor([1., 2., 3.])
nothing = x[x > 5]
assert nothing.shape == (0,)

assert nothing.sum().item() == 0
assert nothing.prod().item() == 1
assert math.isnan(nothing.mean().item())
assert math.isnan(nothing.std().item())
assert (x > 5).any().item() is False
assert nothing.bool().all().item() is True
assert nothing.logsumexp(0).item() == float("-inf")
assert nothing.numel() == 0 and nothing.softmax(0).shape == (0,)

# The NaN of one empty mean walks on: through the sum, the loss, the next layer.
per_row = torch.stack([x.mean(), nothing.mean()])
assert math.isnan(per_row.sum().item())
assert per_row.nansum().item() == 2
# Safe: count first, divide by at least one.
count = (x > 5).sum()
safe = nothing.sum() / count.clamp(min=1)
print("sum", nothing.sum().item(), " prod", nothing.prod().item(), " mean", nothing.mean().item(), " safe mean", safe.item())
assert safe.item() == 0
