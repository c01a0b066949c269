# SPDX-License-Identifier: Apache-2.0
"""Making tensors."""

from case_list import Cases

cases = Cases("create")

TENSOR = """
torch.tensor(7)
torch.tensor([[1, 2], [3, 4]])
torch.tensor(((1.5, 2.0), (3.0, -0.0)))
torch.tensor([True, False])
torch.tensor([[1, 2], [3]])
torch.tensor([[1, 2], 3])
torch.tensor([1, [2]])
torch.tensor(['a'])
torch.tensor('a')
torch.tensor(None)
torch.tensor([None])
torch.tensor([1, 2], dtype=torch.bool)
torch.tensor([1.9, -1.9], dtype=torch.int64)
torch.tensor([300], dtype=torch.uint8)
torch.tensor([-1], dtype=torch.uint8)
torch.tensor([1e5], dtype=torch.float16)
torch.tensor([2.0], requires_grad=True)
torch.tensor([2], requires_grad=True)
torch.tensor([[]])
torch.tensor([[[1.0]]]).shape
torch.tensor(range(4))
torch.tensor([range(2), range(2, 4)])
torch.tensor(data=[1, 2], dtype=torch.float32, device='cpu', requires_grad=False)
torch.tensor(torch.tensor([1, 2]))
torch.tensor([torch.tensor(1.5), 2])
torch.tensor([torch.tensor([1, 2]), torch.tensor([3, 4])])
torch.tensor([1, 2], float)
torch.tensor([1, 2], torch.float32)
torch.tensor()
torch.tensor([1], size=3)
torch.tensor([math.inf, -math.inf, math.nan, math.pi])
torch.as_tensor([1.0, 2.0], dtype=torch.float64)
torch.tensor([True, 0, 2.5])
torch.tensor([x * x for x in range(4)])
torch.tensor([[i == j for j in range(3)] for i in range(3)])
torch.Tensor([1, 2])
torch.tensor([1, 2]).new_tensor([3.5, 4])
""".strip().splitlines()
cases.each("tensor", "", TENSOR)
cases.add("as_tensor_shares", "x", "x = torch.tensor([1, 2, 3])\ny = torch.as_tensor(x)\ny[0] = 9")
cases.add("from_numpy_shares", "x", "x = torch.tensor([1.0, 2.0])\ny = torch.from_numpy(x.numpy())\ny[0] = 9")

ARANGE = """
torch.arange(5)
torch.arange(2, 5)
torch.arange(1, 10, 3)
torch.arange(5, 0, -2)
torch.arange(0)
torch.arange(3, 3)
torch.arange(1.5, 4)
torch.arange(0, 1, 0.1)
torch.arange(0, 1, 0.3, dtype=torch.float64)
torch.arange(4, dtype=torch.float16)
torch.arange(4, dtype=torch.uint8)
torch.arange(end=3)
torch.arange(start=1, end=3)
torch.arange(start=1, end=6, step=2)
torch.arange(5, 1)
torch.arange(0, 5, -1)
torch.arange(0, 5, 0)
torch.arange('a')
torch.arange()
torch.arange(3, device='cpu')
torch.arange(torch.tensor(3))
torch.arange(True)
torch.arange(3, dtype=torch.bool)
torch.arange(2.0, dtype=torch.int32)
torch.arange(float('inf'))
torch.arange(10)[::3]
""".strip().splitlines()
cases.each("arange", "", ARANGE)

FILLED = """
torch.zeros(2, 3)
torch.zeros((2, 3))
torch.zeros([2, 3], dtype=torch.int64)
torch.zeros(size=(2,))
torch.zeros(0)
torch.zeros(2, 0, 3)
torch.zeros(())
torch.zeros(torch.Size([1, 2]))
torch.zeros(torch.tensor(2), 2)
torch.ones(2, dtype=torch.bool)
torch.ones(1, 2, device='cpu', requires_grad=True)
torch.ones(2, dtype=torch.int64, requires_grad=True)
torch.zeros(-1)
torch.zeros(2, -3)
torch.zeros(2.5)
torch.zeros('a')
torch.zeros()
torch.zeros(2, 3, dtype=float)
torch.ones(2, dtype=int)
torch.full((2, 2), 7)
torch.full((2,), 0.5, dtype=torch.float16)
torch.full([2], float('-inf'))
torch.full((), 3)
torch.full((2,), True)
torch.full((2,), fill_value=5, dtype=torch.uint8)
torch.full(size=(1,), fill_value=-1e9)
torch.full((2,), 2.7, dtype=torch.int64)
torch.full((2,), 1e6, dtype=torch.float16)
torch.full((2,), float('nan'), dtype=torch.int64)
torch.full((2,), torch.tensor(4))
torch.full(3, 1)
torch.full((2,))
torch.full((2,), 'a')
torch.eye(3)
torch.eye(2, 3)
torch.eye(3, dtype=torch.bool)
torch.eye(n=2, m=1, dtype=torch.int64)
torch.eye(0)
torch.eye(-1)
torch.linspace(0, 1, 5)
torch.linspace(-1, 1, steps=4)
torch.linspace(0, 1, 1)
torch.linspace(0, 1, 0)
torch.linspace(3, 1, 3, dtype=torch.float64)
torch.linspace(0, 10, 4, dtype=torch.int64)
torch.linspace(0, 1)
torch.linspace(0, 1, -1)
torch.linspace(start=0, end=-1, steps=11)
torch.empty(2, 3).shape
torch.empty((0,), dtype=torch.int64)
torch.empty(2, dtype=torch.bool).dtype
""".strip().splitlines()
cases.each("filled", "", FILLED)

