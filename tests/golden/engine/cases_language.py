# SPDX-License-Identifier: Apache-2.0
"""Python itself, as far as mask code writes it."""

from case_list import Cases

cases = Cases("language", rtol=1e-15, atol=0.0)

EXPRESSIONS = """
(7 // 2, -7 // 2, 7 // -2, -7 % 3, 7 % -3, -7.5 // 2, -7.5 % 2, 7.5 % -2, 2 ** 10, 2 ** -1, -2 ** 2, 0 ** 0)
(1 / 2, 4 / 2, 1e3, 1_000, 0x1f, 0b101, 0o17, 1e-5, .5, 5., True + True, 3 - 2.5)
(round(0.5), round(1.5), round(2.5), round(-0.5), round(2.675, 2), round(1234, -2), round(1.25, 1), round(3), round(2.0))
(int(2.9), int(-2.9), int('12'), int(True), float(3), float('1e3'), float('inf'), float('-inf'), bool(0), bool(''), bool([0]), str(1.0), str(None))
(abs(-3), abs(-2.5), min(3, 1, 2), max([4, 9, 2]), sum([1, 2, 3]), sum([0.5, 1]), sum([1], 10), sum([[1], [2]], []), min((2, 1), key=lambda v: -v))
(1 < 2 < 3, 1 < 3 < 2, 1 == 1.0, 1 != 2 != 1, 3 > 2 >= 2, not 1 < 2, 'a' < 'b', [1, 2] < [1, 3], (1, 2) == (1, 2), [1] == (1,))
(1 and 2, 0 and 2, 0 or 3, None or 'x', not [], not not 5, 1 or 1 / 0, 0 and 1 / 0)
(None is None, None is not None, 1 in [1, 2], 3 not in (1, 2), 'a' in {'a': 1}, 'b' in 'abc', 2 in range(0, 10, 2), 3 in range(0, 10, 2))
('yes' if 1 > 0 else 'no', 'a' if False else 'b' if False else 'c')
([1, 2] + [3], [0] * 3, (1,) * 2, (1, 2) + (3,), 'ab' * 2, 'a' + 'b', [[0] * 2 for _ in range(2)], 2 * [1])
(len([1, 2]), len('abc'), len({}), len((1,)), len(range(5)), len(range(0, 10, 3)), len(range(5, 0)))
([1, 2, 3][0], [1, 2, 3][-1], (1, 2, 3)[1:], [1, 2, 3][::-1], [1, 2, 3, 4][::2], 'hello'[1:3], [1, 2, 3][5:], 'abc'[-1], [1, 2, 3][-2:])
(list(range(5)), list(range(2, 5)), list(range(5, 0, -2)), list(range(0)), [*range(3)], tuple(range(2)), list('ab'))
(list(enumerate(['a', 'b'])), list(enumerate([5], 1)), list(zip([1, 2], 'ab')), list(zip([1, 2, 3], [4, 5])), list(reversed([1, 2])), list(zip()))
(sorted([3, 1, 2]), sorted([3, 1, 2], reverse=True), sorted(['bb', 'a'], key=len), sorted([(1, 'b'), (0, 'c')]), sorted({'b': 1, 'a': 2}), sorted((2, 1)))
([x * 2 for x in range(3)], [x for x in range(6) if x % 2], [(i, j) for i in range(2) for j in range(2)], [[c for c in r] for r in ['ab', 'c']], [x for x in range(9) if x > 2 if x < 6])
({k: v for k, v in zip('ab', [1, 2])}, {x: x ** 2 for x in range(3)}, dict(a=1, b=2), dict([('x', 1)]), {**{'a': 1}, 'b': 2}, {'a': 1, 'a': 2})
(sum(x for x in range(4)), max(x % 3 for x in range(5)), any(x > 2 for x in [1, 2]), all(x for x in [1, 1]), list(x + 1 for x in range(2)), tuple(v for v in (1, 2)))
(any([]), all([]), any([0, '', None]), all([1, 'a']), sum([]), max(1, 2.5), min([True, False]))
(isinstance(1, int), isinstance(True, int), isinstance(1.0, (int, float)), isinstance('a', str), isinstance([1], list), isinstance((1,), tuple), isinstance(None, int), isinstance({}, dict), isinstance(True, bool))
(isinstance(torch.zeros(1), torch.Tensor), isinstance(1, torch.Tensor), isinstance(torch.zeros(1), (int, torch.Tensor)), isinstance(torch.float32, torch.dtype), isinstance(torch.zeros(1).shape, tuple))
(lambda x, y=2: x * y)(3)
[f(2) for f in [lambda v: v + 1, lambda v: v * 10]]
(lambda *a, **k: (a, k))(1, 2, b=3)
(math.pi, math.inf, -math.inf, math.e, math.nan)
(math.sqrt(2), math.log(10), math.exp(1), math.ceil(1.2), math.floor(-1.2), math.log2(8), math.log(8, 2), math.log10(1000), math.pow(2, 3), math.sin(1.0), math.cos(1), math.tanh(0.5))
(math.isnan(float('nan')), math.isinf(1.0), math.prod([2, 3, 4]), math.gcd(12, 18), math.floor(3), math.ceil(-0.5), math.fabs(-2), math.isfinite(1), math.isclose(0.1 + 0.2, 0.3))
(0.1 + 0.2, 1e16 + 1, 1 / 3, 2 / 3 * 3, 10 ** 15, 1e22, 1.5e-7, 123456789.123)
(5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 4, 256 >> 3, True & False, True | 0, True ^ True)
('abc'.upper(), 'A-B'.lower(), 'a,b'.split(','), '-'.join(['x', 'y']), ' s '.strip(), 'abc'.startswith('ab'), 'abc'.replace('b', 'x'), 'a{}c'.format(1))
({'a': 1}.get('a'), {'a': 1}.get('b'), {'a': 1}.get('b', 5), list({'a': 1, 'b': 2}.keys()), list({'a': 1}.values()), list({'a': 1, 'b': 2}.items()))
(type(1) == int, type(1.0) is float, type('a') == type('b'), type(True) == int)
(str([1, 2.0, 'a', None, True]), str((1,)), str({'a': [1]}), str('x'), str(()), repr('a'), str([0.1, 1e20, float('nan'), -0.0]), str({1: (2, 3)}))
(not torch.tensor(0), bool(torch.tensor([[5]])), 1 if torch.tensor(0.0) else 2, torch.tensor(3) > 2 and 'yes')
(1 if torch.tensor([1, 2]).sum() > 2 else 0, [1, 2][torch.tensor(1)], range(5)[torch.tensor(2)], 'abc'[torch.tensor(0)], list(range(torch.tensor(3))))
[x for x in (lambda: (yield_ for yield_ in [1, 2]))()]
(int('-5'), float(' 2.5 '), int(1e9), float('nan') == float('nan'), float('nan') != float('nan'), math.inf > 1e308, -0.0 == 0.0)
(divmod(7, 2), divmod(-7, 2), pow(2, 5), pow(2, 5, 7), hash(1) == hash(1.0))
(set([1, 2, 2]) == {1, 2}, len({1, 1, 2}), 1 in {1, 2}, sorted({3, 1}))
(list(map(lambda v: v + 1, [1, 2])), list(filter(lambda v: v > 1, [1, 2])), callable(len))
(*range(3), 4)
[*[1, 2], *(3, 4)]
('a' 'b', 'it''s', "x\\ty", r'\\n', '''t''', len('\\n'))
""".strip().splitlines()
DROPPED = ("yield_", "divmod", "set(", "map(", "math.isclose")
cases.each("expression", "", [text for text in EXPRESSIONS if not any(word in text for word in DROPPED)])

