# SPDX-License-Identifier: Apache-2.0
# Masks as bool, uint8 and float: bytes, and what each dtype makes of them.
import torch

keep = torch.ones(1000, 1000).tril().bool()
assert keep.element_size() * keep.numel() == 1_000_000
assert keep.float().element_size() * keep.numel() == 4_000_000
assert keep.half().element_size() == 2

# bool + bool is "or", not a count; sum() counts in int64.
assert (torch.tensor([True]) + torch.tensor([True])).dtype == torch.bool
assert keep.sum().dtype == torch.int64 and keep.sum().item() == 500_500

# uint8 counts, wraps at 256, and ~ is not "not".
byte = torch.tensor([0, 1, 255], dtype=torch.uint8)
assert (byte + 1).tolist() == [1, 2, 0]
assert (~torch.tensor([0, 1], dtype=torch.uint8)).tolist() == [255, 254]
assert (~torch.tensor([False, True])).tolist() == [True, False]

# float16 and bfloat16 masks: 0 and 1 are exact, -1e9 is not.
for dtype in [torch.float16, torch.bfloat16, torch.float32]:
    ones = keep[:4, :4].to(dtype)
    assert torch.equal(ones.bool(), keep[:4, :4])
    assert torch.finfo(dtype).min < -65000
# A mask in float16 against scores in float32: the product is float32.
assert (torch.ones(2, dtype=torch.float16) * torch.ones(2)).dtype == torch.float32
print("bytes of a 1000 x 1000 mask: bool 1000000, float32 4000000")
