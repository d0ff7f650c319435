"""Work of a function: the operations and bytes of its definition, before any pass.

Counted are operations on floats, as benchmarks count them: one for each addition, subtraction, multiplication,
division, remainder, minimum, maximum and function of `math`, two for a multiplication with an addition; copies,
conversions, comparisons and selections count nothing. A compute runs its body for every point of its axes, and combines
as often. Guards are not looked at: a convolution counts the taps in its border, as its usual formula does.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.dialects import func
from xdsl.dialects.builtin import AnyFloat, IndexType, MemRefType, TensorType, VectorType
from xdsl.ir import Attribute, Operation, Region

from ..dialects import loop, te
from ..dialects.index_expr import Index
from ..dialects.te.compute import start_operations

_COUNTED = frozenset(
    f"arith.{name}"
    for name in ("addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf")
)  # fmt: skip
_FOREIGN = ("loop.call_extern", "loop.call_pure_extern", "loop.call_intrin", "func.call")


@dataclass(frozen=True)
class Work:
    """The work of one call of a function; None where it depends on symbolic sizes or foreign code."""

    flops: int | None
    bytes: int | None
    """The bytes of the arguments and results, each counted once: a lower bound of those that are moved."""


def work_of(function: func.FuncOp) -> Work:
    """Return the work of a function on tensors (te) or on buffers (loops, with blocks or without)."""
    values = [*function.function_type.inputs, *function.function_type.outputs]
    return Work(_region_flops(function.body, 1), _sum([_byte_size(type_) for type_ in values]))


def _region_flops(region: Region, times: int | None) -> int | None:
    return _sum([_flops(op, times) for block in region.blocks for op in block.ops])


def _flops(op: Operation, times: int | None) -> int | None:
    """Return the number of operations of `op`, executed `times` times; `times` is None where it is unknown."""
    match op:
        case te.ComputeOp():
            return _compute_flops(op, times)
        case te.ReduceOp():
            return _combiner_flops(op.by, len(op.values), op.values[0].type, times)
        case loop.CombineOp():
            return _region_flops(op.combiner, times)
        case loop.BlockOp():
            # The block's iteration variables give the number of instances, whatever loops a schedule put around it.
            return _region_flops(op.body, _product(op.index_list("extents")))
        case loop.InitOp():
            return 0
        case loop.ForOp():
            return _region_flops(op.body, _times(times, op.constant_trip_count))
        case _ if op.regions:
            return _sum([_region_flops(region, times) for region in op.regions])
        case _:
            return 0 if (each := _scalar_flops(op)) == 0 else _times(times, each)


def _compute_flops(op: te.ComputeOp, times: int | None) -> int | None:
    """Return a body's operations, and one for each point that is combined."""
    once = _times(times, _product(op.spatial_extents))
    each = _times(once, _product(op.reduce_extents))
    starts = set(start_operations(op))
    return _sum([_flops(inner, once if inner in starts else each) for inner in op.body.block.ops])


def _combiner_flops(by: Region | None, count: int, type_: Attribute, times: int | None) -> int | None:
    if by is not None:
        return _region_flops(by, times)
    return _times(times, count) if isinstance(type_, AnyFloat) else 0


def _scalar_flops(op: Operation) -> int | None:
    """Return the operations of one application, those of a vector for each of its elements."""
    if op.name in _FOREIGN:
        return None
    is_counted = op.name in _COUNTED or op.name.startswith("math.")
    if not is_counted or not op.results:
        return 0
    type_ = op.results[0].type
    lanes = prod(type_.get_shape()) if isinstance(type_, VectorType) else 1
    element = type_.element_type if isinstance(type_, VectorType) else type_
    if not isinstance(element, AnyFloat):
        return 0
    return lanes * (2 if op.name == "math.fma" else 1)


def _byte_size(type_: Attribute) -> int | None:
    if not isinstance(type_, (TensorType, MemRefType)):
        return 0
    element = type_.element_type
    width = 64 if isinstance(element, IndexType) else getattr(element, "bitwidth", None)
    if not type_.has_static_shape() or width is None:
        return None
    return -(-width // 8) * prod(type_.get_shape())


def _product(extents: tuple[Index, ...]) -> int | None:
    return prod(e.constant for e in extents) if all(e.is_constant for e in extents) else None


def _times(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a * b


def _sum(parts: list[int | None]) -> int | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None