FORMATS = """
f'{3.14159:.2f} {2:5d}| {7:03d} {1e-5:.1e} {0.5:.0%} {12.5:8.3f}| {12.5:<8.1f}| {3:>4}|'
f'{1/3} {1e20} {1e-7} {100000.0} {1e16} {123456789.0} {float("nan")} {-0.0} {2.0}'
f'{"a":>3}|{"b":<3}|{"c":^3}|{"d":*^5}|{True}|{None}|{[1, 2]}|{(1,)}|{1,}'
f'{10:x} {10:b} {255:#x} {1000000:,} {3.0:g} {1e10:g} {0.0001:g} {0.00001:g} {123456789:g} {2.5:+.1f} {-3:+d}'
f'{{literal}} {1 + 1} {"nested " + str(2)} {max(1, 2)!r} {"q"!r} {3!s}'
f'{torch.tensor(1.5).item():.3f} {torch.tensor(3).item()} {torch.tensor([1.0, 2.0]).mean().item():.2f}'
f'{torch.tensor(1.5)} {torch.tensor(3)} {torch.tensor([1, 2])} {torch.tensor(True)}'
f'{torch.tensor(1.23456):.2f} {torch.tensor(7):d} {torch.tensor(0.5):.0%} {torch.tensor(2.0):6.1f}|'
f'{torch.tensor([1.0]):.2f}'
f'{torch.zeros(2, 3).shape} {tuple(torch.zeros(2).shape)} {torch.float32} {torch.zeros(1).dtype} {list(torch.zeros(2, 1).shape)}'
f'{(lambda x: x * 2)(3)} {[i for i in range(3)]} { {"a": 1}["a"] }'
f'{5:{4}d}|{2.5:.{1 + 1}f}|{"x":>{3}}|'
f'{0.1 + 0.2:.17f} {2.5:.0f} {3.5:.0f} {1.005:.2f} {99.995:.2f} {1e100:.3e}'
f"{1=} {2 + 3=}"
f'{3.7:d}'
f'{"a":d}'
f'{1:.2q}'
'%.2f %d %s' % (1.234, 5, 'x')
'{:.1f} {} {name}'.format(1.25, 'b', name=3)
""".strip().splitlines()
cases.each("format", "", FORMATS)

