# SPDX-License-Identifier: Apache-2.0
"""Subscripts: every form on the right and on the left of an assignment."""

from case_list import Cases, statements_for

cases = Cases("index")

X = """
x = torch.arange(24).view(2, 3, 4)
i = torch.tensor([1, 0, 1])
j = torch.tensor([[0], [2]])
m2 = torch.tensor([True, False])
m3 = torch.tensor([False, True, True])
m4 = torch.tensor([True, False, False, True])
m23 = torch.tensor([[True, False, False], [False, True, True]])
"""

# The subscripts, without the brackets: read, then written to with a number.
SUBSCRIPTS = """
0
-1
1, 2
1, -1, 0
:
1:
:-1
0:0
5:
-100:100
:, ::2
:, 1:3, ::3
..., 0
0, ...
..., 1, :
...
:, ..., 2
None
:, None
..., None
None, 0, None, 1:
0, None, :, 3
True
False
None, True
i
i, 1
:, i
:, i - 1
..., i
i, i
i, i, i
i[:2], [0, 2]
j, i
:, j
j[:, 0] // 2, :, i[:2]
0, :, i
:, 0, i
0, i
i, 1:
i, None
None, i
i, ..., i
i, :, None, i
i[:2], :, j
torch.tensor(1)
torch.tensor(1), 2
:, torch.tensor(-1)
torch.tensor(1), i
torch.tensor([1], dtype=torch.int32)
torch.tensor([0, 1], dtype=torch.uint8)
torch.tensor([-1, 0])
torch.tensor([], dtype=torch.int64)
[]
[0, 1]
[1]
[[0, 1], [1, 0]]
[0, 1], [2, 0]
[True, False]
:, [True, False, True]
[0, 1], :, [0, 3]
m2
m23
:, m3
..., m4
m2, i[1:2]
m2, 1
0, m3
m23, 0
m23, ::2
m2, :, m4[[0, 1, 0, 1]]
:, m3, m4
m2, i[:1]
m23, i
x > 10
x % 5 == 0
m2 & False
m23[None][0]
m2, None
None, m2
(0, 1)
(slice(None), 1)
slice(0, 1)
slice(None, None, 2)
(..., slice(1, 3))
range(2)
tuple([0, 2])
""".strip().splitlines()

bindings = {line.split(" ")[0]: line for line in X.strip().splitlines()}
for number, text in enumerate(SUBSCRIPTS, 1):
    setup = statements_for(f"x[{text}]", bindings)
    cases.add(f"get_{number}", f"x[{text}]", setup)
    cases.program(f"set_{number}", f"{setup}\nx[{text}] = -1\nout = x")
    if number % 3 == 0:
        cases.program(f"add_{number}", f"{setup}\nx[{text}] += 100\nout = x")
    if number % 4 == 1:
        cases.program(f"set_tensor_{number}", f"{setup}\nx[{text}] = x[{text}] * 2 + 1\nout = x")

ERRORS = """
x[2]
x[-3]
x[0, 3]
x[0, 0, 0, 0]
x[..., ...]
x[1.5]
x['a']
x[torch.tensor([2])]
x[torch.tensor([-3])]
x[:, torch.tensor([3, 0])]
x[torch.tensor([0.5])]
x[torch.tensor([1.0, 0.0])]
x[torch.tensor([0, 1]), torch.tensor([0, 1, 2])]
x[m3]
x[m2, m2]
x[:, m4]
x[m23.t()]
x[torch.ones(2, 3, 4, 1, dtype=torch.bool)]
x[torch.ones(2, 4, dtype=torch.bool)]
x[torch.ones(2, 1, dtype=torch.bool)]
x[m2, m3]
x[::0]
x[::-1]
x[0, ::-1]
x[:, 1:0:-1]
x[1:'a']
x[0.0:1]
x[i, i, i, i]
x[0][0][0][0]
x[None, ..., 0, 0, 0, 0]
x[[0, 2]]
x[[0, [1]]]
x[[0.5]]
x[{}]
x[torch.tensor(2)]
x[0, torch.tensor([[True, False]])]
torch.tensor(3)[0]
torch.tensor(3)[0:1]
torch.zeros(0, 3)[0]
torch.zeros(3)[m2]
torch.zeros(2, 3)[torch.ones(2, 4, dtype=torch.bool)]
torch.zeros(3)[torch.tensor([0.0, 1.0, 0.0])]
torch.zeros(3)[torch.tensor([1, 3])]
""".strip().splitlines()
cases.each("refused", X, ERRORS)

