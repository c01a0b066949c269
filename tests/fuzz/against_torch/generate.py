# SPDX-License-Identifier: Apache-2.0
"""Random programs. Each statement is run by PyTorch as it is made, so that the next one knows the tensors it has."""

import contextlib
import io
import re
from dataclasses import dataclass

import arguments
import indices
import pieces
import recipes
import recipes_nn
import shapes_of_code
import torch
from arguments import Scope
from sides import fresh_names

RECIPES = recipes.RECIPES | recipes_nn.RECIPES
FUNCTION, METHOD, IN_PLACE, FUNCTIONAL, PROPERTY = 1, 2, 4, 8, 16
FORMS = {FUNCTION: "function", METHOD: "method", IN_PLACE: "in place", FUNCTIONAL: "functional", PROPERTY: "property"}
# Random numbers of our own sequence, memory as it was found, addresses, the clock.
NOT_THE_SAME_TWICE = {
    "empty", "empty_like", "new_empty", "data_ptr", "seed", "initial_seed", "bernoulli", "multinomial", "normal",
    "exponential", "random", "uniform", "rand_like", "randn_like", "randint_like", "cuda", "numpy", "_version", "_base",
    "from_numpy", "grad", "get_device", "complex", "is_cuda", "layout", "manual_seed",
    "set_default_dtype",
}  # fmt: skip
SEEDED = {"rand", "randn", "randint", "randperm"}
# Their halves are compared loosely, and what is made of them would not be.
LOOSE = re.compile("attention|softmax|logsumexp|loss|entropy|norm|matmul|mm|linear")
LARGEST = 600
ERRORS_KEPT = 0.25
BINARY = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "@", "<<", ">>"]
AUGMENTED = ["+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>="]


@dataclass
class Statement:
    text: str
    label: str


def overlaps_itself(tensor):
    """As windows do: PyTorch lets such a tensor be written, in the order that its kernel happens to have."""
    if 0 in tensor.stride() or tensor.numel() < 2:
        return False
    places = {0}
    for size, stride in zip(tensor.shape, tensor.stride()):
        places = {place + stride * at for place in places for at in range(size)}
    return len(places) < tensor.numel()


