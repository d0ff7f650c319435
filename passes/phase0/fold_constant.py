"""Pass `fold-constant`: evaluates operators on constants at compile time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects import graph
from ...dialects.constant_data import dense_array, derived_name, has_data
from ...dialects.dtypes import numpy_dtype
from ...dialects.resource import ResourceAttr
from ...ir import editor as edit
from ...operators import OPERATORS, get_operator
from ..framework.base import Level, Pass
from ..framework.rewriting import rewrite

WIDENED = 8
"""The most that a result may be larger than its operands where it is only reduced: a cast from bytes to 64 bits."""


@dataclass(frozen=True)
class FoldConstantPass(Pass):
    """Replace operators on constants by their results.

    ```mlir
    %a = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %y = graph.exp %a : tensor<2xf32>
    ```
    becomes
    ```mlir
    %y = graph.constant dense<[2.71828175, 7.38905621]> : tensor<2xf32>
    ```
    The reference of the operator computes the result, the same bits on every host: sums term after term, functions of
    floats without the host's library. Bits may differ from those that the interpreter computes. Operators without such
    a form, such as a determinant, are left alone. A result that is larger than its operands is computed only up to
    `limit` bytes, so that a broadcast cannot fill the memory. Larger casts are computed if all of their users are
    reductions to few bytes. Constants whose weights file was not read are left alone.
    """

    name = "fold-constant"
    phase = 0
    levels = (Level.GRAPH,)
    opt_level = 1
    reassociates = True
    axioms = ("expand-intrinsic",)

    limit: int = 1_048_576
    """The most bytes that a result may have which is larger than its operands together."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite(op, [_Fold(self.limit)], in_order=True)


@dataclass(frozen=True)
class _Fold(RewritePattern):
    """Replace an operator on constants by constants."""

    matches: ClassVar = (graph.GraphOp,)

    limit: int

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, graph.GraphOp) or isinstance(op, graph.ConstantOp):
            return
        operands = [value.owner for value in op.operands]
        constants = [owner for owner in operands if isinstance(owner, graph.ConstantOp)]
        if len(constants) == len(operands) and self._is_wanted(op, constants):
            _fold(op, constants, rewriter)

    def _is_wanted(self, op: graph.GraphOp, constants: list[graph.ConstantOp]) -> bool:
        known = op.name.removeprefix("graph.") in OPERATORS
        if not known or not all(has_data(constant.value) for constant in constants):
            return False
        sizes = [_bytes(result.type) for result in op.results]
        given = [_bytes(constant.y.type) for constant in constants]
        if any(size is None for size in sizes):
            return False
        total = sum(size for size in sizes if size is not None)
        room = max(self.limit, sum(size for size in given if size is not None))
        return total <= room or (total <= WIDENED * room and self._is_reduced(op))

    def _is_reduced(self, op: graph.GraphOp) -> bool:
        """Return whether `op` is a cast whose result is only reduced, to few bytes: the reductions are folded next."""
        if not isinstance(op, graph.CastOp):
            return False
        users = [use.operation for result in op.results for use in result.uses]
        sizes = [_bytes(user.results[0].type) if isinstance(user, graph.ReduceOp) else None for user in users]
        return bool(users) and all(size is not None and size <= self.limit for size in sizes)


def _bytes(type_: object) -> int | None:
    tensor = graph.tensor_type(type_)  # pyright: ignore[reportArgumentType]
    sizes = graph.static_shape(tensor)
    return None if sizes is None else int(np.prod(sizes)) * numpy_dtype(tensor.element_type).itemsize


def _fold(op: graph.GraphOp, constants: list[graph.ConstantOp], rewriter: PatternRewriter) -> None:
    record = get_operator(op.name.removeprefix("graph."))
    results = record.fold(op, *(constant.array for constant in constants))
    if results is None:
        return
    names = [constant.value.data.name for constant in constants if isinstance(constant.value, ResourceAttr)]
    base = names[0] if names else op.name.removeprefix("graph.")
    folded: list[graph.ConstantOp] = []
    for old, array in zip(op.results, results, strict=True):
        data = dense_array(np.asarray(array))
        constant = graph.ConstantOp.from_array(data, derived_name(base, data), op.location)
        edit.rename(constant.y, old.name_hint)
        folded.append(constant)
    rewriter.replace(op, folded, [constant.y for constant in folded])
