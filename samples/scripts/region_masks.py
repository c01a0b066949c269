# SPDX-License-Identifier: Apache-2.0
# Masks of regions: a square cut out, a centre kept, a soft map cut at a threshold, an attention map laid over an image.
import torch
import torch.nn.functional as F

image = torch.ones(3, 8, 8)

# Random erasing: the same square in all channels.
torch.manual_seed(3)
size = 3
top = torch.randint(0, 8 - size + 1, (1,)).item()
left = torch.randint(0, 8 - size + 1, (1,)).item()
keep = torch.ones(8, 8, dtype=torch.bool)
keep[top:top + size, left:left + size] = False
erased = image * keep
assert erased.sum().item() == 3 * (64 - size * size)

# The centre.
rows = torch.arange(8)
middle = (rows >= 2) & (rows < 6)
centre = middle[:, None] & middle[None, :]
assert centre.sum().item() == 16
assert (image * centre).sum().item() == 3 * 16

# A soft map and its threshold.
soft = torch.linspace(0, 1, 8).expand(8, 8)
hard = soft > 0.5
assert hard.sum().item() == 8 * 4

# Attention of 2 x 2 patches becomes a soft mask of 8 x 8 pixels.
attention = torch.tensor([[0.1, 0.2],
                          [0.3, 0.4]])
nearest = F.interpolate(attention[None, None], size=(8, 8), mode="nearest")[0, 0]
assert nearest[0, 0] == attention[0, 0] and nearest[7, 7] == attention[1, 1]
assert torch.allclose(nearest.mean(), attention.mean())
smooth = F.interpolate(attention[None, None], size=(8, 8), mode="bilinear", align_corners=False)[0, 0]
assert smooth.min() >= 0.1 and smooth.max() <= 0.4001
print("erased square at", (top, left), " smooth centre:", round(smooth[3, 3].item(), 4))
