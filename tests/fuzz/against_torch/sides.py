# SPDX-License-Identifier: Apache-2.0
"""The two that are compared: PyTorch in this process, the engine in one of its own."""

import contextlib
import io
import json
import math
import subprocess
import sys
import types
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "golden" / "engine"))
from make_cases import write  # noqa: E402


def fresh_names():
    return {"__name__": "script", "torch": torch, "F": F, "nn": nn, "math": math}


GIVEN = set(fresh_names())
NOT_COMPARED = (types.FunctionType, types.ModuleType, type)


def written(value):
    try:
        return write(value)
    except TypeError:
        return {"other": type(value).__name__}


def run_torch(code):
    names = fresh_names()
    printed = io.StringIO()
    outcome = {}
    torch.manual_seed(0)
    with contextlib.redirect_stdout(printed), torch.enable_grad():
        try:
            exec(compile(code, "script", "exec"), names)
        except Exception as error:
            text = error.msg if isinstance(error, SyntaxError) else str(error)
            outcome["error"] = {"type": type(error).__name__, "text": text}
    outcome["printed"] = printed.getvalue()
    outcome["variables"] = [
        [name, written(value)]
        for name, value in names.items()
        if name not in GIVEN and not name.startswith("__") and not isinstance(value, NOT_COMPARED)
    ]
    return outcome


class Engine:
    """A driver that is started again when a program ends it."""

    def __init__(self, path):
        self.path = path
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def run(self, code):
        if self.process is None:
            self.start()
        data = code.encode()
        line = b""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(b"%d\n" % len(data) + data)
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        code = self.process.wait()
        self.process = None
        return {"crash": f"the driver ended with {code}"}

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


def op_table(path):
    listing = subprocess.run([path, "--ops"], capture_output=True, check=True, text=True).stdout
    return [json.loads(line) for line in listing.splitlines()]
