# SPDX-License-Identifier: Apache-2.0
"""scaled_dot_product_attention in every form of its mask, and the same by hand."""

from case_list import Cases

cases = Cases("attention", rtol=1e-5, atol=1e-6)

QKV = """
q = (torch.arange(24.0).view(1, 2, 3, 4) * 0.7).sin()
k = (torch.arange(24.0).view(1, 2, 3, 4) * 1.3).cos()
v = torch.arange(24.0).view(1, 2, 3, 4) / 10
"""
SDPA = "F.scaled_dot_product_attention"
MASKS = {
    "none": "None",
    "full_bool": "torch.ones(3, 3).tril().bool()",
    "rank4": "torch.ones(1, 1, 3, 3, dtype=torch.bool).tril()",
    "key_padding": "torch.tensor([True, True, False])[None, None, None, :]",
    "query_padding": "torch.tensor([True, True, False])[None, None, :, None]",
    "rank1": "torch.tensor([True, False, True])",
    "batch_and_heads": "torch.tensor([[True, True, False], [False, True, True]])[None, :, None, :]",
    "float": "torch.full((3, 3), float('-inf')).triu(1)",
    "float_bias": "torch.arange(9.0).view(3, 3) / 3",
    "float_big": "torch.zeros(3, 3).masked_fill(torch.ones(3, 3).triu(1).bool(), -1e9)",
    "float_min": "torch.zeros(3, 3).masked_fill(torch.ones(3, 3).triu(1).bool(), torch.finfo(torch.float32).min)",
    "empty_row": "torch.tensor([[True, False, False], [False, False, False], [True, True, True]])",
    "all_false": "torch.zeros(3, 3, dtype=torch.bool)",
    "float_empty_row": "torch.tensor([[0.0, -1.0, -2.0], [-float('inf')] * 3, [0.0, 0.0, -float('inf')]])",
    "float_min_row": "torch.tensor([[0.0, 0.0, 0.0], [torch.finfo(torch.float32).min] * 3, [0.0, 0.0, 0.0]])",
    "expanded": "torch.ones(3, 3).tril().bool().expand(1, 2, 3, 3)",
    "nan_bias": "torch.zeros(3, 3).masked_fill(torch.eye(3).bool(), float('nan'))",
}
for name, mask in MASKS.items():
    cases.add(f"mask_{name}", f"{SDPA}(q, k, v, attn_mask={mask})", QKV)

OPTIONS = f"""
{SDPA}(q, k, v, is_causal=True)
{SDPA}(q, k, v, None, 0.0, True)
{SDPA}(q[:, :, :2], k, v, is_causal=True)
{SDPA}(q[:, :, -1:], k, v, is_causal=True)
{SDPA}(q, k[:, :, :2], v[:, :, :2], is_causal=True)
{SDPA}(q, k, v, scale=1.0)
{SDPA}(q, k, v, scale=0.0)
{SDPA}(q, k, v, attn_mask=torch.ones(3, 3).tril().bool(), scale=0.25)
{SDPA}(q, k, v, dropout_p=0.0)
{SDPA}(q, k, v, dropout_p=1.0)
{SDPA}(query=q, key=k, value=v, attn_mask=None, dropout_p=0.0, is_causal=False)
{SDPA}(q[0], k[0], v[0])
{SDPA}(q[0, 0], k[0, 0], v[0, 0])
{SDPA}(q, k, v[..., :2])
{SDPA}(q, k[:, :, :1], v[:, :, :1])
{SDPA}(q.expand(2, -1, -1, -1), k.expand(2, -1, -1, -1), v.expand(2, -1, -1, -1))
{SDPA}(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2))
{SDPA}(q, k[:, :1], v[:, :1])
{SDPA}(q, k[:, :1], v[:, :1], enable_gqa=True)
{SDPA}(torch.cat([q, -q], 1), k, v, enable_gqa=True)
{SDPA}(torch.cat([q, -q], 1), k, v, attn_mask=torch.ones(3, 3).tril().bool(), enable_gqa=True)
{SDPA}(q.double(), k.double(), v.double(), is_causal=True)
{SDPA}(q, k, v, attn_mask=torch.zeros(2, 1, 3, 3, dtype=torch.bool)[:1])
{SDPA}(q, k, v, is_causal=True).stride()
{SDPA}(q[:, :, :0], k, v)
nn.functional.scaled_dot_product_attention(q, k, v)
{SDPA}(q.requires_grad_(), k, v).requires_grad
""".strip().splitlines()
cases.each("option", QKV, OPTIONS)
cases.add("half", f"{SDPA}(q.half(), k.half(), v.half(), is_causal=True)", QKV, rtol=4e-3, atol=1e-3)
cases.add("bfloat16", f"{SDPA}(q.bfloat16(), k.bfloat16(), v.bfloat16())", QKV, rtol=2e-2, atol=1e-2)