LIKE = """
torch.zeros_like(x)
torch.ones_like(x)
torch.ones_like(x, dtype=torch.bool)
torch.full_like(x, 3)
torch.full_like(x, 2.5, dtype=torch.int64)
torch.full_like(i, 2.9)
torch.full_like(i, float('-inf'))
torch.full_like(m, 5)
torch.zeros_like(x.t())
torch.ones_like(x.expand(2, 2, 3))
torch.zeros_like(x[:, ::2])
torch.zeros_like(x.permute(1, 0)[::2])
torch.empty_like(x).shape
torch.empty_like(x.t()).stride()
torch.rand_like(x).shape
torch.randn_like(x.half()).dtype
torch.rand_like(i)
torch.zeros_like(input=x)
torch.full_like(x, fill_value=-1)
torch.zeros_like([1, 2])
torch.zeros_like(x, requires_grad=True)
x.new_zeros(2)
x.new_zeros((2, 1), dtype=torch.int64)
i.new_ones(1, 2)
x.new_full((2,), 7)
i.new_full((2,), 2.9)
m.new_full((2,), 1)
x.new_tensor([1, 2])
i.new_tensor([1.5])
x.new_empty(3).shape
x.new_empty((2, 0))
i.new_zeros(2).dtype
x.new_ones(size=(1,))
x.new_full(size=(1,), fill_value=2)
""".strip().splitlines()
cases.each(
    "like",
    "x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])\ni = torch.tensor([1, 2])\nm = torch.tensor([True])",
    LIKE,
)

GRIDS = """
torch.meshgrid(a, b, indexing='ij')
torch.meshgrid(a, b, indexing='xy')
torch.meshgrid(a, b)
torch.meshgrid([a, b], indexing='ij')
torch.meshgrid(a, indexing='xy')
torch.meshgrid(a, b, a[:1], indexing='xy')
torch.meshgrid(a, b.float(), indexing='ij')
torch.meshgrid(a.view(2, 1), b, indexing='ij')
torch.meshgrid(a, b, indexing='yx')
torch.meshgrid(torch.tensor(3), b, indexing='ij')
torch.stack(torch.meshgrid(a, b, indexing='ij'), dim=-1)
""".strip().splitlines()
cases.each("grid", "a = torch.tensor([1, 2])\nb = torch.tensor([3, 4, 5])", GRIDS)

FLAGS = """
x.requires_grad_() is x
(x.requires_grad_(), x * 2, x.detach(), (x > 0).float(), x.clone())
x.requires_grad_(False)
torch.tensor([1, 2]).requires_grad_()
(x.is_leaf, x.requires_grad, x.grad)
torch.ones(2, requires_grad=True).is_leaf
(torch.ones(2, requires_grad=True) * 2).is_leaf
(torch.ones(2, requires_grad=True) * 2).sum()
torch.ones(2, requires_grad=True)[0]
torch.ones(2, requires_grad=True).argmax()
torch.ones(2, requires_grad=True).long()
torch.where(torch.tensor([True, False]), torch.ones(2, requires_grad=True), 0.0)
torch.cat([torch.ones(1, requires_grad=True), torch.zeros(1)])
torch.ones(2, requires_grad=True).numpy()
torch.ones(2, requires_grad=True).detach().numpy() is not None
torch.ones(2, requires_grad=True).tolist()
torch.ones(1, requires_grad=True).item()
torch.tensor(torch.ones(2, requires_grad=True).tolist())
""".strip().splitlines()
cases.each("grad_flag", "x = torch.tensor([1.0, -2.0])", FLAGS)
cases.program(
    "no_grad",
    "x = torch.ones(2, requires_grad=True)\nwith torch.no_grad():\n    y = x * 2\n    z = x[0]\nout = (y, z, x * 3)",
)
cases.program(
    "no_grad_decorator", "@torch.no_grad()\ndef f(x):\n    return x * 2\nout = f(torch.ones(2, requires_grad=True))"
)
cases.program(
    "no_grad_ends",
    "x = torch.ones(1, requires_grad=True)\nwith torch.no_grad():\n    with torch.no_grad():\n        a = x * 2\n    b = x * 2\nout = (a, b, x * 2)",
)
cases.program("requires_grad_attribute", "x = torch.ones(2)\nx.requires_grad = True\nout = x + 1")
cases.program(
    "requires_grad_off_non_leaf", "x = torch.ones(2, requires_grad=True) * 2\nx.requires_grad_(False)\nout = x"
)
cases.program("detach_shares", "x = torch.ones(2, requires_grad=True)\ny = x.detach()\ny[0] = 5\nout = (x, y)")
