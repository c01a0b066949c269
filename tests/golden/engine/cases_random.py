# SPDX-License-Identifier: Apache-2.0
"""Random numbers: PyTorch's own for a seed, below and above the size from which it fills in blocks."""

from case_list import Cases

cases = Cases("random", rtol=1e-5, atol=1e-6)

DRAWS = """
torch.rand(3)
torch.rand(2, 3)
torch.rand((2, 2))
torch.rand(15)
torch.rand(16)
torch.rand(17)
torch.rand(40)
torch.rand(3, dtype=torch.float64)
torch.rand(20, dtype=torch.float64)
torch.rand(3, dtype=torch.float16)
torch.rand(3, dtype=torch.bfloat16)
torch.rand(20, dtype=torch.float16)
torch.rand(())
torch.rand(0)
torch.randn(3)
torch.randn(1)
torch.randn(2, 3)
torch.randn(15)
torch.randn(16)
torch.randn(17)
torch.randn(31)
torch.randn(32)
torch.randn(40)
torch.randn(4, 5)
torch.randn(3, dtype=torch.float64)
torch.randn(15, dtype=torch.float64)
torch.randn(16, dtype=torch.float64)
torch.randn(20, dtype=torch.float64)
torch.randn(3, dtype=torch.float16)
torch.randn(())
torch.randn(0)
torch.randint(10, (5,))
torch.randint(0, 10, (2, 3))
torch.randint(-5, 5, (8,))
torch.randint(3, 4, (3,))
torch.randint(0, 2, (20,))
torch.randint(low=0, high=100, size=(4,))
torch.randint(0, 10, (4,), dtype=torch.int32)
torch.randint(0, 10, (4,), dtype=torch.uint8)
torch.randint(0, 10, (4,), dtype=torch.float32)
torch.randint(0, 2 ** 40, (3,))
torch.randint(5, 5, (2,))
torch.randint(5, 3, (2,))
torch.randint(0, 300, (2,), dtype=torch.uint8)
torch.randint(0, 2, (3,)).bool()
torch.randperm(1)
torch.randperm(0)
torch.randperm(5)
torch.randperm(10)
torch.randperm(30)
torch.randperm(5, dtype=torch.int32)
torch.randperm(-1)
torch.rand_like(torch.zeros(2, 2))
torch.randn_like(torch.zeros(3))
torch.randn_like(torch.zeros(20))
torch.rand_like(torch.zeros(2, 3).t())
torch.randn_like(torch.zeros(2, 3).t())
(torch.rand(2), torch.rand(2), torch.randn(2), torch.randint(5, (2,)))
(torch.randn(1), torch.randn(1), torch.randn(2))
(torch.randn(3), torch.rand(3), torch.randperm(4))
(torch.randn(16), torch.randn(1), torch.rand(1))
(torch.rand(1, dtype=torch.float64), torch.rand(1))
(torch.randn(1, dtype=torch.float64), torch.randn(1))
torch.rand(3, requires_grad=True)
torch.rand(4) < 0.5
torch.rand(2, 6).argsort(dim=1)
torch.randn(2, 2) @ torch.randn(2, 2)
""".strip().splitlines()
for number, text in enumerate(DRAWS, 1):
    cases.add(f"draw_{number}", text, f"torch.manual_seed({0 if number % 3 else 42})")
for seed in ("1", "123456789", "-1", "2 ** 40 + 7"):
    name = seed.replace("**", "to").replace(" ", "_").replace("-", "minus_").replace("+", "plus")
    cases.add(
        f"seed_{name}",
        "(torch.rand(3), torch.randn(3), torch.randint(1000, (3,)), torch.randperm(6))",
        f"torch.manual_seed({seed})",
    )
cases.program(
    "seed_again",
    "torch.manual_seed(7)\na = torch.rand(4)\ntorch.manual_seed(7)\nout = (torch.equal(a, torch.rand(4)), a)",
)
cases.program(
    "seed_drops_the_kept_normal",
    "torch.manual_seed(3)\na = torch.randn(1)\ntorch.manual_seed(3)\nb = torch.randn(1)\nout = (a == b, a)",
)
cases.program("long_uniform", "torch.manual_seed(0)\nx = torch.rand(700)\nout = (x[:3], x[-3:], x.sum())")
cases.program("long_normal", "torch.manual_seed(0)\nx = torch.randn(707)\nout = (x[:3], x[-3:], x.sum())", rtol=1e-4)
cases.program(
    "past_one_state", "torch.manual_seed(0)\nx = torch.randint(0, 1000, (1300,))\nout = (x[620:630], x.sum())"
)

# Of these only the distribution is held: what does not depend on the draw.
DISTRIBUTION = """
(torch.bernoulli(torch.tensor([0.0, 1.0, 1.0])), torch.zeros(2).bernoulli_(1.0), torch.bernoulli(torch.full((100,), 0.5)).unique())
torch.bernoulli(torch.tensor([1.5]))
torch.bernoulli(torch.tensor([-0.5]))
torch.bernoulli(torch.tensor([1, 0]))
(torch.multinomial(torch.tensor([0.0, 1.0, 0.0]), 1), torch.multinomial(torch.tensor([[0.0, 3.0], [1.0, 0.0]]), 2, replacement=True))
torch.multinomial(torch.tensor([1.0, 1.0, 1.0]), 3).sort().values
torch.multinomial(torch.tensor([0.0, 1.0]), 2)
torch.multinomial(torch.tensor([1.0, 1.0]), 3)
torch.multinomial(torch.tensor([1.0, -1.0]), 1)
torch.multinomial(torch.tensor([0.0, 0.0]), 1)
torch.multinomial(torch.tensor([float('nan'), 1.0]), 1)
torch.multinomial(torch.tensor([1, 1]), 1)
torch.multinomial(torch.tensor([1.0, 1.0]), 0)
F.dropout(torch.ones(200), 0.25).unique()
F.dropout(torch.ones(3), 1.0)
""".strip().splitlines()
cases.each("distribution", "torch.manual_seed(0)", DISTRIBUTION)
