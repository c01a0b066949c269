# SPDX-License-Identifier: Apache-2.0
"""Picking and placing: where, the masked family, gather and scatter, sorting, searching."""

from case_list import Cases

cases = Cases("select")

SETUP = {
    "x": "x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])",
    "m": "m = torch.tensor([[True, False, True], [False, False, True]])",
    "r": "r = torch.tensor([True, False, True])",
    "c": "c = torch.tensor([[True], [False]])",
    "i": "i = torch.tensor([[0, 2], [1, 1]])",
    "k": "k = torch.tensor([3, 1, 2, 1, 3, 0])",
    "n": "n = torch.tensor([3.0, float('nan'), -1.0, float('inf'), 2.0])",
    "s": "s = torch.tensor([1.0, 3.0, 5.0, 7.0])",
}

FORMS = {
    "where": """
(torch.where(m, x, -x), torch.where(m, x, 0.0), torch.where(m, 1, x), x.where(m, torch.zeros(3)), torch.where(condition=m, input=x, other=-1.0))
(torch.where(m, 1.0, 0.0), torch.where(m, 1, 0), torch.where(m, 1, 0.5), torch.where(m, True, False), torch.where(r, 2, 3.0))
(torch.where(r, x, 0), torch.where(c, x, x[0]), torch.where(c, r.float(), 9.0), torch.where(m[:, :1], 1, x), x.where(r, 5))
(torch.where(m), torch.where(r), torch.where(x > 2)[1], torch.where(torch.tensor(True)), torch.where(torch.tensor(5)))
torch.where(m, x, torch.zeros(2))
torch.where(m[:1, :2], x, 0)
torch.where(x, x, 0)
torch.where(m.long(), x, 0)
torch.where(m.to(torch.uint8), x, 0)
torch.where(m, x.half(), x.double())
torch.where(m, i[:1, :1], 0.5)
torch.where(m, x.half(), float('-inf'))
torch.where(m, x.long(), float('-inf'))
torch.where(m, x, None)
torch.where(m, x)
torch.where(x > 2, x, torch.tensor(0))
torch.where(torch.isnan(n), 0.0, n)
torch.where(m.t(), x.t(), 0.0).stride()
x.where(x > 2)
torch.where(torch.zeros(0, 3, dtype=torch.bool), torch.zeros(0, 3), 1.0)
torch.where(m.t(), 1, 0)
""",
    "masked_fill": """
(x.masked_fill(m, 0), x.masked_fill(~m, -1e9), x.masked_fill(m == 0, float('-inf')), torch.masked_fill(x, m, 7), x.masked_fill(mask=m, value=0.5))
(x.masked_fill(r, 0.0), x.masked_fill(c, 0), x[0].masked_fill(m, 0), x[:1].masked_fill(c, -1), x.masked_fill(m, torch.tensor(3)), x.masked_fill(torch.tensor(True), 2))
(x.clone().masked_fill_(m, 0), x.clone().masked_fill_(r, 1.5), x.clone().masked_fill_(c, torch.tensor(2.0)))
x[0].clone().masked_fill_(m, 0)
x.masked_fill(m[:, :2], 0)
x.masked_fill(torch.ones(3, 3, dtype=torch.bool), 0)
x.masked_fill_(torch.ones(3, 3, dtype=torch.bool), 0)
x.masked_fill(m.long(), 0)
x.masked_fill(m.float(), 0)
x.masked_fill(m.to(torch.uint8), 0)
x.masked_fill_(m.int(), 0)
x.masked_fill(m, torch.tensor([1.0]))
x.masked_fill(m, torch.tensor([[1.0, 2.0]]))
x.masked_fill(m, x)
x.masked_fill(m, 'a')
x.masked_fill(m, None)
x.masked_fill(m)
x.masked_fill(0, 1)
x.long().masked_fill(m, 2.9)
x.long().masked_fill(m, float('-inf'))
x.long().masked_fill(m, torch.tensor(2.9))
m.masked_fill(m, 3)
x.half().masked_fill(m, -1e9)
x.half().masked_fill(m, 65504)
x.half().masked_fill(m, 65520)
x.bfloat16().masked_fill(m, -1e9)
x.masked_fill(m, 1e300)
x.masked_fill(m, float('nan'))
x.masked_fill(m, torch.finfo(x.dtype).min)
x.half().masked_fill(m, torch.finfo(torch.float16).min)
x.to(torch.uint8).masked_fill(m, -1)
x.to(torch.uint8).masked_fill(m, 300)
x.to(torch.int8).masked_fill(m, 200)
x.masked_fill(m, True)
x.t().masked_fill(m.t(), 0)
x.t().masked_fill(r[:, None], 0)
x[:, None].masked_fill(r[:, None], 0).shape
x.expand(2, 2, 3).masked_fill(m, 0)
x[:, ::2].masked_fill(m[:, ::2], 0)
x.masked_fill(torch.zeros(0, 1, 1, dtype=torch.bool), 0)
torch.zeros(0, 3).masked_fill(r, 1)
torch.tensor(2.0).masked_fill(torch.tensor(True), 9)
torch.tensor(2.0).masked_fill(r, 9)
x.requires_grad_().masked_fill(m, 0)
x.requires_grad_().masked_fill_(m, 0)
(x.requires_grad_() * 1).masked_fill_(m, 0)
x[:1].expand(2, 3).masked_fill_(r, 0)
x.clone()[:, 1:].masked_fill_(m[:, 1:], 0)
""",
    "masked_select": """
(x.masked_select(m), torch.masked_select(x, m), x.masked_select(mask=m), torch.masked_select(input=x, mask=r))
(x.masked_select(c), x[0].masked_select(m), x[:1].masked_select(c), torch.tensor(5.0).masked_select(m), x.masked_select(torch.tensor(True)))
(x.t().masked_select(m.t()), x.masked_select(m & False), torch.zeros(0).masked_select(torch.zeros(0, dtype=torch.bool)), x.t().masked_select(r[:, None]))
x.masked_select(m[:, :2])
x.masked_select(m.long())
x.masked_select(m.to(torch.uint8))
x.masked_select(m.float())
(x.masked_select(m).sum() == (x * m).sum(), x.masked_select(m).numel() == m.sum())
(m.masked_select(m), x.long().masked_select(m), x.half().masked_select(m), x.expand(2, 2, 3).masked_select(m))
x.masked_select([True, False, True])
""",
    "masked_scatter": """
(x.masked_scatter(m, torch.arange(10.0, 16.0)), torch.masked_scatter(x, m, -x), x.masked_scatter(mask=r, source=torch.arange(6.0)), x.clone().masked_scatter_(m, torch.zeros(3)))
(x.masked_scatter(c, torch.arange(3.0)), x[0].masked_scatter(m, torch.arange(6.0)), x.t().masked_scatter(m.t(), torch.arange(3.0)), x.masked_scatter(m & False, torch.zeros(0)))
x.masked_scatter(m, torch.zeros(2))
x.masked_scatter_(r, torch.zeros(3))
x.masked_scatter(m, torch.zeros(6, dtype=torch.int64))
x.masked_scatter(m.long(), x)
x.masked_scatter(m.to(torch.uint8), x)
x.masked_scatter(m, 1.0)
x[0].masked_scatter_(m, x)
x.masked_scatter(m[:, :2], x)
""",
    "nonzero": """
(m.nonzero(), torch.nonzero(x - 1), m.nonzero(as_tuple=True), torch.nonzero(r, as_tuple=False), r.nonzero().squeeze(-1), m.nonzero().stride())
(torch.tensor(3).nonzero(), torch.tensor(0).nonzero(), torch.tensor(3).nonzero(as_tuple=True), torch.zeros(2, 3).nonzero(), torch.zeros(0).nonzero(), torch.zeros(2, 0).nonzero(as_tuple=True))
(n.nonzero(), (n > 0).nonzero().flatten(), torch.tensor([0.0, -0.0, float('nan')]).nonzero(), m.t().nonzero())
(x[m.nonzero(as_tuple=True)], x[m.nonzero().unbind(1)])
""",
    "gather": """
(x.gather(1, i), torch.gather(x, 0, i % 2), x.gather(dim=-1, index=i[:1]), torch.gather(input=x, dim=1, index=i), x.gather(1, i[:, :0]))
x.gather(1, i + 1)
x.gather(1, -i)
x.gather(2, i)
x.gather(1, i[0])
x.gather(1, i.float())
x.gather(1, i.int())
x.gather(1, torch.zeros(3, 1, dtype=torch.int64))
x.gather(0, torch.zeros(1, 4, dtype=torch.int64))
torch.tensor(3.0).gather(0, torch.tensor([0, 0]))
(torch.take_along_dim(x, i, dim=1), torch.take_along_dim(x, torch.tensor([5, 0])), x.take_along_dim(x.argsort(1, descending=True), 1), torch.take_along_dim(x, i[:1], 1))
x.t().gather(0, i.t())
""",
    "scatter": """
(torch.zeros(2, 3).scatter(1, i, 1.0), torch.zeros(2, 3).scatter_(1, i, x[:, :2]), torch.scatter(x, 0, i % 2, 9.0), torch.zeros(2, 3).scatter(dim=1, index=i, value=2), torch.zeros(2, 3).scatter(1, i, src=x))
torch.zeros(2, 3, dtype=torch.bool).scatter_(1, i, True)
torch.zeros(2, 3).scatter(1, i, True)
torch.zeros(2, 3).scatter(1, i, torch.tensor(1.0))
torch.zeros(2, 3).scatter(1, i, x.double())
torch.zeros(2, 3).scatter(1, i + 1, 1.0)
torch.zeros(2, 3).scatter(1, i, x[:, :1])
torch.zeros(2, 3).scatter(1, i.int(), 1.0)
torch.zeros(2, 3).scatter(2, i, 1.0)
torch.zeros(2, 3).scatter_(1, i, 1, reduce='add')
torch.zeros(2, 3).scatter_(1, i, x, reduce='multiply')
(torch.zeros(2, 3).scatter_add(1, i, x), torch.zeros(2, 3).scatter_add_(0, i % 2, x), torch.ones(2, 3).scatter_add(dim=1, index=i, src=torch.ones(2, 2)))
torch.zeros(2, 3).scatter_add(1, i, 1.0)
torch.zeros(2, 3).scatter_add(1, i, x.long())
torch.zeros(2, 3, dtype=torch.int64).scatter_(1, i, 2.9)
torch.zeros(2, 3).scatter_(1, torch.tensor([[0, 0, 1]]), torch.tensor([[5.0, 6.0, 7.0]]))
torch.zeros(2, 3).scatter(1, x.topk(2).indices, 1.0).bool()
""",
    "index_ops": """
(x.index_select(1, torch.tensor([2, 0])), torch.index_select(x, 0, torch.tensor([1, 1])), x.index_select(dim=-1, index=torch.tensor(1)), x.index_select(0, torch.tensor([], dtype=torch.int64)), x.index_select(1, torch.tensor([0], dtype=torch.int32)))
x.index_select(0, torch.tensor([2]))
x.index_select(0, torch.tensor([-1]))
x.index_select(0, i)
x.index_select(0, torch.tensor([0.0]))
x.index_select(0, [0, 1])
(x.index_add(0, torch.tensor([0, 0]), x), x.clone().index_add_(1, torch.tensor([2]), torch.ones(2, 1)), torch.index_add(x, 0, torch.tensor([1]), torch.ones(1, 3), alpha=2))
x.index_add(0, torch.tensor([0]), x)
x.index_add(0, torch.tensor([2]), x[:1])
x.index_add(0, torch.tensor([0]), x[:1].double())
(x.index_fill(1, torch.tensor([0, 2]), -1), x.clone().index_fill_(0, torch.tensor([1]), 0.5), torch.index_fill(x, 0, torch.tensor([0]), torch.tensor(7.0)))
x.index_fill(0, torch.tensor([2]), 1)
x.index_fill(1, torch.tensor([-1]), 1)
""",
    "triangle": """
(x.triu(), x.tril(), x.triu(1), x.tril(-1), torch.triu(x, diagonal=1), torch.tril(x, 1), x.triu(-5), x.tril(-5), x.clone().triu_(), x.clone().tril_(1))
(torch.triu(torch.ones(3, 3), diagonal=1).bool(), torch.tril(torch.ones(3, 3, dtype=torch.bool)), torch.ones(2, 2, 2).tril(), torch.ones(2, 3, dtype=torch.int64).triu(1), x.t().tril())
x[0].tril()
torch.tensor(1.0).triu()
x.triu(1.5)
(torch.zeros(0, 3).tril(), torch.full((3, 3), float('-inf')).triu(1), torch.full((2, 2), float('nan')).tril())
""",
    "sort": """
(x.sort(), x.sort(0, descending=True), torch.sort(x, dim=-1, descending=True)[1], x.flip(1).sort(1).values, torch.sort(k, stable=True), k.sort(descending=True, stable=True))
(n.sort(), n.sort(descending=True), n.argsort(), torch.argsort(n, descending=True), k.argsort(stable=True), x.argsort(dim=0), torch.argsort(x, 1, True))
(r.sort(), torch.tensor([2, 2, 2]).sort(stable=True), torch.tensor(3).sort(), torch.zeros(0).sort(), torch.zeros(2, 0).sort(), k.argsort(stable=True).argsort())
x.sort(2)
(x.t().sort(0)[0], torch.tensor([0.0, -0.0, 1.0]).sort(stable=True)[1], torch.tensor([3, 1], dtype=torch.uint8).sort()[0], torch.tensor([1.5, -2.0]).half().sort())
k.sort(0, True)
torch.arange(40).remainder(7).sort(stable=True).indices
torch.sort(k, stable=True, dim=0, descending=True).indices
""",
    "topk": """
(x.topk(2), torch.topk(x, 1, dim=0), x.topk(2, largest=False), x.topk(k=1, dim=-1)[0], torch.topk(x, 3).indices, n.topk(2), n.topk(2, largest=False).values)
x.topk(4)
x.topk(-1)
x.topk(0)
x.topk(1, dim=2)
torch.tensor([1, 5, 3]).topk(2)
torch.tensor(3.0).topk(1)
(x.half().topk(1).values, torch.tensor([4.0, 2.0, 9.0]).topk(3, sorted=True))
r.topk(1).values
""",
    "unique": """
(k.unique(), torch.unique(k), k.unique(return_counts=True), k.unique(return_inverse=True), torch.unique(k, return_inverse=True, return_counts=True), k.unique(sorted=True))
(torch.tensor([[2, 1], [2, 3]]).unique(), torch.tensor([[1, 2], [0, 5], [1, 2]]).unique(dim=0), torch.tensor([[1, 2], [1, 2]]).unique(dim=1, return_counts=True), r.unique(), torch.zeros(0).unique())
torch.tensor([[1, 2], [0, 5], [1, 2]]).unique(dim=0, return_inverse=True)
(torch.tensor([2.5, 1.0, 2.5]).unique(return_inverse=True), torch.tensor([[3, 1], [1, 3]]).unique(return_inverse=True))
(torch.isin(k, torch.tensor([1, 3])), torch.isin(x, torch.tensor([2.0])), torch.isin(k, 3), torch.isin(elements=k, test_elements=torch.tensor([1]), invert=True), torch.isin(3, k), torch.isin(k, torch.tensor([])))
torch.isin(n, torch.tensor([float('nan')]))
torch.isin(k, [1, 3])
""",
    "search": """
(torch.searchsorted(s, torch.tensor([0.0, 3.0, 4.0, 9.0])), torch.searchsorted(s, torch.tensor([3.0]), right=True), torch.searchsorted(s, 5), torch.searchsorted(s, torch.tensor([[1.0, 7.0]]), side='right'), torch.searchsorted(s, torch.tensor([3.0]), out_int32=True))
(torch.bucketize(torch.tensor([0, 3, 8]).float(), s), torch.bucketize(torch.tensor([3.0]), s, right=True), torch.bucketize(3.0, s), torch.bucketize(input=torch.tensor([[5.5]]), boundaries=s), torch.bucketize(torch.tensor([1.0]), s, out_int32=True))
torch.searchsorted(x, torch.tensor([[2.5], [4.0]]))
torch.searchsorted(x, torch.tensor([2.5]))
torch.searchsorted(s, torch.tensor([3]))
torch.searchsorted(torch.tensor([1, 2, 4]), torch.tensor([3, 4, 5]))
torch.searchsorted(s, torch.tensor([float('nan'), float('inf'), -float('inf')]))
torch.searchsorted(s, torch.tensor([3.0]), side='left', right=True)
torch.bucketize(x, x)
(torch.bincount(k), k.bincount(minlength=6), torch.bincount(k, weights=torch.arange(6.0)), torch.bincount(torch.tensor([], dtype=torch.int64)), torch.bincount(torch.tensor([], dtype=torch.int64), minlength=2))
torch.bincount(torch.tensor([-1, 2]))
torch.bincount(torch.tensor([1.0]))
torch.bincount(i)
torch.bincount(k, weights=torch.ones(2))
torch.bincount(torch.tensor([True, False, True]).int())
""",
}  # fmt: skip
cases.families(SETUP, FORMS)
