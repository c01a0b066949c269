# SPDX-License-Identifier: Apache-2.0
# What to fill masked scores with: 0 leaks, -inf can make NaN, large negatives depend on the dtype.
import torch

scores = torch.tensor([3., 1., 0.])
drop = torch.tensor([False, False, True])

# 0 is a score like any other.
leak = scores.masked_fill(drop, 0).softmax(-1)[2].item()
print(f"filled with 0: {100 * leak:.1f} % of the weight leaks")
assert f"{100 * leak:.1f}" == "4.2"
for fill in [-1e4, -1e9, torch.finfo(torch.float32).min, float("-inf")]:
    assert scores.masked_fill(drop, fill).softmax(-1)[2].item() == 0

# A row with nothing to see: -inf gives NaN, a finite fill the plain mean over the padding.
all_dropped = torch.ones(3, dtype=torch.bool)
assert torch.isnan(scores.masked_fill(all_dropped, float("-inf")).softmax(-1)).all()
uniform = scores.masked_fill(all_dropped, -1e9).softmax(-1)
assert torch.allclose(uniform, torch.full((3,), 1 / 3))
# NaN in the fill spoils the whole row.
assert torch.isnan(scores.masked_fill(drop, float("nan")).softmax(-1)).all()

# float16 ends at 65504: -1e9 added becomes -inf, and finfo.min added twice does too.
half = torch.zeros(2, dtype=torch.float16)
assert (half + torch.tensor(-1e9)).tolist() == [float("-inf"), float("-inf")]
lowest = torch.finfo(torch.float16).min
assert lowest == -65504
twice = half + lowest + lowest
assert twice.tolist() == [float("-inf"), float("-inf")]
# bfloat16 has float32's range, and fewer digits.
assert torch.tensor(-1e9, dtype=torch.bfloat16).item() == -998244352
print("finfo.min of float16:", lowest)