REFUSED = f"""
{SDPA}(q, k, v, attn_mask=torch.ones(3, 3, dtype=torch.bool), is_causal=True)
{SDPA}(q, k, v, attn_mask=torch.ones(3, 3, dtype=torch.int64))
{SDPA}(q, k, v, attn_mask=torch.ones(3, 3, dtype=torch.float64))
{SDPA}(q, k, v, attn_mask=torch.ones(3, 4, dtype=torch.bool))
{SDPA}(q, k, v, attn_mask=torch.ones(2, 3, dtype=torch.bool))
{SDPA}(q, k, v, attn_mask=torch.ones(1, 3, 3, 3, dtype=torch.bool))
{SDPA}(q, k, v, attn_mask=torch.ones(1, 1, 1, 3, 3, dtype=torch.bool))
{SDPA}(q, k[..., :2], v)
{SDPA}(q, k, v.double())
{SDPA}(q, k[:, :1], v[:, :1], enable_gqa=False).shape
{SDPA}(torch.cat([q, q, q[:, :1]], 1), k, v, enable_gqa=True)
{SDPA}(q[0, 0, 0], k[0, 0, 0], v[0, 0, 0])
{SDPA}(q, k)
{SDPA}(q, k, v, mask=None)
{SDPA}(q, k, v, attn_mask='causal')
{SDPA}(q.long(), k.long(), v.long())
{SDPA}(q, k, v, dropout_p=1.5)
{SDPA}(q[0], k, v)
""".strip().splitlines()
cases.each("refused", QKV, REFUSED)

PROGRAMS = [
    ("by_hand_equals_fused", """
     scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
     keep = torch.ones(3, 3).tril().bool()
     weights = scores.masked_fill(~keep, float('-inf')).softmax(-1)
     by_hand = weights @ v
     fused = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
     out = (torch.allclose(by_hand, fused, atol=1e-6), weights, weights.sum(-1))
     """),
    ("fully_masked_row_four_ways", """
     keep = torch.tensor([[True, True, False], [False, False, False], [True, True, True]])
     scores = q @ k.transpose(-2, -1)
     inf = scores.masked_fill(~keep, float('-inf')).softmax(-1)
     low = scores.masked_fill(~keep, torch.finfo(scores.dtype).min).softmax(-1)
     fixed = inf.nan_to_num(0.0)
     fused = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
     out = (inf[0, 0], low[0, 0], fixed[0, 0], fused[0, 0])
     """),
    ("top_left_alignment_of_is_causal", """
     full = F.scaled_dot_product_attention(q, k, v, is_causal=True)
     step = F.scaled_dot_product_attention(q[:, :, -1:], k, v, is_causal=True)
     out = (torch.allclose(full[:, :, -1:], step), torch.allclose(step, v[:, :, :1]))
     """),
    ("two_dims_are_not_batch", """
     pad = torch.tensor([[True, True, False], [True, False, False], [True, True, True]])
     q3 = q[:, :1].expand(3, 1, 3, 4)
     out = F.scaled_dot_product_attention(q3, q3, q3, attn_mask=pad)[:, 0, :, 0]
     """),
    ("masked_nan_value_leaks", """
     v2 = v.clone()
     v2[:, :, 2] = float('nan')
     keep = torch.tensor([True, True, False])
     leaky = F.scaled_dot_product_attention(q, k, v2, attn_mask=keep[None])
     clean = F.scaled_dot_product_attention(q, k, v2.masked_fill(~keep[:, None], 0.0), attn_mask=keep[None])
     out = (leaky.isnan().all(), clean)
     """),
    ("additive_equals_boolean", """
     keep = torch.tensor([[True, False, True], [True, True, False], [False, False, True]])
     bias = torch.zeros(3, 3).masked_fill(~keep, float('-inf'))
     a = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
     b = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
     out = (torch.allclose(a, b), a)
     """),
    ("grouped_equals_repeated", """
     wide = torch.cat([q, q * 0.5], dim=1)
     grouped = F.scaled_dot_product_attention(wide, k, v, enable_gqa=True)
     repeated = F.scaled_dot_product_attention(wide, k.repeat_interleave(2, dim=1), v.repeat_interleave(2, dim=1))
     out = (torch.allclose(grouped, repeated), grouped[0, :, 0])
     """),
]  # fmt: skip
for name, code in PROGRAMS:
    lines = [line.removeprefix("     ") for line in code.strip("\n").splitlines()]
    cases.program(name, QKV.strip() + "\n" + "\n".join(lines))
