# SPDX-License-Identifier: Apache-2.0
"""Products: matmul in every rank, bmm, mm, einsum, and what does not fit."""

from case_list import Cases

cases = Cases("matmul", rtol=1e-5, atol=1e-6)

SETUP = {
    "v": "v = torch.tensor([1.0, -2.0, 3.0])",
    "a": "a = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])",
    "w": "w = torch.tensor([[1.0, 0.5], [-1.0, 2.0], [0.0, 3.0]])",
    "b": "b = torch.arange(12.0).view(2, 2, 3)",
    "c": "c = torch.arange(12.0).view(2, 3, 2) - 5",
    "q": "q = torch.arange(24.0).view(1, 2, 3, 4) / 10",
    "i": "i = torch.tensor([[1, 2], [3, 4]])",
}
FORMS = {
    "ranks": """
(v @ v, a @ v, v @ w, a @ w, torch.matmul(a, w), a.matmul(w), torch.matmul(input=a, other=w))
(b @ w, a @ c, b @ c, b @ v, v @ c, b[:, None] @ c, q @ q.transpose(-2, -1))
(torch.mm(a, w), a.mm(w), torch.bmm(b, c), b.bmm(c), torch.mv(a, v), torch.dot(v, v), a.mv(v), v.dot(v))
(torch.baddbmm(torch.ones(2, 2, 2), b, c), torch.addmm(torch.zeros(2), a, w), torch.outer(v, v))
(a.t() @ a, a[:, ::2] @ w[::2], a.expand(2, 2, 3) @ c, b.transpose(1, 2) @ b)
(torch.zeros(0, 3) @ w, a @ torch.zeros(3, 0), torch.zeros(2, 0) @ torch.zeros(0, 3), torch.zeros(0) @ torch.zeros(0), torch.zeros(0, 2, 3) @ w)
(i @ i, i.to(torch.uint8) @ i.to(torch.uint8), torch.tensor([100, 100], dtype=torch.int8) @ torch.tensor([1, 1], dtype=torch.int8))
(a.double() @ w.double(), a.half() @ w.half(), a.bfloat16() @ w.bfloat16())
(torch.tensor([1.0, 0.0]) @ torch.tensor([5.0, float('nan')]), torch.tensor([0.0]) @ torch.tensor([float('inf')]))
((b @ w).stride(), (q @ q.transpose(-2, -1)).stride(), (a.t() @ a).is_contiguous(), (b.transpose(0, 1) @ w).stride())
(a.requires_grad_() @ w).requires_grad
(a > 2).float() @ w
""",
    "refused": """
a @ a
torch.mm(a, a)
a.mm(v)
torch.bmm(b, b)
torch.bmm(b, a)
torch.bmm(b, c[:1])
b @ b
b @ torch.zeros(3, 3, 2)
v @ torch.zeros(2)
a @ torch.zeros(2)
torch.zeros(2) @ w
torch.zeros(2, 3) @ torch.zeros(4, 5)
torch.tensor(1.0) @ v
v @ torch.tensor(1.0)
a @ 2
2 @ a
a @ w.double()
a @ i
a.half() @ w
i @ i.int()
(a > 0) @ (w > 0)
torch.mm(a, b)
torch.mv(a, w)
torch.dot(v, torch.zeros(2))
torch.dot(a, v)
torch.matmul(a)
q @ torch.zeros(3, 4, 2)
""",
    "einsum": """
(torch.einsum('ij,jk->ik', a, w), torch.einsum('ij,jk', a, w), torch.einsum('ij->ji', a), torch.einsum('ij->', a), torch.einsum('ij->j', a), torch.einsum('i,i->', v, v))
(torch.einsum('bij,bjk->bik', b, c), torch.einsum('...ij,...jk->...ik', b, w), torch.einsum('bij->bji', b), torch.einsum('i,j->ij', v, v), torch.einsum('ij,j->i', a, v))
(torch.einsum('ii->i', i.float()), torch.einsum('ii', i.float()), torch.einsum('bii->b', torch.arange(8.0).view(2, 2, 2)), torch.einsum('ij,ij->ij', a, a), torch.einsum('ij,kj->ik', a, a))
torch.einsum('bhqd,bhkd->bhqk', q, q)
torch.einsum('b h q d, b h k d -> b h q k', q, q + 1)
torch.einsum('bij,bjk,kl->bil', b, c, i.float())
(torch.einsum('b...->...', b), torch.einsum('...i->...', a), torch.einsum('...', v), torch.einsum('i...,i...->i', a, a))
torch.einsum('nc,nd->cd', a, a)
torch.einsum('ij,ij->i', i, i)
torch.einsum('ij,jk->ik', [a, w])
torch.einsum('bqd,bkd->bqk', b, b).softmax(-1)
torch.einsum('ij,j->', a, v)
torch.einsum('ij,jk->ik', a, a)
torch.einsum('ij,jk->iz', a, w)
torch.einsum('ijk->i', a)
torch.einsum('ij,jk->ik', a)
torch.einsum('i', a)
torch.einsum('ij->ii', a)
torch.einsum('ij,jk->ik', a, w.double())
torch.einsum('i1->i', a)
torch.einsum('ij-ji', a)
torch.einsum(a, w)
torch.einsum('ij,jk->ik')
torch.einsum('nc,kc->nk', (a > 2).float(), (w.t() > 0).float())
torch.einsum('ij,i->ij', torch.tensor([[1, 0], [1, 1]]), torch.tensor([2, 3]))
""",
    "linear": """
(F.linear(a, w.t()), F.linear(a, w.t(), torch.tensor([1.0, 2.0])), F.linear(b, w.t(), bias=torch.ones(2)), F.linear(v, w.t()), F.linear(input=a, weight=w.t(), bias=None), F.linear(a, v))
F.linear(a, w)
F.linear(a, w.t(), torch.ones(3))
F.linear(a, w.t().double())
F.linear(a)
F.linear(torch.zeros(0, 3), w.t(), torch.ones(2))
""",
}  # fmt: skip
cases.families(SETUP, FORMS)
cases.program(
    "inplace_matmul", "a = torch.ones(2, 2)\nb = a\na @= torch.tensor([[1.0, 2.0], [3.0, 4.0]])\nout = (a, b)"
)
cases.program("long_rows", "a = (torch.arange(400.0) % 7 - 3).view(4, 100) / 7\nout = a @ a.t()")
cases.program("half_accumulates", "a = torch.full((1, 300), 0.1, dtype=torch.float16)\nout = a @ a.t()", rtol=2e-3)
