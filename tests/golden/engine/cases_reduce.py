# SPDX-License-Identifier: Apache-2.0
"""Reductions and scans: dims, keepdim, dtypes, nothing to reduce, NaN."""

from case_list import Cases

cases = Cases("reduce")

X = "x = torch.tensor([[1.0, -2.0, 3.5], [4.0, 0.5, -1.0]])"
Y = "y = torch.arange(24.0).view(2, 3, 4) % 7"
I = "i = torch.tensor([[3, 1, 2], [0, 5, 5]])"
B = "b = torch.tensor([[True, False, True], [False, False, False]])"
NAN = "n = torch.tensor([[1.0, float('nan'), 3.0], [4.0, 5.0, -float('inf')]])"
E = "e = torch.zeros(0)\nf = torch.zeros(2, 0)"

MANY_DIMS = "sum mean amax amin logsumexp nansum nanmean std var all any count_nonzero norm".split()
ONE_DIM = "prod max min argmax argmin cumsum cumprod median".split()

for name in MANY_DIMS:
    whole = f"x.{name}()" if name != "logsumexp" else "x.logsumexp((0, 1))"
    norm = name == "norm"
    two = "(0, 1)" if norm else "(0, 1, 2)"
    dims = (lambda text: f"dim={text}") if norm else (lambda text: text)
    cases.add(
        f"{name}_forms",
        f"({whole}, x.{name}({dims('0')}), x.{name}(dim=-1), torch.{name}(x, dim=1), torch.{name}(input=x, dim=0))",
        X,
    )
    cases.add(f"{name}_tuple", f"(y.{name}(dim=(0, 2)), y.{name}(dim=[-1, 1]), torch.{name}(y, dim={two}))", Y)
    if name != "count_nonzero":
        cases.add(
            f"{name}_keepdim",
            f"(x.{name}(dim=1, keepdim=True), torch.{name}(y, dim=(1, 2), keepdim=True), x.{name}({dims('0')}, keepdim=False))",
            f"{X}\n{Y}",
        )
        cases.add(f"{name}_numpy_names", f"(torch.{name}(x, axis=1, keepdims=True), x.{name}(axis=0))", X)
    cases.add(f"{name}_nan", f"(n.{name}(dim=0), n.{name}(dim=1))", NAN)
    cases.add(
        f"{name}_strided",
        f"(y.transpose(0, 2).{name}(dim=1), y[:, ::2, 1:].{name}(dim=(0, 1)), x.t().{name}(dim=0))",
        f"{X}\n{Y}",
    )
    cases.add(f"{name}_empty", f"f.{name}(dim=1)", E)
    cases.add(f"{name}_empty_other_dim", f"f.{name}(dim=0)", E)
    cases.add(f"{name}_zero_dim", f"(torch.tensor(2.0).{name}(dim=0), torch.tensor(2.0).{name}(dim=-1))")
    cases.add(f"{name}_halves", f"[x.to(d).{name}(dim=1) for d in (torch.float16, torch.bfloat16, torch.float64)]", X)
    cases.add(f"{name}_bad_dim", f"x.{name}(dim=2)", X)
    cases.add(f"{name}_dim_twice", f"x.{name}(dim=(0, 0))", X)
for name in ONE_DIM:
    scan = name in ("cumsum", "cumprod")
    whole = "" if scan else f"x.{name}(), "
    cases.add(
        f"{name}_forms",
        f"({whole}x.{name}(0), x.{name}(dim=-1), torch.{name}(x, dim=1), torch.{name}(input=x, dim=0))",
        X,
    )
    if not scan:
        cases.add(f"{name}_keepdim", f"(x.{name}(dim=1, keepdim=True), torch.{name}(y, 1, True))", f"{X}\n{Y}")
    cases.add(f"{name}_numpy_names", f"x.{name}(axis=1)", X)
    cases.add(f"{name}_nan", f"(n.{name}(dim=0), n.{name}(dim=1))", NAN)
    cases.add(
        f"{name}_strided",
        f"(y.transpose(0, 2).{name}(dim=1), y[:, ::2, 1:].{name}(dim=0), x.t().{name}(dim=0))",
        f"{X}\n{Y}",
    )
    cases.add(f"{name}_empty", f"f.{name}(dim=1)", E)
    cases.add(f"{name}_empty_other_dim", f"f.{name}(dim=0)", E)
    cases.add(f"{name}_zero_dim", f"torch.tensor(2.0).{name}(dim=0)")
    cases.add(f"{name}_halves", f"[x.to(d).{name}(dim=1) for d in (torch.float16, torch.bfloat16, torch.float64)]", X)
    cases.add(f"{name}_int", f"i.{name}(dim=1)", I)
    cases.add(f"{name}_bool", f"b.{name}(dim=1)", B)
    cases.add(f"{name}_bad_dim", f"x.{name}(dim=-3)", X)
    cases.add(f"{name}_tuple", f"x.{name}(dim=(0, 1))", X)
