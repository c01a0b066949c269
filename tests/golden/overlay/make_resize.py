# SPDX-License-Identifier: Apache-2.0
"""What PyTorch's F.interpolate makes of small planes, for resize_test. Run: python make_resize.py"""
import json
import pathlib

import torch
import torch.nn.functional as F

SIZES = [((10, 10), (4, 4)), ((4, 7), (10, 9)), ((3, 5), (3, 11)), ((1, 6), (5, 2)), ((8, 8), (16, 4)), ((5, 3), (1, 1)),
         ((14, 14), (37, 50)), ((2, 2), (7, 5))]
RULES = {"nearest": {"mode": "nearest"}, "nearest-exact": {"mode": "nearest-exact"},
         "bilinear": {"mode": "bilinear", "align_corners": False},
         "bilinear-corners": {"mode": "bilinear", "align_corners": True}}

torch.manual_seed(4)
cases = []
for before, after in SIZES:
    plane = torch.round(torch.rand(before, dtype=torch.float64) * 64) / 64
    case = {"from": before, "to": after, "plane": plane.flatten().tolist(), "results": {}}
    for name, how in RULES.items():
        made = F.interpolate(plane[None, None], size=after, **how)[0, 0]
        case["results"][name] = made.flatten().tolist()
    cases.append(case)
out = {"made_with": f"torch {torch.__version__}", "cases": cases}
pathlib.Path(__file__).with_name("resize.json").write_text(json.dumps(out) + "\n")
