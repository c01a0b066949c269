# SPDX-License-Identifier: Apache-2.0
"""torch.nn.functional, but for the losses and attention."""

from case_list import Cases

cases = Cases("functional", rtol=1e-5, atol=1e-6)

SETUP = {
    "x": "x = torch.tensor([[3.0, 1.0, 0.0], [-1.0, 2.0, 5.0]])",
    "y": "y = (torch.arange(24.0) % 5).view(2, 3, 4)",
    "i": "i = torch.tensor([[0, 2], [1, 1]])",
    "e": "e = torch.arange(9.0).view(3, 3) / 4",
    "p": "p = torch.arange(1.0, 7.0).view(1, 1, 2, 3)",
    "inf": "inf = float('inf')",
}
FORMS = {
    "softmax": """
(F.softmax(x, dim=-1), torch.softmax(x, 1), x.softmax(0), F.softmax(x, -1), x.softmax(dim=-1), F.softmax(input=x, dim=1), torch.softmax(input=x, dim=0))
(F.log_softmax(x, dim=-1), torch.log_softmax(x, 0), x.log_softmax(1), F.log_softmax(y, 1)[0])
(F.softmax(x, -1, dtype=torch.float64), x.half().softmax(-1), x.bfloat16().softmax(-1), torch.softmax(torch.tensor([1, 2]), 0, dtype=torch.float32), F.softmax(x.half(), dim=-1, dtype=torch.float32), x.log_softmax(1, dtype=torch.float64))
(y.softmax(1), y.transpose(0, 2).softmax(0), y[:, ::2].softmax(-1), torch.zeros(2, 0).softmax(1), torch.zeros(0, 2).softmax(1), torch.tensor(3.0).softmax(0), torch.tensor(3.0).log_softmax(-1))
torch.tensor([[-inf, -inf], [0.0, -inf], [1.0, 2.0]]).softmax(-1)
torch.tensor([[-inf, -inf], [0.0, -inf], [1.0, 2.0]]).log_softmax(-1)
torch.tensor([inf, 0.0]).softmax(0)
torch.tensor([1000.0, 1001.0, -1000.0]).softmax(0)
torch.tensor([float('nan'), 0.0]).softmax(0)
torch.tensor([3.0, 1.0, 0.0]).softmax(0)
torch.full((3,), -1e9).softmax(0)
torch.full((3,), torch.finfo(torch.float32).min).softmax(0)
F.softmax(x)
F.softmax(x, 2)
F.softmax(x, dim=-3)
torch.softmax(x)
x.softmax()
F.softmax(torch.tensor([1, 2]), 0)
F.softmax(x > 0, 1)
F.softmax([1.0, 2.0], dim=0)
(torch.nn.functional.softmax(x, 1), nn.functional.log_softmax(x, 1))
""",
    "one_hot": """
(F.one_hot(i), F.one_hot(i, 4), F.one_hot(i, num_classes=3).shape, F.one_hot(torch.tensor(1), 3), F.one_hot(torch.tensor([], dtype=torch.int64), 2), F.one_hot(i, -1)[0])
F.one_hot(i, 2)
F.one_hot(-i, 3)
F.one_hot(i.float(), 3)
F.one_hot(i.int(), 3)
F.one_hot(torch.tensor([], dtype=torch.int64))
F.one_hot(i > 0, 2)
F.one_hot(tensor=i, num_classes=3)
""",
    "pad": """
(F.pad(x, (1, 2)), F.pad(x, (1, 0, 0, 1)), F.pad(x, (0, 1), value=-1.0), F.pad(x, [1, 1], 'constant', 9), F.pad(x, (-1, 0)), F.pad(x, (0, -2, 1, 0)), F.pad(input=x, pad=(0, 1), mode='constant', value=0.5))
(F.pad(i, (0, 1), value=7), F.pad(x > 0, (1, 0), value=True), F.pad(x > 0, (1, 0)), F.pad(x, ()), F.pad(y, (0, 0, 1, 0)), F.pad(y, (0, 0, 0, 0, 1, 0)).shape)
(F.pad(p, (2, 1, 1, 0), mode='replicate'), F.pad(p, (1, 2, 0, 1), mode='circular'), F.pad(p[0], (1, 1), 'reflect'), F.pad(p, (1, 1, 1, 1), mode='reflect'))
F.pad(x, (1,))
F.pad(x, (1, 2, 3))
F.pad(x, (1, 1, 1, 1, 1, 1))
F.pad(x, (-4, 0))
F.pad(x, (1, 1), mode='mirror')
F.pad(p, (3, 3, 0, 0), mode='reflect')
F.pad(x[0], (1, 1), mode='reflect')
F.pad(p, (1, 1), mode='reflect', value=1.0)
F.pad(x, 1)
F.pad(i, (0, 1), value=2.5)
F.pad(x.half(), (0, 1), value=1e6)
F.pad(y.transpose(0, 2), (1, 0)).stride()
nn.functional.pad(torch.zeros(0, 2), (1, 1))
""",
    "embedding": """
(F.embedding(i, e), F.embedding(torch.tensor(1), e), F.embedding(i.int(), e), F.embedding(input=i, weight=e, padding_idx=0), F.embedding(i[:0], e), F.embedding(i, e, padding_idx=-1))
F.embedding(torch.tensor([3]), e)
F.embedding(torch.tensor([-1]), e)
F.embedding(i.float(), e)
F.embedding(i, e, padding_idx=5)
F.embedding(i, e[0])
F.embedding(e, i)
""",
    "layer_norm": """
(F.layer_norm(x, (3,)), F.layer_norm(x, [3], torch.tensor([1.0, 2.0, 3.0])), F.layer_norm(x, (3,), torch.ones(3), torch.tensor([0.0, 1.0, 2.0])), F.layer_norm(x, (2, 3)), F.layer_norm(y, (3, 4))[0], F.layer_norm(x, (3,), eps=0.5))
(F.layer_norm(x, x.shape[-1:], None, None, 1e-6), F.layer_norm(x, normalized_shape=(3,), weight=None, bias=torch.ones(3)), F.layer_norm(x.double(), (3,)), F.layer_norm(y.transpose(1, 2), (3,))[1])
F.layer_norm(torch.ones(2, 3), (3,))
F.layer_norm(x, (2,))
F.layer_norm(x, 3)
F.layer_norm(x, (3,), torch.ones(2))
F.layer_norm(x, ())
F.layer_norm(torch.zeros(0, 3), (3,))
F.layer_norm(i, (2,))
torch.layer_norm(x, (3,))
""",
    "normalize": """
(F.normalize(x), F.normalize(x, dim=0), F.normalize(x, p=1, dim=1), F.normalize(x, p=float('inf')), F.normalize(y, dim=-1)[0], F.normalize(torch.zeros(1, 2)), F.normalize(x[0], dim=0), F.normalize(x, eps=10.0))
F.normalize(x[0])
F.normalize(i)
(F.cosine_similarity(x, x.flip(0)), F.cosine_similarity(x, x[:1], dim=-1), torch.cosine_similarity(x, -x, dim=0), F.cosine_similarity(x[:, None], x[None], dim=-1), F.cosine_similarity(torch.zeros(1, 2), torch.ones(1, 2)))
F.cosine_similarity(x, i)
F.cosine_similarity(x, torch.ones(2))
F.cosine_similarity(x, x, dim=2)
F.cosine_similarity(x1=x, x2=x + 1, dim=1, eps=1e-6)
""",
    "dropout": """
(F.dropout(x, p=0.0), F.dropout(x, 0.5, training=False), F.dropout(x, p=1.0), F.dropout(x, 0.5, False), F.dropout(input=x, p=0.3, training=False))
F.dropout(x, p=1.5)
F.dropout(x, p=-0.1)
(F.dropout(torch.ones(1000), 0.5).unique(), F.dropout(torch.ones(1000), 0.5).mean() - 1 < 0.3)
F.dropout(i, 0.5)
F.dropout(x, p=0.0) is x
F.dropout(x, 0.5, training=False) is x
""",
    "interpolate": """
(F.interpolate(p, scale_factor=2), F.interpolate(p, size=(4, 6), mode='nearest'), F.interpolate(p, size=3), F.interpolate(p[0], size=5), F.interpolate(p, size=(1, 2)), F.interpolate(p, scale_factor=(1.5, 0.5)))
F.interpolate(p, size=(4, 6), mode='bilinear')
F.interpolate(p, size=(4, 5), mode='bilinear', align_corners=True)
F.interpolate(p, size=(4, 5), mode='bilinear', align_corners=False)
F.interpolate(p, scale_factor=2, mode='bilinear', align_corners=False)
F.interpolate(p, size=(1, 1), mode='bilinear', align_corners=True)
F.interpolate(p, scale_factor=1.7, mode='bilinear', align_corners=False)
F.interpolate(p, scale_factor=1.7, mode='bilinear', align_corners=False, recompute_scale_factor=True)
(F.interpolate(p[0], size=5, mode='linear'), F.interpolate(p[0], size=5, mode='linear', align_corners=True))
(F.interpolate(p, size=(3, 4), mode='nearest-exact'), F.interpolate(p, size=(1, 2), mode='area'))
F.interpolate(p)
F.interpolate(p, size=(2, 2), scale_factor=2)
F.interpolate(p, size=(2, 2, 2))
F.interpolate(p, size=(2, 2), mode='nearest', align_corners=True)
F.interpolate(p[0], size=(2, 2), mode='bilinear')
F.interpolate(p[0, 0], size=4)
F.interpolate(p, size=(2, 2), mode='cubic')
F.interpolate(p.long(), size=(2, 2))
F.interpolate((p > 2).to(torch.uint8), size=(4, 6))
F.interpolate(p > 2, size=(4, 6))
F.interpolate(p.double(), size=(3, 3), mode='bilinear')
F.interpolate(p.half(), size=(3, 3), mode='bilinear')
F.interpolate((p > 2).float(), size=(4, 6), mode='nearest') > 0.5
F.interpolate(p, size=(0, 2))
""",
}  # fmt: skip
cases.families(SETUP, FORMS)
