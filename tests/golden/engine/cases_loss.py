# SPDX-License-Identifier: Apache-2.0
"""Losses: reductions, ignored targets, weights, and what they refuse."""

from case_list import Cases

cases = Cases("loss", rtol=1e-5, atol=1e-6)

SETUP = {
    "x": "x = torch.tensor([[2.0, 0.5, -1.0], [0.0, 3.0, 1.0], [1.0, 1.0, 1.0], [-2.0, 0.0, 4.0]])",
    "t": "t = torch.tensor([0, 1, -100, 2])",
    "u": "u = torch.tensor([0, 2, 1, 1])",
    "w": "w = torch.tensor([1.0, 2.0, 0.5])",
    "s": "s = torch.tensor([[0.7, 0.2, 0.1], [0.0, 1.0, 0.0], [0.3, 0.3, 0.4], [0.5, 0.5, 0.0]])",
    "z": "z = torch.arange(24.0).view(2, 3, 4).sin()",
    "v": "v = torch.tensor([[0, 1, 2, -100], [2, 2, -100, 0]])",
    "a": "a = torch.tensor([[0.9, 0.2], [0.4, 0.6]])",
    "b": "b = torch.tensor([[1.0, 0.0], [0.0, 1.0]])",
}
FORMS = {
    "cross_entropy": """
(F.cross_entropy(x, u), F.cross_entropy(x, u, reduction='none'), F.cross_entropy(x, u, reduction='sum'), F.cross_entropy(input=x, target=u, reduction='mean'))
(F.cross_entropy(x, t), F.cross_entropy(x, t, reduction='none'), F.cross_entropy(x, t, reduction='sum'), F.cross_entropy(x, u, ignore_index=1), F.cross_entropy(x, u, ignore_index=1, reduction='none'))
(F.cross_entropy(x, u, weight=w), F.cross_entropy(x, t, w), F.cross_entropy(x, u, weight=w, reduction='none'), F.cross_entropy(x, u, weight=w, reduction='sum'))
(F.cross_entropy(x, u, label_smoothing=0.1), F.cross_entropy(x, t, label_smoothing=0.2), F.cross_entropy(x, u, weight=w, label_smoothing=0.1), F.cross_entropy(x, t, label_smoothing=0.1, reduction='none'))
(F.cross_entropy(x, s), F.cross_entropy(x, s, reduction='none'), F.cross_entropy(x, s, weight=w), F.cross_entropy(x, s, label_smoothing=0.3), F.cross_entropy(x, s, reduction='sum'))
(F.cross_entropy(z, v), F.cross_entropy(z, v, reduction='none'), F.cross_entropy(z, v.clamp(min=0), reduction='sum', ignore_index=2), F.cross_entropy(z.transpose(1, 2).reshape(-1, 3), v.view(-1)))
(F.cross_entropy(x[0], torch.tensor(1)), F.cross_entropy(x[0], torch.tensor(1), reduction='none'), F.cross_entropy(x[0], s[0]))
F.cross_entropy(x, torch.full((4,), -100))
F.cross_entropy(x, torch.full((4,), -100), reduction='none')
F.cross_entropy(x, torch.full((4,), -100), reduction='sum')
F.cross_entropy(x, torch.tensor([0, 1, 2, 3]))
F.cross_entropy(x, torch.tensor([0, 1, 2, -1]))
F.cross_entropy(x, u[:3])
F.cross_entropy(x, u.int())
F.cross_entropy(x, u.float())
F.cross_entropy(x, u.view(4, 1))
F.cross_entropy(x, u, weight=torch.ones(2))
F.cross_entropy(x, u, reduction='avg')
F.cross_entropy(x, u, label_smoothing=1.5)
F.cross_entropy(x.long(), u)
F.cross_entropy(x[:0], u[:0])
F.cross_entropy(x.double(), u)
F.cross_entropy(x.half(), u)
F.cross_entropy(x.masked_fill(x == 0.5, float('-inf')), torch.tensor([0, 1, 0, 2]))
F.cross_entropy(x)
F.cross_entropy(z, v[:, :3])
nn.functional.cross_entropy(x, u)
""",
    "nll": """
(F.nll_loss(x.log_softmax(1), u), F.nll_loss(x.log_softmax(1), t), F.nll_loss(x, u, reduction='none'), F.nll_loss(x, u, weight=w), F.nll_loss(x, u, reduction='sum', ignore_index=0), F.nll_loss(z.log_softmax(1), v))
F.nll_loss(x, s)
F.nll_loss(x, torch.tensor([0, 5, 1, 1]))
F.nll_loss(x, u[:2])
F.nll_loss(x, torch.full((4,), -100))
""",
    "regression": """
(F.mse_loss(a, b), F.mse_loss(a, b, reduction='none'), F.mse_loss(a, b, reduction='sum'), F.mse_loss(input=a, target=b), F.mse_loss(a, b[0]))
(F.l1_loss(a, b), F.l1_loss(a, b, reduction='none'), F.l1_loss(a, b, reduction='sum'), F.l1_loss(a, -b, reduction='mean'))
F.mse_loss(a, torch.ones(3))
F.mse_loss(a[:0], b[:0])
F.l1_loss(a[:0], b[:0], reduction='sum')
F.mse_loss(a, b, reduction='max')
F.mse_loss(a, b.double())
F.mse_loss(a.long(), b.long())
F.mse_loss(a, 1.0)
F.mse_loss(a.half(), b.half())
""",
    "bce": """
(F.binary_cross_entropy(a, b), F.binary_cross_entropy(a, b, reduction='none'), F.binary_cross_entropy(a, b, reduction='sum'), F.binary_cross_entropy(a, b, weight=torch.tensor([1.0, 3.0])), F.binary_cross_entropy(a, a))
F.binary_cross_entropy(b, 1 - b)
F.binary_cross_entropy(a + 1, b)
F.binary_cross_entropy(a, b[0])
F.binary_cross_entropy(a, b.long())
F.binary_cross_entropy(a, b.double())
(F.binary_cross_entropy_with_logits(a, b), F.binary_cross_entropy_with_logits(a, b, reduction='none'), F.binary_cross_entropy_with_logits(a, b, reduction='sum'), F.binary_cross_entropy_with_logits(a, b, weight=b), F.binary_cross_entropy_with_logits(a, b, pos_weight=torch.tensor([2.0, 5.0])))
F.binary_cross_entropy_with_logits(torch.tensor([100.0, -100.0, 0.0]), torch.tensor([0.0, 1.0, 0.5]), reduction='none')
F.binary_cross_entropy_with_logits(a, b[0])
F.binary_cross_entropy_with_logits(a, b.long())
F.binary_cross_entropy_with_logits(a, b > 0)
F.binary_cross_entropy_with_logits(a[:0], b[:0])
F.binary_cross_entropy_with_logits(a, b, b, reduction='mean', pos_weight=torch.tensor(3.0))
""",
}  # fmt: skip
cases.families(SETUP, FORMS)
