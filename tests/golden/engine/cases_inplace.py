# SPDX-License-Identifier: Apache-2.0
"""Writing in place: what follows through views, and what is refused."""

from case_list import Cases

cases = Cases("inplace")

LEAF = "x = torch.ones(2, 3, requires_grad=True)\nm = torch.tensor([True, False, True])"
for number, statement in enumerate(
    """
x.add_(1)
x.mul_(2)
x += 1
x *= 2
x[0] = 1
x[:, m] = 1
x.masked_fill_(m, 0)
x.fill_(1)
x.zero_()
x.copy_(torch.zeros(3))
x.clamp_(0, 1)
x.view(6).add_(1)
x[0].add_(1)
x.t()[0] = 1
x.expand(2, 2, 3).add_(1)
x.unbind()[0].add_(1)
x.unsqueeze_(0)
x.detach().add_(1)
x.exp_()
x.index_fill_(0, torch.tensor([0]), 1)
x.scatter_(1, torch.tensor([[0]]), 1.0)
x.masked_scatter_(m, torch.zeros(6))
x.squeeze_()
F.relu(x, inplace=True)
""".strip().splitlines(),
    1,
):
    cases.program(f"leaf_{number}", f"{LEAF}\n{statement}\nout = x")
    cases.program(f"leaf_no_grad_{number}", f"{LEAF}\nwith torch.no_grad():\n    {statement}\nout = x")
    if number in (1, 5, 7, 12, 14, 15, 20):
        cases.program(f"non_leaf_{number}", f"{LEAF}\nx = x * 2\n{statement}\nout = (x, x.is_leaf)")
cases.program(
    "leaf_gets_from_grad", "x = torch.zeros(3)\nw = torch.ones(3, requires_grad=True)\nx += w\nout = (x, x * 2)"
)
cases.program(
    "view_of_no_grad_base", "x = torch.zeros(3)\nw = torch.ones(1, requires_grad=True)\nx[1:2].add_(w)\nout = x"
)
cases.program(
    "view_made_in_no_grad",
    "x = torch.ones(3, requires_grad=True)\nwith torch.no_grad():\n    v = x[:2]\nv.add_(1)\nout = v",
)
cases.program("int_view_of_grad", "x = torch.ones(3, requires_grad=True)\ny = (x * 2).long()\ny += 1\nout = y")

EXPANDED = "x = torch.zeros(1, 3)\ny = x.expand(2, 3)\nm = torch.tensor([True, False, True])"
for number, statement in enumerate(
    """
y.add_(1)
y += 1
y.mul_(y)
y.fill_(3)
y.zero_()
y.masked_fill_(m, 5)
y.copy_(torch.ones(2, 3))
y[0] = 4
y[0].add_(1)
y[:, 0] = 4
y[:, 0].add_(1)
y[:, m] = 2
y[m[:2]] = 2
y.clamp_(0, 1)
y.exp_()
y.masked_scatter_(m, torch.ones(6))
y.index_fill_(1, torch.tensor([0]), 1)
y.scatter_(1, torch.tensor([[0], [1]]), 1.0)
y.index_add_(0, torch.tensor([0]), torch.ones(1, 3))
y.contiguous().add_(1)
y.logical_not_()
y.tril_()
y.nan_to_num_()
y[:1].add_(1)
""".strip().splitlines(),
    1,
):
    cases.program(f"expanded_{number}", f"{EXPANDED}\n{statement}\nout = (x, y)")

