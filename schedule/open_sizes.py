"""Open sizes: the sizes of a function that only a call determines, and the ranges of sizes for which a schedule is
meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument

from ..dialects import loop

Range = tuple[int, int | None]
"""The least and the largest value of a size; None is no upper limit."""

Ranges = Mapping[str, Range]
"""By `OpenSize.key`."""


@dataclass(frozen=True)
class OpenSize:
    """An extent of an argument that only a call determines, and that no other extent implies."""

    argument: int
    axis: int
    name: str
    """The name that the function has for it: that of the model, but for functions in canonical form."""

    @property
    def key(self) -> str:
        """The position in the canonical form: `a0[1]`."""
        return f"a{self.argument}[{self.axis}]"


def open_sizes(function: FuncOp) -> tuple[OpenSize, ...]:
    """Return the open sizes of a function, in the order of its arguments.

    Extents that a `loop.bind` states are sizes that a `loop.dim` reads, or are computed from these.
    """
    found: dict[tuple[int, int], OpenSize] = {}
    bound = {op.buffer for op in function.body.block.ops if isinstance(op, loop.BindOp)}
    for argument in function.body.block.args:
        if isinstance(argument.type, MemRefType) and argument not in bound:
            for axis, size in enumerate(argument.type.get_shape()):
                if size == DYNAMIC_INDEX:
                    size = OpenSize(argument.index, axis, f"{argument.name_hint or argument.index}_dim{axis}")
                    found[argument.index, axis] = size
    for op in function.body.block.ops:
        if isinstance(op, loop.DimOp) and isinstance(op.buffer, BlockArgument):
            axis = op.dimension.value.data
            size = OpenSize(op.buffer.index, axis, op.res.name_hint or f"a{op.buffer.index}_dim{axis}")
            if op.buffer.type.get_shape()[axis] == DYNAMIC_INDEX:  # pyright: ignore
                found[op.buffer.index, axis] = size
    return tuple(found[position] for position in sorted(found))


def holds_for_all(ranges: Ranges, sizes: Iterable[OpenSize]) -> bool:
    """Return whether ranges hold for each value that these sizes can have; an extent of 0 has no iteration."""
    least = {size.key: ranges.get(size.key, (inf, 0)) for size in sizes}
    return all(low <= 1 and high is None for low, high in least.values())


def width(ranges: Ranges) -> float:
    """Return the number of sizes in the ranges."""
    count = 1.0
    for low, high in ranges.values():
        count *= inf if high is None else max(high - low + 1, 0)
    return count


def range_text(limits: Range) -> str:
    """Return a range as `--sizes` takes it: `1..512`."""
    low, high = limits
    return f"{low}..{'' if high is None else high}"
