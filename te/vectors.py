"""Tensors whose elements are vectors, such as "float32x4": the lanes are an additional innermost dimension in memory.

    A = te.placeholder((n,), "float32x4")        # stored as (n, 4) float32
    B = te.compute((n,), lambda i: A[i] + tir.const(1, A.dtype))

An expression of vectors is the expression of one lane, in which a `Lane` is the index of the lane. `te.compute` turns
the `Lane` into the innermost axis of the stage, so that later phases see no vectors. A scalar operand beside a vector
is broadcast to every lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .calls import Call
from .dtypes import vector_of
from .expr import Axis, Expr, as_expr, walk
from .expr import const as scalar_const
from .shapes import Size, format_shape
from .substitution import substitute
from .te_errors import te_error
from .tensor import Definition, Tensor


@dataclass(frozen=True, eq=False, repr=False)
class Lane(Expr):
    """The index of a lane, from 0 to `lanes` - 1."""

    lanes: int
    dtype: str = field(default="index", init=False)

    def __str__(self) -> str:
        return "lane"


@dataclass(frozen=True, eq=False, repr=False)
class Broadcast(Expr):
    """A vector whose lanes all hold one scalar; `dtype` is that of the lane."""

    value: Expr
    lanes: int

    @property
    def dtype(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.value.dtype

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.value,)

    def __str__(self) -> str:
        return f"broadcast({self.value}, {self.lanes})"


@dataclass(frozen=True, repr=False)
class VectorTensor:
    """A tensor of vectors, backed by a tensor of scalars. Index it without the dimension of lanes."""

    stored: Tensor

    @property
    def name(self) -> str:
        return self.stored.name

    @property
    def op(self) -> Definition:
        """The definition of the lanes; its innermost axis runs over them."""
        return self.stored.op

    @property
    def value_index(self) -> int:
        return self.stored.value_index

    @property
    def lanes(self) -> int:
        size = self.stored.shape[-1]
        assert isinstance(size, int)
        return size

    @property
    def shape(self) -> tuple[Size, ...]:
        return self.stored.shape[:-1]

    @property
    def ndim(self) -> int:
        return self.stored.ndim - 1

    @property
    def dtype(self) -> str:
        return f"{self.stored.dtype}x{self.lanes}"

    def __getitem__(self, indices: Any) -> Expr:
        return self(*(indices if isinstance(indices, tuple) else (indices,)))

    def __call__(self, *indices: Any) -> Expr:
        """Return the vector at `indices`. Raises TilewrightError TW0455 for another number of indices."""
        if len(indices) != self.ndim:
            te_error(
                "TW0455",
                f"expected {self.ndim} indices of tensor {self.name!r}, but got {len(indices)}",
                notes=[f"its shape is {format_shape(self.shape)}, its elements are {self.dtype}"],
            )
        return self.stored(*indices, Lane(self.lanes))

    def __repr__(self) -> str:
        return f"Tensor(name={self.name!r}, shape={format_shape(self.shape)}, dtype={self.dtype!r})"


def const(value: Any, dtype: Any = None) -> Any:
    """Return a number as an expression: of `dtype`, of a vector's lanes too. A float is float32 by default, an int
    int32."""
    vector = vector_of(dtype)
    return scalar_const(value, dtype) if vector is None else Broadcast(scalar_const(value, vector[0]), vector[1])


def ramp(base: Any, stride: Any, lanes: int) -> Expr:
    """Return the vector `base`, `base + stride`, `base + 2 * stride`, …"""
    return as_expr(base) + as_expr(stride) * Lane(lanes)


def stored(tensor: Any) -> Any:
    """Return the tensor that holds the lanes of a tensor of vectors; anything else as it is."""
    return tensor.stored if isinstance(tensor, VectorTensor) else tensor


def lanes_of(bodies: Sequence[Expr], name: str) -> int | None:
    """Return the lanes of the bodies of a compute; None for scalars.

    Raises TilewrightError TW0450 for vectors of several lengths, and for a vector that a function gets whole.
    """
    nodes = [node for body in bodies for node in walk(body)]
    found = {node.lanes for node in nodes if isinstance(node, (Lane, Broadcast))}
    if len(found) > 1:
        te_error("TW0450", f"expected vectors of one length in compute {name!r}, but got lanes {sorted(found)}")
    for call in (node for node in nodes if isinstance(node, Call) and node.is_extern):
        if any(isinstance(node, (Lane, Broadcast)) for node in walk(call)):
            te_error(
                "TW0450",
                f"expected scalars as arguments of {call.symbol!r} in compute {name!r}, but got vectors",
                help="call it for each lane: declare the tensors with the lanes as a dimension",
            )
    return found.pop() if found else None


def at_lane(body: Expr, lane: Axis) -> Expr:
    """Return the expression of vectors at one lane."""
    nodes = list(walk(body))
    values: dict[Expr, Expr] = {node: lane for node in nodes if isinstance(node, Lane)}
    for node in reversed(nodes):
        if isinstance(node, Broadcast):
            values[node] = substitute(node.value, values, {})
    return substitute(body, values, {})
