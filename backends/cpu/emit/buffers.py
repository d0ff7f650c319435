"""The emitter's description of a buffer, and the addresses of its elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import SSAValue

from ....dialects.index_expr import LANE, FloorDiv, Index, Mod
from .index import IndexWriter, Operand, Term
from .types import storage_type


@dataclass
class Buffer:
    """A buffer in memory."""

    type: MemRefType
    pointer: str
    extents: list[Operand | None]
    """None where the extent is not known yet."""
    strides: list[Operand | None]
    """In elements."""
    root: SSAValue
    """The argument, allocation or constant that the buffer is, or is a view of."""


@dataclass(frozen=True)
class Offset:
    """The position of an element within a buffer, counted in elements.

    `fixed` is the sum over the dimensions of known stride; `scaled` has the indices of the other dimensions.
    """

    fixed: Index
    scaled: tuple[tuple[Index, int], ...] = ()


@dataclass(frozen=True)
class AccessPlan:
    """The positions of all lanes of an access."""

    first: Offset
    """Of lane 0."""
    step: int | None
    """Elements between neighbouring lanes; None where it is not one constant."""
    lanes: tuple[Offset, ...] = ()
    """The lanes one by one, where there is no step."""


def known_strides(type_: MemRefType) -> tuple[int | None, ...]:
    """Return the strides in elements of a row-major buffer, as far as its type states them."""
    strides: list[int | None] = []
    stride: int | None = 1
    for extent in reversed(type_.get_shape()):
        strides.append(stride)
        stride = None if stride is None or extent == DYNAMIC_INDEX else stride * extent
    return tuple(reversed(strides))


def plan_access(type_: MemRefType, indices: Sequence[Index], lanes: int | None) -> AccessPlan:
    """Return the plan of an access at `indices`: the offset of its first lane and the step between lanes."""
    fixed = Index.of(0)
    scaled: list[tuple[Index, int]] = []
    for dimension, (index, stride) in enumerate(zip(indices, known_strides(type_), strict=True)):
        if stride is None:
            scaled.append((index, dimension))
        else:
            fixed = fixed + index * stride
    if lanes is None:
        return AccessPlan(Offset(fixed, tuple(scaled)), 0)
    if any(index.uses_lane for index, _ in scaled) or not is_lane_linear(fixed):
        each = tuple(_at_lane(fixed, scaled, lane) for lane in range(lanes))
        return AccessPlan(each[0], None, each)
    return AccessPlan(Offset(at_lane(fixed, 0), tuple(scaled)), fixed.coefficient(LANE))


def is_lane_linear(expression: Index) -> bool:
    """Return whether the lane occurs only outside of floordiv and mod."""
    return not any(isinstance(a, (FloorDiv, Mod)) and a.numerator.uses_lane for a, _ in expression.terms)


def at_lane(expression: Index, lane: int) -> Index:
    return expression.substitute({LANE: lane})


def address(writer: IndexWriter, buffer: Buffer, offset: Offset) -> str:
    """Return the pointer to an element: outer terms first, the constant last, so that neighbours share all but the
    constant."""
    code = writer.code
    constant, terms = writer.collect(offset.fixed)
    for index, dimension in offset.scaled:
        constant += _scale(writer, index, buffer.strides[dimension], terms)
    element, _ = storage_type(buffer.type.element_type)
    pointer = buffer.pointer
    depths = {code.depth_of(operand) for operand, _ in terms}
    for depth in sorted(depths):
        step = writer.sum([t for t in terms if code.depth_of(t[0]) == depth])
        pointer = code.pure(f"getelementptr {element}, ptr {pointer}, i64 {step}", (pointer, step))
    if constant:
        pointer = code.pure(f"getelementptr {element}, ptr {pointer}, i64 {constant}", (pointer,))
    return pointer


def _scale(writer: IndexWriter, index: Index, stride: Operand | None, terms: list[Term]) -> int:
    """Append the terms of `index * stride`; the constant part."""
    assert stride is not None, "extents are checked where they are first needed"
    constant, part = writer.collect(index)
    if isinstance(stride, int):
        terms += [(operand, coefficient * stride) for operand, coefficient in part]
        return constant * stride
    terms += [(writer.multiply(operand, stride), coefficient) for operand, coefficient in part]
    if constant:
        terms.append((stride, constant))
    return 0


def _at_lane(fixed: Index, scaled: Sequence[tuple[Index, int]], lane: int) -> Offset:
    return Offset(at_lane(fixed, lane), tuple((at_lane(index, lane), d) for index, d in scaled))
