"""Single elements of buffers as statements: `outs[0].vstore(0, ins[0].vload(0) + 1)`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from xdsl.builder import Builder
from xdsl.ir import SSAValue

from ..diagnostics.locations import caller_location
from ..dialects import loop
from ..dialects.index_expr import Index
from .dtypes import dtype_info
from .expr import Expr, Read, Var, as_expr, const, walk
from .foreign import Buffer
from .statement_emitter import StatementEmitter
from .te_errors import te_error

BAD_STATEMENT = "TW0466"


@dataclass(frozen=True, eq=False)
class Store:
    """`buffer[indices] = value`, for a statement that is placed on buffers later."""

    buffer: Buffer
    indices: tuple[Expr, ...]
    value: Expr

    @property
    def variables(self) -> tuple[Var, ...]:
        """The variables that it uses."""
        nodes = (node for root in (*self.indices, self.value) for node in walk(root))
        return tuple(dict.fromkeys(node for node in nodes if isinstance(node, Var)))

    def place(self, builder: Builder, buffers: Mapping[Any, SSAValue], sizes: Mapping[Any, Index]) -> None:
        """Insert the store. Raises TW0466 for a buffer that is not among those given."""
        roots = (*self.indices, self.value)
        read = (node.tensor for root in roots for node in walk(root) if isinstance(node, Read))
        for buffer in (self.buffer, *read):
            if buffer not in buffers:
                te_error(BAD_STATEMENT, f"expected a store on the buffers given, but it uses {buffer.name!r}")
        emitter = StatementEmitter(builder, buffers, sizes)
        places = [emitter.index(i) for i in self.indices]
        op = loop.StoreOp(emitter.scalar(self.value), buffers[self.buffer], places)
        op.location = caller_location()
        builder.insert(op)


def stored_value(value: Any, dtype: str, name: str) -> Expr:
    """A value as an element of a buffer: integers take its integer type, other types have to agree. Raises TW0466."""
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