CORNERS = """
torch.tensor(3)[()]
torch.tensor(3)[...]
torch.tensor(3)[None]
torch.tensor(3)[True]
torch.tensor(3)[torch.tensor(True)]
torch.tensor(3)[torch.tensor(False)]
torch.zeros(0, 3)[torch.tensor([], dtype=torch.int64)]
torch.zeros(0, 3)[:, 1]
torch.zeros(3)[torch.zeros(3, dtype=torch.bool)]
torch.zeros(2, 3)[torch.zeros(2, 0, dtype=torch.int64)]
torch.arange(5)[torch.tensor([[0, 1], [4, -1]])]
torch.arange(3)[torch.tensor([1, 0, 1], dtype=torch.uint8)]
torch.arange(3)[torch.tensor([1, 0, 1]).bool()]
torch.arange(6).view(2, 3)[1][2]
torch.arange(6).view(2, 3)[:, -1]
[int(v) for v in torch.arange(3)]
[r.tolist() for r in torch.arange(4).view(2, 2)]
torch.arange(6).view(2, 3).t()[1]
torch.arange(6).view(2, 3).expand(2, 2, 3)[:, 0]
torch.arange(10)[2:8][1:4][::2]
torch.arange(10)[torch.tensor(2):torch.tensor(5)]
torch.arange(3)[torch.tensor(0)] + torch.arange(3)[torch.tensor([0])]
3 in torch.arange(4)
(torch.tensor(2) in torch.arange(2), 1.5 in torch.tensor([1.5]))
""".strip().splitlines()
cases.each("corner", "", CORNERS)

