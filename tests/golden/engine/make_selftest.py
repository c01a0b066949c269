# SPDX-License-Identifier: Apache-2.0
"""Writes resources/selftest/cases.json: what PyTorch makes of the samples of every op, for `maskscope-cli selftest`.

    venv/bin/python tests/golden/engine/make_selftest.py path/to/maskscope-cli

The samples are those that `maskscope-cli ops` shows. Two short programs of cases/*.json that call the op are added to
them. A case has the keys of make_cases.py, and "op" in place of the name. Samples that draw numbers of their own
differ from run to run and are left out.
"""

import json
import platform
import re
import subprocess
import sys
import warnings

import torch
from case_list import statements_for
from make_cases import HERE, run

OUT = HERE.parents[2] / "resources" / "selftest" / "cases.json"
LONGEST = 600  # bytes of a case
PROGRAMS = 2  # for each op
UNINITIALISED = {"empty", "empty_like", "new_empty"}  # PyTorch's values there are whatever the memory held


def reference(op, code):
    """The case, or None where PyTorch refuses it (there is no GPU) or does not give the same twice."""
    # The numbers of the samples are about 3 and some nearly cancel: a few roundings of float32.
    case = {"name": op, "code": code, "atol": 1e-6}
    try:
        first, second = (run(case, seed) for seed in (1, 2))
    except TypeError:  # a value that no case can hold
        return None
    if "error" in first or json.dumps(first) != json.dumps(second):
        return None
    del first["name"]
    return {"op": op, **first}


def sample_cases(ops, inputs):
    for op in ops:
        if op["name"] in UNINITIALISED:
            continue
        for sample in op["samples"]:
            code = f"{statements_for(sample, inputs)}\nout = {sample}".strip()
            case = reference(op["name"], code)
            if case is None:
                print(f"left out: {op['name']}: {sample}", file=sys.stderr)
            else:
                yield case


def programs():
    for path in sorted((HERE / "cases").glob("*.json")):
        yield from json.loads(path.read_text())["cases"]


def program_cases(ops):
    short = [case for case in programs() if len(json.dumps(case)) <= LONGEST and "error" not in case]
    short.sort(key=lambda case: len(json.dumps(case)))
    for op in ops:
        called = re.compile(rf"\.{re.escape(op['name'])}_?\(")
        found = [case for case in short if called.search(case["code"])]
        for case in found[:PROGRAMS]:
            yield {"op": op["name"], **{key: value for key, value in case.items() if key != "name"}}


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    told = json.loads(subprocess.run([sys.argv[1], "ops", "--json"], check=True, capture_output=True).stdout)
    ops = told["ops"]
    inputs = {name: f"{name} = {code}" for name, code in told["inputs"].items()}
    cases = [*sample_cases(ops, inputs), *program_cases(ops)]
    cases.sort(key=lambda case: case["op"])
    without = sorted({op["name"] for op in ops} - {case["op"] for case in cases})
    made_with = {"torch": torch.__version__, "python": platform.python_version()}
    lines = ",\n".join(json.dumps(case) for case in cases)
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(f'{{\n"made_with": {json.dumps(made_with)},\n"cases": [\n{lines}\n]\n}}\n')
    print(f"{len(cases)} cases of {len(ops) - len(without)} ops; without: {', '.join(without)}")


if __name__ == "__main__":
    main()
