# SPDX-License-Identifier: Apache-2.0
"""Masks in models, pooling, losses and decoding: short programs with several results."""

from case_list import Cases

cases = Cases("models", rtol=1e-5, atol=1e-6)

PROGRAMS = {
    "multihead_by_hand": """
        def attention(q, k, v, mask=None, dropout=None):
            d_k = q.size(-1)
            scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(d_k)
            if mask is not None:
                scores = scores.masked_fill(mask == 0, -1e9)
            p_attn = scores.softmax(dim=-1)
            if dropout is not None:
                p_attn = dropout(p_attn)
            return torch.matmul(p_attn, v), p_attn

        x = torch.arange(12.0).view(1, 3, 4) / 12
        q, k, v = [t.view(1, -1, 2, 2).transpose(1, 2) for t in (x, x * 2, x - 1)]
        src_mask = torch.tensor([[1, 1, 0]])[:, None, None]
        y, p = attention(q, k, v, mask=src_mask)
        out = (y.transpose(1, 2).contiguous().view(1, -1, 4), p, p[..., 2].sum())
    """,
    "subsequent_mask": """
        def subsequent_mask(size):
            attn_shape = (1, size, size)
            subsequent = torch.triu(torch.ones(attn_shape), diagonal=1).type(torch.uint8)
            return subsequent == 0

        tgt = torch.tensor([[4, 5, 0], [6, 0, 0]])
        tgt_mask = (tgt != 0).unsqueeze(-2)
        tgt_mask = tgt_mask & subsequent_mask(tgt.size(-1)).type_as(tgt_mask)
        out = (subsequent_mask(3), tgt_mask, (tgt != 0).sum())
    """,
    "extended_attention_mask": """
        attention_mask = torch.tensor([[1, 1, 0], [1, 0, 0]])
        dtype = torch.float32
        extended = attention_mask[:, None, None, :].to(dtype=dtype)
        extended = (1.0 - extended) * torch.finfo(dtype).min
        batch, length = attention_mask.shape
        seq_ids = torch.arange(length)
        causal = seq_ids[None, None, :].repeat(batch, length, 1) <= seq_ids[None, :, None]
        combined = causal[:, None, :, :].to(attention_mask.dtype) * attention_mask[:, None, None, :]
        out = (extended, combined, combined.dtype, (1.0 - combined.float()) * -10000.0)
    """,
    "expand_mask": """
        def expand_mask(mask, dtype, tgt_len=None):
            bsz, src_len = mask.size()
            tgt_len = tgt_len if tgt_len is not None else src_len
            expanded = mask[:, None, None, :].expand(bsz, 1, tgt_len, src_len).to(dtype)
            inverted = 1.0 - expanded
            return inverted.masked_fill(inverted.to(torch.bool), torch.finfo(dtype).min)

        m = torch.tensor([[1, 1, 0]])
        out = (expand_mask(m, torch.float32, 2), expand_mask(m, torch.float16), expand_mask(m, torch.float32).stride())
    """,
    "make_causal_mask": """
        def make_causal_mask(shape, dtype, past=0):
            bsz, tgt_len = shape
            mask = torch.full((tgt_len, tgt_len), torch.finfo(dtype).min)
            mask_cond = torch.arange(mask.size(-1))
            mask.masked_fill_(mask_cond < (mask_cond + 1).view(mask.size(-1), 1), 0)
            mask = mask.to(dtype)
            if past > 0:
                mask = torch.cat([torch.zeros(tgt_len, past, dtype=dtype), mask], dim=-1)
            return mask[None, None, :, :].expand(bsz, 1, tgt_len, tgt_len + past)

        m = make_causal_mask((2, 3), torch.float32, past=1)
        out = (m, m.stride(), m.shape, make_causal_mask((1, 2), torch.bfloat16))
    """,
    "rotary_positions_from_mask": """
        attention_mask = torch.tensor([[0, 0, 1, 1], [1, 1, 1, 0]])
        position_ids = attention_mask.long().cumsum(-1) - 1
        position_ids.masked_fill_(attention_mask == 0, 1)
        inv_freq = 1.0 / (10000 ** (torch.arange(0, 4, 2).float() / 4))
        freqs = position_ids[..., None].float() * inv_freq
        emb = torch.cat((freqs, freqs), dim=-1)
        x = torch.ones(2, 4, 4)
        half = torch.cat((-x[..., 2:], x[..., :2]), dim=-1)
        out = (position_ids, x * emb.cos() + half * emb.sin())
    """,
    "pooling_with_an_empty_row": """
        h = torch.arange(18.0).view(3, 3, 2)
        lengths = torch.tensor([2, 3, 0])
        keep = torch.arange(3)[None, :] < lengths[:, None]
        m = keep.unsqueeze(-1).float()
        mean = (h * m).sum(1) / m.sum(1).clamp(min=1e-9)
        unsafe = (h * m).sum(1) / m.sum(1)
        biggest = h.masked_fill(~keep[..., None], float('-inf')).max(dim=1).values
        safe_max = torch.where(keep.any(1, keepdim=True), biggest, torch.zeros_like(biggest))
        last_index = (lengths - 1).clamp(min=0)
        last = h[torch.arange(3), last_index]
        by_gather = h.gather(1, last_index[:, None, None].expand(-1, 1, 2)).squeeze(1)
        first = keep.int().argmax(dim=1)
        out = (mean, unsafe, biggest, safe_max, last, torch.equal(last, by_gather), first)
    """,
    "masked_mean_and_variance": """
        def masked_mean(x, mask, dim=None, eps=1e-8):
            mask = mask.to(x.dtype)
            if dim is None:
                return (x * mask).sum() / (mask.sum() + eps)
            return (x * mask).sum(dim) / (mask.sum(dim) + eps)

        def masked_var(x, mask, unbiased=True):
            mean = masked_mean(x, mask)
            var = masked_mean((x - mean) ** 2, mask)
            if unbiased:
                n = mask.sum()
                if n <= 1:
                    raise ValueError('at least two elements are needed')
                var = var * n / (n - 1)
            return var

        def whiten(x, mask):
            return (x - masked_mean(x, mask)) * torch.rsqrt(masked_var(x, mask) + 1e-8)

        x = torch.tensor([[1.0, 2.0, 9.0], [4.0, 6.0, 8.0]])
        m = torch.tensor([[True, True, False], [True, True, True]])
        out = (masked_mean(x, m), masked_mean(x, m, dim=1), masked_var(x, m), x[m].var(), whiten(x, m))
    """,
    "masked_variance_refuses": """
        def masked_var(x, mask):
            n = mask.sum()
            if n == 0:
                raise ValueError(f'the mask is empty: {mask.shape}')
            return x[mask].var()

        out = masked_var(torch.ones(2, 2), torch.zeros(2, 2, dtype=torch.bool))
    """,
    "shifted_token_loss": """
        logits = torch.arange(24.0).view(2, 3, 4).sin()
        labels = torch.tensor([[1, 2, 3], [0, 1, -100]])
        shift_logits = logits[..., :-1, :].contiguous()
        shift_labels = labels[..., 1:].contiguous()
        loss = F.cross_entropy(shift_logits.view(-1, 4), shift_labels.view(-1))
        per_token = F.cross_entropy(shift_logits.transpose(1, 2), shift_labels, reduction='none')
        keep = shift_labels != -100
        log_probs = shift_logits.log_softmax(-1)
        picked = log_probs.gather(-1, shift_labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
        by_hand = -(picked * keep).sum() / keep.sum()
        out = (loss, per_token, by_hand, torch.exp(loss), torch.allclose(loss, by_hand))
    """,
    "dice_jaccard_tversky": """
        def dice_loss(pred, target, smooth=1.0):
            pred = pred.contiguous().view(pred.size(0), -1)
            target = target.contiguous().view(target.size(0), -1)
            inter = (pred * target).sum(dim=1)
            return 1 - (2.0 * inter + smooth) / (pred.sum(1) + target.sum(1) + smooth)

        def jaccard(pred, target, eps=1e-7):
            inter = (pred & target).flatten(1).sum(1).float()
            union = (pred | target).flatten(1).sum(1).float()
            return (inter + eps) / (union + eps)

        def tversky(pred, target, alpha=0.3, beta=0.7):
            tp = (pred * target).sum()
            fp = ((1 - target) * pred).sum()
            fn = (target * (1 - pred)).sum()
            return 1 - tp / (tp + alpha * fp + beta * fn)

        logits = torch.tensor([[[2.0, -1.0], [0.5, -3.0]], [[-2.0, -2.0], [-2.0, -2.0]]])
        target = torch.tensor([[[1.0, 0.0], [1.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]])
        p = torch.sigmoid(logits)
        out = (dice_loss(p, target), jaccard(p > 0.5, target.bool()), tversky(p, target), dice_loss(p, target).mean().item())
    """,
    "focal_loss": """
        def sigmoid_focal_loss(inputs, targets, alpha=0.25, gamma=2.0, reduction='none'):
            p = torch.sigmoid(inputs)
            ce = F.binary_cross_entropy_with_logits(inputs, targets, reduction='none')
            p_t = p * targets + (1 - p) * (1 - targets)
            loss = ce * ((1 - p_t) ** gamma)
            if alpha >= 0:
                loss = (alpha * targets + (1 - alpha) * (1 - targets)) * loss
            if reduction == 'mean':
                loss = loss.mean()
            elif reduction == 'sum':
                loss = loss.sum()
            return loss

        x = torch.tensor([[2.0, -1.0, 0.0], [-3.0, 4.0, 0.5]])
        t = torch.tensor([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
        out = (sigmoid_focal_loss(x, t), sigmoid_focal_loss(x, t, reduction='mean'), sigmoid_focal_loss(x, t, alpha=-1, reduction='sum'))
    """,
    "lovasz_hinge": """
        def lovasz_grad(gt_sorted):
            p = len(gt_sorted)
            gts = gt_sorted.sum()
            intersection = gts - gt_sorted.float().cumsum(0)
            union = gts + (1 - gt_sorted).float().cumsum(0)
            jaccard = 1.0 - intersection / union
            if p > 1:
                jaccard[1:p] = jaccard[1:p] - jaccard[0:-1]
            return jaccard

        logits = torch.tensor([2.0, -1.5, 0.3, -0.2])
        labels = torch.tensor([1.0, 0.0, 0.0, 1.0])
        signs = 2.0 * labels - 1.0
        errors = 1.0 - logits * signs
        errors_sorted, perm = torch.sort(errors, dim=0, descending=True)
        grad = lovasz_grad(labels[perm])
        loss = torch.dot(F.relu(errors_sorted), grad)
        out = (errors_sorted, perm, grad, loss)
    """,
    "pairwise_mask_costs_by_einsum": """
        def batch_dice(inputs, targets):
            inputs = inputs.sigmoid().flatten(1)
            numerator = 2 * torch.einsum('nc,mc->nm', inputs, targets)
            denominator = inputs.sum(-1)[:, None] + targets.sum(-1)[None, :]
            return 1 - (numerator + 1) / (denominator + 1)

        def batch_bce(inputs, targets):
            hw = inputs.shape[1]
            pos = F.binary_cross_entropy_with_logits(inputs, torch.ones_like(inputs), reduction='none')
            neg = F.binary_cross_entropy_with_logits(inputs, torch.zeros_like(inputs), reduction='none')
            loss = torch.einsum('nc,mc->nm', pos, targets) + torch.einsum('nc,mc->nm', neg, 1 - targets)
            return loss / hw

        pred = torch.tensor([[3.0, -3.0, 3.0, -3.0], [-3.0, 3.0, -3.0, 3.0], [0.0, 0.0, 0.0, 0.0]])
        true = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0]])
        cost = batch_dice(pred, true) + 5 * batch_bce(pred, true)
        out = (batch_dice(pred, true), batch_bce(pred, true), cost.argmin(dim=0))
    """,
    "paste_masks_by_interpolating": """
        def paste(mask, box, height, width, threshold=0.5):
            x0, y0, x1, y1 = [int(v) for v in box]
            w, h = max(x1 - x0 + 1, 1), max(y1 - y0 + 1, 1)
            m = F.interpolate(mask[None, None], size=(h, w), mode='bilinear', align_corners=False)[0, 0]
            m = m > threshold
            image = torch.zeros((height, width), dtype=torch.bool)
            a0, a1 = max(x0, 0), min(x1 + 1, width)
            b0, b1 = max(y0, 0), min(y1 + 1, height)
            image[b0:b1, a0:a1] = m[b0 - y0:b1 - y0, a0 - x0:a1 - x0]
            return image

        mask = torch.tensor([[0.9, 0.2], [0.6, 0.8]])
        boxes = torch.tensor([[1.0, 1.0, 4.0, 4.0], [-2.0, 2.0, 1.0, 7.0]])
        out = torch.stack([paste(mask, box.tolist(), 6, 6) for box in boxes])
    """,
    "masks_to_boxes": """
        def masks_to_boxes(masks):
            if masks.numel() == 0:
                return torch.zeros((0, 4))
            boxes = torch.zeros((masks.shape[0], 4))
            for i, mask in enumerate(masks):
                y, x = torch.where(mask != 0)
                boxes[i, 0] = x.min()
                boxes[i, 1] = y.min()
                boxes[i, 2] = x.max()
                boxes[i, 3] = y.max()
            return boxes

        m = torch.zeros(2, 5, 6, dtype=torch.bool)
        m[0, 1:3, 2:5] = True
        m[1, 4, 0] = True
        area = m.flatten(1).sum(1)
        ys = torch.arange(5).view(1, 5, 1) * m
        out = (masks_to_boxes(m), masks_to_boxes(m[:0]), area, ys.amax((1, 2)))
    """,
    "masks_to_boxes_of_an_empty_mask": "y, x = torch.where(torch.zeros(3, 3) != 0)\nout = x.min()",
    "graph_adjacency_attention": """
        edges = torch.tensor([[0, 1, 2, 2], [1, 2, 0, 3]])
        n = 5
        adjacency = torch.zeros(n, n)
        adjacency[edges[0], edges[1]] = 1
        adjacency = ((adjacency + adjacency.t() + torch.eye(n)) > 0).float()
        scores = (torch.arange(25.0).view(5, 5) / 5).sin()
        zero_vec = -9e15 * torch.ones_like(scores)
        weights = F.softmax(torch.where(adjacency > 0, scores, zero_vec), dim=1)
        degree = adjacency.sum(1)
        norm = degree.pow(-0.5)
        normalized = norm[:, None] * adjacency * norm[None, :]
        out = (adjacency, weights, degree, normalized, torch.zeros(n).index_add_(0, edges[1], torch.ones(4)))
    """,
    "top_k_gate_with_capacity": """
        logits = torch.tensor([[2.0, 1.0, 0.0], [1.9, 0.5, 1.0], [3.0, 2.5, 0.0], [0.0, 1.0, 2.0]])
        experts, capacity = 3, 2
        gates = F.softmax(logits, dim=1)
        values, indices = gates.topk(2, dim=1)
        weights = values / values.sum(dim=1, keepdim=True)
        mask1 = F.one_hot(indices[:, 0], num_classes=experts)
        locations = torch.cumsum(mask1, dim=0) - 1
        kept = mask1 * torch.lt(locations, capacity)
        density = mask1.float().mean(dim=0)
        aux = (gates.mean(dim=0) * density).sum() * experts
        position = torch.sum(locations * kept, dim=1)
        dispatch = torch.einsum('se,sc->sec', kept.float(), F.one_hot(position, capacity).float())
        sparse = torch.zeros_like(logits).scatter(1, indices, weights)
        out = (indices, weights, kept, aux, dispatch, sparse)
    """,
    "masked_categorical_entropy": """
        logits = torch.tensor([[1.0, 2.0, 3.0], [0.5, 0.5, 0.5]])
        valid = torch.tensor([[True, False, True], [True, True, False]])
        masked = torch.where(valid, logits, torch.tensor(torch.finfo(logits.dtype).min))
        normalized = masked - masked.logsumexp(dim=-1, keepdim=True)
        probs = normalized.exp()
        p_log_p = normalized * probs
        entropy = -torch.where(valid, p_log_p, torch.tensor(0.0)).sum(-1)
        infinite = logits.masked_fill(~valid, float('-inf')).log_softmax(-1)
        broken = -(infinite.exp() * infinite).sum(-1)
        out = (probs, entropy, broken, masked.argmax(-1))
    """,
    "top_p_shift_and_scatter": """
        logits = torch.tensor([[2.0, 1.0, 0.5, -1.0], [0.1, 3.0, 0.2, 0.3]])
        top_p, filter_value = 0.8, -float('Inf')
        sorted_logits, sorted_indices = torch.sort(logits, descending=True)
        cumulative = torch.cumsum(F.softmax(sorted_logits, dim=-1), dim=-1)
        remove = cumulative > top_p
        remove[..., 1:] = remove[..., :-1].clone()
        remove[..., 0] = 0
        indices_to_remove = remove.scatter(1, sorted_indices, remove)
        filtered = logits.masked_fill(indices_to_remove, filter_value)
        out = (cumulative, remove, filtered, filtered.softmax(-1))
    """,
    "top_k_and_min_p": """
        logits = torch.tensor([[2.0, 1.0, 0.5, -1.0]])
        top_k = logits.clone()
        top_k[top_k < torch.topk(top_k, 2)[0][..., -1, None]] = -float('Inf')
        probs = torch.softmax(logits, dim=-1)
        min_p = logits.masked_fill(probs < 0.3 * probs.max(dim=-1, keepdim=True).values, -float('Inf'))
        banned = logits.clone()
        banned[:, [0, 3]] = -float('inf')
        score = torch.gather(logits, 1, torch.tensor([[0, 3]]))
        penalized = logits.scatter(1, torch.tensor([[0, 3]]), torch.where(score < 0, score * 1.2, score / 1.2))
        out = (top_k, min_p, banned, penalized)
    """,
    "crf_forward_step": """
        emissions = torch.arange(12.0).view(2, 2, 3).cos()
        transitions = torch.arange(9.0).view(3, 3) / 9
        start = torch.tensor([0.1, 0.2, 0.3])
        mask = torch.tensor([[True, True], [True, False]])
        score = start + emissions[0]
        for i in range(1, 2):
            broadcast = score.unsqueeze(2) + transitions + emissions[i].unsqueeze(1)
            following = torch.logsumexp(broadcast, dim=1)
            score = torch.where(mask[i].unsqueeze(1), following, score)
        best, tags = (score.unsqueeze(2) + transitions).max(dim=1)
        out = (score, torch.logsumexp(score, dim=1), best, tags)
    """,
    "partial_convolution_by_unfold": """
        x = torch.arange(16.0).view(4, 4)
        keep = torch.ones(4, 4)
        keep[1:3, 1:3] = 0
        kernel = torch.ones(3, 3) / 9
        windows = F.pad(x * keep, (1, 1, 1, 1)).unfold(0, 3, 1).unfold(1, 3, 1)
        counts = F.pad(keep, (1, 1, 1, 1)).unfold(0, 3, 1).unfold(1, 3, 1).sum(dim=(-1, -2))
        raw = (windows * kernel).sum(dim=(-1, -2))
        ratio = torch.where(counts > 0, 9 / counts.clamp(min=1), torch.zeros_like(counts))
        y = raw * ratio
        out = (y, counts, (counts > 0).float(), windows.stride(), windows.shape)
    """,
    "boundary_of_a_mask": """
        m = torch.zeros(5, 5)
        m[1:4, 1:4] = 1
        p = F.pad(m[None, None], (1, 1, 1, 1), mode='replicate')[0, 0]
        around = torch.stack([p[:-2, 1:-1], p[2:, 1:-1], p[1:-1, :-2], p[1:-1, 2:]])
        eroded = torch.minimum(m, around.amin(0))
        dilated = torch.maximum(m, around.amax(0))
        out = (m - eroded, dilated - m, eroded.sum(), dilated.sum())
    """,
    "soft_mask_upsampled_over_an_image": """
        attention = torch.tensor([[0.1, 0.9], [0.4, 0.6]])
        soft = F.interpolate(attention[None, None], size=(4, 4), mode='bilinear', align_corners=False)[0, 0]
        soft = (soft - soft.min()) / (soft.max() - soft.min())
        image = torch.arange(48.0).view(3, 4, 4) / 48
        hard = soft > 0.5
        blended = torch.where(hard, image * 0.5 + 0.5, image)
        out = (soft, hard, blended.mean(dim=(1, 2)), (image * soft).sum(dim=(1, 2)) / soft.sum())
    """,
    "mask_head_positives_only": """
        torch.manual_seed(0)
        logits = torch.arange(24.0).view(3, 2, 2, 2).sin()
        labels = torch.tensor([1, 0, 1])
        targets = (torch.arange(12).view(3, 2, 2) % 2).float()
        positive = torch.nonzero(labels > 0).squeeze(1)
        picked = logits[positive, labels[positive] - 1]
        loss = F.binary_cross_entropy_with_logits(picked, targets[positive])
        none = torch.nonzero(labels > 5).squeeze(1)
        zero = logits[none].sum() * 0 if none.numel() == 0 else loss
        out = (positive, picked, loss, zero)
    """,
    "contrastive_without_the_diagonal": """
        z = F.normalize(torch.arange(8.0).view(4, 2).sin(), dim=1)
        labels = torch.tensor([0, 0, 1, 1])
        sim = z @ z.t() / 0.5
        self_mask = torch.eye(4, dtype=torch.bool)
        sim = sim.masked_fill(self_mask, -9e15)
        positives = (labels[:, None] == labels[None]) & ~self_mask
        log_prob = sim - torch.logsumexp(sim, dim=-1, keepdim=True)
        loss = -(log_prob * positives).sum(1) / positives.sum(1)
        out = (positives, loss, loss.mean())
    """,
}
for name, code in PROGRAMS.items():
    cases.program(name, code)
