# SPDX-License-Identifier: Apache-2.0
# A padding mask from lengths, from pad ids, from a tokenizer; and the three conventions.
import torch

lengths = torch.tensor([3, 1, 4])
T = 4
keep = torch.arange(T) < lengths[:, None]    # [T] against [B, 1]: [B, T]
print("from lengths:", keep.int().tolist())
assert keep.int().tolist() == [[1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1]]
assert torch.equal(keep.sum(1), lengths)

pad_id = 0
ids = torch.tensor([[5, 6, 7, 0],
                    [8, 0, 0, 0],
                    [1, 2, 3, 4]])
assert torch.equal(ids != pad_id, keep)
# The hazard: where the pad id is a word too, the word is masked.
with_zero = torch.tensor([[5, 0, 7, 0]])     # length 3, the second word has id 0
assert (with_zero != pad_id).sum().item() == 2

attention_mask = keep.long()                 # what tokenizers give: 1 = keep
drop = ~keep                                 # masked_fill, nn.MultiheadAttention: True = drop
additive = torch.zeros(3, T).masked_fill(drop, float("-inf"))

# All three say the same.
assert torch.equal(attention_mask.bool(), keep)
assert torch.equal(additive == 0, keep)
assert torch.equal(torch.where(keep, 0., float("-inf")), additive)
# 1 - mask is for numbers; a bool mask is inverted by ~.
assert torch.equal((1 - attention_mask).bool(), drop)
# The popular (1 - mask) * -10000 only lowers the score.
soft = (1.0 - attention_mask.float()) * -10000.0
assert soft.min().item() == -10000.0
print("additive:", additive[1].tolist())
