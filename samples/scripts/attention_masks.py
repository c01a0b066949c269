# SPDX-License-Identifier: Apache-2.0
# Scaled dot product attention with masks, step by step and fused, and which axis a mask lies on.
import math
import torch
import torch.nn.functional as F

torch.manual_seed(0)
B, H, T, D = 2, 2, 4, 8
q, k, v = torch.randn(B, H, T, D), torch.randn(B, H, T, D), torch.randn(B, H, T, D)
keep = torch.tensor([[True, True, True, False],
                     [True, True, False, False]])

scores = q @ k.transpose(-2, -1) / math.sqrt(D)          # [B, H, query, key]
assert scores.shape == (B, H, T, T)
key_keep = keep[:, None, None, :]                        # which keys may be seen
weights = scores.masked_fill(~key_keep, float("-inf")).softmax(-1)
out = weights @ v
fused = F.scaled_dot_product_attention(q, k, v, attn_mask=key_keep)
assert torch.allclose(out, fused, atol=1e-5)

# Padded keys get nothing, each row still sums to one.
assert (weights[1, :, :, 2:] == 0).all()
assert torch.allclose(weights.sum(-1), torch.ones(B, H, T), atol=1e-6)

# The query side is another axis: it clears rows of the output, it must not empty rows of the scores.
query_keep = keep[:, None, :, None]
cleared = out.masked_fill(~query_keep, 0)
assert (cleared[1, :, 2:] == 0).all()
empty_rows = scores.masked_fill(~query_keep, float("-inf")).softmax(-1)
assert torch.isnan(empty_rows[1, 0, 2]).all()
# The fused form gives 0 there.
assert (F.scaled_dot_product_attention(q, k, v, attn_mask=query_keep.expand(B, 1, T, T))[1, :, 2:] == 0).all()

# Features of tokens: [B, T, D] wants the mask as [B, T, 1].
features = torch.randn(B, T, D).masked_fill(~keep[..., None], 0)
assert (features[0, 3] == 0).all()
# A masked position with NaN in its value leaks through 0 * NaN: clear v first.
dirty = v.clone()
dirty[0, 0, 3, 0] = float("nan")
assert torch.isnan((weights @ dirty)[0, 0, 0, 0])
clean = dirty.masked_fill(~keep[:, None, :, None], 0)
assert torch.isfinite(weights @ clean).all()
print("largest difference step by step against fused:", bool((out - fused).abs().max() < 1e-5))
