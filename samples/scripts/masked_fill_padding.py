# SPDX-License-Identifier: Apache-2.0
# Clear the padding of a batch of token features.
import torch

value = torch.arange(32 * 100 * 512, dtype=torch.float32).reshape(32, 100, 512) + 1
lengths = torch.arange(1, 33) * 3
# True = padding: masked_fill fills where the mask is True.
input_padding_mask = torch.arange(100)[None, :] >= lengths[:, None]

# [32, 100] does not line up with [32, 100, 512] at the right; the index adds the axis that is missing.
column = input_padding_mask[..., None]
assert column.shape == (32, 100, 1)
# A view: no bytes are copied, and stretching it along the features is a stride of 0.
assert column.data_ptr() == input_padding_mask.data_ptr()
stretched = column.expand(32, 100, 512)
assert stretched.stride() == (100, 1, 0)
assert stretched.data_ptr() == input_padding_mask.data_ptr()

out = value.masked_fill(column, float(0))
print("shape:", tuple(out.shape))
assert out.shape == value.shape
assert (out[input_padding_mask] == 0).all()
assert torch.equal(out[~input_padding_mask], value[~input_padding_mask])
# Out of place: the input keeps its padding.
assert (value[input_padding_mask] != 0).all()
print("cells filled:", int(input_padding_mask.sum()) * 512)
