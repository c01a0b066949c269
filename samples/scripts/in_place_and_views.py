# SPDX-License-Identifier: Apache-2.0
# Which tensors share memory, and what writing into one changes.
import torch

x = torch.zeros(2, 3)
row = x[0]                       # a view: the same memory
block = x[:, :2]
copy = x[x == 0]                 # a boolean index copies
row.fill_(1)
assert x[0].tolist() == [1., 1., 1.]
assert block[0].tolist() == [1., 1.]
assert copy.tolist() == [0.] * 6
assert row.data_ptr() == x.data_ptr()

# Writing to the copy changes nothing, writing through the index does.
x[x > 0][0] = 9
assert (x == 9).sum().item() == 0
x[x > 0] += 5
assert x[0].tolist() == [6., 6., 6.]

# masked_fill_ writes into x and everything that looks at its memory.
x.masked_fill_(x > 5, -1)
assert row.tolist() == [-1., -1., -1.]
assert x.t()[0].tolist() == [-1., 0.]

# An expanded tensor has one row many times: stride 0. clone() before writing.
wide = torch.zeros(1, 3).expand(4, 3)
assert wide.stride() == (0, 1)
own = wide.clone()
own[0, 0] = 1
assert own.sum().item() == 1 and wide.sum().item() == 0
# reshape gives a view where it can and a copy where it cannot.
assert x.reshape(6).data_ptr() == x.data_ptr()
assert x.t().reshape(6).data_ptr() != x.data_ptr()
print("x after all of it:", x.tolist())
