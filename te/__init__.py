"""The tensor-expression language in Python.

    n = te.var("n")
    A = te.placeholder((n, 64), name="A")
    B = te.placeholder((64, 32), name="B")
    k = te.reduce_axis((0, 64), "k")
    C = te.compute((n, 32), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")

Tensors are defined, not run. An expression is typed and checked as it is written, and an error points at
the line that wrote it.
"""

# Names of higher layers are imported on first use.
# pyright: reportUnsupportedDunderAll=false

from typing import Any as _Any

from ..diagnostics.expectations import coded_names as _coded_names
from ..lazy import name_elsewhere as _name_elsewhere
from .build import block_labels, build_computes, to_module
from .calls import call_intrin, call_pure_extern, call_pure_intrin
from .define import compute, tag_scope
from .differentiation import gradient
from .expr import Axis, Expr, Var, cast
from .external import Extern, extern
from .foreign import call_extern
from .functions import (
    Select,
    abs,
    acos,
    acosh,
    all,
    any,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    ceil,
    ceildiv,
    clz,
    cos,
    cosh,
    div,
    erf,
    exp,
    exp2,
    expm1,
    floor,
    floordiv,
    floormod,
    fmod,
    if_then_else,
    indexdiv,
    indexmod,
    isfinite,
    isinf,
    isnan,
    likely,
    log,
    log1p,
    log2,
    log10,
    max_value,
    maximum,
    min_value,
    minimum,
    nearbyint,
    popcount,
    pow,
    power,
    round,
    rsqrt,
    sigmoid,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    trunc,
    truncdiv,
    truncmod,
)
from .recurrence import Scan, scan
from .reduce_expressions import comm_reducer, max, min, prod, reduce_axis, sum
from .shapes import size_var, var
from .tensor import Computation, Definition, Placeholder, Tensor, placeholder
from .thread_axes import ThreadAxis, thread_axis
from .vectors import const

__all__ = [
    "Axis",
    "Computation",
    "Definition",
    "Expr",
    "Extern",
    "Placeholder",
    "Scan",
    "Select",
    "Tensor",
    "ThreadAxis",
    "Var",
    "abs",
    "acos",
    "acosh",
    "all",
    "any",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "block_labels",
    "build_computes",
    "call_extern",
    "call_intrin",
    "call_pure_extern",
    "call_pure_intrin",
    "cast",
    "ceil",
    "ceildiv",
    "clz",
    "comm_reducer",
    "compute",
    "const",
    "cos",
    "cosh",
    "div",
    "create_prim_func",
    "create_schedule",
    "decl_tensor_intrin",
    "described",
    "erf",
    "exp",
    "extern",
    "exp2",
    "expm1",
    "floor",
    "floordiv",
    "floormod",
    "fmod",
    "gradient",
    "if_then_else",
    "indexdiv",
    "indexmod",
    "isfinite",
    "isinf",
    "isnan",
    "likely",
    "log",
    "log10",
    "log1p",
    "log2",
    "max",
    "max_value",
    "maximum",
    "min",
    "min_value",
    "minimum",
    "nearbyint",
    "placeholder",
    "popcount",
    "pow",
    "power",
    "prod",
    "reduce_axis",
    "round",
    "rsqrt",
    "scan",
    "sigmoid",
    "sin",
    "sinh",
    "size_var",
    "sqrt",
    "sum",
    "tag_scope",
    "tan",
    "tanh",
    "thread_axis",
    "to_module",
    "trunc",
    "truncdiv",
    "truncmod",
    "var",
]

_coded_names(globals(), __all__)


def __getattr__(name: str) -> _Any:
    value = globals()[name] = _name_elsewhere(__name__, name, __all__)
    return value
