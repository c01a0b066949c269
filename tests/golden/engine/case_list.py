# SPDX-License-Identifier: Apache-2.0
"""The list that a cases_<group>.py fills."""

import re
import textwrap


def statements_for(text, bindings):
    """Of {name: statement}, the statements whose names the text uses."""
    used = set(re.findall(r"(?<![\w.'\"])[A-Za-z_]\w*", text))
    return "\n".join(statement for name, statement in bindings.items() if name in used)


class Cases:
    """Cases of one group; `defaults` (rtol, atol) hold for each case that does not set its own."""

    def __init__(self, group, **defaults):
        self.group = group
        self.defaults = defaults
        self.cases = []
        self.names = set()

    def program(self, name, code, **attributes):
        """A program that binds `out` itself."""
        if name in self.names:
            raise ValueError(f"{self.group}/{name} is there twice")
        self.names.add(name)
        code = textwrap.dedent(code).strip()
        self.cases.append({"name": f"{self.group}/{name}", "code": code, **self.defaults, **attributes})

    def add(self, name, expression, setup="", **attributes):
        """One expression, after the statements of `setup`."""
        setup = textwrap.dedent(setup).strip()
        code = f"out = {expression.strip()}"
        self.program(name, f"{setup}\n{code}" if setup else code, **attributes)

    def each(self, prefix, setup, expressions, **attributes):
        """prefix_1, prefix_2, ...: one expression each, all after the same statements."""
        for number, expression in enumerate(expressions, 1):
            self.add(f"{prefix}_{number}", expression, setup, **attributes)

    def families(self, bindings, families):
        """{family: expressions, one a line}, each after the bindings that it needs."""
        for family, text in families.items():
            for number, expression in enumerate(text.strip().splitlines(), 1):
                self.add(f"{family}_{number}", expression, statements_for(expression, bindings))
