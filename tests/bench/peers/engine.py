# SPDX-License-Identifier: Apache-2.0
"""Times PyTorch on the rows of `maskscope-cli bench`: engine.py ROWS.json [FILTER]

    maskscope-cli bench --list --json >rows.json
    OMP_NUM_THREADS=2 venv/bin/python tests/bench/peers/engine.py rows.json

The rows are scripts, so that PyTorch runs the very same. Prints one CSV row a figure: "torch/NAME",runs,milliseconds.
"""

import json
import math
import re
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

ENOUGH_SECONDS = 0.3
FEWEST = 5


def median_ms(row):
    names = {"torch": torch, "F": F, "nn": nn, "math": math}
    with torch.no_grad():
        torch.manual_seed(0)
        exec(row["setup"], names)
        step = compile(row["expr"], row["name"], "exec")
        exec(step, names)
        taken = []
        while len(taken) < FEWEST or sum(taken) < ENOUGH_SECONDS:
            start = time.perf_counter()
            exec(step, names)
            taken.append(time.perf_counter() - start)
    return len(taken), sorted(taken)[len(taken) // 2] * 1e3


def main():
    with open(sys.argv[1]) as file:
        rows = json.load(file)["rows"]
    wanted = re.compile(sys.argv[2] if len(sys.argv) > 2 else "")
    for row in rows:
        if wanted.search(row["name"]):
            runs, milliseconds = median_ms(row)
            print(f'"torch/{row["name"]}",{runs},{milliseconds:.4f}', flush=True)


if __name__ == "__main__":
    main()
