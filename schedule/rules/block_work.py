"""The predicted work of an unscheduled block, and the least work that is divided among threads.

Rules choose parallel loops while they schedule, so the work is predicted from the block alone: the arithmetic of a
point at the rate of whole vectors, and the bytes of all buffers at the bandwidth of the cache that holds them. The cost
model of `analysis/cost` predicts the time of the finished loops.
"""

from __future__ import annotations

from xdsl.ir import Operation

from ...analysis.cost.coefficients import FREE_OPERATIONS, FUNCTION_INSTRUCTIONS, GATHER_CYCLES
from ...dialects import loop
from ...dialects.lane_constants import float_in_lanes
from ...dialects.target import CpuTargetAttr
from ...traversal import operations
from .block_structure import Operand, Shape, buffer_bytes, element_bits, element_bytes, shape_of
from .coefficients import PARALLEL_GAIN

_PRODUCTS, _SUMS = ("arith.mulf",), ("arith.addf", "arith.subf")
"""Products and sums, a pair of which one instruction computes."""

_TILE_BITS = 32
"""Bits of the results of intrinsics on tiles."""

_WHOLE_POWERS = (-1.0, 1.0, 2.0, 3.0, 4.0)
"""Exponents for which a power is computed by products or a quotient."""


def pays_threads(block: loop.BlockOp, points: float, target: CpuTargetAttr) -> bool:
    """Return whether `points` of a block are enough work for the cost of starting and joining threads.

    Each of n threads does an n-th of the work, and the caller of the loop waits for a fork and a join.
    """
    return threads_pay(points * point_cycles(block, target), target)


def threads_pay(cycles: float, target: CpuTargetAttr) -> bool:
    """Return whether work of this many cycles pays for starting and joining threads."""
    saved = cycles * (1 - 1 / target.threads)
    return target.threads > 1 and saved >= PARALLEL_GAIN * target.number_of("fork")


def point_cycles(block: loop.BlockOp, target: CpuTargetAttr) -> float:
    """Return the predicted cycles of an innermost iteration, where one thread runs the block.

    In a block over tiles, whose arithmetic is an intrinsic, each point counts as a multiply-add.
    """
    shape = shape_of(block)
    if shape is None or not shape.points or not any(_accesses(op) for op in operations(block)):
        return 1 / target.lanes(_TILE_BITS) / target.multiply_adds
    lanes = target.lanes(element_bits(block))
    return max(_instructions(block) / lanes / target.multiply_adds + _gathered(shape), _moved(shape, target))


def _instructions(block: loop.BlockOp) -> float:
    """Return the instructions of a point on vectors; a product and a sum of floats count as one."""
    ops = [op for op in operations(block) if _computes(op)]
    counts = [sum(op.name in names for op in ops) for names in (_PRODUCTS, _SUMS)]
    return max(1.0, sum(map(_issued, ops)) - min(counts))


def _issued(op: Operation) -> float:
    """Return the instructions of an operation on vectors."""
    if op.name == "math.powf" and float_in_lanes(op.operands[1]) in _WHOLE_POWERS:
        return 2.0
    return FUNCTION_INSTRUCTIONS.get(op.name, 1.0)


def _computes(op: Operation) -> bool:
    return bool(op.results) and op.name.startswith(("arith.", "math.", "loop.call")) and op.name not in FREE_OPERATIONS


def _gathered(shape: Shape) -> float:
    """Return the cycles of a point for elements that lie side by side along no axis."""
    return GATHER_CYCLES * sum(_is_gathered(operand) for operand in shape.operands)


def _is_gathered(operand: Operand) -> bool:
    strides = [operand.lane_stride(variable) for variable in operand.variables]
    return bool(strides) and not any(stride in (-1, 1) for stride in strides)


def _moved(shape: Shape, target: CpuTargetAttr) -> float:
    """Return the cycles of a point for its part of the bytes that are accessed, from the nearest cache that holds all
    of them."""
    buffers = {op.buffer for op in operations(shape.block) if _accesses(op)}  # pyright: ignore
    size = sum(min(buffer_bytes(b.type), shape.points * element_bytes(b.type)) for b in buffers)
    vector = target.vector_bits / 8
    rates = (target.loads * vector, *target.bandwidths)
    fitting = (rate for capacity, rate in zip(target.caches, rates, strict=False) if size <= capacity)
    return size / next(fitting, rates[-1]) / shape.points


def _accesses(op: Operation) -> bool:
    return isinstance(op, (loop.LoadOp, loop.StoreOp))
