"""
The graph dialect: named operators on tensors, by value. Frontends import models into this dialect.

Every op is pure and states the types of its results, which must follow from its operands and properties. Sizes may be
dynamic and named in the tensor type: `tensor<?x3xf32, #graph.dims<n, _>>`. Weights are constants; large ones are kept
outside of the text. `graph.fused` contains the operators of one kernel.

A quotient or a remainder of integers by zero is 0. The least number divided by -1 is itself, with remainder 0. Constant
folding and compiled programs agree in this.

This package has the common parts of operators, and the structural operations. The operation of each operator is
declared together with its semantics in `tilewright.operators`; `graph.Conv2dOp` is the same class, imported at its
first use. Type checkers read the names in `__init__.pyi`, which tools/face_stubs.py writes.
"""

# Names of operators are imported when they are first asked for.
# pyright: reportUnsupportedDunderAll=false

from __future__ import annotations

from typing import Any

from ...lazy import name_elsewhere, unknown_name
from .base import GraphOp, is_alias, is_compatible
from .families import BinaryOp, CompareOp, Elements, MoveOp, ReduceOp, UnaryOp
from .operations import Graph, all_operations, register_operation, unregister_operation
from .structure import ConstantOp, FusedOp, IfOp, LoopOp, YieldOp
from .types import (
    Dim,
    DimsAttr,
    Shape,
    Tensor,
    element_of,
    format_shape,
    is_static,
    make_type,
    shape_of,
    static_shape,
    tensor_type,
)

__all__ = [
    "OPERATIONS",
    "BinaryOp",
    "CompareOp",
    "ConstantOp",
    "Dim",
    "DimsAttr",
    "Elements",
    "FusedOp",
    "Graph",
    "GraphOp",
    "IfOp",
    "LoopOp",
    "MoveOp",
    "ReduceOp",
    "Shape",
    "Tensor",
    "UnaryOp",
    "YieldOp",
    "element_of",
    "format_shape",
    "is_alias",
    "is_compatible",
    "is_static",
    "make_type",
    "register_operation",
    "shape_of",
    "static_shape",
    "tensor_type",
    "unregister_operation",
]

_PACKAGE = f"{__name__.partition('.')[0]}."


def __getattr__(name: str) -> Any:
    """Return OPERATIONS, or the class of an operator; builtin classes are found without a call from then on."""
    if name.startswith("_"):
        raise unknown_name(__name__, name, ())
    operations = all_operations()
    if name == "OPERATIONS":
        return operations
    classes = {operation.__name__: operation for operation in operations.values()}
    if name not in classes:
        return name_elsewhere(__name__, name, [*globals(), *classes])
    if classes[name].__module__.startswith(_PACKAGE):
        globals()[name] = classes[name]
    return classes[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *(operation.__name__ for operation in all_operations().values())})
