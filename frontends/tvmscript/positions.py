"""Elements of buffers by their indices, or by their offset in the flattened buffer."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ...dialects import loop
from ...dialects.index_expr import Index, Range
from . import expressions
from .script_values import BufferValue, Ramp
from .state import BAD_ARGUMENT, UNSUPPORTED, State


def positions(s: State, buffer: BufferValue, parts: Sequence[ast.expr]) -> list[Index | Ramp]:
    """Return the element that the indices name; one index of the data of a buffer counts its elements in order."""
    if not buffer.is_flat:
        expressions.check_rank(s, buffer, len(parts))
        return [expressions.position(s, part) for part in parts]
    if len(parts) != 1:
        s.fail(BAD_ARGUMENT, f"expected one index of the data of '{buffer.name}', but got {len(parts)}")
    if len(buffer.shape) == 1:
        return [_along_stride(s, buffer, expressions.position(s, parts[0]), parts[0])]
    if buffer.base is not None or buffer.strides is not None or not all(e.is_constant for e in buffer.shape[1:]):
        s.fail(
            UNSUPPORTED,
            f"expected the data of a dense buffer of known sizes, but got that of '{buffer.name}'",
            parts[0],
            help="index the buffer itself",
        )
    if not buffer.shape:
        return []
    position = expressions.position(s, parts[0])
    if not isinstance(position, Ramp):
        return [*_unflattened(s, buffer, position)]
    lane = _unflattened(s, buffer, position.base + expressions.LANE_INDEX * position.stride)
    return [Ramp(e, 0, position.lanes) for e in lane]


def _along_stride(s: State, buffer: BufferValue, position: Index | Ramp, node: ast.expr) -> Index | Ramp:
    """Return the index of an element by its position in memory, which is a multiple of the stride: `A.data[i *
    stride]`."""
    stride = Index.of(1) if buffer.strides is None else buffer.strides[0]
    if stride == Index.of(1):
        return position
    value = position.single_value if isinstance(position, Index) else None
    if value is not None and isinstance(value.owner, arith.MuliOp):
        factors = [Index.of(value.owner.lhs), Index.of(value.owner.rhs)]
        if stride in factors:
            return factors[1 - factors.index(stride)]
    return s.fail(
        UNSUPPORTED,
        f"expected a product with the stride as index of the data of '{buffer.name}'",
        node,
        help="index the buffer itself",
    )


def _unflattened(s: State, buffer: BufferValue, position: Index) -> list[Index]:
    """Return the indices of the element at a position."""
    ranges = _ranges(s)
    found: list[Index] = []
    for d in range(len(buffer.shape) - 1, 0, -1):
        size = buffer.shape[d].constant
        if size == 0:
            return [Index.of(0)] * len(buffer.shape)
        found.append((position % size).with_ranges(ranges))
        position = (position // size).with_ranges(ranges)
    return [position, *reversed(found)]


def _ranges(s: State) -> dict[SSAValue, Range]:
    """Return the constant ranges of the variables of loops and blocks around."""
    ranges: dict[SSAValue, Range] = {}
    for scope in s.scopes:
        match scope.owner:
            case loop.ForOp() as op:
                bounds = op.constant_bounds
                if bounds is not None and bounds[0] < bounds[1]:
                    ranges[op.induction_variable] = (bounds[0], bounds[1] - 1)
            case loop.BlockOp() as op:
                for variable, _, _, extent in op.iteration():
                    if extent.is_constant and extent.constant > 0:
                        ranges[variable] = (0, extent.constant - 1)
            case _:
                pass
    return ranges