for name in ("sum", "amax", "amin", "all", "any", "count_nonzero", "nansum", "mean", "std", "logsumexp"):
    cases.add(f"{name}_int", f"i.{name}(dim=1)", I)
    cases.add(f"{name}_bool_tensor", f"b.{name}(dim=1)", B)
for name in (
    "sum",
    "mean",
    "prod",
    "max",
    "min",
    "argmax",
    "argmin",
    "std",
    "var",
    "any",
    "all",
    "median",
    "norm",
    "amax",
    "count_nonzero",
    "nansum",
    "nanmean",
):
    cases.add(f"{name}_of_nothing", f"e.{name}()", E)
cases.add("logsumexp_of_nothing", "e.logsumexp(0)", E)
cases.add("logsumexp_all_minus_inf", "torch.full((2, 2), -float('inf')).logsumexp(1)")

FORMS = {
    "sum": """
(x.sum(dtype=torch.float64), i.sum(dtype=torch.float32), x.sum(1, dtype=torch.int64), torch.sum(x, 1, True), b.sum(), b.sum(0))
(x.sum(dim=None), x.sum(dim=()), x.sum(()), x.sum([]))
(x.sum(dim=None, keepdim=True), y.sum((0, 1), keepdim=True).shape)
torch.tensor([200, 100], dtype=torch.uint8).sum()
torch.tensor([60000.0, 60000.0], dtype=torch.float16).sum()
(torch.full((100,), 0.1, dtype=torch.float16).sum(), torch.full((100,), 0.1, dtype=torch.bfloat16).sum())
(torch.ones(300).sum(), torch.full((1000,), 0.1).sum(), torch.arange(100.0).view(10, 10).sum(0))
x.sum('a')
x.sum(0, 1)
x.sum(dim='a')
sum([x, x])
(sum(x), sum([torch.tensor(1), torch.tensor(2)]), sum(b[0]))
x.sum().item() + b.sum().item()
x.sum(-3)
""",
    "mean": """
(x.mean(), x.mean(dtype=torch.float64), i.mean(dtype=torch.float32), i.float().mean(0), b.float().mean())
i.mean()
b.mean()
i.mean(dim=1)
torch.mean(i)
x.mean(dim=())
(torch.tensor([65504.0, 65504.0]).half().mean(), torch.tensor([1, 2, 3]).half().mean())
""",
    "prod": """
(x.prod(), i.prod(), i.prod(1, keepdim=True), b.prod(), x.prod(1, dtype=torch.float64))
x.prod((0, 1))
torch.tensor([3037000500, 3037000500, 3]).prod()
""",
    "max": """
(x.max(), i.max(), b.max(), x.max(0)[0], x.max(1).indices, x.max(dim=0).values)
(torch.max(x, x.flip(0)), torch.max(i, torch.tensor(2)), x.max(torch.tensor([0.0, 1.0, 2.0])), torch.min(x, x[:1]))
x.max(0, 1)
torch.max(x, 2.5)
(torch.tensor([2, 5, 5]).max(0), torch.tensor([5, 5]).min(0), torch.tensor([True, True]).max(0))
[*x.max(1)]
len(x.max(1))
(lambda r: (r[0], r[1], r.values is r[0]))(x.max(dim=1))[0]
torch.zeros(2, 0).max(1)
torch.zeros(2, 0).max()
(n.max(), n.min(), n.amax(1), n.max(1), n.argmax(1), n.min(1))
max(x[0])
(max(torch.tensor(3), torch.tensor(2)), min(torch.tensor([4, 2, 7])), max(2, torch.tensor(5)))
""",
    "arg": """
(x.argmax(), i.argmax(), i.argmax(1), i.argmin(0, keepdim=True), torch.argmax(x, -1), i.argmin(), x.argmax(dim=None, keepdim=True))
b.argmax()
b.argmax(1)
b.int().argmax(1)
torch.zeros(3).argmax()
torch.tensor([1.0, float('nan'), float('nan')]).argmax()
torch.tensor([1.0, float('nan')]).argmin()
torch.zeros(0, 3).argmax()
torch.zeros(0, 3).argmax(1)
torch.zeros(2, 0).argmax(1)
torch.tensor([float('-inf'), float('-inf')]).argmax()
x.argmax((0, 1))
""",
    "truth": """
(b.any(), b.all(), b.any(1), b.all(0, keepdim=True), b.any(dim=(0, 1)), torch.any(b, 0), torch.all(b, dim=1))
(x.any(), i.all(), i.all(1), n.all(), torch.tensor([0, 3], dtype=torch.uint8).all(), torch.tensor([0, 3], dtype=torch.uint8).any())
(b.any().item(), any(b[0]), all(b[1]), any(r.any() for r in b), all([True, torch.tensor(True)]))
any(b)
(x > 0).all(dim=1).any()
(x.count_nonzero(), b.count_nonzero(dim=1), torch.count_nonzero(i, dim=(0, 1)), n.count_nonzero())
""",
    "spread": """
(x.std(), x.var(), x.std(0), x.var(1, keepdim=True), x.std(unbiased=False), x.var(dim=1, unbiased=False), x.std(1, False))
(x.std(correction=0), x.var(dim=0, correction=1), x.var(correction=2), torch.std(x, dim=1, correction=0), x.var(dim=(0, 1), correction=0))
(x[:, 0].var(0), x[:1].std(0), x[:1].var(0, correction=0), torch.tensor(2.0).std(), torch.tensor(2.0).var(correction=0))
i.std()
x.std(0, unbiased=True, correction=0)
x.double().std(1, keepdim=True)
""",
    "norm": """
(x.norm(), x.norm(1), x.norm(p=2, dim=1), x.norm(dim=0, keepdim=True), torch.norm(x), x.norm(float('inf')), x.norm(p=0, dim=1))
(x.norm(p='fro'), torch.norm(x, 2, -1), x.norm(p=-float('inf'), dim=0), x.norm(3), x.norm(2, (0, 1)), x.double().norm(p=1, dim=(0, 1)))
torch.norm(i)
(torch.tensor([3.0, 4.0]).norm(), torch.tensor([3e20, 4e20]).norm(), torch.tensor([3.0, 4.0], dtype=torch.float16).norm())
""",
    "logsumexp": """
(x.logsumexp(1), torch.logsumexp(x, (0, 1), keepdim=True), torch.tensor([1000.0, 1000.0]).logsumexp(0), torch.tensor([-float('inf'), 0.0]).logsumexp(-1))
i.logsumexp(1)
torch.tensor([float('inf'), 1.0]).logsumexp(0)
x.logsumexp()
""",
    "nan": """
(n.nansum(), n.nanmean(), n.nansum(0), n.nanmean(1, keepdim=True), torch.nansum(n, dim=1), torch.nanmean(n))
(torch.tensor([float('nan')]).nansum(), torch.tensor([float('nan')]).nanmean(), i.nansum())
i.nanmean()
""",
    "median": """
(x.median(), i.median(), x.median(1), i.median(0, keepdim=True), torch.median(x, -1)[0], torch.tensor([4, 1, 3, 2]).median())
n.median()
n.median(1).values
b.median()
torch.tensor([1.0, 2.0, 3.0, 4.0]).median(0)
""",
    "scan": """
(x.cumsum(0), x.cumsum(-1), i.cumsum(1), b.cumsum(1), torch.cumsum(x, 1, dtype=torch.float64), x.t().cumsum(0), b.cumsum(1, dtype=torch.int32))
(x.cumprod(1), i.cumprod(0), b.cumprod(1), torch.cumprod(x, dim=1), x.clone().cumsum_(0), x.clone().cumprod_(1))
(x.flip(0).cumsum(0).flip(0), n.cumsum(1), torch.tensor(3).cumsum(0), torch.zeros(0).cumsum(0))
x.cumsum()
x.cumsum(2)
torch.tensor([200, 100], dtype=torch.uint8).cumsum(0)
i.clone().cumsum_(1)
(b.int().cumsum(1) * b.int(), (b.cumsum(1) - 1) % 3)
""",
}  # fmt: skip
SETUP = {"x": X, "y": Y, "i": I, "b": B, "n": NAN}
cases.families(SETUP, {f"more_{family}": text for family, text in FORMS.items()})