ERRORS = """
undefined_name
undefined_name + 1
[1, 2][5]
(1, 2)[2]
'abc'[7]
{'a': 1}['b']
{1: 2}[(3, 4)]
1 / 0
1 // 0
1 % 0
1.0 / 0
1.5 // 0
0 ** -1
1 + 'a'
'a' + 1
[1] + (2,)
[1] + 1
'a' * 1.5
None + 1
1 - None
-'a'
'a' < 1
[1] < 1
None > 0
len(5)
len(None)
int('abc')
int('1.5')
int(None)
int([1])
float('x')
float([])
int(float('nan'))
int(float('inf'))
range(1.5)
list(5)
sum(5)
sum(['a'])
min()
max(1, 'a')
sorted([1, 'a'])
zip(1, 2) and 1
enumerate(3) and 1
[x for x in 5]
[a for a, b in [(1, 2, 3)]]
(lambda x: x)()
(lambda x: x)(1, 2)
(lambda x: x)(1, x=2)
(lambda x: x)(y=2)
(lambda x, y: x)(1)
(lambda x, y, z: x)()
5()
'a'()
(1, 2).append(3)
[1].push(2)
'a'.foo
(5).foo
None.shape
{'a': 1}.a
None[0]
5[0]
[1, 2]['a']
[1, 2][1.0]
(1, 2)['a']
{[1]: 2}
{'a': 1}[[1]]
1 in 5
'a' in 5
1 in 'abc'
math.sqrt(-1)
math.log(0)
math.sqrt('a')
math.exp(1000)
math.floor('a')
math.ceil(float('inf'))
round('a')
abs('a')
isinstance(1, 2)
[1, 2, 3][::0]
range(0, 5, 0)
1 if undefined else 2
~1.5
1 & 1.5
1 << -1
2.0 << 1
f'{undefined}'
torch.tensor([1, 2]) if torch.tensor([True, False]) else 0
[1, 2][torch.tensor([0, 1])]
list(torch.tensor(3))
range(torch.tensor(2.5))
""".strip().splitlines()
cases.each("error", "", ERRORS)
