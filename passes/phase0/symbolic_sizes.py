"""The sizes of tensors while te functions become loops: which are equal, and what they are computed from.

A size is an `Index` over values at the function's entry. Dimensions of equal name are one value; the size of a call's
result is the callee's, in terms of the call's arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop, te
from ...dialects.graph.types import shape_of
from ...dialects.index_expr import Index
from ...dialects.names import NAME_ATTRIBUTE, value_name

Shape: TypeAlias = "tuple[Index, ...]"
Emit: TypeAlias = "Callable[[Operation], SSAValue]"


@dataclass(frozen=True)
class ResultSizes:
    """The sizes of a function's results over its `te.dim` values, and the argument and dimension of each of those."""

    sizes: tuple[Shape | None, ...]
    origins: dict[SSAValue, tuple[int, int]]

    @staticmethod
    def of(function: func.FuncOp) -> ResultSizes:
        """Sizes are known for results of computes; the others are None."""
        origins: dict[SSAValue, tuple[int, int]] = {
            op.res: (op.tensor.index, op.dimension.value.data)
            for op in function.body.block.ops
            if isinstance(op, te.DimOp) and isinstance(op.tensor, BlockArgument)
        }
        last = function.body.block.last_op
        owners = [v.owner for v in last.operands] if last is not None else []
        return ResultSizes(tuple(_compute_sizes(owner, origins) for owner in owners), origins)


def _compute_sizes(owner: object, origins: dict[SSAValue, tuple[int, int]]) -> Shape | None:
    if not isinstance(owner, te.ComputeOp):
        return None
    sizes = owner.spatial_extents
    return sizes if all(v in origins for size in sizes for v in size.values()) else None


def _dim(buffer: SSAValue, dimension: int, name: str) -> loop.DimOp:
    """Reads an extent. A name that no SSA value can have is kept beside it: users know the size by it."""
    op = loop.DimOp(buffer, dimension, name_hint=value_name(name))
    if op.res.name_hint != name:
        op.attributes[NAME_ATTRIBUTE] = StringAttr(name)
    return op


@dataclass
class SizeTable:
    """The shapes of a function's tensors, filled in program order. `emit` inserts at the function's entry."""

    emit: Emit
    shapes: dict[SSAValue, Shape] = field(default_factory=dict)
    named: dict[str, Index] = field(default_factory=dict)

    def add_argument(self, argument: SSAValue, buffer: SSAValue) -> None:
        """Read the dynamic dimensions of an argument off its buffer; an equal name is an equal size."""
        shape: list[Index] = []
        for d, size in enumerate(shape_of(argument)):
            if isinstance(size, int):
                shape.append(Index.of(size))
                continue
            name = size if size is not None else ""
            known = self.named.get(name)
            if known is None:
                known = Index.of(self.emit(_dim(buffer, d, name or f"{argument.name_hint or 'arg'}_dim{d}")))
            if name:
                self.named[name] = known
            shape.append(known)
        self.shapes[argument] = tuple(shape)

    def shape_of_call(self, call: func.CallOp, result: int, callee: ResultSizes | None) -> Shape:
        sizes = callee.sizes[result] if callee is not None else None
        if callee is None or sizes is None:
            return self.shape_of_type(call.results[result].type, call)
        mapping = {value: self.shapes[call.arguments[a]][d] for value, (a, d) in callee.origins.items()}
        return tuple(size.substitute(mapping) for size in sizes)

    def shape_of_type(self, type: Attribute, op: Operation) -> Shape:
        """The sizes that a type states: numbers, and names that an argument has. Raises TW0501 for any other."""
        sizes: list[Index] = []
        for d, size in enumerate(shape_of(type)):
            if isinstance(size, str) and size in self.named:
                sizes.append(self.named[size])
            elif isinstance(size, int):
                sizes.append(Index.of(size))
            else:
                what = "without a name" if size is None else f"named {size!r}, which no argument has"
                fail(
                    "TW0501",
                    f"expected to know the sizes of {name_of(op.results[0])} at entry, but dimension {d} is one {what}",
                    op=op,
                )
        return tuple(sizes)


def row_major_strides(shape: Sequence[Index], emit: Emit) -> Shape:
    """The strides, in elements, of a contiguous buffer."""
    strides = [Index.of(1)]
    for size in reversed(shape[1:]):
        strides.append(_product(strides[-1], size, emit))
    return tuple(reversed(strides)) if shape else ()


def _product(a: Index, b: Index, emit: Emit) -> Index:
    if a.is_constant:
        return b * a.constant
    if b.is_constant:
        return a * b.constant
    return Index.of(emit(arith.MuliOp(_value(a, emit), _value(b, emit))))


def _value(index: Index, emit: Emit) -> SSAValue:
    return emit(loop.ApplyOp(index))