class Generator:
    def __init__(self, rng, table, only, gradients=False):
        self.rng = rng
        self.gradients = gradients
        self.only = re.compile(only) if only else None
        self.calls = [
            (spec["name"], form, overload["signature"])
            for spec in table
            if spec["name"] not in NOT_THE_SAME_TWICE and (spec["name"][0] != "_" or spec["name"][1] == "_")
            for overload in spec["overloads"]
            for form in FORMS
            if overload["forms"] & form and "Generator generator" not in overload["signature"]
        ]
        self.by_name = {}
        for call in self.calls:
            self.by_name.setdefault(call[0], []).append(call)
        self.names = sorted(self.by_name)
        ways = [
            (38, self.any_call), (12, self.favourite), (14, self.operator), (12, self.getitem), (11, self.setitem),
            (5, self.augmented), (5, self.attention), (5, self.flow), (4, self.view_of), (2, self.number),
            (4 if gradients else 0, self.backward),
        ]  # fmt: skip
        self.weights = [weight for weight, _ in ways]
        self.ways = [way for _, way in ways]

    def program(self):
        """A list of statements, and the text of the error that ends it or None."""
        rng = self.rng
        self.names_now = fresh_names()
        self.count = 0
        statements = []
        for _ in range(rng.randint(1, 3)):
            kind = pieces.dtype(rng)
            leaf = ".requires_grad_()" if kind in pieces.FLOATS and rng.random() < 0.12 else ""
            text = f"{self.new_name()} = {pieces.tensor(rng, None, kind)}{leaf}"
            self.keep(statements, Statement(text, "tensor"))
            if rng.random() < 0.35:
                self.keep(statements, self.view_of())
        for _ in range(rng.randint(1, 9)):
            made = self.statement()
            if any(self.keep(statements, statement) for statement in made):
                break
        return statements

    def statement(self):
        for _ in range(40):
            scope = self.scope()
            if not scope.tensors:
                return []
            made = self.rng.choices(self.ways, self.weights)[0]() or []
            made = made if isinstance(made, list) else [made]
            if made and (self.only is None or self.only.search(made[-1].label)):
                return made
        return []

    def keep(self, statements, statement):
        """Runs the statement and adds it, if it is worth it. True when it raised and ends the program."""
        if statement is None:
            return False
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(statement.text, "script", "exec"), self.names_now)
        except Exception:
            if self.rng.random() < ERRORS_KEPT:
                statements.append(statement)
                return True
            return False
        if self.writes_what_it_reads(statement):
            return False
        for name, value in list(self.names_now.items()):
            if isinstance(value, torch.Tensor) and (value.numel() > LARGEST or value.dtype.is_complex):
                del self.names_now[name]
                return False
        statements.append(statement)
        return bool(LOOSE.search(statement.label)) and any(
            isinstance(value, torch.Tensor) and value.dtype in (torch.float16, torch.bfloat16)
            for value in list(self.names_now.values())[-1:]
        )

    def writes_what_it_reads(self, statement):
        """Through another view and without a refusal: then the result shows the order of the kernel's writes."""
        if not re.search("in place|augmented|setitem", statement.label):
            return False
        tensors = [self.names_now.get(name) for name in set(re.findall(r"\bv\d+\b", statement.text))]
        tensors = [value for value in tensors if isinstance(value, torch.Tensor)]
        storages = [value.untyped_storage().data_ptr() for value in tensors if value.numel()]
        places = {(value.data_ptr(), value.shape, value.stride()) for value in tensors if value.numel()}
        return len(set(storages)) < len(storages) and len(places) > 1

    def scope(self):
        tensors = {
            name: value
            for name, value in self.names_now.items()
            if isinstance(value, torch.Tensor) and len(name) < 4
        }
        return Scope(self.rng, tensors)

    def new_name(self):
        self.count += 1
        return f"v{self.count}"

    def a_tensor(self, to_write=False):
        scope = self.scope()
        return scope, scope.named(lambda tensor: not to_write or not overlaps_itself(tensor))

    def view_of(self):
        scope, name = self.a_tensor()
        if name is None:
            return None
        text = pieces.seen_strangely(self.rng, name, scope.sizes(name))
        return Statement(f"{self.new_name()} = {text}", "view: " + re.sub(r"\d+", "N", text.replace(name, "x")))

    def any_call(self):
        return self.call(self.rng.choice(self.names))

    def favourite(self):
        return self.call(self.rng.choice(shapes_of_code.FAVOURITES))

    def call(self, name):
        rng = self.rng
        if name not in self.by_name:
            return None
        _, form, signature = rng.choice(self.by_name[name])
        parameters = arguments.parse(signature)
        scope, first = self.a_tensor(to_write=form == IN_PLACE)
        if first is None:
            return None
        recipe = RECIPES[name](scope, first, parameters) if name in RECIPES and len(parameters) > 1 else {}
        label = f"{name} ({FORMS[form]})"
        if form == PROPERTY:
            return Statement(f"{self.new_name()} = {first}.{name}", label)
        method = form in (METHOD, IN_PLACE)
        if not method and parameters and parameters[0].type == "Tensor" and parameters[0].name not in recipe:
            recipe[parameters[0].name] = first
        sizes = scope.sizes(first)
        chosen = arguments.choose(scope, parameters[1:] if method else parameters, sizes, recipe)
        text = arguments.written_out(rng, parameters, chosen, method)
        if form == IN_PLACE:
            target = f"{self.new_name()} = " if rng.random() < 0.3 else ""
            return Statement(f"{target}{first}.{name}_({text})", label)
        before = {FUNCTION: "torch.", FUNCTIONAL: "F."}.get(form, f"{first}.")
        seed = f"torch.manual_seed({rng.randint(0, 5)})\n" if name in SEEDED else ""
        return Statement(f"{seed}{self.new_name()} = {before}{name}({text})", label)

    def operand(self, scope, sizes):
        return pieces.scalar(self.rng) if self.rng.random() < 0.35 else scope.beside(sizes)

    def operator(self):
        rng = self.rng
        scope, name = self.a_tensor()
        if rng.random() < 0.12:
            sign = rng.choice("-~+")
            return Statement(f"{self.new_name()} = {sign}{name}", f"unary {sign}")
        sign = rng.choice(BINARY)
        other = self.operand(scope, scope.sizes(name))
        sides = [name, other] if rng.random() < 0.7 else [other, name]
        sides = [f"({side})" if re.match(r"-|.* ", side) else side for side in sides]
        return Statement(f"{self.new_name()} = {sides[0]} {sign} {sides[1]}", f"operator {sign}")

    def augmented(self):
        rng = self.rng
        scope, name = self.a_tensor(to_write=True)
        if name is None:
            return None
        sign = rng.choice(AUGMENTED)
        target = f"{name}[{indices.index(rng, scope.sizes(name))}]" if rng.random() < 0.3 else name
        label = f"augmented {sign}" + (" of a part" if "[" in target else "")
        return Statement(f"{target} {sign} {self.operand(scope, scope.sizes(name))}", label)

    def masks_for(self, scope, name):
        sizes = scope.sizes(name)
        return [
            other
            for other, tensor in scope.tensors.items()
            if tensor.dtype == torch.bool and tensor.dim() and list(tensor.shape) == sizes[: tensor.dim()]
        ]

    def getitem(self):
        scope, name = self.a_tensor()
        text = indices.index(self.rng, scope.sizes(name), self.masks_for(scope, name))
        return Statement(f"{self.new_name()} = {name}[{text}]", "getitem")

    def setitem(self):
        rng = self.rng
        scope, name = self.a_tensor(to_write=True)
        if name is None:
            return None
        text = indices.index(rng, scope.sizes(name), self.masks_for(scope, name))
        way = rng.random()
        if way < 0.4:
            value = pieces.scalar(rng)
        else:
            try:
                sizes = list(eval(f"{name}[{text}]", self.names_now).shape)
            except Exception:
                sizes = scope.sizes(name)
            kind = scope.kind(name) if rng.random() < 0.7 else None
            value = scope.beside(sizes, kind) if way < 0.95 else "[1, 2]"
        if way < 0.1:
            writes = ("fill_(3)", "zero_()", "add_(1)", "mul_(2)", "masked_fill_(torch.tensor(True), 1)", "copy_(1)")
            return Statement(f"{name}[{text}].{rng.choice(writes)}", "write through an index")
        return Statement(f"{name}[{text}] = {value}", "setitem")

    def attention(self):
        operands, text, label = shapes_of_code.attention(self.rng)
        names = [self.new_name() for _ in operands]
        made = [Statement(f"{name} = {operand}", "tensor") for name, operand in zip(names, operands)]
        return [*made, Statement(f"{self.new_name()} = {text.format(*names)}", label)]

    def flow(self):
        scope, name = self.a_tensor(to_write=True)
        if name is None:
            return None
        other = scope.named(lambda tensor: True)
        template = self.rng.choice(shapes_of_code.FLOW)
        text = template.replace("X", name).replace("Y", other).replace("NEW", self.new_name())
        text = text.replace("K", pieces.scalar(self.rng))
        return Statement(text, "flow: " + template.split("\n")[0])

    def backward(self):
        """The gradient of something that came from a leaf; of a new leaf where there is none."""
        scope = self.scope()
        leaf = scope.named(lambda tensor: tensor.requires_grad and tensor.is_leaf)
        result = scope.named(lambda tensor: tensor.requires_grad and not tensor.is_leaf)
        if leaf is None or result is None:
            name = scope.named(lambda tensor: tensor.is_floating_point() and not overlaps_itself(tensor))
            if name is None:
                return None
            leaf, result = self.new_name(), self.new_name()
            expression = self.rng.choice(shapes_of_code.DIFFERENTIABLE)
            text = expression.replace("X", leaf).replace("M", scope.beside(scope.sizes(name), "bool"))
            made = [
                Statement(f"{leaf} = {name}.detach().clone().requires_grad_()", "leaf"),
                Statement(f"{result} = {text.replace('K', pieces.scalar(self.rng))}", f"differentiable: {expression}"),
            ]
        else:
            made = []
            expression = "what came before"
        slopes = f"torch.arange({result}.numel()).view({result}.shape)"
        name = self.new_name()
        way = self.rng.choice(
            (
                f"{result}.sum().backward()\n{name} = {leaf}.grad",
                f"({result} * {slopes}).sum().backward()\n{name} = {leaf}.grad",
                f"{name} = torch.autograd.grad({result}.float().mean(), {leaf})",
                f"{result}.backward(torch.ones_like({result}))\n{name} = {leaf}.grad",
            )
        )
        return [*made, Statement(way, f"backward: {expression}")]

    def number(self):
        scope, name = self.a_tensor()
        text = self.rng.choice(shapes_of_code.QUESTIONS).replace("X", name)
        label = "number: " + text.replace(name, "x")
        return Statement(text if text.startswith("print") else f"{self.new_name()} = {text}", label)
