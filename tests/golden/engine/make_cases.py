# SPDX-License-Identifier: Apache-2.0
"""Writes cases/<group>.json: small programs, and what PyTorch makes of them.

    python3 -m venv venv
    venv/bin/pip install torch numpy
    venv/bin/python tests/golden/engine/make_cases.py [group...]

A program uses the language of the script panel and ends by binding `out`; torch, F, nn and math are there under
these names. One case a line:

  name      group/short-name
  code      the program
  out       what it bound, or
  error     {"type", "text"} of the exception that ended it
  printed   what it printed, where it printed anything
  rtol, atol  where they are not the defaults of the dtype

None, bool, int, str and finite floats stand for themselves (a float always has a point or an exponent). Others:

  {"float": "nan"}     also "inf", "-inf"
  {"list": [...]}, {"tuple": [...]}, {"dict": [[key, value], ...]}, {"size": [2, 3]}
  {"torch": "float32"}  a dtype; {"torch": "cpu"} a device
  {"tensor": "float32", "shape": [2, 3], "values": [...]}
      values flat, in row-major order of the shape, bool as 0 and 1, "nan", "inf", "-inf" as strings;
      "stride" (elements) where it is not the contiguous one, "view": true where _is_view() says so,
      "requires_grad": true where it is set
"""

import contextlib
import importlib
import io
import json
import math
import platform
import sys
import warnings
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

HERE = Path(__file__).resolve().parent


def number(value):
    return value if math.isfinite(value) else str(value)


def contiguous_stride(shape):
    stride = []
    step = 1
    for size in reversed(shape):
        stride.insert(0, step)
        step *= max(size, 1)
    return stride


def write_tensor(tensor):
    shape = list(tensor.shape)
    flat = tensor.detach().reshape(-1)
    if tensor.dtype == torch.bool:
        flat = flat.to(torch.uint8)
    elif tensor.dtype.is_floating_point:
        flat = flat.double()
    entry = {
        "tensor": str(tensor.dtype).removeprefix("torch."),
        "shape": shape,
        "values": [number(value) for value in flat.tolist()],
    }
    if list(tensor.stride()) != contiguous_stride(shape):
        entry["stride"] = list(tensor.stride())
    if tensor._is_view():
        entry["view"] = True
    if tensor.requires_grad:
        entry["requires_grad"] = True
    return entry


def write(value):
    if isinstance(value, torch.Tensor):
        return write_tensor(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": str(value)}
    if isinstance(value, torch.Size):
        return {"size": list(value)}
    if isinstance(value, list):
        return {"list": [write(item) for item in value]}
    if isinstance(value, tuple):
        return {"tuple": [write(item) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[write(key), write(item)] for key, item in value.items()]}
    if isinstance(value, (torch.dtype, torch.device)):
        return {"torch": str(value).removeprefix("torch.")}
    raise TypeError(f"a case cannot hold a {type(value).__name__}")


def run(case, seed):
    names = {"__name__": "script", "torch": torch, "F": F, "nn": nn, "math": math}
    printed = io.StringIO()
    result = dict(case)
    torch.manual_seed(seed)
    program = compile(case["code"], case["name"], "exec")
    with contextlib.redirect_stdout(printed), torch.enable_grad():
        try:
            exec(program, names)
        except Exception as error:
            result["error"] = {"type": type(error).__name__, "text": str(error)}
        else:
            result["out"] = write(names["out"])
    if printed.getvalue():
        result["printed"] = printed.getvalue()
    return result


def run_group(group):
    lines = []
    for case in importlib.import_module(f"cases_{group}").cases.cases:
        line = json.dumps(run(case, 1))
        if line != json.dumps(run(case, 2)):
            raise ValueError(f"{case['name']} does not give the same twice")
        lines.append(line)
    made_with = {"torch": torch.__version__, "python": platform.python_version()}
    head = f'{{\n"made_with": {json.dumps(made_with)},\n"cases": [\n'
    (HERE / "cases" / f"{group}.json").write_text(head + ",\n".join(lines) + "\n]\n}\n")
    return len(lines)


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    (HERE / "cases").mkdir(exist_ok=True)
    groups = sys.argv[1:] or sorted(path.stem.removeprefix("cases_") for path in HERE.glob("cases_*.py"))
    counts = {group: run_group(group) for group in groups}
    for group, count in counts.items():
        print(f"{count:5} {group}")
    print(f"{sum(counts.values()):5} cases")


if __name__ == "__main__":
    main()
