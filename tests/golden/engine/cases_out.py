# SPDX-License-Identifier: Apache-2.0
"""Results written into a tensor that is there: torch.add(a, b, out=c)."""

from case_list import Cases

cases = Cases("out")

SETUP = """
a = torch.arange(6.0).view(2, 3) - 2
l = torch.zeros(2, 3, dtype=torch.int64)
d = torch.zeros(2, 3, dtype=torch.float64)
g = torch.ones(2, 3, requires_grad=True)
c = torch.zeros(2, 3)
t = torch.zeros(3, 2).t()
"""
for number, call in enumerate(
    """
torch.add(a, 1, out=c)
torch.add(a, 1, out=d)
torch.add(a, 1, out=l)
torch.mul(a, a, out=a)
torch.exp(a, out=t)
torch.exp(a, out=torch.zeros(0))
torch.add(a, a, out=torch.zeros(1, 3).expand(2, 3))
torch.add(a[:, 1:], 1, out=a[:, :2])
torch.add(g, a, out=c)
torch.add(a, a, out=g)
torch.add(a, 1, out=None)
torch.maximum(a, a.abs(), out=c[:, :])
torch.pow(a, 2, out=d)
torch.logical_not(a, out=c)
torch.logical_not(a, out=l)
torch.mm(a, a.t(), out=torch.zeros(2, 2))
torch.mm(a, a.t(), out=torch.zeros(2, 2, dtype=torch.float64))
torch.clamp(a, 0, 1, out=c)
torch.div(l, 2, out=l)
torch.add(l, 1, out=c)
a.add(1, out=c)
torch.zeros(2, 3, out=l)
torch.full((2, 3), 2.5, out=d)
torch.arange(6, out=torch.zeros(6))
torch.tril(a, out=c)
torch.tril(a, out=d)
torch.cat([a, a], out=torch.zeros(4, 3))
torch.sum(a, 0, out=torch.zeros(3))
torch.max(a, 0, out=(torch.zeros(3), torch.zeros(3, dtype=torch.int64)))
torch.sort(a, 1, out=(c, l))
torch.gather(a, 0, torch.zeros(1, 3, dtype=torch.int64), out=torch.zeros(1, 3))
torch.matmul(a, a.t(), out=torch.zeros(2, 2))
torch.argmax(a, 0, out=d[0])
torch.where(a > 0, a, 1, out=c)
torch.masked_select(a, a > 0, out=torch.zeros(0))
""".strip().splitlines(),
    1,
):
    cases.program(f"call_{number}", f"{SETUP}r = {call}\nout = (r, a, c, d, l, t)")

cases.program("same_object", f"{SETUP}r = torch.add(a, 1, out=c)\nout = r is c")
cases.program("through_view", f"{SETUP}torch.add(a[0], 1, out=c[1])\nout = c")
cases.program("empty_grows", f"{SETUP}e = torch.empty(0)\ntorch.add(a, 1, out=e)\nout = e")
