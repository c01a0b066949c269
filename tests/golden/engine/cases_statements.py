# SPDX-License-Identifier: Apache-2.0
"""Statements of Python: branches, loops, unpacking, assignment, lists and dicts."""

from case_list import Cases

cases = Cases("statements", rtol=1e-15, atol=0.0)

PROGRAMS = {
    "if_elif_else": """
        def sign(v):
            if v > 0:
                return 'plus'
            elif v < 0:
                return 'minus'
            else:
                return 'zero'
        out = [sign(v) for v in (3, -1, 0)]
    """,
    "while_break_continue": """
        n, seen = 0, []
        while True:
            n += 1
            if n % 2:
                continue
            if n > 8:
                break
            seen.append(n)
        out = (n, seen)
    """,
    "while_else": "n = 3\nwhile n:\n    n -= 1\nelse:\n    n = 'done'\nout = n",
    "for_else": """
        r = []
        for t in (2, 9):
            for i in range(5):
                if i == t:
                    r.append('found')
                    break
            else:
                r.append('missed')
        out = r
    """,
    "for_keeps_its_name": "for i in range(3):\n    pass\nout = i",
    "nested_break": """
        c = 0
        for i in range(3):
            for j in range(3):
                if j > i:
                    break
                c += 1
        out = c
    """,
    "for_over_dict": """
        d = {'a': 1, 'b': 2}
        k = []
        for name in d:
            k.append(name)
        for name, v in d.items():
            k.append((name, v))
        out = k
    """,
    "for_over_enumerate_zip": """
        r = []
        for i, (a, b) in enumerate(zip([1, 2], 'xy'), start=1):
            r.append((i, a, b))
        out = r
    """,
    "for_over_tensor": """
        total = 0
        for row in torch.arange(6).view(2, 3):
            for v in row:
                total = total + v
        out = (total, row)
    """,
    "for_changes_list": "x = [1, 2, 3]\nfor i, v in enumerate(x):\n    x[i] = v * v\nout = x",
    "unpacking": """
        a, b = 1, 2
        (c, d), e = [3, 4], 5
        [f, g] = 'xy'
        a, b = b, a
        h = i = 7
        out = (a, b, c, d, e, f, g, h, i)
    """,
    "star_unpacking": """
        a, *b = [1, 2, 3]
        *c, d = (1, 2, 3)
        e, *f, g = range(5)
        h, *k = [1]
        out = (a, b, c, d, e, f, g, h, k)
    """,
    "unpack_shape": """
        B, T, D = torch.zeros(2, 3, 4).shape
        *lead, last = torch.zeros(2, 3, 4).shape
        out = (B, T, D, lead, last)
    """,
    "unpack_tensor": "a, b = torch.tensor([[1, 2], [3, 4]])\nx, y = torch.tensor([5, 6])\nout = (a, b, x, y)",
    "unpack_max": "values, indices = torch.tensor([[1.0, 5.0], [7.0, 2.0]]).max(dim=1)\nout = (values, indices)",
    "unpack_too_few": "a, b, c = [1, 2]\nout = a",
    "unpack_too_many": "a, b = [1, 2, 3]\nout = a",
    "unpack_star_too_few": "a, b, *c = [1]\nout = a",
    "unpack_not_iterable": "a, b = 5\nout = a",
    "unpack_none": "a, b = None\nout = a",
    "unpack_tensor_wrong": "a, b = torch.zeros(3)\nout = a",
    "unpack_zero_dim_tensor": "a, b = torch.tensor(1)\nout = a",
    "augmented": """
        a = 5
        a += 2
        a -= 1
        a *= 3
        a //= 2
        a **= 2
        a %= 50
        b = 7.0
        b /= 2
        c = [1]
        c += (2,)
        d = 'x'
        d *= 3
        e = 6
        e |= 1
        e &= 5
        e ^= 2
        e <<= 2
        e >>= 1
        out = (a, b, c, d, e)
    """,
    "augmented_on_items": "d = {'n': 1}\nd['n'] += 4\nx = [1, 2]\nx[0] *= 10\nx[-1] -= 1\nout = (d, x)",
    "augmented_evaluates_once": """
        calls = []
        def at():
            calls.append(1)
            return 0
        x = [5]
        x[at()] += 1
        out = (x, len(calls))
    """,
    "lists_are_shared": "a = [1]\nb = a\nb.append(2)\nc = a + [3]\nc.append(4)\nout = (a, c, a is b)",
    "rows_shared_by_repetition": "g = [[0] * 2] * 2\ng[0][0] = 1\nout = g",
    "list_methods": """
        x = [3, 1, 2]
        x.append(4)
        x.extend([5, 6])
        x.insert(0, 9)
        p = x.pop()
        q = x.pop(0)
        x.remove(1)
        x.sort()
        x.reverse()
        out = (x, p, q, x.index(4), x.count(2), x.copy() == x)
    """,
    "list_slice_assignment": "x = [1, 2, 3, 4]\nx[1:3] = [9]\nx[0] = 7\ndel x[-1]\nout = x",
    "dict_methods": """
        d = {'a': 1}
        d['b'] = 2
        d.update(c=3)
        d.update({'a': 9})
        p = d.pop('b')
        s = d.setdefault('z', 5)
        out = (d, p, s, list(d), len(d), 'a' in d, d.get('q'))
    """,
    "dict_of_tensors": "d = {}\nfor n in (1, 2):\n    d[n] = torch.full((n,), n)\nout = d",
    "dict_delete": "d = {'a': 1, 'b': 2}\ndel d['a']\nout = d",
    "delete_name": "x = 1\ndel x\nout = x",
    "delete_missing_key": "d = {}\ndel d['a']\nout = d",
    "pop_empty": "x = []\nx.pop()\nout = x",
    "list_remove_missing": "x = [1]\nx.remove(5)\nout = x",
    "set_item_out_of_range": "x = [1]\nx[3] = 0\nout = x",
    "set_item_of_tuple": "x = (1, 2)\nx[0] = 3\nout = x",
    "set_item_of_str": "x = 'ab'\nx[0] = 'c'\nout = x",
    "set_item_of_int": "x = 5\nx[0] = 3\nout = x",
    "several_on_a_line": "a = 1; b = 2; c = a + b\nif c > 2: d = 'big'\nelse: d = 'small'\nout = (c, d)",
    "continued_lines": """
        a = (1 +
             2)
        b = [
            1,
            2,
        ]
        c = 1 + \\
            2
        out = (a, b, c, sum(
            b,
        ))
    """,
    "print_forms": """
        print()
        print(1, 2.5, 'a', None, True)
        print('a', 'b', sep='-')
        print('x', end='!')
        print([1, 'b'], (2,), {'k': 0.5})
        print(torch.float32, torch.Size([2, 3]), math.inf)
        out = None
    """,
    "pass_and_ellipsis": "def f():\n    ...\nfor _ in range(2):\n    pass\nout = f()",
    "chained_assignment_tensor": "a = b = torch.zeros(2)\na[0] = 1\nout = b",
    "conditional_tensor": """
        x = torch.tensor([1.0, -1.0])
        if x.sum() == 0:
            y = 'zero'
        else:
            y = 'other'
        out = y
    """,
    "condition_ambiguous": "x = torch.tensor([1.0, -1.0])\nif x > 0:\n    y = 1\nout = 0",
    "while_tensor": "x = torch.tensor(5)\nn = 0\nwhile x > 0:\n    x = x - 2\n    n += 1\nout = (n, x)",
    "zip_shapes": "a, b = torch.zeros(2, 1), torch.zeros(1, 3)\nout = [max(p, q) for p, q in zip(a.shape, b.shape)]",
    "string_building": """
        rows = []
        for r in [[1, 0], [0, 1]]:
            rows.append(''.join('#' if v else '.' for v in r))
        out = '\\n'.join(rows)
    """,
    "name_used_before": "y = x + 1\nx = 1\nout = y",
    "unbound_after_false_if": "if False:\n    x = 1\nout = x",
    "int_is_64_bit_here": "out = (2 ** 62, -(2 ** 62), 9223372036854775807)",
    "in_with_tensor_list": "x = [1, 2]\nout = (1 in x, 5 in x, [1, 2] in [[1, 2]])",
    "conditional_expression_is_lazy": "out = 1 if True else undefined_thing",
    "and_or_are_lazy": "x = None\nout = (x is not None and x.shape, x is None or x.shape)",
    "slice_object": """
        s = slice(1, None, 2)
        out = (torch.arange(6)[s], [0, 1, 2, 3][s], torch.arange(9).view(3, 3)[:, slice(0, 2)])
    """,
}
for name, code in PROGRAMS.items():
    cases.program(name, code)