# Assignments with values of every shape and kind, and what they refuse.
ZEROS = "x = torch.zeros(2, 3)\nm = torch.tensor([[True, False, True], [False, True, False]])"
ASSIGN = """
x[0] = torch.tensor([1.0, 2.0, 3.0])
x[:, 1] = torch.tensor([5.0, 6.0])
x[:] = torch.tensor([1.0, 2.0, 3.0])
x[:, :2] = torch.tensor([[7.0], [8.0]])
x[...] = 4
x[:] = torch.tensor(2.5)
x[m] = torch.tensor([1.0, 2.0, 3.0])
x[m] = 9
x[m] = torch.tensor(9.5)
x[m] = torch.tensor([7.0])
x[m] = torch.tensor([1.0, 2.0])
x[m] = torch.tensor([[1.0, 2.0, 3.0]])
x[m[0, :2]] = torch.tensor([1.0, 2.0, 3.0])
x[:, m[0]] = torch.tensor([[1.0], [2.0]])
x[:, m[0]] = torch.tensor([1.0, 2.0, 3.0])
x[torch.tensor([0, 1]), torch.tensor([2, 0])] = torch.tensor([3.0, 4.0])
x[torch.tensor([0, 0]), 1] = torch.tensor([3.0, 4.0])
x[torch.tensor([0, 1])] = torch.tensor([[1.0], [2.0]])
x[[0, 1], [1, 1]] += 2.0
x[torch.tensor([0, 0])] += 1
x[0] = torch.tensor([1.0, 2.0])
x[0] = torch.ones(1, 1, 3)
x[0] = torch.ones(2, 3)
x[0, 0] = torch.tensor([[2.0]])
x[0, 0] = torch.tensor([1.0, 2.0])
x[0] = torch.tensor([1, 2, 3])
x[0] = torch.tensor([1.5, 2.5, 3.5], dtype=torch.float64)
x[m] = torch.tensor([1, 2, 3])
x[m] = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
x[torch.tensor([0])] = torch.ones(1, 3, dtype=torch.float64)
x[m] = torch.tensor(3, dtype=torch.int64)
x[m] = torch.tensor(3.0, dtype=torch.float64)
x[0] = True
x[0] = float('nan')
x[0] = [1.0, 2.0, 3.0]
x[0] = [1.0, 2.0]
x[0] = None
x[0] = 'a'
x[m] = [1.0, 2.0, 3.0]
x[m] = None
x[2] = 1
x[0, 3] = 1
x[torch.tensor([0.0])] = 1
x[m.t()] = 1
x[m[:1]] = 1
x[None] = 1
x[True] = 2
x[False] = 2
x[torch.tensor(True)] = 3
x[0:0] = 5
x[torch.tensor([], dtype=torch.int64)] = 5
x[m & False] = 5
x[m & False] = torch.tensor([])
x[::2] = torch.tensor([[1.0, 2.0, 3.0]])
x[::-1] = 1
x.t()[0] = 5
x[0][1] = 6
x[m][0] = 7
x[0] += x[1] + 1
x[:, 0] -= 1
x[:, 0] *= torch.tensor([2.0, 3.0])
x[m] /= 2
x[m] += torch.arange(3)
x[0] |= 1
x[x == 0] = -1
x[1:] = x[:1] + 1
x[:, 1:] = x[:, :-1] + 2
x[..., -1] = 1; x[-1] = 2
x[0], x[1] = 1, 2
x[range(2)] = 3
x[m.float()] = 1
x[m.long()[0]] = 1
x[m.to(torch.uint8)] = 2
x[0, m[0]] = torch.tensor([5.0, 6.0])
x[m[0, :2], 1:] = 8
x[None, 0] = torch.ones(1, 3) * 3
x[torch.tensor([[0, 1]]), None, torch.tensor([[1, 2]])] = 4
x[0, 0, 0] = 1
del x[0]
""".strip().splitlines()
for number, statement in enumerate(ASSIGN, 1):
    cases.program(f"assign_{number}", f"{ZEROS}\n{statement}\nout = x")

