# SPDX-License-Identifier: Apache-2.0
# Attention weights for a picture: padding cleared for the eye only, rows as they were for the model.
import torch

scores = torch.tensor([[2., 1., 0., 0.],
                       [1., 2., 0., 0.],
                       [1., 1., 1., 1.],
                       [0., 0., 0., 0.]])
keep = torch.tensor([True, True, False, False])
weights = scores.masked_fill(~keep[None, :], float("-inf")).softmax(-1)
sums = weights.sum(-1)
assert torch.allclose(sums, torch.ones(4))

# Rows of padded queries still hold weights; they are hidden in a copy, after the softmax.
shown = weights.masked_fill(~keep[:, None], 0)
assert (shown[2:] == 0).all()
assert torch.equal(shown[:2], weights[:2])
# The weights themselves are untouched: the rows still sum as they did.
assert torch.equal(weights.sum(-1), sums)
assert shown.sum(-1)[:2].tolist() == sums[:2].tolist()
# Clearing before the softmax would be another thing: 0 is a score.
wrong = scores.masked_fill(~keep[None, :], 0).softmax(-1)
assert (wrong[:, 2:] > 0.05).any()
print("shown:", [[round(w, 4) for w in row] for row in shown.tolist()])
