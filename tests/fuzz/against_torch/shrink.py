# SPDX-License-Identifier: Apache-2.0
"""Makes a program that differs small: the shortest beginning, then without every statement that does not matter."""


def code_of(statements):
    return "\n".join(statement.text for statement in statements) + "\n"


def first_difference(statements, differs):
    """The shortest beginning that differs: its last statement is to blame. (statements, difference) or None."""
    for count in range(1, len(statements) + 1):
        found = differs(statements[:count])
        if found:
            return statements[:count], found
    return None


def shrink(statements, found, differs):
    """Drops statements while the last one goes wrong in the same way."""
    at = len(statements) - 2
    while at >= 0:
        shorter = statements[:at] + statements[at + 1 :]
        again = differs(shorter)
        if again and (again.kind, again.detail) == (found.kind, found.detail):
            statements, found = shorter, again
        at -= 1
    return statements, found
