# SPDX-License-Identifier: Apache-2.0
# Build a mask once, cut what each step needs from it: views of a template cost nothing.
import torch

longest = 64
template = torch.ones(longest, longest, dtype=torch.bool).tril()


def causal(T):
    return template[:T, :T]


for T in [1, 7, 64]:
    fresh = torch.ones(T, T, dtype=torch.bool).tril()
    assert torch.equal(causal(T), fresh)
    # The same memory each time.
    assert causal(T).data_ptr() == template.data_ptr()
    assert causal(T).stride() == (longest, 1)

# A window of w keys is a template of distances.
distance = torch.arange(longest)[:, None] - torch.arange(longest)[None, :]


def window(T, w):
    near = distance[:T, :T]
    return (near >= 0) & (near < w)


assert window(6, 2).sum().item() == 11
assert torch.equal(window(64, 64), template)
built_each_time = sum(T * T for T in range(1, longest + 1))
print(f"{longest} steps: {built_each_time} bytes built anew, {longest * longest} bytes with the template")
assert built_each_time == 89440 and longest * longest == 4096
