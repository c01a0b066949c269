# SPDX-License-Identifier: Apache-2.0
# Three checks for any masking step: filled where it should, untouched elsewhere, and nothing flows through what is masked.
import torch


def masked_step(x, drop):
    return x.masked_fill(drop, 0.0)


def check_filled(out, drop, fill):
    assert (out[drop] == fill).all(), "a masked cell has another value"


def check_untouched(out, x, drop):
    assert torch.equal(out[~drop], x[~drop]), "a visible cell was changed"


def check_no_influence(step, x, drop):
    # Change what is masked and nothing may change: the finite form of "its gradient is zero".
    changed = x.clone()
    changed[drop] += 1000.0
    assert torch.equal(step(x, drop), step(changed, drop)), "a masked cell shows in the result"


torch.manual_seed(1)
x = torch.randn(4, 5)
drop = torch.rand(4, 5) < 0.3
out = masked_step(x, drop)
check_filled(out, drop, 0.0)
check_untouched(out, x, drop)
check_no_influence(masked_step, x, drop)

# A step that only lowers scores passes the first two of its kind but not the third.
leaky = lambda x, drop: x + drop * -1.0
changed = x.clone()
changed[drop] += 1000.0
assert not torch.equal(leaky(x, drop), leaky(changed, drop))
print("filled, untouched, no influence: all three hold for", int(drop.sum()), "masked cells")
