# SPDX-License-Identifier: Apache-2.0
"""How tensors are written out: by print, str, repr and in f-strings."""

from case_list import Cases

cases = Cases("print")

TENSORS = """
torch.tensor(3)
torch.tensor(3.0)
torch.tensor(-2.5)
torch.tensor(True)
torch.tensor(float('nan'))
torch.tensor(-float('inf'))
torch.tensor(1e10)
torch.tensor(1e-10)
torch.tensor(0.1, dtype=torch.float64)
torch.tensor([1, 2, 3])
torch.tensor([1, -20, 300])
torch.tensor([1.0, 2.0, 3.0])
torch.tensor([1.0, 2.5, -3.25])
torch.tensor([0.1, 0.2, 0.3])
torch.tensor([1.0, 1000.0])
torch.tensor([1.0, 1001.0])
torch.tensor([0.001, 1.0])
torch.tensor([0.0001, 1.0])
torch.tensor([0.00001, 1.0])
torch.tensor([1e8, 1.0])
torch.tensor([1e8, 2e8])
torch.tensor([99999999.0, 1.0])
torch.tensor([1.5, 1e5])
torch.tensor([1.5, 1e4])
torch.tensor([123456.0, 1.0])
torch.tensor([1e9, 2.0])
torch.tensor([1e38, 1e-38])
torch.tensor([float('nan'), 1.0])
torch.tensor([float('inf'), -float('inf'), 1.0])
torch.tensor([float('inf'), -float('inf'), 1.5])
torch.tensor([float('nan'), float('inf')])
torch.tensor([float('nan'), 1000000.5])
torch.tensor([-1e9, 0.0])
torch.tensor([torch.finfo(torch.float32).min, 0.0])
torch.tensor([-0.0, 0.0])
torch.tensor([-0.0, 0.5])
torch.tensor([True, False])
torch.tensor([[True, False], [False, True]])
torch.tensor([])
torch.tensor([], dtype=torch.int64)
torch.zeros(0, 3)
torch.zeros(2, 0)
torch.zeros(2, 0, 3, dtype=torch.int64)
torch.zeros(2, 3)
torch.ones(2, 3, dtype=torch.int64)
torch.arange(6).view(2, 3)
torch.arange(6.0).view(2, 3) / 7
torch.arange(24).view(2, 3, 4)
torch.arange(16.0).view(2, 2, 2, 2)
torch.zeros(1, 1, 1)
torch.tensor([[1.0, -2.0], [300.5, 4.0]])
torch.tensor([[1, -2], [300, 4]])
torch.tensor([1, 2], dtype=torch.int32)
torch.tensor([1, 2], dtype=torch.int16)
torch.tensor([1, 2], dtype=torch.int8)
torch.tensor([1, 255], dtype=torch.uint8)
torch.tensor([1.0, 2.5], dtype=torch.float64)
torch.tensor([1.0, 2.5], dtype=torch.float16)
torch.tensor([0.1, 2.5], dtype=torch.bfloat16)
torch.tensor([65504.0, -65504.0], dtype=torch.float16)
torch.tensor([0.1, 1e-8, 1e8], dtype=torch.float64)
torch.tensor([1.0, 2.0], requires_grad=True)
torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
torch.ones(2, requires_grad=True).detach()
torch.arange(30)
torch.arange(40.0)
torch.arange(100)
torch.linspace(0, 1, 25)
torch.arange(1000)
torch.arange(1001)
torch.arange(1001.0)
torch.arange(2000.0) / 3
torch.zeros(1001, dtype=torch.bool)
torch.zeros(40, 40)
torch.arange(1600).view(40, 40)
torch.arange(1600.0).view(40, 40) / 7
torch.ones(2, 3, 200, dtype=torch.int64)
torch.zeros(200, 3, 2)
torch.ones(7, 8, 20, dtype=torch.bool)
torch.zeros(10, 10, 11)[0]
torch.arange(6).view(2, 3).t()
torch.arange(6.0).view(2, 3)[:, ::2]
torch.arange(3).expand(2, 3)
torch.eye(3)
torch.eye(3).bool()
torch.full((2, 2), float('-inf')).triu(1)
torch.full((2, 2), -1e9).triu(1)
torch.tensor([[0.5, float('-inf')], [1.0, 2.0]])
torch.softmax(torch.tensor([[3.0, 1.0, 0.0]]), -1)
torch.tensor([1234.5678, 0.001])
torch.tensor([12345.678])
torch.tensor([0.5, 100.0])
torch.tensor([1e-4, 1e-3])
torch.tensor([5e-5])
torch.tensor([1e4, 1e5])
torch.tensor([2e5, 3e5, 0.5])
torch.tensor([1000000.0, 2000000.0])
torch.tensor([16777216.0, 1.0])
torch.tensor([3.4e38])
torch.tensor([1e-45])
torch.tensor([9007199254740993, -1])
torch.tensor([-9223372036854775807, 5])
torch.tensor([[1.123456789, 2.0], [3.0, 4.0]], dtype=torch.float64)
torch.tensor([0.99999, 1.0])
torch.tensor([0.999999, 1.0])
torch.tensor([1.00001])
torch.tensor([9999.5, 0.25])
torch.tensor([[float('nan')] * 2] * 2)
torch.tensor([0.1 + 0.2])
torch.tensor([1.0, 2.0]).max(0)
torch.tensor([[1, 2], [3, 0]]).sort(1)
""".strip().splitlines()
for number, text in enumerate(TENSORS, 1):
    cases.program(f"print_{number}", f"x = {text}\nprint(x)\nout = None")