LARGER = """
torch.zeros(3).add_(torch.ones(2, 3))
torch.zeros(3).mul_(torch.ones(2, 1))
torch.zeros(1, 3).add_(torch.ones(2, 3))
torch.tensor(1.0).add_(torch.ones(1))
torch.zeros(2, 3).add_(torch.ones(2))
torch.zeros(3).copy_(torch.ones(2, 3))
torch.zeros(2, 3).copy_(torch.ones(2))
torch.zeros(2, 3).copy_(torch.ones(3))
torch.zeros(1).logical_and_(torch.ones(2, dtype=torch.bool))
torch.zeros(3).maximum(torch.ones(2, 3)).shape
torch.zeros(3).clamp_(min=torch.zeros(2, 3))
torch.zeros(3).masked_fill_(torch.ones(2, 1, dtype=torch.bool), 1)
torch.zeros(3).lt_(torch.ones(2, 3))
torch.zeros(0).add_(torch.ones(1))
torch.zeros(1).add_(torch.ones(0))
torch.zeros(1, 1, 3).add_(torch.ones(3))
torch.zeros(3).fill_(torch.tensor([1.0]))
torch.zeros(3).fill_(torch.tensor(2))
torch.zeros(3).copy_(1)
""".strip().splitlines()
cases.each("larger", "", LARGER)
cases.program("augmented_larger", "x = torch.zeros(3)\nx += torch.ones(2, 3)\nout = x")
cases.program("not_augmented_grows", "x = torch.zeros(3)\nx = x + torch.ones(2, 3)\nout = x")

OVERLAP = [
    "x[1:].add_(x[:-1])", "x[:-1].copy_(x[1:])", "x.add_(x)", "x[::2].add_(x[1::2])", "x.mul_(x.flip(0))", "x.view(2, 3).t().add_(1)",
    "x.as_strided((3, 3), (1, 1)).add_(1)", "x.as_strided((3, 3), (1, 1)).fill_(2)", "x.unfold(0, 3, 1).mul_(2)",
    "x[:3].add_(x[3:])", "x.view(2, 3).add_(x[:3])", "x.view(2, 3).add_(x.view(2, 3)[:1])", "x.view(2, 3).sub_(x[0])",
    "x.sub_(x.max())", "x.sub_(x[5])", "x.div_(x[1])", "x.view(2, 3).copy_(x.view(2, 3)[:1])", "x.masked_fill_(x > 2, x[1])",
    "x[:2].masked_scatter_(torch.tensor([True, True]), x[4:])", "x.index_add_(0, torch.tensor([0]), x[5:])", "x.copy_(x)",
]  # fmt: skip
for number, statement in enumerate(OVERLAP, 1):
    cases.program(f"overlap_{number}", f"x = torch.arange(6.0)\n{statement}\nout = x")

