# SPDX-License-Identifier: Apache-2.0
"""Masks as they are built and used for attention: short programs with several results."""

from case_list import Cases

cases = Cases("patterns", rtol=1e-5, atol=1e-6)

PROGRAMS = {
    "lengths_to_mask": """
        def lengths_to_mask(lengths, max_len=None):
            if max_len is None:
                max_len = int(lengths.max())
            positions = torch.arange(max_len, device=lengths.device)
            return positions[None, :] < lengths[:, None]

        lengths = torch.tensor([3, 1, 4, 0])
        keep = lengths_to_mask(lengths)
        wide = lengths_to_mask(lengths, max_len=6)
        out = (keep, wide.sum(dim=1), (~keep).float() * -1e9, keep.long().cumsum(1))
    """,
    "pad_ids_and_causal": """
        pad_id = 0
        ids = torch.tensor([[5, 7, 9, 0], [3, 0, 0, 0]])
        B, T = ids.shape
        key_keep = (ids != pad_id)[:, None, None, :]
        causal = torch.tril(torch.ones(T, T, dtype=torch.bool))[None, None]
        keep = key_keep & causal
        scores = torch.arange(B * 2 * T * T, dtype=torch.float32).view(B, 2, T, T).sin()
        weights = scores.masked_fill(~keep, float('-inf')).softmax(dim=-1)
        out = (keep.shape, keep[1, 0], weights[:, 0], weights.isnan().any(), keep.sum(-1))
    """,
    "rectangular_causal_with_cache": """
        def causal_mask(q_len, kv_len):
            offset = kv_len - q_len
            q = torch.arange(q_len).unsqueeze(1) + offset
            k = torch.arange(kv_len).unsqueeze(0)
            return k <= q

        full = causal_mask(4, 4)
        chunk = causal_mask(2, 5)
        step = causal_mask(1, 5)
        same = torch.equal(torch.ones(2, 5, dtype=torch.bool).tril(diagonal=3), chunk)
        out = (full, chunk, step, same, torch.cat([causal_mask(1, t).sum().view(1) for t in range(1, 4)]))
    """,
    "bool_to_additive_three_ways_fp32": """
        keep = torch.tensor([[True, True, False], [True, False, False]])
        scores = torch.tensor([[0.5, -1.0, 2.0], [1.0, 1.0, 1.0]])
        dtype = scores.dtype
        a = torch.zeros_like(scores).masked_fill(~keep, float('-inf'))
        b = (1.0 - keep.to(dtype)) * torch.finfo(dtype).min
        c = torch.where(keep, 0.0, -1e4)
        rows = [(scores + m).softmax(-1) for m in (a, b, c)]
        out = (a, b, c, rows, torch.allclose(rows[0], rows[1]), torch.allclose(rows[0], rows[2]))
    """,
    "bool_to_additive_three_ways_fp16": """
        keep = torch.tensor([[True, True, False], [False, False, False]])
        scores = torch.tensor([[0.5, -1.0, 2.0], [1.0, -2.0, 1.0]]).half()
        low = torch.finfo(torch.float16).min
        a = torch.zeros(2, 3, dtype=torch.float16).masked_fill(~keep, low)
        b = (1.0 - keep.half()) * low
        c = (1.0 - keep.half()) * -1e4
        twice = scores + a + b
        out = (a, b, c, (scores + a), twice, twice.float().softmax(-1), (scores + c).float().softmax(-1))
    """,
    "empty_row_and_three_repairs": """
        scores = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        drop = torch.tensor([[False, True, False], [True, True, True]])
        broken = scores.masked_fill(drop, float('-inf')).softmax(-1)
        by_nan_to_num = torch.nan_to_num(broken, nan=0.0)
        by_finite = scores.masked_fill(drop, torch.finfo(scores.dtype).min).softmax(-1)
        all_dropped = drop.all(dim=-1, keepdim=True)
        by_opening = scores.masked_fill(drop & ~all_dropped, float('-inf')).softmax(-1).masked_fill(all_dropped, 0.0)
        out = (broken, by_nan_to_num, by_finite, by_opening, all_dropped)
    """,
    "mask_functions_on_index_grids": """
        def causal(q, k):
            return q >= k

        def window(size):
            def inner(q, k):
                return (q - k).abs() < size
            return inner

        def and_masks(*masks):
            def combined(q, k):
                result = torch.ones(q.shape[0], k.shape[1], dtype=torch.bool)
                for m in masks:
                    result = result & m(q, k)
                return result
            return combined

        def or_masks(*masks):
            return lambda q, k: sum(m(q, k).int() for m in masks) > 0

        q = torch.arange(5).view(-1, 1)
        k = torch.arange(5).view(1, -1)
        sink = lambda q, k: k < 1
        out = (and_masks(causal, window(2))(q, k), or_masks(and_masks(causal, window(2)), and_masks(causal, sink))(q, k))
    """,
    "sliding_window": """
        T, W = 6, 3
        i = torch.arange(T)
        band = (i[:, None] - i[None, :] < W) & (i[:, None] >= i[None, :])
        by_tri = torch.ones(T, T).tril().triu(-(W - 1)).bool()
        out = (band, torch.equal(band, by_tri), band.sum(1), band.float().mean().item())
    """,
    "dilated_and_chunked_bands": """
        T = 8
        q = torch.arange(T)[:, None]
        k = torch.arange(T)[None, :]
        dilated = ((q - k).abs() <= 4) & ((q - k) % 2 == 0)
        chunked = (q // 4 == k // 4) & (q >= k)
        strided = (k % 3 == 2) | (q == k)
        out = (dilated, chunked, strided, [m.sum().item() for m in (dilated, chunked, strided)])
    """,
    "packed_documents": """
        doc = torch.tensor([0, 0, 0, 1, 1, 2])
        same = doc[:, None] == doc[None, :]
        keep = same & torch.ones(6, 6, dtype=torch.bool).tril()
        starts = torch.cat([torch.tensor([True]), doc[1:] != doc[:-1]])
        begin = (doc[:, None] > doc[None]).sum(1)
        position = torch.arange(6) - begin
        lengths = torch.bincount(doc)
        cu = F.pad(lengths.cumsum(0), (1, 0))
        out = (keep, starts, position, lengths, cu)
    """,
    "prefix_lm": """
        T = 5
        prefix = torch.tensor([2, 3])
        causal = torch.ones(T, T, dtype=torch.bool).tril()
        in_prefix = torch.arange(T)[None, :] < prefix[:, None]
        keep = causal[None] | in_prefix[:, None, :]
        out = (keep, keep.sum(dim=(1, 2)), keep[0].int().tolist())
    """,
    "grouped_queries": """
        B, H, G, T, D = 1, 4, 2, 3, 2
        q = torch.arange(B * H * T * D, dtype=torch.float32).view(B, H, T, D).cos()
        k = torch.arange(B * G * T * D, dtype=torch.float32).view(B, G, T, D).sin()
        v = k * 2
        k_full = k[:, :, None].expand(B, G, H // G, T, D).reshape(B, H, T, D)
        v_full = v.repeat_interleave(H // G, dim=1)
        causal = torch.ones(T, T, dtype=torch.bool).tril()
        scores = (q @ k_full.transpose(-1, -2) * D ** -0.5).masked_fill(~causal, float('-inf'))
        grouped = torch.einsum('bghqd,bgkd->bghqk', q.view(B, G, H // G, T, D), k)
        out = (scores.softmax(-1) @ v_full, torch.allclose(grouped.reshape(B, H, T, T), q @ k_full.mT), k_full.shape)
    """,
    "buffer_of_ones_cut_to_size": """
        block = 6
        bias = torch.tril(torch.ones(block, block)).view(1, 1, block, block)

        def attend(x, n_head=2):
            B, T, C = x.size()
            q = x.view(B, T, n_head, C // n_head).transpose(1, 2)
            att = (q @ q.transpose(-2, -1)) * (1.0 / math.sqrt(q.size(-1)))
            att = att.masked_fill(bias[:, :, :T, :T] == 0, float('-inf'))
            att = F.softmax(att, dim=-1)
            y = att @ q
            return y.transpose(1, 2).contiguous().view(B, T, C), att

        y, att = attend(torch.arange(24.0).view(2, 3, 4) / 24)
        out = (y, att[0], att.sum(-1), bias[:, :, :3, :3].stride())
    """,
    "relative_position_buckets": """
        def bucket(relative, buckets=8, max_distance=16):
            half = buckets // 2
            result = (relative > 0).long() * half
            n = relative.abs()
            exact = half // 2
            is_small = n < exact
            large = exact + (torch.log(n.float().clamp(min=1) / exact) / math.log(max_distance / exact) * (half - exact)).long()
            large = torch.minimum(large, torch.full_like(large, half - 1))
            return result + torch.where(is_small, n, large)

        q = torch.arange(6)[:, None]
        k = torch.arange(6)[None, :]
        b = bucket(k - q)
        table = torch.arange(16.0).view(8, 2)
        bias = F.embedding(b, table).permute(2, 0, 1).unsqueeze(0)
        out = (b, bias.shape, bias.stride(), bias[0, 1])
    """,
    "alibi": """
        heads, T = 4, 4
        slopes = torch.tensor([2 ** (-8 * (h + 1) / heads) for h in range(heads)])
        distance = torch.arange(T)[None, :] - torch.arange(T)[:, None]
        bias = slopes[:, None, None] * distance[None].float()
        causal = torch.full((T, T), float('-inf')).triu(1)
        bias = bias + causal
        out = (slopes, bias[0], torch.softmax(bias, -1)[3])
    """,
    "relative_shift_by_pad_and_view": """
        def rel_shift(x):
            B, H, T, R = x.shape
            x = F.pad(x, (1, 0))
            x = x.view(B, H, R + 1, T)
            return x[:, :, 1:].view(B, H, T, R)

        x = torch.arange(9.0).view(1, 1, 3, 3)
        y = rel_shift(x)
        out = (y, y.tril(), y.is_contiguous(), y.stride())
    """,
    "overlapping_chunks_as_strided": """
        def chunk(x, w):
            B, T, D = x.shape
            n = T // w
            halves = [B, 2 * n - 1, w, D]
            stride = list(x.stride())
            return x.as_strided(halves, [stride[0], stride[1] * w // 2, stride[1], stride[2]])

        x = torch.arange(16.0).view(1, 8, 2)
        c = chunk(x, 4)
        by_unfold = x.unfold(1, 4, 2).transpose(-1, -2)
        c2 = c.clone()
        x[0, 2] = -1.0
        out = (c2, c[0, :, :, 0], torch.equal(by_unfold, c), by_unfold.stride())
    """,
    "block_sparse_outer_products": """
        blocks = torch.tensor([[1, 0, 1], [0, 1, 0]])
        keep = blocks.repeat_interleave(2, 0).repeat_interleave(2, 1).bool()
        rows = torch.tensor([1.0, 0.0, 1.0, 1.0])
        cols = torch.tensor([1.0, 1.0, 0.0, 0.0, 1.0, 0.0])
        outer = torch.einsum('i,j->ij', rows, cols)
        both = keep & outer.bool()
        density = both.float().mean()
        touched = both.view(2, 2, 3, 2).any(dim=3).any(dim=1)
        full = both.view(2, 2, 3, 2).all(dim=3).all(dim=1)
        out = (keep, outer, both, density, touched, full)
    """,
    "kron_by_broadcast": """
        a = torch.tensor([[1, 0], [1, 1]])
        out = (a[:, None, :, None] * torch.ones(1, 2, 1, 3, dtype=torch.int64)).reshape(4, 6)
    """,
    "shifted_windows_nine_regions": """
        H = W = 4
        window, shift = 2, 1
        img = torch.zeros(1, H, W, 1)
        slices = (slice(0, -window), slice(-window, -shift), slice(-shift, None))
        count = 0
        for h in slices:
            for w in slices:
                img[:, h, w, :] = count
                count += 1
        windows = img.view(1, H // window, window, W // window, window, 1).permute(0, 1, 3, 2, 4, 5).contiguous()
        windows = windows.view(-1, window * window)
        attn_mask = windows.unsqueeze(1) - windows.unsqueeze(2)
        attn_mask = attn_mask.masked_fill(attn_mask != 0, float(-100.0)).masked_fill(attn_mask == 0, float(0.0))
        out = (img[0, :, :, 0], windows, attn_mask, count)
    """,
    "cyclic_shift_and_back": """
        x = torch.arange(16).view(1, 4, 4, 1)
        shifted = torch.roll(x, shifts=(-1, -1), dims=(1, 2))
        back = torch.roll(shifted, shifts=(1, 1), dims=(1, 2))
        out = (shifted[0, ..., 0], torch.equal(x, back))
    """,
    "random_masking_by_double_argsort": """
        torch.manual_seed(0)
        N, L, D, ratio = 2, 6, 3, 0.5
        x = torch.arange(N * L * D, dtype=torch.float32).view(N, L, D)
        keep_n = int(L * (1 - ratio))
        noise = torch.rand(N, L)
        ids_shuffle = torch.argsort(noise, dim=1)
        ids_restore = torch.argsort(ids_shuffle, dim=1)
        ids_keep = ids_shuffle[:, :keep_n]
        x_kept = torch.gather(x, dim=1, index=ids_keep.unsqueeze(-1).repeat(1, 1, D))
        mask = torch.ones([N, L])
        mask[:, :keep_n] = 0
        mask = torch.gather(mask, dim=1, index=ids_restore)
        filler = torch.full((N, L - keep_n, D), -1.0)
        restored = torch.gather(torch.cat([x_kept, filler], 1), 1, ids_restore[..., None].expand(-1, -1, D))
        out = (ids_keep, mask, x_kept.shape, restored, torch.equal(restored[mask == 0], x[mask == 0]))
    """,
    "block_image_mask_with_while": """
        torch.manual_seed(1)
        H = W = 8
        mask = torch.zeros(H, W, dtype=torch.bool)
        tries = 0
        while mask.sum() < 20 and tries < 50:
            h = torch.randint(2, 4, (1,)).item()
            w = torch.randint(2, 4, (1,)).item()
            top = torch.randint(0, H - h + 1, (1,)).item()
            left = torch.randint(0, W - w + 1, (1,)).item()
            mask[top:top + h, left:left + w] = True
            tries += 1
        out = (mask, mask.sum().item(), tries)
    """,
    "token_masking_80_10_10": """
        torch.manual_seed(3)
        ids = torch.arange(10, 50).view(2, 20)
        special = torch.zeros_like(ids, dtype=torch.bool)
        special[:, 0] = True
        probability = torch.full(ids.shape, 0.5).masked_fill(special, 0.0)
        chosen = torch.rand(ids.shape) < probability
        labels = ids.masked_fill(~chosen, -100)
        r = torch.rand(ids.shape)
        replaced = chosen & (r < 0.8)
        random = chosen & (r >= 0.8) & (r < 0.9)
        words = torch.randint(100, 200, ids.shape)
        inputs = torch.where(replaced, 1, ids)
        inputs[random] = words[random]
        out = (inputs, labels, chosen.sum().item(), (labels != -100).float().mean())
    """,
    "span_masks": """
        starts = torch.tensor([[1, 5], [0, 3]])
        lengths = torch.tensor([[2, 3], [1, 2]])
        t = torch.arange(9)
        inside = (t >= starts[..., None]) & (t < (starts + lengths)[..., None])
        spans = inside.any(dim=1)
        by_loop = torch.zeros(2, 9, dtype=torch.bool)
        for b in range(2):
            for s, n in zip(starts[b].tolist(), lengths[b].tolist()):
                by_loop[b, s:s + n] = True
        begins = spans & ~F.pad(spans, (1, 0))[:, :-1]
        out = (spans, torch.equal(spans, by_loop), begins.sum(1), begins.long().cumsum(1) * spans)
    """,
    "flush_left_gather": """
        x = torch.tensor([[0, 5, 0, 7], [3, 0, 0, 0], [0, 0, 0, 0]])
        keep = x != 0
        order = torch.argsort((~keep).int(), dim=1, stable=True)
        flushed = torch.gather(x, 1, order)
        lengths = keep.sum(1)
        out = (order, flushed, lengths, torch.arange(4)[None] < lengths[:, None])
    """,
    "decode_step_by_step": """
        T, D = 4, 2
        x = torch.arange(T * D, dtype=torch.float32).view(T, D).sin()
        full = F.scaled_dot_product_attention(x[None], x[None], x[None], is_causal=True)[0]
        keys, rows = torch.zeros(0, D), []
        for t in range(T):
            keys = torch.cat([keys, x[t:t + 1]], dim=0)
            w = (x[t:t + 1] @ keys.t() / math.sqrt(D)).softmax(-1)
            rows.append(w @ keys)
        out = (torch.allclose(torch.cat(rows), full), torch.cat(rows), keys.shape)
    """,
    "global_window_and_random": """
        torch.manual_seed(0)
        T = 8
        i = torch.arange(T)
        window = (i[:, None] - i[None]).abs() <= 1
        is_global = torch.zeros(T, dtype=torch.bool)
        is_global[[0, 5]] = True
        glob = is_global[:, None] | is_global[None, :]
        pick = torch.rand(T, T).topk(1, dim=1).indices
        random = torch.zeros(T, T, dtype=torch.bool).scatter_(1, pick, True)
        keep = window | glob | random
        blocks = keep.view(4, 2, 4, 2).permute(0, 2, 1, 3).reshape(4, 4, 4)
        state = blocks.any(-1).int() + blocks.all(-1).int()
        out = (keep, state, keep.float().mean())
    """,
}
for name, code in PROGRAMS.items():
    cases.program(name, code)
