"""Reductions whose bounds depend on an outer axis or on data: triangles, rows of a sparse matrix.

    k = te.reduce_axis((0, indptr[i + 1] - indptr[i]), "k")

The iteration space of such a reduction is not a box, so that the compute becomes a nest over its data-parallel axes,
whose block contains the loops of the reduction. Schedules transform the data-parallel axes only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.builder import Builder
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialects import loop
from ..dialects.index_expr import Index
from ..dialects.names import script_name
from .body import StatementEmitter
from .combiners import Combiner
from .dtypes import dtype_info
from .expr import Axis, Expr, Parameter, Read, Reduce, Var, walk
from .scalar_operations import appender, emit_binary, emit_constant
from .tensor import Computation, Tensor


def is_ragged_axis(axis: Axis) -> bool:
    """Return whether an axis has bounds that depend on an element."""
    bounds = [bound for bound in (axis.low, axis.high) if isinstance(bound, Expr)]
    return any(isinstance(node, (Axis, Read, Parameter)) for bound in bounds for node in walk(bound))


def is_ragged(computation: Computation) -> bool:
    return any(map(is_ragged_axis, computation.reduce_axis))


class RaggedEmitter:
    """Emits the nest of one compute on buffers."""

    def __init__(
        self,
        computation: Computation,
        buffers: Mapping[Tensor, SSAValue],
        results: Sequence[SSAValue],
        sizes: Mapping[Axis | Var, Index],
        scalars: Mapping[Var, Tensor],
    ) -> None:
        self._computation = computation
        self._buffers = buffers
        self._results = results
        self._variables = dict(sizes)
        self._scalars = scalars
        self._reductions = [b for b in computation.bodies if isinstance(b, Reduce)]

    def emit(self, body: Block, label: str, extents: Sequence[Index]) -> None:
        """Append the nest to `body`; `extents` are those of the data-parallel axes."""
        axes = self._computation.axis
        inside = body
        loops: list[loop.ForOp] = []
        for axis, extent in zip(axes, extents, strict=True):
            loops.append(loop.ForOp(0, extent, name_hint=script_name(axis.name)))
            inside.add_op(loops[-1])
            inside = loops[-1].body.block
        block = loop.BlockOp(
            label,
            ["spatial"] * len(axes),
            [op.induction_variable for op in loops],
            extents,
            name_hints=[script_name(f"v{axis.name}") for axis in axes],
        )
        inside.add_op(block)
        self._element = [Index.of(v) for v in block.variables]
        self._variables.update(zip(axes, self._element, strict=True))
        self._start(block.body.block)
        self._reduce(block.body.block, list(self._computation.reduce_axis))

    def _start(self, block: Block) -> None:
        """Store the initial value of the reduction."""
        emitter, emit = self._emitter(block), appender(block)
        dtypes = [r.dtype for r in self._reductions]
        identities = self._reductions[0].combiner.identities(dtypes)
        for reduction, identity, result in zip(self._reductions, identities, self._results, strict=True):
            if reduction.start is not None:
                start = emitter.scalar(reduction.start)
            else:
                start = emit_constant(emit, identity.value, dtype_info(reduction.dtype).ir)
            block.add_op(loop.StoreOp(start, result, self._element))

    def _reduce(self, block: Block, axes: Sequence[Axis]) -> None:
        if not axes:
            self._combine(block)
            return
        axis, emitter = axes[0], self._emitter(block)
        low, high = (Index.of(b) if isinstance(b, int) else emitter.index(b) for b in (axis.low, axis.high))
        op = loop.ForOp(low, high, name_hint=script_name(axis.name))
        block.add_op(op)
        self._variables[axis] = Index.of(op.induction_variable)
        self._reduce(op.body.block, axes[1:])

    def _combine(self, block: Block) -> None:
        emitter, emit = self._emitter(block), appender(block)
        old = [emit(loop.LoadOp(result, self._element)) for result in self._results]
        added = [emitter.scalar(r.source) for r in self._reductions]
        combiner = self._reductions[0].combiner
        if isinstance(combiner, Combiner):
            rows = zip(self._reductions, old, added, strict=True)
            made = [emit_binary(emit, combiner.kind, r.dtype, a, b) for r, a, b in rows]
        else:
            parameters = (*combiner.accumulated, *combiner.added)
            values = dict(zip(parameters, (*old, *added), strict=True))
            inner = StatementEmitter(Builder(InsertPoint.at_end(block)), {}, {}, values)
            made = [inner.scalar(r) for r in combiner.results]
        for value, result in zip(made, self._results, strict=True):
            block.add_op(loop.StoreOp(value, result, self._element))

    def _emitter(self, block: Block) -> StatementEmitter:
        builder = Builder(InsertPoint.at_end(block))
        return StatementEmitter(builder, self._buffers, dict(self._variables), scalars=self._scalars)