OTHER = [
    ("int_gets_float", "x = torch.zeros(3, dtype=torch.int64)\nx[0] = 2.9\nx[1] = -2.9\nout = x"),
    ("int_gets_inf", "x = torch.zeros(3, dtype=torch.int64)\nx[0] = float('inf')\nout = x"),
    ("int_gets_float_tensor", "x = torch.zeros(3, dtype=torch.int64)\nx[:2] = torch.tensor([1.7, -1.7])\nout = x"),
    ("int_gets_float_by_mask", "x = torch.zeros(3, dtype=torch.int64)\nx[x == 0] = 1.5\nout = x"),
    ("bool_gets_int", "x = torch.zeros(3, dtype=torch.bool)\nx[0] = 2\nx[1:] = torch.tensor([0, 5])\nout = x"),
    ("half_gets_huge", "x = torch.zeros(2, dtype=torch.float16)\nx[0] = 1e6\nout = x"),
    ("half_by_mask_gets_huge", "x = torch.zeros(2, dtype=torch.float16)\nx[torch.tensor([True, False])] = 1e6\nout = x"),
    ("uint8_gets_negative", "x = torch.zeros(2, dtype=torch.uint8)\nx[0] = -1\nout = x"),
    ("expanded", "x = torch.zeros(1, 3).expand(2, 3)\nx[0] = 1\nout = x"),
    ("expanded_whole", "x = torch.zeros(1, 3).expand(2, 3)\nx[:] = 1\nout = x"),
    ("expanded_element", "x = torch.zeros(1, 3).expand(2, 3)\nx[0, 0] = 1\nout = x"),
    ("expanded_by_mask", "x = torch.zeros(1, 3).expand(2, 3)\nx[torch.ones(2, 3, dtype=torch.bool)] = 1\nout = x"),
    ("expanded_by_index", "x = torch.zeros(1, 3).expand(2, 3)\nx[torch.tensor([0])] = 1\nout = x"),
    ("leaf", "x = torch.zeros(3, requires_grad=True)\nx[0] = 1\nout = x"),
    ("leaf_by_mask", "x = torch.zeros(3, requires_grad=True)\nx[x == 0] = 1\nout = x"),
    ("leaf_no_grad", "x = torch.zeros(3, requires_grad=True)\nwith torch.no_grad():\n    x[0] = 1\nout = x"),
    ("non_leaf", "x = torch.zeros(3, requires_grad=True) * 1\nx[0] = 1\nout = x"),
    ("gains_grad", "x = torch.zeros(3)\nx[0] = torch.tensor(2.0, requires_grad=True)\nout = x"),
    ("overlap", "x = torch.arange(6)\nx[1:] = x[:-1]\nout = x"),
    ("overlap_backward", "x = torch.arange(6)\nx[:-1] = x[1:]\nout = x"),
    ("overlap_inplace_add", "x = torch.arange(6)\nx[1:] += x[:-1]\nout = x"),
    ("overlap_transposed", "x = torch.arange(4).view(2, 2)\nx.copy_(x.t())\nout = x"),
    ("same_operand", "x = torch.arange(4)\nx += x\nx[:] = x\nout = x"),
    ("view_writes_through", "x = torch.zeros(2, 3)\ny = x[1]\ny[0] = 5\nx[1, 2] = 7\nout = (x, y)"),
    ("mask_copy_does_not", "x = torch.arange(4)\nm = x > 1\ny = x[m]\ny[0] = 99\nx[m][1] = 88\nout = (x, y)"),
    ("mask_add_does", "x = torch.arange(4)\nm = x > 1\nx[m] += 5\nout = x"),
    ("list_index_copies", "x = torch.arange(4)\ny = x[[0, 1]]\ny += 10\nout = (x, y)"),
    ("slice_step_view", "x = torch.arange(6)\nx[::2].fill_(0)\nx[1::2].mul_(10)\nout = x"),
    ("nested_views", "x = torch.zeros(3, 3)\nx[1:][0][1:].add_(1)\nx.t()[0].sub_(2)\nout = x"),
    ("rows_in_loop", "m = torch.zeros(3, 4, dtype=torch.bool)\nfor i, n in enumerate([1, 4, 2]):\n    m[i, :n].fill_(1)\nout = m"),
    ("iterating_gives_views", "x = torch.zeros(2, 2)\nfor row in x:\n    row += 1\nfor v in x[0]:\n    v.mul_(3)\nout = x"),
    ("unbind_gives_views", "x = torch.zeros(2, 2)\na, b = x.unbind()\na[0] = 1\nb += 2\nout = x"),
    ("split_gives_views", "x = torch.zeros(5)\nfor k, part in enumerate(x.split(2)):\n    part.fill_(k)\nout = x"),
    ("assign_self_view", "x = torch.arange(4.0).view(2, 2)\nx[0], x[1] = x[1], x[0]\nout = x"),
    ("swap_with_clone", "x = torch.arange(4.0).view(2, 2)\nx[[0, 1]] = x[[1, 0]]\nout = x"),
    ("augmented_name_shares", "x = torch.zeros(2)\ny = x\ny += 1\ny = y + 1\nout = (x, y)"),
    ("duplicate_last_wins", "x = torch.zeros(3)\nx[[1, 1, 1]] = torch.tensor([1.0, 2.0, 3.0])\nout = x"),
    ("index_put", "x = torch.zeros(3)\nx.index_put_((torch.tensor([0, 0, 2]),), torch.tensor([1.0, 2.0, 5.0]), accumulate=True)\nout = x"),
    ("setitem_returns_nothing", "x = torch.zeros(2)\ny = x[0] = 3\nout = (x, y)"),
    ("two_dim_fill", "x = torch.zeros(3, 3)\nfor r in range(3):\n    for c in range(3):\n        if c > r:\n            x[r, c] = float('-inf')\nout = x"),
]  # fmt: skip
for name, code in OTHER:
    cases.program(name, code)
