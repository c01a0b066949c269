# SPDX-License-Identifier: Apache-2.0
"""Functions of Python: parameters, closures, scopes, and what ends a program early."""

from case_list import Cases

cases = Cases("functions", rtol=1e-15, atol=0.0)

PROGRAMS = {
    "def_defaults_and_keywords": """
        def f(a, b=2, *, c=3):
            return (a, b, c)
        out = (f(1), f(1, 5), f(1, c=9), f(b=0, a=7))
    """,
    "def_args_kwargs": """
        def f(a, *args, k=1, **kwargs):
            return (a, args, k, kwargs)
        out = (f(1), f(1, 2, 3), f(1, k=5, z=6), f(*[1, 2], **{'k': 3, 'y': 4}))
    """,
    "kwargs_passed_through": """
        def inner(x, mask=None, scale=1.0):
            return x * scale if mask is None else x.masked_fill(mask, 0) * scale
        def outer(*args, **kwargs):
            return inner(*args, **kwargs)
        x = torch.ones(2)
        out = (outer(x), outer(x, mask=torch.tensor([True, False]), scale=3.0))
    """,
    "def_missing_argument": "def f(a, b):\n    return a\nout = f(1)",
    "def_missing_two": "def f(a, b, c):\n    return a\nout = f(1)",
    "def_missing_three": "def f(a, b, c, d):\n    return a\nout = f(1)",
    "def_missing_keyword_only": "def f(a, *, b):\n    return a\nout = f(1)",
    "def_too_many": "def f(a):\n    return a\nout = f(1, 2)",
    "def_too_many_with_default": "def f(a, b=1):\n    return a\nout = f(1, 2, 3)",
    "def_takes_none": "def f():\n    return 1\nout = f(1)",
    "def_unexpected_keyword": "def f(a):\n    return a\nout = f(1, b=2)",
    "def_multiple_values": "def f(a):\n    return a\nout = f(1, a=2)",
    "def_returns_none": "def f():\n    pass\ndef g():\n    return\nout = (f(), g())",
    "def_early_return": """
        def f(x):
            for i in range(10):
                if i * i > x:
                    return i
            return -1
        out = (f(20), f(1000))
    """,
    "def_default_is_shared": "def f(x, seen=[]):\n    seen.append(x)\n    return seen\nf(1)\nout = f(2)",
    "default_taken_at_definition": "n = 1\ndef f(x=n):\n    return x\nn = 2\nout = f()",
    "closure_sees_changes": "n = 1\ndef f():\n    return n\nn = 2\nout = f()",
    "closure_counter": """
        def make():
            state = {'n': 0}
            def step():
                state['n'] += 1
                return state['n']
            return step
        a, b = make(), make()
        a()
        out = (a(), b())
    """,
    "nonlocal": """
        def make():
            n = 0
            def step():
                nonlocal n
                n += 1
                return n
            return step
        s = make()
        s()
        out = s()
    """,
    "global_statement": "n = 0\ndef bump():\n    global n\n    n += 1\nbump()\nbump()\nout = n",
    "closure_of_mask_functions": """
        def causal(b, h, q, k):
            return q >= k
        def both(*fs):
            def mask(b, h, q, k):
                m = fs[0](b, h, q, k)
                for f in fs[1:]:
                    m = m & f(b, h, q, k)
                return m
            return mask
        q = torch.arange(3)[:, None]
        k = torch.arange(3)[None]
        out = both(causal, lambda b, h, q, k: q - k < 2)(0, 0, q, k)
    """,
    "late_binding": """
        fs = [lambda: i for i in range(3)]
        gs = [lambda i=i: i for i in range(3)]
        out = ([f() for f in fs], [g() for g in gs])
    """,
    "local_before_assignment": "n = 1\ndef f():\n    m = n\n    n = 2\n    return m\nout = f()",
    "local_is_not_global": "n = 1\ndef f():\n    n = 5\n    return n\nout = (f(), n)",
    "recursion": "def fact(n):\n    return 1 if n <= 1 else n * fact(n - 1)\nout = [fact(n) for n in range(8)]",
    "comprehension_scope": "i = 'kept'\nx = [i for i in range(3)]\nout = (i, x)",
    "comprehension_sees_local": "def f(k):\n    return [k * v for v in range(3)]\nout = f(4)",
    "type_hints": """
        from typing import Optional, List
        def f(x: torch.Tensor, n: int = 2, m: Optional[List[int]] = None) -> torch.Tensor:
            y: torch.Tensor = x * n
            return y
        z: int = 3
        out = f(torch.ones(2), z)
    """,
    "imports": """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F
        import math
        from math import sqrt, pi
        from torch import Tensor
        out = (sqrt(4), pi, F.relu(torch.tensor(-1.0)), isinstance(torch.ones(1), Tensor))
    """,
    "docstrings_and_comments": "'''module words'''\ndef f(x):\n    \"\"\"What it does.\n\n    Second line.\n    \"\"\"\n    return x  # a comment\n# another\nout = f(1)  # last",
    "assert_holds": "x = torch.ones(2, 3)\nassert x.shape == (2, 3), 'shape'\nassert x.dim() == 2\nout = 'fine'",
    "assert_fails": "assert 1 > 2\nout = 0",
    "assert_fails_with_text": "x = torch.ones(2)\nassert x.dim() == 2, f'expected 2 dims, got {x.dim()}'\nout = 0",
    "assert_of_tensor": """
        assert torch.tensor([True, False]).any()
        assert (torch.ones(2) == 1).all(), 'not one'
        out = 1
    """,
    "raise_value_error": """
        def check(n):
            if n < 0:
                raise ValueError(f'n must not be negative: {n}')
            return n
        out = check(-1)
    """,
    "raise_bare_class": "raise NotImplementedError\nout = 0",
    "raise_runtime_error": "raise RuntimeError('stop', 2)\nout = 0",
    "raise_in_function_keeps_print": """
        print('before')
        def f():
            print('in')
            raise TypeError('bad')
        f()
        print('after')
        out = 0
    """,
    "star_args_order": "def f(*args):\n    return args[::-1]\nout = f(*[1], 2, *(3, 4))",
    "conditional_definition": """
        if True:
            def f():
                return 'a'
        else:
            def f():
                return 'b'
        out = f()
    """,
    "function_as_value": """
        table = {'sum': torch.sum, 'mean': lambda t: t.mean()}
        x = torch.tensor([1.0, 3.0])
        out = {name: f(x) for name, f in table.items()}
    """,
    "method_as_value": """
        x = torch.tensor([1.0, 3.0])
        f = x.sum
        g = F.softmax
        out = (f(), g(x, 0), torch.add(*[x, 1]))
    """,
    "builtin_shadowed": "max = 3\nlist = [1]\nout = (max, list)",
    "generator_in_call": "x = torch.arange(6)\nout = torch.stack(tuple(x[i : i + 2] for i in range(0, 6, 2)))",
    "multi_return": """
        def f(x):
            return x.min(), x.max(), x.shape
        lo, hi, s = f(torch.tensor([3, 1, 2]))
        out = (lo, hi, s)
    """,
    "keyword_only_default_none": """
        def f(x, *, mask=None, fill=-1.0):
            if mask is not None:
                x = x.masked_fill(mask, fill)
            return x
        out = (f(torch.ones(2)), f(torch.ones(2), mask=torch.tensor([False, True])))
    """,
}
for name, code in PROGRAMS.items():
    cases.program(name, code)
