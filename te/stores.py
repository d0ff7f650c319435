"""Single elements of buffers as statements: `outs[0].vstore(0, ins[0].vload(0) + 1)`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from xdsl.builder import Builder
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ..diagnostics.locations import caller_location
from ..dialects import loop
from ..dialects.index_expr import Index
from .body import StatementEmitter
from .dtypes import dtype_info
from .expr import Axis, Expr, Read, Var, as_expr, const, walk
from .foreign import Buffer
from .index_forms import IndexForms
from .te_errors import te_error
from .vectors import at_lane, lanes_of

BAD_STATEMENT = "TW0466"


@dataclass(frozen=True, eq=False)
class Store:
    """`buffer[indices] = value`, a statement whose buffers are given later."""

    buffer: Buffer
    indices: tuple[Expr, ...]
    value: Expr
    lanes: int | None = None
    """The number of elements of a vector, which `lane` counts."""
    lane: Axis | None = None

    @property
    def variables(self) -> tuple[Var, ...]:
        """The variables that it uses."""
        nodes = (node for root in (*self.indices, self.value) for node in walk(root))
        return tuple(dict.fromkeys(node for node in nodes if isinstance(node, Var)))

    def insert_into(self, builder: Builder, buffers: Mapping[Any, SSAValue], sizes: Mapping[Any, Index]) -> None:
        """Insert the store. Raises TW0466 for a buffer that is not among those given."""
        roots = (*self.indices, self.value)
        read = (node.tensor for root in roots for node in walk(root) if isinstance(node, Read))
        for buffer in (self.buffer, *read):
            if buffer not in buffers:
                te_error(BAD_STATEMENT, f"expected a store on the buffers given, but it uses {buffer.name!r}")
        known = dict(sizes)
        if self.lane is not None and self.lanes is not None:
            loop_over = loop.ForOp(0, self.lanes, kind=loop.LoopKindAttr.of("vectorized"), name_hint="lane")
            loop_over.location = caller_location()
            builder.insert(loop_over)
            builder = Builder(InsertPoint.at_end(loop_over.body.block))
            known[self.lane] = Index.of(loop_over.induction_variable)
        emitter = StatementEmitter(builder, buffers, known)
        indices = [emitter.index(i) for i in self.indices]
        op = loop.StoreOp(emitter.scalar(self.value), buffers[self.buffer], indices)
        op.location = caller_location()
        builder.insert(op)


def store_of(buffer: Buffer, indices: tuple[Expr, ...], value: Any) -> Store:
    """Return the statement `buffer[indices] = value`; lanes of a vector go to the elements that follow along the last
    dimension.

    Raises TW0450 for vectors of several lengths, TW0466 for a value of another type.
    """
    stored = stored_value(value, buffer.dtype, buffer.name)
    lanes = lanes_of([stored], buffer.name) if indices else None
    if lanes is None:
        return Store(buffer, indices, stored)
    lane = Axis("lane", 0, lanes)
    moved = (*indices[:-1], indices[-1] + lane)
    at = at_lane(stored, lane)
    for read in (node for node in walk(at) if isinstance(node, Read)):
        owner: Any = read.tensor
        if owner is buffer:
            check_lanes(moved, read, buffer.name)
    return Store(buffer, moved, at, lanes, lane)


def check_lanes(indices: tuple[Expr, ...], read: Read, name: str) -> None:
    """Raise TW0466 for a vector that is stored where another lane is read: lanes are stored one after another."""
    forms = IndexForms()
    pairs = zip(indices, read.indices, strict=True) if len(indices) == len(read.indices) else [(indices[-1], None)]
    if any(b is None or forms.index(a) != forms.index(b) for a, b in pairs):
        te_error(
            BAD_STATEMENT,
            f"expected a vector stored to buffer {name!r} to read each element where it is stored, but got `{read}`",
            help="store to another buffer, or store the elements one by one",
        )


def stored_value(value: Any, dtype: str, name: str) -> Expr:
    """Return a value as an element of a buffer: integers take its integer type, other types have to agree. Raises
    TW0466."""
    element, expr = dtype_info(dtype), as_expr(value, dtype)
    if expr.dtype == element.name:
        return expr
    if isinstance(value, (bool, int, float)) and not (isinstance(value, float) and not element.is_float):
        return as_expr(value).astype(element.name) if element.is_bool else const(value, element.name)
    if dtype_info(expr.dtype).is_integer and element.is_integer:
        return expr.astype(element.name)
    te_error(
        BAD_STATEMENT,
        f"expected a value of type {element.name} for buffer {name!r}, but got `{expr}` of type {expr.dtype}",
        help=f"convert it with astype('{element.name}')",
    )
