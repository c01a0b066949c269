# SPDX-License-Identifier: Apache-2.0
# Strides: what a transpose changes, and what masked ops make of it.
import torch

x = torch.arange(6.).reshape(2, 3)
assert x.stride() == (3, 1) and x.is_contiguous()
t = x.t()
assert t.shape == (3, 2) and t.stride() == (1, 3)
assert not t.is_contiguous() and t.data_ptr() == x.data_ptr()

# The result of an elementwise op keeps the order in memory of its input.
mask = t > 2
assert mask.stride() == (1, 3)
assert (t + 1).stride() == (1, 3)
# masked_fill clones first: its result is in row-major order.
filled = t.masked_fill(mask, 0)
assert filled.stride() == (2, 1)
assert torch.equal(filled, t.contiguous().masked_fill(mask, 0))
# contiguous() copies only where it must.
assert x.contiguous().data_ptr() == x.data_ptr()
assert t.contiguous().stride() == (2, 1)
# view needs strides that fit; reshape copies instead.
assert t.reshape(6).tolist() == [0., 3., 1., 4., 2., 5.]
# A mask of one column is stretched with a stride of 0 and costs no memory.
column = torch.tensor([True, False])[:, None].expand(2, 3)
assert column.stride() == (1, 0)
print("strides:", x.stride(), t.stride(), column.stride())