ALIAS = [
    ("view_shares", "x = torch.zeros(6)\ny = x.view(2, 3)\ny[1, 1] = 5\nx[0] = 1\nout = (x, y)"),
    ("reshape_shares_or_copies", "x = torch.zeros(2, 3)\na = x.reshape(6)\nb = x.t().reshape(6)\na[0] = 1\nb[1] = 2\nout = (x, a, b)"),
    ("contiguous_may_be_itself", "x = torch.zeros(2, 2)\nx.contiguous()[0, 0] = 1\nx.t().contiguous()[1, 1] = 2\nout = x"),
    ("clone_does_not_share", "x = torch.zeros(2)\ny = x.clone()\ny[0] = 1\nout = (x, y)"),
    ("to_may_be_itself", "x = torch.zeros(2)\nx.to(torch.float32)[0] = 1\nx.float()[1] = 2\nx.double()[0] = 9\nout = x"),
    ("flatten_shares_or_copies", "x = torch.zeros(2, 2)\nx.flatten()[0] = 1\nx.t().flatten()[1] = 2\nout = x"),
    ("expand_reads_base", "x = torch.zeros(3, 1)\ny = x.expand(3, 4)\nx[1] = 5\nout = y"),
    ("diagonal_writes", "x = torch.zeros(3, 3)\nx.diagonal().fill_(1)\nx.diagonal(1).add_(2)\nx.diagonal(-2)[0] = 7\nout = x"),
    ("as_strided_writes", "x = torch.zeros(6)\nw = x.as_strided((2,), (3,), 1)\nw += 4\nout = (x, w)"),
    ("unfold_reads", "x = torch.arange(5.0)\nw = x.unfold(0, 3, 1)\nx[2] = 10\nout = w"),
    ("narrow_select_write", "x = torch.zeros(2, 3)\nx.narrow(1, 0, 2).add_(1)\nx.select(1, 2).sub_(1)\nout = x"),
    ("chunk_writes", "x = torch.zeros(4)\na, b = x.chunk(2)\na.add_(1)\nb.fill_(2)\nout = x"),
    ("permute_writes", "x = torch.zeros(2, 3, 1)\nx.permute(2, 1, 0)[0, 2].add_(3)\nout = x"),
    ("movedim_unflatten_write", "x = torch.zeros(4)\nx.unflatten(0, (2, 2)).movedim(0, 1)[0] = torch.tensor([1.0, 2.0])\nout = x"),
    ("broadcast_to_reads", "x = torch.zeros(2)\ny = torch.broadcast_to(x, (2, 2))\nx += 1\nout = y"),
    ("copy_broadcasts_and_casts", "x = torch.zeros(2, 3)\nx.copy_(torch.tensor([1, 2, 3]))\nx[0].copy_(torch.tensor(9.5, dtype=torch.float64))\nout = x"),
    ("list_of_views", "x = torch.zeros(2, 2)\nrows = [r for r in x]\nrows[0][1] = 3\nout = x"),
    ("function_changes_argument", "def clear(t, keep):\n    t[~keep] = 0\n    return t\nx = torch.ones(3)\ny = clear(x, torch.tensor([True, False, True]))\nout = (x, y is x)"),
    ("name_is_rebound", "def grow(t):\n    t = t + 1\n    t += 1\n    return t\nx = torch.zeros(2)\nout = (grow(x), x)"),
    ("chained_inplace", "x = torch.tensor([-1.0, 2.0])\ny = x.abs_().mul_(3).add_(1)\nout = (x, y is x)"),
    ("fill_views_of_view", "x = torch.zeros(3, 4)\nx[1:][:, 1:3].fill_(1)\nx[1:, 1:3][0].fill_(2)\nout = x"),
    ("squeeze_inplace_keeps_storage", "x = torch.zeros(1, 2)\ny = x[0]\nx.squeeze_()\nx[0] = 4\nout = (x, y)"),
    ("transpose_inplace", "x = torch.arange(6).view(2, 3)\nx.t_()\nout = x"),
    ("masked_fill_on_a_view", "x = torch.zeros(2, 4)\nx[:, ::2].masked_fill_(torch.tensor([True, False]), 5)\nx.t()[1].masked_fill_(torch.tensor([False, True]), 6)\nout = x"),
    ("detach_keeps_storage", "x = torch.ones(2, requires_grad=True)\nd = x.detach()\nd.zero_()\nout = x"),
    ("numpy_keeps_storage", "x = torch.ones(2)\nx.numpy()[0] = 4\nout = x"),
    ("where_copies", "x = torch.zeros(2)\ny = torch.where(torch.tensor([True, True]), x, x)\ny += 1\nout = x"),
    ("real_of_split_sizes", "x = torch.zeros(5)\na, b, c = torch.split(x, [1, 3, 1])\nb[1] = 1\nc += 2\nout = x"),
    ("setitem_with_own_view", "x = torch.arange(6.0).view(2, 3)\nx[0] = x[1]\nx[:, 0] = x[:, 2] * 10\nout = x"),
    ("mask_of_itself", "x = torch.tensor([3.0, -1.0, 2.0])\nx[x < 0] = 0\nx[x == x.max()] *= 10\nout = x"),
    ("bernoulli_like_fill", "x = torch.zeros(3).fill_(2).zero_().add_(1)\nout = x"),
    ("swap_by_tuple", "a, b = torch.zeros(2), torch.ones(2)\na, b = b, a\na += 5\nout = (a, b)"),
]  # fmt: skip
for name, code in ALIAS:
    cases.program(f"alias_{name}", code)
