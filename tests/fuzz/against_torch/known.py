# SPDX-License-Identifier: Apache-2.0
"""Differences that are as they should be."""

import re
from dataclasses import dataclass


@dataclass
class Known:
    reason: str
    label: str = ""  # patterns, which must be found
    kind: str = ""
    text: str = ""  # in what either said


KNOWN = [
    Known("the sign of a NaN that arithmetic made is the processor's own", "signbit|copysign", "values|infinity"),
    Known("a difference of nearly equal numbers shows the last bit of tanh", "tanhshrink", "values"),
    Known("what large numbers leave behind shows their last bit", "frac|%|remainder|fmod", "values", "float"),
    Known("which NaN, and where, is the most frequent value depends on the sort", "mode", "values|nan"),
    Known("half attention rounds its weights block by block in PyTorch", "attention|scaled_dot", "values", "float16"),
    Known("PyTorch sums halves of exponents, we round once", "log_softmax|logsum|entropy", "values", "float16"),
    Known("PyTorch's vectors lose the last bits of 1 + erf, and give NaN for inf", "gelu", "values|nan"),
    Known("the text prints a C++ tensor, which has no other use", "", "error", r"expand\(CPU|tensor list but got:"),
    Known("the text lists the backends that PyTorch was built with", "", "error", "Could not run 'aten::"),
    Known("a method called by its dunder name gives NotImplemented", "__", "refused", "NoneType"),
    Known("which of 0.0 and -0.0 is larger depends on the width", "max|min|cl[ai]|relu|sort|shrink", "zero sign"),
    Known("the sign of a sum of zeros depends on its order", "attention|matmul|mm|dot|@|norm|loss|entr", "zero sign"),
    Known("the script has 64 bits for an integer, and says so", "", "refused", "beyond 64 bits"),
    Known("Python's sort leaves lists with NaN in the order of its comparisons", "sorted", "type|number|values"),
    Known("PyTorch takes return_inverse by place for return_counts", "unique_consecutive .function", "shape|values"),
    Known("PyTorch sorts an expanded tensor in place of its copy", "nanmedian", "nan|values"),
    Known("a text names the node of a graph that the engine does not keep", "", "printed|number", "grad_fn="),
    Known("the text is a mistake inside PyTorch, with its file and line", "", "", "INTERNAL ASSERT"),
]


def reason_of(label, found):
    """Why this difference is none, or None."""
    for known in KNOWN:
        if (
            re.search(known.label, label)
            and re.search(known.kind, found.kind)
            and re.search(known.text, f"{found.detail}\n{found.expected}\n{found.got}")
        ):
            return known.reason
    return None