OTHER = [
    ("repr_and_str", "x = torch.tensor([1.5, 2.0])\nout = (str(x), repr(x), f'{x}', f'{x!r}')"),
    ("inside_a_list", "print([torch.tensor([1, 2]), torch.tensor(0.5)])\nout = None"),
    ("inside_a_tuple_and_dict", "print((torch.ones(2), 1), {'m': torch.tensor([True])})\nout = None"),
    ("long_inside_a_list", "print([torch.zeros(2, 2)])\nout = None"),
    ("several", "print('x =', torch.tensor([1, 2]), torch.tensor(3).item(), sep=' ')\nout = None"),
    ("shape", "x = torch.zeros(2, 3)\nprint(x.shape, x.size(), x.size(0), x.dtype, x.device, list(x.shape), tuple(x.shape))\nout = None"),
    ("items", "x = torch.tensor([0.1, 1e-7, 3.0, float('inf')])\nprint(x[0].item(), x[1].item(), x[2].item(), x[3].item(), x.tolist())\nout = None"),
    ("items_of_halves", "x = torch.tensor([0.1, 3.3])\nprint(x.half().tolist(), x.bfloat16()[0].item(), x.double().tolist())\nout = None"),
    ("tolist_nested", "print(torch.arange(4).view(2, 2).tolist(), (torch.arange(3) > 1).tolist(), torch.tensor(2.5).tolist())\nout = None"),
    ("loop", "for i, row in enumerate(torch.eye(2)):\n    print(i, row, row.sum())\nout = None"),
    ("format_item", "loss = torch.tensor(0.123456)\nprint(f'loss {loss:.4f} {loss.item():.2e}')\nout = None"),
    ("numbers", "print(1.0, 1e16, 1e15, 0.1, 1e-4, 1e-5, 123456789.123, 1 / 3, -0.0, 100, True)\nout = None"),
    ("return_types", "print(torch.tensor([1.0, 2.0]).max(dim=0))\nprint(torch.tensor([2, 1]).sort())\nprint(torch.tensor([2.0, 1.0]).topk(1))\nout = None"),
    ("none_and_empty", "print(None, [], (), {}, '', [None], (1,))\nout = None"),
    ("quotes", "print(['a', \"it's\", 'say \"hi\"', 'x\\n', 'ä'])\nout = None"),
    ("finfo", "print(torch.finfo(torch.float16).min, torch.finfo(torch.float32).max, torch.finfo(torch.float32).eps, torch.iinfo(torch.int8).max)\nout = None"),
    ("grad_fn_hidden_by_detach", "x = torch.ones(2, requires_grad=True)\nprint(x * 2 > 1, (x * 2).detach(), (x * 2).shape)\nout = None"),
    ("mask_as_rows", "m = torch.ones(3, 3).tril().int()\nfor row in m.tolist():\n    print(' '.join(str(v) for v in row))\nout = None"),
    ("after_inplace", "x = torch.zeros(2)\nprint(x)\nx[0] = 1.5\nprint(x)\nout = None"),
    ("zero_dim_index", "x = torch.arange(3) * 1.5\nprint(x[1], x[1:2], x[-1].item())\nout = None"),
]  # fmt: skip
for name, code in OTHER:
    cases.program(name, code)
