# SPDX-License-Identifier: Apache-2.0
# The mean of each feature channel inside a region of an image.
import torch

B, C, H, W = 2, 3, 4, 4
features = torch.arange(B * C * H * W, dtype=torch.float32).reshape(B, C, H, W)
region = torch.zeros(B, 1, H, W, dtype=torch.bool)
region[0, 0, 1:3, 1:3] = True                # four pixels of the first image, none of the second

# [B, 1, H, W] over [B, C, H, W]: one mask for all channels.
inside = features.masked_fill(~region, 0)
count = region.sum(dim=(2, 3))               # [B, 1]
means = inside.sum(dim=(2, 3)) / count.clamp(min=1)
print("means of image 0:", means[0].tolist())
assert means.shape == (B, C)
# Pixels 5, 6, 9, 10 of each channel of 16: the mean is 7.5 above the channel's first.
assert means[0].tolist() == [7.5, 23.5, 39.5]
# No pixel, no NaN.
assert means[1].tolist() == [0., 0., 0.]
# The plain mean is another number.
assert features[0].mean(dim=(1, 2)).tolist() == [7.5, 23.5, 39.5]
region[0, 0, 0, 0] = True
assert (features * region).sum(dim=(2, 3))[0, 0].item() / 5 == 6.0
