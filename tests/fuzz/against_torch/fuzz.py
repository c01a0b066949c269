# SPDX-License-Identifier: Apache-2.0
"""Random mask programs, run by PyTorch and by Maskscope's engine. README.md says how."""

import argparse
import random
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

import torch
from compare import KINDS, difference
from generate import Generator
from known import reason_of
from shrink import code_of, first_difference, shrink
from sides import Engine, op_table, run_torch

SHRUNK_EACH = 6
BY_TEXT = {"refused", "admitted", "error type", "error text"}


class Group:
    """Programs that go wrong in one way: of one statement, or with one text of an error."""

    def __init__(self, kind, detail):
        self.kind, self.detail = kind, detail
        self.labels = Counter()
        self.best = None

    @property
    def count(self):
        return self.labels.total()

    def title(self):
        labels = ", ".join(f"{label} {count}" for label, count in self.labels.most_common(6))
        return f"{self.count:6} {self.kind}: {self.detail} [{labels}{', ...' if len(self.labels) > 6 else ''}]"

    def take(self, statements, found):
        code = code_of(statements)
        if self.best is None or len(code) < len(self.best[0]):
            self.best = (code, found)


class Fuzz:
    def __init__(self, engine):
        self.engine = engine
        self.groups = {}
        self.known = {}
        self.raised = 0
        self.differed = 0

    def differs(self, statements):
        code = code_of(statements)
        return difference(run_torch(code), self.engine.run(code))

    def program(self, statements):
        code = code_of(statements)
        expected = run_torch(code)
        self.raised += "error" in expected
        if difference(expected, self.engine.run(code)) is None:
            return
        blamed = first_difference(statements, self.differs)
        if blamed is None:
            return
        statements, found = blamed
        label = statements[-1].label
        reason = reason_of(label, found)
        if reason:
            self.known[reason] = self.known.get(reason, 0) + 1
            return
        self.differed += 1
        by_text = found.kind in BY_TEXT
        key = (found.kind, found.detail) if by_text else (found.kind, label)
        group = self.groups.setdefault(key, Group(*key))
        group.labels[label if by_text else found.detail] += 1
        if group.count <= SHRUNK_EACH:
            group.take(*shrink(statements, found, self.differs))

    def report(self, programs, seconds):
        rank = {kind: at for at, kind in enumerate(KINDS)}
        groups = sorted(self.groups.values(), key=lambda group: (rank[group.kind], -group.count))
        lines = [
            f"{programs} programs in {seconds:.0f} s with PyTorch {torch.__version__}: {self.raised} raise, "
            f"{self.differed} differ in {len(groups)} groups"
        ]
        for reason, count in sorted(self.known.items()):
            lines.append(f"  {count:6} known: {reason}")
        lines += [group.title() for group in groups]
        for group in groups:
            code, found = group.best
            lines += ["", f"== {group.title().strip()}", code.rstrip()]
            lines += [f"  PyTorch  {found.name} {found.expected[:700]}", f"  engine   {found.name} {found.got[:700]}"]
        return "\n".join(lines) + "\n"

    def save(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        for at, group in enumerate(self.groups.values()):
            code, found = group.best
            head = f"# {group.title().strip()}\n# PyTorch {found.expected!r}\n# engine {found.got!r}\n"
            (folder / f"{at:04}.py").write_text(head + code)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", required=True, help="the fuzz_torch_driver")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", type=int, default=20000)
    parser.add_argument("--only", metavar="REGEX", help="statements with such a label only: 'setitem', 'pow'")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="write each shrunk program to a file of its own")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    engine = Engine(options.engine)
    fuzz = Fuzz(engine)
    table = op_table(options.engine)
    # Gradients are asked for where the engine has them.
    gradients = "error" not in engine.run("x = torch.ones(2, requires_grad=True)\nx.sum().backward()\ng = x.grad\n")
    start = time.monotonic()
    for at in range(options.programs):
        # A generator for each program: a seed and a number name it for good.
        generator = Generator(random.Random(f"{options.seed}/{at}"), table, options.only, gradients)
        fuzz.program(generator.program())
    engine.close()
    print(fuzz.report(options.programs, time.monotonic() - start), end="")
    if options.keep:
        fuzz.save(options.keep)
    return 1 if fuzz.differed else 0


if __name__ == "__main__":
    sys.exit(main())
