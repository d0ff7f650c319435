"""Small versions of functions that are too large to execute.

A pass has to preserve the results of any valid program. So a small version need not be equivalent to the large one: it
must be valid and similar enough for the same rewrites. Every extent above a few is divided by one number, equal extents
stay equal, and operators infer their results again. Versions that do not verify or do not run are not used.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Block
from xdsl.utils.exceptions import DiagnosticException

from ....diagnostics import TilewrightError, fail
from ....dialects import context, graph, te
from ....dialects.index_expr import Index
from ....ir import editor as edit
from ....traversal import operations
from ...phase0.infer_types import InferTypesPass
from ..manager import verify_module

SMALL = 4
"""Extents up to this stay: vectors of one, pairs, windows, channels of a picture."""

_DIVISORS = (64, 32, 16, 8, 4, 2)


def shrunken(function: FuncOp, attributes: dict[str, Attribute]) -> Iterator[ModuleOp]:
    """Yield modules that hold a small version of `function`, from the smallest on, each of them valid."""
    if any(isinstance(op, (CallOp, graph.ConstantOp, te.ConstantOp)) and _is_fixed(op) for op in operations(function)):
        return
    for divisor in _DIVISORS:
        module = ModuleOp([function.clone()], attributes)
        try:
            _shrink(module, divisor)
            verify_module(module)
        except (TilewrightError, DiagnosticException):
            continue
        yield module


def _is_fixed(op: CallOp | graph.ConstantOp | te.ConstantOp) -> bool:
    """Return whether an op keeps its sizes: those of another function or of stored numbers."""
    return isinstance(op, CallOp) or any(_smaller_type(v.type, _DIVISORS[0]) != v.type for v in op.results)


def _shrink(module: ModuleOp, divisor: int) -> None:
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    if not any(isinstance(op, (graph.GraphOp, te.ComputeOp)) for op in operations(function)):
        fail("TW0551", "only operators and computes have a small version")
    has_operators = any(isinstance(op, graph.GraphOp) for op in operations(function))
    if has_operators:
        _shrink_types(function.body.block, divisor, arguments_only=True)
        InferTypesPass().apply(context(), module)
        return
    for block in [b for op in operations(function) for r in op.regions for b in r.blocks]:
        _shrink_types(block, divisor, arguments_only=False)
    for op in function.walk():
        if isinstance(op, te.ComputeOp):
            extents = [_smaller_index(extent, divisor) for extent in op.index_list("extents")]
            op.set_index_lists(extents=extents)
    function.update_function_type()


def _shrink_types(block: Block, divisor: int, *, arguments_only: bool) -> None:
    results = () if arguments_only else [value for op in block.ops for value in op.results]
    for value in [*block.args, *results]:
        smaller = _smaller_type(value.type, divisor)
        if smaller != value.type:
            edit.retype(value, smaller)


def _smaller_type(type_: Attribute, divisor: int) -> Attribute:
    if not isinstance(type_, TensorType):
        return type_
    return TensorType(type_.element_type, [_smaller(size, divisor) for size in type_.get_shape()], type_.encoding)


def _smaller(size: int, divisor: int) -> int:
    return size if size <= SMALL else max(2, -(-size // divisor))


def _smaller_index(extent: Index, divisor: int) -> Index:
    return Index.of(_smaller(extent.constant, divisor)) if extent.is_constant else extent
