"""The check that register buffers of a schedule have constant positions once loops are unrolled.

Registers have no addresses. `sink-allocations` moves a buffer into the innermost loop around all of its accesses, and
subtracts the terms of outer loop variables from each index. The remaining index may only use constants, variables of
unrolled or vectorized loops, and the lane.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import takewhile

from xdsl.ir import SSAValue

from ...analysis.access import Access, accesses_of, reads, writes
from ...analysis.domain import is_opaque, loops_behind
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import LANE, Index
from ..refusal import UNSUITABLE


def check_registers(blocks: Iterable[loop.BlockOp]) -> None:
    """Refuse a register buffer that one of the blocks accesses at a position that no emitter can know.

    Raises TilewrightError UNSUITABLE, which names the buffer.
    """
    buffers = dict.fromkeys(b for block in blocks for b in (*writes(block), *reads(block)))
    for buffer in buffers:
        if isinstance(buffer.owner, loop.AllocOp) and loop.scope_of(buffer.owner.res.type) == loop.REGISTER:
            _check(buffer, accesses_of(buffer))


def _check(buffer: SSAValue, accesses: list[Access]) -> None:
    outside = _loops_around_all(accesses)
    corners = [_corner(access, outside) for access in accesses]
    for access, corner in zip(accesses, corners, strict=True):
        if corner is None or corner != corners[0]:
            fail(
                UNSUITABLE,
                f"{name_of(buffer)} lives in registers, but {access.op.name} accesses an element of it that is known "
                "only when the program runs",
                op=access.op,
                help='unroll the loops whose variables index the buffer, or give it the scope "local"',
            )


def _loops_around_all(accesses: list[Access]) -> frozenset[loop.ForOp]:
    """Return the loops around all accesses of a buffer, down to a vectorized loop whose lanes each have separate
    elements."""
    chains = zip(*(access.domain.loops for access in accesses), strict=False)
    common = takewhile(lambda ops: ops[0].kind != loop.VECTORIZED and all(op is ops[0] for op in ops), chains)
    return frozenset(ops[0] for ops in common)


def _corner(access: Access, outside: Collection[loop.ForOp]) -> list[Index] | None:
    """Return the contribution of sizes and the loops outside to each index; None where the rest is not known while
    compiling."""
    if access.index is None:
        return None
    written_out = {op.induction_variable for op in access.domain.loops if _is_written_out(op)}
    corner: list[Index] = []
    for e in access.index:
        rest = Index.of(0)
        for atom, factor in e.terms:
            part = Index.of_atom(atom) * factor
            if all(v is LANE or v in written_out for v in part.variables):
                continue
            if any(is_opaque(v) for v in part.values()) or not loops_behind(part) <= set(outside):
                return None
            rest = rest + part
        corner.append(rest)
    return corner


def _is_written_out(op: loop.ForOp) -> bool:
    return op.kind in (loop.UNROLLED, loop.VECTORIZED) or op.constant_trip_count == 1
