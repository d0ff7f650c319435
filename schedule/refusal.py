"""Refusals of primitives: the error, and its text about the blocks, the loops and the counter-example."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import NoReturn

from xdsl.dialects.builtin import LocationAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..analysis.access import blocks_in
from ..analysis.block_reductions import why_ordered
from ..analysis.dependence import Conflict
from ..analysis.domain import loops_around
from ..analysis.integer_set import Point
from ..diagnostics import TilewrightError, fail
from ..diagnostics.locations import is_known, name_of, source_position
from ..dialects import loop
from ..dialects.index_expr import Index

ILLEGAL, UNPROVED, BAD_ARGUMENT = "TW0401", "TW0402", "TW0403"
STALE, NOT_NESTED, UNSUITABLE, NOT_FOUND = "TW0404", "TW0405", "TW0406", "TW0407"

NEEDS_GUARD, NOT_FACTORABLE, BAD_THREAD = "TW0410", "TW0411", "TW0412"
UNKNOWN_PRAGMA, BAD_POINTS, NO_ANNOTATION = "TW0413", "TW0414", "TW0415"
TOO_MANY_ITERATIONS = "TW0473"

IN_ORDER = (
    "keep the loops over this reduction serial and in order, or write a combiner that is associative and commutative "
    "and has a neutral identity"
)
"""The remedy for a combiner that breaks a law."""

_MOST_ITERATIONS = (1 << 63) - 1
"""The largest number that an index can be."""


def point_at_call(error: TilewrightError, location: LocationAttr) -> None:
    """Let a refusal point at the call that was refused; the statement that it was about becomes a note.

    A call from inside the library has no line in the user's program: then the error keeps its source location. An error
    in text that was passed, such as LLVM's, keeps its location in that text.
    """
    if not is_known(location):
        return
    about, position = error.op, source_position(error.location)
    if about is None and position is not None:
        call = source_position(location)
        error.notes.append(f"{call.file}:{call.line}: passed here" if call else "passed here")
        return
    if about is not None and not isinstance(about, (FuncOp, ModuleOp)):
        header = str(about).partition("\n")[0]
        error.notes.append(f"{position}: {header}" if position else f"the program there: {header}")
    error.location = location


def loop_name(op: loop.ForOp) -> str:
    return name_of(op.induction_variable)


def loop_names(loops: Iterable[loop.ForOp]) -> str:
    return ", ".join(loop_name(op) for op in loops)


def check_iterations(primitive: str, loops: Sequence[loop.ForOp], extents: Sequence[Index]) -> None:
    """Refuse to replace the nested `loops` by loops of these extents, where indices overflow (TW0473).

    An index is smaller than the number of iterations of its nest. A symbolic extent counts as 2: rounded up to whole
    parts, a size is less than twice itself or at most twice the extent of a part.
    """
    parts = prod(_count(n) for n in extents)
    nests = [loops_around(block) for block in blocks_in(loops[-1])] or [loops_around(loops[-1])]
    others = [prod(op.constant_trip_count or 2 for op in nest if op not in loops) for nest in nests]
    if (count := parts * max(others)) > _MOST_ITERATIONS:
        sizes = " * ".join(str(n) for n in extents)
        fail(
            TOO_MANY_ITERATIONS,
            f"{primitive}: with {sizes} iterations for {loop_names(loops)}, the loops come to {count}, more than the "
            "2^63 - 1 that indices count",
            op=loops[0],
        )


def _count(extent: Index) -> int:
    return max(extent.constant, 1) if extent.is_constant else 2


def refuse_conflict(
    primitive: str,
    claim: str,
    conflict: Conflict,
    loops: Sequence[loop.ForOp],
    sink_loops: Sequence[loop.ForOp] | None = None,
    help: str | None = None,
) -> NoReturn:
    """Refuse because of two instances whose order the program relies on; `claim` names the requested change.

    The instances are named by the variables of `loops`, the second one by those of `sink_loops` where it has others.
    `help` is the advice where they are known. A note has the numbers at which the block's combiner breaks a law.
    """
    source, sink = conflict.source, conflict.sink
    block = source.block or sink.block
    where = f" of block {block.label!r}" if block is not None else ""
    buffer = name_of(source.buffer)
    broken = why_ordered(block) if source.block is sink.block else None
    if broken is not None:
        help = IN_ORDER
    if conflict.unknown is not None:
        fail(
            UNPROVED,
            f"{primitive}: cannot prove that {claim}{where} keeps accesses to {buffer} in order: {conflict.unknown}",
            op=sink.op,
            notes=[broken] if broken is not None else [],
            help="where you know that it does, pass assert_legal=True",
        )
    first = format_instance(loops, conflict.source_point)
    second = format_instance(loops if sink_loops is None else sink_loops, conflict.sink_point)
    element = ", ".join(str(n) for n in conflict.element() or ())
    fail(
        ILLEGAL,
        f"{primitive}: {claim}{where} is illegal: {first} must run before {second}",
        op=sink.op,
        notes=[
            f"{first} {_verb(source.is_write)} {buffer}[{element}], which {second} {_verb(sink.is_write)} after it",
            *([broken] if broken is not None else ()),
        ],
        help=help,
    )


def _verb(is_write: bool) -> str:
    return "writes" if is_write else "reads"


def format_instance(loops: Sequence[loop.ForOp], point: Point) -> str:
    """Write an instance as `(i=98, j=98)`."""
    values = (f"{_bare(op.induction_variable)}={point.get(op.induction_variable, '?')}" for op in loops)
    return f"({', '.join(values)})"


def _bare(value: SSAValue) -> str:
    return name_of(value).removeprefix("%")
