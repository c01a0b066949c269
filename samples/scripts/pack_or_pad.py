# SPDX-License-Identifier: Apache-2.0
# Padding with a mask against packing: how many steps are computed, in how many bytes.
import torch

lengths = torch.tensor([5, 3, 3, 1])
B, T, D = len(lengths), int(lengths.max()), 8
padded_steps = B * T
packed_steps = int(lengths.sum())
print(f"padded {padded_steps} steps, packed {packed_steps}: {100 * (1 - packed_steps / padded_steps):.0f} % saved")
assert padded_steps == 20 and packed_steps == 12

keep = torch.arange(T) < lengths[:, None]
x = torch.arange(B * T * D, dtype=torch.float32).reshape(B, T, D)
assert x.element_size() * x.numel() == 640
packed = x.transpose(0, 1)[keep.t()]          # time-major, as pack_padded_sequence lays it out
assert packed.shape == (packed_steps, D)
assert packed.element_size() * packed.numel() == 384

# How many sequences are alive at each step: they must be sorted by length, longest first.
batch_sizes = [int((lengths > t).sum()) for t in range(T)]
assert batch_sizes == [4, 3, 3, 1, 1]
assert sum(batch_sizes) == packed_steps
assert all(lengths[i] >= lengths[i + 1] for i in range(B - 1))
# Unpacked again, the padding is zero.
back = torch.zeros(T, B, D).masked_scatter(keep.t()[..., None], packed).transpose(0, 1)
assert torch.equal(back, x * keep[..., None])
print("sequences alive at each step:", batch_sizes)
