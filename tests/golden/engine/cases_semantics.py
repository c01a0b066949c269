# SPDX-License-Identifier: Apache-2.0
"""What is often told wrong about masks, each as a program that shows what is true."""

from case_list import Cases

cases = Cases("semantics", rtol=1e-5, atol=1e-6)

PROGRAMS = {
    "masked_select_broadcasts_both_sides": """
        x = torch.tensor([1.0, 2.0, 3.0])
        m = torch.ones(2, 3, dtype=torch.bool)
        out = (torch.masked_select(x, m), torch.masked_select(x[:, None], torch.tensor([True, False])))
    """,
    "masked_select_size_is_the_mask_sum": """
        x = torch.arange(6).view(2, 3)
        m = torch.tensor([True, False, True])
        predicted = m.sum().item() * 2
        out = (predicted, torch.masked_select(x, m).numel(), torch.masked_select(x, m).reshape(2, -1))
    """,
    "masked_select_row_major": """
        out = torch.arange(6).view(2, 3).t().masked_select(torch.tensor([[True, False], [True, True], [False, True]]))
    """,
    "boolean_index_needs_leading_dims": "x = torch.zeros(2, 3)\nout = x[torch.tensor([[True], [False]])]",
    "boolean_index_of_rows": """
        x = torch.arange(6).view(2, 3)
        out = (x[torch.tensor([True, False])], x[torch.tensor([[True, False, True], [False, True, False]])])
    """,
    "boolean_index_is_a_copy": """
        x = torch.zeros(3)
        m = torch.tensor([True, True, False])
        x[m][0] = 9
        y = x[m]
        y += 1
        x[m] += 5
        out = (x, y)
    """,
    "masked_fill_enlarges": """
        x = torch.zeros(3)
        m = torch.tensor([[True, False, True], [False, False, True]])
        out = x.masked_fill(m, 1)
    """,
    "masked_fill_inplace_does_not": """
        x = torch.zeros(3)
        m = torch.tensor([[True, False, True], [False, False, True]])
        out = x.masked_fill_(m, 1)
    """,
    "masked_fill_keeps_dtype": """
        x = torch.tensor([1, 2, 3])
        m = torch.tensor([True, False, True])
        out = (x.masked_fill(m, 2.9), torch.where(m, 2.9, x), torch.where(m, float('-inf'), x))
    """,
    "masked_fill_int_minus_inf": "out = torch.tensor([1, 2]).masked_fill(torch.tensor([True, False]), float('-inf'))",
    "empty_mean_is_nan": """
        e = torch.zeros(0)
        out = (e.mean(), e.std(), e.var(), e.sum(), e.prod(), e.bool().any(), e.bool().all(), e.logsumexp(0), e.norm(), e.median())
    """,
    "empty_max_raises": "out = torch.zeros(0).max()",
    "empty_min_raises": "out = torch.zeros(0).min()",
    "empty_argmax_raises": "out = torch.zeros(0).argmax()",
    "empty_selection_goes_on": """
        x = torch.tensor([1.0, 2.0])
        m = x > 5
        mean = x[m].mean()
        out = (mean, mean * 0, torch.where(torch.isnan(mean), torch.tensor(0.0), mean), x[m].sum() / m.sum().clamp(min=1))
    """,
    "where_after_the_fact": """
        x = torch.tensor([0.0, 4.0])
        out = (torch.where(x > 0, torch.sqrt(x), 0.0), torch.where(x > 0, 1 / x, 0.0))
    """,
    "nan_times_zero": """
        x = torch.tensor([float('nan'), float('inf'), 1.0])
        m = torch.tensor([0.0, 0.0, 1.0])
        out = (x * m, x.masked_fill(m == 0, 0.0), torch.where(m.bool(), x, 0.0))
    """,
    "bool_plus_bool": """
        a = torch.tensor([True, True, False])
        b = torch.tensor([True, False, False])
        out = (a + b, (a + b).sum(), a.sum(), a.sum().dtype, a.long() + b.long())
    """,
    "bool_mean_raises": "out = torch.tensor([True, False]).mean()",
    "bool_float_mean": "out = torch.tensor([True, False, True, True]).float().mean()",
    "integer_mask_gathers": """
        x = torch.tensor([10, 20, 30])
        m = torch.tensor([1, 0, 1])
        out = (x[m], x[m.bool()], x[m == 1])
    """,
    "uint8_mask_acts_like_bool": """
        x = torch.tensor([10, 20, 30])
        m = torch.tensor([1, 0, 1], dtype=torch.uint8)
        out = x[m]
    """,
    "minus_1e9_needs_a_visible_key": """
        scores = torch.tensor([[2.0, 1.0, 0.5], [2.0, 1.0, 0.5]])
        drop = torch.tensor([[False, True, True], [True, True, True]])
        out = (scores.masked_fill(drop, -1e9).softmax(-1), scores.masked_fill(drop, float('-inf')).softmax(-1))
    """,
    "zero_fill_leaks": """
        s = torch.tensor([3.0, 1.0, 0.0])
        w = s.masked_fill(torch.tensor([False, False, True]), 0).softmax(0)
        out = (w, round(w[2].item() * 100, 1))
    """,
    "expand_does_not_copy": """
        x = torch.arange(3)
        y = x.expand(4, 3)
        out = (y.stride(), y.shape, y.is_contiguous(), y.contiguous().stride())
    """,
    "triu_needs_diagonal_1": """
        wrong = torch.triu(torch.ones(3, 3)).bool()
        right = torch.triu(torch.ones(3, 3), diagonal=1).bool()
        scores = torch.zeros(3, 3)
        out = (scores.masked_fill(wrong, float('-inf')).softmax(-1), scores.masked_fill(right, float('-inf')).softmax(-1))
    """,
    "attention_refills_padding": """
        x = torch.tensor([[[1.0, 2.0], [3.0, 4.0], [9.0, 9.0]]])
        pad = torch.tensor([[False, False, True]])
        x = x.masked_fill(pad[..., None], 0.0)
        w = (x @ x.transpose(1, 2)).masked_fill(pad[:, None, :], float('-inf')).softmax(-1)
        y = w @ x
        out = (x, y, y.masked_fill(pad[..., None], 0.0))
    """,
    "all_masked_row_repaired": """
        s = torch.tensor([1.0, 2.0]) + torch.tensor([-float('inf'), -float('inf')])
        w = s.softmax(0)
        out = (w, w.nan_to_num(0))
    """,
    "finfo_min_is_the_plain_mean": """
        s = torch.tensor([[1.0, 5.0, 2.0]]).masked_fill(torch.ones(1, 3).bool(), torch.finfo(torch.float32).min)
        out = s.softmax(-1)
    """,
    "weight_zero_times_nan": """
        w = torch.tensor([1.0, 0.0])
        v = torch.tensor([5.0, float('nan')])
        out = (w @ v, (w * v).sum(), w @ v.nan_to_num(0.0), w @ torch.where(torch.tensor([True, False]), v, 0.0))
    """,
    "conventions": """
        attention_mask = torch.tensor([[1, 1, 0]])
        keep = attention_mask.bool()
        drop = ~keep
        additive = (1.0 - attention_mask.float()) * torch.finfo(torch.float32).min
        scores = torch.tensor([[0.3, 0.2, 0.9]])
        out = (scores.masked_fill(drop, float('-inf')).softmax(-1), (scores + additive).softmax(-1), keep, additive)
    """,
    "padding_axes": """
        pad = torch.tensor([[True, True, False], [True, False, False]])
        key = pad[:, None, None, :].expand(2, 1, 3, 3)
        query = pad[:, None, :, None].expand(2, 1, 3, 3)
        out = (key, query, key & query)
    """,
    "batch_taken_as_rows": """
        pad = torch.tensor([[True, False], [True, True]])
        scores = torch.zeros(2, 1, 2, 2)
        out = (scores.masked_fill(~pad, -1.0), scores.masked_fill(~pad[:, None, None], -1.0))
    """,
    "half_masked_fill_1e9_raises": "out = torch.zeros(2).half().masked_fill(torch.tensor([True, False]), -1e9)",
    "half_minus_1e9_added": """
        x = torch.zeros(2).half()
        out = (x + -1e9, x + torch.tensor([-1e9, 0.0]).half(), x + torch.finfo(torch.float16).min)
    """,
    "half_min_twice": """
        low = torch.finfo(torch.float16).min
        x = torch.zeros(2).half()
        out = (x + low + low, x + low, (x + low + low).softmax(0))
    """,
    "bfloat16_holds_1e9": """
        x = torch.zeros(2).bfloat16().masked_fill(torch.tensor([True, False]), -1e9)
        out = (x, x[0].item())
    """,
    "one_minus_mask": "m = torch.tensor([True, False])\nout = 1 - m",
    "one_minus_integer_mask": """
        m = torch.tensor([1, 0])
        out = ((1 - m) * -10000.0, (1.0 - m.float()) * -1e4, ~m.bool())
    """,
    "where_with_integer_condition": "out = torch.where(torch.tensor([1, 0]), 1.0, 0.0)",
    "broadcast_right_aligned": "out = torch.zeros(32, 100, 512).masked_fill(torch.zeros(32, 100, dtype=torch.bool), 0)",
    "broadcast_repaired": """
        v = torch.ones(2, 3, 4)
        pad = torch.tensor([[False, False, True], [False, True, True]])
        out = (v.masked_fill(pad[..., None], float(0)), pad[..., None].shape, pad[..., None].expand_as(v).stride())
    """,
    "view_texts": "out = torch.zeros(2, 3).t().view(-1)",
    "leaf_text": "w = torch.ones(2, requires_grad=True)\nw.masked_fill_(torch.tensor([True, False]), 0)\nout = w",
    "matmul_text": "out = torch.zeros(2, 3) @ torch.zeros(4, 5)",
    "bmm_text": "out = torch.bmm(torch.zeros(2, 3, 4), torch.zeros(2, 5, 4))",
    "expand_text": "out = torch.zeros(2, 3).expand(2, 4)",
    "mask_at_index_1": "out = torch.zeros(2, 3)[torch.zeros(2, 4, dtype=torch.bool)]",
    "select_transform_scatter": """
        x = torch.arange(12.0).view(2, 3, 2)
        keep = torch.tensor([[True, True, False], [True, False, False]])
        rows = x[keep]
        back = torch.zeros_like(x)
        back[keep] = rows * 10
        index = keep.nonzero(as_tuple=True)
        again = torch.zeros_like(x).index_put(index, rows * 10)
        out = (rows, back, torch.equal(back, again))
    """,
    "five_ways_to_keep_a_value": """
        x = torch.tensor([[1.0, -2.0, 3.0], [-4.0, 5.0, -6.0]])
        m = x > 0
        a = torch.where(m, x, 0.0)
        b = x * m
        c = x.masked_fill(~m, 0.0)
        d = torch.zeros_like(x)
        d[m] = x[m]
        e = torch.zeros_like(x).masked_scatter_(m, x[m])
        out = ([torch.equal(a, t) for t in (b, c, d, e)], b, x[m])
    """,
    "minus_zero_by_multiplying": """
        x = torch.tensor([-1.0, 2.0])
        out = (x * torch.tensor([0.0, 0.0]), x * torch.tensor([False, True]), torch.where(torch.tensor([False, True]), x, 0.0))
    """,
    "lengths_to_mask": """
        lengths = torch.tensor([3, 1, 0])
        mask = torch.arange(4)[None, :] < lengths[:, None]
        out = (mask, mask.sum(1), mask.float().mean(1))
    """,
    "pad_id_is_a_word": """
        ids = torch.tensor([[5, 0, 7, 0, 0]])
        mask = ids != 0
        lengths = mask.sum(1)
        out = (mask, torch.arange(5)[None] < lengths[:, None])
    """,
    "mean_pool_diluted": """
        x = torch.tensor([[[1.0], [4.0], [5.0], [0.0], [0.0]]])
        m = torch.tensor([[1.0, 1.0, 1.0, 0.0, 0.0]])
        out = (x.mean(1), (x * m[..., None]).sum(1) / m.sum(1, keepdim=True))
    """,
    "ten_over_two": """
        x = torch.tensor([4.0, 6.0] + [0.0] * 8)
        m = torch.tensor([True] * 2 + [False] * 8)
        out = ((x * m).sum() / x.numel(), (x * m).sum() / m.sum())
    """,
    "growing_mask_of_a_cache": """
        rows = []
        for t in range(1, 4):
            keep = torch.ones(1, t, dtype=torch.bool)
            rows.append(F.pad(keep, (0, 3 - t), value=False))
        out = torch.cat(rows)
    """,
    "fill_values_leak": """
        s = torch.tensor([3.0, 1.0, 0.0])
        drop = torch.tensor([False, False, True])
        fills = [0.0, -1.0, -1e4, -1e9, torch.finfo(torch.float32).min, float('-inf')]
        out = [round(s.masked_fill(drop, f).softmax(0)[2].item() * 100, 2) for f in fills]
    """,
    "mask_bytes": """
        m = torch.ones(4, 4, dtype=torch.bool)
        out = [t.element_size() * t.numel() for t in (m, m.half(), m.float(), m.double())]
    """,
    "foreground_mean_is_zero_safe": """
        f = torch.arange(16.0).view(1, 2, 2, 4)
        m = torch.tensor([[[[1, 0, 0, 1], [0, 0, 0, 0]]], ]).float()
        mean = (f * m).sum(dim=(2, 3)) / m.sum(dim=(2, 3)).clamp(min=1)
        none = (f * 0).sum(dim=(2, 3)) / (m * 0).sum(dim=(2, 3)).clamp(min=1)
        out = (mean, none, (f * 0).sum() / (m * 0).sum())
    """,
    "masked_mse_two_ways": """
        p = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        t = torch.tensor([[1.5, 2.0, 0.0], [4.0, 7.0, 6.5]])
        m = torch.tensor([[True, True, False], [False, True, True]])
        out = (F.mse_loss(p[m], t[m]), ((p - t) ** 2 * m).sum() / m.sum(), F.mse_loss(p, t))
    """,
    "weights_zeroed_for_display": """
        w = torch.softmax(torch.tensor([[1.0, 2.0, 3.0]]), -1)
        shown = w.masked_fill(torch.tensor([False, False, True]), 0)
        out = (shown, shown.sum(-1), w.sum(-1))
    """,
}
for name, code in PROGRAMS.items():
    cases.program(name, code)
